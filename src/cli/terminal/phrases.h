#ifndef PAVANE_CLI_TERMINAL_PHRASES_H
#define PAVANE_CLI_TERMINAL_PHRASES_H

#include <stdbool.h>

#include "pavane/pavane.h"

/* What is said of a crawl while it goes on, by the live display and by plain
 * lines alike: short phrases, the most telling first, so that what a narrow
 * terminal leaves out is what matters least. */
#define PV_PHRASES_MAX 12

struct pv_phrase {
	char text[512];
};

struct pv_phrases {
	struct pv_phrase items[PV_PHRASES_MAX];
	size_t count;
};

/* "234 of 1,205 done", "1.0 requests/s" and so on. */
void pv_phrases_of(
    const struct pavane_progress *progress, struct pv_phrases *phrases);

/* "[===>      ] 34%", with a bar of that width; "" where nobody knows how much
 * there is to do. */
#define PV_BAR_MAX 40
struct pv_phrase pv_phrase_of_share(
    const struct pavane_progress *progress, size_t width);

/* Which hosts wait for what; "" if none does. */
struct pv_phrase pv_phrase_of_waiting(const struct pavane_progress *progress);

/* How stopping goes on, and what `again` ("Ctrl+C again") would do; "" while
 * nobody has asked to stop. */
struct pv_phrase pv_phrase_of_stopping(
    const struct pavane_progress *progress, const char *again);

/* What a tally is called: its sentence, or its word where it has none. */
const char *pv_tally_name(const struct pavane_tally *tally);

#endif
