#include "crawl/host/proxies.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/array.h"
#include "base/hash.h"
#include "crawl/conductor.h"
#include "crawl/host/host_rest.h"
#include "policy/proxies.h"

/* A proxy is nobody's server but ours, or meant to be used: it is not left alone
 * for as long as a host. */
#define REST_MAX_MS INT64_C(300000)

struct opening {
	struct pv_crawl *crawl;
	struct pv_why *why;
	bool is_right;
};

/* Opening */

static struct pv_proxy *find(
    const struct pv_proxies *proxies, struct pv_str name)
{
	for (size_t i = 0; i < proxies->count; i++) {
		if (pv_str_equal(pv_buf_str(&proxies->items[i].name), name))
			return &proxies->items[i];
	}
	return NULL;
}

static void finish_proxy(struct pv_proxy *proxy)
{
	pv_buf_finish(&proxy->address);
	pv_buf_finish(&proxy->name);
	pv_buf_finish(&proxy->host);
}

static struct pv_proxy read_proxy(
    const char *text, struct pv_proxy_form *form)
{
	struct pv_proxy proxy = {.port = 0};
	pv_buf_init(&proxy.address, SIZE_MAX);
	pv_buf_init(&proxy.name, SIZE_MAX);
	pv_buf_init(&proxy.host, SIZE_MAX);
	pv_proxy_form_read(pv_str_of(text), form, &proxy.host);
	pv_proxy_form_write_open(form, pv_buf_str(&proxy.host), &proxy.name);
	proxy.port = form->port;
	return proxy;
}

/* With the login that the policy has for it, or else that is kept. */
static bool write_address(struct opening *opening, struct pv_proxy *proxy,
    struct pv_proxy_form *form)
{
	struct pv_str whole =
	    pv_secrets_proxy(opening->crawl, pv_buf_str(&proxy->name));
	struct pv_buf host;
	struct pv_str unset;
	pv_buf_init(&host, SIZE_MAX);
	if (whole.len && !form->login.len)
		pv_proxy_form_read(whole, form, &host);
	bool is_set = pv_proxy_form_write(
	    form, pv_buf_str(&proxy->host), &proxy->address, &unset);
	if (!is_set)
		pv_why_add(opening->why, (struct pv_place){0},
		    PV_STR("fetch.proxy"),
		    "the environment variable %.*s is not set: set it before "
		    "the crawl is started",
		    PV_STR_ARG(unset));
	pv_buf_finish(&host);
	return is_set;
}

static void add(void *ctx, const char *text, const struct pv_place *place)
{
	struct opening *opening = ctx;
	struct pv_crawl *crawl = opening->crawl;
	struct pv_proxies *proxies = &crawl->hosts.proxies;
	struct pv_proxy_form form;
	struct pv_proxy proxy = read_proxy(text, &form);
	(void)place;
	if (find(proxies, pv_buf_str(&proxy.name))) {
		finish_proxy(&proxy);
		return;
	}
	opening->is_right =
	    write_address(opening, &proxy, &form) && opening->is_right;
	*PV_ARRAY_PUSH(proxies->items, proxies->count, proxies->size) = proxy;
}

bool pv_proxies_open(struct pv_crawl *crawl, struct pv_why *why)
{
	struct opening opening = {
	    .crawl = crawl, .why = why, .is_right = true};
	pv_resolve_table_init(
	    &crawl->hosts.proxies.resolve, &crawl->policy->fetch.resolve);
	pv_proxies_each(crawl->policy, add, &opening);
	return opening.is_right;
}

void pv_proxies_close(struct pv_proxies *proxies)
{
	for (size_t i = 0; i < proxies->count; i++)
		finish_proxy(&proxies->items[i]);
	free(proxies->items);
	pv_resolve_table_finish(&proxies->resolve);
}

void pv_proxies_name(struct pv_crawl *crawl)
{
	for (size_t i = 0; i < crawl->hosts.proxies.count; i++)
		crawl->around.names->add_named(crawl->names,
		    pv_buf_str(&crawl->hosts.proxies.items[i].host));
}

const struct pv_address *pv_host_literal(
    struct pv_str host, struct pv_address *address)
{
	if (pv_str_starts(host, PV_STR("[")))
		host = pv_str_head(pv_str_from(host, 1), host.len - 2);
	return pv_address_read(host, address) ? address : NULL;
}

bool pv_proxies_find_host(const struct pv_manners *manners,
    const struct pv_resolve_table *resolve, struct pv_str host)
{
	struct pv_address address;
	return manners->proxies.count && !pv_host_literal(host, &address) &&
	       !pv_resolve_table_get(resolve, host, NULL);
}

/* Choosing */

bool pv_proxy_rests(const struct pv_crawl *crawl, const struct pv_proxy *proxy)
{
	return proxy->rests_until > pv_crawl_now(crawl);
}

static struct pv_proxy *proxy_of(
    const struct pv_crawl *crawl, const char *text)
{
	struct pv_proxy_form form;
	struct pv_proxy read = read_proxy(text, &form);
	struct pv_proxy *proxy =
	    find(&crawl->hosts.proxies, pv_buf_str(&read.name));
	finish_proxy(&read);
	return proxy;
}

/* The better of two: one by which the host has answered, and then the one that
 * it goes by. */
static bool is_better(const struct pv_live_host *host,
    const struct pv_proxy *proxy, const struct pv_proxy *chosen)
{
	if (!chosen || (chosen == host->in_vain) != (proxy == host->in_vain))
		return proxy != host->in_vain || !chosen;
	return proxy == host->proxy;
}

struct pv_proxy *pv_proxies_choose(
    struct pv_crawl *crawl, const struct pv_live_host *host, int64_t *until)
{
	static const struct pv_hash_key key = {{0x70726f78, 0x696573}};
	const struct pv_texts *list = &host->manners.manners.proxies;
	size_t first = (size_t)(pv_hash(&key, host->name) % list->count);
	struct pv_proxy *chosen = NULL;
	*until = PV_NEVER;
	for (size_t i = 0; i < list->count; i++) {
		struct pv_proxy *proxy = proxy_of(
		    crawl, list->items[(first + i) % list->count]);
		bool is_up = !pv_proxy_rests(crawl, proxy);
		if (is_up && is_better(host, proxy, chosen))
			chosen = proxy;
		if (!is_up && proxy->rests_until < *until)
			*until = proxy->rests_until;
	}
	return chosen;
}

/* How they are */

static int64_t rest_ms(
    const struct pv_crawl *crawl, const struct pv_proxy *proxy)
{
	uint32_t before = proxy->failures_now ? proxy->failures_now - 1 : 0;
	int64_t rest = pv_host_rest_ms(&crawl->policy->manners, before);
	return rest < REST_MAX_MS ? rest : REST_MAX_MS;
}

void pv_proxy_begin(struct pv_crawl *crawl, struct pv_proxy *proxy)
{
	proxy->requests++;
	if (proxy->failures_now)
		proxy->rests_until =
		    pv_crawl_now(crawl) + rest_ms(crawl, proxy);
}

/* Hosts that wait for any proxy look again. */
static void wake_hosts(struct pv_crawl *crawl)
{
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		struct pv_live_host *host = crawl->hosts.held.items[i];
		if (host->has_no_proxy && host->look_up_at != PV_NEVER)
			host->look_up_at = pv_crawl_now(crawl);
	}
	crawl->hosts.dns.look_up_next = pv_crawl_now(crawl);
}

void pv_proxy_works(struct pv_crawl *crawl, struct pv_proxy *proxy)
{
	if (!proxy->failures_now)
		return;
	proxy->failures_now = 0;
	proxy->rests_until = 0;
	pv_log(&crawl->log, PV_LOG_INFO, "the proxy %s works again",
	    pv_buf_text(&proxy->name));
	wake_hosts(crawl);
}

/* What was on its way when another failure was heard of is no news. */
void pv_proxy_fails(
    struct pv_crawl *crawl, struct pv_proxy *proxy, const char *why)
{
	bool is_news = !proxy->failures_now ||
		       proxy->failed_at + rest_ms(crawl, proxy) <=
			   pv_crawl_now(crawl);
	proxy->failures++;
	if (!is_news)
		return;
	proxy->failures_now++;
	proxy->failed_at = pv_crawl_now(crawl);
	proxy->rests_until = proxy->failed_at + rest_ms(crawl, proxy);
	snprintf(proxy->why, sizeof(proxy->why), "%s", why);
	pv_log(&crawl->log, PV_LOG_WARNING, "%s; next try in %lld s", why,
	    (long long)((rest_ms(crawl, proxy) + 999) / 1000));
}

/* For people */

static void write_until(
    const struct pv_crawl *crawl, int64_t until, struct pv_buf *buf)
{
	int64_t wall_ms = crawl->now.wall_ms + until - pv_crawl_now(crawl);
	time_t seconds = (time_t)(wall_ms / 1000);
	struct tm broken;
	char text[32];
	localtime_r(&seconds, &broken);
	strftime(text, sizeof(text), "%H:%M:%S", &broken);
	pv_buf_append_text(buf, text);
}

/* Of the last failure, what does not name the proxy again. */
static struct pv_str brief_why(const struct pv_proxy *proxy)
{
	const char *name = strstr(proxy->why, pv_buf_text(&proxy->name));
	return name ? pv_str_trim(pv_str_of(name + proxy->name.len))
		    : pv_str_of(proxy->why);
}

static void write_proxy(const struct pv_crawl *crawl,
    const struct pv_proxy *proxy, struct pv_buf *buf)
{
	pv_buf_append_format(buf, "%s: %llu request%s",
	    pv_buf_text(&proxy->name), (unsigned long long)proxy->requests,
	    proxy->requests == 1 ? "" : "s");
	if (proxy->failures)
		pv_buf_append_format(buf, ", %llu failed",
		    (unsigned long long)proxy->failures);
	if (!proxy->failures_now)
		return;
	if (pv_proxy_rests(crawl, proxy)) {
		pv_buf_append_text(buf, ", rests until ");
		write_until(crawl, proxy->rests_until, buf);
	}
	pv_buf_append_format(buf, " %.*s", PV_STR_ARG(brief_why(proxy)));
}

void pv_proxies_write(const struct pv_crawl *crawl, struct pv_buf *buf)
{
	for (size_t i = 0; i < crawl->hosts.proxies.count; i++) {
		if (i)
			pv_buf_append_char(buf, '\n');
		write_proxy(crawl, &crawl->hosts.proxies.items[i], buf);
	}
}
