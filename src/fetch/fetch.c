#include "fetch/fetch.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "fetch/shard.h"
#include "policy/policy.h"
#include "url/url.h"

/* Connections of a multi, up to which it stays as fast as one alone. */
#define SHARD_CONNECTIONS 256

/* So many connections are kept at least, so that a slow crawl of many hosts
 * need not connect anew each time, and at most, if there are not more requests
 * in flight. */
#define KEPT_MIN 256
#define KEPT_MAX 8192

/* So many descriptors are left to others, where there are enough. */
#define OTHERS_MAX 128

/* Longer than any proxy's address. */
#define PROXY_MAX ((size_t)256 * 1024)

static const struct pv_hash_key hash_key = {{0x70617661, 0x6e65}};

/* Each needs a descriptor, and so do others. */
static int64_t descriptors(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT32_MAX)
		return INT32_MAX;
	return (int64_t)limit.rlim_cur;
}

static int64_t lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Of the descriptors some are left to others: whoever keeps an answer needs
 * them, or what was fetched is lost. */
static int64_t descriptors_of_others(void)
{
	return lesser(descriptors() / 4, OTHERS_MAX);
}

/* How many connections there may be, resting ones included. */
static int64_t count_connections(const struct pv_policy *policy)
{
	int64_t concurrency = policy->rate.concurrency;
	int64_t kept = greater(KEPT_MIN, lesser(concurrency * 4, KEPT_MAX));
	return lesser(greater(concurrency, kept), descriptors() / 2);
}

/* Hosts do not fall evenly on shards. */
static void plan_shards(struct pv_fetch *fetch)
{
	int64_t connections = count_connections(fetch->policy);
	int64_t count =
	    (connections + SHARD_CONNECTIONS - 1) / SHARD_CONNECTIONS;
	int64_t each = connections / count;
	fetch->shard_count = (uint32_t)count;
	fetch->kept_max = (uint32_t)(count == 1 ? each : each + each / 4);
}

/* A SOCKS proxy is to look names up, so that they are not looked up here, in a
 * thread of libcurl's. */
static void write_proxy(struct pv_fetch *fetch)
{
	const char *proxy = fetch->policy->fetch.proxy;
	struct pv_str text = pv_str_of(proxy ? proxy : "");
	const struct pv_str socks = PV_STR("socks5://");
	pv_buf_init(&fetch->proxy, PROXY_MAX);
	if (pv_str_starts(text, socks)) {
		pv_buf_append_text(&fetch->proxy, "socks5h://");
		text = pv_str_from(text, socks.len);
	}
	pv_buf_append(&fetch->proxy, text);
}

static bool create_shards(struct pv_fetch *fetch)
{
	uint32_t count = fetch->shard_count;
	fetch->shards = pv_alloc_array(count, sizeof(struct pv_shard *));
	for (uint32_t i = 0; i < count; i++) {
		fetch->shards[i] = pv_shard_create(fetch);
		if (!fetch->shards[i]) {
			fetch->shard_count = i;
			return false;
		}
	}
	return true;
}

static void on_sleep(uv_prepare_t *before_sleep)
{
	struct pv_fetch *fetch = before_sleep->data;
	pv_absence_sleep(&fetch->absence, (int64_t)uv_now(fetch->loop),
	    uv_backend_timeout(fetch->loop));
}

static void watch_absence(struct pv_fetch *fetch)
{
	fetch->absence = pv_absence_of((int64_t)uv_now(fetch->loop));
	fetch->before_sleep = pv_alloc(sizeof(*fetch->before_sleep));
	uv_prepare_init(fetch->loop, fetch->before_sleep);
	fetch->before_sleep->data = fetch;
	uv_prepare_start(fetch->before_sleep, on_sleep);
	uv_unref((uv_handle_t *)fetch->before_sleep);
}

static void prepare(struct pv_fetch *fetch)
{
	fetch->pins = curl_slist_append(NULL, PV_PIN_RESOLVE);
	pv_request_head_init(&fetch->head, fetch->policy);
	pv_trust_init(&fetch->trust);
	pv_jar_init(&fetch->jar, fetch->policy->fetch.cookies);
	pv_sockets_init(&fetch->sockets, fetch->loop, pv_shard_on_ready);
	fetch->bandwidth = pv_bandwidth_create(
	    fetch->loop, fetch->policy->rate.bandwidth, pv_shard_on_course);
	watch_absence(fetch);
	write_proxy(fetch);
	fetch->socket_max = (int)(descriptors() - descriptors_of_others()) - 1;
	plan_shards(fetch);
}

static void free_handle(uv_handle_t *handle)
{
	free(handle);
}

struct pv_fetch *pv_fetch_create(
    const struct pv_fetch_plan *plan, struct pv_why *why)
{
	struct pv_fetch *fetch = NULL;
	if (curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) {
		fetch = pv_alloc(sizeof(*fetch));
		fetch->loop = plan->loop;
		fetch->policy = plan->policy;
		prepare(fetch);
	}
	if (fetch && create_shards(fetch))
		return fetch;
	pv_why_add(why, (struct pv_place){NULL, 0, 0}, PV_STR(""),
	    "libcurl cannot be used: too few file descriptors?");
	pv_fetch_destroy(fetch);
	return NULL;
}

void pv_fetch_destroy(struct pv_fetch *fetch)
{
	if (!fetch)
		return;
	for (uint32_t i = 0; i < fetch->shard_count; i++)
		pv_shard_destroy(fetch->shards[i]);
	free(fetch->shards);
	uv_close((uv_handle_t *)fetch->before_sleep, free_handle);
	pv_bandwidth_destroy(fetch->bandwidth);
	pv_sockets_finish(&fetch->sockets);
	pv_jar_finish(&fetch->jar);
	pv_trust_finish(&fetch->trust);
	pv_request_head_finish(&fetch->head);
	pv_buf_finish(&fetch->proxy);
	curl_slist_free_all(fetch->pins);
	free(fetch);
	curl_global_cleanup();
}

/* An address that is none ends at libcurl, like any that it cannot read. */
struct pv_flight *pv_fetch_start(
    struct pv_fetch *fetch, const struct pv_request *request)
{
	uint64_t host = pv_hash(&hash_key, pv_url_host_and_port(request->url));
	struct pv_shard *shard = fetch->shards[host % fetch->shard_count];
	return pv_shard_start(shard, request, host);
}

void pv_fetch_cancel(struct pv_fetch *fetch, struct pv_flight *flight)
{
	(void)fetch;
	pv_shard_cancel(flight->shard, flight);
}

void pv_fetch_close_idle(struct pv_fetch *fetch)
{
	for (uint32_t i = 0; i < fetch->shard_count; i++)
		pv_shard_close_idle(fetch->shards[i]);
}

const struct pv_fetch_kind pv_real_fetch = {
    .create = pv_fetch_create,
    .destroy = pv_fetch_destroy,
    .start = pv_fetch_start,
    .cancel = pv_fetch_cancel,
    .close_idle = pv_fetch_close_idle,
};
