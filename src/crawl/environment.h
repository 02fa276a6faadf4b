#ifndef PAVANE_CRAWL_ENVIRONMENT_H
#define PAVANE_CRAWL_ENVIRONMENT_H

#include <stdint.h>

/* What a conductor meets outside of this program: time, names and servers, each
 * as a table of functions. A test gives it simulated ones, and a whole crawl
 * runs without waiting and without a network. And what it shares with other
 * crawls of its process. */
struct pv_clock_kind;
struct pv_fetch_kind;
struct pv_fleet_allowance;
struct pv_fleet_kind;
struct pv_lease;
struct pv_names_kind;
struct pv_runtime;

struct pv_environment {
	const struct pv_clock_kind *clock;
	const struct pv_names_kind *names;
	const struct pv_fetch_kind *fetch;
	const struct pv_fleet_kind *fleets; /* NULL: there are none */
	struct pv_runtime *runtime;         /* NULL: it has one of its own */
	int64_t run_before;  /* of a crawl that is opened again: the number of
			       the run that it goes on with; 0: none */
	int64_t wish_before; /* the same of a fleet's worker: the last wish
				before it first joined */
	const struct pv_lease *lease; /* of a worker of a fleet; NULL: all hosts
					 are the crawl's own */
	const struct pv_fleet_allowance *allowance; /* what that worker may
						       bring of the limits;
						       NULL: all of them */
};

/* The system's clock, c-ares and libcurl. */
extern const struct pv_environment pv_real_environment;

#endif
