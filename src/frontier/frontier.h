#ifndef PAVANE_FRONTIER_FRONTIER_H
#define PAVANE_FRONTIER_FRONTIER_H

#include "base/hash.h"
#include "frontier/papers.h"

/* The frontier: which addresses are known, and which are left to be visited, by
 * host.
 *
 * Each known address is in one state (record/state.h) and keeps the strongest
 * standing that was ever said of it (record/standing.h). A link that makes it
 * stronger re-admits it: after a refusal always; after an answer only if more
 * may follow from it, and then the visit says that it is repeated.
 *
 * Hosts are taken and given back whole, with their clocks, and only who holds a
 * host gets its visits, those that failed before behind all others, then the
 * least deep first, then the first found. So an engine may serve several
 * machines, each of which paces its own hosts.
 *
 * What any engine promises is held by tests/frontier/engines.h. All its
 * functions are called on one thread, the caller's, but is_known, on any; and
 * end_round, in a job of the writer.
 *
 * Papers. The functions that take a paper (frontier/papers.h) give it to the
 * engine, and return at once. It comes back by its `done`, on the caller's
 * thread, when the writer's jobs are received (store/writer.h); papers come
 * back in any order, and take effect in the order in which they were given.
 * False from one of these functions: so much is under way that the paper, still
 * the caller's, must wait until others have come back. A status other than
 * PV_STORE_OK is for good: nothing of that paper is kept, nor of a later one.
 *
 * What is on the disk. A report, and hosts taken or given back, are on the disk
 * before they come back: what follows from them outlives any end. Visits,
 * counts and what is only asked for come back sooner, and what they change is
 * on the disk with the next commit. Visits that were taken and not reported are
 * pending after any end, and their hosts owe their delay.
 *
 * Beside state.db. The jobs in `with` of a report, on_refused, end_round and
 * the functions for before the writer's start are parts of transactions of the
 * crawl's own state.db, which every crawl has; is_final and change are known
 * before `with` is run. What mirror, explain and audit read of addresses, hosts
 * and figures (store/tables/state_addresses.h, state_hosts.h, state_figures.h)
 * they read there. The engine of a fleet (fleet/fleet.h) keeps all that in
 * state.db, too, by the engine on SQLite, for the hosts that are its own, and passes
 * on what has changed before reports come back.
 *
 * What differs in a fleet. Hosts of which nobody knows wait a moment until the
 * worker owns them, and on_work tells of them then. A host may be had by its name
 * unless another worker owns it. Once all hosts were given back they may be
 * others', so that each owes its delay to whoever takes it next.
 */

/* An address that is refused from now on, by its standing: what goes wrong is
 * left in the database. Once for each, on the writer's thread, or before that
 * is started, in the transaction that makes it so; but of a visit that was
 * refused its report tells. The visit is borrowed for the call. */
typedef void (*pv_refused_fn)(void *ctx, const struct pv_visit *visit);

/* A link that is admitted, but another shard's to ask for (policy/shard.h), with
 * the page that it was found on: once for each address, and again when a link
 * says more of it than those before. Such an address is refused by its standing
 * until that says something else. As for pv_refused_fn; both are borrowed. */
typedef void (*pv_elsewhere_fn)(
    void *ctx, const struct pv_link *link, struct pv_str via);

/* What a link has brought: hosts that are held and had nothing left have
 * something again; or hosts that nobody holds wait to be taken. On the caller's
 * thread, once it is on the disk; the numbers are borrowed for the call. */
typedef void (*pv_work_fn)(
    void *ctx, const uint64_t *host_ids, size_t count, bool has_waiting_hosts);

/* What the last run left: hosts that were not given back, and their visits in
 * flight, which are pending again. None of either is an orderly end. */
struct pv_recovered {
	uint64_t hosts;
	uint64_t visits;
};

/* What all runs so far have brought, by the states of the hosts. */
struct pv_totals {
	uint64_t pages;
	uint64_t bytes;
};

/* Hosts that are held are wanted elsewhere: those of which nothing is under way are
 * to be given back, and the others will be asked for again. On the caller's
 * thread; the numbers are borrowed for the call. */
typedef void (*pv_wanted_fn)(void *ctx, const uint64_t *host_ids, size_t count);

struct pv_fleet;

struct pv_frontier {
	const struct pv_frontier_engine *engine;
	struct pv_fleet *fleet; /* whose worker it is (fleet/fleet.h); NULL */
	struct pv_hash_key key; /* of fingerprints */
	struct pv_recovered recovered;
	struct pv_totals totals; /* when it was opened */
	struct pv_round round;   /* then, or when it was begun */
	uint64_t left;           /* addresses neither done nor refused, when it
				    was opened */

	/* The caller's: whether the copy is where it is said to be, asked on
	 * the writer's thread; NULL: they all are. */
	bool (*has_copy)(void *ctx, const struct pv_copy *copy);
	void *has_copy_ctx;
	pv_work_fn on_work; /* the caller's; NULL for none */
	void *work_ctx;
	pv_wanted_fn on_wanted; /* the caller's; NULL for none */
	void *wanted_ctx;
	pv_refused_fn on_refused; /* the caller's; NULL for none */
	void *refused_ctx;
	pv_elsewhere_fn on_elsewhere; /* the caller's; NULL for none */
	void *elsewhere_ctx;
};

/* How many addresses may become known; UINT64_MAX for no limit. */
struct pv_link_ceilings {
	uint64_t known_max;
	uint64_t trap_max; /* refused for a trap, that the pages of one host
			      link to */
};

struct pv_round_plan; /* frontier/plans.h */
struct pv_rejudging;  /* frontier/plans.h */

struct pv_frontier_engine {
	const char *name;
	bool (*report)(struct pv_frontier *frontier, struct pv_report *report,
	    int64_t now);
	bool (*take_hosts)(struct pv_frontier *frontier,
	    struct pv_host_request *request, int64_t now);
	bool (*take_visits)(struct pv_frontier *frontier,
	    struct pv_visit_request *request, int64_t now);
	bool (*give_host)(struct pv_frontier *frontier,
	    struct pv_host_return *giving, int64_t now);
	bool (*give_all_hosts)(struct pv_frontier *frontier,
	    struct pv_host_returns *giving, int64_t now);
	bool (*count)(struct pv_frontier *frontier,
	    struct pv_count_request *request, int64_t now);
	bool (*take_refused)(struct pv_frontier *frontier,
	    struct pv_refused_request *request, int64_t now);
	bool (*find_page)(struct pv_frontier *frontier,
	    struct pv_page_request *request, int64_t now);
	bool (*begin_round)(
	    struct pv_frontier *frontier, const struct pv_round_plan *plan);
	bool (*is_round_open)(const struct pv_frontier *frontier);
	void (*end_round)(struct pv_frontier *frontier, int64_t wall_ms);
	void (*rejudge)(
	    struct pv_frontier *frontier, struct pv_rejudging *rejudging);
	void (*finish_rejudging)(struct pv_frontier *frontier);
	void (*map_kinds)(
	    struct pv_frontier *frontier, const unsigned char *numbers);
	uint64_t (*set_ceilings)(struct pv_frontier *frontier,
	    const struct pv_link_ceilings *ceilings, bool forgets_traps);
	bool (*is_known)(const struct pv_frontier *frontier,
	    struct pv_fingerprint fingerprint,
	    const struct pv_standing *standing);
	void (*limit_memory)(struct pv_frontier *frontier, size_t bytes);
	void (*hurry)(struct pv_frontier *frontier); /* NULL: nothing to do */
	void (*let_go)(struct pv_frontier *frontier); /* the same */
	void (*close)(struct pv_frontier *frontier);
};

/* Papers: each of these as is said at its struct. `now` is the crawl's
 * clock. */

/* Ends a visit, makes its links known, and stores its host's clock: all of it
 * or nothing. What is reported twice, or of a host that was given back, changes
 * no address. */
static inline bool pv_frontier_report(
    struct pv_frontier *frontier, struct pv_report *report, int64_t now)
{
	return frontier->engine->report(frontier, report, now);
}

/* Hosts that are given out are held by the caller, and by nobody else, until
 * they are given back, or until the next start. On the disk before they are
 * asked for anything: so the hosts that were asked are known however the
 * process ends. */
static inline bool pv_frontier_take_hosts(
    struct pv_frontier *frontier, struct pv_host_request *request, int64_t now)
{
	return frontier->engine->take_hosts(frontier, request, now);
}

/* Nothing for a host that is not held. Nothing is on the disk yet when visits
 * come: after an end they are pending. */
static inline bool pv_frontier_take_visits(
    struct pv_frontier *frontier, struct pv_visit_request *request, int64_t now)
{
	return frontier->engine->take_visits(frontier, request, now);
}

/* The host may be taken again, by anybody, from when this is on the disk. */
static inline bool pv_frontier_give_host(
    struct pv_frontier *frontier, struct pv_host_return *giving, int64_t now)
{
	return frontier->engine->give_host(frontier, giving, now);
}

/* From when this is on the disk the run has ended in good order. */
static inline bool pv_frontier_give_all_hosts(
    struct pv_frontier *frontier, struct pv_host_returns *giving, int64_t now)
{
	return frontier->engine->give_all_hosts(frontier, giving, now);
}

/* As of all papers that were given before, on the disk or not. */
static inline bool pv_frontier_count(
    struct pv_frontier *frontier, struct pv_count_request *request, int64_t now)
{
	return frontier->engine->count(frontier, request, now);
}

/* The same, and nothing is taken away: a second call gives them again. */
static inline bool pv_frontier_take_refused(struct pv_frontier *frontier,
    struct pv_refused_request *request, int64_t now)
{
	return frontier->engine->take_refused(frontier, request, now);
}

/* The same; which of them it is may be another in another run. */
static inline bool pv_frontier_find_page(
    struct pv_frontier *frontier, struct pv_page_request *request, int64_t now)
{
	return frontier->engine->find_page(frontier, request, now);
}

/* Before the writer starts: begins a round in which all that is done and due is
 * asked for again. Visits then carry their copies; what of them is not answered
 * better keeps the answer that it had. On the disk when it returns; what an end
 * in between has left undone the next start goes on with. False if nothing is
 * due. */
static inline bool pv_frontier_begin_round(
    struct pv_frontier *frontier, const struct pv_round_plan *plan)
{
	return frontier->engine->begin_round(frontier, plan);
}

/* Before the writer starts: whether a round was begun and has not come to its
 * end. */
static inline bool pv_frontier_is_round_open(const struct pv_frontier *frontier)
{
	return frontier->engine->is_round_open(frontier);
}

/* In a job of the writer: the round has come to its end, if there is one. That
 * is so from its commit. */
static inline void pv_frontier_end_round(
    struct pv_frontier *frontier, int64_t wall_ms)
{
	frontier->engine->end_round(frontier, wall_ms);
}

/* Before the writer starts, between pv_writer_begin and pv_writer_commit: asks
 * of all that is known how it stands by a policy that has changed. That is so
 * as soon as the transaction is committed in which this ends, and to which the
 * caller adds that it is the policy now; then it only remains to be written
 * where it belongs, by pv_frontier_finish_rejudging, which each start calls
 * first. */
static inline void pv_frontier_rejudge(
    struct pv_frontier *frontier, struct pv_rejudging *rejudging)
{
	frontier->engine->rejudge(frontier, rejudging);
}

static inline void pv_frontier_finish_rejudging(struct pv_frontier *frontier)
{
	frontier->engine->finish_rejudging(frontier);
}

/* Before the writer starts, between pv_writer_begin and pv_writer_commit, and
 * behind pv_frontier_finish_rejudging: the kinds of pages have other numbers now
 * (record/standing.h), since the policy has them in another order. `numbers` has
 * the new one of each, PV_PAGE_KINDS_MAX + 1 of them; 0 for one that is gone. It
 * is done once, and with the transaction. */
static inline void pv_frontier_map_kinds(
    struct pv_frontier *frontier, const unsigned char *numbers)
{
	frontier->engine->map_kinds(frontier, numbers);
}

/* Before the writer starts, between pv_writer_begin and pv_writer_commit: what
 * of the links that are found from now on is stored. Pages of which links were
 * left out for want of room are pending again where there is room now, or where
 * what was refused for traps is not to count any more; how many. */
static inline uint64_t pv_frontier_set_ceilings(struct pv_frontier *frontier,
    const struct pv_link_ceilings *ceilings, bool forgets_traps)
{
	return frontier->engine->set_ceilings(
	    frontier, ceilings, forgets_traps);
}

/* Whether a report that was given before has said so much of that address, or
 * more, as far as is at hand: then a link to it need not be reported. In any
 * thread. */
static inline bool pv_frontier_is_known(const struct pv_frontier *frontier,
    struct pv_fingerprint fingerprint, const struct pv_standing *standing)
{
	return frontier->engine->is_known(frontier, fingerprint, standing);
}

/* From now on what it has at hand of links takes no more bytes, but for a few that
 * it needs; what it knows stays the same. */
static inline void pv_frontier_limit_memory(
    struct pv_frontier *frontier, size_t bytes)
{
	frontier->engine->limit_memory(frontier, bytes);
}

/* The run ends: a paper that waits for what may come comes back as it is. */
static inline void pv_frontier_hurry(struct pv_frontier *frontier)
{
	if (frontier->engine->hurry)
		frontier->engine->hurry(frontier);
}

/* It is to end at once: what waits for others comes back, too. */
static inline void pv_frontier_let_go(struct pv_frontier *frontier)
{
	if (frontier->engine->let_go)
		frontier->engine->let_go(frontier);
}

/* When all papers have come back. NULL is fine. */
static inline void pv_frontier_close(struct pv_frontier *frontier)
{
	if (frontier)
		frontier->engine->close(frontier);
}

/* By what an address is known in this crawl, given its crawl identity. */
static inline struct pv_fingerprint pv_frontier_fingerprint(
    const struct pv_frontier *frontier, struct pv_str identity)
{
	return pv_fingerprint_of(&frontier->key, identity);
}

#endif
