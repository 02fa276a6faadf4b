#include "record/standing.h"

#include "tap.h"

static const struct pv_standing samples[] = {
    {.use = PV_PAGE, .depth = 2, .depth_left = 3},
    {.use = PV_PAGE, .depth = 4, .depth_left = 5, .hops = 1},
    {.use = PV_PAGE, .depth = 3, .depth_left = 3, .redirects = 2},
    {.use = PV_RESOURCE, .depth = 1, .depth_left = 9},
    {.use = PV_RESOURCE, .depth = 5, .depth_left = 2, .redirects = 1},
    {.use = PV_REFUSED, .depth = 1, .verdict = {PV_REASON_HOST, 0}},
    {.use = PV_REFUSED, .depth = 1, .verdict = {PV_REASON_RULE, 3}},
    {.use = PV_REFUSED, .depth = 1, .verdict = {PV_REASON_RULE, 2}},
    {.use = PV_REFUSED, .depth = 4, .verdict = {PV_REASON_DEPTH, 0}},
};

#define SAMPLES (sizeof(samples) / sizeof(*samples))

static struct pv_standing join(struct pv_standing a, struct pv_standing b)
{
	pv_standing_join(&a, &b);
	return a;
}

static bool is_same(struct pv_standing a, struct pv_standing b)
{
	return pv_standing_equal(&a, &b);
}

/* What every order of finding must agree on. */
static void test_order(void)
{
	unsigned idempotent = 0, commutative = 0, associative = 0;
	for (size_t i = 0; i < SAMPLES; i++) {
		struct pv_standing a = samples[i];
		idempotent += is_same(join(a, a), a);
		for (size_t j = 0; j < SAMPLES; j++) {
			struct pv_standing b = samples[j];
			commutative += is_same(join(a, b), join(b, a));
			for (size_t k = 0; k < SAMPLES; k++) {
				struct pv_standing c = samples[k];
				associative += is_same(
				    join(join(a, b), c), join(a, join(b, c)));
			}
		}
	}
	ok(idempotent == SAMPLES, "the same again changes nothing");
	ok(commutative == SAMPLES * SAMPLES,
	    "which of two is found first changes nothing");
	ok(associative == SAMPLES * SAMPLES * SAMPLES,
	    "nor in which order three are found");
}

static void test_strength(void)
{
	struct pv_standing page = samples[0];
	struct pv_standing deeper = page;
	deeper.depth = 7;
	ok(!pv_standing_join(&page, &deeper), "a deeper one says nothing new");
	ok(is_same(join(samples[8], samples[3]), samples[3]),
	    "what was refused as a page is admitted as a resource");
	ok(is_same(join(samples[3], samples[0]), samples[0]),
	    "a page is stronger than a resource that is less deep");
	ok(join(samples[0], samples[1]).depth == 2 &&
		join(samples[0], samples[1]).depth_left == 5 &&
		join(samples[0], samples[1]).hops == 0,
	    "the best of each number counts");
	ok(join(samples[2], samples[0]).redirects == 0,
	    "what is linked to begins a new row of redirects");
	ok(is_same(join(samples[8], samples[5]), samples[5]),
	    "of refusals the one nearest to a seed is kept");
	ok(join(samples[6], samples[7]).verdict.line == 2,
	    "and among those the first line");
}

static void test_words(void)
{
	is_text(pv_str_of(pv_use_word(PV_PAGE)), "page", "uses have words");
	is_text(pv_str_of(pv_use_word(99)), "unknown", "strange ones as well");
	for (unsigned i = 0; i < PV_REASON_COUNT; i++)
		ok(pv_reason_word(i), "P4: reason %u has a word: %s", i,
		    pv_reason_word(i));
	is_text(pv_str_of(pv_reason_word(PV_REASON_COUNT)), "unknown",
	    "a reason of a later version is unknown");
}

int main(void)
{
	test_order();
	test_strength();
	test_words();
	return tap_done();
}
