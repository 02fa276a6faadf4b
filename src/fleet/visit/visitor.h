#ifndef PAVANE_FLEET_VISIT_VISITOR_H
#define PAVANE_FLEET_VISIT_VISITOR_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/why.h"
#include "fleet/visit/visited_address.h"

/* A look at a fleet by who is none of its workers: how it stands, and what people
 * want of it.
 *
 * A visitor has a line and a loop of its own and waits for each answer, for ten
 * seconds at most. It makes no tables and holds nothing: between two calls the
 * fleet may change.
 */
struct pv_fleet_visitor;

/* A worker counts as living until it has left or others have reaped it: where there
 * are no others, nobody does. One that was seen so long ago asks for nothing. */
#define PV_FLEET_SILENT_MS INT64_C(30000)

/* Beats come every ten seconds: one that was seen so long ago has missed one. */
#define PV_FLEET_LATE_MS INT64_C(15000)

struct pv_visited_worker {
	int64_t number;
	const char *place; /* host:directory */
	bool is_alive;
	bool is_idle;    /* all that it may ask for is done */
	bool was_reaped; /* it has not left by itself: it was silent */
	int64_t clocks;  /* that it owns */
	int64_t pages;
	int64_t bytes;
	int64_t requests;
	int64_t unsent;  /* reports that are not passed on yet */
	int64_t seen_ms; /* ago */
	int64_t span_ms; /* between its last two beats; 0: there are none */
	int64_t pages_in_span; /* that it has fetched in it */
};

struct pv_visited_crawl {
	int64_t number;
	bool is_finished;
	int64_t wish_number; /* of the last */
	const char *policy;  /* as text */
	const char *wish;    /* the text of orders (store/orders.h); "": none */
	int64_t waiting;     /* clocks that nobody owns, and have work */
	int64_t links;       /* on their way */
	int64_t pages;       /* by all workers, those that have left as well */
	int64_t bytes;
	int64_t left;                      /* workers that live no more ... */
	int64_t left_pages;                /* ... with their pages ... */
	int64_t reaped;                    /* ... and those that were silent */
	int64_t state_version;             /* of the rows of its workers */
	bool has_key;                      /* that makes sense ... */
	struct pv_hash_key key;            /* ... of its fingerprints */
	struct pv_visited_worker *workers; /* that live, then the last ones that
					      have left */
	size_t worker_count;

	struct pv_arena arena; /* of all of that */
};

/* The functions below as a table, which has none where this program was built
 * without PostgreSQL. */
struct pv_fleet_visitor_kind {
	struct pv_fleet_visitor *(*open)(const char *url, struct pv_why *why);
	bool (*look)(struct pv_fleet_visitor *visitor, const char *name,
	    struct pv_visited_crawl *crawl, struct pv_why *why);
	bool (*find_host)(struct pv_fleet_visitor *visitor, int64_t crawl,
	    struct pv_str host, bool *is_there, struct pv_why *why);
	bool (*find_address)(struct pv_fleet_visitor *visitor,
	    const struct pv_visited_crawl *crawl,
	    const struct pv_visited_question *question,
	    struct pv_visited_address *address, struct pv_why *why);
	bool (*wish)(struct pv_fleet_visitor *visitor,
	    const struct pv_visited_crawl *crawl, struct pv_str wish,
	    bool *is_written, struct pv_why *why);
	void (*close)(struct pv_fleet_visitor *visitor);
};

extern const struct pv_fleet_visitor_kind pv_postgresql_visitor;

/* NULL, with the reason, if it cannot be reached. */
struct pv_fleet_visitor *pv_fleet_visitor_open(
    const char *url, struct pv_why *why);
void pv_fleet_visitor_close(struct pv_fleet_visitor *visitor);

/* How the crawl of that name stands, to be finished, also after a failure. False,
 * with the reason, if there is none. */
bool pv_fleet_visitor_look(struct pv_fleet_visitor *visitor, const char *name,
    struct pv_visited_crawl *crawl, struct pv_why *why);
static inline void pv_visited_crawl_finish(struct pv_visited_crawl *crawl)
{
	pv_arena_finish(&crawl->arena);
}

/* Whether the fleet knows the host. */
bool pv_fleet_visitor_find_host(struct pv_fleet_visitor *visitor, int64_t crawl,
    struct pv_str host, bool *is_there, struct pv_why *why);

/* What the fleet knows of an address, of its host, and of its host's robots.txt, to
 * be finished, also after a failure. False, with the reason, if that cannot be
 * read. */
bool pv_fleet_visitor_find_address(struct pv_fleet_visitor *visitor,
    const struct pv_visited_crawl *crawl,
    const struct pv_visited_question *question,
    struct pv_visited_address *address, struct pv_why *why);

/* Writes what people want, and tells the workers. It is not written where somebody
 * else has written since that look. */
bool pv_fleet_visitor_wish(struct pv_fleet_visitor *visitor,
    const struct pv_visited_crawl *crawl, struct pv_str wish, bool *is_written,
    struct pv_why *why);

#endif
