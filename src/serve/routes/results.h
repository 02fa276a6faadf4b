#ifndef PAVANE_SERVE_ROUTES_RESULTS_H
#define PAVANE_SERVE_ROUTES_RESULTS_H

#include "record/journal_name.h"
#include "serve/routes/route.h"

/* Which results are asked for, and from where on. */
struct pv_results_place {
	struct pv_buf of; /* "journal", or a kind; made by who calls */
	bool is_journal;
	bool is_beginning; /* no cursor came: from the first that is kept on */
	struct pv_journal_place at;
	struct pv_buf
	    file; /* below the job's directory, once it was looked for;
			       made by who has that done */
};

/* Reads `of` and the cursor, of the query or of a browser that connects again.
 * False, with a problem, if they are not right. */
bool pv_results_place_read(const struct pv_exchange *exchange,
    struct pv_results_place *place, struct pv_reply *reply);

#endif
