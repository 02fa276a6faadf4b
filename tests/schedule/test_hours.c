#include "schedule/hours.h"

#include "schedule/zone/time_zone.h"
#include "tap.h"

#define MINUTE_S INT64_C(60)
#define HOUR_S (60 * MINUTE_S)
#define DAY_S (24 * HOUR_S)
#define BERLIN PV_STR("CET-1CEST,M3.5.0,M10.5.0/3")

/* Midnights in UTC: a Saturday in November 2026, and the days in 2027 on
 * which the clocks of Berlin are put forward and back. */
#define PLAIN INT64_C(1795219200)
#define FORWARD INT64_C(1806192000)
#define BACK INT64_C(1824940800)

/* The next allowed second. */
static int64_t next_of(const char *span, const char *other,
    const struct pv_time_zone *zone, int64_t at_s)
{
	struct pv_hours hours;
	pv_hours_init(&hours, zone);
	pv_hours_add_text(&hours, pv_str_of(span));
	if (other)
		pv_hours_add_text(&hours, pv_str_of(other));
	return pv_hours_next(&hours, at_s * 1000) / 1000;
}

static void test_reading(void)
{
	static const char *const wrong[] = {"", "22:00", "22:00-", "22-06",
	    "25:00-06:00", "22:60-06:00", "22:00-06:00 ", "06:00-06:00",
	    "24:00-00:00", "24:01-06:00"};
	struct pv_hours hours;
	pv_hours_init(&hours, NULL);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		ok(!pv_hours_add_text(&hours, pv_str_of(wrong[i])),
		    "\"%s\" is no span of hours", wrong[i]);
	ok(!hours.count && pv_hours_next(&hours, 1234) == 1234,
	    "without a span every moment is allowed");
	for (int i = 0; i < PV_HOURS_MAX; i++)
		pv_hours_add(&hours, 0, 60);
	ok(!pv_hours_add(&hours, 0, 60), "there is no room without end");
}

static void test_spans(void)
{
	static const struct {
		const char *span;
		const char *other;
		int64_t at_s;
		int64_t next_s;
	} cases[] = {
	    {"22:00-06:00", NULL, 0, 0},
	    {"22:00-06:00", NULL, 6 * HOUR_S - 1, 6 * HOUR_S - 1},
	    {"22:00-06:00", NULL, 6 * HOUR_S, 22 * HOUR_S},
	    {"22:00-06:00", NULL, 22 * HOUR_S - 1, 22 * HOUR_S},
	    {"08:00-12:00", NULL, 12 * HOUR_S, 32 * HOUR_S},
	    {"00:00-24:00", NULL, 5, 5},
	    {"12:30-24:00", NULL, 0, 12 * HOUR_S + 1800},
	    {"12:30-24:00", NULL, DAY_S - 1, DAY_S - 1},
	    {"24:00-01:00", NULL, 2 * HOUR_S, DAY_S},
	    {"01:00-02:00", "05:00-06:00", 2 * HOUR_S, 5 * HOUR_S},
	    {"01:00-02:00", "05:00-06:00", 6 * HOUR_S, 25 * HOUR_S},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(next_of(cases[i].span, cases[i].other, NULL,
		       PLAIN + cases[i].at_s) == PLAIN + cases[i].next_s,
		    "%s%s%s, %lld seconds after midnight", cases[i].span,
		    cases[i].other ? " and " : "",
		    cases[i].other ? cases[i].other : "",
		    (long long)cases[i].at_s);
	struct pv_hours hours;
	pv_hours_init(&hours, NULL);
	pv_hours_add_text(&hours, PV_STR("06:00-08:00"));
	ok(pv_hours_next(&hours, PLAIN * 1000 + 1) ==
		(PLAIN + 6 * HOUR_S) * 1000,
	    "milliseconds are not lost");
}

/* 31 December 1969, half a second before the last. */
static void test_before_1970(void)
{
	struct pv_hours hours;
	pv_hours_init(&hours, NULL);
	pv_hours_add_text(&hours, PV_STR("00:00-01:00"));
	ok(pv_hours_next(&hours, -1500) == 0,
	    "any time is some time of a day, also before 1970");
}

static void test_changes(void)
{
	static const struct {
		const char *span;
		int64_t at_s;
		int64_t next_s;
		const char *claim;
	} cases[] = {
	    {"08:00-09:00", PLAIN, PLAIN + 7 * HOUR_S,
		"in winter, 08:00 is 07:00 in UTC"},
	    {"08:00-09:00", FORWARD, FORWARD + 6 * HOUR_S,
		"once the clock was put forward, 06:00"},
	    {"02:00-03:00", FORWARD, FORWARD + DAY_S,
		"an hour that is left out comes the next day"},
	    {"02:30-04:00", FORWARD, FORWARD + HOUR_S,
		"of one that is left out in part, the rest"},
	    {"02:00-03:00", BACK, BACK, "an hour that comes twice"},
	    {"02:00-03:00", BACK + 2 * HOUR_S - 1, BACK + 2 * HOUR_S - 1,
		"is allowed twice"},
	    {"02:00-02:30", BACK + HOUR_S / 2, BACK + HOUR_S,
		"half of it, too"},
	    {"02:00-03:00", BACK + 2 * HOUR_S, BACK + 25 * HOUR_S,
		"and then not before the next day"},
	    {"03:00-04:00", BACK, BACK + 2 * HOUR_S,
		"what follows begins an hour later"},
	};
	struct pv_time_zone *berlin = pv_time_zone_ruled(BERLIN);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(next_of(cases[i].span, NULL, berlin, cases[i].at_s) ==
			cases[i].next_s,
		    "Berlin: %s", cases[i].claim);
	pv_time_zone_destroy(berlin);
}

static void test_both(void)
{
	struct pv_hours night;
	struct pv_hours early;
	struct pv_hours noon;
	pv_hours_init(&night, NULL);
	pv_hours_init(&early, NULL);
	pv_hours_init(&noon, NULL);
	pv_hours_add_text(&night, PV_STR("22:00-06:00"));
	pv_hours_add_text(&early, PV_STR("05:00-09:00"));
	pv_hours_add_text(&noon, PV_STR("12:00-13:00"));
	ok(pv_hours_next_both(&night, &early, (PLAIN + 7 * HOUR_S) * 1000) ==
		(PLAIN + 29 * HOUR_S) * 1000,
	    "what both allow is found");
	ok(pv_hours_next_both(NULL, &noon, PLAIN * 1000) ==
		(PLAIN + 12 * HOUR_S) * 1000,
	    "one alone counts alone");
	ok(pv_hours_next_both(&night, &noon, PLAIN * 1000) >
		(PLAIN + 20 * DAY_S) * 1000,
	    "hours that never meet are put off");
}

int main(void)
{
	test_reading();
	test_spans();
	test_before_1970();
	test_changes();
	test_both();
	return tap_done();
}
