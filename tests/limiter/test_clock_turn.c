#include "limiter/clock_turn.h"

#include "base/why.h"
#include "limiter/clock_file.h"
#include "policy/scratch.h"
#include "tap.h"

/* Two crawls, and the slot of a host that both want. */
static struct scratch scratch;
static struct pv_clock_file one;
static struct pv_clock_file two;
static struct pv_clock_slot *slot;

static bool begin(uint32_t rest_ms)
{
	struct pv_why why;
	pv_why_init(&why);
	bool is_open = scratch_open(&scratch) &&
		       pv_clock_file_open(&one, scratch.dir, "boot", &why) &&
		       pv_clock_file_open(&two, scratch.dir, "boot", &why);
	pv_why_finish(&why);
	if (is_open) {
		slot = one.buckets[0].slots;
		slot->rest_ms = rest_ms;
	}
	return is_open;
}

static void finish(void)
{
	pv_clock_file_close(&one);
	pv_clock_file_close(&two);
	scratch_remove(scratch.dir);
}

static bool is_others(
    const struct pv_clock_file *file, int64_t since, int64_t now)
{
	return pv_clock_turn_is_others(file, slot, since, now);
}

static void test_order(void)
{
	if (!begin(0))
		abort();
	ok(!is_others(&two, 500, 500), "nobody has a turn at first");
	pv_clock_turn_wait(&one, slot, 500, 900, 500);
	ok(!is_others(&one, 500, 600), "a turn is no obstacle to who has it");
	ok(is_others(&two, 501, 600), "who came later waits for it");
	ok(is_others(&two, 500, 600), "and so does who came as early");
	ok(!is_others(&two, 499, 600), "but not who came earlier");
	pv_clock_turn_wait(&two, slot, 501, 950, 600);
	ok(is_others(&two, 501, 600) && slot->turn_at == 900,
	    "a later crawl does not take a turn away");
	pv_clock_turn_wait(&two, slot, 499, 950, 600);
	ok(is_others(&one, 500, 600) && !is_others(&two, 499, 600) &&
		slot->turn_at == 950 && slot->turn_since == 499,
	    "one that waits for longer does");
	pv_clock_turn_end(&one, slot);
	ok(is_others(&one, 500, 600), "nobody ends another crawl's turn");
	pv_clock_turn_end(&two, slot);
	ok(!is_others(&one, 500, 600), "a crawl ends its own");
	finish();
}

/* How late who has the turn may come. */
static const struct {
	const char *claim;
	uint32_t rest_ms;
	int64_t late_ms;
} lapses[] = {
    {"a second where the host rests for less", 10, 1000},
    {"as long as the host rests", 4000, 4000},
    {"ten seconds at most", 60000, 10000},
};

static void test_lapse(void)
{
	for (size_t i = 0; i < sizeof(lapses) / sizeof(*lapses); i++) {
		if (!begin(lapses[i].rest_ms))
			abort();
		pv_clock_turn_wait(&one, slot, 500, 900, 500);
		ok(is_others(&two, 501, 900 + lapses[i].late_ms),
		    "a turn is kept for %s", lapses[i].claim);
		ok(!is_others(&two, 501, 901 + lapses[i].late_ms),
		    "and then lapses");
		finish();
	}
}

static void test_end_of_a_crawl(void)
{
	if (!begin(0))
		abort();
	pv_clock_turn_wait(&two, slot, 500, 900, 500);
	pv_clock_file_close(&two);
	ok(!is_others(&one, 501, 600),
	    "nobody waits for the turn of a crawl that is over");
	pv_clock_turn_wait(&one, slot, 501, 950, 600);
	ok(slot->turn_number == one.number, "but takes it");
	pv_clock_file_close(&one);
	scratch_remove(scratch.dir);
}

int main(void)
{
	test_order();
	test_lapse();
	test_end_of_a_crawl();
	return tap_done();
}
