#ifndef PAVANE_TESTS_SERVER_FLOODS_VISIT_H
#define PAVANE_TESTS_SERVER_FLOODS_VISIT_H

#include "server/floods/flood_server.h"
#include "server/floods/wire.h"

/* What is counted over all connections. */
struct flood_tally {
	atomic_uint connections;
	atomic_uint floods;
	atomic_uint answers;
	atomic_uint bystanders;
	atomic_uint_fast64_t bytes;
};

/* One connection of a client, from its first request to the flood's end. */
struct visit {
	const struct flood_plan *plan;
	struct flood_tally *tally;
	struct wire wire;
	struct pv_buf heard;
	uint32_t asked;     /* HTTP/2: the stream that asks for "/" */
	uint32_t closed;    /* one that was answered */
	struct pv_buf held; /* the answers that wait */
	unsigned held_count;
};

/* Answers what is asked, and floods who asks for "/". The wire is the caller's,
 * and its TLS has begun. */
void visit_run(struct visit *visit);

/* Sends what the plan's flood is, until that is over. */
void visit_flood(struct visit *visit);

#endif
