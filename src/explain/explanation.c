#include "explain/explanation.h"

#include "http/date.h"
#include "policy/option.h"
#include "policy/values/units.h"
#include "traps/session.h"

#define LINE_MAX_BYTES ((size_t)128 * 1024)

void pv_explanation_init(struct pv_explanation *explanation,
    const struct pv_policy *policy, const struct pv_url *url,
    struct pv_time now)
{
	*explanation =
	    (struct pv_explanation){.policy = policy, .url = url, .now = now};
	pv_buf_init(&explanation->line, LINE_MAX_BYTES);
}

void pv_explanation_finish(struct pv_explanation *explanation)
{
	pv_buf_finish(&explanation->line);
}

void pv_explanation_tell(struct pv_explanation *explanation, const char *key,
    const struct pv_origin *origin)
{
	struct pv_scope_line line = {
	    .key = key,
	    .text = pv_buf_str(&explanation->line),
	};
	if (origin)
		line.origin = *origin;
	explanation->on_line(&line, explanation->ctx);
	pv_buf_clear(&explanation->line);
}

/* To two digits or so, as people say it. */
static int64_t rounded(int64_t ms)
{
	static const int64_t units[] = {86400000, 3600000, 60000, 1000};
	if (ms > INT64_MAX / 2)
		return INT64_MAX / 2;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (ms >= 2 * units[i])
			return (ms + units[i] / 2) / units[i] * units[i];
	}
	return ms;
}

void pv_explanation_write_time(const struct pv_explanation *explanation,
    int64_t wall_ms, struct pv_buf *text)
{
	int64_t left_ms = wall_ms - explanation->now.wall_ms;
	if (!pv_date_write(wall_ms, text))
		pv_buf_append_text(text, "a time in the far future");
	pv_buf_append_text(text, left_ms > 0 ? ", in " : ", ");
	pv_unit_write(
	    PV_UNIT_TIME, rounded(left_ms > 0 ? left_ms : -left_ms), text);
	if (left_ms <= 0)
		pv_buf_append_text(text, " ago");
}

/* What is known */

void pv_explanation_write_verdict(
    struct pv_verdict verdict, struct pv_buf *text)
{
	pv_buf_append_format(text, "%s (%s", pv_reason_sentence(verdict.reason),
	    pv_reason_word(verdict.reason));
	if (verdict.line)
		pv_buf_append_format(text, ", %s %u",
		    pv_reason_number_of(verdict.reason),
		    (unsigned)verdict.line);
	pv_buf_append_char(text, ')');
}

/* By the program that ran the crawl in its own words. */
static void write_refusal(
    const struct pv_state_view_answer *known, struct pv_buf *text)
{
	if (known->refusal.len)
		pv_buf_append_format(text, "%s (%s)",
		    pv_reason_sentence(known->address.verdict.reason),
		    pv_buf_text(&known->refusal));
	else
		pv_explanation_write_verdict(known->address.verdict, text);
}

static void write_outcome(
    const struct pv_state_address *address, struct pv_buf *text)
{
	const struct pv_result *answer = &address->result;
	if (answer->outcome == PV_OUTCOME_ANSWERED) {
		pv_buf_append_format(
		    text, "answered %u", (unsigned)answer->http_status);
		return;
	}
	pv_buf_append_format(text, "%s (%s)",
	    pv_outcome_sentence(answer->outcome),
	    pv_outcome_word(answer->outcome));
}

static void tell_found(struct pv_explanation *explanation)
{
	const struct pv_state_view_answer *known = explanation->known;
	const struct pv_state_address *address = &known->address;
	struct pv_buf *line = &explanation->line;
	if (known->via.len) {
		pv_buf_append_text(line, "found on ");
		pv_buf_append(line, pv_buf_str(&known->via));
		pv_buf_append_format(line, ", %u link%s from a seed",
		    (unsigned)address->depth, address->depth == 1 ? "" : "s");
	} else if (known->shard.count && address->depth) {
		pv_buf_append_format(line,
		    "found by another shard, %u link%s from a seed",
		    (unsigned)address->depth, address->depth == 1 ? "" : "s");
	} else {
		pv_buf_append_text(line, known->follows_no_links
					     ? "it was asked for by itself"
					     : "a seed of the crawl");
	}
	if (address->redirects)
		pv_buf_append_format(line, ", after %u redirect%s",
		    (unsigned)address->redirects,
		    address->redirects == 1 ? "" : "s");
	pv_explanation_tell(explanation, "seen", NULL);
}

/* How the address stands; whether it is still to be fetched. */
static bool tell_state(
    struct pv_explanation *explanation, struct pv_buf *reason)
{
	const struct pv_state_address *address = &explanation->known->address;
	struct pv_buf *line = &explanation->line;
	bool is_ended = false;
	switch (address->state) {
	case PV_STATE_PENDING:
		pv_buf_append_text(line, "it is pending");
		if (explanation->known->fleet.is_on_its_way)
			pv_buf_append_text(line,
			    ": a link to it is on its way to the worker of "
			    "its host");
		break;
	case PV_STATE_IN_FLIGHT:
		pv_buf_append_text(
		    line, explanation->known->is_running
			      ? "it is being fetched now"
			      : "it was being fetched when the last run was "
				"interrupted");
		break;
	case PV_STATE_DONE:
		is_ended = true;
		pv_buf_append_text(line, "it was requested: ");
		write_outcome(address, line);
		break;
	case PV_STATE_ELSEWHERE:
		is_ended = true;
		pv_buf_append_text(line,
		    "its host is another worker's of the fleet: ask `pavane "
		    "explain --fleet`");
		break;
	default:
		is_ended = true;
		pv_buf_append_text(line, "it was left out: ");
		write_refusal(explanation->known, line);
		break;
	}
	if (is_ended && explanation->known->follows_no_links)
		pv_buf_append_text(
		    line, "; and is again when somebody asks for it");
	if (is_ended)
		pv_buf_append(reason, pv_buf_str(line));
	if (address->waits)
		pv_buf_append_format(line,
		    ", its host asked %u time%s to be requested later",
		    (unsigned)address->waits, address->waits == 1 ? "" : "s");
	if (address->attempt)
		pv_buf_append_format(line, ", tried %u time%s before",
		    (unsigned)address->attempt,
		    address->attempt == 1 ? "" : "s");
	pv_explanation_tell(explanation, "state", NULL);
	return !is_ended;
}

/* Why a host was left, in words of the policy. */
static const char *text_of_leaving(int64_t reason)
{
	const struct pv_reason_row *row = pv_reason_get((unsigned)reason);
	return row->of_host ? row->of_host : row->word;
}

/* What the host has done so far; whether it is still asked. */
static bool tell_host(struct pv_explanation *explanation, struct pv_buf *reason)
{
	const struct pv_host_state *state = &explanation->known->host.state;
	struct pv_buf *line = &explanation->line;
	if (state->failures) {
		pv_buf_append_format(line, "%lld failure%s in a row",
		    (long long)state->failures,
		    state->failures == 1 ? "" : "s");
		pv_explanation_tell(explanation, "its host", NULL);
	}
	if (state->blocks) {
		pv_buf_append_format(line,
		    "answered 401, 403 or 451 %lld time%s in a row",
		    (long long)state->blocks, state->blocks == 1 ? "" : "s");
		pv_explanation_tell(explanation, "its host", NULL);
	}
	if (!state->left_reason)
		return true;
	pv_buf_append_format(
	    line, "was given up: %s", text_of_leaving(state->left_reason));
	pv_buf_clear(reason);
	pv_buf_append_text(reason, "its host ");
	pv_buf_append(reason, pv_buf_str(line));
	pv_explanation_tell(explanation, "its host", NULL);
	return false;
}

bool pv_explanation_known(
    struct pv_explanation *explanation, struct pv_buf *reason)
{
	const struct pv_state_view_answer *known = explanation->known;
	bool is_open = true;
	if (!known)
		return true;
	if (known->is_known) {
		tell_found(explanation);
		is_open = tell_state(explanation, reason);
	} else {
		pv_buf_append_text(&explanation->line,
		    known->fleet.is_there
			? "the fleet's database does not know it"
			: "the crawl has not seen it yet");
		pv_explanation_tell(explanation, "seen", NULL);
	}
	if (is_open && known->has_host)
		is_open = tell_host(explanation, reason);
	return is_open;
}

/* Limits */

struct limit {
	const char *path;
	int64_t most;
	int64_t found;
	enum pv_unit_kind unit;
	const char *what;
};

static void write_limit(const struct pv_explanation *explanation,
    const struct limit *limit, struct pv_buf *text)
{
	if (explanation->known) {
		pv_unit_write(limit->unit, limit->found, text);
		pv_buf_append_text(text, " of ");
	}
	pv_buf_append_text(text, "at most ");
	pv_unit_write(limit->unit, limit->most, text);
	pv_buf_append_text(text, limit->what);
}

static bool tell_limit(struct pv_explanation *explanation,
    const struct limit *limit, struct pv_buf *reason)
{
	const struct pv_option *option =
	    pv_option_get(pv_str_of(limit->path), &pv_names_of_policy);
	if (limit->most == PV_NONE)
		return true;
	pv_buf_append_format(&explanation->line, "%s: ", limit->path);
	write_limit(explanation, limit, &explanation->line);
	pv_explanation_tell(explanation, "limits",
	    &explanation->policy->origins[option - pv_names_of_policy.options]);
	if (limit->found < limit->most)
		return true;
	pv_buf_append_format(reason, "%s is reached", limit->path);
	return false;
}

/* Of traps that are counted only a crawl knows; what an address shows is that
 * it may be one. */
static void tell_session(struct pv_explanation *explanation)
{
	int64_t most = explanation->policy->scope.traps.sessions;
	const struct pv_option *option =
	    pv_option_get(PV_STR("scope.traps.sessions"), &pv_names_of_policy);
	struct pv_buf identifier;
	if (most == PV_NONE ||
	    (explanation->known && explanation->known->is_known))
		return;
	pv_buf_init(&identifier, LINE_MAX_BYTES);
	if (pv_session_find(explanation->url, &identifier)) {
		pv_buf_append_format(&explanation->line,
		    "it has a session identifier: the first %lld of its host "
		    "are followed, counted during the crawl",
		    (long long)most);
		pv_explanation_tell(explanation, "traps",
		    &explanation->policy
			 ->origins[option - pv_names_of_policy.options]);
	}
	pv_buf_finish(&identifier);
}

bool pv_explanation_limits(
    struct pv_explanation *explanation, struct pv_buf *reason)
{
	const struct pv_state_view_answer *known = explanation->known;
	const struct pv_limits *limits = &explanation->policy->limits;
	bool has_host = known && known->has_host;
	const struct limit all[] = {
	    {"limits.pages", limits->pages, known ? (int64_t)known->pages : 0,
		PV_UNIT_NONE, " pages"},
	    {"limits.bytes", limits->bytes, known ? (int64_t)known->bytes : 0,
		PV_UNIT_SIZE, ""},
	    {"limits.host_pages", limits->host_pages,
		has_host ? known->host.state.pages : 0, PV_UNIT_NONE,
		" pages of its host"},
	    {"limits.host_bytes", limits->host_bytes,
		has_host ? known->host.state.bytes : 0, PV_UNIT_SIZE,
		" of its host"},
	};
	tell_session(explanation);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (!tell_limit(explanation, &all[i], reason))
			return false;
	}
	return true;
}

static void tell(const struct pv_explain_same *explanation, const char *key,
    struct pv_str text, const struct pv_origin *origin)
{
	struct pv_scope_line line = {.key = key, .text = text};
	if (origin)
		line.origin = *origin;
	explanation->on_line(&line, explanation->ctx);
}

static void tell_key(
    const struct pv_explain_same *explanation, enum pv_identity_change change)
{
	const char *key = pv_sameness_key(change), *domain;
	struct pv_origin origin =
	    pv_host_manners_origin(explanation->manners, key, &domain);
	struct pv_buf text;
	pv_buf_init(&text, 1024);
	pv_buf_append_format(&text, "by %s", key);
	if (domain)
		pv_buf_append_format(&text, ", for %s", domain);
	tell(explanation, "", pv_buf_str(&text), &origin);
	pv_buf_finish(&text);
}

void pv_explain_same_tell(const struct pv_explain_same *explanation)
{
	if (!explanation->changes)
		return;
	tell(explanation, "stands for", explanation->given, NULL);
	for (unsigned change = PV_IDENTITY_ALIAS; change <= PV_IDENTITY_SORTED;
	     change *= 2) {
		if (explanation->changes & change)
			tell_key(explanation, (enum pv_identity_change)change);
	}
}
