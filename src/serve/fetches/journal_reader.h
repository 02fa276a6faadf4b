#ifndef PAVANE_SERVE_FETCHES_JOURNAL_READER_H
#define PAVANE_SERVE_FETCHES_JOURNAL_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "store/service/fetch_store.h"

/* What a crawl's journal says of addresses, as far as it is committed. */

/* The last word on an address: the time is when it was asked for or refused. */
struct pv_journal_word {
	struct pv_str url;
	struct pv_fetch_answer answer;
	bool is_refused;
};

typedef void (*pv_journal_word_fn)(
    void *ctx, const struct pv_journal_word *word);

/* Reads the line; false if it is no last word on an address. What it gives is
 * valid for the call of the function. */
bool pv_journal_word_read(struct pv_str line, pv_journal_word_fn fn, void *ctx);

/* Whether anything is committed behind the place. */
bool pv_journal_reader_has_more(
    const char *directory, const struct pv_journal_place *place);

/* Gives what stands behind the place, which goes on with it, a piece at a time, and
 * from one file to the next; false when there is no more. */
bool pv_journal_reader_read(const char *directory,
    struct pv_journal_place *place, pv_journal_word_fn fn, void *ctx);

#endif
