#ifndef PAVANE_FETCH_PARTS_H
#define PAVANE_FETCH_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "fetch/absence.h"
#include "fetch/bandwidth.h"
#include "fetch/jar.h"
#include "fetch/request_head.h"
#include "fetch/sockets.h"
#include "fetch/trust.h"

struct pv_policy;
struct pv_shard;
struct uv_loop_s;

/* The fetcher as its rooms see it: what all requests have in common. */
struct pv_fetch {
	struct uv_loop_s *loop;
	const struct pv_policy *policy;
	struct pv_request_head head;
	struct pv_trust trust;
	struct pv_jar jar;
	struct pv_sockets sockets;
	struct pv_bandwidth *bandwidth;
	int socket_max;          /* no socket has a higher number */
	struct pv_buf proxy;     /* as libcurl wants it; empty: none */
	struct curl_slist *pins; /* where pinned names are found */
	uint32_t kept_max;       /* connections of a shard, resting ones too */
	struct pv_shard **shards;
	uint32_t shard_count;
	struct pv_absence absence;
	uv_prepare_t *before_sleep; /* its own memory */
};

static inline bool pv_fetch_has_proxy(const struct pv_fetch *fetch)
{
	return fetch->proxy.len > 0;
}

#endif
