#include "crawl/scene.h"
#include "torture/lines.h"

/* Which kind a page is, and what its link carries, in whole crawls: named by
 * links, seeds and addresses, through redirects, in answers of JSON, and when
 * a page is found as an earlier kind than it was read as. */
#define HEAD                                         \
	"version: 1\n"                               \
	"rate: {max_rate: 10000, interval: 100ms}\n" \
	"politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"

static bool open_scene(struct crawl_scene *scene,
    const struct server_route *routes, size_t count, const char *policy)
{
	struct server_plan plan = {.routes = routes, .route_count = count};
	if (!ok(crawl_scene_open(scene, &plan), "a host is there"))
		return false;
	crawl_scene_policy(scene, policy);
	return true;
}

#define OPEN(scene, routes, policy) \
	open_scene(                 \
	    (scene), (routes), sizeof(routes) / sizeof(*(routes)), (policy))

static int run(struct crawl_scene *scene, const char *command)
{
	const char *const arguments[] = {command, "o", "-q", NULL};
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	return scene->program ? crawl_scene_wait(scene, HANG_MS) : -3;
}

static size_t asked(struct crawl_scene *scene, const char *path)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = log_count(&view, NULL, path);
	log_view_finish(&view);
	return count;
}

/* Removes what stands from one text to the other, which stays. */
static void cut(char *line, const char *from, const char *to)
{
	char *start = strstr(line, from);
	char *end = start ? strstr(start, to) : NULL;
	if (end)
		memmove(start, end, strlen(end) + 1);
}

/* Claims that the file of a kind has these lines, in this order, without
 * addresses before the path, times and digests. */
static void claim_rows(
    struct crawl_scene *scene, const char *kind, const char *wanted)
{
	char name[64];
	struct pv_buf text, found;
	pv_buf_init(&text, 1 << 20);
	pv_buf_init(&found, 1 << 20);
	snprintf(name, sizeof(name), "o/fields/%s.jsonl", kind);
	home_read(&scene->home, name, &text);
	char *line = text.ptr;
	while (line && *line) {
		char *end = strchr(line, '\n');
		if (end)
			*end = '\0';
		cut(line, "http:", "127.0.0.1");
		cut(line, "127.0.0.1", "/");
		cut(line, "\"_time\"", "\"_change\"");
		pv_buf_append_format(&found, "%s\n", line);
		line = end ? end + 1 : NULL;
	}
	if (!ok(strcmp(pv_buf_text(&found), wanted) == 0, "rows of %s are %s",
		kind, *wanted ? "as they are to be" : "none"))
		printf("# found\n%s# wanted\n%s", pv_buf_text(&found), wanted);
	pv_buf_finish(&text);
	pv_buf_finish(&found);
}

/* An earlier kind, later: what says so comes when the page has been kept. */

static const struct server_route late_routes[] = {
    {.path = "/",
	.answer = {.body = "<nav><a href=/x>beside</a></nav>"
			   "<a class=late href=/x>x</a>"
			   "<a class=on href=/middle>m</a>"}},
    {.path = "/middle",
	.answer = {.body = "<h1>the middle</h1><a href=/x>x</a>",
	    .head_pace = {.delay_ms = 500}}},
    {.path = "/x",
	.answer = {.body = "<h1>X</h1><p>1<p>2", .headers = "ETag: \"x\"\r\n"}},
};

static const char late_policy[] =
    HEAD "seeds: [\"http://127.0.0.1:PORT/\"]\n"
	 "pages:\n"
	 "  front:\n"
	 "    match: {path: /}\n"
	 "    follow: [{css: .late, as: late}, {css: .on, as: middle}]\n"
	 "  early: {fields: {name: h1}}\n"
	 "  middle:\n"
	 "    fields: {from: h1}\n"
	 "    follow: [{css: a, as: early, carry: [from]}]\n"
	 "  late: {each: p, fields: {text: {xpath: .}}}\n";

static void claim_late(struct crawl_scene *scene)
{
	claim_rows(scene, "late",
	    "{\"_url\":\"/x\",\"_item\":1,\"_change\":\"new\",\"text\":\"1\"}\n"
	    "{\"_url\":\"/x\",\"_item\":2,\"_change\":\"new\",\"text\":\"2\"}\n"
	    "{\"_url\":\"/x\",\"_item\":1,\"_change\":\"gone\"}\n"
	    "{\"_url\":\"/x\",\"_item\":2,\"_change\":\"gone\"}\n");
	claim_rows(scene, "early",
	    "{\"_url\":\"/x\",\"_item\":1,\"_change\":\"new\","
	    "\"from\":\"the middle\",\"name\":\"X\"}\n");
}

static void test_earlier_kind(void)
{
	struct crawl_scene scene;
	if (!OPEN(&scene, late_routes, late_policy))
		return;
	crawl_scene_ends(&scene, 0,
	    "a page is found as a later kind, and then as an earlier one");
	ok(asked(&scene, "/x") == 2, "it is read again (%zu)",
	    asked(&scene, "/x"));
	claim_late(&scene);
	ok(run(&scene, "update") == 0 && asked(&scene, "/x") == 3,
	    "an update reads it once");
	claim_late(&scene);
	crawl_scene_close(&scene);
}

/* Redirects */

static const struct server_route moved_routes[] = {
    {.path = "/", .answer = {.body = "<h1>From here</h1><a href=/one>x</a>"}},
    {.path = "/one", .answer = {.status = 301, .location = "/two"}},
    {.path = "/two", .answer = {.status = 307, .location = "/three"}},
    {.path = "/three", .answer = {.body = "<h1>Three</h1><a href=/four>4</a>"}},
    {.path = "/four", .answer = {.body = "<h1>Four</h1>"}},
};

static const char moved_policy[] =
    HEAD "seeds: [{url: \"http://127.0.0.1:PORT/\", as: list}]\n"
	 "pages:\n"
	 "  list:\n"
	 "    fields: {from: h1}\n"
	 "    follow: [{css: a, as: item, carry: [from]}]\n"
	 "  item:\n"
	 "    fields: {name: h1}\n"
	 "    follow: [{css: a, as: part, carry: [from, name]}]\n"
	 "  part: {fields: {part: h1}}\n";

static void test_redirects(void)
{
	struct crawl_scene scene;
	if (!OPEN(&scene, moved_routes, moved_policy))
		return;
	crawl_scene_ends(&scene, 0, "links are redirected, twice");
	claim_rows(&scene, "list",
	    "{\"_url\":\"/\",\"_item\":1,\"_change\":\"new\","
	    "\"from\":\"From here\"}\n");
	claim_rows(&scene, "item",
	    "{\"_url\":\"/three\",\"_item\":1,\"_change\":\"new\","
	    "\"from\":\"From here\",\"name\":\"Three\"}\n");
	claim_rows(&scene, "part",
	    "{\"_url\":\"/four\",\"_item\":1,\"_change\":\"new\","
	    "\"from\":\"From here\",\"name\":\"Three\","
	    "\"part\":\"Four\"}\n");
	crawl_scene_close(&scene);
}

/* JSON */

static const struct server_route api_routes[] = {
    {.path = "/api?page=1",
	.answer = {.type = "application/json",
	    .body = "{\"items\": [{\"id\": 12345678901234567890, \"name\": "
		    "\"a\"}, {\"id\": 2, \"name\": null}], \"next\": "
		    "\"/api?page=2\", \"other\": \"/api?page=9\", "
		    "\"first\": \"/item\"}"}},
    {.path = "/api?page=2",
	.answer = {.type = "application/json; charset=utf-8",
	    .body = "{\"items\": [{\"id\": 3, \"name\": \"b\"}], "
		    "\"next\": null}"}},
    {.path = "/item", .answer = {.body = "<h1>Item</h1>"}},
};

static const char api_policy[] =
    HEAD "seeds: [{url: \"http://127.0.0.1:PORT/api?page=1\", as: list}]\n"
	 "pages:\n"
	 "  list:\n"
	 "    each: {json: /items/*}\n"
	 "    fields:\n"
	 "      id: {json: /id}\n"
	 "      name: {json: /name, required: true}\n"
	 "    follow: [{json: /next, as: list}, {json: /first, as: item}]\n"
	 "  item: {fields: {title: h1}}\n";

static void test_json(void)
{
	struct crawl_scene scene;
	if (!OPEN(&scene, api_routes, api_policy))
		return;
	crawl_scene_ends(&scene, 0, "answers of JSON lead on");
	claim_rows(&scene, "list",
	    "{\"_url\":\"/api?page=1\",\"_item\":1,\"_change\":\"new\","
	    "\"id\":12345678901234567890,\"name\":\"a\"}\n"
	    "{\"_url\":\"/api?page=2\",\"_item\":1,\"_change\":\"new\","
	    "\"id\":3,\"name\":\"b\"}\n");
	claim_rows(&scene, "item",
	    "{\"_url\":\"/item\",\"_item\":1,\"_change\":\"new\","
	    "\"title\":\"Item\"}\n");
	ok(server_log_count(scene.server) == 4,
	    "and nothing else is asked for (%zu)",
	    server_log_count(scene.server));
	crawl_scene_close(&scene);
}

/* What else holds */

static const struct server_route held_routes[] = {
    {.path = "/robots.txt",
	.answer = {.type = "text/plain",
	    .body = "User-agent: *\nDisallow: /private\n"}},
    {.path = "/",
	.answer = {.body = "<p><a href=/item>1</a><a href=/end>7</a>"
			   "<a href=/private>2</a>"
			   "<a rel=nofollow href=/no>3</a>"
			   "<a rel=sponsored href=/paid>9</a>"
			   "<a href=http://else.example/>4</a></p>"
			   "<a href=/beside>5</a>"}},
    {.path = "/item", .answer = {.body = "<h1>Item</h1><a href=/free>6</a>"}},
    {.path = "/free", .answer = {.body = "of no kind"}},
    {.path = "/end", .answer = {.body = "<h1>End</h1><a href=/on>8</a>"}},
};

static const char held_policy[] = HEAD "seeds: [\"http://127.0.0.1:PORT/\"]\n"
				       "pages:\n"
				       "  list:\n"
				       "    match: {path: /}\n"
				       "    follow: [{css: p a, as: item}]\n"
				       "  end:\n"
				       "    match: {path: /end}\n"
				       "    follow: []\n"
				       "  item: {fields: {title: h1}}\n";

static void test_what_holds(void)
{
	static const struct address_end ends[] = {
	    {"http://127.0.0.1:PORT/item", "\"status\":200"},
	    {"http://127.0.0.1:PORT/private", "\"reason\":\"robots\""},
	    {"http://127.0.0.1:PORT/no", "\"reason\":\"nofollow\""},
	    {"http://127.0.0.1:PORT/paid", "\"reason\":\"nofollow\""},
	    {"http://else.example/", "\"outcome\":\"refused\""},
	    {"http://127.0.0.1:PORT/beside",
		"\"reason\":\"follow\",\"line\":6"},
	    {"http://127.0.0.1:PORT/free", "\"status\":200"},
	    {"http://127.0.0.1:PORT/on", "\"reason\":\"follow\""},
	};
	struct crawl_scene scene;
	if (!OPEN(&scene, held_routes, held_policy))
		return;
	crawl_scene_ends(&scene, 0, "what holds for links holds for these");
	JUDGE_ENDS(&scene, ends);
	claim_rows(&scene, "item",
	    "{\"_url\":\"/item\",\"_item\":1,\"_change\":\"new\","
	    "\"title\":\"Item\"}\n");
	crawl_scene_close(&scene);
}

/* Another policy */

static const struct server_route other_routes[] = {
    {.path = "/",
	.answer =
	    {.body =
		    "<h1>List</h1><nav><a href=/nav>n</a></nav><a class=on href=/1>1</a><a class=on href=/2>2</a>"
		    "<a class=on href=/3>3</a>"}},
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/*", .answer = {.body = "<h1>An item</h1>"}},
};

#define OTHER_BEGIN                                  \
	HEAD "seeds: [\"http://127.0.0.1:PORT/\"]\n" \
	     "pages:\n"
#define OTHER_KINDS                                            \
	"  list:\n"                                            \
	"    match: {path: /}\n"                               \
	"    fields: {from: h1}\n"                             \
	"    follow: [{css: a.on, as: item, carry: [from]}]\n" \
	"  item: {fields: {name: h1}}\n"

static const char first_policy[] =
    OTHER_BEGIN OTHER_KINDS "limits: {pages: 2}\n";

/* What was the second is the third. */
static const char other_policy[] =
    OTHER_BEGIN "  new: {match: {path: /2}, fields: {head: h1}}\n" OTHER_KINDS;

#define ITEM(number)                                                 \
	"{\"_url\":\"/" number "\",\"_item\":1,\"_change\":\"new\"," \
	"\"from\":\"List\",\"name\":\"An item\"}\n"

static void test_other_kinds(void)
{
	struct crawl_scene scene;
	if (!OPEN(&scene, other_routes, first_policy))
		return;
	crawl_scene_ends(&scene, 4, "a crawl is stopped by a limit");
	claim_rows(&scene, "item", ITEM("1"));
	crawl_scene_policy(&scene, other_policy);
	crawl_scene_ends(&scene, 0, "it goes on with one kind more");
	claim_rows(&scene, "item", ITEM("1") ITEM("3"));
	claim_rows(&scene, "new",
	    "{\"_url\":\"/2\",\"_item\":1,\"_change\":\"new\","
	    "\"head\":\"An item\"}\n");
	ok(asked(&scene, "/1") == 1 && asked(&scene, "/nav") == 0,
	    "nothing is asked for again, nor what no kind follows");
	crawl_scene_close(&scene);
}

/* Kinds without rows */

static const char missing_policy[] =
    HEAD "seeds: [\"http://127.0.0.1:PORT/\"]\n"
	 "pages:\n"
	 "  list:\n"
	 "    match: {path: /}\n"
	 "    fields: {from: h1}\n"
	 "    follow: [{css: a.none, as: item}]\n"
	 "  item: {fields: {name: h1}}\n"
	 "  other: {match: {path: /other}, fields: {name: h1}}\n"
	 "  way: {match: {path: /way}, follow: []}\n";

static void claim_said(
    const struct pv_buf *said, const char *text, bool is_said)
{
	if (!ok((strstr(pv_buf_text(said), text) != NULL) == is_said, "%s%s",
		is_said ? "" : "not: ", text))
		printf("# %s\n", pv_buf_text(said));
}

static void test_missing_kinds(void)
{
	static const char *const ways[][5] = {
	    {"crawl", "policy.yaml", "-o", "o", NULL},
	    {"status", "o", NULL},
	    {"status", "o", "--json", NULL},
	};
	struct crawl_scene scene;
	struct program_end end;
	struct pv_buf said;
	if (!OPEN(&scene, other_routes, missing_policy))
		return;
	pv_buf_init(&said, 1 << 20);
	for (size_t i = 0; i < 3; i++) {
		pv_buf_clear(&said);
		program_run(&scene.home, ways[i], &said, &end);
		ok(end.status == 0, "%s ends", ways[i][0]);
		if (i == 2) {
			claim_said(&said,
			    "{\"kind\":\"item\",\"pages\":0,\"rows\":0}", true);
			continue;
		}
		claim_said(&said, "list: 1 row of 1 page\n", true);
		claim_said(&said,
		    " item: no row: no link or seed led to a page of this kind, "
		    "or none has a row\n",
		    true);
		claim_said(&said,
		    " other: no row: its `match` fitted no page, or none has "
		    "a row\n",
		    true);
		claim_said(&said, " way: ", false);
	}
	pv_buf_finish(&said);
	crawl_scene_close(&scene);
}

int main(void)
{
	test_earlier_kind();
	test_redirects();
	test_json();
	test_what_holds();
	test_other_kinds();
	test_missing_kinds();
	return tap_done();
}
