#ifndef PAVANE_LIMITER_LIMITER_H
#define PAVANE_LIMITER_LIMITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "base/system.h"

/* What several crawls together may ask of a host or an address, so that all of
 * them keep what each of them promises: a table of functions.
 *
 * Each request is claimed at the clocks of its host and of its address before
 * it is made; the limiter hears when its bytes have gone out and when it has
 * ended. A claim is granted if the time has come that the crawl that asked last
 * wrote down, if the rest that this crawl itself would give has passed since
 * any crawl's last start or end, if no request there is just about to go out,
 * where that one or this one is to have a rest, and if no more requests are
 * open than each crawl that has one there bears with. Crawls take turns: of
 * those that were refused, the one that has waited longest goes first. A claim
 * never waits: a refused crawl gets the time of its next try. A crawl that is
 * over, however it ended, holds nothing; what it had open then counts as ended
 * when that is found out, so that the full rest follows.
 *
 * An engine may refuse more than that, never less; and it may say that a clock
 * is busy while it does not know yet, so one across machines need not wait for
 * its network either. Which crawls share clocks is the engine's matter:
 * limiter/file_limiter.h those of a user on a machine, limiter/alone.h none.
 *
 * Times are those of a monotonic clock that all of these crawls share. A
 * limiter belongs to one thread; other crawls may be threads of the same
 * process.
 */
struct pv_limiter;
struct pv_why;

enum pv_limiter_clock { PV_LIMITER_HOST, PV_LIMITER_ADDRESS };

struct pv_limiter_ask {
	enum pv_limiter_clock clock;
	struct pv_str name;
	struct pv_str
	    host_clock;    /* of the host that is to be asked there; empty
				     for that clock itself */
	uint16_t port;     /* at which the name alone is meant; 0: at all */
	int64_t rest_ms;   /* 0: nothing has to lie between two requests */
	bool is_from_end;  /* of the last request, not from its start */
	uint32_t open_max; /* requests, of all crawls */
	int64_t since;     /* this crawl has been refused there; else now */
};

/* As many as there may be. */
#define PV_LIMITER_ANY UINT32_MAX

enum pv_limiter_answer {
	PV_LIMITER_GRANTED,
	PV_LIMITER_EARLY, /* not before `until` */
	PV_LIMITER_BUSY,  /* another crawl is at it, or has its turn: not
			     before `until`, if that is later than soon */
};

/* A request's hold on a clock: nothing, or granted and not let go. Once its
 * limiter is closed it is of no use. */
struct pv_limiter_claim {
	void *held; /* the engine's; NULL: nothing */
	unsigned place;
	bool is_sent;
};

/* Of the functions only `claim` is given a claim that holds nothing, and `sent`
 * none that has been sent. What holds nothing any more is emptied
 * afterwards. */
struct pv_limiter_kind {
	const char *name;

	/* Shares the clocks that are kept at `place`. NULL, with the reason, if
	 * that cannot be done. `boot_id` is a text that is another one after
	 * each boot; NULL: this machine's. */
	struct pv_limiter *(*open)(
	    const char *place, const char *boot_id, struct pv_why *why);
	void (*close)(struct pv_limiter *limiter);

	enum pv_limiter_answer (*claim)(struct pv_limiter *limiter,
	    const struct pv_limiter_ask *ask, struct pv_time now,
	    struct pv_limiter_claim *claim, int64_t *until);
	void (*sent)(struct pv_limiter *limiter,
	    const struct pv_limiter_claim *claim, int64_t now, int64_t next);
	void (*end)(struct pv_limiter *limiter,
	    const struct pv_limiter_claim *claim, int64_t now, int64_t next);
	void (*drop)(
	    struct pv_limiter *limiter, const struct pv_limiter_claim *claim);
};

/* Each engine's begins with it. */
struct pv_limiter {
	const struct pv_limiter_kind *kind;
};

void pv_limiter_close(struct pv_limiter *limiter);

/* `until` is now, if it is granted. */
enum pv_limiter_answer pv_limiter_claim(struct pv_limiter *limiter,
    const struct pv_limiter_ask *ask, struct pv_time now,
    struct pv_limiter_claim *claim, int64_t *until);

/* The request's bytes have gone out; the next start is `next` at the
 * earliest, if it were this crawl's. */
void pv_limiter_sent(struct pv_limiter *limiter, struct pv_limiter_claim *claim,
    int64_t now, int64_t next);

/* It has ended, and lets go; one that never went out counts as sent now. */
void pv_limiter_end(struct pv_limiter *limiter, struct pv_limiter_claim *claim,
    int64_t now, int64_t next);

/* It lets go, and nothing else is known of it. */
void pv_limiter_drop(
    struct pv_limiter *limiter, struct pv_limiter_claim *claim);

#endif
