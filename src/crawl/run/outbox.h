#ifndef PAVANE_CRAWL_RUN_OUTBOX_H
#define PAVANE_CRAWL_RUN_OUTBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "frontier/frontier.h"
#include "store/writer.h"

/* Papers for the frontier and the writer, in order: what they have no room for
 * now waits here until they have. */
enum pv_paper_kind {
	PV_PAPER_REPORT,
	PV_PAPER_HOST_REQUEST,
	PV_PAPER_VISIT_REQUEST,
	PV_PAPER_HOST_RETURN,
	PV_PAPER_HOST_RETURNS,
	PV_PAPER_COUNT_REQUEST,
	PV_PAPER_REFUSED_REQUEST,
	PV_PAPER_PAGE_REQUEST,
	PV_PAPER_JOBS, /* a chain for the writer itself */
};

struct pv_outbox {
	struct pv_frontier *frontier;
	struct pv_writer *writer;
	struct pv_outbox_item *first;
	struct pv_outbox_item *last;
	size_t waiting;   /* here */
	size_t under_way; /* sent, or waiting here, and not come back */
	uint64_t reports; /* that were given in all */
};

void pv_outbox_init(struct pv_outbox *outbox, struct pv_frontier *frontier,
    struct pv_writer *writer);

/* Drops what waits; it is still the caller's. */
void pv_outbox_finish(struct pv_outbox *outbox);

void pv_outbox_give(struct pv_outbox *outbox, enum pv_paper_kind kind,
    void *paper, int64_t now);

/* One that was given has come back to its owner: the `done` of each paper says
 * so. */
void pv_outbox_came_back(struct pv_outbox *outbox);

/* Sends on what waits, as far as there is room. */
void pv_outbox_send(struct pv_outbox *outbox, int64_t now);

#endif
