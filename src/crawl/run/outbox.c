#include "crawl/run/outbox.h"

#include <stdlib.h>

#include "base/alloc.h"

struct pv_outbox_item {
	struct pv_outbox_item *next;
	enum pv_paper_kind kind;
	void *paper;
};

void pv_outbox_init(struct pv_outbox *outbox, struct pv_frontier *frontier,
    struct pv_writer *writer)
{
	*outbox = (struct pv_outbox){.frontier = frontier, .writer = writer};
}

static void drop_first(struct pv_outbox *outbox)
{
	struct pv_outbox_item *item = outbox->first;
	outbox->first = item->next;
	if (!outbox->first)
		outbox->last = NULL;
	outbox->waiting--;
	free(item);
}

void pv_outbox_finish(struct pv_outbox *outbox)
{
	while (outbox->first)
		drop_first(outbox);
}

static bool send(
    struct pv_outbox *outbox, enum pv_paper_kind kind, void *paper, int64_t now)
{
	struct pv_frontier *frontier = outbox->frontier;
	switch (kind) {
	case PV_PAPER_REPORT:
		return pv_frontier_report(frontier, paper, now);
	case PV_PAPER_HOST_REQUEST:
		return pv_frontier_take_hosts(frontier, paper, now);
	case PV_PAPER_VISIT_REQUEST:
		return pv_frontier_take_visits(frontier, paper, now);
	case PV_PAPER_HOST_RETURN:
		return pv_frontier_give_host(frontier, paper, now);
	case PV_PAPER_HOST_RETURNS:
		return pv_frontier_give_all_hosts(frontier, paper, now);
	case PV_PAPER_COUNT_REQUEST:
		return pv_frontier_count(frontier, paper, now);
	case PV_PAPER_REFUSED_REQUEST:
		return pv_frontier_take_refused(frontier, paper, now);
	case PV_PAPER_PAGE_REQUEST:
		return pv_frontier_find_page(frontier, paper, now);
	case PV_PAPER_JOBS:
		return pv_writer_send(outbox->writer, paper, now);
	}
	return true;
}

void pv_outbox_give(
    struct pv_outbox *outbox, enum pv_paper_kind kind, void *paper, int64_t now)
{
	outbox->under_way++;
	outbox->reports += kind == PV_PAPER_REPORT;
	if (!outbox->first && send(outbox, kind, paper, now))
		return;
	struct pv_outbox_item *item = pv_alloc(sizeof(*item));
	*item = (struct pv_outbox_item){.kind = kind, .paper = paper};
	if (outbox->last)
		outbox->last->next = item;
	else
		outbox->first = item;
	outbox->last = item;
	outbox->waiting++;
}

void pv_outbox_came_back(struct pv_outbox *outbox)
{
	outbox->under_way--;
}

void pv_outbox_send(struct pv_outbox *outbox, int64_t now)
{
	while (outbox->first &&
	       send(outbox, outbox->first->kind, outbox->first->paper, now))
		drop_first(outbox);
}
