#ifndef PAVANE_RECORD_VISIT_H
#define PAVANE_RECORD_VISIT_H

#include "base/buf.h"
#include "record/standing.h"

/* A request to be made. */
struct pv_visit {
	uint64_t id; /* the address's, in the frontier */
	uint64_t host_id;
	struct pv_standing standing;
	uint32_t attempt; /* from 0: how often it was tried before ... */
	uint32_t waits;   /* ... and how often it was put off, which is no
			     try */
	uint32_t gains;   /* how often it got further, which is none either */
	int64_t not_before_wall_ms; /* after a failure; 0 if at any time */
	bool is_repeated; /* it has been answered, and is asked for again: it
			     was found where more may follow from it, or this is
			     an update */
	uint64_t round; /* of the address itself, where it was asked for anew
			   by itself: from 2; else 0 */
	struct pv_str url;
	struct pv_str via; /* the page it was found on; empty for seeds */
	struct pv_str tag;
	struct pv_str carry; /* for the page's rows, as the first link brought
				it that gave its kind */
	struct pv_str copy;  /* that there is of it, packed (record/copy.h) */
	struct pv_str part;  /* of a body that was broken off, packed
			       (record/part.h) */
};

/* Whether it was tried before, for what it tells of its host. */
static inline bool pv_visit_is_repeat(const struct pv_visit *visit)
{
	return visit->attempt > 0 || visit->gains > 0;
}

/* Visits with their texts, up to a ceiling. */
struct pv_visit_list {
	struct pv_visit_item *items;
	size_t count;
	size_t size;
	struct pv_buf texts;
};

void pv_visit_list_init(struct pv_visit_list *visits, size_t text_ceiling);
void pv_visit_list_finish(struct pv_visit_list *visits);

/* Copies the visit; false if the ceiling is in the way. */
bool pv_visit_list_add(
    struct pv_visit_list *visits, const struct pv_visit *visit);

/* The visit of that number, whose texts are valid until the next change. */
struct pv_visit pv_visit_list_get(
    const struct pv_visit_list *visits, size_t number);

#endif
