#include "explain/clocks.h"

#include <stdlib.h>

#include "crawl/control/pause_text.h"
#include "crawl/host/clock_state.h"
#include "policy/option.h"
#include "policy/values/units.h"
#include "schedule/hours.h"
#include "schedule/zone/time_zone.h"
#include "schedule/wait.h"
#include "schedule/zone/zone_file.h"

/* Where a wait comes from: the key of the policy, or robots.txt. */
static const char *option_of(enum pv_wait_reason reason)
{
	switch (reason) {
	case PV_WAIT_DELAY:
		return "politeness.delay";
	case PV_WAIT_SLOW:
		return "politeness.delay_factor";
	case PV_WAIT_HOST_RATE:
		return "politeness.max_rate";
	case PV_WAIT_SLOWED:
		return "politeness.max_delay";
	case PV_WAIT_FAILURE:
	case PV_WAIT_PROBE:
	case PV_WAIT_ADDRESS_FAILURE:
		return "politeness.backoff.failure";
	case PV_WAIT_OVERLOAD:
		return "politeness.backoff.overload";
	case PV_WAIT_ADDRESS:
		return "politeness.ip_delay";
	case PV_WAIT_HOURS:
		return "politeness.allowed_hours";
	default:
		return NULL;
	}
}

/* The line of robots.txt that asks so; 0 if none does, or it is not known. */
static uint32_t line_of(
    const struct pv_explanation *explanation, enum pv_wait_reason reason)
{
	uint32_t number = 0;
	int64_t longest_ms = 0;
	size_t count = explanation->matcher
			   ? pv_robots_group_count(explanation->matcher)
			   : 0;
	for (size_t i = 0; i < count; i++) {
		const struct pv_robots_timing *asks =
		    &pv_robots_group_at(explanation->matcher, i)->asks;
		if (reason == PV_WAIT_VISIT_TIME && !number) {
			number = asks->hours_number;
		} else if (reason == PV_WAIT_CRAWL_DELAY &&
			   asks->delay_ms > longest_ms) {
			longest_ms = asks->delay_ms;
			number = asks->delay_number;
		}
	}
	return number;
}

/* Ends the line with where it comes from. */
static void tell_with_source(
    struct pv_explanation *explanation, enum pv_wait_reason reason)
{
	const char *path = option_of(reason);
	uint32_t number = line_of(explanation, reason);
	struct pv_origin origin;
	const char *domain = NULL;
	if (number)
		pv_buf_append_format(
		    &explanation->line, " (line %u)", (unsigned)number);
	if (!path) {
		pv_explanation_tell(explanation, "pace", NULL);
		return;
	}
	const struct pv_option *option =
	    pv_option_get(pv_str_of(path), &pv_names_of_policy);
	origin = pv_host_manners_origin(explanation->manners, path, &domain);
	pv_buf_append_format(&explanation->line, ": %s",
	    pv_option_name(option, &pv_names_of_domain));
	if (domain)
		pv_buf_append_format(&explanation->line, " for %s", domain);
	pv_explanation_tell(explanation, "pace", &origin);
}

/* The least that lies between two requests */

struct gap {
	int64_t ms;
	enum pv_wait_reason reason;
};

static void at_least(struct gap *gap, int64_t ms, enum pv_wait_reason reason)
{
	if (ms > gap->ms)
		*gap = (struct gap){ms, reason};
}

/* As long as the last answer took, or so many times. */
static int64_t slow_of(const struct pv_explanation *explanation)
{
	const struct pv_manners *manners = &explanation->manners->manners;
	double took_ms = (double)explanation->known->host.state.took_ms;
	double rest_ms = took_ms * manners->delay_factor;
	return rest_ms < (double)manners->max_delay_ms ? (int64_t)rest_ms
						       : manners->max_delay_ms;
}

static struct gap gap_of(const struct pv_explanation *explanation)
{
	const struct pv_manners *manners = &explanation->manners->manners;
	struct gap gap = {manners->delay_ms, PV_WAIT_DELAY};
	if (explanation->matcher)
		at_least(&gap, pv_robots_delay_ms(explanation->matcher),
		    PV_WAIT_CRAWL_DELAY);
	if (explanation->known && explanation->known->has_host)
		at_least(&gap, slow_of(explanation), PV_WAIT_SLOW);
	return gap;
}

static void tell_gap(struct pv_explanation *explanation)
{
	struct gap gap = gap_of(explanation);
	struct pv_buf *line = &explanation->line;
	bool is_from_end =
	    explanation->manners->manners.delay_from == PV_DELAY_FROM_END;
	pv_unit_write(PV_UNIT_TIME, gap.ms, line);
	pv_buf_append_text(line,
	    is_from_end ? " from an answer of its host to the next request"
			: " from one request to its host to the next");
	if (gap.reason == PV_WAIT_CRAWL_DELAY)
		pv_buf_append_text(
		    line, ", as the Crawl-delay of its robots.txt asks");
	else if (gap.reason == PV_WAIT_SLOW)
		pv_buf_append_text(line, ", because its last answer took long");
	tell_with_source(explanation, gap.reason);
}

static bool is_shut(const struct pv_explanation *explanation)
{
	struct pv_robots_day day = {{false}};
	bool is_shut = true;
	pv_robots_shut(explanation->matcher, &day);
	for (size_t i = 0; i < PV_ROBOTS_DAY_MINUTES; i++)
		is_shut = is_shut && day.is_shut[i];
	return is_shut;
}

/* What makes a crawl leave the host (giving_up.h): a longer Crawl-delay than
 * the policy bears, or a Visit-time that leaves no time. */
static bool is_bearable(
    const struct pv_explanation *explanation, struct pv_buf *reason)
{
	int64_t most_ms = explanation->manners->manners.crawl_delay_give_up_ms;
	if (explanation->matcher && is_shut(explanation)) {
		pv_buf_append_text(
		    reason, "the Visit-time in its robots.txt allows no time");
		return false;
	}
	if (!explanation->matcher || most_ms == PV_NONE ||
	    pv_robots_delay_ms(explanation->matcher) <= most_ms)
		return true;
	pv_buf_append_text(reason,
	    "the Crawl-delay of its robots.txt is longer than "
	    "crawl_delay.give_up_over");
	return false;
}

/* What holds now */

/* One of the clocks, if it lies ahead. */
static void tell_hold(struct pv_explanation *explanation, struct pv_wait wait,
    int64_t *until_wall_ms)
{
	if (wait.until <= explanation->now.wall_ms)
		return;
	pv_buf_append_text(&explanation->line, "not before ");
	pv_explanation_write_time(explanation, wait.until, &explanation->line);
	pv_buf_append_format(
	    &explanation->line, ": it waits %s", pv_wait_text(wait.reason));
	tell_with_source(explanation, wait.reason);
	if (wait.until > *until_wall_ms)
		*until_wall_ms = wait.until;
}

/* For what no clock of the schedule's keeps. */
static void tell_other_hold(struct pv_explanation *explanation,
    int64_t hold_wall_ms, const char *why, int64_t *until_wall_ms)
{
	if (hold_wall_ms <= explanation->now.wall_ms)
		return;
	pv_buf_append_text(&explanation->line, "not before ");
	pv_explanation_write_time(
	    explanation, hold_wall_ms, &explanation->line);
	pv_buf_append_format(&explanation->line, ": %s", why);
	pv_explanation_tell(explanation, "pace", NULL);
	if (hold_wall_ms > *until_wall_ms)
		*until_wall_ms = hold_wall_ms;
}

/* Who goes on with a crawl waits out what was left, whatever time has
 * passed. */
static int64_t until_of(
    const struct pv_explanation *explanation, struct pv_saved_wait saved)
{
	int64_t now = explanation->now.wall_ms;
	if (explanation->known->is_running)
		saved.left_ms = 0;
	return now + pv_saved_wait_left(saved, now);
}

static void tell_clocks(
    struct pv_explanation *explanation, int64_t *until_wall_ms)
{
	const struct pv_host *host = &explanation->known->host;
	const struct pv_host_state *state = &host->state;
	struct pv_saved_clock clock = pv_clock_state_clock(state);
	bool was_cut_short =
	    host->owes_delay || (explanation->known->holding >= PV_HOST_HELD &&
				    !explanation->known->is_running);
	struct pv_wait own = {
	    until_of(explanation, (struct pv_saved_wait){clock.left_ms,
				      clock.until_wall_ms, clock.wait_ms}),
	    clock.reason};
	struct pv_wait address = {
	    until_of(explanation,
		(struct pv_saved_wait){clock.address_left_ms,
		    clock.address_until_wall_ms, clock.address_wait_ms}),
	    PV_WAIT_ADDRESS};
	tell_hold(explanation, own, until_wall_ms);
	if (address.until > own.until || own.reason != PV_WAIT_ADDRESS)
		tell_hold(explanation, address, until_wall_ms);
	tell_other_hold(explanation, state->nameless_until_wall_ms,
	    "its name does not exist; next lookup then", until_wall_ms);
	if (was_cut_short)
		tell_other_hold(explanation,
		    explanation->now.wall_ms + gap_of(explanation).ms,
		    explanation->known->fleet.is_there
			? "the worker that takes its host over waits for its "
			  "whole delay first"
			: "the last run was interrupted, so its whole delay "
			  "counts again",
		    until_wall_ms);
}

static void tell_pause(struct pv_explanation *explanation,
    const struct pv_state_view_pause *pause, const char *by, const char *end,
    int64_t *until_wall_ms)
{
	struct pv_buf *line = &explanation->line;
	if (pause->until_wall_ms <= explanation->now.wall_ms)
		return;
	if (pause->until_wall_ms > *until_wall_ms)
		*until_wall_ms = pause->until_wall_ms;
	if (pause->until_wall_ms != INT64_MAX) {
		pv_buf_append_text(line, "not before ");
		pv_explanation_write_time(
		    explanation, pause->until_wall_ms, line);
		pv_buf_append_format(line, ": it is paused%s", by);
	} else {
		pv_buf_append_format(line, "paused%s until %s", by, end);
	}
	if (pause->why[0])
		pv_buf_append_format(line, " (%s)", pause->why);
	pv_explanation_tell(explanation, "pace", NULL);
}

static void tell_pauses(
    struct pv_explanation *explanation, int64_t *until_wall_ms)
{
	tell_pause(explanation, &explanation->known->pause, "",
	    explanation->known->fleet.is_there ? "`pavane resume --fleet`"
					       : "`pavane resume`",
	    until_wall_ms);
	tell_pause(explanation, &explanation->known->shared_pause,
	    " " PV_PAUSED_BY_PROGRAM, "it resumes the host", until_wall_ms);
}

static void tell_attempts(
    struct pv_explanation *explanation, int64_t *until_wall_ms)
{
	const struct pv_state_address *address = &explanation->known->address;
	if (explanation->known->is_known && address->state == PV_STATE_PENDING)
		tell_other_hold(explanation, address->not_before_wall_ms,
		    "it has failed, and is retried then", until_wall_ms);
}

static void tell_hours(
    struct pv_explanation *explanation, int64_t *until_wall_ms)
{
	const struct pv_manners *manners = &explanation->manners->manners;
	int64_t now = explanation->now.wall_ms;
	struct pv_wait wait = {0, PV_WAIT_VISIT_TIME};
	if (explanation->matcher)
		wait.until =
		    now + pv_robots_visit_wait_ms(explanation->matcher, now);
	tell_hold(explanation, wait, until_wall_ms);
	if (!manners->allowed_hours.count)
		return;
	struct pv_hours hours;
	struct pv_time_zone *zone =
	    pv_zone_file_open(pv_str_of(manners->timezone), getenv("TZ"));
	pv_hours_init(&hours, zone);
	for (size_t i = 0; i < manners->allowed_hours.count; i++)
		pv_hours_add_text(
		    &hours, pv_str_of(manners->allowed_hours.items[i]));
	wait = (struct pv_wait){pv_hours_next(&hours, now), PV_WAIT_HOURS};
	tell_hold(explanation, wait, until_wall_ms);
	pv_time_zone_destroy(zone);
}

/* The worker of a fleet that has the host may not have passed on what it has heard, or
 * owe the rest of the worker before it. */
static const char *say_ready(const struct pv_explanation *explanation)
{
	const struct pv_state_view_answer *known = explanation->known;
	return known && known->fleet.is_there && known->fleet.worker
		   ? "nothing that the database knows holds its host back, though "
		     "its worker may wait longer"
		   : "its host can be requested now";
}

bool pv_explain_clocks_tell(struct pv_explanation *explanation,
    int64_t *until_wall_ms, struct pv_buf *reason)
{
	int64_t until = 0;
	tell_gap(explanation);
	tell_hours(explanation, &until);
	if (explanation->known && explanation->known->has_host)
		tell_clocks(explanation, &until);
	if (explanation->known)
		tell_attempts(explanation, &until);
	if (explanation->known)
		tell_pauses(explanation, &until);
	if (!until) {
		pv_buf_append_text(&explanation->line, say_ready(explanation));
		pv_explanation_tell(explanation, "pace", NULL);
	}
	*until_wall_ms = until;
	return is_bearable(explanation, reason);
}
