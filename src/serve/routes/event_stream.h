#ifndef PAVANE_SERVE_ROUTES_EVENT_STREAM_H
#define PAVANE_SERVE_ROUTES_EVENT_STREAM_H

#include "serve/routes/route.h"

/* A reply of server-sent events, made while it is read.
 *
 * Its source is asked for events when there is news of jobs, and only when all that
 * it gave before is sent: so a slow reader costs no memory. But each has a connection
 * of those that there may be, so that there are no more than PV_STREAMS_MAX: the
 * others are left for all else. */
#define PV_STREAMS_MAX 192

struct pv_event_source {
	/* Appends what there is, which may be nothing; false if nothing more will
	 * follow. */
	bool (*fill)(void *ctx, struct pv_buf *events);

	/* Waits for news, but not for longer than so many milliseconds; NULL: for
	 * those of all jobs. */
	void (*wait)(void *ctx, int64_t most_ms);

	void (*close)(void *ctx);
	void *ctx;
};

/* Makes the reply a stream, which has the source from then on; or a problem, where
 * there are as many as may be. */
void pv_event_stream_begin(struct pv_request *request,
    const struct pv_event_source *source, struct pv_reply *reply);

#endif
