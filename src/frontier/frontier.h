#ifndef PAVANE_FRONTIER_FRONTIER_H
#define PAVANE_FRONTIER_FRONTIER_H

#include "base/hash.h"
#include "record/change.h"
#include "record/host.h"
#include "record/link.h"
#include "record/part.h"
#include "record/result.h"
#include "record/state.h"
#include "record/visit.h"
#include "store/job.h"

/* The frontier: which addresses are known, and which are left to be visited,
 * by host.
 *
 * Each known address is in one state (record/state.h) and keeps the strongest
 * standing that was ever said of it (record/standing.h). A link that makes it
 * stronger re-admits it: after a refusal always; after an answer only if more
 * may follow from it, and then the visit says that it is repeated.
 *
 * Hosts are taken and given back whole, with their clocks, and only who holds a
 * host gets its visits, those that failed before behind all others, then the
 * least deep first, then the first found. So an
 * engine may serve several machines, each of which paces its own hosts.
 *
 * All is asked by papers that are given to the frontier and come back, on the
 * caller's thread, by their `done`, with what was asked for in them. False from
 * one of these functions: so much is under way that the paper, still the
 * caller's, must wait until others have come back. A status other than
 * PV_STORE_OK is for good: nothing of that paper is kept, nor of a later one.
 */

/* What came of a visit. */
enum pv_report_kind {
	PV_REPORT_LINKS,   /* there was none: seeds; or none of an address: of
			      `visit` the host counts, if there is one */
	PV_REPORT_DONE,    /* `answer` is its outcome */
	PV_REPORT_AGAIN,   /* it is to be tried once more, behind all that was
			      not tried yet, and not before the time that its
			      visit names */
	PV_REPORT_LATER,   /* the same, and this was no fault of its host: it
			      does not count as tried */
	PV_REPORT_PUT_OFF, /* the same, but it is counted: its host asked us to
			      come later, or another answer was to blame */
	PV_REPORT_REFUSED, /* it was not made: `verdict` says why */
	PV_REPORT_ONWARD,  /* as PV_REPORT_AGAIN, but it got further with a
			      large body, so it does not count as tried */
};

/* One page, all of which is true at once or not at all: the outcome, its links,
 * its host's clock. */
struct pv_report {
	enum pv_report_kind kind;
	struct pv_visit visit; /* its texts are not used, but for whether there
				  is a copy */
	struct pv_result result;
	struct pv_verdict verdict;
	struct pv_host_state host; /* as of now */
	struct pv_link_list links;
	struct pv_job *with; /* further jobs that are to be true with it, as
				the journal's; given with it; NULL for none */
	const struct pv_copy *copy; /* that was made of it; NULL for none */
	const struct pv_part *part; /* of a body that is to be continued; NULL:
				       as it was, unless ... */
	bool drops_part; /* ... it is of no use. What is done has none */
	int64_t wall_ms; /* when it was asked */

	/* The answers, on which those further jobs may rely. */
	bool is_final; /* no more is to be asked of the address, as far as is
			  known */
	enum pv_change change; /* given as pv_change_of has it; what of it is
				  to be told: nothing twice in a round */
	void (*done)(struct pv_report *report, enum pv_store_status status);
	void *ctx;
};

/* Asks for hosts that have something to visit, the first to be ready first: a
 * host that was never held is ready since it was found. Or for the host of that
 * name, whether or not it has, unless it is held. They come once the taking itself is on the disk: so whoever was asked for
 * something is known after any end. */
struct pv_host_request {
	struct pv_str name; /* empty for any; must live until the answer */
	size_t max;         /* may be 0, to know who waits */
	int64_t now_ms;     /* set by the frontier: when it was asked */
	struct pv_host_list hosts; /* made by the caller, for the answer */

	/* The answer, unless one was named: of the hosts that wait on, how many
	 * are ready by that time, up to `ready_max`, and when the first of them
	 * is; PV_FRONTIER_NEVER if none waits. */
	int64_t ready_by_wall_ms;
	size_t ready_max;
	size_t ready_count;
	int64_t next_wall_ms;

	void (*done)(
	    struct pv_host_request *request, enum pv_store_status status);
	void *ctx;
};

#define PV_FRONTIER_NEVER INT64_MAX

/* Asks a host that is held for its next visits; they are in flight from then.
 * Fewer than `max`, where the texts' ceiling is not in the way: there are no
 * more, and on_work tells when there are. */
struct pv_visit_request {
	uint64_t host_id;
	size_t max;
	struct pv_visit_list visits; /* made by the caller, for the answer */
	void (*done)(
	    struct pv_visit_request *request, enum pv_store_status status);
	void *ctx;
};

/* Gives a host back. Its visits that were not reported are pending again, so
 * none may be under way. */
struct pv_host_return {
	uint64_t host_id;
	struct pv_host_state state;
	bool has_clock; /* who gives it keeps its clock, for this run */
	void (*done)(
	    struct pv_host_return *giving, enum pv_store_status status);
	void *ctx;
};

/* Gives back all hosts that are held, of which nothing may be under way, at the
 * end of a run: nothing may follow. Only those are named of which the state is
 * another than was reported last, but for the time that has passed since; so
 * it costs the same however many there are. Their own `done` is not called. */
struct pv_host_returns {
	const struct pv_host_return *items; /* must live until the answer */
	size_t count;
	int64_t now_ms; /* set by the frontier: when they were given */
	void (*done)(
	    struct pv_host_returns *giving, enum pv_store_status status);
	void *ctx;
};

/* Asks for addresses that are refused, in the order in which they were found:
 * those behind the one of that number. Fewer than `max`, where the texts'
 * ceiling is not in the way: there are no more. Their standing holds the
 * verdict. */
struct pv_refused_request {
	uint64_t after;
	size_t max;
	struct pv_visit_list visits; /* made by the caller, for the answer */
	void (*done)(
	    struct pv_refused_request *request, enum pv_store_status status);
	void *ctx;
};

/* Asks for the address of a page that was answered well, of one authority, for
 * who wants to see whether its host still answers. One page may be another's work,
 * such as a front page that is always at hand: so there is none where fewer than
 * PV_KNOWN_PAGES_LEAST are known. An engine may look through a part of them. */
#define PV_KNOWN_PAGES_LEAST 10

struct pv_page_request {
	uint32_t origin;         /* of its fingerprints */
	struct pv_str authority; /* "https://example.org"; must live until the
				    answer */
	uint32_t number;         /* which of them; it counts round */
	struct pv_buf url; /* made by the caller, for the answer: empty if too
			      few are known */
	void (*done)(
	    struct pv_page_request *request, enum pv_store_status status);
	void *ctx;
};

struct pv_count_request {
	bool is_last; /* if nothing is left, what was held back until then is
			 pending from now on (frontier/sqlite/round_table.h) */
	bool wants_seeds; /* to know, too, how they fared, which takes a walk
			     through all that is known */
	struct pv_counts counts;
	struct pv_round round;
	uint64_t failed_seeds; /* refused, or without a good answer, or
				  redirected to nothing */
	bool has_left_known;   /* links were left out for known_max ... */
	bool has_left_traps;   /* ... for trap_max */
	void (*done)(
	    struct pv_count_request *request, enum pv_store_status status);
	void *ctx;
};

/* An address that is refused from now on, by its standing: what goes wrong is left
 * in the database. On the writer's thread, or before that is started, in the
 * transaction that makes it so; but of a visit that was refused tells its
 * report. */
typedef void (*pv_refused_fn)(void *ctx, const struct pv_visit *visit);

/* What a link has brought: hosts that are held and had nothing left have
 * something again; or hosts that nobody holds wait to be taken. */
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

struct pv_frontier {
	const struct pv_frontier_engine *engine;
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
	pv_refused_fn on_refused; /* the caller's; NULL for none */
	void *refused_ctx;
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
	uint64_t (*set_ceilings)(struct pv_frontier *frontier,
	    const struct pv_link_ceilings *ceilings, bool forgets_traps);
	bool (*is_known)(const struct pv_frontier *frontier,
	    struct pv_fingerprint fingerprint,
	    const struct pv_standing *standing);
	void (*close)(struct pv_frontier *frontier);
};

static inline bool pv_frontier_report(
    struct pv_frontier *frontier, struct pv_report *report, int64_t now)
{
	return frontier->engine->report(frontier, report, now);
}

static inline bool pv_frontier_take_hosts(
    struct pv_frontier *frontier, struct pv_host_request *request, int64_t now)
{
	return frontier->engine->take_hosts(frontier, request, now);
}

static inline bool pv_frontier_take_visits(
    struct pv_frontier *frontier, struct pv_visit_request *request, int64_t now)
{
	return frontier->engine->take_visits(frontier, request, now);
}

static inline bool pv_frontier_give_host(
    struct pv_frontier *frontier, struct pv_host_return *giving, int64_t now)
{
	return frontier->engine->give_host(frontier, giving, now);
}

static inline bool pv_frontier_give_all_hosts(
    struct pv_frontier *frontier, struct pv_host_returns *giving, int64_t now)
{
	return frontier->engine->give_all_hosts(frontier, giving, now);
}

static inline bool pv_frontier_count(
    struct pv_frontier *frontier, struct pv_count_request *request, int64_t now)
{
	return frontier->engine->count(frontier, request, now);
}

static inline bool pv_frontier_take_refused(struct pv_frontier *frontier,
    struct pv_refused_request *request, int64_t now)
{
	return frontier->engine->take_refused(frontier, request, now);
}

static inline bool pv_frontier_find_page(
    struct pv_frontier *frontier, struct pv_page_request *request, int64_t now)
{
	return frontier->engine->find_page(frontier, request, now);
}

/* Before the writer starts: begins a round in which all that is done and due is
 * asked for again. Visits then carry their copies; what of them is not answered
 * better keeps the answer that it had. False if nothing is due. */
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

/* In a job of the writer: the round has come to its end, if there is one. */
static inline void pv_frontier_end_round(
    struct pv_frontier *frontier, int64_t wall_ms)
{
	frontier->engine->end_round(frontier, wall_ms);
}

/* Before the writer starts, between pv_writer_begin and pv_writer_commit: asks of
 * all that is known how it stands by a policy that has changed. That is so as soon
 * as the transaction is committed in which this ends, and to which the caller adds
 * that it is the policy now; then it only remains to be written where it belongs,
 * by pv_frontier_finish_rejudging, which each start calls first. */
static inline void pv_frontier_rejudge(
    struct pv_frontier *frontier, struct pv_rejudging *rejudging)
{
	frontier->engine->rejudge(frontier, rejudging);
}

static inline void pv_frontier_finish_rejudging(struct pv_frontier *frontier)
{
	frontier->engine->finish_rejudging(frontier);
}

/* Before the writer starts, between pv_writer_begin and pv_writer_commit: what of
 * the links that are found from now on is stored. Pages of which links were left
 * out for want of room are pending again where there is room now, or where what
 * was refused for traps is not to count any more; how many. */
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
