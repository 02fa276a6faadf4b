#include <stdatomic.h>
#include <unistd.h>

#include "crawl/patience.h"
#include "serve/service_scene.h"
#include "store/database.h"
#include "tap.h"

/* The crawl of a profile over a long time: addresses that are asked for again and
 * again, judged by what the site has seen. */

#define SECONDS 100

/* The page that changes: its version, which its tag and its body name; 0 where
 * it is gone. */
static atomic_uint version;

static bool answer(
    void *ctx, const struct server_request *request, struct server_answer *made)
{
	unsigned now = atomic_load(&version);
	char tag[20];
	(void)ctx;
	if (!pv_str_starts(request->path, PV_STR("/page")) || !now)
		return false;
	snprintf(tag, sizeof(tag), "\"v%u\"", now);
	pv_buf_append_format(made->own_headers, "ETag: %s\r\n", tag);
	if (pv_str_equal(server_header(request->headers, "If-None-Match"),
		pv_str_of(tag))) {
		made->status = 304;
		return true;
	}
	made->type = "text/html; charset=utf-8";
	pv_buf_append_format(made->own_body, "<p>version %u", now);
	return true;
}

/* Whether the last request of the page carried a condition. */
static bool was_conditional(const struct scene *scene)
{
	struct server_record record;
	bool is_it = false;
	for (size_t i = 0; server_log_get(scene->server, i, &record); i++) {
		if (pv_str_equal(record.target, PV_STR("/page")))
			is_it = server_header(record.headers, "If-None-Match")
				    .ptr != NULL;
	}
	return is_it;
}

/* Asks for the page and waits for what comes of it, which is the reply. */
static void fetch(struct scene *scene, char path[100])
{
	char body[200], id[80], state[80];
	snprintf(body, sizeof(body), "{\"url\":\"http://127.0.0.1:%u/page\"}",
	    (unsigned)server_port(scene->server));
	ask(scene, "POST", "/v1/fetches", body);
	member(scene, "id", id);
	snprintf(path, 100, "/v1/fetches/%s", id);
	do {
		poll(NULL, 0, 1);
		ask(scene, "GET", path, NULL);
		member(scene, "state", state);
	} while (strcmp(state, "waiting") == 0);
}

static bool has_body(struct scene *scene, const char *path, const char *text)
{
	char body[120];
	snprintf(body, sizeof(body), "%s/body", path);
	return ask(scene, "GET", body, NULL) == 200 &&
	       strcmp(body_of(scene), text) == 0;
}

static void test_conditional(struct server *server)
{
	struct scene scene;
	char path[100], first[80], again[80], time[80], later[80];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	atomic_store(&version, 1);
	fetch(&scene, path);
	member(&scene, "digest", first);
	member(&scene, "time", time);
	ok(!was_conditional(&scene) && *first &&
		!strstr(body_of(&scene), "\"unchanged\""),
	    "an address is asked for as a whole at first");
	fetch(&scene, path);
	member(&scene, "digest", again);
	member(&scene, "time", later);
	ok(was_conditional(&scene), "and then only for what is new");
	ok(says(&scene, "\"unchanged\":true") && says(&scene, "\"round\":2") &&
		says(&scene, "\"status\":200") &&
		says(&scene, "\"type\":\"text/html\"") &&
		says(&scene, "\"bytes\":12") && strcmp(first, again) == 0,
	    "what is as it was is described as before, and called so");
	ok(strcmp(time, later) < 0, "by its new time");
	ok(has_body(&scene, path, "<p>version 1"),
	    "with the body that is kept");
	fetch(&scene, path);
	ok(was_conditional(&scene) && says(&scene, "\"round\":3") &&
		has_body(&scene, path, "<p>version 1"),
	    "as often as it is asked for");
	atomic_store(&version, 2);
	fetch(&scene, path);
	member(&scene, "digest", again);
	ok(was_conditional(&scene) && strcmp(first, again) != 0 &&
		!strstr(body_of(&scene), "\"unchanged\"") &&
		has_body(&scene, path, "<p>version 2"),
	    "what has changed is given as it is now");
	fetch(&scene, path);
	ok(was_conditional(&scene) && says(&scene, "\"unchanged\":true") &&
		has_body(&scene, path, "<p>version 2"),
	    "and what is new is asked about from then on");
	close_scene(&scene);
}

/* What the state of the crawl says that was answered last. */
static int64_t status_in_state(const struct scene *scene)
{
	struct pv_database *state = pv_database_look(
	    scratch_file(&scene->scratch, "service/fetches/1/state.db"));
	int64_t status = pv_database_number(
	    state, "SELECT http_status FROM pages WHERE url LIKE '%/page'");
	pv_database_close(state);
	return status;
}

static void test_gone(struct server *server)
{
	struct scene scene;
	char path[100];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	atomic_store(&version, 1);
	fetch(&scene, path);
	atomic_store(&version, 0);
	fetch(&scene, path);
	ok(says(&scene, "\"status\":404") &&
		!strstr(body_of(&scene), "\"body\""),
	    "what is gone is said to be");
	ok(status_in_state(&scene) == 404,
	    "P4: also by the state, which explain and status tell from");
	atomic_store(&version, 1);
	fetch(&scene, path);
	ok(!was_conditional(&scene) && says(&scene, "\"status\":200") &&
		has_body(&scene, path, "<p>version 1"),
	    "and is asked for as a whole when it may be back");
	fetch(&scene, path);
	ok(was_conditional(&scene) && status_in_state(&scene) == 200,
	    "of what is as it was the state keeps what it was");
	close_scene(&scene);
}

/* Removes what the crawl has kept of the page. */
static void remove_kept(const struct scene *scene)
{
	char path[600];
	snprintf(path, sizeof(path), "rm -r '%s'/*",
	    scratch_file(&scene->scratch, "service/fetches/1/site"));
	if (system(path) != 0)
		printf("# nothing was kept\n");
}

static void test_lost(struct server *server)
{
	struct scene scene;
	char path[100];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	atomic_store(&version, 1);
	fetch(&scene, path);
	remove_kept(&scene);
	fetch(&scene, path);
	ok(!was_conditional(&scene) && has_body(&scene, path, "<p>version 1"),
	    "what was kept and is lost is asked for as a whole");
	pavane_service_close(scene.service);
	open_service(&scene, NULL, 0);
	fetch(&scene, path);
	ok(was_conditional(&scene) && says(&scene, "\"unchanged\":true") &&
		has_body(&scene, path, "<p>version 1"),
	    "what is kept is known to the next service");
	close_scene(&scene);
}

static void test_without_bodies(struct server *server)
{
	struct scene scene;
	struct pv_buf text;
	char path[100];
	open_scene(&scene, server);
	pv_buf_init(&text, 4096);
	pv_buf_append_format(&text, "%soutput: {mirror: none}\n", profile);
	write_file(&scene, "default.yaml", pv_buf_text(&text), 0600);
	pv_buf_finish(&text);
	open_service(&scene, NULL, 0);
	atomic_store(&version, 1);
	fetch(&scene, path);
	fetch(&scene, path);
	ok(!was_conditional(&scene) && says(&scene, "\"round\":2") &&
		says(&scene, "\"bytes\":12") &&
		!strstr(body_of(&scene), "\"body\""),
	    "where no bodies are kept all is asked for");
	close_scene(&scene);
}

static bool is_stored(const struct scene *scene, const char *name)
{
	char path[200];
	snprintf(path, sizeof(path), "service/fetches/1/%s", name);
	return access(scratch_file(&scene->scratch, path), F_OK) == 0;
}

static size_t requests_of_page(struct server *server)
{
	struct server_record record;
	size_t count = 0;
	for (size_t i = 0; server_log_get(server, i, &record); i++)
		count += pv_str_equal(record.target, PV_STR("/page"));
	return count;
}

/* A journal goes on in a new file after an eighth of what it is kept for: here
 * there is one more before each fetch is over, or nearly. */
static void test_turning(struct server *server)
{
	static const char *const settings[] = {"jobs.keep=1s"};
	struct scene scene;
	char path[100];
	unsigned done = 0, same = 0, fetches = 0;
	size_t before = requests_of_page(server);
	open_scene(&scene, server);
	open_service(&scene, settings, 1);
	atomic_store(&version, 1);
	while (!is_stored(&scene, "journal-0003.jsonl")) {
		fetch(&scene, path);
		done += strstr(body_of(&scene), "\"state\":\"done\"") != NULL;
		same += strstr(body_of(&scene), "\"unchanged\":true") != NULL;
		fetches++;
	}
	ok(done == fetches && same == fetches - 1,
	    "P3: whatever file its line is in, each fetch ends (%u)", fetches);
	ok(requests_of_page(server) - before == fetches,
	    "and has asked for its page once (%zu)",
	    requests_of_page(server) - before);
	pavane_service_close(scene.service);
	open_service(&scene, settings, 1);
	fetch(&scene, path);
	ok(says(&scene, "\"unchanged\":true") &&
		says(&scene, "\"state\":\"done\""),
	    "P3: and so it is in the next service");
	close_scene(&scene);
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){.answer = answer});
	end_after(SECONDS);
	test_conditional(server);
	test_gone(server);
	test_lost(server);
	test_without_bodies(server);
	test_turning(server);
	end_after(0);
	server_stop(server);
	return tap_done();
}
