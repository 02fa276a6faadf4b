#include "explain/access.h"

#include "http/date.h"
#include "policy/identity.h"
#include "policy/policy.h"
#include "policy/values/units.h"
#include "robots/access.h"
#include "url/url.h"

#define LINE_MAX_BYTES ((size_t)1 << 20)

struct telling {
	const struct pv_access_sources *sources;
	const struct pv_url *url;
	struct pv_access *access;
	struct pv_buf line; /* that is being written */
	struct pv_buf *reason;
};

static const struct pv_verdict unreachable = {PV_REASON_ROBOTS_UNREACHABLE, 0};

static void tell(struct telling *telling)
{
	const struct pv_scope_line line = {
	    .key = "robots.txt",
	    .text = pv_buf_str(&telling->line),
	};
	telling->sources->on_line(&line, telling->sources->ctx);
	pv_buf_clear(&telling->line);
}

static void say(struct telling *telling, const char *text)
{
	pv_buf_append_text(&telling->line, text);
	tell(telling);
}

static bool refuse(
    struct telling *telling, struct pv_verdict verdict, const char *reason)
{
	telling->access->verdict = verdict;
	pv_buf_append_text(telling->reason, reason);
	return false;
}

static void write_time(struct telling *telling, int64_t wall_ms)
{
	if (!pv_date_write(wall_ms, &telling->line))
		pv_buf_append_text(&telling->line, "a time unknown");
}

/* What the text says */

static void tell_groups(struct telling *telling)
{
	const struct pv_robots_matcher *matcher = telling->access->matcher;
	for (size_t i = 0; i < pv_robots_group_count(matcher); i++) {
		const struct pv_robots_merged *group =
		    pv_robots_group_at(matcher, i);
		if (!group->number) {
			say(telling, "no group applies to this crawler");
			continue;
		}
		pv_buf_append_text(&telling->line, "the group of \"");
		pv_buf_append(&telling->line, group->token);
		pv_buf_append_format(&telling->line, "\" in line %u applies",
		    (unsigned)group->number);
		tell(telling);
	}
}

static void tell_decision(
    struct telling *telling, const struct pv_robots_decision *decision)
{
	struct pv_buf *line = &telling->line;
	pv_buf_append_text(line, decision->is_allowed ? "allows" : "forbids");
	if (decision->number) {
		pv_buf_append_format(
		    line, " it by line %u: ", (unsigned)decision->number);
		pv_buf_append(line, decision->line);
	} else {
		pv_buf_append_text(line, " it: no line is about it");
	}
	tell(telling);
}

static void write_hour(struct pv_buf *line, unsigned minutes)
{
	pv_buf_append_format(line, "%02u:%02u", minutes / 60, minutes % 60);
}

static void tell_hours(
    struct telling *telling, const struct pv_robots_timing *asks)
{
	struct pv_buf *line = &telling->line;
	if (!asks->hours_count)
		return;
	pv_buf_append_text(line, "asks for visits at ");
	for (size_t i = 0; i < asks->hours_count; i++) {
		pv_buf_append_text(line, i ? ", " : "");
		write_hour(line, asks->hours[i].start);
		pv_buf_append_char(line, '-');
		write_hour(line, asks->hours[i].end);
	}
	pv_buf_append_format(
	    line, " UTC only (line %u)", (unsigned)asks->hours_number);
	tell(telling);
}

static void tell_asks(struct telling *telling)
{
	const struct pv_robots_matcher *matcher = telling->access->matcher;
	for (size_t i = 0; i < pv_robots_group_count(matcher); i++) {
		const struct pv_robots_timing *asks =
		    &pv_robots_group_at(matcher, i)->asks;
		if (asks->delay_ms) {
			pv_buf_append_text(&telling->line, "asks for ");
			pv_unit_write(
			    PV_UNIT_TIME, asks->delay_ms, &telling->line);
			pv_buf_append_format(&telling->line,
			    " between requests (line %u)",
			    (unsigned)asks->delay_number);
			tell(telling);
		}
		tell_hours(telling, asks);
	}
}

static void write_preference(
    struct telling *telling, enum pv_robots_kind kind, const char *name)
{
	struct pv_buf *line = &telling->line;
	pv_buf_append_format(line, "%s: ", name);
	size_t before = line->len;
	pv_robots_preference_write(
	    telling->access->matcher, kind, pv_url_target(telling->url), line);
	if (line->len > before)
		tell(telling);
	pv_buf_clear(line);
}

static bool tell_text(struct telling *telling, struct pv_str text, bool is_cut)
{
	const struct pv_policy *policy = telling->sources->policy;
	struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_robots *robots =
	    pv_robots_create(text, is_cut, &ceilings, NULL);
	telling->access->matcher = pv_robots_matcher_create(
	    robots, pv_identity_product(&policy->identity));
	pv_robots_destroy(robots);
	struct pv_robots_decision decision = pv_robots_decide(
	    telling->access->matcher, pv_url_target(telling->url));
	tell_groups(telling);
	tell_decision(telling, &decision);
	tell_asks(telling);
	write_preference(telling, PV_ROBOTS_CONTENT_USAGE, "Content-Usage");
	write_preference(telling, PV_ROBOTS_CONTENT_SIGNAL, "Content-Signal");
	return decision.is_allowed ||
	       refuse(telling,
		   (struct pv_verdict){PV_REASON_ROBOTS, decision.number},
		   "robots.txt forbids it");
}

/* Out of a crawl's state */

static void write_status(
    struct telling *telling, const struct pv_saved_robots *robots)
{
	if (robots->http_status)
		pv_buf_append_format(
		    &telling->line, " (answered %u)", robots->http_status);
}

static void write_failures(
    struct telling *telling, const struct pv_saved_robots *robots)
{
	if (robots->failures > 1)
		pv_buf_append_format(&telling->line, ", %lld times in a row",
		    (long long)robots->failures);
}

static bool tell_closed(
    struct telling *telling, const struct pv_saved_robots *robots)
{
	pv_buf_append_text(&telling->line, "could not be fetched");
	if (robots->state == PV_AUTHORITY_CLOSED)
		write_status(telling, robots);
	write_failures(telling, robots);
	pv_buf_append_text(&telling->line,
	    ", so no page may be fetched; it is requested "
	    "again ");
	if (robots->until_wall_ms > telling->sources->wall_ms)
		write_time(telling, robots->until_wall_ms);
	else
		pv_buf_append_text(
		    &telling->line, "when the host's next request is due");
	tell(telling);
	return refuse(telling, unreachable,
	    "robots.txt cannot be fetched, so no page may be fetched until "
	    "it can be");
}

static bool tell_lost(
    struct telling *telling, const struct pv_saved_robots *robots)
{
	pv_buf_append_text(&telling->line, "could not be fetched since ");
	write_time(telling, robots->failed_since_wall_ms);
	write_status(telling, robots);
	write_failures(telling, robots);
	say(telling, ", longer than robots.give_up");
	return refuse(telling, unreachable,
	    "robots.txt could not be fetched for longer than robots.give_up");
}

static void tell_age(
    struct telling *telling, const struct pv_saved_robots *robots)
{
	pv_buf_append_text(&telling->line, "the crawl requested it ");
	write_time(telling, robots->asked_wall_ms);
	pv_buf_append_text(&telling->line, ", and requests it again ");
	if (robots->until_wall_ms > telling->sources->wall_ms)
		write_time(telling, robots->until_wall_ms);
	else
		pv_buf_append_text(&telling->line,
		    "before the next request: the copy is too old");
	tell(telling);
	if (!robots->failures)
		return;
	pv_buf_append_text(&telling->line, "could not be fetched since ");
	write_time(telling, robots->failed_since_wall_ms);
	write_failures(telling, robots);
	pv_buf_append_text(&telling->line, "; the last copy counts until ");
	write_time(telling, robots->asked_wall_ms + PV_ROBOTS_GOOD_MS);
	tell(telling);
}

/* What counted since there was no other is a day old (robots_validity.h). */
static bool is_too_old(
    const struct telling *telling, const struct pv_saved_robots *robots)
{
	return robots->failures &&
	       robots->asked_wall_ms <=
		   telling->sources->wall_ms - PV_ROBOTS_GOOD_MS;
}

static bool tell_known(struct telling *telling)
{
	const struct pv_state_view_answer *known = telling->sources->known;
	const struct pv_saved_robots *robots = &known->robots;
	enum pv_authority_state state =
	    robots->is_there ? robots->state : PV_AUTHORITY_UNKNOWN;
	switch (state) {
	case PV_AUTHORITY_OPEN:
		if (is_too_old(telling, robots))
			return tell_closed(telling, robots);
		tell_age(telling, robots);
		pv_buf_append_text(&telling->line, "there is none");
		write_status(telling, robots);
		say(telling, ": every page may be fetched");
		return true;
	case PV_AUTHORITY_RULES:
		if (is_too_old(telling, robots))
			return tell_closed(telling, robots);
		tell_age(telling, robots);
		return tell_text(
		    telling, pv_buf_str(&known->robots_copy), robots->is_cut);
	case PV_AUTHORITY_CLOSED:
		return tell_closed(telling, robots);
	case PV_AUTHORITY_LOST:
		return tell_lost(telling, robots);
	default:
		say(telling, "the crawl has not requested it yet: it does so "
			     "first, and robots.txt must allow the page");
		return true;
	}
}

/* From its host */

static void tell_asked(
    struct telling *telling, const struct pv_inquiry_answer *answer)
{
	struct pv_buf *line = &telling->line;
	pv_buf_append_format(
	    line, "requested now: answered %u", answer->http_status);
	if (answer->redirects) {
		pv_buf_append_format(line, ", after %u redirect%s, by ",
		    answer->redirects, answer->redirects == 1 ? "" : "s");
		pv_buf_append(line, pv_buf_str(&answer->url));
	}
	tell(telling);
}

static bool refuse_because(
    struct telling *telling, const char *what, const char *why)
{
	pv_buf_append_format(&telling->line, "%s: %s", what, why);
	pv_buf_append(telling->reason, pv_buf_str(&telling->line));
	say(telling, "");
	return false;
}

static bool tell_put_off(
    struct telling *telling, const struct pv_inquiry_answer *answer)
{
	pv_buf_append_text(&telling->line, "not requested: its host waits ");
	pv_buf_append_text(&telling->line, answer->why);
	pv_buf_append_text(&telling->line, ", until ");
	write_time(telling, answer->until_wall_ms);
	say(telling, "; a crawl requests it first, and it must allow the page");
	return true;
}

static bool tell_answer(struct telling *telling)
{
	const struct pv_inquiry_answer *answer =
	    pv_inquiry_ask(telling->sources->inquiry, telling->url);
	switch (answer->result) {
	case PV_INQUIRY_RULES:
		tell_asked(telling, answer);
		return tell_text(
		    telling, pv_buf_str(&answer->text), answer->is_cut);
	case PV_INQUIRY_OPEN:
		tell_asked(telling, answer);
		say(telling, "there is none: every page may be fetched");
		return true;
	case PV_INQUIRY_CLOSED:
		refuse_because(telling,
		    "cannot be fetched, so no page may be fetched",
		    answer->why);
		pv_buf_clear(telling->reason);
		return refuse(telling, unreachable,
		    "robots.txt cannot be fetched, so no page may be fetched "
		    "until it can be");
	case PV_INQUIRY_REFUSED:
		return refuse_because(
		    telling, "its host may not be requested", answer->why);
	case PV_INQUIRY_NO_NAME:
		return refuse_because(
		    telling, "its host name cannot be resolved", answer->why);
	case PV_INQUIRY_MOVED:
	case PV_INQUIRY_PUT_OFF:
		break;
	}
	return tell_put_off(telling, answer);
}

static bool tell_access(struct telling *telling)
{
	const struct pv_access_sources *sources = telling->sources;
	struct pv_host_manners manners;
	pv_policy_manners(sources->policy, pv_url_host(telling->url),
	    pv_url_address(telling->url), &manners);
	if (manners.manners.robots == PV_ROBOTS_IGNORE) {
		say(telling, "is ignored for this host");
		return true;
	}
	if (sources->file_name)
		return tell_text(telling, sources->file, sources->is_file_cut);
	if (sources->known)
		return tell_known(telling);
	if (sources->inquiry)
		return tell_answer(telling);
	say(telling, "is requested first, and must allow the page");
	return true;
}

bool pv_access_tell(struct pv_access *access,
    const struct pv_access_sources *sources, const struct pv_url *url,
    struct pv_buf *reason)
{
	struct telling telling = {sources, url, access, {0}, reason};
	*access = (struct pv_access){.matcher = NULL};
	pv_buf_init(&telling.line, LINE_MAX_BYTES);
	bool is_allowed = tell_access(&telling);
	pv_buf_finish(&telling.line);
	return is_allowed;
}

void pv_access_finish(struct pv_access *access)
{
	pv_robots_matcher_destroy(access->matcher);
}
