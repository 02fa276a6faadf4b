#ifndef PAVANE_LIMITER_SHARED_CLOCKS_H
#define PAVANE_LIMITER_SHARED_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/str.h"

/* Clocks that the crawls of one user on one machine share, so that together
 * they keep what each of them promises to a host or an address.
 *
 * Each request is claimed at its clocks before it is made. A claim is granted
 * if the time has come that whoever asked last wrote down, if the rest that
 * this crawl itself would give has passed since anybody's last start or end, if
 * nobody's request there is just about to go out, and if no more requests are
 * open than each crawl that has one there bears with. Crawls take turns: of
 * those that were refused, the one that has waited longest goes first
 * (limiter/clock_turn.h). Nobody waits for anybody
 * in here: who is refused is told when to come again. A crawl that is over,
 * however it ended, holds nothing; what it had open then counts as ended when
 * somebody finds out, so that the full rest follows.
 *
 * Clocks are found by their name's keyed hash. Where too many are in use at
 * once, or two hash alike, they share: then hosts are asked more slowly, never
 * faster. A clock that has been quiet for ten seconds, and longer than any rest
 * that was asked for there, may be given up for another. After a boot the wall
 * clock decides, which makes no wait longer than it was.
 *
 * Times are those of the machine's monotonic clock, which is the same for all
 * crawls. What is here belongs to one thread; other crawls may be threads of
 * the same process.
 */
struct pv_shared_clocks;
struct pv_clock_slot;
struct pv_why;

/* Shares the clocks in a directory, which is made if need be. NULL, with the
 * reason, if that cannot be done. `boot_id` as in limiter/clock_file.h. */
struct pv_shared_clocks *pv_shared_clocks_open(
    const char *directory, const char *boot_id, struct pv_why *why);
void pv_shared_clocks_close(struct pv_shared_clocks *clocks);

enum pv_shared_kind { PV_SHARED_HOST, PV_SHARED_ADDRESS };

struct pv_shared_ask {
	enum pv_shared_kind kind;
	struct pv_str name;
	uint16_t port;     /* at which the name alone is meant; 0: at all */
	int64_t rest_ms;   /* 0: nothing has to lie between two requests */
	bool is_from_end;  /* of the last request, not from its start */
	uint32_t open_max; /* requests, of all crawls */
	int64_t since;     /* this crawl has been refused there; else now */
};

/* As many as there may be. */
#define PV_SHARED_ANY UINT32_MAX

enum pv_shared_answer {
	PV_SHARED_GRANTED,
	PV_SHARED_EARLY, /* not before `until` */
	PV_SHARED_BUSY,  /* somebody is at it, or has their turn: not before
			    `until`, if that is later than soon */
};

/* A request's hold on a clock: nothing, or granted and not let go. */
struct pv_shared_claim {
	struct pv_clock_slot *slot;
	unsigned holder;
	bool is_sent;
};

enum pv_shared_answer pv_shared_clocks_claim(struct pv_shared_clocks *clocks,
    const struct pv_shared_ask *ask, struct pv_time now,
    struct pv_shared_claim *claim, int64_t *until);

/* The request's bytes have gone out; the next start is `next` at the
 * earliest, if it were this crawl's. */
void pv_shared_claim_sent(
    struct pv_shared_claim *claim, int64_t now, int64_t next);

/* It has ended, and lets go; one that never went out counts as sent now. */
void pv_shared_claim_end(
    struct pv_shared_claim *claim, int64_t now, int64_t next);

/* It lets go, and nothing else is known of it. */
void pv_shared_claim_drop(struct pv_shared_claim *claim);

#endif
