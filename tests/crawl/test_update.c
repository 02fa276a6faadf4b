#include <stdatomic.h>

#include <jansson.h>

#include "crawl/scene.h"
#include "store/database.h"

/* A finished crawl is asked for once more (P3): only for what is new, at the
 * same pace (P1), and what is told of it is true. */

#define DELAY_MS 20
#define LARGE 200000
#define DAYS 3

static const char *const update[] = {"update", "o", "-q", NULL};

static int run(struct crawl_scene *scene, const char *const *arguments)
{
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	return crawl_scene_wait(scene, HANG_MS);
}

static bool says(struct crawl_scene *scene, const char *text)
{
	return program_says(scene->program, text, 0);
}

/* A site that is another each day */

struct version {
	int status; /* 0: as the day before */
	const char *body;
	const char *tag;
	const char *date;
	const char *location;
	const char *coding; /* that is named, and not applied */
	bool is_large;
	bool is_cut; /* within its body */
};

struct page {
	const char *path;
	struct version days[DAYS];

	/* what is told of it on the second day, and the third; NULL for
	 * nothing */
	const char *told[DAYS];
	const char *by[DAYS];
};

#define SUNDAY "Sun, 06 Nov 1994 08:49:37 GMT"
#define MONDAY "Mon, 07 Nov 1994 08:49:37 GMT"
#define LINKS                                                                \
	"<a href=/large>a</a><a href=/weak>b</a><a href=/by-date>c</a>"      \
	"<a href=/plain>d</a><a href=/changed>e</a><a href=/dated>f</a>"     \
	"<a href=/gone>g</a><a href=/for-good>h</a><a href=/moved>i</a>"     \
	"<a href=/cut>j</a><a href=/broken>k</a><a href=/empty>l</a>"        \
	"<a href=/missing>m</a><a href=/never>n</a><a href=/elsewhere>o</a>" \
	"<a href=/odd>p</a><a href=/unknown>q</a><a href=/garbled>r</a>"     \
	"<a href=/misnamed>s</a>"

static const struct page pages[] = {
    {"/", {{.status = 200, .body = LINKS, .tag = "\"r\""}}, {0, "same", "same"},
	{0, "304", "304"}},
    {"/large", {{.status = 200, .is_large = true, .tag = "\"1\""}},
	{0, "same", "same"}, {0, "304", "304"}},
    {"/weak", {{.status = 200, .body = "weak", .tag = "W/\"1\""}},
	{0, "same", "same"}, {0, "304", "304"}},
    {"/by-date", {{.status = 200, .body = "dated", .date = SUNDAY}},
	{0, "same", "same"}, {0, "304", "304"}},
    {"/plain", {{.status = 200, .body = "plain"}}, {0, "same", "same"},
	{0, "digest", "digest"}},
    {"/odd",
	{{.status = 200, .body = "odd", .tag = "no tag", .date = "yesterday"}},
	{0, "same", "same"}, {0, "digest", "digest"}},
    {"/changed",
	{{.status = 200, .body = "one", .tag = "\"1\""},
	    {.status = 200, .body = "<a href=/new>two</a>", .tag = "\"2\""}},
	{0, "changed", "same"}, {0, "digest", "304"}},
    {"/dated",
	{{.status = 200, .body = "one", .date = SUNDAY},
	    {.status = 200, .body = "two", .date = MONDAY}},
	{0, "changed", "same"}, {0, "digest", "304"}},
    {"/new", {{.status = 404}, {.status = 200, .body = "new", .tag = "\"1\""}},
	{0, "new", "same"}, {0, NULL, "304"}},
    {"/gone",
	{{.status = 200, .body = "one", .tag = "\"1\""},
	    {.status = 404, .body = "no"}, {.status = 200, .body = "one"}},
	{0, "gone", "new"}, {0, NULL, NULL}},
    {"/for-good",
	{{.status = 200, .body = "one"}, {.status = 410, .body = "no"}},
	{0, "gone", NULL}, {0}},
    {"/moved",
	{{.status = 200, .body = "here"},
	    {.status = 301, .body = "", .location = "/there"}},
	{0, "gone", NULL}, {0}},
    {"/there", {{.status = 404}, {.status = 200, .body = "there"}},
	{0, "new", "same"}, {0, NULL, "digest"}},
    {"/cut",
	{{.status = 200, .body = "all of it"},
	    {.status = 200, .body = "all of it", .is_cut = true},
	    {.status = 200, .body = "all of it"}},
	{0, NULL, "same"}, {0, NULL, "digest"}},
    {"/broken",
	{{.status = 200, .body = "well", .tag = "\"1\""},
	    {.status = 500, .body = "no"}, {.status = 200, .body = "better"}},
	{0, NULL, "changed"}, {0, NULL, "digest"}},
    {"/empty",
	{{.status = 200, .body = "something"}, {.status = 200, .body = ""}},
	{0, NULL, NULL}, {0}},
    {"/unknown",
	{{.status = 200, .body = "known"},
	    {.status = 200, .body = "coded", .coding = "x-unknown"}},
	{0, NULL, NULL}, {0}},
    {"/garbled",
	{{.status = 200, .body = "clear"},
	    {.status = 200, .body = "\x0b\x02\x80 coded", .coding = "br"}},
	{0, NULL, NULL}, {0}},
    {"/misnamed",
	{{.status = 200, .body = "clear"},
	    {.status = 200, .body = "clear as well", .coding = "gzip"}},
	{0, "changed", "same"}, {0, "digest", "digest"}},
    {"/missing",
	{{.status = 404, .body = "no"}, {.status = 200, .body = "found"}},
	{0, "new", "same"}, {0, NULL, "digest"}},
    {"/never", {{.status = 404, .body = "no"}}, {0, NULL, NULL}, {0}},
    {"/elsewhere",
	{{.status = 200, .body = "here"},
	    {.status = 302, .body = "", .location = "/"}},
	{0, NULL, NULL}, {0}},
};

#define PAGE_COUNT (sizeof(pages) / sizeof(*pages))

static atomic_int today;

static const struct version *version_of(const struct page *page, int day)
{
	while (day > 0 && !page->days[day].status)
		day--;
	return &page->days[day];
}

static bool is_known(
    const struct server_request *request, const struct version *version)
{
	struct pv_str tag = server_header(request->headers, "If-None-Match");
	struct pv_str date =
	    server_header(request->headers, "If-Modified-Since");
	if (tag.ptr)
		return version->tag &&
		       pv_str_equal(tag, pv_str_of(version->tag));
	return date.ptr && version->date &&
	       pv_str_equal(date, pv_str_of(version->date));
}

static void write_headers(const struct version *version, struct pv_buf *headers)
{
	if (version->tag)
		pv_buf_append_format(headers, "ETag: %s\r\n", version->tag);
	if (version->date)
		pv_buf_append_format(
		    headers, "Last-Modified: %s\r\n", version->date);
	if (version->coding)
		pv_buf_append_format(
		    headers, "Content-Encoding: %s\r\n", version->coding);
}

static void fill(const struct version *version, struct server_answer *answer)
{
	answer->status = version->status;
	answer->body = version->body;
	answer->location = version->location;
	if (version->is_large) {
		answer->type = "text/plain";
		answer->kind = SERVER_PATTERN;
		answer->size = LARGE;
	}
	if (version->is_cut)
		answer->fault =
		    (struct server_fault){SERVER_CLOSE, SERVER_IN_BODY, 3};
}

static bool answer_page(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	for (size_t i = 0; i < PAGE_COUNT; i++) {
		const struct version *version =
		    version_of(&pages[i], atomic_load(&today));
		if (!pv_str_equal(request->path, pv_str_of(pages[i].path)))
			continue;
		write_headers(version, answer->own_headers);
		if (is_known(request, version))
			answer->status = 304;
		else
			fill(version, answer);
		return true;
	}
	return false;
}

/* What is told */

static char report[1 << 20];

static void read_report(struct crawl_scene *scene)
{
	struct pv_buf text;
	pv_buf_init(&text, sizeof(report) - 1);
	home_read(&scene->home, "o/changes.jsonl", &text);
	memcpy(report, pv_buf_text(&text), text.len + 1);
	pv_buf_finish(&text);
}

static const char *text_of(const json_t *line, const char *key)
{
	const char *text = json_string_value(json_object_get(line, key));
	return text ? text : "";
}

struct told {
	size_t count; /* lines */
	size_t torn;
	char change[16];
	char by[16];
	bool has_digest;
	bool has_old;
	bool is_equal;
	int status;
};

/* What the report says of an address (NULL: of all) in a round (0: in all); of
 * several lines the last counts. */
static struct told find(int round, const char *path)
{
	struct told told = {.count = 0};
	const char *at = report;
	while (*at) {
		const char *end = strchr(at, '\n');
		json_t *line =
		    end ? json_loadb(at, (size_t)(end - at), 0, NULL) : NULL;
		const char *url = text_of(line, "url");
		const char *scheme = strstr(url, "://");
		const char *target = scheme ? strchr(scheme + 3, '/') : NULL;
		bool is_meant =
		    line && target && (!path || strcmp(target, path) == 0) &&
		    (!round || json_integer_value(
				   json_object_get(line, "round")) == round);
		told.torn += !line;
		told.count += is_meant;
		if (is_meant) {
			const char *digest = text_of(line, "digest");
			const char *was = text_of(line, "was");
			snprintf(told.change, sizeof(told.change), "%s",
			    text_of(line, "change"));
			snprintf(told.by, sizeof(told.by), "%s",
			    text_of(line, "by"));
			told.has_digest = *digest;
			told.has_old = *was;
			told.is_equal = strcmp(digest, was) == 0;
			told.status = (int)json_integer_value(
			    json_object_get(line, "status"));
		}
		json_decref(line);
		at = end ? end + 1 : at + strlen(at);
	}
	return told;
}

static bool is_word(const char *found, const char *wanted)
{
	return strcmp(found, wanted ? wanted : "") == 0;
}

static void judge_page(const struct page *page, int day)
{
	struct told told = find(day + 1, page->path);
	const char *change = page->told[day];
	bool is_same = change && strcmp(change, "same") == 0;
	bool is_right = told.count == (change != NULL) &&
			is_word(told.change, change) &&
			is_word(told.by, page->by[day]);
	if (change && told.by[0])
		is_right = is_right && told.has_digest && told.has_old &&
			   told.is_equal == is_same;
	if (!ok(is_right, "day %d: %s is told as %s", day + 1, page->path,
		change ? change : "nothing"))
		printf("# %zu: %s, %s\n", told.count, told.change, told.by);
}

static void judge_report(struct crawl_scene *scene, int day)
{
	size_t count = 0;
	read_report(scene);
	for (size_t i = 0; i < PAGE_COUNT; i++) {
		judge_page(&pages[i], day);
		count += pages[i].told[day] != NULL;
	}
	ok(find(day + 1, NULL).count == count && find(0, NULL).torn == 0,
	    "and nothing else is told (%zu)", find(day + 1, NULL).count);
}

/* What is kept */

static bool is_file_in(struct crawl_scene *scene, const char *tree,
    const char *name, const char *text)
{
	struct pv_buf path, found;
	pv_buf_init(&path, 1000);
	pv_buf_init(&found, 1 << 20);
	pv_buf_append_format(&path, "o/%s/127.0.0.1^%u/%s", tree,
	    (unsigned)server_port(scene->server), name);
	home_read(&scene->home, pv_buf_text(&path), &found);
	bool is_right = pv_str_equal(pv_buf_str(&found), pv_str_of(text));
	if (!is_right)
		printf("# %s: %s\n", pv_buf_text(&path), pv_buf_text(&found));
	pv_buf_finish(&path);
	pv_buf_finish(&found);
	return is_right;
}

static bool is_file(
    struct crawl_scene *scene, const char *name, const char *text)
{
	return is_file_in(scene, "site", name, text);
}

static void judge_files(struct crawl_scene *scene)
{
	static const struct {
		const char *tree;
		const char *name;
		const char *text;
		const char *claim;
	} files[] = {
	    {"site", "changed^.html", "<a href=/new>two</a>",
		"what has changed is there as it is now"},
	    {"site", "new^.html", "new", "what is new is there"},
	    {"gone", "gone^.html", "one", "what is gone is kept elsewhere"},
	    {"gone", "for-good^.html", "one", "for good or not"},
	    {"gone", "moved^.html", "here", "and what has moved"},
	    {"site", "there^.html", "there", "to where it is now"},
	    {"site", "cut^.html", "all of it",
		"half a page takes nothing's place"},
	    {"site", "broken^.html", "well", "nor does an error"},
	    {"site", "empty^.html", "something",
		"nor an answer with nothing in it"},
	    {"site", "unknown^.html", "known", "nor what cannot be read"},
	    {"site", "garbled^.html", "clear", "by any means"},
	    {"site", "misnamed^.html", "clear as well",
		"but what can be, though it is named otherwise"},
	    {"site", "elsewhere^.html", "here",
		"nor one that leads elsewhere for now"},
	};
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		ok(is_file_in(
		       scene, files[i].tree, files[i].name, files[i].text),
		    "%s", files[i].claim);
}

/* What the server saw */

static uint64_t sum_sent(const struct log_view *view, size_t from)
{
	uint64_t sum = 0;
	for (size_t i = from; i < view->count; i++)
		sum += view->records[i].sent;
	return sum;
}

/* How many requests since then carried that header, of that value (NULL: of
 * any), for a target. */
static size_t count_with(const struct log_view *view, size_t from,
    const char *target, const char *name, const char *value)
{
	size_t count = 0;
	for (size_t i = from; i < view->count; i++) {
		const struct server_record *record = &view->records[i];
		struct pv_str found = server_header(record->headers, name);
		if (!target || pv_str_equal(record->target, pv_str_of(target)))
			count += found.ptr && (!value || pv_str_equal(found,
							     pv_str_of(value)));
	}
	return count;
}

static void judge_requests(struct crawl_scene *scene, size_t before)
{
	struct log_view view = log_view_of(scene->server);
	uint64_t sent = sum_sent(&view, before);
	ok(count_with(&view, 0, NULL, "If-None-Match", NULL) ==
		    count_with(&view, before, NULL, "If-None-Match", NULL) &&
		count_with(&view, 0, NULL, "If-Modified-Since", NULL) ==
		    count_with(&view, before, NULL, "If-Modified-Since", NULL),
	    "a crawl asks for all of it");
	ok(count_with(&view, before, "/large", "If-None-Match", "\"1\"") == 1 &&
		count_with(
		    &view, before, "/weak", "If-None-Match", "W/\"1\"") == 1,
	    "an update gives entity-tags back as they came");
	ok(count_with(&view, before, "/by-date", "If-Modified-Since", SUNDAY) ==
		1,
	    "and dates");
	ok(count_with(&view, before, "/odd", "If-None-Match", NULL) == 0 &&
		count_with(&view, before, "/odd", "If-Modified-Since", NULL) ==
		    0 &&
		count_with(&view, before, "/plain", "If-None-Match", NULL) == 0,
	    "and nothing that is neither");
	ok(log_shortest_gap(&view, LOG_BY_HOST).us >= DELAY_MS * 1000,
	    "P1: at the pace of any crawl (%lld us)",
	    (long long)log_shortest_gap(&view, LOG_BY_HOST).us);
	ok(sent < LARGE / 10 && sum_sent(&view, 0) - sent > LARGE,
	    "of %llu bytes it takes %llu",
	    (unsigned long long)(sum_sent(&view, 0) - sent),
	    (unsigned long long)sent);
	log_view_finish(&view);
}

static const char site_policy[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "rate: {max_rate: 1000, interval: 100ms}\n"
    "politeness: {delay: 20ms, delay_from: start, ip_delay: 0, delay_factor: "
    "0, backoff: {failure: 10ms, overload: 10ms, factor: 1}}\n"
    "fetch: {retries: 0}\n"
    "output: {mirror: {rewrite: false}}\n";

static void test_second_day(struct crawl_scene *scene)
{
	size_t before = server_log_count(scene->server);
	atomic_store(&today, 1);
	ok(run(scene, update) == 0, "a finished crawl is updated");
	judge_report(scene, 1);
	judge_files(scene);
	judge_requests(scene, before);
	ok(crawl_scene_status(scene, "\"failed\":") >= 0 &&
		crawl_scene_status(scene, "\"changed\":") == 3 &&
		crawl_scene_status(scene, "\"gone\":") == 3 &&
		crawl_scene_status(scene, "\"same\":") == 6 &&
		crawl_scene_status(scene, "\"new\":") == 3 &&
		crawl_scene_status(scene, "\"not_reached\":") == 0,
	    "and it is counted");
}

static void test_young(struct crawl_scene *scene)
{
	static const char *const young[] = {
	    "update", "o", "--set", "recrawl.after=1d", NULL};
	size_t before = server_log_count(scene->server);
	ok(run(scene, young) == 0 && says(scene, "recrawl.after") &&
		server_log_count(scene->server) == before,
	    "nothing is asked that is not old enough");
	ok(crawl_scene_run(scene, HANG_MS) == 0 &&
		server_log_count(scene->server) == before,
	    "nor by a crawl that is complete");
}

static void test_third_day(struct crawl_scene *scene)
{
	struct log_view view;
	size_t before = server_log_count(scene->server);
	atomic_store(&today, 2);
	ok(run(scene, update) == 0, "a crawl may be updated time and again");
	judge_report(scene, 2);
	ok(is_file(scene, "broken^.html", "better"),
	    "what was broken, and is well again, has its place");
	view = log_view_of(scene->server);
	ok(count_with(&view, before, "/changed", "If-None-Match", "\"2\"") ==
		    1 &&
		count_with(&view, before, "/gone", "If-None-Match", NULL) == 0,
	    "what counts is what came last");
	log_view_finish(&view);
}

/* What is not there is not asked for as if it were, and what is empty now has
 * been lost with the power. */
static void test_lost_file(struct crawl_scene *scene, int round)
{
	struct log_view view;
	struct pv_buf path;
	size_t before = server_log_count(scene->server);
	pv_buf_init(&path, 1000);
	pv_buf_append_format(&path, "o/site/127.0.0.1^%u/weak^.html",
	    (unsigned)server_port(scene->server));
	if (round == 4)
		remove(home_file(&scene->home, pv_buf_text(&path)));
	else
		home_write(&scene->home, pv_buf_text(&path), PV_STR(""));
	ok(run(scene, update) == 0 && is_file(scene, "weak^.html", "weak"),
	    "P3: a file that %s is fetched again",
	    round == 4 ? "somebody has removed" : "is empty now");
	read_report(scene);
	struct told told = find(round, "/weak");
	view = log_view_of(scene->server);
	ok(told.count == 1 && is_word(told.change, "same") &&
		is_word(told.by, "digest") &&
		count_with(&view, before, "/weak", "If-None-Match", NULL) == 0,
	    "and nothing about it has changed");
	log_view_finish(&view);
	pv_buf_finish(&path);
}

static void test_site(void)
{
	struct server_plan plan = {.answer = answer_page};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a site is there"))
		return;
	crawl_scene_policy(&scene, site_policy);
	ok(crawl_scene_run(&scene, HANG_MS) == 0 &&
		!crawl_scene_has(&scene, "o/changes.jsonl"),
	    "a crawl has no report of changes");
	test_second_day(&scene);
	test_young(&scene);
	test_third_day(&scene);
	test_lost_file(&scene, 4);
	test_lost_file(&scene, 5);
	crawl_scene_close(&scene);
}

/* Updates that are cut short */

#define MANY 60

/* Every third page is another on the second day, and every tenth is gone. */
static bool answer_many(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	unsigned number = 0;
	int day = atomic_load(&today);
	char path[64];
	snprintf(path, sizeof(path), "%.*s", PV_STR_ARG(request->path));
	if (strcmp(path, "/") == 0) {
		answer->kind = SERVER_LINKS;
		answer->size = MANY;
		return true;
	}
	if (sscanf(path, "/%u", &number) != 1)
		return false;
	if (day && number % 10 == 9) {
		answer->status = 404;
		return true;
	}
	unsigned version = day && number % 3 == 0;
	pv_buf_append_format(answer->own_headers, "ETag: \"%u\"\r\n", version);
	struct pv_str tag = server_header(request->headers, "If-None-Match");
	if (tag.ptr && tag.len == 3 && tag.ptr[1] == '0' + (char)version)
		answer->status = 304;
	else
		pv_buf_append_format(
		    answer->own_body, "%u of %u", version, number);
	return true;
}

static void judge_many(int round)
{
	unsigned wrong = 0;
	for (unsigned i = 0; i < MANY; i++) {
		char path[16];
		snprintf(path, sizeof(path), "/%u", i);
		struct told told = find(round, path);
		const char *change = i % 10 == 9  ? "gone"
				     : i % 3 == 0 ? "changed"
						  : "same";
		wrong += told.count != 1 || !is_word(told.change, change);
	}
	ok(wrong == 0, "P3: each address is told once, as it is (%u are not)",
	    wrong);
	ok(find(round, NULL).count == MANY + 1 && find(0, NULL).torn == 0,
	    "and nothing else is (%zu)", find(round, NULL).count);
}

/* It waits for an hour once it has asked for some more, however late the signal
 * is. */
static void cut_short(struct crawl_scene *scene, int signal, size_t requests)
{
	static const char *const waiting[] = {"update", "o", "-q", "--set",
	    "rate={max_rate: 27, interval: 1h}", "--set", "limits.wait=none",
	    NULL};
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, waiting);
	server_wait(
	    scene->server, server_log_count(scene->server) + requests, HANG_MS);
	program_signal(scene->program, signal);
	int status = crawl_scene_wait(scene, HANG_MS);
	ok(status == (signal == SIGKILL ? -1 : 3), "an update is cut short");
	read_report(scene);
	struct told told = find(2, NULL);
	ok(told.count < MANY, "after %zu addresses", told.count);
}

static const char many_policy[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "rate: {max_rate: 1000, interval: 100ms}\n"
    "politeness: {delay: 20ms, delay_from: start, ip_delay: 0, delay_factor: "
    "0}\n"
    "output: {}\n";

#define FINISHED "FROM crawl WHERE name = 'finished-at' AND value > 0"

/* As if the end had come when the round was there, and no more. */
static void leave_finished(struct crawl_scene *scene)
{
	struct pv_database *database =
	    pv_database_open(home_file(&scene->home, "o/state.db"));
	pv_database_run(database, "INSERT OR REPLACE INTO crawl(name, value) "
				  "VALUES('finished-at', 4711)");
	ok(pv_database_number(database, "SELECT count(*) " FINISHED) == 1,
	    "a crawl is finished, and in an update");
	pv_database_close(database);
}

static void is_unfinished(struct crawl_scene *scene)
{
	struct pv_database *database =
	    pv_database_look(home_file(&scene->home, "o/state.db"));
	ok(pv_database_number(database, "SELECT count(*) " FINISHED) == 0 &&
		pv_database_status(database) == PV_STORE_OK,
	    "P4: an update that goes on is not finished");
	pv_database_close(database);
}

static void test_cut_short(void)
{
	/* How many are left depends on how much the kill cost. */
	static const char *const go_on[] = {
	    "continue", "o", "-q", "--set", "rate.interval=100ms", NULL};
	struct server_plan plan = {.answer = answer_many};
	struct crawl_scene scene;
	atomic_store(&today, 0);
	if (!ok(crawl_scene_open(&scene, &plan), "another site is there"))
		return;
	crawl_scene_policy(&scene, many_policy);
	ok(crawl_scene_run(&scene, HANG_MS) == 0, "and crawled");
	atomic_store(&today, 1);
	cut_short(&scene, SIGINT, 15);
	ok(crawl_scene_status(&scene, "\"not_reached\":") > 0 &&
		crawl_scene_status(&scene, "\"gone\":") <= 2,
	    "P3: what was not reached is not gone");
	is_unfinished(&scene);
	leave_finished(&scene);
	cut_short(&scene, SIGKILL, 25);
	is_unfinished(&scene);
	int status = run(&scene, go_on);
	if (!ok(status == 0, "whichever command goes on with it (%d)", status))
		crawl_scene_show(&scene);
	read_report(&scene);
	judge_many(2);
	ok(crawl_scene_status(&scene, "\"round\":") == 2 &&
		crawl_scene_status(&scene, "\"not_reached\":") == 0 &&
		crawl_scene_status(&scene, "\"gone\":") == 6,
	    "it is one update, however many runs it takes");
	crawl_scene_close(&scene);
}

/* A page that robots.txt forbids for a day */

static bool answer_strict(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	bool is_strict = atomic_load(&today) == 1;
	if (pv_str_equal(request->path, PV_STR("/robots.txt"))) {
		answer->type = "text/plain";
		answer->body = is_strict ? "User-agent: *\nDisallow: /b\n" : "";
	} else if (pv_str_equal(request->path, PV_STR("/"))) {
		answer->body = "<a href=/a>a</a><a href=/b>b</a>";
	} else {
		answer->body = "a page";
	}
	return true;
}

/* As if it had been read long ago. */
static void forget_robots(struct crawl_scene *scene)
{
	struct pv_database *database =
	    pv_database_open(home_file(&scene->home, "o/state.db"));
	pv_database_run(database, "UPDATE authorities SET until_wall_ms = 1");
	pv_database_close(database);
}

static void test_forbidden(void)
{
	struct server_plan plan = {.answer = answer_strict};
	struct crawl_scene scene;
	struct log_view view;
	atomic_store(&today, 0);
	if (!ok(crawl_scene_open(&scene, &plan), "a site is there"))
		return;
	crawl_scene_policy(&scene, site_policy);
	ok(crawl_scene_run(&scene, HANG_MS) == 0, "and crawled");
	forget_robots(&scene);
	atomic_store(&today, 1);
	ok(run(&scene, update) == 0, "and updated");
	read_report(&scene);
	view = log_view_of(scene.server);
	ok(log_count(&view, NULL, "/b") == 1 && find(2, "/b").count == 0 &&
		find(2, "/a").count == 1 &&
		is_file(&scene, "b^.html", "a page"),
	    "what robots.txt forbids by now is not asked for, and kept");
	log_view_finish(&view);
	ok(crawl_scene_lines(&scene, "/b\"", "\"reason\":\"robots\"",
	       "\"final\":true", NULL) == 1,
	    "P4: with the reason");
	forget_robots(&scene);
	atomic_store(&today, 2);
	ok(run(&scene, update) == 0, "where it is allowed again");
	read_report(&scene);
	ok(find(3, "/b").count == 1 && is_word(find(3, "/b").change, "same"),
	    "it is asked for again");
	crawl_scene_close(&scene);
}

/* A crawl that was not finished */

static void test_unfinished(void)
{
	static const char *const loud[] = {"update", "o", "--set",
	    "rate={max_rate: 1000, interval: 100ms}", NULL};
	static const char *const waiting[] = {"crawl", "policy.yaml", "-o", "o",
	    "-q", "--set", "rate={max_rate: 27, interval: 1h}", "--set",
	    "limits.wait=none", NULL};
	struct server_plan plan = {.answer = answer_many};
	struct crawl_scene scene;
	atomic_store(&today, 0);
	if (!ok(crawl_scene_open(&scene, &plan), "a site is there"))
		return;
	crawl_scene_policy(&scene, many_policy);
	scene.program = program_start(&scene.home, waiting);
	server_wait(scene.server, 10, HANG_MS);
	program_signal(scene.program, SIGINT);
	ok(crawl_scene_wait(&scene, HANG_MS) == 3, "a crawl is stopped");
	ok(run(&scene, loud) == 0 && says(&scene, "not finished"),
	    "to update it is to go on with it, which is said");
	ok(server_log_count(scene.server) == MANY + 2 &&
		!crawl_scene_has(&scene, "o/changes.jsonl"),
	    "and to ask for nothing twice (%zu)",
	    server_log_count(scene.server));
	crawl_scene_close(&scene);
}

int main(void)
{
	test_site();
	test_cut_short();
	test_forbidden();
	test_unfinished();
	return tap_done();
}
