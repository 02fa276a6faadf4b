#ifndef PAVANE_FETCH_CALL_H
#define PAVANE_FETCH_CALL_H

#include <stdatomic.h>
#include <stdint.h>

#include "fetch/connection/fair_share.h"

/* What libcurl is asked to do on a lane's thread, one call at a time.
 *
 * While libcurl is at work, the call says so, and for which socket, so that
 * another thread can see who it is that keeps it there (watch.h). What time the
 * call takes is laid to the sockets that it was for, and who takes too much is
 * cut off. All but the first two fields are the lane's thread's.
 */
struct pv_call {
	atomic_uint serial; /* odd: libcurl is at work */
	atomic_int socket;  /* for which; -1: for whichever it chooses */

	struct pv_fair_share *share; /* the lane's */
	uint64_t began_ns;           /* by the clock that never jumps */
	uint64_t laid_ns;            /* so much of it is laid to somebody */
	int named;                   /* the socket of its last callback */
};

/* Around whatever libcurl is asked to do that may take long. */
void pv_call_begin(struct pv_call *call, int fd);
void pv_call_end(struct pv_call *call);

/* Within a call: libcurl is at work for that socket, if it is one. In one call
 * it may be for many, and whose it is what it does between two callbacks for
 * different ones can only be guessed. */
void pv_call_is_for(struct pv_call *call, int fd);

#endif
