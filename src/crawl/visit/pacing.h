#ifndef PAVANE_CRAWL_VISIT_PACING_H
#define PAVANE_CRAWL_VISIT_PACING_H

#include <stdint.h>

/* Notes of each request where it stood in time (record/pacing.h), as it goes:
 * what a request leaves behind for the next one to its host is kept with the
 * host. Each function is called right after the conductor has asked what time
 * it is. */
struct pv_flight;
struct pv_visit_end;

/* What a host's next request needs to know of those before it. */
struct pv_pacing_host {
	int64_t sent_at;     /* the last; negative: none */
	int64_t overload_at; /* when an answer of 429 or 503 was over to which
				nothing was sent since; negative: none */
	uint32_t at_once;    /* sent and not over */
};

#define PV_PACING_HOST ((struct pv_pacing_host){-1, -1, 0})

/* Its bytes have gone out. */
void pv_pacing_sent(struct pv_flight *flight);

/* It is over, with this. */
void pv_pacing_end(struct pv_flight *flight, const struct pv_visit_end *end);

/* It was dropped, and its end is not reported. */
void pv_pacing_drop(struct pv_flight *flight);

#endif
