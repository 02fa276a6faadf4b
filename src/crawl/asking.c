#include "crawl/asking.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/hosts.h"
#include "crawl/leaving.h"
#include "crawl/open_visit.h"
#include "crawl/respite.h"
#include "crawl/wishes.h"
#include "policy/host_pattern.h"
#include "robots/access.h"

#define ROBOTS_PATH "/robots.txt"

/* What is known of an authority from when its host was here before holds for
 * it again. */
static struct pv_authority *authority_of(struct pv_open *open)
{
	struct pv_crawl *crawl = open->crawl;
	struct pv_authority *authority =
	    pv_authorities_find(&crawl->authorities, open->authority_text);
	if (authority->host != open->host) {
		pv_live_host_adopt(open->host, authority);
		pv_wishes_apply(open->host);
	}
	return authority;
}

/* While it is closed; who comes now is to be thought of when it is asked
 * again. */
static enum pv_asking wait_for(
    struct pv_crawl *crawl, const struct pv_authority *authority)
{
	if (authority->ask_at <= pv_crawl_now(crawl))
		return PV_ASKING_ASK;
	if (authority->ask_at < crawl->ask_next)
		crawl->ask_next = authority->ask_at;
	return PV_ASKING_WAIT;
}

static enum pv_asking decide(struct pv_open *open, struct pv_verdict *verdict)
{
	struct pv_robots_decision decision = pv_robots_decide(
	    open->authority->rules->matcher, pv_url_target(&open->url));
	if (decision.is_allowed) {
		open->rules = pv_robots_rules_share(open->authority->rules);
		return PV_ASKING_ALLOWED;
	}
	*verdict = (struct pv_verdict){PV_REASON_ROBOTS, decision.number};
	return PV_ASKING_FORBIDDEN;
}

static void let_go_on(struct pv_crawl *crawl, struct pv_authority *authority);

static void take_up(struct pv_crawl *crawl, struct pv_authority *authority)
{
	pv_wishes_apply(authority->host);
	let_go_on(crawl, authority);
}

/* Nothing is known of it, unless an earlier run has kept something. */
static enum pv_asking look_for(
    struct pv_crawl *crawl, struct pv_authority *authority)
{
	if (authority->is_looked_for)
		return PV_ASKING_WAIT;
	if (authority->is_remembered || !crawl->authorities.is_kept)
		return PV_ASKING_ASK;
	pv_robots_store_find(crawl, authority, take_up);
	return PV_ASKING_WAIT;
}

enum pv_asking pv_asking_judge(struct pv_open *open, struct pv_verdict *verdict)
{
	int64_t now = pv_crawl_now(open->crawl);
	if (open->host->manners.manners.robots == PV_ROBOTS_IGNORE)
		return PV_ASKING_ALLOWED;
	open->authority = authority_of(open);
	if (open->host->is_unwelcome &&
	    open->authority->state != PV_AUTHORITY_ASKING)
		return PV_ASKING_ASK;
	switch (open->authority->state) {
	case PV_AUTHORITY_UNKNOWN:
		return look_for(open->crawl, open->authority);
	case PV_AUTHORITY_ASKING:
		return PV_ASKING_WAIT;
	case PV_AUTHORITY_CLOSED:
		return wait_for(open->crawl, open->authority);
	case PV_AUTHORITY_OPEN:
		return open->authority->ask_at <= now ? PV_ASKING_ASK
						      : PV_ASKING_ALLOWED;
	case PV_AUTHORITY_RULES:
		return open->authority->ask_at <= now ? PV_ASKING_ASK
						      : decide(open, verdict);
	case PV_AUTHORITY_LOST:
		*verdict =
		    (struct pv_verdict){.reason = PV_REASON_ROBOTS_UNREACHABLE};
		return open->authority->ask_at <= now ? PV_ASKING_ASK
						      : PV_ASKING_FORBIDDEN;
	}
	return PV_ASKING_WAIT;
}

/* An errand to an address on a host, on behalf of the authority. */
static struct pv_errand *errand_to(struct pv_authority *authority,
    struct pv_live_host *host, struct pv_str url)
{
	struct pv_visit visit = {
	    .host_id = host->id,
	    .url = url,
	    .standing = {.use = PV_RESOURCE, .redirects = authority->redirects},
	    .attempt = authority->failures,
	};
	struct pv_errand *errand = pv_errand_create(&host->errands, &visit);
	errand->host = host;
	errand->authority = authority;
	authority->asks++;
	host->asks++;
	errand->ready_at = pv_crawl_now(host->crawl);
	authority->state = PV_AUTHORITY_ASKING;
	return errand;
}

static struct pv_errand *first_errand(struct pv_authority *authority)
{
	struct pv_buf url;
	pv_buf_init(&url, PV_SEED_ADDRESS_MAX);
	pv_buf_append(&url, authority->text);
	pv_buf_append_text(&url, ROBOTS_PATH);
	authority->redirects = 0;
	struct pv_errand *errand =
	    errand_to(authority, authority->host, pv_buf_str(&url));
	pv_buf_finish(&url);
	return errand;
}

struct pv_open *pv_asking_open(
    struct pv_crawl *crawl, struct pv_authority *authority)
{
	return pv_open_create(crawl, first_errand(authority));
}

/* What was set aside goes back to the host's line, before all else. */
static void let_go_on(struct pv_crawl *crawl, struct pv_authority *authority)
{
	struct pv_live_host *host = authority->host;
	if (!host)
		return;
	pv_errand_line_put_first(&host->ready, &authority->aside);
	pv_hosts_feed(crawl, host);
}

/* Why it is given up, if it has not been had for as long as the policy waits; who
 * has never answered may not be there at all. A clock that was set back begins
 * anew. */
static const char *why_lost(
    struct pv_crawl *crawl, struct pv_authority *authority)
{
	const struct pv_robots_policy *policy = &crawl->policy->robots;
	int64_t now = crawl->now.wall_ms;
	if (!authority->failed_since_wall_ms ||
	    authority->failed_since_wall_ms > now)
		authority->failed_since_wall_ms = now;
	int64_t ms = now - authority->failed_since_wall_ms;
	if (policy->give_up_ms != PV_NONE && ms >= policy->give_up_ms)
		return "its robots.txt could not be had for longer than "
		       "robots.give_up";
	if (!authority->has_answered && policy->give_up_silent_ms != PV_NONE &&
	    ms >= policy->give_up_silent_ms)
		return "nothing has ever answered there, for longer than "
		       "robots.give_up_silent";
	return NULL;
}

static void give_up(
    struct pv_crawl *crawl, struct pv_authority *authority, const char *why)
{
	authority->state = PV_AUTHORITY_LOST;
	authority->ask_at = pv_crawl_now(crawl) + crawl->policy->robots.ttl_ms;
	bool is_left = authority->host && pv_leaving_lose(authority->host, why);
	if (!is_left)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%.*s: its pages are given up: %s",
		    PV_STR_ARG(authority->text), why);
	let_go_on(crawl, authority);
}

static void wait_on(
    struct pv_crawl *crawl, struct pv_authority *authority, const char *why)
{
	const struct pv_manners *manners =
	    authority->host ? &authority->host->manners.manners
			    : &crawl->policy->manners;
	int64_t respite_ms = pv_respite_ms(manners, authority->failures - 1);
	authority->state = PV_AUTHORITY_CLOSED;
	authority->ask_at = pv_crawl_now(crawl) + respite_ms;
	if (authority->ask_at < crawl->ask_next)
		crawl->ask_next = authority->ask_at;
	pv_log(&crawl->log, PV_LOG_WARNING,
	    "%.*s: nothing is asked there: its robots.txt cannot be had: %s; "
	    "it is asked for again in %llds",
	    PV_STR_ARG(authority->text), why,
	    (long long)(respite_ms + 999) / 1000);
}

static void close_authority(
    struct pv_crawl *crawl, struct pv_authority *authority, const char *why)
{
	authority->failures++;
	const char *lost = why_lost(crawl, authority);
	if (lost)
		give_up(crawl, authority, lost);
	else
		wait_on(crawl, authority, why);
	if (authority->host)
		pv_leaving_look_at_robots(authority->host, 0);
}

/* It was nobody's fault but ours that nothing was heard of it. */
static void put_off(struct pv_crawl *crawl, struct pv_authority *authority)
{
	authority->state = PV_AUTHORITY_CLOSED;
	authority->ask_at = crawl->pause_until;
	if (authority->ask_at < crawl->ask_next)
		crawl->ask_next = authority->ask_at;
}

static void open_authority(struct pv_crawl *crawl,
    struct pv_authority *authority, struct pv_robots_rules *rules)
{
	pv_robots_rules_release(authority->rules);
	authority->rules = rules;
	authority->state = rules ? PV_AUTHORITY_RULES : PV_AUTHORITY_OPEN;
	authority->failures = 0;
	authority->failed_since_wall_ms = 0;
	authority->ask_at = pv_crawl_now(crawl) + crawl->policy->robots.ttl_ms;
	take_up(crawl, authority);
}

/* Elsewhere: the next hop is charged to its own host. */
struct hop {
	struct pv_authority *authority;
	struct pv_buf url;
};

static void make_hop(
    struct pv_crawl *crawl, struct pv_live_host *host, void *ctx)
{
	struct hop *hop = ctx;
	hop->authority->asks--;
	if (host && !crawl->is_ending) {
		pv_errand_line_push_first(&host->ready,
		    errand_to(hop->authority, host, pv_buf_str(&hop->url)));
		pv_hosts_feed(crawl, host);
	} else {
		close_authority(
		    crawl, hop->authority, "it lies where nobody can be asked");
	}
	pv_buf_finish(&hop->url);
	free(hop);
}

static bool follow(struct pv_open *open, struct pv_authority *authority)
{
	struct pv_crawl *crawl = open->crawl;
	struct pv_str host = pv_host_name_trim(pv_url_host(&open->location));
	if (!open->has_location || pv_never_find(&crawl->policy->never, host,
				       pv_url_address(&open->location)))
		return false;
	struct hop *hop = pv_alloc(sizeof(*hop));
	hop->authority = authority;
	pv_buf_init(&hop->url, PV_SEED_ADDRESS_MAX);
	pv_buf_append(&hop->url, pv_url_page(&open->location));
	authority->redirects++;
	authority->asks++;
	pv_hosts_wish(crawl, host, make_hop, hop);
	return true;
}

static void close_for_answer(struct pv_open *open)
{
	const struct pv_response *response = &open->response;
	char status[32];
	snprintf(
	    status, sizeof(status), "it is answered %u", response->http_status);
	close_authority(open->crawl, open->errand->authority,
	    response->why[0] ? response->why : status);
}

/* For the runs to come, unless it is being looked for elsewhere. */
static void save(struct pv_open *open)
{
	const struct pv_crawl *crawl = open->crawl;
	const struct pv_authority *authority = open->errand->authority;
	if (authority->state == PV_AUTHORITY_ASKING)
		return;
	open->saved_robots = (struct pv_saved_robots){
	    .is_there = true,
	    .state = authority->state,
	    .asked_wall_ms = open->page.wall_ms,
	    .until_wall_ms =
		crawl->now.wall_ms + authority->ask_at - pv_crawl_now(crawl),
	    .failures = authority->failures,
	    .failed_since_wall_ms = authority->failed_since_wall_ms,
	    .http_status = open->response.http_status,
	    .has_copy = open->saved_robots.has_copy,
	    .is_cut = open->saved_robots.is_cut,
	};
}

static void take_answer(struct pv_open *open)
{
	struct pv_crawl *crawl = open->crawl;
	struct pv_authority *authority = open->errand->authority;
	const struct pv_response *response = &open->response;
	authority->has_answered |= response->http_status != 0;
	bool has_answer =
	    response->outcome == PV_OUTCOME_ANSWERED ||
	    (response->outcome == PV_OUTCOME_TOO_LARGE && open->read_rules);
	switch (pv_robots_access(
	    has_answer ? response->http_status : 0, authority->redirects)) {
	case PV_ROBOTS_READ_IT:
		open_authority(crawl, authority, open->read_rules);
		open->read_rules = NULL;
		break;
	case PV_ROBOTS_ELSEWHERE:
		if (!follow(open, authority))
			close_for_answer(open);
		break;
	case PV_ROBOTS_ALL_ALLOWED:
		open_authority(crawl, authority, NULL);
		break;
	case PV_ROBOTS_ALL_FORBIDDEN:
		close_for_answer(open);
		break;
	}
}

void pv_asking_answer(struct pv_open *open)
{
	if (open->response.is_own_fault) {
		put_off(open->crawl, open->errand->authority);
		return;
	}
	take_answer(open);
	save(open);
}

static void ask_again(struct pv_crawl *crawl, struct pv_authority *authority)
{
	pv_errand_line_push_first(
	    &authority->host->ready, first_errand(authority));
	pv_hosts_feed(crawl, authority->host);
}

void pv_asking_step(struct pv_crawl *crawl)
{
	int64_t next = PV_NEVER;
	if (crawl->ask_next > pv_crawl_now(crawl) || crawl->is_ending)
		return;
	for (size_t i = 0; i < crawl->authorities.count; i++) {
		struct pv_authority *authority = crawl->authorities.items[i];
		if (authority->state != PV_AUTHORITY_CLOSED ||
		    !authority->host || !authority->aside.count)
			continue;
		if (authority->ask_at <= pv_crawl_now(crawl))
			ask_again(crawl, authority);
		else if (authority->ask_at < next)
			next = authority->ask_at;
	}
	crawl->ask_next = next;
}
