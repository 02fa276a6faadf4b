#ifndef PAVANE_FRONTIER_PAPERS_H
#define PAVANE_FRONTIER_PAPERS_H

#include "record/change.h"
#include "record/host.h"
#include "record/link.h"
#include "record/part.h"
#include "record/result.h"
#include "record/state.h"
#include "record/visit.h"
#include "store/job.h"

/* The papers by which a frontier is asked (frontier/frontier.h): what each asks
 * for, and its answer.
 *
 * A paper and all that it refers to is the frontier's from when it is given
 * until its `done`, which makes it the caller's again. */

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
				the journal's (frontier.h); given with it; NULL
				for none */
	const struct pv_copy *copy; /* that was made of it; NULL for none */
	const struct pv_part *part; /* of a body that is to be continued; NULL:
				       as it was, unless ... */
	bool drops_part; /* ... it is of no use. What is done has none */
	int64_t wall_ms; /* when it was asked */

	/* The answers, on which those further jobs may rely. */
	bool is_final; /* no more is to be asked of the address, as far as is
			  known */
	enum pv_change change; /* given as pv_change_of has it; what of it is
				  to be reported: nothing twice in a round */
	void (*done)(struct pv_report *report, enum pv_store_status status);
	void *ctx;

	void *held; /* the frontier's own */
};

/* Asks for hosts that have something to visit, the first to be ready first: a
 * host that was never held is ready since it was found. Or for the host of that
 * name, whether or not it has, unless it is held. */
struct pv_host_request {
	struct pv_str name; /* empty for any; must live until the answer */
	/* The host on whose behalf that one is named, which has to have the same
	 * owner in a fleet; empty if there is none. Lives as long. */
	struct pv_str asker;
	size_t max;                /* may be 0, to know who waits */
	int64_t now_ms;            /* set by the frontier: when it was asked */
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
 * who wants to see whether its host still answers. One page may be another's
 * work, such as a front page that is always at hand: so there is none where
 * fewer than PV_KNOWN_PAGES_LEAST are known. An engine may look through a part
 * of them. */
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

#endif
