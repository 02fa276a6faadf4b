#ifndef PAVANE_TESTS_BENCH_BARE_LOOP_H
#define PAVANE_TESTS_BENCH_BARE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* What to compare with: the least that anybody must do who fetches with
 * libcurl. A loop over epoll asks for addresses that it is told, keeps its
 * connections, and drops what comes; nobody reads it, and nothing is decided.
 */
struct bare_plan {
	unsigned at_once; /* places, each of which asks one after the other */

	/* Writes what a place is to ask for next; false if nothing. */
	bool (*next)(void *ctx, unsigned place, struct pv_buf *url);
	void *ctx;
	const char *resolve;   /* as CURLOPT_RESOLVE has it; NULL for none */
	const char *authority; /* a file of certificates; NULL: no TLS */
};

struct bare_end {
	unsigned answers;
	unsigned failures;
	double busy_s; /* of this thread */
	double took_s;
};

struct bare_end bare_run(const struct bare_plan *plan);

#endif
