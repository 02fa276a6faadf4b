#ifndef PAVANE_FETCH_FETCH_H
#define PAVANE_FETCH_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"
#include "policy/values/texts.h"
#include "record/response.h"

/* One request in, one response out: libcurl, on threads of its own (lane.h),
 * heard of on the loop that conducts.
 *
 * A request goes to the address that it names, which somebody has vetted: no
 * name is ever looked up here, and libcurl is given that address and no other
 * when it opens a socket. There are no redirects, no cookies but by policy, no
 * credentials but those of the request, no proxies but the request's, which
 * finds the host. A request starts at once: who may start when is decided before. It goes out
 * once: where a kept connection turns out to be closed, it is broken off, and
 * the conductor may request it again when it is due. Each has deadlines for
 * connecting (TLS included), for the first byte, for standing still and for the
 * whole; ceilings on its headers, their number, the interim responses before
 * it, and its body as it comes.
 *
 * Where the crawl has a lease (base/lease.h), the thread that sends looks at it
 * last of all: a request whose time is over connects to nobody and is not sent, and
 * ends as withheld.
 *
 * Answers come no faster than the policy's rate.bandwidth and their hosts' own
 * limits allow (fetch/bandwidth/bandwidth.h): what may not come yet is not
 * read, so that the server has to wait. All that are under way get the same
 * share. While we keep one waiting its deadlines stand still, and its duration
 * is reported without that time, which is reported separately.
 *
 * The loop never runs libcurl, which some servers can keep at work for as long
 * as they like; it cuts such a server off (fetch/watch.h), and asks it on a
 * lane apart from then on (fetch/connection/quarantine.h). An answer that only
 * shared a connection with such a one ends as our own fault, and as a
 * bystander.
 *
 * libcurl's multis slow down with the number of their hosts, so there are
 * several (fetch/shard.h), and a host always goes to the same one, where its
 * connections are kept. Of these there are four for each request that may be in
 * flight, at least 256, at most 8,192 or as many as may be in flight; the
 * oldest give way. One that rests does not keep the loop running.
 */
struct uv_loop_s;
struct pv_lease;
struct pv_part;
struct pv_policy;
struct pv_url;
struct pv_fetch;
struct pv_transfer;

struct pv_fetch_plan {
	struct uv_loop_s *loop;
	const struct pv_policy *policy; /* outlives it */
	const struct pv_lease *lease;   /* past whose end nothing is sent; NULL
					 for none; outlives it */
	uint32_t lanes; /* threads at most; 0: as the processors allow */
};

struct pv_request {
	const struct pv_url *url; /* borrowed for the call */
	struct pv_address address;
	uint16_t port;             /* to connect to */
	bool has_secrets;          /* Authorization, Cookie and the like of
				  fetch.headers go along: it is for an origin
				  that the person named */
	struct pv_pairs headers;   /* over those of all requests; what they
				  point to lives until it has ended, or the
				  fetcher if it was cancelled */
	struct pv_str body;        /* posted; ptr is NULL: it is a GET. Borrowed
				  for the call */
	const char *authorization; /* the value of that header; NULL for none;
				  borrowed for the call */

	/* The proxy that it goes by, as libcurl wants it and for people; NULL
	 * for none. The address and the port are the proxy's then. Borrowed
	 * for the call. */
	const char *proxy;
	const char *proxy_name;

	bool is_any_type;         /* fetch.accept is not for it */
	bool is_beginning_enough; /* of a body beyond the ceiling as much is
				     read as may be, even if its length was
				     announced: for robots.txt */
	/* What we have of it: it is asked for only if there is something else
	 * (RFC 9110, 13). Empty and 0 where nothing is known; borrowed for the
	 * call. */
	struct pv_str entity_tag;
	int64_t modified_ms;

	/* The part that we have of it: the rest is asked for, if it is still
	 * the same (RFC 9110, 13.1.5 and 14.2), and taken only if it fits; else
	 * the response says that it does not. NULL: there is none. Borrowed
	 * for the call. */
	const struct pv_part *part;

	bool is_tls_verified;
	const char *tls_ca; /* a file, or NULL for the system's own; kept */

	/* Bytes a second that may come of all the requests of one clock
	 * together; none where it is not positive. The latest said counts. */
	int64_t bandwidth;
	struct pv_str clock; /* borrowed for the call */

	/* The caller's, made with pv_response_init, whose body's ceiling
	 * counts; empty until on_end. */
	struct pv_response *response;

	/* There is a connection, and the request went out on it a moment ago:
	 * the response's times say how long. Called once, or not at all if it
	 * did not come to that; on the loop, like on_end. */
	void (*on_sent)(void *ctx);

	/* It has ended, and the transfer with it. Neither is called within
	 * pv_fetch_start or pv_fetch_cancel, and for both the loop's time is
	 * up to date. Either may start and cancel transfers. */
	void (*on_end)(void *ctx);
	void *ctx;
};

/* NULL, with the reason, if libcurl cannot be used. Certificates to verify
 * hosts with are read when a host first needs them; if they cannot be, that is
 * the outcome of its request. */
struct pv_fetch *pv_fetch_create(
    const struct pv_fetch_plan *plan, struct pv_why *why);

/* Nothing may be in flight; memory goes when the loop has run its closing
 * callbacks. NULL is fine. */
void pv_fetch_destroy(struct pv_fetch *fetch);

/* Ends its threads at once, whatever they are about; of the rest nothing is
 * tidied up, for the program is about to end. NULL is fine. */
void pv_fetch_leave(struct pv_fetch *fetch);

/* What is started is handed on together, by pv_fetch_hand_on or when the loop
 * is about to wait. */
struct pv_transfer *pv_fetch_start(
    struct pv_fetch *fetch, const struct pv_request *request);
void pv_fetch_hand_on(struct pv_fetch *fetch);

/* Drops it, and says no more of it; the response is the caller's again, and
 * empty. If it has not gone out yet it does not any more, whatever its lane is
 * about. */
void pv_fetch_cancel(struct pv_fetch *fetch, struct pv_transfer *transfer);

/* The hosts' connections that wait for another request are of no use any
 * more. */
void pv_fetch_close_idle(struct pv_fetch *fetch);

/* From now on all answers together have so many bytes a second, where the policy
 * limits them: a part of that. */
void pv_fetch_set_bandwidth(struct pv_fetch *fetch, int64_t bandwidth);

/* The functions above as a table: others may stand in their place. */
struct pv_fetch_kind {
	struct pv_fetch *(*create)(
	    const struct pv_fetch_plan *plan, struct pv_why *why);
	void (*destroy)(struct pv_fetch *fetch);
	void (*leave)(struct pv_fetch *fetch);
	struct pv_transfer *(*start)(
	    struct pv_fetch *fetch, const struct pv_request *request);
	void (*hand_on)(struct pv_fetch *fetch);
	void (*cancel)(struct pv_fetch *fetch, struct pv_transfer *transfer);
	void (*close_idle)(struct pv_fetch *fetch);
	void (*set_bandwidth)(struct pv_fetch *fetch, int64_t bandwidth);
};

extern const struct pv_fetch_kind pv_real_fetch;

#endif
