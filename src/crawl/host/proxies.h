#ifndef PAVANE_CRAWL_HOST_PROXIES_H
#define PAVANE_CRAWL_HOST_PROXIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/why.h"
#include "policy/values/proxy_form.h"
#include "policy/values/resolve_table.h"
#include "policy/values/texts.h"

/* The proxies that the policy names, and how they are.
 *
 * A host goes by one of its proxies for as long as that can be reached; the
 * hosts are spread over them. One that cannot be reached, or does not let us in,
 * rests, longer each time, and is then tried with one request; meanwhile its
 * hosts go by another. What a host did not answer by a proxy is the host's
 * doing, but it is tried by the next one. A host's pace is its own, whatever the
 * way.
 */
struct pv_crawl;

struct pv_proxy {
	struct pv_buf address; /* as it is reached, with a login */
	struct pv_buf name;    /* for people */
	struct pv_buf host;    /* to look up */
	uint16_t port;
	uint64_t requests; /* of this run */
	uint64_t failures;
	uint32_t failures_now; /* since it worked last */
	int64_t failed_at;     /* last */
	int64_t rests_until;   /* 0: it does not */
	char why[400];         /* of the last failure */
};

struct pv_proxies {
	struct pv_proxy *items; /* NULL for none */
	size_t count;
	size_t size;
	struct pv_resolve_table resolve;
};

/* False, with the reason, if a variable of the environment is not set. */
bool pv_proxies_open(struct pv_crawl *crawl, struct pv_why *why);
void pv_proxies_close(struct pv_proxies *proxies);

/* They may be on a private network: the person has named them. */
void pv_proxies_name(struct pv_crawl *crawl);

/* Whether it is a proxy that finds the host. What we know without asking anybody
 * is vetted by ourselves all the same: addresses, and names of
 * fetch.resolve. */
struct pv_manners;
bool pv_proxies_find_host(const struct pv_manners *manners,
    const struct pv_resolve_table *resolve, struct pv_str host);

/* The address that a host is written as; NULL for a name. */
const struct pv_address *pv_host_literal(
    struct pv_str host, struct pv_address *address);

/* By which a host is to go: by the same as long as that can be reached and the
 * host answers by it. NULL if none can be reached; then `until` says when one is
 * tried again. */
struct pv_live_host;
struct pv_proxy *pv_proxies_choose(
    struct pv_crawl *crawl, const struct pv_live_host *host, int64_t *until);

/* Whether it rests now. */
bool pv_proxy_rests(const struct pv_crawl *crawl, const struct pv_proxy *proxy);

/* A request goes by it: if it has failed before, it is the one that tells. */
void pv_proxy_begin(struct pv_crawl *crawl, struct pv_proxy *proxy);

/* It could be reached, or not. */
void pv_proxy_works(struct pv_crawl *crawl, struct pv_proxy *proxy);
void pv_proxy_fails(
    struct pv_crawl *crawl, struct pv_proxy *proxy, const char *why);

/* "http://127.0.0.1:3128: 12 requests, rests until 14:03:00 (connection
 * refused)", a line for each; nothing where there are none. */
void pv_proxies_write(const struct pv_crawl *crawl, struct pv_buf *buf);

#endif
