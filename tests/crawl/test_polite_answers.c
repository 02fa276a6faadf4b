#include <time.h>

#include "crawl/polite_scene.h"

/* What answers ask of us, as the server sees it afterwards: later, slower,
 * never sooner (P1, P2). */

#define DELAY_MS 100
#define FAILURE_MS 400
#define OVERLOAD_MS 600
#define TROUBLES 3 /* answers */

/* Answers of some 200 ms, of which each is to be followed by a rest of twice
 * as long, so that a quick failure would be seen if it were believed. */
#define LATENCY_MS 200
#define SLOW                                                               \
	"delay: 50ms, delay_factor: 2, max_delay: 5s, backoff: {failure: " \
	"1ms, overload: 1ms}"

static const struct polite_host hosts[] = {
    {"seconds", "p{1..4}", NULL, 0},
    {"stricter", "p{1..3}", NULL, 0},
    {"astray", "p{1..3}", NULL, 0},
    {"exact1", "p{1..3}", "delay: 0", 0},
    {"exact2", "p{1..3}", "delay: 0", 0},
    {"exact3", "p{1..3}", "delay: 0", 0},
    {"exact4", "p{1..3}", "delay: 0", 0},
    {"fixdate", "p{1..3}", NULL, 0},
    {"rfc850", "p{1..3}", NULL, 0},
    {"asctime", "p{1..3}", NULL, 0},
    {"past", "p{1..3}", NULL, 0},
    {"busy", "p{1..4}", NULL, 0},
    {"trouble", "p{1..6}", NULL, 0},
    {"broken", "p{1..12}", "backoff: {failure: 150ms}", 0},
    {"forbidden", "p{1..10}", "backoff: {failure: 60s, overload: 60s}", 0},
    {"among", "p{1..30}{a,b}", "delay: 10ms, backoff: {failure: 20ms}", 0},
    {"rows", "p{b,a}{1..30}", "delay: 10ms, backoff: {failure: 20ms}", 0},
    {"fast429", "p{1..4}", SLOW, 0},
    {"fast500", "p{1..4}", SLOW, 0},
    {"empty", "p{1..4}", SLOW, 0},
    {"reset", "p{1..4}", SLOW, 0},
    {"half", "p{1..4}", SLOW, 0},
};

/* Of the second page, or of all, what is wrong. */
#define SECOND(name) .host = (name ".test"), .path = "/p2", .nth = 1

static const struct server_route routes[] = {
    {SECOND("seconds"),
	.answer = {.status = 429, .headers = "Retry-After: 2\r\n"}},
    {SECOND("stricter"),
	.answer = {.status = 429,
	    .headers = "Retry-After: 2\r\nRetry-After: 1\r\n"
		       "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n"}},
    {.host = "astray.test",
	.path = "/p2",
	.answer = {.status = 302,
	    .headers = "Location: /here\r\nLocation: /there\r\n"}},
    {.host = "exact*.test",
	.path = "/p*",
	.nth = 1,
	.answer = {.status = 429, .headers = "Retry-After: 1\r\n"}},
    {SECOND("busy"), .answer = {.status = 503}},
    {.host = "busy.test", .path = "/p3", .nth = 1, .answer = {.status = 503}},
    {.host = "among.test", .path = "/p*b", .answer = {.status = 500}},
    {.host = "rows.test", .path = "/pb*", .answer = {.status = 502}},
    {.host = "forbidden.test", .path = "/p*", .answer = {.status = 403}},
    {SECOND("fast429"), .answer = {.status = 429}},
    {SECOND("fast500"), .answer = {.status = 500}},
    {SECOND("empty"), .answer = {.fault = {SERVER_CLOSE, SERVER_BEFORE, 0}}},
    {SECOND("reset"), .answer = {.fault = {SERVER_RESET, SERVER_BEFORE, 0}}},
    {SECOND("half"), .answer = {.body = "half of it",
			 .length = "1000",
			 .fault = {SERVER_CLOSE, SERVER_IN_BODY, 5}}},
};

/* What depends on what went before: a table of hosts that name a date, and of one
 * that is in trouble for a while. */

enum form { FIXDATE, RFC850, ASCTIME };

struct dated {
	const char *host;
	enum form form;
	int seconds; /* from now on */
};

static const struct dated dated[] = {
    {"fixdate.test", FIXDATE, 3},
    {"rfc850.test", RFC850, 3},
    {"asctime.test", ASCTIME, 3},
    {"past.test", FIXDATE, -3600},
};

#define DATED_COUNT (sizeof(dated) / sizeof(*dated))

struct moments {
	unsigned troubles; /* so far */
	int64_t dates_ms[DATED_COUNT];
};

/* RFC 9110, 5.6.7. */
static void write_date(enum form form, time_t date, struct pv_buf *buf)
{
	char day[40], hour[40];
	struct tm parts;
	gmtime_r(&date, &parts);
	strftime(hour, sizeof(hour), "%H:%M:%S", &parts);
	if (form == ASCTIME)
		strftime(day, sizeof(day), "%a %b %e", &parts);
	else if (form == RFC850)
		strftime(day, sizeof(day), "%A, %d-%b", &parts);
	else
		strftime(day, sizeof(day), "%a, %d %b", &parts);
	int year = parts.tm_year + 1900;
	if (form == ASCTIME)
		pv_buf_append_format(buf, "%s %s %d", day, hour, year);
	else if (form == RFC850)
		pv_buf_append_format(
		    buf, "%s-%02d %s GMT", day, year % 100, hour);
	else
		pv_buf_append_format(buf, "%s %d %s GMT", day, year, hour);
}

static bool put_off(struct moments *moments,
    const struct server_request *request, struct server_answer *answer)
{
	for (size_t i = 0; i < DATED_COUNT; i++) {
		if (!pv_str_equal(request->host, pv_str_of(dated[i].host)))
			continue;
		time_t date = time(NULL) + dated[i].seconds;
		moments->dates_ms[i] = (int64_t)date * 1000;
		pv_buf_append_text(answer->own_headers, "Retry-After: ");
		write_date(dated[i].form, date, answer->own_headers);
		pv_buf_append_text(answer->own_headers, "\r\n");
		answer->status = i % 2 ? 503 : 429;
		return true;
	}
	return false;
}

static bool is_in_trouble(
    struct moments *moments, const struct server_request *request)
{
	return pv_str_equal(request->host, PV_STR("trouble.test")) &&
	       moments->troubles++ < TROUBLES;
}

static bool is_slow(struct pv_str host)
{
	static const char *const names[] = {"fast429.test", "fast500.test",
	    "empty.test", "reset.test", "half.test"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (pv_str_equal(host, pv_str_of(names[i])))
			return true;
	}
	return false;
}

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	struct moments *moments = ctx;
	bool is_robots = pv_str_equal(request->path, PV_STR("/robots.txt"));
	bool is_broken = pv_str_equal(request->host, PV_STR("broken.test"));
	bool is_second = pv_str_equal(request->path, PV_STR("/p2"));
	if (is_second && request->nth == 1 && put_off(moments, request, answer))
		return true;
	if (is_broken && (!is_robots || request->nth > 1))
		answer->status = 500;
	else if (!is_robots && is_in_trouble(moments, request))
		answer->status = 500;
	else if (is_robots)
		answer->status = 404;
	else
		answer->body = "a page";
	if (is_slow(request->host))
		answer->head_pace.delay_ms = LATENCY_MS + POLITE_SLACK_MS;
	return true;
}

/* Retry-After */

/* How long a host rested after the first request for its second page. */
static int64_t rest_after_second_us(
    struct crawl_scene *scene, const char *host, int64_t *wall_ms)
{
	struct log_view view = polite_view(scene, host, NULL);
	int64_t rest_us = -1;
	*wall_ms = -1;
	for (size_t i = 0; i + 1 < view.count && rest_us < 0; i++) {
		if (!pv_str_equal(view.records[i].target, PV_STR("/p2")))
			continue;
		rest_us = polite_rest_after_us(&view, i);
		*wall_ms = view.records[i + 1].begin_wall_ms;
	}
	log_view_finish(&view);
	return rest_us;
}

static void rests_after_second(struct crawl_scene *scene, const char *host,
    int64_t rest_ms, const char *claim)
{
	int64_t wall_ms;
	int64_t rest_us = rest_after_second_us(scene, host, &wall_ms);
	ok(rest_us >= rest_ms * 1000,
	    "%s: %s, the host is asked for nothing for %lld ms (%.3f ms)", host,
	    claim, (long long)rest_ms, (double)rest_us / 1000);
}

static void judge_dates(
    struct crawl_scene *scene, const struct moments *moments)
{
	for (size_t i = 0; i < DATED_COUNT - 1; i++) {
		int64_t wall_ms;
		rest_after_second_us(scene, dated[i].host, &wall_ms);
		ok(moments->dates_ms[i] && wall_ms >= moments->dates_ms[i],
		    "%s: P1: nothing is asked before the date that it names "
		    "(%lld ms later)",
		    dated[i].host, (long long)(wall_ms - moments->dates_ms[i]));
	}
	rests_after_second(scene, "past.test", OVERLOAD_MS,
	    "P2: after a date that has passed, as after none");
}

static void judge_retry_after(
    struct crawl_scene *scene, const struct moments *moments)
{
	static const char *const exact[] = {
	    "exact1.test", "exact2.test", "exact3.test", "exact4.test"};
	rests_after_second(
	    scene, "seconds.test", 2000, "P1: after a Retry-After of 2");
	rests_after_second(scene, "stricter.test", 2000,
	    "P1: of several Retry-After the strictest counts: after 2");
	ok(!polite_asked(scene, "astray.test", "/*here") &&
		polite_ends(
		    scene, "astray.test", "different Location headers") == 1,
	    "astray.test: P4: of two Locations none is followed, with that "
	    "reason");
	for (size_t i = 0; i < 4; i++)
		polite_rests_after(scene, exact[i], 429, 1000,
		    "P1: where there is no delay that would hide it");
	judge_dates(scene, moments);
	ok(polite_ends(scene, "seconds.test", "\"status\":200") == 4 &&
		polite_ends(scene, "rfc850.test", "\"status\":200") == 3,
	    "P3: and has no page less for it");
}

/* Failures */

/* Each failure in a row at another page is followed by a longer rest. */
static void rests_grow(struct crawl_scene *scene, const char *host, int status,
    int64_t first_ms, size_t least)
{
	struct log_view view = polite_view(scene, host, "/p*");
	int64_t wanted_ms = first_ms;
	size_t row = 0;
	bool is_right = true;
	for (size_t i = 0; i + 1 < view.count; i++) {
		if (view.records[i].status != status)
			break;
		int64_t rest_us = polite_rest_after_us(&view, i);
		if (rest_us < wanted_ms * 1000) {
			is_right = false;
			printf("# after %zu failures %.3f ms, not %lld\n",
			    i + 1, (double)rest_us / 1000,
			    (long long)wanted_ms);
		}
		wanted_ms *= 2;
		row++;
	}
	ok(is_right && row >= least,
	    "%s: P2: each %d in a row doubles the rest (%zu of them)", host,
	    status, row);
	log_view_finish(&view);
}

static void judge_busy(struct crawl_scene *scene)
{
	struct log_view view = polite_view(scene, "busy.test", NULL);
	int64_t rests_us[2] = {-1, -1};
	size_t found = 0;
	for (size_t i = 0; i < view.count && found < 2; i++) {
		if (view.records[i].status == 503)
			rests_us[found++] = polite_rest_after_us(&view, i);
	}
	ok(rests_us[0] >= OVERLOAD_MS * 1000 &&
		rests_us[1] >= 2 * OVERLOAD_MS * 1000,
	    "busy.test: P2: after a 503 that says no more it rests, and longer "
	    "after the next (%.3f and %.3f ms)",
	    (double)rests_us[0] / 1000, (double)rests_us[1] / 1000);
	log_view_finish(&view);
}

static void judge_failures(struct crawl_scene *scene)
{
	judge_busy(scene);
	rests_grow(scene, "trouble.test", 500, FAILURE_MS, TROUBLES);
	ok(polite_ends(scene, "trouble.test", "\"status\":200") == 6,
	    "trouble.test: P3: what failed only for a while is had in the end "
	    "(%zu)",
	    polite_ends(scene, "trouble.test", "\"status\":200"));
	rests_grow(scene, "broken.test", 500, 150, 3);
	ok(polite_asked(scene, "broken.test", "/p*") < 12,
	    "broken.test: P2: a host that fails at everything is asked less "
	    "and less (%zu requests)",
	    polite_asked(scene, "broken.test", "/p*"));
	ok(polite_asked(scene, "forbidden.test", "/p*") == 10,
	    "forbidden.test: a 403 is an answer, and slows nothing (%zu)",
	    polite_asked(scene, "forbidden.test", "/p*"));
}

/* Thirty broken pages of a host that is well. */
static void judge_broken_pages(struct crawl_scene *scene)
{
	static const char *const names[] = {"among.test", "rows.test"};
	for (size_t i = 0; i < 2; i++) {
		ok(polite_ends(scene, names[i], "\"status\":200") == 30 &&
			polite_ends(scene, names[i], "\"status\":50") == 30,
		    "%s: P3: thirty broken pages do not keep us from thirty "
		    "good ones (%zu, and %zu)",
		    names[i], polite_ends(scene, names[i], "\"status\":50"),
		    polite_ends(scene, names[i], "\"status\":200"));
		polite_rests(scene, names[i], 10, "P2: and never hurry us");
	}
	polite_rests_after(scene, "among.test", 500, 20, "P2: each has a rest");
	polite_rests_after(scene, "rows.test", 502, 20, "P2: each has a rest");
}

/* A failure is quicker than any page: what a page would have cost counts. */
static void judge_quick_failures(struct crawl_scene *scene)
{
	static const char *const names[] = {"fast429.test", "fast500.test",
	    "empty.test", "reset.test", "half.test"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		polite_rests(scene, names[i], 2 * LATENCY_MS,
		    "P2: a quick failure makes no request earlier");
}

int main(void)
{
	struct crawl_scene scene;
	struct moments moments = {0};
	/* What crawls share keeps earlier promises, and would hide it if the
	 * host's own clock forgot them. */
	struct polite_plan plan = {POLITE_HOSTS(hosts), POLITE_ROUTES(routes),
	    .answer = answer, .ctx = &moments,
	    .policy = "politeness: {delay: 100ms, delay_factor: 0, ip_delay: "
		      "0, shared_clocks: false, backoff: {failure: 400ms, "
		      "overload: 600ms}}\n"
		      "limits: {wait: 4s}\n"};
	if (polite_open(&scene, &plan)) {
		crawl_scene_ends(&scene, 4,
		    "a crawl of which one host is broken ends by limits.wait");
		polite_audit(&scene);
		judge_retry_after(&scene, &moments);
		judge_failures(&scene);
		judge_broken_pages(&scene);
		judge_quick_failures(&scene);
		polite_rests(&scene, "past.test", DELAY_MS, "P1");
	}
	crawl_scene_close(&scene);
	return tap_done();
}
