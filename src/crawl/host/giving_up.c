#include "crawl/host/giving_up.h"

#include "crawl/conductor.h"
#include <stdio.h>

#include "crawl/host/host_visits.h"
#include "crawl/visit/flight.h"

/* A name that does not exist is not asked for again before then. */
#define NAMELESS_MS (INT64_C(3600) * 1000)

/* What the schedule has of it would end only when its clock allows. */
static void take_back(struct pv_live_host *host)
{
	struct pv_crawl *crawl = host->crawl;
	if (!host->scheduled)
		return;
	pv_host_visits_take_back(host);
	pv_schedule_host_park(
	    crawl->schedule, host->scheduled, 0, pv_crawl_now(crawl));
}

void pv_giving_up_refuse(
    struct pv_live_host *host, const struct pv_refusal *refusal)
{
	take_back(host);
	pv_task_line_put_first(&host->ready, &host->later);
	host->phase = PV_HOST_REFUSED;
	host->outcome = refusal->outcome;
	host->reason = refusal->reason;
	pv_live_host_tell_why(host, refusal->why);
	if (refusal->outcome != PV_OUTCOME_NO_NAME)
		return;
	host->state.nameless_until_wall_ms =
	    host->crawl->now.wall_ms + NAMELESS_MS;
	host->is_unsaved = true;
}

static void leave(
    struct pv_live_host *host, enum pv_reason reason, const char *why)
{
	struct pv_crawl *crawl = host->crawl;
	const struct pv_refusal refusal = {
	    .outcome = PV_OUTCOME_NONE, .reason = reason, .why = why};
	if (host->phase == PV_HOST_REFUSED || host->phase == PV_HOST_LEAVING)
		return;
	pv_log(&crawl->log, PV_LOG_WARNING, "%.*s: given up: %s",
	    PV_STR_ARG(host->name), why);
	host->state.left_reason = reason;
	host->is_unsaved = true;
	pv_giving_up_refuse(host, &refusal);
	pv_host_visits_feed(crawl, host);
}

/* Refusals in a row */

static bool is_unwelcome(const struct pv_live_host *host)
{
	int64_t most = host->manners.manners.blocked_after;
	return most != PV_NONE && host->state.blocks >= most;
}

static void leave_unwelcome(struct pv_live_host *host)
{
	char why[120];
	snprintf(why, sizeof(why),
	    "it answered 401, 403 or 451 %lld times in a row "
	    "(politeness.blocked)",
	    (long long)host->state.blocks);
	leave(host, PV_REASON_BLOCKED, why);
}

/* RFC 9110, 15.5.2 and 15.5.4; RFC 7725. */
static bool is_block(unsigned status)
{
	return status == 401 || status == 403 || status == 451;
}

static void count_blocks(const struct pv_flight *flight)
{
	struct pv_live_host *host = flight->host;
	const struct pv_response *response = &flight->response;
	if (!pv_flight_is_visit(flight) ||
	    response->outcome != PV_OUTCOME_ANSWERED)
		return;
	host->state.blocks =
	    is_block(response->http_status) ? host->state.blocks + 1 : 0;
	if (!is_unwelcome(host) || host->is_unwelcome)
		return;
	host->is_unwelcome = true;
	if (host->manners.manners.robots == PV_ROBOTS_IGNORE)
		leave_unwelcome(host);
}

/* Waits that are too long */

void pv_giving_up_look(struct pv_flight *flight, const struct pv_visit_end *end)
{
	struct pv_live_host *host = flight->host;
	int64_t most_ms = host->manners.manners.retry_after_give_up_ms;
	char why[160];
	count_blocks(flight);
	if (most_ms == PV_NONE || end->retry_after_ms == PV_NONE ||
	    end->retry_after_ms <= most_ms)
		return;
	snprintf(why, sizeof(why),
	    "its Retry-After is %lld s, longer than "
	    "politeness.retry_after.give_up_over",
	    (long long)(end->retry_after_ms / 1000));
	leave(host, PV_REASON_RETRY_AFTER, why);
}

void pv_giving_up_look_at_others(struct pv_live_host *host, int64_t until)
{
	int64_t most_ms = host->manners.manners.retry_after_give_up_ms;
	int64_t left_ms = until - pv_crawl_now(host->crawl);
	char why[160];
	if (!until || most_ms == PV_NONE || left_ms <= most_ms)
		return;
	snprintf(why, sizeof(why),
	    "another crawl on this machine got a Retry-After of %lld s, "
	    "longer than politeness.retry_after.give_up_over",
	    (long long)(left_ms / 1000));
	leave(host, PV_REASON_RETRY_AFTER, why);
}

void pv_giving_up_look_at_robots(struct pv_live_host *host, int64_t delay_ms)
{
	int64_t most_ms = host->manners.manners.crawl_delay_give_up_ms;
	char why[160];
	if (host->is_unwelcome) {
		leave_unwelcome(host);
		return;
	}
	if (most_ms == PV_NONE || delay_ms <= most_ms)
		return;
	snprintf(why, sizeof(why),
	    "its robots.txt asks for %lld s between requests, longer than "
	    "politeness.crawl_delay.give_up_over",
	    (long long)(delay_ms / 1000));
	leave(host, PV_REASON_CRAWL_DELAY, why);
}

void pv_giving_up_shut(struct pv_live_host *host)
{
	leave(host, PV_REASON_ROBOTS,
	    "the Visit-time in its robots.txt allows no time");
}

bool pv_giving_up_lose(struct pv_live_host *host, const char *why)
{
	if (pv_live_host_has_answered(host))
		return false;
	leave(host, PV_REASON_ROBOTS_UNREACHABLE, why);
	return true;
}

bool pv_giving_up_leaves_out(
    const struct pv_live_host *host, const struct pv_task *task)
{
	struct pv_crawl *crawl = host->crawl;
	struct pv_url url;
	if (host->reason != PV_REASON_ROBOTS_UNREACHABLE)
		return false;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	pv_url_parse(&url, task->visit.url);
	const struct pv_authority *authority = pv_authorities_find(
	    &crawl->hosts.authorities, pv_url_between(&url, 0, url.parts.path));
	pv_url_finish(&url);
	return authority->has_answered || !authority->failures;
}

void pv_giving_up_return(struct pv_live_host *host)
{
	host->phase = PV_HOST_PACED;
	host->reason = PV_REASON_NONE;
	host->state.left_reason = PV_REASON_NONE;
	host->is_unsaved = true;
}

/* What was known before */

/* A clock that was set back does not make it longer. */
static bool is_nameless(const struct pv_live_host *host)
{
	int64_t now = host->crawl->now.wall_ms;
	int64_t until = host->state.nameless_until_wall_ms;
	return until > now && until <= now + NAMELESS_MS;
}

void pv_giving_up_forget_nameless(struct pv_live_host *host)
{
	if (!host->state.nameless_until_wall_ms)
		return;
	host->state.nameless_until_wall_ms = 0;
	host->is_unsaved = true;
}

static void refuse_nameless(struct pv_live_host *host)
{
	int64_t until = host->state.nameless_until_wall_ms;
	pv_giving_up_refuse(
	    host, &(struct pv_refusal){.outcome = PV_OUTCOME_NO_NAME,
		      .why = "its name did not exist less than an hour ago"});
	host->state.nameless_until_wall_ms = until;
}

/* No wait is longer than the whole of it, or it would last until a clock that
 * was set back is where it was. */
static void bound_wait(struct pv_live_host *host)
{
	struct pv_host_state *state = &host->state;
	int64_t most_wall_ms =
	    host->crawl->now.wall_ms + pv_saved_ms(state->wait_ms);
	if (state->until_wall_ms <= most_wall_ms)
		return;
	state->until_wall_ms = most_wall_ms;
	host->is_unsaved = true;
}

static bool must_wait_too_long(const struct pv_live_host *host)
{
	int64_t most_ms = host->manners.manners.retry_after_give_up_ms;
	int64_t left_ms = host->state.until_wall_ms - host->crawl->now.wall_ms;
	return most_ms != PV_NONE && left_ms > most_ms;
}

/* As long as it would have to be waited for. After that its robots.txt tells,
 * which may have changed. */
static bool asks_for_too_long(const struct pv_live_host *host)
{
	int64_t most_ms = host->manners.manners.crawl_delay_give_up_ms;
	const struct pv_host_state *state = &host->state;
	return most_ms != PV_NONE &&
	       state->wait_reason == PV_WAIT_CRAWL_DELAY &&
	       state->wait_ms > most_ms &&
	       state->until_wall_ms > host->crawl->now.wall_ms;
}

bool pv_giving_up_recall(struct pv_live_host *host)
{
	int64_t left_for = host->state.left_reason;
	host->state.left_reason = PV_REASON_NONE;
	host->is_unsaved |= left_for != PV_REASON_NONE;
	host->is_unwelcome = is_unwelcome(host);
	bound_wait(host);
	if (is_nameless(host))
		refuse_nameless(host);
	else if (left_for == PV_REASON_RETRY_AFTER && must_wait_too_long(host))
		leave(host, PV_REASON_RETRY_AFTER,
		    "its Retry-After is longer than "
		    "politeness.retry_after.give_up_over");
	else if (left_for == PV_REASON_CRAWL_DELAY && asks_for_too_long(host))
		leave(host, PV_REASON_CRAWL_DELAY,
		    "its robots.txt asks for a longer time between requests "
		    "than politeness.crawl_delay.give_up_over");
	else if (left_for == PV_REASON_BLOCKED && host->is_unwelcome)
		leave_unwelcome(host);
	return host->phase == PV_HOST_REFUSED;
}
