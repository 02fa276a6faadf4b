#include "crawl/robots/robots_gate.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/host/giving_up.h"
#include "crawl/host/host_visits.h"
#include "crawl/host/hosts.h"
#include "crawl/progress/events.h"
#include "crawl/robots/robots_hops.h"
#include "crawl/robots/robots_pace.h"
#include "crawl/robots/robots_store.h"
#include "crawl/robots/robots_validity.h"
#include "crawl/visit/flight.h"
#include "policy/values/host_pattern.h"
#include "robots/access.h"

#define ROBOTS_PATH "/robots.txt"

/* What is known of an authority from when its host was here before holds for
 * it again. */
static struct pv_authority *authority_of(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_authority *authority = pv_authorities_find(
	    &crawl->hosts.authorities, flight->authority_text);
	if (authority->host != flight->host) {
		pv_live_host_adopt(flight->host, authority);
		pv_robots_pace_apply(flight->host);
	}
	return authority;
}

/* While it is closed; who comes now is to be thought of when it is asked
 * again. */
static enum pv_robots_gate wait_for(
    struct pv_crawl *crawl, const struct pv_authority *authority)
{
	if (authority->ask_at <= pv_crawl_now(crawl))
		return PV_ROBOTS_GATE_ASK;
	pv_authorities_note_ask(&crawl->hosts.authorities, authority->ask_at);
	return PV_ROBOTS_GATE_WAIT;
}

static enum pv_robots_gate decide(
    struct pv_flight *flight, struct pv_verdict *verdict)
{
	struct pv_robots_decision decision = pv_robots_decide(
	    flight->authority->rules->matcher, pv_url_target(&flight->url));
	if (decision.is_allowed) {
		flight->rules = pv_robots_rules_share(flight->authority->rules);
		return PV_ROBOTS_GATE_ALLOWED;
	}
	*verdict = (struct pv_verdict){PV_REASON_ROBOTS, decision.number};
	return PV_ROBOTS_GATE_FORBIDDEN;
}

static void let_go_on(struct pv_crawl *crawl, struct pv_authority *authority);

static void take_up(struct pv_crawl *crawl, struct pv_authority *authority)
{
	pv_robots_pace_apply(authority->host);
	let_go_on(crawl, authority);
}

/* Nothing is known of it, unless an earlier run has kept something. */
static enum pv_robots_gate look_for(
    struct pv_crawl *crawl, struct pv_authority *authority)
{
	if (authority->is_looked_for)
		return PV_ROBOTS_GATE_WAIT;
	if (authority->is_remembered || !crawl->hosts.authorities.is_kept)
		return PV_ROBOTS_GATE_ASK;
	pv_robots_store_find(crawl, authority, take_up);
	return PV_ROBOTS_GATE_WAIT;
}

/* Whether it is asked for before this visit. */
static bool is_due(
    const struct pv_crawl *crawl, const struct pv_authority *authority)
{
	return authority->ask_at <= pv_crawl_now(crawl) &&
	       !authority->is_page_first;
}

static enum pv_robots_gate judge(
    struct pv_flight *flight, struct pv_verdict *verdict)
{
	struct pv_authority *authority = flight->authority;
	switch (authority->state) {
	case PV_AUTHORITY_UNKNOWN:
		return look_for(flight->crawl, authority);
	case PV_AUTHORITY_ASKING:
		return PV_ROBOTS_GATE_WAIT;
	case PV_AUTHORITY_CLOSED:
		return wait_for(flight->crawl, authority);
	case PV_AUTHORITY_OPEN:
		return is_due(flight->crawl, authority)
			   ? PV_ROBOTS_GATE_ASK
			   : PV_ROBOTS_GATE_ALLOWED;
	case PV_AUTHORITY_RULES:
		return is_due(flight->crawl, authority)
			   ? PV_ROBOTS_GATE_ASK
			   : decide(flight, verdict);
	case PV_AUTHORITY_LOST:
		*verdict =
		    (struct pv_verdict){.reason = PV_REASON_ROBOTS_UNREACHABLE};
		return is_due(flight->crawl, authority)
			   ? PV_ROBOTS_GATE_ASK
			   : PV_ROBOTS_GATE_FORBIDDEN;
	}
	return PV_ROBOTS_GATE_WAIT;
}

enum pv_robots_gate pv_robots_gate_judge(
    struct pv_flight *flight, struct pv_verdict *verdict)
{
	if (flight->host->manners.manners.robots == PV_ROBOTS_IGNORE)
		return PV_ROBOTS_GATE_ALLOWED;
	flight->authority = authority_of(flight);
	pv_robots_validity_look(flight->crawl, flight->authority);
	if (flight->host->is_unwelcome &&
	    flight->authority->state != PV_AUTHORITY_ASKING)
		return PV_ROBOTS_GATE_ASK;
	enum pv_robots_gate asking = judge(flight, verdict);
	if (asking == PV_ROBOTS_GATE_ALLOWED)
		flight->authority->is_page_first = false;
	return asking;
}

/* A task to an address on a host, on behalf of the authority. */
static struct pv_task *task_to(struct pv_authority *authority,
    struct pv_live_host *host, struct pv_str url)
{
	struct pv_visit visit = {
	    .host_id = host->id,
	    .url = url,
	    .standing = {.use = PV_RESOURCE, .redirects = authority->redirects},
	    .attempt = authority->failures,
	};
	struct pv_task *task = pv_task_create_for(authority, host, &visit);
	task->ready_at = pv_crawl_now(host->crawl);
	authority->state = PV_AUTHORITY_ASKING;
	return task;
}

static struct pv_task *first_task(struct pv_authority *authority)
{
	struct pv_buf url;
	pv_buf_init(&url, PV_SEED_ADDRESS_MAX);
	pv_buf_append(&url, authority->text);
	pv_buf_append_text(&url, ROBOTS_PATH);
	authority->redirects = 0;
	struct pv_task *task =
	    task_to(authority, authority->host, pv_buf_str(&url));
	pv_buf_finish(&url);
	return task;
}

struct pv_flight *pv_robots_gate_open(
    struct pv_crawl *crawl, struct pv_authority *authority)
{
	return pv_flight_create(crawl, first_task(authority));
}

/* Visits that were set aside go back to the front of the host's line, before those
 * that the schedule has been given meanwhile. Requests for another robots.txt stay
 * ahead of them: other visits wait for these. */
static void let_go_on(struct pv_crawl *crawl, struct pv_authority *authority)
{
	struct pv_live_host *host = authority->host;
	struct pv_task_line asking = {0};
	if (!host)
		return;
	if (authority->aside.count && host->phase == PV_HOST_PACED)
		pv_host_visits_take_back(host);
	while (host->ready.first && host->ready.first->authority)
		pv_task_line_push(&asking, pv_task_line_pop(&host->ready));
	pv_task_line_put_first(&host->ready, &authority->aside);
	pv_task_line_put_first(&host->ready, &asking);
	pv_host_visits_feed(crawl, host);
}

/* After it was asked for, whatever came. While it is closed what waits for it
 * stays aside. */
static void go_on(struct pv_crawl *crawl, struct pv_authority *authority)
{
	switch (authority->state) {
	case PV_AUTHORITY_OPEN:
	case PV_AUTHORITY_RULES:
		take_up(crawl, authority);
		return;
	case PV_AUTHORITY_LOST:
		let_go_on(crawl, authority);
		break;
	default:
		break;
	}
	if (authority->host)
		pv_giving_up_look_at_robots(authority->host, 0);
}

static void close_authority(struct pv_crawl *crawl,
    struct pv_authority *authority, const struct pv_robots_failure *failure)
{
	pv_robots_validity_fail(crawl, authority, failure);
	go_on(crawl, authority);
}

static void open_authority(struct pv_crawl *crawl,
    struct pv_authority *authority, struct pv_robots_rules *rules)
{
	pv_robots_validity_renew(crawl, authority, rules);
	pv_events_robots(crawl, authority);
	go_on(crawl, authority);
}

/* Elsewhere: the next hop is charged to its own host. */
void pv_robots_gate_hop(struct pv_crawl *crawl, struct pv_authority *authority,
    struct pv_live_host *host, struct pv_str url)
{
	if (host) {
		pv_task_line_push_first(
		    &host->ready, task_to(authority, host, url));
		pv_host_visits_feed(crawl, host);
		return;
	}
	close_authority(crawl, authority,
	    &(struct pv_robots_failure){
		.why = "it redirects to an address that cannot be requested"});
}

static bool follow(struct pv_flight *flight, struct pv_authority *authority)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_url *location = &flight->findings.robots.location;
	struct pv_str host = pv_host_name_trim(pv_url_host(location));
	if (!flight->findings.robots.has_location ||
	    pv_never_find(
		&crawl->policy->never, host, pv_url_address(location)) ||
	    pv_scope_refuses_port(crawl->reading.scope, location))
		return false;
	pv_url_drop_credentials(location);
	authority->redirects++;
	pv_robots_hops_add(crawl, authority, host, pv_url_page(location));
	return true;
}

static void close_for_answer(struct pv_flight *flight)
{
	const struct pv_response *response = &flight->response;
	char status[32];
	snprintf(status, sizeof(status), "answered %u", response->http_status);
	const struct pv_robots_failure failure = {
	    .outcome = response->outcome,
	    .unreached = response->unreached,
	    .why = response->why[0] ? response->why : status,
	};
	close_authority(flight->crawl, flight->task->authority, &failure);
}

/* For the runs to come, unless it is being looked for elsewhere. Of a copy that
 * counts on, how the others failed is added to what was known. */
static void save(struct pv_flight *flight)
{
	const struct pv_crawl *crawl = flight->crawl;
	const struct pv_authority *authority = flight->task->authority;
	bool is_kept = pv_robots_validity_is_kept(authority);
	if (authority->state == PV_AUTHORITY_ASKING)
		return;
	flight->record.robots_authority = authority->text;
	flight->record.robots = (struct pv_saved_robots){
	    .is_there = true,
	    .state = authority->state,
	    .asked_wall_ms = is_kept
				 ? pv_robots_validity_since(crawl, authority)
				 : flight->wall_ms,
	    .until_wall_ms =
		crawl->now.wall_ms + authority->ask_at - pv_crawl_now(crawl),
	    .failures = authority->failures,
	    .failed_since_wall_ms = authority->failed_since_wall_ms,
	    .http_status = is_kept ? 0 : flight->response.http_status,
	    .has_copy = flight->findings.robots.has_copy,
	    .is_cut = flight->findings.robots.is_cut,
	};
}

static void take_answer(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_authority *authority = flight->task->authority;
	const struct pv_response *response = &flight->response;
	authority->has_answered |= response->http_status != 0;
	bool has_answer = response->outcome == PV_OUTCOME_ANSWERED ||
			  (response->outcome == PV_OUTCOME_TOO_LARGE &&
			      flight->findings.robots.rules);
	switch (pv_robots_access(
	    has_answer ? response->http_status : 0, authority->redirects)) {
	case PV_ROBOTS_READ_IT:
		open_authority(crawl, authority,
		    pv_findings_take_rules(&flight->findings));
		break;
	case PV_ROBOTS_ELSEWHERE:
		if (!follow(flight, authority))
			close_for_answer(flight);
		break;
	case PV_ROBOTS_ALL_ALLOWED:
		open_authority(crawl, authority, NULL);
		break;
	case PV_ROBOTS_ALL_FORBIDDEN:
		close_for_answer(flight);
		break;
	}
}

void pv_robots_gate_answer(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_authority *authority = flight->task->authority;
	if (flight->response.is_own_fault) {
		pv_robots_validity_put_off(crawl, authority);
		if (authority->state != PV_AUTHORITY_CLOSED)
			let_go_on(crawl, authority);
		return;
	}
	take_answer(flight);
	save(flight);
}

static void ask_again(struct pv_crawl *crawl, struct pv_authority *authority)
{
	pv_task_line_push_first(&authority->host->ready, first_task(authority));
	pv_host_visits_feed(crawl, authority->host);
}

void pv_robots_gate_step(struct pv_crawl *crawl)
{
	int64_t next = PV_NEVER;
	if (crawl->hosts.authorities.ask_next > pv_crawl_now(crawl) ||
	    crawl->halt.is_ending)
		return;
	for (size_t i = 0; i < crawl->hosts.authorities.count; i++) {
		struct pv_authority *authority =
		    crawl->hosts.authorities.items[i];
		if (authority->state != PV_AUTHORITY_CLOSED ||
		    !authority->host || !authority->aside.count)
			continue;
		if (authority->ask_at <= pv_crawl_now(crawl))
			ask_again(crawl, authority);
		else if (authority->ask_at < next)
			next = authority->ask_at;
	}
	crawl->hosts.authorities.ask_next = next;
}
