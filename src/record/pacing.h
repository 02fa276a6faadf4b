#ifndef PAVANE_RECORD_PACING_H
#define PAVANE_RECORD_PACING_H

#include <stdbool.h>
#include <stdint.h>

/* A request's place in time: when it was let go, when its bytes went out and
 * when it was over, and which rule had held it until then. The journal and the
 * ledger have it from here, and the audit uses it.
 *
 * Times are whole milliseconds since the crawl's run began, by a clock that
 * never jumps; negative where it did not come to that. What took no turn (a
 * refusal, a request that this machine could not make) has no run.
 */
struct pv_pacing {
	int64_t run; /* from 1, in the order in which a crawl was gone on
			with; 0: it took no turn, and all else says nothing */
	int64_t worker; /* of a fleet, by its number there; 0: none */
	int64_t released_ms;
	int64_t sent_ms;
	int64_t end_ms;

	/* Since the request before this one was sent to its host, in this
	 * run. */
	int64_t gap_ms;
	int64_t rest_ms;  /* how much of it the rule asked for */
	const char *rule; /* a word (schedule/wait.h); NULL: nothing held it */

	/* Since the last answer of 429 or 503 was over, if none was sent to the
	 * host since. */
	int64_t reaction_ms;

	int64_t retry_after_ms; /* that the answer asked for */
	uint32_t at_once;       /* sent to the host and not over, this one
				   counted */
	bool is_own_fault;      /* how it ended says nothing of its host */
};

#define PV_PACING_NONE                         \
	((struct pv_pacing){.released_ms = -1, \
	    .sent_ms = -1,                     \
	    .end_ms = -1,                      \
	    .gap_ms = -1,                      \
	    .rest_ms = -1,                     \
	    .reaction_ms = -1,                 \
	    .retry_after_ms = -1})

#endif
