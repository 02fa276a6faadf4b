#include "crawl/visit/release.h"

#include "base/visible.h"
#include "crawl/conductor.h"
#include "crawl/host/clock_claims.h"
#include "crawl/host/dns.h"
#include "crawl/host/giving_up.h"
#include "crawl/host/host_rest.h"
#include "crawl/host/host_visits.h"
#include "crawl/host/probe.h"
#include "crawl/host/proxies.h"
#include "crawl/host/refused_hosts.h"
#include "crawl/progress/events.h"
#include "crawl/robots/robots_gate.h"
#include "crawl/run/halt.h"
#include "crawl/visit/answered.h"
#include "crawl/visit/backpressure.h"
#include "crawl/visit/commit.h"
#include "crawl/visit/conditional.h"
#include "crawl/visit/flight.h"
#include "crawl/visit/outcome.h"
#include "crawl/visit/pacing.h"
#include "crawl/visit/retry_budget.h"
#include "http/status.h"
#include "schedule/scheduler.h"

#define AT_ONCE 4

/* A hostile robots.txt makes a verdict cost milliseconds; after so long the
 * loop gets its turn before more is released. */
#define STEP_NS 10000000

static const struct pv_visit_end given_up = {
    .is_given_up = true, .retry_after_ms = PV_NONE};

void pv_release_end(struct pv_flight *flight, const struct pv_visit_end *end)
{
	struct pv_crawl *crawl = flight->crawl;
	int64_t ended_at = pv_crawl_now_over(crawl);
	if (!flight->is_in_flight)
		return;
	flight->is_in_flight = false;
	pv_schedule_ended(crawl->schedule, flight->place, end, ended_at);
	pv_clock_claims_end(flight, end->is_given_up, ended_at);
}

/* The wire */

/* The thread that sent the request tells of it a while later; clocks, ledger
 * and journal count from when it was sent. */
static void on_sent(void *ctx)
{
	struct pv_flight *flight = ctx;
	struct pv_crawl *crawl = flight->crawl;
	int64_t late_ms = flight->response.times.told_late_ms;
	pv_crawl_look_at_clock(crawl);
	crawl->now.monotonic_ms -= late_ms;
	crawl->now.wall_ms -= late_ms;
	flight->is_sent = true;
	flight->wall_ms = crawl->now.wall_ms;
	pv_pacing_sent(flight);
	pv_counters_sent(&crawl->counters);
	int64_t sent_at = pv_crawl_now_over(crawl);
	pv_schedule_sent(crawl->schedule, flight->place, sent_at);
	pv_clock_claims_sent(flight, sent_at);
	crawl->now.monotonic_ms += late_ms;
	crawl->now.wall_ms += late_ms;
}

/* Whether it counts as a page, if it is answered well. */
static bool is_for_page(const struct pv_flight *flight)
{
	return pv_standing_is_for_readers(&flight->task->visit.standing);
}

static enum pv_asked asked_for(const struct pv_flight *flight)
{
	if (is_for_page(flight) || flight->task->is_probe)
		return PV_ASKED_PAGE;
	return pv_flight_is_robots(flight) ||
		       flight->task->visit.standing.is_only_list
		   ? PV_ASKED_ROBOTS
		   : PV_ASKED_RESOURCE;
}

/* What counts against limits of pages and bytes. */
static void count(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	const struct pv_response *response = &flight->response;
	bool is_page = is_for_page(flight) &&
		       response->outcome == PV_OUTCOME_ANSWERED &&
		       pv_http_class(response->http_status) == PV_HTTP_SUCCESS;
	crawl->counters.all_bytes += response->body.size;
	pv_host_limits_count(flight->host, response->body.size, is_page);
	if (!is_page)
		return;
	crawl->counters.pages++;
	crawl->counters.all_pages++;
}

/* That its proxy cannot be reached says nothing of its host, which goes by
 * another. */
static bool look_at_proxy(struct pv_flight *flight)
{
	const struct pv_response *response = &flight->response;
	bool is_lost = response->unreached == PV_UNREACHED_PROXY;
	if (!flight->proxy)
		return false;
	if (!response->is_own_fault)
		flight->host->in_vain =
		    response->http_status ? NULL : flight->proxy;
	if (is_lost)
		pv_proxy_fails(flight->crawl, flight->proxy, response->why);
	else if (!response->is_own_fault)
		pv_proxy_works(flight->crawl, flight->proxy);
	return is_lost;
}

/* That the host cannot be reached says nothing of the proxy's address, which
 * other hosts share. */
static void spare_proxy(
    const struct pv_flight *flight, struct pv_visit_end *end)
{
	if (!flight->proxy || !end->is_unreachable)
		return;
	end->is_unreachable = false;
	end->is_broken = true;
}

/* It is not in flight any more. */
static void stop_counting(struct pv_flight *flight)
{
	pv_flight_enter(flight, PV_FLIGHT_ANSWERED);
	pv_host_limits_end(flight->host, is_for_page(flight));
}

/* What failed is tried once more behind all else of its host, and rests for
 * itself until then; with too much to do, the host rests as a whole. */
static void rest(struct pv_flight *flight, const struct pv_visit_end *end)
{
	struct pv_visit *visit = &flight->task->visit;
	visit->not_before_wall_ms = 0;
	if (pv_visit_end_is_failure(end))
		visit->not_before_wall_ms =
		    flight->crawl->now.wall_ms +
		    pv_host_rest_ms(
			&flight->host->manners.manners, visit->attempt);
}

static void stop_for_disk(const struct pv_flight *flight)
{
	struct pv_buf fault;
	pv_buf_init(&fault, SIZE_MAX);
	pv_visible_append(&fault, flight->task->visit.url);
	pv_buf_append_format(&fault, ": %s", flight->response.why);
	pv_halt_fail_page(
	    flight->crawl, pv_buf_text(&fault), flight->response.disk_error);
	pv_buf_finish(&fault);
}

/* Whether it ended because this machine has run out of something. */
static bool is_for_lack(const struct pv_flight *flight)
{
	const struct pv_response *response = &flight->response;
	return response->is_own_fault && !response->is_bystander &&
	       !response->is_withheld;
}

static void on_end(void *ctx)
{
	struct pv_flight *flight = ctx;
	struct pv_crawl *crawl = flight->crawl;
	pv_crawl_look_at_clock(crawl);
	flight->transfer = NULL;
	stop_counting(flight);
	flight->response.times.name_ms = pv_dns_take_ms(flight->host);
	pv_resume_look(flight);
	struct pv_visit_end end =
	    pv_visit_outcome_end(&flight->response, crawl->now.wall_ms);
	spare_proxy(flight, &end);
	end.is_repeat = pv_visit_is_repeat(&flight->task->visit);
	end.asked = asked_for(flight);
	flight->is_urgent = end.retry_after_ms > 0;
	bool is_proxy_lost = look_at_proxy(flight);
	pv_pacing_end(flight, &end);
	pv_release_end(flight, &end);
	pv_events_ended(flight, &end);
	pv_counters_ended(&crawl->counters, &flight->response,
	    pv_flight_is_robots(flight) ||
		flight->task->visit.standing.is_only_list);
	flight->kind = pv_visit_outcome_kind(
	    &flight->response, &flight->task->visit, &crawl->policy->fetch);
	if (pv_resume_has_gained(flight))
		flight->kind = PV_REPORT_ONWARD;
	flight->is_out_of_tries = !pv_retry_budget_charge(flight);
	if (flight->is_out_of_tries)
		flight->kind = PV_REPORT_DONE;
	pv_resume_plan(flight);
	if (flight->kind == PV_REPORT_AGAIN || flight->kind == PV_REPORT_ONWARD)
		rest(flight, &end);
	count(flight);
	if (flight->response.disk_error)
		stop_for_disk(flight);
	else if (is_for_lack(flight) && !is_proxy_lost)
		pv_backpressure_slow_down(crawl, flight->response.why);
	else if (!is_proxy_lost)
		pv_giving_up_look(flight, &end);
	pv_answered_begin(flight);
}

/* It is its host's next again. But for a probe: when the host is asked again,
 * another page may be what tells more, or robots.txt forbid this one. */
static void leave_to_schedule(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_live_host *host = flight->host;
	struct pv_task *task = flight->task->is_probe ? NULL : flight->task;
	pv_release_end(flight, &given_up);
	if (task)
		flight->task = NULL;
	pv_flight_destroy(flight);
	if (task)
		pv_host_visits_put_back(crawl, host, task);
}

/* Another crawl on this machine keeps it for the moment, or one that was cut
 * short before it could write down what it heard. */
static void leave_to_others(struct pv_flight *flight, int64_t until)
{
	struct pv_live_host *host = flight->host;
	leave_to_schedule(flight);
	pv_giving_up_look_at_others(host, until);
}

/* robots.txt is for anybody. */
static void hand_over(struct pv_flight *flight, struct pv_request request)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_url with_login;
	pv_url_init(&with_login, 2 * PV_SEED_ADDRESS_MAX);
	if (!pv_flight_is_robots(flight))
		pv_secrets_apply(crawl, &flight->url, &with_login);
	if (with_login.text.len) {
		request.url = &with_login;
		request.authorization = NULL;
	}
	flight->transfer = crawl->around.fetch->start(crawl->fetch, &request);
	pv_url_finish(&with_login);
}

static void go_by(struct pv_flight *flight, struct pv_request *request)
{
	struct pv_proxy *proxy = flight->host->proxy;
	flight->proxy = proxy;
	request->proxy = pv_buf_text(&proxy->address);
	request->proxy_name = pv_buf_text(&proxy->name);
	pv_proxy_begin(flight->crawl, proxy);
}

static void fetch(struct pv_flight *flight)
{
	int64_t until;
	if (!pv_clock_claims_begin(flight, &until)) {
		leave_to_others(flight, until);
		return;
	}
	struct pv_crawl *crawl = flight->crawl;
	struct pv_live_host *host = flight->host;
	struct pv_request request = {
	    .url = &flight->url,
	    .address = host->address,
	    .port = host->port ? host->port : pv_url_port(&flight->url),
	    .has_secrets =
		pv_origins_has(&crawl->secrets.origins, flight->authority_text),
	    .is_any_type = !pv_flight_is_visit(flight) ||
			   flight->task->visit.standing.listing,
	    .is_beginning_enough = !pv_flight_is_visit(flight),
	    .is_tls_verified = host->manners.manners.tls_verify,
	    .tls_ca = host->manners.manners.tls_ca,
	    .bandwidth = host->manners.manners.bandwidth,
	    .clock = host->manners.clock,
	    .response = &flight->response,
	    .on_sent = on_sent,
	    .on_end = on_end,
	    .ctx = flight,
	};
	pv_secrets_say(crawl, &host->manners, &flight->url, &request);
	if (host->proxy)
		go_by(flight, &request);
	if (!pv_resume_ask(flight, &request))
		pv_conditional_ask(flight, &request);
	pv_flight_enter(flight, PV_FLIGHT_FETCHING);
	pv_flight_take_body(flight);
	flight->wait_ms = flight->released_at - flight->task->ready_at;
	pv_host_limits_begin(host, is_for_page(flight));
	hand_over(flight, request);
}

/* Before */

/* Whether it could be one page too many. */
static bool may_fill_host(const struct pv_flight *flight)
{
	return is_for_page(flight) &&
	       pv_host_limits_may_be_reached(flight->host);
}

static void refuse(struct pv_flight *flight, struct pv_verdict verdict)
{
	pv_release_end(flight, &given_up);
	pv_flight_refuse(flight, verdict);
	pv_commit_begin(flight);
}

/* The task goes back to where it came from. */
static void put_back(struct pv_flight *flight, struct pv_task_line *line)
{
	struct pv_task *task = flight->task;
	pv_release_end(flight, &given_up);
	flight->task = NULL;
	if (line)
		pv_task_line_push(line, task);
	else
		pv_task_line_push_first(&flight->host->ready, task);
	pv_flight_destroy(flight);
}

/* In the place of a visit whose task stands in a line again. */
static void fetch_instead(struct pv_flight *flight, struct pv_flight *asking)
{
	asking->place = flight->place;
	asking->is_in_flight = flight->is_in_flight;
	asking->due = flight->due;
	flight->task = NULL;
	flight->is_in_flight = false;
	pv_flight_destroy(flight);
	fetch(asking);
}

static void ask_robots_first(struct pv_flight *flight)
{
	struct pv_authority *authority = flight->authority;
	pv_task_line_push(&authority->aside, flight->task);
	fetch_instead(flight, pv_robots_gate_open(flight->crawl, authority));
}

static void start_probe(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_live_host *host = flight->host;
	struct pv_flight *known = NULL;
	switch (pv_probe_look(flight, &known)) {
	case PV_PROBE_ITSELF:
		fetch(flight);
		break;
	case PV_PROBE_LATER:
		put_back(flight, NULL);
		pv_host_visits_feed(crawl, host);
		break;
	case PV_PROBE_KNOWN:
		pv_task_line_push_first(&host->ready, flight->task);
		fetch_instead(flight, known);
		break;
	}
}

static void wait_for_pages(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_live_host *host = flight->host;
	pv_host_limits_wait(host);
	put_back(flight, NULL);
	pv_host_visits_feed(crawl, host);
}

/* It was admitted before it was known that all of its pattern are one page.
 * What was answered before is no address without end: it may be asked again. */
static bool is_same_page(const struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	const struct pv_visit *visit = &flight->task->visit;
	bool is_it = is_for_page(flight) && !visit->is_repeated &&
		     !pv_standing_is_seed(&visit->standing) &&
		     pv_traps_is_closed(crawl->reading.traps, &flight->url);
	pv_traps_tell(crawl->reading.traps, &crawl->log);
	return is_it;
}

static void start_visit(struct pv_flight *flight, enum pv_trial trial)
{
	struct pv_verdict verdict;
	bool had_visit_time = flight->host->robots_pace.has_visit_time;
	if (pv_host_limits_are_reached(flight->host)) {
		refuse(flight, (struct pv_verdict){.reason = PV_REASON_LIMIT});
		return;
	}
	if (is_same_page(flight)) {
		refuse(
		    flight, (struct pv_verdict){.reason = PV_REASON_SAME_BODY});
		return;
	}
	switch (pv_robots_gate_judge(flight, &verdict)) {
	case PV_ROBOTS_GATE_ALLOWED:
		if (flight->host->robots_pace.has_visit_time && !had_visit_time)
			leave_to_schedule(flight); /* that knows it by now */
		else if (may_fill_host(flight))
			wait_for_pages(flight);
		else if (trial == PV_TRIAL_PROBE)
			start_probe(flight);
		else
			fetch(flight);
		break;
	case PV_ROBOTS_GATE_FORBIDDEN:
		refuse(flight, verdict);
		break;
	case PV_ROBOTS_GATE_ASK:
		ask_robots_first(flight);
		break;
	case PV_ROBOTS_GATE_WAIT:
		put_back(flight, &flight->authority->aside);
		break;
	}
}

static void refuse_with_host(struct pv_flight *flight)
{
	pv_release_end(flight, &given_up);
	pv_refused_hosts_end(flight);
}

/* Or another proxy is to be looked for. */
static bool is_name_too_old(
    const struct pv_crawl *crawl, const struct pv_live_host *host)
{
	return host->name_until <= pv_crawl_now(crawl) ||
	       (host->proxy &&
		   (pv_proxy_rests(crawl, host->proxy) ||
		       host->in_vain == host->proxy));
}

/* The host's next visits wait until its address is known again. */
static void look_up_first(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_live_host *host = flight->host;
	pv_schedule_host_park(
	    crawl->schedule, host->scheduled, PV_NEVER, pv_crawl_now(crawl));
	put_back(flight, NULL);
	pv_dns_begin(crawl, host);
}

static void keep_as_listed(struct pv_flight *flight)
{
	pv_release_end(flight, &given_up);
	flight->kind = PV_REPORT_DONE;
	pv_flight_fill_page(flight, PV_CHANGE_SAME);
	pv_commit_begin(flight);
}

static void start(struct pv_crawl *crawl, const struct pv_release *release)
{
	struct pv_task *task = (struct pv_task *)(uintptr_t)release->visit;
	struct pv_live_host *host = task->host;
	if (release->trial == PV_TRIAL_PROBE)
		task = pv_probe_choose(task);
	struct pv_flight *flight = pv_flight_create(crawl, task);
	pv_host_slots_note_late(crawl, release->late_ms);
	pv_spread_add(&crawl->counters.lateness, 1000 * release->late_ms);
	flight->place = release->flight;
	flight->is_in_flight = true;
	flight->due = release->due;
	if (pv_conditional_is_listed(flight))
		keep_as_listed(flight);
	else if (flight->host->phase == PV_HOST_PACED &&
		 is_name_too_old(crawl, flight->host))
		look_up_first(flight);
	else if (flight->host->phase == PV_HOST_REFUSED)
		refuse_with_host(flight);
	else if (!pv_flight_is_visit(flight))
		fetch(flight);
	else
		start_visit(flight, release->trial);
	pv_host_visits_on_release(crawl, host);
}

/* Steps */

void pv_release_step(struct pv_crawl *crawl)
{
	struct pv_release releases[AT_ONCE];
	size_t count, room = pv_backpressure_room(crawl, AT_ONCE);
	uint64_t began = pv_crawl_ticks_ns(crawl);
	if (crawl->backpressure.has_idle_to_close)
		crawl->around.fetch->close_idle(crawl->fetch);
	crawl->backpressure.has_idle_to_close = false;
	do {
		pv_scheduler_hold(
		    crawl->schedule, pv_backpressure_reason(crawl));
		count = pv_scheduler_wake(
		    crawl->schedule, crawl->now, releases, room);
		for (size_t i = 0; i < count; i++)
			start(crawl, &releases[i]);
	} while (count == room && pv_crawl_ticks_ns(crawl) - began < STEP_NS);
}

/* It may have gone out until it was cancelled without our hearing of it. */
static void note_start(struct pv_flight *flight)
{
	pv_crawl_look_at_clock(flight->crawl);
	int64_t now = pv_crawl_now_over(flight->crawl);
	if (flight->is_sent || !flight->is_in_flight)
		return;
	pv_schedule_sent(flight->crawl->schedule, flight->place, now);
	pv_clock_claims_sent(flight, now);
}

void pv_release_drop_all(struct pv_crawl *crawl)
{
	struct pv_flight *flight = crawl->flights.first;
	while (flight) {
		struct pv_flight *next = flight->next;
		if (flight->transfer) {
			crawl->around.fetch->cancel(
			    crawl->fetch, flight->transfer);
			stop_counting(flight);
			pv_pacing_drop(flight);
			note_start(flight);
			pv_release_end(flight, &given_up);
			pv_flight_destroy(flight);
		}
		flight = next;
	}
}

/* It ends as one that was never to be asked now: of our own doing, and with the
 * rest that it would owe if it had gone out. */
static void withhold(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	crawl->around.fetch->cancel(crawl->fetch, flight->transfer);
	note_start(flight);
	pv_response_withhold(&flight->response);
	on_end(flight);
}

void pv_release_withhold_all(struct pv_crawl *crawl)
{
	struct pv_flight *flight = crawl->flights.first;
	while (flight) {
		struct pv_flight *next = flight->next;
		if (flight->transfer)
			withhold(flight);
		flight = next;
	}
}
