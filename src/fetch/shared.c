#include "fetch/shared.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/system.h"
#include "fetch/fetch.h"
#include "fetch/pin.h"
#include "policy/policy.h"
#include "policy/proxies.h"
#include "policy/values/proxy_form.h"

/* Connections of a multi, up to which it stays as fast as one alone. Where
 * there are so many that it is full, and each new one takes the place of the
 * oldest, it looks through all of them for that: so then it has fewer. */
#define ALONE_CONNECTIONS 256
#define SHARD_CONNECTIONS 64

/* Hosts do not fall evenly on shards: so many more than its part each may
 * have. */
#define UNEVEN_CONNECTIONS(each) ((each) / 4 + 8)

/* So many connections are kept at least, so that a slow crawl of many hosts
 * need not connect anew each time, and at most, if there are not more requests
 * in flight. */
#define KEPT_MIN 256
#define KEPT_MAX 8192

/* So many descriptors are left to others at most, and at least: a page is
 * written with three, others are synced with one, a socket is tried with
 * one. */
#define OTHERS_MAX 128
#define OTHERS_MIN 6

/* Each connection needs a descriptor, and so do others. */
static int64_t descriptors(void)
{
	uint64_t limit = pv_descriptors_limit();
	return limit > INT32_MAX ? INT32_MAX : (int64_t)limit;
}

static int64_t lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* How many of them are in use: the system gives out the lowest number that is
 * free. */
static int64_t descriptors_in_use(void)
{
	int next = open("/", O_PATH | O_CLOEXEC);
	if (next >= 0)
		close(next);
	return next >= 0 ? next : descriptors();
}

/* Of those that are free some are left to others: the storing of an answer
 * needs them, or the answer is lost. */
static int64_t descriptors_of_others(void)
{
	int64_t left = descriptors() - descriptors_in_use();
	int64_t part = lesser(left / 3, OTHERS_MAX);
	return lesser(greater(part, OTHERS_MIN), left / 2);
}

/* How many connections there may be, resting ones included. */
static int64_t count_connections(const struct pv_policy *policy)
{
	int64_t concurrency = policy->rate.concurrency;
	int64_t kept = greater(KEPT_MIN, lesser(concurrency * 4, KEPT_MAX));
	return lesser(greater(concurrency, kept), descriptors() / 2);
}

static void plan_shards(struct pv_fetch_shared *shared)
{
	int64_t connections = count_connections(shared->policy);
	int64_t count =
	    connections <= ALONE_CONNECTIONS
		? 1
		: (connections + SHARD_CONNECTIONS - 1) / SHARD_CONNECTIONS;
	int64_t each = connections / count;
	shared->shard_count = (uint32_t)count;
	shared->kept_max =
	    (uint32_t)(count == 1 ? each : each + UNEVEN_CONNECTIONS(each));
}

/* libcurl looks up no proxy either: it finds any name at a proxy's port at the
 * placeholder of pins (fetch/pin.h). */
static void pin_port(
    void *ctx, const char *proxy, const struct pv_place *place)
{
	struct pv_fetch_shared *shared = ctx;
	struct pv_proxy_form form;
	struct pv_buf host;
	char pin[64];
	(void)place;
	pv_buf_init(&host, SIZE_MAX);
	pv_proxy_form_read(pv_str_of(proxy), &form, &host);
	pv_buf_finish(&host);
	snprintf(pin, sizeof(pin), "*:%u:" PV_PIN_NOBODY, (unsigned)form.port);
	for (const struct curl_slist *known = shared->pins; known;
	     known = known->next) {
		if (strcmp(known->data, pin) == 0)
			return;
	}
	shared->pins = curl_slist_append(shared->pins, pin);
}

void pv_fetch_shared_init(
    struct pv_fetch_shared *shared, const struct pv_fetch_plan *plan)
{
	const struct pv_policy *policy = plan->policy;
	shared->policy = policy;
	shared->lease = plan->lease;
	shared->pins = curl_slist_append(NULL, PV_PIN_RESOLVE);
	pv_proxies_each(policy, pin_port, shared);
	pv_request_head_init(&shared->head, policy);
	pv_trust_init(&shared->trust);
	pv_jar_init(
	    &shared->jar, policy->fetch.cookies || policy->fetch.cookie_file);
	shared->socket_max = (int)(descriptors() - descriptors_of_others()) - 1;
	plan_shards(shared);
}

void pv_fetch_shared_finish(struct pv_fetch_shared *shared)
{
	pv_jar_finish(&shared->jar);
	pv_trust_finish(&shared->trust);
	pv_request_head_finish(&shared->head);
	curl_slist_free_all(shared->pins);
}
