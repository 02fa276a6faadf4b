#ifndef PAVANE_NAMES_NAMES_H
#define PAVANE_NAMES_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/address.h"

/* From names to addresses that may be reached.
 *
 * A host is looked up before it is scheduled: in fetch.resolve, or with c-ares
 * on the loop that it shares with all else, never in a thread. Each address is
 * vetted: one that is no host's, or that is on this machine or a private
 * network for which the policy does not name the host, is dropped by itself,
 * and what is left is the answer. An address that stands in a URL is vetted
 * alike. So a connection to the addresses given here, and to no others, cannot
 * be misled by a name.
 *
 * Answers are kept for as long as the name server says, within bounds, and so
 * are negative ones. A look-up ends by its own deadline, and no more than so
 * many are under way at once; the others wait their turn.
 *
 * How old an answer is goes by the clock that is given. How long to wait for
 * one goes by the loop's timers (lookup.h, channel.h), since it is on the wire:
 * c-ares tries again by the system's clock and takes no other. A simulated
 * crawl has names of its own (struct pv_names_kind) and so no wire.
 */
struct uv_loop_s;
struct pv_clock;
struct pv_clock_kind;
struct pv_policy;
struct pv_names;
struct pv_names_limits;

#define PV_NAME_ADDRESSES_MAX 8

enum pv_name_result {
	PV_NAME_FOUND,
	PV_NAME_UNKNOWN,   /* there is no such name, or it has no address */
	PV_NAME_NO_ANSWER, /* nobody could say: servers fail or are silent */
	PV_NAME_FORBIDDEN, /* it has addresses, none of which we may reach ... */
	PV_NAME_ASKED_AWAY, /* ... and never.txt names one of them */
};

struct pv_name_answer {
	enum pv_name_result result;
	struct pv_address addresses[PV_NAME_ADDRESSES_MAX];
	uint32_t count;
	uint16_t port; /* where fetch.resolve says so; else 0, the URL's */
	bool is_own;   /* the first is on this machine or a private network */
	int64_t kept_until; /* in the clock's time */
	int64_t took_ms;    /* the asking; 0 where nobody was asked */
	char why[200];      /* for a person, where nothing was found; safe to
			       print */
};

/* The policy outlives it, and the clock lives until it is destroyed. */
struct pv_names *pv_names_create(struct uv_loop_s *loop,
    const struct pv_policy *policy, const struct pv_clock_kind *clock_kind,
    const struct pv_clock *clock);

/* The same, by other measures than the usual ones (names/limits.h). */
struct pv_names *pv_names_create_by(struct uv_loop_s *loop,
    const struct pv_policy *policy, const struct pv_names_limits *limits,
    const struct pv_clock_kind *clock_kind, const struct pv_clock *clock);

/* Nothing more is asked, what is under way is dropped without a word, and its
 * memory goes when the loop has run its closing callbacks. NULL is fine. */
void pv_names_destroy(struct pv_names *names);

/* A host that the person named among the seeds: it may have a private
 * address. */
void pv_names_add_named(struct pv_names *names, struct pv_str host);

/* What is known of a host and not too old; NULL if it has to be looked up.
 * Borrowed until the next call. */
const struct pv_name_answer *pv_names_get(
    struct pv_names *names, struct pv_str host);

/* Looks a host up (as URLs have it: a name, or an address, in brackets if it
 * is IPv6), whatever is kept. The answer comes from the loop, never within the
 * call, and is borrowed for the time of its own. */
typedef void (*pv_name_fn)(void *ctx, const struct pv_name_answer *answer);
void pv_names_find(struct pv_names *names, struct pv_str host,
    pv_name_fn on_answer, void *ctx);

/* Nobody with that ctx wants an answer any more. */
void pv_names_forget(struct pv_names *names, const void *ctx);

/* How many are under way or wait their turn. */
uint32_t pv_names_count(const struct pv_names *names);

/* The functions above as a table: others may stand in their place. */
struct pv_names_kind {
	struct pv_names *(*create)(struct uv_loop_s *loop,
	    const struct pv_policy *policy,
	    const struct pv_clock_kind *clock_kind,
	    const struct pv_clock *clock);
	void (*destroy)(struct pv_names *names);
	void (*add_named)(struct pv_names *names, struct pv_str host);
	const struct pv_name_answer *(*get)(
	    struct pv_names *names, struct pv_str host);
	void (*find)(struct pv_names *names, struct pv_str host,
	    pv_name_fn on_answer, void *ctx);
	void (*forget)(struct pv_names *names, const void *ctx);
	uint32_t (*count)(const struct pv_names *names);
};

extern const struct pv_names_kind pv_real_names;

#endif
