#ifndef PAVANE_SERVE_ROUTES_RESULT_STREAM_H
#define PAVANE_SERVE_ROUTES_RESULT_STREAM_H

#include "record/journal_name.h"
#include "serve/routes/route.h"

/* Lines of a job as they are committed, until it has ended: server-sent events,
 * whose ids are cursors.
 *
 * They are read from the file itself, piece by piece and as fast as the reader
 * takes them, so that a slow one costs no memory. */
struct pv_result_place {
	struct pv_str id; /* of the job */
	const char *of;   /* "journal", or a kind */
	const char *file; /* below the job's directory */
	const char *directory;
	struct pv_journal_place at; /* to begin at; of all that is no journal
				       the generation is 0 */
};

/* Makes the reply a stream. */
void pv_result_stream_begin(struct pv_request *request,
    const struct pv_result_place *place, struct pv_reply *reply);

#endif
