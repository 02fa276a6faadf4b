#ifndef PAVANE_FLEET_WORKER_OPTIONS_H
#define PAVANE_FLEET_WORKER_OPTIONS_H

#include "base/hash.h"
#include "base/str.h"

/* What a worker of a fleet is told by its crawl when it begins, and what it tells the
 * crawl from then on (fleet/fleet.h): functions that get `ctx`. They are called on
 * the loop's thread, if nothing else is said.
 */
struct pv_clock;
struct pv_clock_kind;
struct pv_database;
struct pv_fleet_figures;
struct pv_fleet_part;
struct pv_policy;
struct pv_rejudging;
struct pv_trap_body;
struct pv_trap_host;
struct pv_trap_session;
struct pv_voucher;
struct uv_loop_s;

struct pv_fleet_options {
	struct uv_loop_s *loop;
	const char *url;       /* of the database */
	const char *name;      /* of the crawl */
	const char *directory; /* the worker's */
	struct pv_str policy;  /* as text: copied */
	const struct pv_policy *as_read;
	const struct pv_clock_kind *clock_kind;
	const struct pv_clock *clock;
	struct pv_hash_key random; /* the key of a new crawl */
	bool is_update; /* if the crawl is finished, its next round begins */

	/* Rows may say by which of the crawl's earlier policies they were judged:
	 * each of those is told once, before the crawl begins, with its text.
	 * What has changed since is asked for then, and on the writer's thread;
	 * NULL if that decides about nothing. */
	void (*on_earlier_policy)(
	    void *ctx, uint64_t number, struct pv_str text);
	struct pv_rejudging *(*since)(void *ctx, uint64_t number);

	/* The worker has lost its number: others may own its hosts. The crawl is to
	 * be opened again. */
	void (*on_lost)(void *ctx, const char *why);

	/* There is no fleet to join again: the crawl is to end. */
	void (*on_gone)(void *ctx, const char *why);

	/* From now on it may use that much; whether nothing beyond it is under
	 * way. */
	bool (*use)(void *ctx, const struct pv_fleet_part *part);

	/* What people want of the crawl has changed: the text of orders
	 * (store/orders.h), which is borrowed, with `stop` if this worker is to
	 * stop. False if it cannot be heeded yet: it is said again. */
	bool (*on_wish)(void *ctx, struct pv_str orders, bool is_to_stop);

	/* How far the worker is, but for what the fleet itself knows. */
	void (*on_figures)(void *ctx, struct pv_fleet_figures *figures);

	/* A worker's seed was redirected there, which is in scope from now on;
	 * whether what was refused before may be in scope by that. */
	bool (*on_redirect)(void *ctx, struct pv_str url);

	/* The same is kept, for later runs; on the writer's thread, when all that
	 * was refused before has been judged again. */
	void (*keep_redirect)(
	    void *ctx, struct pv_database *database, struct pv_str url);

	/* How what was refused is judged again by a wider scope, on any thread;
	 * its answer is nobody's. NULL: it is not. */
	struct pv_rejudging *rejudging;

	/* What traps have counted of hosts goes with them (fleet/taking/notes.h). On
	 * the writer's thread: it is forgotten for these, by the hashes of their
	 * names which are sorted, and what their last owner has counted is put in.
	 * NULL: nothing is counted. */
	void (*forget_counts)(void *ctx, const uint64_t *hosts, size_t count);
	void (*put_bodies)(void *ctx, const struct pv_trap_body *body);
	void (*put_session)(void *ctx, const struct pv_trap_session *session);

	/* Whether one more host may be followed of the site to which that host
	 * belongs, and what is counted of it is to be asked for; by which hash. Then
	 * hosts of it come. */
	bool (*wants_site)(void *ctx, struct pv_str host, uint64_t *site);
	void (*put_host)(void *ctx, const struct pv_trap_host *host);

	/* The same of which other hosts a sitemap may list. */
	void (*put_voucher)(void *ctx, struct pv_database *database,
	    const struct pv_voucher *voucher);
	int64_t ttl_ms; /* of its lease; 0: as usual */

	/* Whether a start is to be given up: asked now and then while it waits. NULL:
	 * it is not. */
	bool (*is_enough)(void *ctx);

	/* The worker was part of the fleet a moment ago, in this process: a start
	 * waits for PostgreSQL as long as it takes. Else it takes ten seconds at
	 * most. */
	bool was_part;
	int64_t wish_before; /* then: as pv_fleet_wish was */

	/* Something for the log. */
	void (*on_line)(void *ctx, bool is_warning, const char *text);
	void *ctx;
};

#endif
