#ifndef PAVANE_CRAWL_ROBOTS_AUTHORITY_H
#define PAVANE_CRAWL_ROBOTS_AUTHORITY_H

#include "base/map.h"
#include "crawl/host/task.h"
#include "robots/matcher.h"

/* An authority (scheme, host and port), and what its robots.txt says.
 *
 * The numbers of states stand in state files.
 *
 * Nothing of it is visited before that is known. Visits that come up for
 * release meanwhile are set aside here, and go back to their host's line when
 * the answer has come. While it cannot be fetched, every page is forbidden:
 * they wait on, and it is asked again, later and later.
 */
enum pv_authority_state {
	PV_AUTHORITY_UNKNOWN,
	PV_AUTHORITY_ASKING, /* a task for it waits or is under way */
	PV_AUTHORITY_OPEN,   /* it has no rules */
	PV_AUTHORITY_RULES,
	PV_AUTHORITY_CLOSED, /* it did not say: until `ask_at` */
	PV_AUTHORITY_LOST,   /* it has not said for so long that what waited is
				given up */
};

struct pv_authority {
	struct pv_str text; /* "https://example.org:8443", its own */
	enum pv_authority_state state;
	struct pv_robots_rules *rules; /* NULL without; the last good ones
					  while it is asked again */
	int64_t ask_at;                /* when what is known is too old, or
					  closed is to be tried again */
	int64_t good_until; /* how long the last good answer is valid if no
			       other can be fetched */
	uint32_t redirects; /* of the answer that is looked for */
	uint32_t failures;  /* in a row ... */
	bool is_page_first; /* before it is asked again, so that a host whose
			       robots.txt fails is asked for anything else */
	int64_t failed_since_wall_ms; /* ... since then; 0: it does not fail */
	bool has_answered;            /* ever, whatever it was */
	bool is_looked_for;           /* in what earlier runs have kept */
	bool is_remembered;           /* that has been done */
	struct pv_task_line aside;
	uint32_t asks;             /* that hold it */
	struct pv_live_host *host; /* that it is asked for; NULL when that has
				      left */
	struct pv_authority *host_next; /* among those of its host */
	struct pv_authority **host_link;
};

struct pv_authorities {
	struct pv_map map; /* to the places of items */
	struct pv_authority **items;
	size_t count;
	size_t size;
	size_t max;   /* so many are remembered */
	size_t room;  /* how many there may be before some are forgotten */
	size_t bytes; /* that their rules take */
	size_t bytes_max;
	size_t bytes_room; /* that these may take before some are forgotten */
	int64_t ask_next;  /* when the first that is closed is asked again;
			     PV_NEVER */
	bool is_kept;      /* that some are in the state file, and not here */
};

void pv_authorities_init(
    struct pv_authorities *authorities, struct pv_hash_key key);
void pv_authorities_finish(struct pv_authorities *authorities);

/* It is not forgotten while a task for it, or a look for what is known of it,
 * is anywhere under way. */
void pv_authority_hold(struct pv_authority *authority);
void pv_authority_let_go(struct pv_authority *authority);

/* It is asked for on behalf of the host from now, first in that host's list. */
void pv_authority_join(struct pv_authority *authority,
    struct pv_live_host *host, struct pv_authority **list);

/* It is its host's no more, and nor are the tasks that were set aside. If nothing is
 * known of it, it is looked for again when the host is back, who may have been at
 * another worker of a fleet meanwhile. */
void pv_authority_leave(struct pv_authority *authority);

/* One of them is to be asked again then. */
void pv_authorities_note_ask(
    struct pv_authorities *authorities, int64_t ask_at);

/* The authority works by these rules from now on, which are given; NULL for
 * none. */
void pv_authorities_set_rules(struct pv_authorities *authorities,
    struct pv_authority *authority, struct pv_robots_rules *rules);

/* The authority of that text, made if there is none.
 *
 * A host has as many as it has ports, and each may have a large robots.txt: so
 * there is room for so many only, and for so many bytes of rules. Where that is
 * used up, half is made free by forgetting those whose host has left, and, if
 * they are not enough, those of hosts that are here, but for those that a task
 * is for. What is forgotten is in the state file, and looked for there when it
 * is wanted again. So no pointer to an authority that no task is for outlives
 * this call. */
struct pv_authority *pv_authorities_find(
    struct pv_authorities *authorities, struct pv_str text);

#endif
