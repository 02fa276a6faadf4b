#include <stdatomic.h>
#include <time.h>

#include "base/reader.h"
#include "crawl/polite_scene.h"
#include "store/database.h"
#include "store/lock.h"

/* What is waited for is waited for however often the program ends in between,
 * by a signal that lets it end well or by one that does not (P1, P2, P3). */

#define ASKED_MS 3000
#define DELAY_MS 2000
#define PAGES 26

static const struct polite_host hosts[] = {
    {"later", "p{1..3}", NULL, 0},
    {"dated", "p{1..3}", NULL, 0},
    {"robots", "p{1..3}", NULL, 0},
    {"leads", "p1", NULL, 0},
    {"fails", "p{1..3}", "backoff: {failure: 3s}", 0},
    {"delay", "p{1..2}", "delay: 2s", 0},
    {"crawl", "p{1..2}", NULL, 0},
    {"bucket", "p{1..5}", "delay: 0, max_rate: 2, interval: 2s", 0},
    {"slow", "p{1..2}", "delay_factor: 5", 0},
    {"one", "p1", "ip_delay: 2s", 1},
    {"other", "p1", "ip_delay: 2s", 1},
    {"going", "p1", "delay: 200ms", 0},
};

#define FIRST(name, target) .host = (name ".test"), .path = (target), .nth = 1

static const struct server_route routes[] = {
    {FIRST("later", "/p1"),
	.answer = {.status = 429, .headers = "Retry-After: 3\r\n"}},
    {FIRST("robots", "/robots.txt"),
	.answer = {.status = 503, .headers = "Retry-After: 3\r\n"}},
    {FIRST("leads", "/p1"), .answer = {.status = 302,
				.location = "/there",
				.headers = "Retry-After: 3\r\n"}},
    {FIRST("fails", "/p1"), .answer = {.status = 500}},
    {.host = "crawl.test",
	.path = "/robots.txt",
	.answer = POLITE_TEXT("User-agent: *\nCrawl-delay: 2\n")},
    {.host = "slow.test",
	.path = "/robots.txt",
	.answer = {.status = 404,
	    .head_pace = {.delay_ms = 400 + POLITE_SLACK_MS}}},
    {.path = "/robots.txt", .answer = {.status = 404}},
};

struct ending {
	const char *name;
	int signal;
	struct crawl_scene scene;
	int64_t date_ms;
	atomic_bool is_over; /* it will not be ended any more */
};

/* A chain of pages has no end while the crawl is still to be ended: so it is
 * never complete before, however late that is. */
static void lead_on(const struct ending *ending,
    const struct server_request *request, struct server_answer *answer)
{
	struct pv_reader reader = pv_reader_of(request->path);
	uint64_t page;
	if (!atomic_load(&ending->is_over) &&
	    pv_reader_accept_str(&reader, PV_STR("/p")) &&
	    pv_reader_take_number(&reader, UINT32_MAX, &page))
		pv_buf_append_format(
		    answer->own_body, "<a href=/p%u>", (unsigned)page + 1);
}

/* The first page of one host names a date. */
static void name_date(struct ending *ending, struct server_answer *answer)
{
	char text[64];
	struct tm parts;
	time_t date = time(NULL) + 4;
	gmtime_r(&date, &parts);
	strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &parts);
	pv_buf_append_format(answer->own_headers, "Retry-After: %s\r\n", text);
	answer->status = 503;
	ending->date_ms = (int64_t)date * 1000;
}

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	struct ending *ending = ctx;
	pv_buf_append_text(answer->own_body, "a page");
	if (pv_str_equal(request->host, PV_STR("going.test")))
		lead_on(ending, request, answer);
	if (pv_str_equal(request->host, PV_STR("dated.test")) &&
	    !ending->date_ms)
		name_date(ending, answer);
	return true;
}

/* Ends */

/* Whether all that asks to wait has been asked for, and answered. */
static bool has_been_asked(struct ending *ending)
{
	struct log_view view = log_view_of(ending->scene.server);
	size_t count = 0;
	for (size_t i = 0; i < view.count; i++)
		count += view.records[i].status == 429 ||
			 view.records[i].status == 503 ||
			 view.records[i].status == 302 ||
			 view.records[i].status == 500;
	log_view_finish(&view);
	return count == 5;
}

/* Whether that stands in the crawl's state: whoever is killed before has lost
 * what was in flight. */
static bool is_kept(struct ending *ending)
{
	struct pv_database *database =
	    pv_database_look(home_file(&ending->scene.home, "o/state.db"));
	int64_t count = pv_database_number(
	    database, "SELECT count(*) FROM host_states WHERE wait_ms >= 1900");
	pv_database_close(database);
	return count >= 8;
}

/* Whether the program has begun, so that it hears a signal. */
static bool is_at_work(struct ending *ending)
{
	return pv_lock_holder(home_file(&ending->scene.home, "o")) != 0;
}

static void let_pass(struct ending *ending, int time_ms)
{
	server_wait(ending->scene.server, SIZE_MAX, time_ms);
}

static void await(struct ending *ending, bool (*is_so)(struct ending *ending))
{
	for (int ms = 0; ms < HANG_MS && !is_so(ending); ms += 50)
		let_pass(ending, 50);
}

static void end(struct ending *ending)
{
	program_signal(ending->scene.program, ending->signal);
	int status = crawl_scene_wait(&ending->scene, HANG_MS);
	ok(status == (ending->signal == SIGKILL ? -1 : 3), "it is %s (%d)",
	    ending->name, status);
}

static void begin(struct ending *ending)
{
	struct polite_plan plan = {POLITE_HOSTS(hosts), POLITE_ROUTES(routes),
	    .answer = answer, .ctx = ending,
	    .policy =
		"politeness: {delay: 50ms, delay_factor: 0, backoff: {overload: 500ms}, ip_delay: "
		"0}\n"};
	if (!polite_open(&ending->scene, &plan))
		exit(1);
	crawl_scene_start(&ending->scene);
}

/* Ended in the midst of it, begun again, and again in the midst of that. */
static void interrupt(struct ending *ending)
{
	await(ending, has_been_asked);
	if (ending->signal == SIGKILL)
		await(ending, is_kept);
	end(ending);
	crawl_scene_start(&ending->scene);
	await(ending, is_at_work);
	let_pass(ending, 600);
	end(ending);
	atomic_store(&ending->is_over, true);
	crawl_scene_start(&ending->scene);
}

/* Claims */

static void judge_asked(struct crawl_scene *scene)
{
	static const struct {
		const char *host;
		int status;
		const char *claim;
	} waits[] = {
	    {"later.test", 429, "P1: a Retry-After"},
	    {"robots.test", 503, "P1: a Retry-After of robots.txt"},
	    {"leads.test", 302, "P1: a Retry-After of a redirect"},
	    {"fails.test", 500, "P2: a back-off"},
	};
	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++)
		polite_rests_after(scene, waits[i].host, waits[i].status,
		    ASKED_MS, waits[i].claim);
}

static void judge_date(struct ending *ending)
{
	struct log_view view = polite_view(&ending->scene, "dated.test", NULL);
	int64_t late_ms = -1;
	for (size_t i = 0; i + 1 < view.count; i++) {
		if (view.records[i].status == 503)
			late_ms =
			    view.records[i + 1].begin_wall_ms - ending->date_ms;
	}
	ok(late_ms >= 0,
	    "dated.test: P1: nothing is asked before its date (%lld ms later)",
	    (long long)late_ms);
	log_view_finish(&view);
}

/* How far the arrival of a request may be from its departure. */
#define TOLERANCE_US 1500

static void judge_bucket(struct crawl_scene *scene)
{
	struct log_view view = polite_view(scene, "bucket.test", NULL);
	int64_t spare_us = INT64_MAX;
	for (size_t i = 2; i < view.count; i++) {
		int64_t since_us =
		    view.records[i].begin_us - view.records[0].begin_us;
		int64_t more_us = since_us - (int64_t)(i / 2) * 2000000;
		spare_us = more_us < spare_us ? more_us : spare_us;
	}
	ok(view.count >= 6 && spare_us >= -TOLERANCE_US,
	    "bucket.test: P1: a bucket is not filled by it (%zu requests, %lld "
	    "us late)",
	    view.count, (long long)spare_us);
	log_view_finish(&view);
}

static void judge(struct ending *ending)
{
	struct crawl_scene *scene = &ending->scene;
	int status = crawl_scene_wait(scene, HANG_MS);
	ok(status == 0, "%s twice, it finishes (%d)", ending->name, status);
	polite_audit(scene);
	judge_asked(scene);
	judge_date(ending);
	polite_gaps(scene, "delay.test", DELAY_MS, "P1: a delay");
	polite_gaps(scene, "crawl.test", DELAY_MS, "P1: a Crawl-delay");
	polite_rests_after(
	    scene, "slow.test", 404, DELAY_MS, "P1: a rest for a slow answer");
	judge_bucket(scene);
	struct log_view view = polite_view(scene, "o*.test", NULL);
	ok(view.count >= 4 &&
		log_shortest_gap(&view, LOG_BY_ADDRESS).us >= DELAY_MS * 1000,
	    "one.test, other.test: P1: the clock of their address (%.3f ms)",
	    (double)log_shortest_gap(&view, LOG_BY_ADDRESS).us / 1000);
	log_view_finish(&view);
	size_t pages =
	    crawl_scene_lines(scene, "\"status\":200", "\"final\":true", NULL) -
	    crawl_scene_lines(scene, "//going.test", "\"status\":200",
		"\"final\":true", NULL);
	ok(pages == PAGES, "P3: no page is lost (%zu)", pages);
}

int main(void)
{
	struct ending endings[] = {
	    {.name = "stopped", .signal = SIGINT},
	    {.name = "killed", .signal = SIGKILL},
	};
	begin(&endings[0]);
	begin(&endings[1]);
	interrupt(&endings[0]);
	interrupt(&endings[1]);
	judge(&endings[0]);
	judge(&endings[1]);
	crawl_scene_close(&endings[0].scene);
	crawl_scene_close(&endings[1].scene);
	return tap_done();
}
