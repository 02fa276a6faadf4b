#include "schedule/saved_clock.h"

#include "tap.h"

#define DAY (INT64_C(24) * 3600 * 1000)
#define WALL (INT64_C(20000) * DAY)

static const struct {
	const char *claim;
	struct pv_saved_wait saved;
	int64_t wall_ms;
	int64_t left_ms;
} cases[] = {
    {"P3: what is left of a rest is waited for in full", {3, WALL + 3, 10},
	WALL + DAY, 3},
    {"P3: what a server asked for goes on while nobody runs",
	{3, WALL + 100, 1000}, WALL + 60, 40},
    {"P1: of both the later counts", {60, WALL + 100, 1000}, WALL + 60, 60},
    {"a wall clock that was put back makes no wait longer than it is",
	{3, WALL + 100, 1000}, WALL - DAY, 1000},
    {"P1: one that was put forward does not burst", {3, WALL + 100, 1000},
	WALL + 900 * DAY, 3},
    {"P1: nor is any longer than it was, whatever is said to be left",
	{2000, WALL - 1, 1000}, WALL, 1000},
    {"what is over is over", {0, WALL - 1, 1000}, WALL, 0},
    {"who was never asked does not wait", {0, 0, 0}, WALL, 0},
    {"P5: nonsense that is small waits for nothing",
	{INT64_MIN, INT64_MIN, INT64_MIN}, WALL, 0},
    {"P5: nonsense that is large overflows nothing",
	{INT64_MAX, INT64_MAX, INT64_MAX}, WALL, 3650 * DAY},
};

static const struct {
	const char *claim;
	struct pv_saved_wait saved;
	int64_t wall_ms;
	int64_t began_at; /* where it is 1000 by the monotonic clock */
} beginnings[] = {
    {"P1: it is known when a wait began", {3, WALL + 3, 10}, WALL, 993},
    {"P1: also of one that is over", {0, WALL, 40}, WALL + 20, 940},
    {"also before the monotonic clock did", {0, WALL, 40}, WALL + DAY,
	960 - DAY},
    {"P1: a wall clock that was put back begins it now", {3, WALL + 3, 10},
	WALL - DAY, 1000},
    {"who was never asked does not wait", {0, WALL, 0}, WALL, PV_LONG_AGO},
    {"P5: nonsense that is small says nothing",
	{INT64_MIN, INT64_MIN, INT64_MIN}, WALL, PV_LONG_AGO},
    {"P5: nonsense that is large begins now", {INT64_MAX, INT64_MAX, INT64_MAX},
	WALL, 1000},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		ok(pv_saved_began_at(beginnings[i].saved,
		       (struct pv_time){1000, beginnings[i].wall_ms}) ==
			beginnings[i].began_at,
		    "%s", beginnings[i].claim);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(pv_saved_wait_left(cases[i].saved, cases[i].wall_ms) ==
			cases[i].left_ms,
		    "%s", cases[i].claim);
	ok(pv_saved_wall_left(WALL - 5, 10, WALL) == -5,
	    "it is known for how long something has been over");
	const struct pv_time now = {10, WALL + 10};
	ok(pv_saved_until_wall(15, now) == WALL + 16,
	    "P1: what lies ahead is written down rounded up");
	ok(pv_saved_until_wall(10, now) == WALL + 10,
	    "and what is over as it is");
	return tap_done();
}
