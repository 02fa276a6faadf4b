#include "crawl/visit/retry_budget.h"

#include "crawl/conductor.h"
#include "crawl/scene.h"
#include "crawl/visit/flight.h"

/* The budget of a host for tries that failed: what it gives and takes, and what
 * that comes to on the wire, over a kill too. */

struct lines {
	size_t count;
	char last[200];
};

static void on_line(void *ctx, enum pv_log_level level, struct pv_str line)
{
	struct lines *lines = ctx;
	(void)level;
	lines->count++;
	snprintf(lines->last, sizeof(lines->last), "%.*s", PV_STR_ARG(line));
}

/* A host with a budget, and a visit of it. */
struct house {
	struct lines lines;
	struct pv_crawl *crawl;
	struct pv_live_host host;
	struct pv_task *task;
	struct pv_authority authority;
	struct pv_flight open;
};

static void house_init(struct house *house, int64_t budget)
{
	*house = (struct house){.crawl = calloc(1, sizeof(struct pv_crawl))};
	house->crawl->log = (struct pv_log){
	    .level = PV_LOG_INFO, .write = on_line, .ctx = &house->lines};
	house->host.crawl = house->crawl;
	house->host.name = PV_STR("a.test");
	house->host.manners.manners.host_retries = budget;
	house->open.crawl = house->crawl;
	house->open.host = &house->host;
	house->task = calloc(1, sizeof(*house->task));
	house->open.task = house->task;
}

static void house_finish(struct house *house)
{
	free(house->crawl);
	free(house->task);
}

/* What becomes of a visit that ended so. */
static enum pv_report_kind charge(
    struct house *house, enum pv_report_kind kind, uint16_t http_status)
{
	house->open.kind = kind;
	house->open.is_out_of_tries = false;
	house->open.response = (struct pv_response){
	    .outcome = PV_OUTCOME_ANSWERED, .http_status = http_status};
	house->open.is_out_of_tries = !pv_retry_budget_charge(&house->open);
	return house->open.is_out_of_tries ? PV_REPORT_DONE : kind;
}

static enum pv_report_kind fail(struct house *house)
{
	return charge(house, PV_REPORT_AGAIN, 500);
}

static void test_budget(void)
{
	struct house house;
	house_init(&house, 2);
	ok(fail(&house) == PV_REPORT_AGAIN && fail(&house) == PV_REPORT_AGAIN,
	    "so many tries are given");
	ok(fail(&house) == PV_REPORT_DONE && house.open.is_out_of_tries &&
		house.lines.count == 1 &&
		strstr(house.lines.last, "a.test: ") &&
		strstr(house.lines.last, "fetch.host_retries"),
	    "the next is refused, and the log says why (P4)");
	pv_retry_budget_remark(&house.open.findings);
	ok(strstr(house.open.findings.why, "fetch.host_retries"),
	    "and the journal (P4)");
	ok(fail(&house) == PV_REPORT_DONE && house.lines.count == 1,
	    "the log says so once");
	for (int i = 0; i < 9; i++)
		charge(&house, PV_REPORT_DONE, 200);
	ok(fail(&house) == PV_REPORT_DONE, "nine good answers are too few");
	charge(&house, PV_REPORT_DONE, 404);
	ok(fail(&house) == PV_REPORT_AGAIN && fail(&house) == PV_REPORT_DONE,
	    "ten give a try back: one that says that nothing is there too");
	for (int i = 0; i < 1000; i++)
		charge(&house, PV_REPORT_DONE, 200);
	ok(fail(&house) == PV_REPORT_AGAIN && fail(&house) == PV_REPORT_AGAIN &&
		fail(&house) == PV_REPORT_DONE,
	    "P2: no credit is kept beyond the budget");
	for (int i = 0; i < 20; i++)
		charge(&house, PV_REPORT_DONE, 500);
	ok(fail(&house) == PV_REPORT_DONE,
	    "an answer that failed for good is none that gives back");
	house_finish(&house);
}

static void test_exceptions(void)
{
	struct house house;
	house_init(&house, 0);
	ok(fail(&house) == PV_REPORT_DONE, "a budget of nothing gives none");
	ok(charge(&house, PV_REPORT_LATER, 0) == PV_REPORT_LATER,
	    "what was our own fault costs nothing");
	ok(charge(&house, PV_REPORT_PUT_OFF, 503) == PV_REPORT_PUT_OFF,
	    "nor does what the host puts off");
	house.task->visit.waits = 1;
	ok(charge(&house, PV_REPORT_PUT_OFF, 503) == PV_REPORT_DONE,
	    "but for the second time it does");
	house.task->authority = &house.authority;
	ok(fail(&house) == PV_REPORT_AGAIN,
	    "a robots.txt has rules of its own");
	house.task->authority = NULL;
	house.host.manners.manners.host_retries = PV_NONE;
	bool is_given = true;
	for (int i = 0; i < 1000; i++)
		is_given = is_given && fail(&house) == PV_REPORT_AGAIN;
	ok(is_given, "without a limit there is none");
	house_finish(&house);
}

static void test_room(void)
{
	struct house house;
	house_init(&house, 0);
	fail(&house);
	char *why = house.open.findings.why;
	memset(why, 'x', sizeof(house.open.findings.why) - 1);
	pv_retry_budget_remark(&house.open.findings);
	ok(strstr(why, "x; not retried") && strstr(why, "is used up"),
	    "whatever else there is to say, there is room for it");
	house_finish(&house);
}

/* On the wire */

#define PAGES 20
#define BUDGET 4

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.host = "bad.test", .path = "/*", .answer = {.status = 500}},
    {.host = "well.test", .path = "/1", .nth = 1, .answer = {.status = 500}},
    {.host = "well.test", .path = "/1", .answer = {.body = "there"}},
};

#define POLICY                                                                     \
	"version: 1\n"                                                             \
	"seeds: [\"http://bad.test:PORT/{1..20}\", \"http://well.test:PORT/1\"]\n" \
	"politeness: {delay: 20ms, delay_from: start, delay_factor: 0, "           \
	"ip_delay: 0, backoff: {failure: 20ms, factor: 1}}\n"                      \
	"domains: {bad.test: {host_retries: 4}}\n"                                 \
	"fetch: {retries: 3, resolve: {bad.test: \"127.73.0.1\", "                 \
	"well.test: \"127.73.0.2\"}}\n"                                            \
	"output: {}\n"

/* No run gets further than that, however late it is killed. */
#define QUOTA POLICY "rate: {max_rate: 9, interval: 1h}\nlimits: {wait: none}\n"

static bool open_scene(struct crawl_scene *scene)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {
	    .addresses = everywhere, SERVER_ROUTES(routes)};
	if (!ok(crawl_scene_open(scene, &plan), "the hosts are there"))
		return false;
	crawl_scene_policy(scene, POLICY);
	return true;
}

static size_t count_pages(struct crawl_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = 0;
	log_view_keep(&view, "bad.test", NULL);
	for (size_t i = 0; i < view.count; i++)
		count += !pv_str_equal(
		    view.records[i].target, PV_STR("/robots.txt"));
	log_view_finish(&view);
	return count;
}

static void judge_ends(struct crawl_scene *scene)
{
	ok(crawl_scene_lines(scene, "bad.test", "\"status\":500",
	       "\"final\":true", NULL) == PAGES,
	    "P3: each page ends once, as it was answered");
	ok(crawl_scene_lines(scene, "bad.test", "\"final\":true",
	       "\"why\":\"not retried: fetch.host_retries is used up\"",
	       NULL) > 0,
	    "P4: those that are not tried again say why");
	ok(crawl_scene_lines(scene, "well.test", "\"status\":200",
	       "\"final\":true", NULL) == 1,
	    "a host that is well pays for nobody else");
}

static void test_wire(void)
{
	static const char *const arguments[] = {
	    "crawl", "policy.yaml", "-o", "o", NULL};
	struct crawl_scene scene;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	if (open_scene(&scene)) {
		scene.program = program_start(&scene.home, arguments);
		ok(crawl_scene_wait(&scene, HANG_MS) == 5,
		    "a host where everything fails");
		size_t asked = count_pages(&scene);
		ok(asked == PAGES + BUDGET,
		    "costs its pages and its budget, and not four times its "
		    "pages (%zu)",
		    asked);
		judge_ends(&scene);
		program_errors(scene.program, &said);
		const char *first = strstr(
		    pv_buf_text(&said), "fetch.host_retries (4) is used up");
		ok(first && !strstr(first + 1, "fetch.host_retries"),
		    "P4: the log says so once");
	}
	pv_buf_finish(&said);
	crawl_scene_close(&scene);
}

/* What was asked and not committed when it was killed is asked again, and of
 * that neither the journal knows nor the budget. */
static void test_kill(void)
{
	struct crawl_scene scene;
	if (open_scene(&scene)) {
		size_t kills = 0;
		crawl_scene_policy(&scene, QUOTA);
		for (size_t i = 8; i < 23; i += 7) {
			crawl_scene_start(&scene);
			server_wait(scene.server, i, HANG_MS);
			program_signal(scene.program, SIGKILL);
			kills += crawl_scene_wait(&scene, HANG_MS) == -1;
		}
		crawl_scene_policy(&scene, POLICY);
		int status = crawl_scene_run(&scene, HANG_MS);
		size_t told =
		    crawl_scene_lines(&scene, "\"host\":\"bad.test\"", NULL) -
		    crawl_scene_lines(&scene, "\"host\":\"bad.test\"",
			"\"robots\":true", NULL);
		ok(status == 5 && kills == 3, "killed %zu times (%d)", kills,
		    status);
		ok(told == PAGES + BUDGET,
		    "P3: its budget is what it was, whatever ends the process "
		    "(%zu)",
		    told);
		judge_ends(&scene);
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	test_budget();
	test_exceptions();
	test_room();
	test_wire();
	test_kill();
	return tap_done();
}
