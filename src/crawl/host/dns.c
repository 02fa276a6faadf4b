#include "crawl/host/dns.h"

#include <stdio.h>

#include "crawl/conductor.h"
#include "crawl/host/clock_state.h"
#include "crawl/host/giving_up.h"
#include "crawl/host/host_rest.h"
#include "crawl/host/host_visits.h"
#include "crawl/host/proxies.h"
#include "crawl/progress/events.h"

static void on_name(void *ctx, const struct pv_name_answer *answer);

void pv_dns_init(struct pv_dns *naming)
{
	naming->look_up_next = PV_NEVER;
}

static void find_way(struct pv_crawl *crawl, struct pv_live_host *host);

static bool is_left_to_proxy(
    const struct pv_crawl *crawl, const struct pv_live_host *host)
{
	return pv_proxies_find_host(
	    &host->manners.manners, &crawl->hosts.proxies.resolve, host->name);
}

/* A host that is paused is not looked up either, until that is over. */
static void look_up(struct pv_crawl *crawl, struct pv_live_host *host)
{
	if (pv_control_is_paused(crawl, host->name)) {
		host->look_up_at = PV_NEVER;
		return;
	}
	host->look_up_at = PV_NEVER;
	if (is_left_to_proxy(crawl, host)) {
		find_way(crawl, host);
		return;
	}
	host->is_looked_up = true;
	crawl->around.names->find(crawl->names, host->name, on_name, host);
}

#define LINE_MAX_BYTES 1000

/* More of them make no wait longer. */
#define FAILURES_MAX 10000

static void note_failures(struct pv_live_host *host, int64_t failures)
{
	struct pv_host_state *state = &host->state;
	int64_t now = host->crawl->now.wall_ms;
	if (state->name_failures == failures)
		return;
	state->name_failures = failures;
	if (!failures)
		state->name_failed_wall_ms = 0;
	else if (!state->name_failed_wall_ms ||
		 state->name_failed_wall_ms > now)
		state->name_failed_wall_ms = now; /* or a clock was set back */
	host->is_unsaved = true;
}

/* Whether nobody has been able to tell for as long as its robots.txt would be
 * waited for, which cannot be asked for either. */
static bool is_lost(
    const struct pv_crawl *crawl, const struct pv_live_host *host)
{
	const struct pv_robots_policy *policy = &crawl->policy->robots;
	int64_t ms = crawl->now.wall_ms - host->state.name_failed_wall_ms;
	return (policy->give_up_ms != PV_NONE && ms >= policy->give_up_ms) ||
	       (policy->give_up_silent_ms != PV_NONE &&
		   ms >= policy->give_up_silent_ms &&
		   !pv_live_host_has_answered(host));
}

/* Whoever asks for it later hears at once that it still is so, or that it is
 * not. */
static void give_up(
    struct pv_live_host *host, const struct pv_name_answer *answer)
{
	struct pv_buf why;
	int64_t nameless_until_wall_ms = host->state.nameless_until_wall_ms;
	pv_buf_init(&why, LINE_MAX_BYTES);
	pv_buf_append_format(&why,
	    "its name could not be resolved for longer than robots.give_up or "
	    "robots.give_up_silent (%s)",
	    answer->why);
	pv_log(&host->crawl->log, PV_LOG_WARNING, "%.*s: given up: %s",
	    PV_STR_ARG(host->name), pv_buf_text(&why));
	pv_giving_up_refuse(
	    host, &(struct pv_refusal){
		      .outcome = PV_OUTCOME_NO_NAME, .why = pv_buf_text(&why)});
	host->state.nameless_until_wall_ms = nameless_until_wall_ms;
	pv_buf_finish(&why);
}

/* Nobody could say: it is asked again, later each time; false if it is given up. */
static bool put_off(struct pv_crawl *crawl, struct pv_live_host *host,
    const struct pv_name_answer *answer)
{
	int64_t failures = host->state.name_failures;
	if (failures < 0 || failures > FAILURES_MAX)
		failures = FAILURES_MAX;
	int64_t rest_ms =
	    pv_host_rest_ms(&host->manners.manners, (uint32_t)failures);
	note_failures(host, failures + 1);
	if (is_lost(crawl, host)) {
		give_up(host, answer);
		return false;
	}
	host->look_up_at = pv_crawl_now(crawl) + rest_ms;
	pv_host_events_note(crawl, host);
	if (host->look_up_at < crawl->hosts.dns.look_up_next)
		crawl->hosts.dns.look_up_next = host->look_up_at;
	pv_live_host_tell_why(host, answer->why);
	pv_log(&crawl->log, PV_LOG_WARNING,
	    "%.*s: cannot resolve the host name (%s); next try in %lld s",
	    PV_STR_ARG(host->name), answer->why,
	    (long long)((rest_ms + 999) / 1000));
	return true;
}

/* The address that the host has already, if it still is one of its own, so that
 * its clock stays. */
static struct pv_address choose(
    const struct pv_live_host *host, const struct pv_name_answer *answer)
{
	for (uint32_t i = 0; host->scheduled && i < answer->count; i++) {
		if (pv_address_equal(&answer->addresses[i], &host->address))
			return host->address;
	}
	return answer->addresses[0];
}

static struct pv_host_plan plan_of(struct pv_live_host *host)
{
	return (struct pv_host_plan){
	    .clock = host->manners.clock,
	    .address = &host->address,
	    .manners = &host->manners.manners,
	    .ctx = host,
	};
}

/* The schedule keeps the clocks of hosts that it had as long as they have
 * anything to say; what was written down leaves open how much of it is over,
 * and would be waited for in full. */
static void add_to_schedule(struct pv_crawl *crawl, struct pv_live_host *host)
{
	struct pv_host_plan plan = plan_of(host);
	struct pv_saved_clock clock = pv_clock_state_clock(&host->state);
	int64_t now = pv_crawl_now(crawl);
	host->scheduled = pv_schedule_host_add(crawl->schedule, &plan, now);
	if (!host->was_held)
		pv_schedule_host_restore(
		    crawl->schedule, host->scheduled, &clock, crawl->now);
	pv_schedule_host_pause(crawl->schedule, host->scheduled,
	    pv_control_is_host_paused(crawl, host->name), now);
	if (host->owes_delay)
		pv_schedule_host_rest(
		    crawl->schedule, host->scheduled, host->came_at);
	host->owes_delay = false;
	struct pv_host_state state = pv_live_host_state(host, crawl->now);
	pv_live_host_note_clocks(host, &state);
	if (!host->was_held)
		pv_events_found(host);
}

static void place(struct pv_crawl *crawl, struct pv_live_host *host,
    const struct pv_name_answer *answer)
{
	struct pv_address address = choose(host, answer);
	bool has_moved =
	    host->scheduled && !pv_address_equal(&address, &host->address);
	host->address = address;
	host->port = answer->port;
	host->name_until = answer->kept_until;
	host->name_ms = answer->took_ms;
	if (!host->proxy)
		pv_policy_manners(
		    crawl->policy, host->name, &host->address, &host->manners);
	if (!host->scheduled) {
		add_to_schedule(crawl, host);
	} else if (has_moved) {
		struct pv_host_plan plan = plan_of(host);
		pv_schedule_host_move(crawl->schedule, host->scheduled, &plan,
		    pv_crawl_now(crawl));
	}
	pv_schedule_host_park(
	    crawl->schedule, host->scheduled, 0, pv_crawl_now(crawl));
	host->phase = PV_HOST_PACED;
}

/* By a proxy */

static void wait_for_proxy(
    struct pv_crawl *crawl, struct pv_live_host *host, int64_t until)
{
	host->has_no_proxy = true;
	host->look_up_at = until;
	if (until < crawl->hosts.dns.look_up_next)
		crawl->hosts.dns.look_up_next = until;
}

/* Where the proxy is, is where the host is reached. */
static void take_way(struct pv_crawl *crawl, struct pv_live_host *host,
    const struct pv_name_answer *answer)
{
	char why[sizeof(host->proxy->why)];
	if (answer->result == PV_NAME_FOUND) {
		struct pv_name_answer way = *answer;
		way.port = host->proxy->port;
		place(crawl, host, &way);
		pv_host_visits_feed(crawl, host);
		return;
	}
	snprintf(why, sizeof(why), "cannot resolve the proxy %s (%s)",
	    pv_buf_text(&host->proxy->name), answer->why);
	pv_proxy_fails(crawl, host->proxy, why);
	find_way(crawl, host);
}

static void on_way(void *ctx, const struct pv_name_answer *answer)
{
	struct pv_live_host *host = ctx;
	pv_crawl_look_at_clock(host->crawl);
	host->is_looked_up = false;
	if (host->phase == PV_HOST_NAMELESS)
		take_way(host->crawl, host, answer);
}

static void find_way(struct pv_crawl *crawl, struct pv_live_host *host)
{
	int64_t until;
	host->has_no_proxy = false;
	host->proxy = pv_proxies_choose(crawl, host, &until);
	if (host->proxy == host->in_vain)
		host->in_vain = NULL; /* there is no other */
	if (!host->proxy) {
		wait_for_proxy(crawl, host, until);
		return;
	}
	struct pv_str name = pv_buf_str(&host->proxy->host);
	const struct pv_name_answer *known =
	    crawl->around.names->get(crawl->names, name);
	if (known && known->result == PV_NAME_FOUND) {
		take_way(crawl, host, known);
		return;
	}
	host->is_looked_up = true;
	crawl->around.names->find(crawl->names, name, on_way, host);
}

static void refuse_for(
    struct pv_live_host *host, enum pv_reason reason, const char *why)
{
	pv_events_refused(host, why);
	pv_giving_up_refuse(
	    host, &(struct pv_refusal){.reason = reason, .why = why});
}

static void refuse_without_contact(struct pv_live_host *host)
{
	refuse_for(host, PV_REASON_CONTACT,
	    "the host is not yours and the policy has no contact: set "
	    "identity.contact");
}

static void take_answer(struct pv_crawl *crawl, struct pv_live_host *host,
    const struct pv_name_answer *answer)
{
	if (answer->took_ms > 0)
		pv_histogram_add(&crawl->counters.name, answer->took_ms * 1000);
	if (answer->result != PV_NAME_NO_ANSWER)
		note_failures(host, 0);
	switch (answer->result) {
	case PV_NAME_FOUND:
		if (!answer->is_own && !crawl->policy->identity.contact) {
			refuse_without_contact(host);
		} else if (host->manners.manners.proxies.count) {
			find_way(crawl, host);
			return;
		} else {
			place(crawl, host, answer);
		}
		break;
	case PV_NAME_UNKNOWN:
		pv_events_refused(host, answer->why);
		pv_giving_up_refuse(
		    host, &(struct pv_refusal){.outcome = PV_OUTCOME_NO_NAME,
			      .why = answer->why});
		break;
	case PV_NAME_FORBIDDEN:
		refuse_for(host, PV_REASON_PRIVATE, answer->why);
		break;
	case PV_NAME_ASKED_AWAY:
		refuse_for(host, PV_REASON_NEVER, answer->why);
		break;
	case PV_NAME_NO_ANSWER:
		if (put_off(crawl, host, answer))
			return;
		break;
	}
	pv_host_visits_feed(crawl, host);
}

/* A host that was left meanwhile, or is being given back, stays so. */
static void on_name(void *ctx, const struct pv_name_answer *answer)
{
	struct pv_live_host *host = ctx;
	pv_crawl_look_at_clock(host->crawl);
	host->is_looked_up = false;
	if (host->phase == PV_HOST_NAMELESS)
		take_answer(host->crawl, host, answer);
}

void pv_dns_begin(struct pv_crawl *crawl, struct pv_live_host *host)
{
	const struct pv_name_answer *known =
	    crawl->around.names->get(crawl->names, host->name);
	struct pv_address address;
	host->crawl = crawl;
	host->phase = PV_HOST_NAMELESS;
	host->look_up_at = PV_NEVER;
	host->has_no_proxy = false;
	pv_policy_manners(crawl->policy, host->name,
	    pv_host_literal(host->name, &address), &host->manners);
	bool is_left = is_left_to_proxy(crawl, host);
	if (is_left)
		known = NULL;
	if (known && known->result == PV_NAME_FOUND)
		pv_giving_up_forget_nameless(host);
	if (pv_giving_up_recall(host))
		pv_host_visits_feed(crawl, host);
	else if (known)
		take_answer(crawl, host, known);
	else if (is_left && !crawl->policy->identity.contact) {
		refuse_without_contact(host);
		pv_host_visits_feed(crawl, host);
	} else
		look_up(crawl, host);
}

int64_t pv_dns_take_ms(struct pv_live_host *host)
{
	int64_t took_ms = host->name_ms;
	host->name_ms = -1;
	return took_ms;
}

/* Pauses have changed: look-ups that wait for the end of one are due, as far as
 * none holds them any more. */
static void heed_control(struct pv_crawl *crawl)
{
	if (crawl->hosts.dns.control_changes == crawl->control.changes)
		return;
	crawl->hosts.dns.control_changes = crawl->control.changes;
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		struct pv_live_host *host = crawl->hosts.held.items[i];
		if (pv_live_host_is_name_paused(host))
			host->look_up_at = pv_crawl_now(crawl);
	}
	crawl->hosts.dns.look_up_next = pv_crawl_now(crawl);
}

void pv_dns_step(struct pv_crawl *crawl)
{
	int64_t next = PV_NEVER;
	heed_control(crawl);
	if (crawl->hosts.dns.look_up_next > pv_crawl_now(crawl))
		return;
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		struct pv_live_host *host = crawl->hosts.held.items[i];
		if (host->phase != PV_HOST_NAMELESS || host->is_looked_up)
			continue;
		if (host->look_up_at <= pv_crawl_now(crawl))
			look_up(crawl, host);
		else if (host->look_up_at < next)
			next = host->look_up_at;
	}
	crawl->hosts.dns.look_up_next = pv_held_hosts_next_look(crawl, next);
}
