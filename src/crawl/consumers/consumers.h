#ifndef PAVANE_CRAWL_CONSUMERS_CONSUMERS_H
#define PAVANE_CRAWL_CONSUMERS_CONSUMERS_H

#include "sink/sink.h"

/* Sinks that write into the state: what of an answer is kept there beside its
 * address, in the transaction that records it. All of it is the writer's
 * thread's. */
extern const struct pv_sink_kind pv_consumer_ledger;         /* ledger.c */
extern const struct pv_sink_kind pv_consumer_robots;         /* notes.c */
extern const struct pv_sink_kind pv_consumer_vouchers;       /* notes.c */
extern const struct pv_sink_kind pv_consumer_seed_redirects; /* notes.c */
extern const struct pv_sink_kind pv_consumer_bare_pages;     /* notes.c */
extern const struct pv_sink_kind pv_consumer_refused;        /* notes.c */
extern const struct pv_sink_kind pv_consumer_redirects;      /* redirects.c */

extern const struct pv_sink_kind pv_consumer_untold; /* untold.c */

/* All of them, in the order in which they are asked. */
extern const struct pv_sink_kind *const pv_consumer_kinds[];
extern const size_t pv_consumer_kind_count;

#endif
