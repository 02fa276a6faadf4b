#ifndef PAVANE_FRONTIER_SQLITE_HANDOVER_OWNERS_H
#define PAVANE_FRONTIER_SQLITE_HANDOVER_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Whose hosts are: which of them this worker owns, as its state has it, and what
 * becomes of their addresses when that changes.
 */
struct pv_handover;

/* For pv_handover_open and pv_handover_close. */
void pv_handover_owners_open(struct pv_handover *handover);
void pv_handover_owners_close(struct pv_handover *handover);

/* The host is this worker's; whether it was not before. */
bool pv_handover_own(
    struct pv_handover *handover, struct pv_str host, bool owes_delay);
bool pv_handover_owns(struct pv_handover *handover, struct pv_str host);

/* The host goes to others, unless it is held, which is false: nothing of it is
 * given out from now on. When all was passed on that was changed before, it may
 * be given away. */
bool pv_handover_leave(struct pv_handover *handover, struct pv_str host);
void pv_handover_give(struct pv_handover *handover, struct pv_str host);

/* Gives all hosts away at once: another worker's number has begun, and what
 * the one before owned was taken from it. Before the writer starts. */
void pv_handover_give_all(struct pv_handover *handover);

/* The same after all was judged by another policy: what is admitted now waits for
 * the owners of its hosts. */
void pv_handover_give_judged(struct pv_handover *handover);

/* The fleet is in that round: so the state's own is, too. Before the writer
 * starts. */
void pv_handover_join_round(
    struct pv_handover *handover, uint64_t number, int64_t now_wall_ms);

/* Calls the function for each host that is owned. */
typedef void (*pv_owned_fn)(void *ctx, struct pv_str host);
void pv_handover_each_owned(
    struct pv_handover *handover, pv_owned_fn call, void *ctx);

/* The same for those that have something left, also if all of it was given out; with
 * those that rest for long, or without. */
enum pv_asked {
	PV_ASKED_NEVER,
	PV_ASKED_ELSEWHERE, /* by others, and not since: it owes its delay */
	PV_ASKED_HERE,
};

typedef void (*pv_busy_fn)(void *ctx, struct pv_str host, enum pv_asked asked);
void pv_handover_each_busy(struct pv_handover *handover, bool has_long_rests,
    pv_busy_fn call, void *ctx);

#endif
