#include "scope/explain.h"

#include "http/file_type.h"
#include "policy/values/units.h"
#include "scope/ports.h"
#include "scope/steps.h"
#include "traps/shapes.h"

#define LINE_MAX_BYTES ((size_t)64 * 1024) /* of the longest rule */

struct telling {
	const struct pv_scope_case *judged;
	pv_scope_line_fn on_line;
	void *ctx;
	struct pv_buf text;
};

/* Tells the line that is in the text. */
static void tell(struct telling *telling, enum pv_scope_step step,
    enum pv_scope_finding finding, const struct pv_origin *origin)
{
	struct pv_scope_line line = {
	    .key = pv_scope_step_key(step),
	    .finding = finding,
	    .text = pv_buf_str(&telling->text),
	};
	if (origin)
		line.origin = *origin;
	telling->on_line(&line, telling->ctx);
	pv_buf_clear(&telling->text);
}

/* What is said where a step did not decide; of the last two one always
 * does. */

static void write_limit(struct pv_buf *text, int64_t found, int64_t limit)
{
	if (limit == PV_NONE)
		pv_buf_append_format(
		    text, "%lld, and there is no limit", (long long)found);
	else
		pv_buf_append_format(text, "%lld of at most %lld",
		    (long long)found, (long long)limit);
}

static void pass_never(const struct pv_scope_case *judged, struct pv_buf *text)
{
	(void)judged;
	pv_buf_append_text(text, "its host is not listed there");
}

static void pass_max_url(
    const struct pv_scope_case *judged, struct pv_buf *text)
{
	write_limit(text, (int64_t)pv_url_page(judged->link->url).len,
	    judged->scope->policy->scope.max_url);
	pv_buf_append_text(text, " bytes");
}

/* Of which there is something to say. */
static void pass_port(const struct pv_scope_case *judged, struct pv_buf *text)
{
	uint16_t port = pv_url_port(judged->link->url);
	if (pv_port_is_blocked(port))
		pv_buf_append_format(text,
		    "port %u belongs to another protocol, but the policy "
		    "names it",
		    (unsigned)port);
}

static void pass_credentials(
    const struct pv_scope_case *judged, struct pv_buf *text)
{
	pv_buf_append_text(text, pv_url_has_credentials(judged->link->url)
				     ? "a seed gives them"
				     : "none");
}

static void pass_chain(const struct pv_scope_case *judged, struct pv_buf *text)
{
	if (judged->link->kind == PV_LINK_PAGE)
		pv_buf_append_text(text, "a page");
	else
		write_limit(text, judged->link->chain, PV_SCOPE_CHAIN_MAX);
}

/* What all traps that are asked for have in common: true if it was printed. */
static bool pass_trap(
    const struct pv_scope_case *judged, int64_t limit, struct pv_buf *text)
{
	if (judged->link->is_seed)
		pv_buf_append_text(text, "a seed is never treated as a trap");
	else if (limit == PV_NONE)
		pv_buf_append_text(text, "there is no limit");
	return judged->link->is_seed || limit == PV_NONE;
}

static void pass_segments(
    const struct pv_scope_case *judged, struct pv_buf *text)
{
	struct pv_str path = pv_url_path(judged->link->url);
	if (judged->link->is_seed)
		pv_buf_append_text(text, "a seed is never treated as a trap");
	else
		write_limit(text, (int64_t)pv_path_traps_segments(path),
		    judged->scope->policy->scope.traps.segments);
}

static void pass_repeats(
    const struct pv_scope_case *judged, struct pv_buf *text)
{
	int64_t limit = judged->scope->policy->scope.traps.repeats;
	if (!pass_trap(judged, limit, text))
		pv_buf_append_format(
		    text, "no segment more than %lld times", (long long)limit);
}

static void pass_parameters(
    const struct pv_scope_case *judged, struct pv_buf *text)
{
	struct pv_str query = pv_url_query(judged->link->url);
	if (judged->link->is_seed)
		pv_buf_append_text(text, "a seed is never treated as a trap");
	else
		write_limit(text, (int64_t)pv_query_traps_parameters(query),
		    judged->scope->policy->scope.traps.parameters);
}

/* Of the three steps that look through the query. */
static void pass_query(const struct pv_scope_case *judged, struct pv_buf *text)
{
	int64_t limit = judged->scope->policy->scope.traps.repeats;
	if (!pass_trap(judged, limit, text))
		pv_buf_append_format(text,
		    "no parameter more than %lld times, nothing escaped or "
		    "nested more often",
		    (long long)limit);
}

/* How far dates may lie from today. */
static void write_reach(const struct pv_scope_case *judged, int64_t limit_ms,
    const char *direction, struct pv_buf *text)
{
	if (pass_trap(judged, limit_ms, text))
		return;
	if (!judged->link->wall_ms) {
		pv_buf_append_text(text, "today's date is not known");
		return;
	}
	pv_buf_append_format(text, "no date further %s than ", direction);
	pv_unit_write(PV_UNIT_TIME, limit_ms, text);
}

static void pass_ahead(const struct pv_scope_case *judged, struct pv_buf *text)
{
	write_reach(judged,
	    judged->scope->policy->scope.traps.calendar.ahead_ms, "ahead",
	    text);
}

static void pass_back(const struct pv_scope_case *judged, struct pv_buf *text)
{
	write_reach(judged, judged->scope->policy->scope.traps.calendar.back_ms,
	    "back", text);
}

static void pass_type(const struct pv_scope_case *judged, struct pv_buf *text)
{
	const struct pv_scope_link *link = judged->link;
	const char *const *types = pv_file_types(pv_url_path(link->url));
	if (!judged->scope->policy->fetch.accept.count)
		pv_buf_append_text(text, "every type is accepted");
	else if (link->kind == PV_LINK_PAGE)
		pv_buf_append_text(
		    text, "the type of a page is known only from its answer");
	else if (link->is_redirect || !types)
		pv_buf_append_text(
		    text, "its file extension does not determine a type");
	else
		pv_buf_append_format(
		    text, "its file extension means %s", types[0]);
}

static void pass_rules(const struct pv_scope_case *judged, struct pv_buf *text)
{
	pv_buf_append_text(text, judged->scope->policy->scope.rules.count
				     ? "none matches"
				     : "there are none");
}

static void pass_seed(const struct pv_scope_case *judged, struct pv_buf *text)
{
	(void)judged;
	pv_buf_append_text(text, "not a seed itself");
}

static void pass_requisites(
    const struct pv_scope_case *judged, struct pv_buf *text)
{
	const char *found = "a resource of a page out of scope";
	if (judged->link->kind == PV_LINK_PAGE)
		found = "a page, not a resource of one";
	else if (!judged->scope->policy->scope.requisites)
		found = "resources of a page count as any other link";
	pv_buf_append_text(text, found);
}

/* Where hosts or below says no but hops may help, the sentence is that of the
 * refusal that it would be. */
static void pass_hosts(const struct pv_scope_case *judged, struct pv_buf *text)
{
	struct pv_scope_verdict verdict = judged->verdict;
	if (!judged->is_off)
		verdict.step = PV_STEP_INSIDE;
	pv_scope_verdict_write(&verdict, text);
}

static void pass_below(const struct pv_scope_case *judged, struct pv_buf *text)
{
	if (!judged->scope->policy->scope.below)
		pv_buf_append_text(text, "every path is in scope");
	else if (judged->is_off)
		pv_scope_verdict_write(&judged->verdict, text);
	else
		pv_buf_append_text(text, "below the path of a seed");
}

static void pass_depth(const struct pv_scope_case *judged, struct pv_buf *text)
{
	const struct pv_origin *origin;
	write_limit(text, judged->link->depth, pv_scope_depth(judged, &origin));
}

static void (*const passes[PV_STEPS])(
    const struct pv_scope_case *, struct pv_buf *) = {
    [PV_STEP_NEVER] = pass_never,
    [PV_STEP_MAX_URL] = pass_max_url,
    [PV_STEP_PORT] = pass_port,
    [PV_STEP_CREDENTIALS] = pass_credentials,
    [PV_STEP_CHAIN] = pass_chain,
    [PV_STEP_SEGMENTS] = pass_segments,
    [PV_STEP_REPEATS] = pass_repeats,
    [PV_STEP_PARAMETERS] = pass_parameters,
    [PV_STEP_NESTED] = pass_query,
    [PV_STEP_AHEAD] = pass_ahead,
    [PV_STEP_BACK] = pass_back,
    [PV_STEP_TYPE] = pass_type,
    [PV_STEP_RULES] = pass_rules,
    [PV_STEP_SEED] = pass_seed,
    [PV_STEP_REQUISITES] = pass_requisites,
    [PV_STEP_HOSTS] = pass_hosts,
    [PV_STEP_BELOW] = pass_below,
    [PV_STEP_DEPTH] = pass_depth,
};

/* A line for each rule that does not match, up to the one that decides. */
static void tell_rules(struct telling *telling, size_t count)
{
	static const char *const parts[] = {
	    [PV_RULE_PATH] = "path",
	    [PV_RULE_EXT] = "ext",
	    [PV_RULE_HOST] = "host",
	    [PV_RULE_URL] = "url",
	};
	for (size_t i = 0; i < count; i++) {
		const struct pv_rule_match *match =
		    &telling->judged->scope->rules[i];
		enum pv_rule_part part =
		    pv_rule_match_find(match, telling->judged->link->url);
		pv_buf_append_format(&telling->text, "rule %zu, ", i + 1);
		pv_rule_write(match->rule, &telling->text);
		pv_buf_append_format(
		    &telling->text, ": its %s does not match", parts[part]);
		tell(telling, PV_STEP_RULES, PV_SCOPE_PASSED,
		    &match->rule->origin);
	}
}

static void tell_passed(struct telling *telling, enum pv_scope_step step)
{
	const struct pv_scope_case *judged = telling->judged;
	const struct pv_origin *origin = judged->scope->origins[step];
	if (step == PV_STEP_RULES)
		tell_rules(telling, judged->scope->policy->scope.rules.count);
	if (step == PV_STEP_DEPTH)
		pv_scope_depth(judged, &origin);
	if (!passes[step])
		return;
	passes[step](judged, &telling->text);
	if (telling->text.len)
		tell(telling, step, PV_SCOPE_PASSED, origin);
}

static void tell_decided(struct telling *telling, enum pv_scope_step step)
{
	const struct pv_scope_verdict *verdict = &telling->judged->verdict;
	if (step == PV_STEP_RULES)
		tell_rules(telling, verdict->number - 1);
	pv_scope_verdict_write(verdict, &telling->text);
	tell(telling, step,
	    pv_scope_is_admitted(verdict) ? PV_SCOPE_ADMITTED
					  : PV_SCOPE_REFUSED,
	    &verdict->origin);
}

struct pv_scope_verdict pv_scope_explain(const struct pv_scope *scope,
    const struct pv_scope_link *link, pv_scope_line_fn on_line, void *ctx)
{
	struct pv_scope_case judged = pv_scope_open_case(scope, link);
	struct telling telling = {&judged, on_line, ctx, {0}};
	enum pv_scope_step step = 0;
	pv_buf_init(&telling.text, LINE_MAX_BYTES);
	for (; !pv_scope_take_step(step, &judged); step++)
		tell_passed(&telling, step);
	tell_decided(&telling, step);
	pv_buf_finish(&telling.text);
	return judged.verdict;
}
