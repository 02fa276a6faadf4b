#include "http/rate_limit.h"

#include "tap.h"

#define WALL_MS INT64_C(1700000000000)
#define HOUR PV_RATE_LIMIT_HINT_MAX_MS

/* Lines of headers, and how long they suggest to wait. */
static const struct {
	const char *claim;
	const char *lines[4];
	int64_t hint_ms;
} cases[] = {
    {"no header suggests nothing", {"Server: x"}, 0},
    {"r requests in t seconds are t / r apart",
	{"RateLimit: \"default\";r=50;t=30"}, 600},
    {"a part of a millisecond counts as one", {"RateLimit: \"a\";r=7;t=1"},
	143},
    {"with nothing left, the reset is waited for",
	{"RateLimit: \"default\";r=0;t=30"}, 30000},
    {"a reset of now is no wait", {"RateLimit: \"default\";r=0;t=0"}, 0},
    {"nor is it with something left", {"RateLimit: \"default\";r=5;t=0"}, 0},
    {"of several limits the strictest counts",
	{"RateLimit: \"a\";r=50;t=30, \"b\";r=1;t=9"}, 9000},
    {"in several headers too",
	{"RateLimit: \"b\";r=1;t=9", "RateLimit: \"a\";r=50;t=30"}, 9000},
    {"parameters come in any order", {"ratelimit: \"a\" ; t=30 ; r=3"}, 10000},
    {"commas and semicolons in a name are text",
	{"RateLimit: \"a, b;r=0;t=99\";r=2;t=4"}, 2000},
    {"and so are quotes behind a backslash",
	{"RateLimit: \"a\\\";r=0;t=99\";r=2;t=4"}, 2000},
    {"a partition key is left aside",
	{"RateLimit: \"a\";r=2;t=4;pk=:Q0RDNA==:"}, 2000},
    {"a name may stand without quotes", {"RateLimit: default;r=2;t=4"}, 2000},
    {"a policy alone spreads its quota",
	{"RateLimit-Policy: \"default\";q=100;w=60"}, 600},
    {"of several, the slowest",
	{"RateLimit-Policy: \"a\";q=100;w=60, \"day\";q=1000;w=86400"}, 86400},
    {"but what is left is nearer",
	{"RateLimit-Policy: \"default\";q=1;w=60",
	    "RateLimit: \"default\";r=50;t=30"},
	600},
    {"a limit without a reset has that of its policy",
	{"RateLimit: \"b\";r=0",
	    "RateLimit-Policy: \"a\";q=1;w=5, \"b\";q=9;w=60"},
	60000},
    {"a limit without both suggests nothing", {"RateLimit: \"b\";r=0"}, 0},
    {"limits of bytes do not count",
	{"RateLimit: \"b\";r=0;t=60",
	    "RateLimit-Policy: \"b\";q=9;w=60;qu=\"content-bytes\""},
	0},
    {"those of requests do",
	{"RateLimit: \"b\";r=0;t=60",
	    "RateLimit-Policy: \"b\";q=9;w=60;qu=\"requests\""},
	60000},
    {"version 07 said it in parts",
	{"RateLimit: limit=100, remaining=50, reset=5",
	    "RateLimit-Policy: 100;w=60"},
	100},
    {"and its policy without a name", {"RateLimit-Policy: 100;w=60"}, 600},
    {"before that there were three fields",
	{"RateLimit-Limit: 100", "RateLimit-Remaining: 0",
	    "RateLimit-Reset: 7"},
	7000},
    {"of a field that comes twice the longer reset counts",
	{"RateLimit-Remaining: 0", "RateLimit-Reset: 60", "RateLimit-Reset: 7"},
	60000},
    {"as there still are", {"X-RateLimit-Remaining: 4", "X-RateLimit-Reset: 8"},
	2000},
    {"also with a hyphen",
	{"x-rate-limit-remaining: 0", "x-rate-limit-reset: 8"}, 8000},
    {"families are not mixed",
	{"X-RateLimit-Remaining: 0", "X-Rate-Limit-Reset: 8"}, 0},
    {"a reset may be a time in seconds",
	{"X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1700000090"}, 90000},
    {"or in milliseconds",
	{"X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1700000000090"}, 90},
    {"a reset in a month is no such time",
	{"X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 2678400"}, HOUR},
    {"nor is one of thirty years",
	{"X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 999999999"}, HOUR},
    {"from a thousand million seconds on it is one, and past",
	{"X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1000000000"}, 0},
    {"it is in seconds as long as it can be",
	{"X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 999999999999"}, HOUR},
    {"then in milliseconds, and past",
	{"X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1000000000000"}, 0},
    {"with a fraction",
	{"X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1700000000.25"}, 250},
    {"a time that is past is no wait",
	{"X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1699999999"}, 0},
    {"seconds may have a fraction",
	{"X-RateLimit-Remaining: 0", "X-RateLimit-Reset-After: 1.5"}, 1500},
    {"at most an hour is suggested",
	{"X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 86400"}, HOUR},
    {"also by a time far ahead",
	{"X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 999999999999999"},
	HOUR},
    {"and by a policy", {"RateLimit-Policy: \"a\";q=1;w=999999999999999"},
	HOUR},
    {"a quota of none waits for its window",
	{"RateLimit-Policy: \"a\";q=0;w=60"}, 60000},
    {"what is said twice counts as the stricter",
	{"X-RateLimit-Remaining: 5", "X-RateLimit-Remaining: 2",
	    "X-RateLimit-Reset: 8"},
	4000},
    {"a remainder alone suggests nothing", {"X-RateLimit-Remaining: 0"}, 0},
    {"nor does a reset", {"X-RateLimit-Reset: 60"}, 0},

    /* rubbish */
    {"less than nothing is rubbish", {"RateLimit: \"a\";r=-1;t=30"}, 0},
    {"a fraction of a request is", {"RateLimit: \"a\";r=0.5;t=30"}, 0},
    {"a number of sixteen digits is",
	{"RateLimit: \"a\";r=0;t=1000000000000000"}, 0},
    {"a unit is", {"X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 8s"}, 0},
    {"a date is",
	{"X-RateLimit-Remaining: 0",
	    "X-RateLimit-Reset: Tue, 14 Nov 2023 22:14:20 GMT"},
	0},
    {"two numbers are", {"X-RateLimit-Remaining: 0, 5", "X-RateLimit-Reset: 8"},
	0},
    {"a name that does not end is", {"RateLimit: \"a;r=0;t=30"}, 0},
    {"nothing is", {"RateLimit:"}, 0},
    {"rubbish does not hide what follows",
	{"RateLimit: ;;=,, =5;r, \"b\";r=0;t=30"}, 30000},
    {"parameters of other names are left aside",
	{"RateLimit: \"a\";R=0;T=5;left=0"}, 0},
};

static int64_t hint_of(const char *const *lines)
{
	struct pv_headers headers;
	pv_headers_init(&headers, 10, 2000);
	for (size_t i = 0; i < 4 && lines[i]; i++)
		pv_headers_add_line(&headers, pv_str_of(lines[i]));
	int64_t hint_ms = pv_rate_limit_hint_ms(&headers, WALL_MS);
	pv_headers_finish(&headers);
	return hint_ms;
}

/* A server may send as much as the ceiling of its headers allows. */
static void test_many(void)
{
	struct pv_headers headers;
	pv_headers_init(&headers, 200, 1000000);
	for (int i = 0; i < 100; i++) {
		pv_headers_add(&headers, PV_STR("RateLimit"),
		    PV_STR("\"a\";r=0, \"b\";r=9;t=9, \"c\";r=8;t=9"));
		pv_headers_add(&headers, PV_STR("RateLimit-Policy"),
		    PV_STR("\"x\";q=9;w=9, \"y\";q=9;w=9, \"a\";q=1;w=2"));
	}
	ok(pv_rate_limit_hint_ms(&headers, WALL_MS) == 2000,
	    "P5: of many limits only the first ones are looked at");
	pv_headers_finish(&headers);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int64_t hint_ms = hint_of(cases[i].lines);
		if (!ok(hint_ms == cases[i].hint_ms, "%s", cases[i].claim))
			printf("# %lld instead of %lld\n", (long long)hint_ms,
			    (long long)cases[i].hint_ms);
	}
	test_many();
	return tap_done();
}
