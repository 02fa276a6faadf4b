#include "crawl/patience.h"
#include "serve/service_scene.h"
#include "tap.h"

/* The rows that single addresses give by the pages of their profile. */

#define SECONDS 100

static const char pages[] = "pages:\n"
			    "  product:\n"
			    "    match: {path: \"/item*\"}\n"
			    "    each: li\n"
			    "    fields: {name: b, price: i}\n";

/* So many rows that no answer has room for them. */
#define ITEM "<li><b>a</b>"
#define ITEMS 3000

static char many[ITEMS * sizeof(ITEM)] = "<ul>";

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/item1",
	.answer = {.body = "<ul><li><b>Pen</b><i>1</i><li><b>Ink</b></ul>",
	    .headers = "Content-Type: text/html\r\n"}},
    {.path = "/item2",
	.nth = 1,
	.answer = {.body = "<ul><li><b>Old</b><li><b>Two</b></ul>",
	    .headers = "Content-Type: text/html\r\n"}},
    {.path = "/item2",
	.nth = 2,
	.answer = {.body = "<ul><li><b>New</b></ul>",
	    .headers = "Content-Type: text/html\r\n"}},
    {.path = "/item2", .nth = 3, .answer = {.status = 500}},
    {.path = "/moved",
	.answer = {.status = 302, .headers = "Location: /item1\r\n"}},
    {.path = "/item-many",
	.answer = {.body = many, .headers = "Content-Type: text/html\r\n"}},
    {.path = "/other",
	.answer = {.body = "<ul><li><b>Pen</b></ul>",
	    .headers = "Content-Type: text/html\r\n"}},
};

static void open_with(
    struct scene *scene, struct server *server, const char *more)
{
	struct pv_buf text;
	open_scene(scene, server);
	pv_buf_init(&text, 4096);
	pv_buf_append_format(&text, "%s%s", profile, more);
	write_file(scene, "default.yaml", pv_buf_text(&text), 0600);
	pv_buf_finish(&text);
	open_service(scene, NULL, 0);
}

static bool fetches(struct scene *scene, const char *site_path, char path[100])
{
	char body[300], id[80], state[80];
	snprintf(body, sizeof(body), "{\"url\":\"http://127.0.0.1:%u%s\"}",
	    (unsigned)server_port(scene->server), site_path);
	ask(scene, "POST", "/v1/fetches", body);
	member(scene, "id", id);
	snprintf(path, 100, "/v1/fetches/%s", id);
	do {
		poll(NULL, 0, 1);
		ask(scene, "GET", path, NULL);
		member(scene, "state", state);
	} while (strcmp(state, "waiting") == 0);
	return strcmp(state, "done") == 0;
}

static size_t count_of(const struct scene *scene, const char *part)
{
	size_t count = 0;
	for (const char *at = body_of(scene); (at = strstr(at, part)); at++)
		count++;
	return count;
}

static void test_rows(struct server *server)
{
	struct scene scene;
	char path[100], rows[120];
	open_with(&scene, server, pages);
	ok(fetches(&scene, "/item1", path) &&
		says(&scene, "\"name\":\"Pen\"") &&
		says(&scene, "\"name\":\"Ink\"") &&
		count_of(&scene, "\"_url\"") == 2,
	    "the rows of a page stand in its answer");
	ok(fetches(&scene, "/item1", path) && count_of(&scene, "\"_url\"") == 2,
	    "also when it gives the same again");
	ok(fetches(&scene, "/moved", path) && says(&scene, "\"name\":\"Pen\""),
	    "those of the page that it redirects to");
	ok(fetches(&scene, "/other", path) && says(&scene, "\"rows\":[]"),
	    "an address that is of no kind has none");
	char first[100];
	ok(fetches(&scene, "/item2", first) &&
		count_of(&scene, "\"_url\"") == 2,
	    "a page has its own");
	ok(fetches(&scene, "/item2", path) &&
		says(&scene, "\"name\":\"New\"") &&
		count_of(&scene, "\"_url\"") == 1,
	    "where it gives others these count");
	ask(&scene, "GET", first, NULL);
	ok(says(&scene, "\"name\":\"Old\"") &&
		count_of(&scene, "\"_url\"") == 2,
	    "what was answered before stays as it was");
	ok(fetches(&scene, "/item2", path) && says(&scene, "\"rows\":[]"),
	    "an error has none");
	snprintf(rows, sizeof(rows), "%s/rows", first);
	ok(ask(&scene, "GET", rows, NULL) == 200 &&
		says(&scene, "application/x-ndjson") &&
		says(&scene, "\"name\":\"New\"") && count_of(&scene, "\n") == 1,
	    "what a page gives now can be had as lines");
	close_scene(&scene);
}

static void test_many(struct server *server)
{
	struct scene scene;
	char path[100], rows[120];
	open_with(&scene, server, pages);
	bool is_done = fetches(&scene, "/item-many", path);
	snprintf(rows, sizeof(rows), "%s/rows", path);
	ok(is_done && says(&scene, "\"rows\":[]") && says(&scene, rows),
	    "P5: of rows that are too many for an answer it is said where they "
	    "are");
	ok(ask(&scene, "GET", rows, NULL) == 200 &&
		count_of(&scene, "\n") == ITEMS,
	    "and there they are");
	close_scene(&scene);
}

static void test_restart(struct server *server)
{
	struct scene scene;
	char path[100];
	open_with(&scene, server, pages);
	fetches(&scene, "/item1", path);
	pavane_service_close(scene.service);
	open_service(&scene, NULL, 0);
	ok(fetches(&scene, "/item1", path) && count_of(&scene, "\"_url\"") == 2,
	    "P3: the next service knows them");
	close_scene(&scene);
}

static void test_forms(struct server *server)
{
	struct scene scene;
	struct pv_buf text;
	char path[100];
	pv_buf_init(&text, 4096);
	pv_buf_append_format(
	    &text, "%soutput: {fields: {forms: [csv]}}\n", pages);
	open_with(&scene, server, pv_buf_text(&text));
	ok(fetches(&scene, "/item1", path) && count_of(&scene, "\"_url\"") == 2,
	    "they are there where the profile writes them in another form");
	close_scene(&scene);
	open_with(&scene, server, "");
	ok(fetches(&scene, "/item1", path) && says(&scene, "\"rows\":[]") &&
		!strstr(body_of(&scene), "rows_left_out"),
	    "and where it has no pages there are none");
	pv_buf_finish(&text);
	close_scene(&scene);
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	for (size_t i = 0; i < ITEMS; i++)
		memcpy(many + 4 + i * strlen(ITEM), ITEM, strlen(ITEM));
	end_after(SECONDS);
	test_rows(server);
	test_many(server);
	test_restart(server);
	test_forms(server);
	end_after(0);
	server_stop(server);
	return tap_done();
}
