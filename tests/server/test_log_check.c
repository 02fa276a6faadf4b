#include "server/log_check.h"

#include <inttypes.h>
#include <stdlib.h>

#include "random.h"
#include "tap.h"

/* Promise P1 is judged by these functions, so they are held against logs whose
 * answers can be counted by hand, and against counting by brute force. */

#define REQUESTS_MAX 8
#define NEVER INT64_MAX
#define OPEN INT64_MIN
#define MS 1000

/* A request of an invented log, in milliseconds. */
struct request {
	const char *host;
	uint8_t address; /* its last byte */
	int64_t begin;
	int64_t end; /* 0: open for good */
};

/* Times in milliseconds; NEVER and OPEN as they are. */
struct answers {
	int64_t gap;
	int64_t rest;
	size_t at_once;
	size_t within;
};

struct invented {
	const char *name;
	struct request requests[REQUESTS_MAX];
	int64_t span;
	struct answers by_host;
	struct answers by_address;
	struct answers together;
};

static const struct invented table[] = {
    {
	.name = "an empty log",
	.span = 1000,
	.by_host = {NEVER, NEVER, 0, 0},
	.by_address = {NEVER, NEVER, 0, 0},
	.together = {NEVER, NEVER, 0, 0},
    },
    {
	.name = "one request",
	.requests = {{"a.test", 1, 100, 110}},
	.span = 1000,
	.by_host = {NEVER, NEVER, 1, 1},
	.by_address = {NEVER, NEVER, 1, 1},
	.together = {NEVER, NEVER, 1, 1},
    },
    {
	.name = "two of a host at two addresses",
	.requests = {{"a.test", 1, 100, 110}, {"a.test", 2, 1099, 1110}},
	.span = 1000,
	.by_host = {999, 989, 1, 2},
	.by_address = {NEVER, NEVER, 1, 1},
	.together = {999, 989, 1, 2},
    },
    {
	.name = "two hosts at one address",
	.requests = {{"a.test", 1, 100, 110}, {"b.test", 1, 350, 360}},
	.span = 250,
	.by_host = {NEVER, NEVER, 1, 1},
	.by_address = {250, 240, 1, 1},
	.together = {250, 240, 1, 1},
    },
    {
	.name = "one that overlaps",
	.requests = {{"a.test", 1, 100, 500}, {"a.test", 1, 300, 400}},
	.span = 201,
	.by_host = {200, -200, 2, 2},
	.by_address = {200, -200, 2, 2},
	.together = {200, -200, 2, 2},
    },
    {
	.name = "one that begins as another ends",
	.requests = {{"a.test", 1, 100, 300}, {"a.test", 1, 300, 400}},
	.span = 200,
	.by_host = {200, 0, 1, 1},
	.by_address = {200, 0, 1, 1},
	.together = {200, 0, 1, 1},
    },
    {
	.name = "one that goes on over two others",
	.requests = {{"a.test", 1, 100, 1000}, {"a.test", 1, 200, 250},
	    {"a.test", 1, 300, 350}, {"a.test", 1, 1100, 1200}},
	.span = 1000,
	.by_host = {100, -800, 2, 3},
	.by_address = {100, -800, 2, 3},
	.together = {100, -800, 2, 3},
    },
    {
	.name = "one that never ends",
	.requests = {{"a.test", 1, 100, 0}, {"a.test", 1, 5000, 5010}},
	.span = 1000,
	.by_host = {4900, OPEN, 2, 1},
	.by_address = {4900, OPEN, 2, 1},
	.together = {4900, OPEN, 2, 1},
    },
    {
	.name = "a last one that never ends",
	.requests = {{"a.test", 1, 100, 110}, {"a.test", 1, 5000, 0}},
	.span = 1000,
	.by_host = {4900, 4890, 1, 1},
	.by_address = {4900, 4890, 1, 1},
	.together = {4900, 4890, 1, 1},
    },
    {
	.name = "hosts in either case and with a dot",
	.requests = {{"a.test", 1, 100, 110}, {"A.Test.", 2, 400, 410},
	    {"ab.test", 3, 401, 420}},
	.span = 1000,
	.by_host = {300, 290, 1, 2},
	.by_address = {NEVER, NEVER, 1, 1},
	.together = {1, -9, 2, 3},
    },
    {
	.name = "requests that are logged in another order than they began",
	.requests = {{"a.test", 1, 3000, 3010}, {"a.test", 1, 1000, 1010},
	    {"a.test", 1, 2100, 2110}},
	.span = 1101,
	.by_host = {900, 890, 1, 2},
	.by_address = {900, 890, 1, 2},
	.together = {900, 890, 1, 2},
    },
    {
	.name = "three at the same instant",
	.requests = {{"a.test", 1, 100, 200}, {"a.test", 1, 100, 300},
	    {"b.test", 2, 100, 400}},
	.span = 1,
	.by_host = {0, -200, 2, 2},
	.by_address = {0, -200, 2, 2},
	.together = {0, -300, 3, 3},
    },
    {
	.name = "a burst in the midst of a quiet crawl",
	.requests = {{"a.test", 1, 0, 10}, {"a.test", 1, 1000, 1010},
	    {"b.test", 2, 1500, 1510}, {"b.test", 2, 1600, 1610},
	    {"b.test", 2, 1700, 1710}, {"a.test", 1, 2000, 2010},
	    {"b.test", 2, 2500, 2510}},
	.span = 500,
	.by_host = {100, 90, 1, 3},
	.by_address = {100, 90, 1, 3},
	.together = {100, 90, 1, 3},
    },
};

static struct server_record record_of(const struct request *request)
{
	return (struct server_record){
	    .host = pv_str_of(request->host),
	    .target = PV_STR("/"),
	    .address = {.bits = 32, .bytes = {127, 0, 0, request->address}},
	    .begin_us = request->begin * MS,
	    .end_us = request->end * MS,
	};
}

static int64_t in_ms(int64_t us)
{
	return us == NEVER || us == OPEN ? us : us / MS;
}

static void check(const struct log_view *view, const struct invented *invented,
    enum log_key key, const struct answers *wanted)
{
	static const char *const keys[] = {"by host", "by address", "together"};
	struct answers found = {
	    in_ms(log_shortest_gap(view, key).us),
	    in_ms(log_shortest_rest(view, key).us),
	    log_most_at_once(view, key),
	    log_most_within(view, key, invented->span),
	};
	bool is_right =
	    found.gap == wanted->gap && found.rest == wanted->rest &&
	    found.at_once == wanted->at_once && found.within == wanted->within;
	if (!ok(is_right, "%s, %s", invented->name, keys[key]))
		printf("# found: gap %" PRId64 ", rest %" PRId64
		       ", %zu at once, %zu within\n",
		    found.gap, found.rest, found.at_once, found.within);
}

static void test_table(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		const struct invented *invented = &table[i];
		struct server_record records[REQUESTS_MAX];
		struct log_view view = {.records = records};
		while (view.count < REQUESTS_MAX &&
		       invented->requests[view.count].host) {
			records[view.count] =
			    record_of(&invented->requests[view.count]);
			view.count++;
		}
		check(&view, invented, LOG_BY_HOST, &invented->by_host);
		check(&view, invented, LOG_BY_ADDRESS, &invented->by_address);
		check(&view, invented, LOG_TOGETHER, &invented->together);
	}
}

static void test_who(void)
{
	struct server_record records[] = {
	    record_of(&(struct request){"a.test", 1, 0, 10}),
	    record_of(&(struct request){"b.test", 1, 500, 510}),
	    record_of(&(struct request){"b.test", 1, 700, 710}),
	};
	struct log_view view = {.records = records, .count = 3};
	struct log_gap gap = log_shortest_gap(&view, LOG_BY_HOST);
	ok(gap.first.begin_us == 500 * MS && gap.second.begin_us == 700 * MS,
	    "a gap tells between which two requests it is");
	ok(log_key_count(&view, LOG_BY_HOST) == 2 &&
		log_key_count(&view, LOG_BY_ADDRESS) == 1 &&
		log_key_count(&view, LOG_TOGETHER) == 1,
	    "hosts and addresses are counted");
	ok(log_count(&view, "b.*", NULL) == 2 &&
		log_count(&view, NULL, "/") == 3 &&
		log_count(&view, "a.test", "/x") == 0,
	    "requests are counted by globs of host and target");
	log_view_keep(&view, "b.test", NULL);
	ok(view.count == 2 && log_count(&view, "a.test", NULL) == 0,
	    "a view can be narrowed to a host");
}

/* The same questions, asked of each pair and each instant. */

static bool is_open_at(const struct server_record *record, int64_t us)
{
	return record->begin_us <= us &&
	       (!record->end_us || us < record->end_us);
}

static struct answers by_force(
    const struct server_record *records, size_t count, int64_t span)
{
	struct answers answers = {NEVER, NEVER, 0, 0};
	for (size_t i = 0; i < count; i++) {
		size_t at_once = 0;
		size_t within = 0;
		for (size_t j = 0; j < count; j++) {
			int64_t gap = records[j].begin_us - records[i].begin_us;
			at_once += is_open_at(&records[j], records[i].begin_us);
			within += gap >= 0 && gap < span * MS;
			if (i == j || gap < 0)
				continue;
			if (gap < answers.gap)
				answers.gap = gap;
			int64_t rest = records[i].end_us ? records[j].begin_us -
							       records[i].end_us
							 : OPEN;
			if (rest < answers.rest)
				answers.rest = rest;
		}
		if (at_once > answers.at_once)
			answers.at_once = at_once;
		if (within > answers.within)
			answers.within = within;
	}
	return answers;
}

static bool is_same_by_force(struct random *random)
{
	struct server_record records[40];
	size_t count = random_below(random, 40) + 1;
	int64_t span = (int64_t)random_below(random, 300) + 1;
	for (size_t i = 0; i < count; i++) {
		int64_t begin = (int64_t)random_below(random, 1000) * 7 + 1;
		int64_t len = (int64_t)random_below(random, 90) + 1;
		bool is_open = random_below(random, 60) == 0;
		struct request request = {
		    "a.test", 1, begin, is_open ? 0 : begin + len};
		records[i] = record_of(&request);
	}
	struct answers wanted = by_force(records, count, span);
	struct log_view view = {.records = records, .count = count};
	return log_shortest_gap(&view, LOG_TOGETHER).us == wanted.gap &&
	       log_shortest_rest(&view, LOG_BY_HOST).us == wanted.rest &&
	       log_most_at_once(&view, LOG_BY_ADDRESS) == wanted.at_once &&
	       log_most_within(&view, LOG_TOGETHER, span) == wanted.within;
}

static void test_by_force(void)
{
	struct random random = random_of(7);
	size_t right = 0;
	for (size_t i = 0; i < 2000; i++)
		right += is_same_by_force(&random);
	ok(right == 2000, "counting each pair and each instant says the same");
}

int main(void)
{
	test_table();
	test_who();
	test_by_force();
	return tap_done();
}
