#include "fetch/easy.h"

#include "base/alloc.h"
#include "fetch/exchange.h"
#include "fetch/lane.h"
#include "fetch/transfer.h"
#include "policy/policy.h"

/* Longer than any deadline that a policy may set, and far from where libcurl's
 * numbers end. */
#define NEVER_MS 1000000000L

/* An idle connection is not tried again after this; most servers close it
 * sooner. */
#define IDLE_MAX_S 90L

static long version_of(const struct pv_fetch_shared *shared)
{
	if (shared->policy->fetch.http2)
		return CURL_HTTP_VERSION_2TLS;
	return CURL_HTTP_VERSION_1_1;
}

/* Only http and https; the address as it is, in which nothing is to be
 * tidied any more. */
static void set_manners(CURL *easy, const struct pv_fetch_shared *shared)
{
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(
	    easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
	curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
	curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, version_of(shared));
	curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, NEVER_MS);
	curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, IDLE_MAX_S);
}

/* libcurl must load no certificates of its own: they are ours, by
 * pv_hook_tls, and its cache would put those of one connection in the place of
 * another's. */
static void set_tls(CURL *easy)
{
	curl_easy_setopt(easy, CURLOPT_CAINFO, NULL);
	curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
	curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, NULL);
	curl_easy_setopt(easy, CURLOPT_PROXY_CAPATH, NULL);
#if LIBCURL_VERSION_NUM >= 0x075700
	curl_easy_setopt(easy, CURLOPT_CA_CACHE_TIMEOUT, 0L);
#endif
	curl_easy_setopt(
	    easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
}

/* A proxy is reached where the request says, and finds the host itself; what is
 * said to it alone has an agent, too. Without one, "" keeps those of the
 * environment away. */
static void set_way(CURL *easy, struct pv_exchange *exchange)
{
	struct pv_fetch_shared *shared = exchange->lane->shared;
	curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl_easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, -1L);
	curl_easy_setopt(easy, CURLOPT_RESOLVE, shared->pins);
}

static void aim_way(CURL *easy, struct pv_exchange *exchange)
{
	struct pv_fetch_shared *shared = exchange->lane->shared;
	const char *proxy = exchange->transfer->request.proxy;
	if (proxy || exchange->had_proxy) {
		curl_easy_setopt(easy, CURLOPT_PROXY, proxy ? proxy : "");
		curl_easy_setopt(easy, CURLOPT_USERAGENT,
		    proxy ? pv_buf_text(&shared->head.agent) : NULL);
	}
	exchange->had_proxy = proxy != NULL;
	curl_easy_setopt(
	    easy, CURLOPT_CONNECT_TO, proxy ? NULL : &exchange->pin.connect_to);
}

/* What was set for the last request has to be taken back. */
static void aim_body(CURL *easy, struct pv_exchange *exchange)
{
	struct pv_str body = exchange->transfer->request.body;
	if (body.ptr) {
		curl_easy_setopt(
		    easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len);
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.ptr);
	} else if (exchange->had_body) {
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS, NULL);
		curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
	}
	exchange->had_body = body.ptr != NULL;
}

CURL *pv_easy_create(struct pv_exchange *exchange)
{
	CURL *easy = curl_easy_init();
	if (!easy)
		pv_alloc_fail(1, sizeof(void *));
	set_manners(easy, exchange->lane->shared);
	set_tls(easy);
	set_way(easy, exchange);
	pv_jar_join(&exchange->lane->shared->jar, easy);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, exchange);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, exchange->words);
	return easy;
}

void pv_easy_aim(struct pv_exchange *exchange)
{
	CURL *easy = exchange->easy;
	struct pv_transfer *transfer = exchange->transfer;
	const struct pv_request_head *head = &exchange->lane->shared->head;
	const struct pv_request *request = &transfer->request;
	bool is_verified = request->is_tls_verified;
	aim_way(easy, exchange);
	aim_body(easy, exchange);
	curl_easy_setopt(easy, CURLOPT_URL, pv_buf_text(&transfer->url));
	struct curl_slist *lines = pv_own_head_over(&exchange->own_head,
	    request, request->has_secrets ? head->complete : head->open);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER,
	    pv_condition_head_before(&exchange->conditions, request, lines));
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, is_verified ? 1L : 0L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, is_verified ? 2L : 0L);
	curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 0L);
}
