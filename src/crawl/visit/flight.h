#ifndef PAVANE_CRAWL_VISIT_FLIGHT_H
#define PAVANE_CRAWL_VISIT_FLIGHT_H

#include "crawl/host/live_host.h"
#include "crawl/run/drain_event.h"
#include "crawl/visit/read_job.h"
#include "crawl/visit/record.h"
#include "crawl/visit/resume.h"
#include "limiter/limiter.h"
#include "reading/findings.h"
#include "schedule/wait.h"

/* An open visit: a task on its way from its release to the commit of what came
 * of it.
 *
 * There are four papers of it, and each is written in one place:
 *
 *   flight      the loop's: where the visit is on its way
 *   response    the fetcher's until it has ended; the pool puts it together
 *               and undoes its coding, and from then on it is an answer that
 *               nobody changes (reading/answer.h)
 *   findings    what reading has found in the answer, in the pool
 *               (reading/findings.h)
 *   record      what the sinks and the frontier are given, and the writer has
 *               (record.h)
 *
 * They lie in one piece of memory, which is used again for another visit. The
 * pool is given a job that knows its papers and not the flight (read_job.h).
 */
struct pv_crawl;
struct pv_proxy;

enum pv_flight_stage {
	PV_FLIGHT_RELEASED,
	PV_FLIGHT_FETCHING, /* on the wire */
	PV_FLIGHT_ANSWERED,
	PV_FLIGHT_READING, /* in the pool */
	PV_FLIGHT_READ,
	PV_FLIGHT_SETTLING, /* given to the frontier and the sinks */
};

struct pv_flight {
	struct pv_read_job job; /* the first, so that it is found by it */
	struct pv_crawl *crawl;
	struct pv_flight *next; /* among all */
	struct pv_flight **link;
	enum pv_flight_stage stage;

	struct pv_task *task; /* owned */
	struct pv_live_host *host;
	struct pv_authority *authority; /* NULL where robots.txt is ignored */
	struct pv_robots_rules *rules;  /* shared; NULL for none */
	struct pv_url url;
	struct pv_str authority_text; /* within url */

	uint32_t place; /* in flight, the schedule's */
	bool is_in_flight;
	bool is_urgent; /* it brought a wait that must outlive any end */
	bool is_sent;
	bool is_out_of_tries;   /* it is not tried again for its host's sake */
	struct pv_proxy *proxy; /* by which it goes; NULL for none */
	struct pv_transfer *transfer; /* the fetcher's; NULL while there is
				       none */

	/* among the crawls on this machine */
	struct pv_limiter_claim host_claim;
	struct pv_limiter_claim address_claim;
	uint64_t host_clock; /* as those of this process know it; 0: it is not
				at it */
	uint64_t address_clock;

	int64_t released_at;
	struct pv_wait due; /* from when it might start, and why not before */
	int64_t wait_ms;    /* how long its host's clock held it back; or
			       negative */
	int64_t wall_ms;    /* when it was sent, or refused */
	struct pv_pacing pacing;

	enum pv_report_kind kind; /* what becomes of it */
	struct pv_verdict verdict;
	uint64_t held_bytes; /* counted in flights.bytes */

	struct pv_resumption part; /* of a large body */
	struct pv_response response;
	struct pv_body decoded;
	struct pv_findings findings;
	struct pv_record record;
};

/* All visits that are open, and the memory of some that were, to be used
 * again. */
#define PV_SPARE_BODIES 128

struct pv_flights {
	struct pv_flight *first;       /* of all that are open */
	struct pv_drain_event drained; /* set by the last to be closed */
	size_t fetching;               /* on the wire */
	size_t reading;                /* in the pool */
	size_t settling;               /* from there to their commit */
	uint64_t bytes;                /* of answers that have ended */
	bool is_urgent;                /* what waits for its commit */
	const char *spill;             /* directory for large bodies */

	struct pv_flight *spare;
	size_t spare_bytes;
	struct pv_buf spare_bodies[PV_SPARE_BODIES];
	size_t spare_body_count;
};

/* An open visit of a task that was just released; the url is parsed. */
struct pv_flight *pv_flight_create(
    struct pv_crawl *crawl, struct pv_task *task);

/* It has come so far. */
void pv_flight_enter(struct pv_flight *flight, enum pv_flight_stage stage);

/* What is held of its answer, or made of it, counts from now. */
void pv_flight_weigh(struct pv_flight *flight);

/* With its task, if it still has one. */
void pv_flight_destroy(struct pv_flight *flight);

/* The memory that it holds, its task left aside. */
size_t pv_flight_bytes(const struct pv_flight *flight);

/* The memory for its body is the crawl's: taken when it is to come, and given
 * back when it has been read. */
void pv_flight_take_body(struct pv_flight *flight);
void pv_flight_give_body(struct pv_flight *flight);

/* Lets go of those that are kept to be used again. */
void pv_flights_drop_spare(struct pv_flights *flights);

/* Whether it is of the frontier's, which hears what came of it; else it is for
 * a robots.txt, or a probe. */
bool pv_flight_is_visit(const struct pv_flight *flight);
bool pv_flight_is_robots(const struct pv_flight *flight);

/* What the sinks are to know of it before it is read, and what an update has
 * found out. */
void pv_flight_fill_page(struct pv_flight *flight, enum pv_change change);

/* It is not made: for that reason, or since its host cannot be asked. */
void pv_flight_refuse(struct pv_flight *flight, struct pv_verdict verdict);
void pv_flight_fail(
    struct pv_flight *flight, enum pv_outcome outcome, const char *why);

#endif
