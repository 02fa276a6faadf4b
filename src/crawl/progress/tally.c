#include "crawl/progress/tally.h"

#include <stdlib.h>

/* A place that is free, or that of the smallest, if it is smaller. */
static struct pavane_tally *place_for(
    struct pavane_tallies *tallies, uint64_t count)
{
	struct pavane_tally *least = &tallies->items[0];
	if (tallies->count < PAVANE_TALLIES_MAX)
		return &tallies->items[tallies->count++];
	for (size_t i = 1; i < tallies->count; i++) {
		if (tallies->items[i].count < least->count)
			least = &tallies->items[i];
	}
	return least->count < count ? least : NULL;
}

void pv_tally_add(struct pavane_tallies *tallies, const char *word,
    const char *sentence, uint64_t count)
{
	struct pavane_tally *place = count ? place_for(tallies, count) : NULL;
	if (place)
		*place = (struct pavane_tally){word, sentence, count};
}

static int compare(const void *a, const void *b)
{
	const struct pavane_tally *left = a, *right = b;
	return (left->count < right->count) - (left->count > right->count);
}

void pv_tally_sort(struct pavane_tallies *tallies)
{
	qsort(tallies->items, tallies->count, sizeof(*tallies->items), compare);
}

void pv_tally_reasons(
    struct pavane_tallies *tallies, const struct pv_counts *counts)
{
	tallies->count = 0;
	for (unsigned i = 0; i < PV_REASON_COUNT; i++)
		pv_tally_add(tallies, pv_reason_word(i), pv_reason_sentence(i),
		    counts->reasons[i]);
	pv_tally_sort(tallies);
}

void pv_tally_outcomes(
    struct pavane_tallies *tallies, const struct pv_counts *counts)
{
	tallies->count = 0;
	for (unsigned i = 0; i < PV_OUTCOME_COUNT; i++)
		pv_tally_add(tallies, pv_outcome_word(i),
		    pv_outcome_sentence(i), counts->outcomes[i]);
	pv_tally_sort(tallies);
}
