#ifndef PAVANE_SCHEDULE_VISIT_HEAD_H
#define PAVANE_SCHEDULE_VISIT_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The head of a host's queue: the visits that come next. It is bounded, and
 * the rest stays on disk, so that a giant host costs no more memory than
 * others. What a visit is, only the caller knows.
 */
#define PV_VISIT_HEAD_MAX ((size_t)32)

struct pv_visit_head {
	uint64_t *visits; /* a ring; NULL while it is empty */
	uint8_t first;
	uint8_t count;
	uint8_t size; /* a power of two, or 0 */
};

void pv_visit_head_finish(struct pv_visit_head *head);

/* Adds a visit behind or before all others; false if it is full. */
bool pv_visit_head_push(struct pv_visit_head *head, uint64_t visit);
bool pv_visit_head_push_first(struct pv_visit_head *head, uint64_t visit);

/* Takes the first visit of a head that is not empty. */
uint64_t pv_visit_head_pop(struct pv_visit_head *head);

#endif
