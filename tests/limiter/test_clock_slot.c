#include "limiter/clock_slot.h"

#include "base/why.h"
#include "limiter/clock_file.h"
#include "policy/scratch.h"
#include "tap.h"

/* A slot as it is written by one crawl, and refreshed by another. The monotonic
 * clock says NOW, the wall clock WALL more. */
#define NOW INT64_C(1000000)
#define WALL INT64_C(1700000000000)
#define YEAR (INT64_C(365) * 24 * 3600 * 1000)

static struct scratch scratch;
static struct pv_clock_file file;
static struct pv_clock_slot *slot;

static void begin(void)
{
	struct pv_why why;
	pv_why_init(&why);
	if (!scratch_open(&scratch) ||
	    !pv_clock_file_open(&file, scratch.dir, "boot", &why))
		abort();
	pv_why_finish(&why);
	slot = file.buckets[0].slots;
}

static void finish(void)
{
	pv_clock_file_close(&file);
	scratch_remove(scratch.dir);
}

static struct pv_time at(int64_t monotonic_ms)
{
	return (struct pv_time){monotonic_ms, WALL + monotonic_ms};
}

/* Asked at 900 s, answered at 901 s, and left alone until 961 s. */
static void write_usual(void)
{
	pv_clock_slot_start_anew(&file, slot, at(900000));
	slot->last_start = 900000;
	slot->last_end = 901000;
	slot->next = 961000;
	slot->rest_ms = 60000;
}

static bool is_repaired(void)
{
	return slot->last_start == NOW && slot->last_end == NOW &&
	       slot->next == NOW + slot->rest_ms;
}

static void test_times(void)
{
	_Atomic int64_t time = 5;
	begin();
	pv_clock_slot_raise(&time, 4);
	ok(time == 5, "a time is never made earlier");
	pv_clock_slot_raise(&time, 7);
	ok(time == 7, "but later");
	write_usual();
	ok(pv_clock_slot_last(slot) == 901000,
	    "what was heard last of a host is its answer");
	slot->last_start = 902000;
	ok(pv_clock_slot_last(slot) == 902000,
	    "or the next request, where that began later");
	finish();
}

static void test_unchanged(void)
{
	begin();
	write_usual();
	pv_clock_slot_refresh(&file, slot, (struct pv_time){NOW, WALL});
	ok(slot->last_start == 900000 && slot->last_end == 901000 &&
		slot->next == 961000 && slot->rest_ms == 60000,
	    "what a crawl of this boot wrote stays");
	ok(slot->to_wall_ms == WALL - NOW && slot->boot == file.boot,
	    "and is compared with the wall clock as it is now");
	finish();
}

/* One word that nobody would write, each in its turn. */
struct damage {
	const char *claim;
	int64_t last_start;
	int64_t last_end;
	int64_t next;
	bool is_repaired;
};

static const struct damage damages[] = {
    {"a start in some minute beyond now", NOW + 60001, 0, 0, true},
    {"a start within this minute", NOW + 60000, 0, 0, false},
    {"an end in some minute beyond now", 0, NOW + 60001, 0, true},
    {"a start beyond all clocks", INT64_MAX, 0, 0, true},
    {"a start before all clocks", INT64_MIN, 0, 0, true},
    {"an end beyond all clocks", 0, INT64_MAX / 3, 0, true},
    {"a next start beyond all clocks", 0, 0, INT64_MAX, true},
    {"a rest of eleven years", 0, 0, NOW + 11 * YEAR, true},
    {"a rest of ten years", 0, 0, 901000 + 10 * YEAR, false},
};

static void test_damages(void)
{
	for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		const struct damage *damage = &damages[i];
		begin();
		write_usual();
		slot->turn_number = 9;
		if (damage->last_start)
			slot->last_start = damage->last_start;
		if (damage->last_end)
			slot->last_end = damage->last_end;
		if (damage->next)
			slot->next = damage->next;
		pv_clock_slot_refresh(&file, slot, at(NOW));
		ok(is_repaired() == damage->is_repaired, "P1: %s %s",
		    damage->claim,
		    damage->is_repaired
			? "is taken as a request that has just been made"
			: "may be true");
		ok(!damage->is_repaired ||
			(slot->rest_ms == 10000 && !slot->turn_number &&
			    slot->turn_at == NOW && slot->turn_since == NOW),
		    "with a rest of ten seconds at most, and nobody's turn");
		finish();
	}
}

static void test_turn_damage(void)
{
	begin();
	write_usual();
	slot->turn_at = INT64_MAX;
	pv_clock_slot_refresh(&file, slot, at(NOW));
	ok(is_repaired(), "a turn beyond all clocks is damage");
	write_usual();
	slot->turn_since = INT64_MIN;
	pv_clock_slot_refresh(&file, slot, at(NOW));
	ok(is_repaired(), "and so is one that waits since ever");
	write_usual();
	slot->to_wall_ms = INT64_MAX;
	pv_clock_slot_refresh(&file, slot, at(NOW));
	ok(is_repaired(), "or a wall clock beyond all years");
	slot->last_start = INT64_MAX;
	slot->rest_ms = 3000;
	pv_clock_slot_refresh(&file, slot, at(NOW));
	ok(slot->rest_ms == 3000 && slot->next == NOW + 3000,
	    "a short rest is kept as it is");
	finish();
}

/* Written in an earlier boot; NOW is of this one. */
static void test_boots(void)
{
	begin();
	write_usual();
	slot->boot = file.boot - 1;
	slot->turn_number = 9;
	struct pv_time now = {5000, WALL + 901000 + 20000};
	pv_clock_slot_refresh(&file, slot, now);
	ok(slot->last_end == 5000 - 19999 && slot->last_start == 5000 - 20999,
	    "P3: after a boot it is as long ago as the wall clock says");
	ok(slot->next == 5000 + 40001,
	    "P1: and what is left of the rest is waited out");
	ok(!slot->turn_number && slot->boot == file.boot,
	    "nobody has a turn from before");
	pv_clock_slot_start_anew(&file, slot, at(900000));
	int64_t long_ago = slot->last_end;
	slot->boot = file.boot - 1;
	pv_clock_slot_refresh(&file, slot, now);
	ok(slot->last_end == long_ago && slot->last_start == long_ago,
	    "what was never asked stays so");
	finish();
}

/* What crawls left open that are over. */
static void test_burials(void)
{
	struct pv_clock_holder *holder;
	begin();
	write_usual();
	holder = &slot->holders[PV_CLOCK_HOLDERS - 1];
	holder->number = file.number;
	holder->open = 1;
	pv_clock_slot_refresh(&file, slot, at(NOW));
	ok(holder->open == 1 && slot->last_end == 901000,
	    "the request of a crawl that is there stays open");
	ok(!pv_clock_slot_is_quiet(slot, NOW + 10 * YEAR),
	    "P1: and as long as it is, the slot is nobody else's");
	holder->number = file.number + 1;
	holder->connecting = 1;
	pv_clock_slot_refresh(&file, slot, at(NOW));
	ok(!holder->open && !holder->number && !holder->connecting,
	    "that of a crawl that is over is closed");
	ok(slot->last_start == NOW + 1 && slot->last_end == NOW + 1 &&
		slot->next >= NOW + 1 + 60000,
	    "P1: and its host rests as if it had ended just now");
	slot->boot = file.boot - 1;
	holder->number = file.number;
	holder->open = 1;
	pv_clock_slot_refresh(&file, slot, at(NOW + 500));
	ok(!holder->open,
	    "P3: a number of an earlier boot is that of nobody who is there");
	finish();
}

static void test_quiet(void)
{
	begin();
	write_usual();
	ok(!pv_clock_slot_is_quiet(slot, 960999),
	    "P1: a slot is kept while its host rests");
	ok(pv_clock_slot_is_quiet(slot, 961000), "and given up then");
	slot->rest_ms = 100;
	slot->next = 901100;
	ok(!pv_clock_slot_is_quiet(slot, 910999) &&
		pv_clock_slot_is_quiet(slot, 911000),
	    "but not within ten seconds of the last answer");
	slot->next = 950000;
	ok(!pv_clock_slot_is_quiet(slot, 949999) &&
		pv_clock_slot_is_quiet(slot, 950000),
	    "P1: nor before a longer rest that was asked for is over");
	slot->is_shared = true;
	slot->turn_number = 9;
	pv_clock_slot_start_anew(&file, slot, at(NOW));
	ok(!slot->is_shared && !slot->turn_number && !slot->rest_ms &&
		slot->next < 0 && pv_clock_slot_last(slot) < 0 &&
		slot->boot == file.boot,
	    "a name that is new begins without a clock");
	finish();
}

int main(void)
{
	test_times();
	test_unchanged();
	test_damages();
	test_turn_damage();
	test_boots();
	test_burials();
	test_quiet();
	return tap_done();
}
