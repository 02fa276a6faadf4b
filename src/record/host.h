#ifndef PAVANE_RECORD_HOST_H
#define PAVANE_RECORD_HOST_H

#include "base/buf.h"

#include <stdint.h>

/* What must outlive the process of a host's clock, of what it wants of us, and
 * of its limits. The schedule says what the clock means. */
struct pv_host_state {
	int64_t left_ms;       /* until the next request may start ... */
	int64_t until_wall_ms; /* ... and when that is */
	int64_t wait_ms;       /* the whole wait of which this is the end */
	int64_t wait_reason;
	int64_t took_ms; /* the last answer */
	int64_t rest_ms; /* of the back-off */
	int64_t rest_until_wall_ms;
	int64_t window_until_wall_ms; /* of the host's own bucket */
	int64_t window_count;
	int64_t address_left_ms; /* of its address's clock, the same ... */
	int64_t address_until_wall_ms; /* ... as of its own */
	int64_t address_wait_ms;
	int64_t failures;               /* in a row, at different addresses */
	int64_t nameless_until_wall_ms; /* its name does not exist, and is not
					   asked for before then */
	int64_t name_failures; /* look-ups in a row that nobody answered */
	int64_t
	    left_reason;    /* enum pv_reason: why it was left; 0: it was not */
	int64_t blocks;     /* 401, 403 and 451 in a row */
	int64_t retry_debt; /* crawl/visit/retry_budget.h */
	int64_t pages;      /* visits done */
	int64_t bytes;
	int64_t saved_ms;   /* when all that was so, by the crawl's clock */
	int64_t owes_delay; /* 1: it may just have been asked, whatever its
			       clock says, and its whole delay is due */
	int64_t name_failed_wall_ms; /* when the first of name_failures was; 0:
					there is none */
};

/* Who has a host, and whether anything is to be asked of it. The numbers stand
 * in state files. */
enum pv_holding {
	PV_HOST_DEPARTING = -2, /* it goes to other workers of the fleet: here it
				 is not asked any more */
	PV_HOST_AWAY = -1,    /* it is not ours, but theirs */
	PV_HOST_IDLE = 0,    /* nobody holds it, nothing is pending */
	PV_HOST_WAITING, /* nobody holds it, something is pending */
	PV_HOST_HELD,
	PV_HOST_DRAINED, /* held, and nothing is pending */
};

/* A host as the frontier gives it out. */
struct pv_host {
	uint64_t id;
	struct pv_str name;
	struct pv_host_state state;
	/* The last run ended before it was given back: whatever its clock says,
	 * it may just have been asked, and its whole delay is due. */
	bool owes_delay;
	/* It was held before in this run: the conductor knows its clock. */
	bool was_held;
};

/* Hosts with their names, up to a ceiling. */
struct pv_host_list {
	struct pv_host_item *items;
	size_t count;
	size_t size;
	struct pv_buf names;
};

void pv_host_list_init(struct pv_host_list *hosts, size_t name_ceiling);
void pv_host_list_finish(struct pv_host_list *hosts);

/* Copies the host; false if the ceiling is in the way. */
bool pv_host_list_add(struct pv_host_list *hosts, const struct pv_host *host);

/* The host of that number, whose name is valid until the next change. */
struct pv_host pv_host_list_get(
    const struct pv_host_list *hosts, size_t number);

#endif
