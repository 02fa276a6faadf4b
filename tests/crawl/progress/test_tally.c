#include "crawl/progress/tally.h"

#include "tap.h"

static void test_order(void)
{
	struct pavane_tallies tallies = {.count = 0};
	pv_tally_add(&tallies, "few", "are few", 3);
	pv_tally_add(&tallies, "none", "are none", 0);
	pv_tally_add(&tallies, "most", "are most", UINT64_MAX);
	pv_tally_add(&tallies, "some", "are some", 70);
	pv_tally_sort(&tallies);
	ok(tallies.count == 3, "what there is none of has no place");
	is_text(pv_str_of(tallies.items[0].word), "most", "the largest first");
	is_text(pv_str_of(tallies.items[1].sentence), "are some",
	    "with its sentence");
	ok(tallies.items[2].count == 3, "and the smallest last");
}

static void test_full(void)
{
	struct pavane_tallies tallies = {.count = 0};
	for (uint64_t i = 1; i <= PAVANE_TALLIES_MAX + 5; i++)
		pv_tally_add(&tallies, "word", "", i);
	ok(tallies.count == PAVANE_TALLIES_MAX, "P5: there is an end to them");
}

/* The least of those that are kept. */
static void test_largest_kept(void)
{
	struct pavane_tallies tallies = {.count = 0};
	for (uint64_t i = 1; i <= PAVANE_TALLIES_MAX; i++)
		pv_tally_add(&tallies, "few", "", i);
	pv_tally_add(&tallies, "many", "", 1000);
	pv_tally_sort(&tallies);
	ok(tallies.count == PAVANE_TALLIES_MAX &&
		tallies.items[0].count == 1000 &&
		tallies.items[PAVANE_TALLIES_MAX - 1].count == 2,
	    "where there is no room, the smallest has to go");
	pv_tally_add(&tallies, "one", "", 1);
	pv_tally_sort(&tallies);
	ok(tallies.items[PAVANE_TALLIES_MAX - 1].count == 2,
	    "be it the one that comes");
}

static void test_reasons(void)
{
	struct pv_counts counts = {.states = {0}};
	struct pavane_tallies tallies = {.count = 7};
	bool have_words = true;
	for (unsigned i = 1; i < PV_REASON_COUNT; i++)
		counts.reasons[i] = i;
	pv_tally_reasons(&tallies, &counts);
	ok(tallies.count == PV_REASON_COUNT - 1,
	    "P4: each reason is shown, and nothing of before");
	for (size_t i = 0; i < tallies.count; i++)
		have_words = have_words && tallies.items[i].word[0] &&
			     strcmp(tallies.items[i].word, "unknown") != 0 &&
			     tallies.items[i].sentence[0];
	ok(have_words, "P4: with a word and a sentence");
	ok(tallies.items[0].count == PV_REASON_COUNT - 1, "the largest first");
	is_text(pv_str_of(tallies.items[0].word),
	    pv_reason_word(PV_REASON_COUNT - 1), "and under its own name");
}

static void test_outcomes(void)
{
	struct pv_counts counts = {.states = {0}};
	struct pavane_tallies tallies;
	bool have_words = true;
	for (unsigned i = 1; i < PV_OUTCOME_COUNT; i++)
		counts.outcomes[i] = 1;
	pv_tally_outcomes(&tallies, &counts);
	for (size_t i = 0; i < tallies.count; i++)
		have_words = have_words && tallies.items[i].word[0] &&
			     tallies.items[i].sentence[0];
	ok(tallies.count == PV_OUTCOME_COUNT - 1 && have_words,
	    "each outcome has a word and a sentence");
}

int main(void)
{
	test_order();
	test_full();
	test_largest_kept();
	test_reasons();
	test_outcomes();
	return tap_done();
}
