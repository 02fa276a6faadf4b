#ifndef PAVANE_FETCH_SHARED_H
#define PAVANE_FETCH_SHARED_H

#include <stdbool.h>
#include <stdint.h>

#include "fetch/jar.h"
#include "fetch/request_head.h"
#include "fetch/trust.h"

struct pv_fetch_plan;
struct pv_policy;

/* What all requests have in common, whichever thread makes them. It is filled
 * in before the first thread starts and only read from then on; the jar and the
 * trust change, and lock for themselves.
 */
struct pv_fetch_shared {
	const struct pv_policy *policy;
	const struct pv_lease *lease; /* NULL: it never ends */
	struct pv_request_head head;
	struct pv_trust trust;
	struct pv_jar jar;
	int socket_max;          /* no socket has a higher number */
	struct curl_slist *pins; /* where pinned names are found, and proxies */
	uint32_t kept_max;       /* connections of a shard, resting ones too */
	uint32_t shard_count;    /* of all lanes together */
};

void pv_fetch_shared_init(
    struct pv_fetch_shared *shared, const struct pv_fetch_plan *plan);
void pv_fetch_shared_finish(struct pv_fetch_shared *shared);

#endif
