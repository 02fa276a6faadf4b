#include "serve/figures/sums.h"

#include <string.h>

static void raise_to(uint64_t *count, uint64_t found)
{
	if (*count < found)
		*count = found;
}

/* The words are statuses. Of many different ones not all are told, so that a sum
 * of what is told can become less. */
static void raise_classes(
    uint64_t *classes, const struct pavane_tallies *statuses)
{
	uint64_t sums[PV_FIGURES_CLASSES] = {0};
	for (size_t i = 0; i < statuses->count; i++) {
		const char *word = statuses->items[i].word;
		bool is_known = strlen(word) == 3 && *word >= '1' &&
				*word < '0' + PV_FIGURES_CLASSES;
		sums[is_known ? *word - '0' : 0] += statuses->items[i].count;
	}
	for (size_t i = 0; i < PV_FIGURES_CLASSES; i++)
		raise_to(&classes[i], sums[i]);
}

/* A spread is counted as a whole: its count is the sum of its steps. */
static void raise_spread(
    struct pavane_spread *spread, const struct pavane_spread *found)
{
	if (found->up_to_ms && found->count >= spread->count)
		*spread = *found;
}

void pv_counted_raise(
    struct pv_counted *counted, const struct pavane_progress *progress)
{
	raise_to(&counted->requests, progress->requests);
	raise_to(&counted->pages, progress->pages);
	raise_to(&counted->bytes, progress->bytes);
	raise_classes(counted->classes, &progress->statuses);
	raise_spread(&counted->lateness, &progress->lateness);
	raise_spread(&counted->commit, &progress->commit);
}

static void add_spread(
    struct pavane_spread *sum, const struct pavane_spread *more)
{
	if (more->up_to_ms)
		sum->up_to_ms = more->up_to_ms;
	for (size_t i = 0; i <= PAVANE_SPREAD_STEPS; i++)
		sum->counts[i] += more->counts[i];
	sum->count += more->count;
	sum->sum_us += more->sum_us;
}

void pv_counted_add(struct pv_counted *sum, const struct pv_counted *more)
{
	sum->requests += more->requests;
	sum->pages += more->pages;
	sum->bytes += more->bytes;
	for (size_t i = 0; i < PV_FIGURES_CLASSES; i++)
		sum->classes[i] += more->classes[i];
	add_spread(&sum->lateness, &more->lateness);
	add_spread(&sum->commit, &more->commit);
}

void pv_momentary_set(
    struct pv_momentary *now, const struct pavane_progress *progress)
{
	*now = (struct pv_momentary){
	    .pending = progress->pending,
	    .done = progress->done,
	    .refused = progress->refused,
	    .failed = progress->failed,
	    .in_flight = progress->in_flight,
	    .open = progress->open,
	    .hosts = progress->hosts,
	    .hosts_waiting = progress->hosts_waiting,
	    .waiting = progress->waiting,
	    .refusals = progress->refusals,
	};
}

/* A word that there is no room for any more is left out. */
static void add_tallies(
    struct pavane_tallies *sum, const struct pavane_tallies *more)
{
	for (size_t i = 0; i < more->count; i++) {
		size_t place = 0;
		while (place < sum->count &&
		       strcmp(sum->items[place].word, more->items[i].word) != 0)
			place++;
		if (place == PAVANE_TALLIES_MAX)
			continue;
		if (place < sum->count)
			sum->items[place].count += more->items[i].count;
		else
			sum->items[sum->count++] = more->items[i];
	}
}

void pv_momentary_add(struct pv_momentary *sum, const struct pv_momentary *more)
{
	sum->pending += more->pending;
	sum->done += more->done;
	sum->refused += more->refused;
	sum->failed += more->failed;
	sum->in_flight += more->in_flight;
	sum->open += more->open;
	sum->hosts += more->hosts;
	sum->hosts_waiting += more->hosts_waiting;
	add_tallies(&sum->waiting, &more->waiting);
	add_tallies(&sum->refusals, &more->refusals);
}
