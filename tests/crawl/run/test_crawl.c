#include "crawl/run/crawl.h"
#include "crawl/run/running.h"

#include "crawl/world.h"

/* A small web: two hosts and one that is not ours, robots.txt, redirects,
 * failures that go by, and parts of pages. */
static const struct place {
	const char *url;
	struct reply first; /* the first time */
	struct reply then;
} places[] = {
    {"http://a.test/robots.txt",
	{.body = "User-agent: *\nDisallow: /private\n"}, {0}},
    {"http://a.test/",
	{.body = "<a href=/1><a href=/2><a href=/private/x><img src=/i.png>"
		 "<a href=http://c.test/><a href=/moved>"},
	{0}},
    {"http://a.test/1", {.body = "<a href=/3><a href=/busy><a href=/2>"}, {0}},
    {"http://a.test/2", {.body = "<a href=/gone rel=nofollow>"}, {0}},
    {"http://a.test/3", {.body = "<a href=http://b.test/late>"}, {0}},
    {"http://a.test/i.png", {.body = "png"}, {0}},
    {"http://a.test/moved", {.http_status = 301, .location = "/3"}, {0}},
    {"http://a.test/busy", {.http_status = 503}, {.body = "<a href=/deep>"}},
    {"http://a.test/deep", {.outcome = PV_OUTCOME_TIMEOUT}, {.body = "deep"}},
    {"http://b.test/robots.txt", {.http_status = 503}, {.http_status = 404}},
    {"http://b.test/",
	{.body = "<a href=/x><a href=/y><img src=http://d.test/i.png>"}, {0}},
    {"http://b.test/x", {.outcome = PV_OUTCOME_NO_CONNECTION}, {.body = "x"}},
    {"http://b.test/y", {.outcome = PV_OUTCOME_TOO_LARGE}, {0}},
    {"http://b.test/late", {.body = "late", .took_ms = 3}, {0}},
    {"http://d.test/i.png",
	{.http_status = 302, .location = "http://d.test/j.png"}, {0}},
    {"http://d.test/j.png", {.body = "png"}, {0}},
};

static struct reply answer(const char *url, unsigned nth)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const struct place *place = &places[i];
		bool has_second = place->then.http_status || place->then.body;
		if (strcmp(place->url, url) == 0)
			return nth && has_second ? place->then : place->first;
	}
	return (struct reply){.http_status = 404};
}

#define SEEDS "seeds: [\"http://a.test/\", \"http://b.test/\"]\n"

static const struct {
	const char *url;
	enum pv_outcome outcome;
	uint16_t http_status;
	enum pv_reason reason;
} wanted[] = {
    {"http://a.test/", PV_OUTCOME_ANSWERED, 200, 0},
    {"http://a.test/1", PV_OUTCOME_ANSWERED, 200, 0},
    {"http://a.test/2", PV_OUTCOME_ANSWERED, 200, 0},
    {"http://a.test/3", PV_OUTCOME_ANSWERED, 200, 0},
    {"http://a.test/i.png", PV_OUTCOME_ANSWERED, 200, 0},
    {"http://a.test/moved", PV_OUTCOME_ANSWERED, 301, 0},
    {"http://a.test/busy", PV_OUTCOME_ANSWERED, 200, 0},
    {"http://a.test/deep", PV_OUTCOME_ANSWERED, 200, 0},
    {"http://a.test/private/x", PV_OUTCOME_NONE, 0, PV_REASON_ROBOTS},
    {"http://a.test/gone", PV_OUTCOME_NONE, 0, PV_REASON_NOFOLLOW},
    {"http://c.test/", PV_OUTCOME_NONE, 0, PV_REASON_HOST},
    {"http://b.test/", PV_OUTCOME_ANSWERED, 200, 0},
    {"http://b.test/x", PV_OUTCOME_ANSWERED, 200, 0},
    {"http://b.test/y", PV_OUTCOME_TOO_LARGE, 0, 0},
    {"http://b.test/late", PV_OUTCOME_ANSWERED, 200, 0},
    {"http://d.test/i.png", PV_OUTCOME_ANSWERED, 302, 0},
    {"http://d.test/j.png", PV_OUTCOME_ANSWERED, 200, 0},
};

#define WANTED (sizeof(wanted) / sizeof(*wanted))

static void show_lines(void)
{
	for (size_t i = 0; i < world.line_count; i++)
		printf("# %s %s %u %s%s\n", world.lines[i].url,
		    pv_outcome_word(world.lines[i].outcome),
		    world.lines[i].http_status,
		    pv_reason_word(world.lines[i].reason),
		    world.lines[i].is_final ? " final" : "");
}

/* Events and sum of a run from beginning to end. */
static void test_whole(unsigned *events, uint64_t *sum)
{
	bool is_right = true;
	world_open(answer, SEEDS);
	ok(world_run() == PAVANE_FINISHED, "a crawl has an end");
	for (size_t i = 0; i < WANTED; i++) {
		const struct world_line *line = world_final(wanted[i].url);
		bool is_this = line && line->outcome == wanted[i].outcome &&
			       line->http_status == wanted[i].http_status &&
			       line->reason == wanted[i].reason;
		if (!is_this)
			printf("# %s\n", wanted[i].url);
		is_right = is_right && is_this;
	}
	if (!ok(is_right && world_finals() == WANTED,
		"P3, P4: each address has the end that it should have"))
		show_lines();
	ok(world_is_settled(), "P3: and the state says so too");
	*events = world.events;
	*sum = world_sum();
	world_forget_requests();
	ok(world_run() == PAVANE_FINISHED && world.request_count == 0,
	    "what is finished asks for nothing when it is run again");
	ok(world_is_settled() && world_sum() == *sum,
	    "P3: nor does it tell anything twice");
	world_close();
}

/* Stopped at one event after another, and gone on with. */
static void test_stops(unsigned events, uint64_t sum, unsigned stops)
{
	unsigned wrong = 0, runs = 0;
	for (unsigned at = stops; at <= events; at += 6) {
		world_open(answer, SEEDS);
		world.stop_at = at;
		world.stops = stops;
		enum pavane_end end = world_run();
		world.stop_at = 0;
		enum pavane_end last = world_run();
		bool is_right =
		    (end == PAVANE_STOPPED || end == PAVANE_FINISHED) &&
		    last == PAVANE_FINISHED && world_is_settled() &&
		    world_sum() == sum;
		if (!is_right) {
			printf("# stopped at %u: %d, then %d\n", at, end, last);
			show_lines();
		}
		wrong += !is_right;
		runs++;
		world_close();
	}
	ok(runs > 10 && wrong == 0,
	    "P3, P6: asked %u times to stop at any moment, it goes on to the "
	    "same end",
	    stops);
}

/* The disk is in the way of one page after the other. */
static void test_faults(uint64_t sum)
{
	unsigned wrong = 0;
	for (unsigned at = 1; at <= 12; at++) {
		world_open(answer, SEEDS);
		world.fail_at = at;
		enum pavane_end end = world_run();
		unsigned errors = world.levels[PAVANE_ERROR];
		world.fail_at = 0;
		enum pavane_end last = world_run();
		bool is_right = end == PAVANE_FAILED && errors == 1 &&
				strstr(world.error, "what was done is saved") &&
				last == PAVANE_FINISHED && world_is_settled() &&
				world_sum() == sum;
		if (!is_right) {
			printf("# fault at %u: %d, then %d\n", at, end, last);
			show_lines();
		}
		wrong += !is_right;
		world_close();
	}
	ok(wrong == 0,
	    "P3: where a page cannot be kept the crawl says so and ends, and "
	    "goes on when it can");
}

int main(void)
{
	unsigned events;
	uint64_t sum;
	test_whole(&events, &sum);
	test_stops(events, sum, 1);
	test_stops(events, sum, 2);
	test_faults(sum);
	return tap_done();
}
