#include <jansson.h>
#include <math.h>

#include "crawl/patience.h"
#include "crawl/scene.h"
#include "store/tables/length.h"
#include "together.h"

/* Whole crawls, and what `pavane audit` says of them: its figures against the
 * server's own log, and what somebody has changed afterwards. */

/* How far apart two clocks may tell of the same: we note that bytes went out a
 * moment after they did. */
#define FAR_MS (60 * patience())

/* "busy" has too much to do for a while; "moved" keeps its robots.txt
 * elsewhere, and redirects; "broken" fails once; "two" is slow, and may be
 * asked for two things at once. */
static const char *const hosts[] = {
    "busy.test", "moved.test", "broken.test", "two.test"};

#define HOSTS (sizeof(hosts) / sizeof(*hosts))

static const char policy[] =
    "version: 1\n"
    "seeds:\n"
    "  - \"http://busy.test:PORT/\"\n"
    "  - \"http://moved.test:PORT/\"\n"
    "  - \"http://broken.test:PORT/\"\n"
    "  - \"http://two.test:PORT/\"\n"
    "rate: {max_rate: 30, interval: 1s, concurrency: 10}\n"
    "politeness: {delay: 80ms, delay_from: start, delay_factor: 0, "
    "ip_delay: 20ms, backoff: {failure: 300ms, overload: 300ms}}\n"
    "domains: {two.test: {connections: 2}}\n"
    "output: {}\n"
    "fetch:\n"
    "  retries: 3\n"
    "  resolve: {busy.test: \"127.70.0.1\", moved.test: \"127.70.0.2\", "
    "broken.test: \"127.70.0.3\", two.test: \"127.70.0.4\"}\n";

static const char page[] = "<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>"
			   "<a href=/private/d>d</a>";
static const char rules[] = "User-agent: *\nDisallow: /private\n";

struct told {
	int status;
	const char *body;
	const char *headers;
	const char *location;
};

static struct told busy(struct pv_str path, uint32_t nth)
{
	if (pv_str_equal(path, PV_STR("/robots.txt")))
		return (struct told){200, rules, NULL, NULL};
	if (pv_str_equal(path, PV_STR("/a")) && nth == 1)
		return (struct told){429, "later", "Retry-After: 1\r\n", NULL};
	if (pv_str_equal(path, PV_STR("/b")) && nth == 1)
		return (struct told){503, "much later", NULL, NULL};
	return (struct told){200, page, NULL, NULL};
}

static struct told moved(struct pv_str path)
{
	if (pv_str_equal(path, PV_STR("/robots.txt")))
		return (struct told){
		    301, "", NULL, "http://busy.test:{port}/rules-of-moved"};
	if (pv_str_equal(path, PV_STR("/a")))
		return (struct told){302, "there", NULL, "/b"};
	return (struct told){200, page, NULL, NULL};
}

static struct told broken(struct pv_str path, uint32_t nth)
{
	if (pv_str_equal(path, PV_STR("/robots.txt")))
		return (struct told){404, "none", NULL, NULL};
	if (pv_str_equal(path, PV_STR("/c")) && nth == 1)
		return (struct told){500, "oh", NULL, NULL};
	return (struct told){200, page, NULL, NULL};
}

static struct told tell(struct pv_str host, struct pv_str path, uint32_t nth)
{
	if (pv_str_equal(path, PV_STR("/rules-of-moved")))
		return (struct told){200, rules, NULL, NULL};
	if (pv_str_equal(host, PV_STR("busy.test")))
		return busy(path, nth);
	if (pv_str_equal(host, PV_STR("moved.test")))
		return moved(path);
	if (pv_str_equal(host, PV_STR("broken.test")))
		return broken(path, nth);
	return (struct told){200, page, NULL, NULL};
}

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	struct told told = tell(request->host, request->path, request->nth);
	(void)ctx;
	answer->status = told.status;
	answer->body = told.body;
	answer->headers = told.headers;
	answer->location = told.location;
	if (pv_str_equal(request->host, PV_STR("two.test")))
		answer->head_pace.delay_ms = 300;
	return true;
}

/* What the server's log says of a host */

struct seen {
	int64_t requests;
	int64_t bytes;
	int64_t too_many;
	int64_t unavailable;
	int64_t at_once;
	int64_t robots;
	double least_gap_ms;
	double median_gap_ms;
	double least_reaction_ms; /* negative: none */
};

static int compare_numbers(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;
	return (one > other) - (one < other);
}

static double median_of(double *numbers, size_t count)
{
	qsort(numbers, count, sizeof(*numbers), compare_numbers);
	return count ? numbers[(count - 1) / 2] : -1;
}

/* Those of one host are in the order in which they began. */
static void add_gaps(const struct log_view *view, struct seen *seen)
{
	double gaps[256];
	size_t count = 0;
	int64_t overload_us = -1;
	seen->least_gap_ms = seen->least_reaction_ms = -1;
	for (size_t i = 0; i < view->count; i++) {
		const struct server_record *record = &view->records[i];
		if (i && count < 256)
			gaps[count++] =
			    (double)(record->begin_us - record[-1].begin_us) /
			    1000;
		double reaction_ms =
		    (double)(record->begin_us - overload_us) / 1000;
		if (overload_us >= 0 &&
		    (seen->least_reaction_ms < 0 ||
			reaction_ms < seen->least_reaction_ms))
			seen->least_reaction_ms = reaction_ms;
		overload_us = record->status == 429 || record->status == 503
				  ? record->end_us
				  : -1;
	}
	seen->median_gap_ms = median_of(gaps, count);
	seen->least_gap_ms = count ? gaps[0] : -1;
}

static struct seen see(struct crawl_scene *scene, const char *host)
{
	struct log_view view = log_view_of(scene->server);
	struct seen seen = {.requests = 0};
	log_view_keep(&view, host, NULL);
	for (size_t i = 0; i < view.count; i++) {
		const struct server_record *record = &view.records[i];
		struct told told =
		    tell(record->host, record->target, record->nth);
		seen.requests++;
		seen.bytes += (int64_t)strlen(told.body);
		seen.too_many += record->status == 429;
		seen.unavailable += record->status == 503;
		seen.robots +=
		    pv_str_equal(record->target, PV_STR("/robots.txt")) ||
		    pv_str_equal(record->target, PV_STR("/rules-of-moved"));
	}
	seen.at_once = (int64_t)log_most_at_once(&view, LOG_BY_HOST);
	add_gaps(&view, &seen);
	log_view_finish(&view);
	return seen;
}

/* What the audit says */

static json_t *audit(struct crawl_scene *scene, int *status)
{
	static const char *const arguments[] = {"audit", "o", "--json", NULL};
	struct program_end end;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_run(&scene->home, arguments, &said, &end);
	json_t *value = json_loadb(pv_buf_text(&said), said.len, 0, NULL);
	if (!value)
		printf("# %s\n", pv_buf_text(&said));
	*status = end.is_killed ? -1 : end.status;
	pv_buf_finish(&said);
	return value;
}

static const json_t *figures_of(const json_t *told, const char *host)
{
	size_t i;
	json_t *figures;
	json_array_foreach(json_object_get(told, "hosts"), i, figures)
	{
		if (strcmp(json_string_value(json_object_get(figures, "host")),
			host) == 0)
			return figures;
	}
	return NULL;
}

static void is_number(
    const json_t *figures, const char *host, const char *name, int64_t seen)
{
	int64_t found = json_integer_value(json_object_get(figures, name));
	ok(found == seen, "%s: %s are those that the server saw (%lld, %lld)",
	    host, name, (long long)found, (long long)seen);
}

static void is_near(const json_t *figures, const char *host, const char *name,
    double seen_ms, double parts)
{
	const json_t *value = json_object_get(figures, name);
	double found_ms = value ? json_number_value(value) : -1;
	bool is_near =
	    seen_ms < 0 ? !value
			: fabs(found_ms - seen_ms) < FAR_MS + seen_ms * parts;
	ok(is_near, "%s: %s is what the server saw (%.1f, %.1f)", host, name,
	    found_ms, seen_ms);
}

static void compare(
    struct crawl_scene *scene, const json_t *told, const char *host)
{
	const json_t *figures = figures_of(told, host);
	struct seen seen = see(scene, host);
	is_number(figures, host, "requests", seen.requests);
	is_number(figures, host, "bytes", seen.bytes);
	is_number(figures, host, "answers_429", seen.too_many);
	is_number(figures, host, "answers_503", seen.unavailable);
	is_number(figures, host, "most_at_once", seen.at_once);
	is_number(figures, host, "robots_requests", seen.robots);
	is_near(figures, host, "least_gap_ms", seen.least_gap_ms, 0);
	is_near(figures, host, "median_gap_ms", seen.median_gap_ms, 0.04);
	is_near(figures, host, "least_reaction_ms", seen.least_reaction_ms, 0);
}

static void show(const json_t *told)
{
	size_t i;
	json_t *violation;
	json_array_foreach(json_object_get(told, "violations"), i,
	    violation) printf("# %s line %lld: %s\n",
	    json_string_value(json_object_get(violation, "rule")),
	    (long long)json_integer_value(json_object_get(violation, "line")),
	    json_string_value(json_object_get(violation, "sentence")));
}

static bool is_kept(struct crawl_scene *scene, const char *claim)
{
	int status;
	json_t *told = audit(scene, &status);
	bool is_kept =
	    status == 0 && json_is_true(json_object_get(told, "kept")) &&
	    json_integer_value(json_object_get(told, "undated")) == 0;
	ok(is_kept, "P1, P2: %s: an audit finds every promise kept", claim);
	if (!is_kept)
		show(told);
	json_decref(told);
	return is_kept;
}

static void test_figures(struct crawl_scene *scene)
{
	int status;
	json_t *told = audit(scene, &status);
	for (size_t i = 0; i < HOSTS; i++)
		compare(scene, told, hosts[i]);
	const json_t *two = figures_of(told, "two.test");
	ok(json_integer_value(json_object_get(two, "most_at_once")) == 2,
	    "a host with two connections was asked for two things at once");
	json_decref(told);
}

/* What somebody has changed */

static json_t *load(struct crawl_scene *scene)
{
	struct pv_buf text;
	json_t *lines = json_array();
	pv_buf_init(&text, SIZE_MAX);
	home_read(&scene->home, "o/journal.jsonl", &text);
	for (char *line = text.ptr; line && *line;) {
		char *end = strchr(line, '\n');
		json_array_append_new(
		    lines, json_loadb(line, (size_t)(end - line), 0, NULL));
		line = end + 1;
	}
	pv_buf_finish(&text);
	return lines;
}

static void change_state(
    struct crawl_scene *scene, const char *sql, uint64_t length)
{
	struct pv_database *database =
	    pv_database_open(home_file(&scene->home, "o/state.db"));
	pv_length_set(database, PV_STR("journal.jsonl"), length);
	if (sql)
		pv_database_run(database, sql);
	ok(pv_database_status(database) == PV_STORE_OK,
	    "the state can be changed (%s)", pv_database_fault(database));
	pv_database_close(database);
}

static void save(
    struct crawl_scene *scene, const json_t *lines, const char *sql)
{
	struct pv_buf text;
	size_t i;
	json_t *line;
	pv_buf_init(&text, SIZE_MAX);
	json_array_foreach(lines, i, line)
	{
		char *dumped = json_dumps(line, JSON_COMPACT);
		pv_buf_append_format(&text, "%s\n", dumped);
		free(dumped);
	}
	home_write(&scene->home, "o/journal.jsonl", pv_buf_str(&text));
	change_state(scene, sql, text.len);
	pv_buf_finish(&text);
}

/* The place of the nth line of a host, from 0, that is no refusal. */
static size_t find(const json_t *lines, const char *host, unsigned nth)
{
	size_t i;
	json_t *line;
	json_array_foreach(lines, i, line)
	{
		if (json_object_get(line, "run") &&
		    strcmp(json_string_value(json_object_get(line, "host")),
			host) == 0 &&
		    nth-- == 0)
			return i;
	}
	return 0;
}

static int64_t number(const json_t *line, const char *name)
{
	return json_integer_value(json_object_get(line, name));
}

static void set(json_t *line, const char *name, int64_t value)
{
	json_object_set_new(line, name, json_integer(value));
}

/* Each changes something, and returns the line where that is to be found; 0 for
 * none. */
typedef size_t (*plant_fn)(json_t *lines);

/* The host's request of that number went out at that time. */
static void move(json_t *lines, const char *host, unsigned nth, int64_t at)
{
	const json_t *before =
	    json_array_get(lines, find(lines, host, nth - 1));
	json_t *line = json_array_get(lines, find(lines, host, nth));
	set(line, "released_ms", at);
	set(line, "sent_ms", at);
	set(line, "gap_ms", at - number(before, "sent_ms"));
}

static size_t move_close(json_t *lines)
{
	const json_t *before =
	    json_array_get(lines, find(lines, "broken.test", 1));
	move(lines, "broken.test", 2, number(before, "sent_ms") + 10);
	return find(lines, "broken.test", 2) + 1;
}

static size_t drop_robots(json_t *lines)
{
	json_array_remove(lines, find(lines, "broken.test", 0));
	return find(lines, "broken.test", 0) + 1;
}

static size_t ask_for_more(json_t *lines)
{
	size_t i;
	json_t *line;
	json_array_foreach(lines, i, line)
	{
		if (number(line, "status") == 429)
			set(line, "retry_after_ms", 3600000);
	}
	return 0;
}

static size_t ask_forbidden(json_t *lines)
{
	size_t place = find(lines, "busy.test", 3);
	json_t *line = json_array_get(lines, place);
	char url[256];
	const char *before = json_string_value(json_object_get(line, "url"));
	snprintf(url, sizeof(url), "%.*s/private/x",
	    (int)(strchr(before + 7, '/') - before), before);
	json_object_set_new(line, "url", json_string(url));
	return place + 1;
}

static size_t never_end(json_t *lines)
{
	json_t *line = json_array_get(lines, find(lines, "moved.test", 1));
	set(line, "end_ms", number(line, "end_ms") + 1000);
	return 0;
}

static size_t overload(json_t *lines)
{
	json_t *line = json_array_get(lines, find(lines, "moved.test", 1));
	set(line, "status", 503);
	move(lines, "moved.test", 2, number(line, "end_ms") + 100);
	return 0;
}

static size_t all_at_once(json_t *lines)
{
	size_t i;
	json_t *line;
	json_array_foreach(lines, i, line)
	{
		if (number(line, "run"))
			set(line, "released_ms", 0);
	}
	for (i = 0; i < 30; i++)
		json_array_append_new(
		    lines, json_deep_copy(json_array_get(lines, 0)));
	return 0;
}

static size_t stretch_gap(json_t *lines)
{
	size_t place = find(lines, "two.test", 2);
	set(json_array_get(lines, place), "gap_ms", 5000);
	return place + 1;
}

static size_t nothing(json_t *lines)
{
	(void)lines;
	return 0;
}

static const struct plant {
	const char *what;
	plant_fn plant;
	const char *sql; /* done to the state */
	const char *rule;
	const char *promise;
	const char *host; /* NULL: it does not matter */
} plants[] = {
    {"two requests 10 ms apart", move_close, NULL, "delay", "P1",
	"broken.test"},
    {"a page before its robots.txt", drop_robots, NULL, "robots-first", "P1",
	"broken.test"},
    {"a Retry-After that was not waited for", ask_for_more, NULL, "retry-after",
	"P2", "busy.test"},
    {"a page that robots.txt forbids", ask_forbidden, NULL, "robots", "P1",
	"busy.test"},
    {"two requests at once", never_end, NULL, "connections", "P1",
	"moved.test"},
    {"a 503 that was not heeded", overload, NULL, "overload", "P2",
	"moved.test"},
    {"more requests than the crawl may make", all_at_once, NULL, "rate", "P1",
	NULL},
    {"a gap that is told longer than it was", stretch_gap, NULL, "journal",
	"P3", "two.test"},
    {"a ledger with a byte more", nothing,
	"UPDATE ledger SET bytes = bytes + 1", "ledger", "P3", "busy.test"},
    {"a ledger with a quicker gap", nothing,
	"UPDATE ledger SET least_gap_ms = 7", "ledger", "P3", "two.test"},
    {"a ledger of a host that is in no journal", nothing,
	"INSERT INTO ledger SELECT 999, requests, bytes, too_many, "
	"unavailable, most_at_once, least_gap_ms, least_reaction_ms, "
	"robots_count, robots_wall_ms, gaps, rules FROM ledger LIMIT 1",
	"ledger", "P3", NULL},
};

static bool is_text_of(
    const json_t *violation, const char *name, const char *wanted)
{
	const char *text = json_string_value(json_object_get(violation, name));
	return !wanted || (text && strcmp(text, wanted) == 0);
}

static bool has_violation(
    const json_t *told, const struct plant *plant, size_t line)
{
	size_t i;
	json_t *violation;
	json_array_foreach(json_object_get(told, "violations"), i, violation)
	{
		if (is_text_of(violation, "rule", plant->rule) &&
		    is_text_of(violation, "promise", plant->promise) &&
		    is_text_of(violation, "host", plant->host) &&
		    (!line || number(violation, "line") == (int64_t)line))
			return true;
	}
	return false;
}

static void try_plant(
    struct crawl_scene *scene, const json_t *whole, const struct plant *plant)
{
	int status;
	json_t *lines = json_deep_copy(whole);
	size_t line = plant->plant(lines);
	save(scene, lines, plant->sql);
	json_t *told = audit(scene, &status);
	bool is_found = status == 1 && has_violation(told, plant, line);
	ok(is_found, "%s: found, named %s, and in its line", plant->what,
	    plant->rule);
	if (!is_found)
		show(told);
	json_decref(told);
	json_decref(lines);
}

static void test_plants(struct crawl_scene *scene)
{
	json_t *whole = load(scene);
	struct pv_buf state;
	pv_buf_init(&state, SIZE_MAX);
	home_read(&scene->home, "o/state.db", &state);
	for (size_t i = 0; i < sizeof(plants) / sizeof(*plants); i++) {
		try_plant(scene, whole, &plants[i]);
		home_write(&scene->home, "o/state.db", pv_buf_str(&state));
	}
	save(scene, whole, NULL);
	is_kept(scene, "with all put back as it was");
	json_decref(whole);
	pv_buf_finish(&state);
}

/* Runs */

static void kill_it(struct crawl_scene *scene, size_t requests)
{
	crawl_scene_start(scene);
	server_wait(
	    scene->server, server_log_count(scene->server) + requests, HANG_MS);
	program_signal(scene->program, SIGKILL);
	crawl_scene_wait(scene, HANG_MS);
}

static bool open_scene(struct crawl_scene *scene)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	static const struct server_plan plan = {
	    .addresses = everywhere, .answer = answer};
	if (!ok(crawl_scene_open(scene, &plan), "the hosts are there"))
		return false;
	crawl_scene_policy(scene, policy);
	return true;
}

static void test_crawl(void)
{
	struct crawl_scene scene;
	if (!open_scene(&scene))
		return;
	crawl_scene_ends(&scene, 0, "a crawl of four hosts finishes");
	is_kept(&scene, "after a crawl");
	test_figures(&scene);
	test_plants(&scene);
	crawl_scene_close(&scene);
}

/* Requests that were never committed are in neither. */
static void test_kills(void)
{
	struct crawl_scene scene;
	if (!open_scene(&scene))
		return;
	kill_it(&scene, 7);
	is_kept(&scene, "after a kill");
	kill_it(&scene, 6);
	is_kept(&scene, "after another");
	crawl_scene_ends(&scene, 0, "a crawl that was killed finishes");
	is_kept(&scene, "in the end");
	crawl_scene_close(&scene);
}

/* A policy that is stricter in a later run says nothing of those before. */
static void test_policies(void)
{
	struct crawl_scene scene;
	if (!open_scene(&scene))
		return;
	static const char *const slower[] = {
	    "continue", "o", "-q", "--set", "politeness.delay=250ms", NULL};
	crawl_scene_start(&scene);
	server_wait(scene.server, 9, HANG_MS);
	program_signal(scene.program, SIGSTOP);
	is_kept(&scene, "while it runs");
	program_signal(scene.program, SIGCONT);
	program_signal(scene.program, SIGINT);
	ok(crawl_scene_wait(&scene, HANG_MS) == 3, "a crawl is stopped");
	program_destroy(scene.program);
	scene.program = program_start(&scene.home, slower);
	ok(crawl_scene_wait(&scene, HANG_MS) == 0,
	    "and gone on with by another policy");
	is_kept(&scene, "each run by its own policy");
	crawl_scene_close(&scene);
}

static void test_words(void)
{
	static const struct {
		const char *arguments[5];
		int status;
		const char *text;
	} cases[] = {
	    {{"audit", NULL}, 2, "needs a crawl's directory"},
	    {{"audit", "a", "b", NULL}, 2, "needs a crawl's directory"},
	    {{"audit", "nowhere", NULL}, 1, "is not a crawl's directory"},
	    {{"audit", "o", NULL}, 0, "Every promise was kept."},
	    {{"audit", "o", "--host", "two.test", NULL}, 0,
		"at the same time, at most    2"},
	    {{"audit", "o", "--host", "other.test", NULL}, 1,
		"made no request to that host"},
	};
	struct crawl_scene scene;
	if (!open_scene(&scene))
		return;
	crawl_scene_ends(&scene, 0, "a crawl finishes");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct program_end end;
		struct pv_buf said;
		pv_buf_init(&said, 1 << 20);
		program_run(&scene.home, cases[i].arguments, &said, &end);
		ok(end.status == cases[i].status &&
			strstr(pv_buf_text(&said), cases[i].text),
		    "it ends with %d, and says: %s", cases[i].status,
		    cases[i].text);
		pv_buf_finish(&said);
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_crawl());
	together(&all, test_kills());
	together(&all, test_policies());
	together(&all, test_words());
	together_end(&all);
	return tap_done();
}
