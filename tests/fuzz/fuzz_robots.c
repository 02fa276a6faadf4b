#include <stdint.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "robots/matcher.h"
#include "robots/normal.h"

/* Asks a robots.txt. The input is a line with an agent, one with a path, and
 * the file, whose end is missing if the agent begins with "!".
 *
 * What must hold: the decision is that of a walk over all rules of the groups
 * that are meant, it is the same however the path is percent-encoded, and a
 * refusal has its line; a delay is asked of those whom the lines right before
 * it name, and no number is one that nobody could wait for.
 */

#define CEILINGS                      \
	((struct pv_robots_ceilings){ \
	    .bytes = 4000, .wildcards = {1000, 100000}, .sitemaps = 5})

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void require_same(
    struct pv_robots_decision a, struct pv_robots_decision b)
{
	require(a.is_allowed == b.is_allowed);
	require(a.number == b.number);
	require(a.is_allowed || a.number);
	require(pv_str_equal(a.line, b.line));
}

static bool names(
    const struct pv_robots *robots, struct pv_str token, uint32_t group)
{
	for (size_t i = 0; i < robots->agent_count; i++) {
		if (robots->agents[i].group == group &&
		    pv_str_equal_nocase(robots->agents[i].token, token))
			return true;
	}
	return false;
}

static bool names_anywhere(const struct pv_robots *robots, struct pv_str token)
{
	for (uint32_t i = 0; i < robots->group_count; i++) {
		if (names(robots, token, i))
			return true;
	}
	return false;
}

/* Whether the heaviest rule of the token's groups forbids. */
static bool is_forbidden(
    const struct pv_robots *robots, struct pv_str token, struct pv_str path)
{
	const struct pv_robots_rule *best = NULL;
	for (size_t i = 0; i < robots->rule_count; i++) {
		const struct pv_robots_rule *rule = &robots->rules[i];
		if (names(robots, token, rule->group) &&
		    pv_robots_rule_matches(rule, path) &&
		    (!best || pv_robots_rule_outweighs(rule, best)))
			best = rule;
	}
	return best && !best->is_allow;
}

static void check_decision(const struct pv_robots *robots,
    struct pv_robots_decision decision, struct pv_str agent, struct pv_str path)
{
	struct pv_str own = pv_robots_token(agent), ours = PV_STR("pavane");
	struct pv_buf normal;
	pv_buf_init(&normal, 3 * path.len);
	pv_robots_append_path(&normal, path);
	path = pv_buf_str(&normal);
	bool is_ours = pv_str_equal_nocase(own, ours);
	if (!names_anywhere(robots, own))
		own = PV_STR("*");
	bool is_refused = is_forbidden(robots, own, path) ||
			  (!is_ours && is_forbidden(robots, ours, path));
	if (pv_str_equal(path, PV_STR("/robots.txt")))
		is_refused = false;
	require(decision.is_allowed == !is_refused);
	pv_buf_finish(&normal);
}

/* The path with all encoded that may be: of each second byte that is no
 * reserved one, with small digits. */
static void encode(struct pv_str path, struct pv_buf *buf)
{
	struct pv_reader reader = pv_reader_of(path);
	for (unsigned i = 0; !pv_reader_is_end(&reader); i++) {
		int byte = pv_reader_next(&reader);
		bool may_be = pv_is_alnum(byte) || byte == '-' || byte == '.' ||
			      byte == '_' || byte == '~' || byte > 0x7f;
		if (may_be && (i % 2 || byte > 0x7f))
			pv_buf_append_format(buf, "%%%02x", (unsigned)byte);
		else
			pv_buf_append_char(buf, (char)byte);
	}
}

static void check_encoding(const struct pv_robots_matcher *matcher,
    struct pv_robots_decision decision, struct pv_str path)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 3 * path.len);
	encode(path, &buf);
	/* A percent sign would begin something else. */
	if (pv_str_find(path, '%') == PV_NOT_FOUND)
		require_same(
		    decision, pv_robots_decide(matcher, pv_buf_str(&buf)));
	pv_buf_clear(&buf);
	pv_robots_append_path(&buf, path);
	require_same(decision, pv_robots_decide(matcher, pv_buf_str(&buf)));
	pv_buf_finish(&buf);
}

static void check_asks(const struct pv_robots_matcher *matcher)
{
	int64_t delay_ms = pv_robots_delay_ms(matcher);
	int64_t wait_ms = pv_robots_visit_wait_ms(matcher, delay_ms);
	require(delay_ms >= 0 && delay_ms <= PV_ROBOTS_DELAY_MAX_MS);
	require(wait_ms >= 0 && wait_ms <= 86400000);
	require(
	    !pv_robots_visit_wait_ms(matcher, delay_ms + wait_ms) || wait_ms);
	size_t count = pv_robots_preference_count(matcher);
	for (size_t i = 0; i < count; i++)
		require(pv_robots_preference_at(matcher, i)->number > 0);
}

/* The longest that is asked of any run of lines with the token. */
static int64_t delay_for(const struct pv_robots *robots, struct pv_str token)
{
	int64_t longest_ms = 0;
	for (size_t i = 0; i < robots->agent_count; i++) {
		const struct pv_robots_agent *agent = &robots->agents[i];
		const struct pv_robots_timing *timing =
		    &robots->timings[agent->run];
		require(!timing->delay_number ||
			timing->delay_number > agent->number);
		if (pv_str_equal_nocase(agent->token, token) &&
		    timing->delay_ms > longest_ms)
			longest_ms = timing->delay_ms;
	}
	return longest_ms;
}

static void check_delay(const struct pv_robots *robots,
    const struct pv_robots_matcher *matcher, struct pv_str agent)
{
	struct pv_str own = pv_robots_token(agent);
	int64_t ours_ms = delay_for(robots, PV_STR("pavane"));
	int64_t own_ms = delay_for(
	    robots, names_anywhere(robots, own) ? own : PV_STR("*"));
	require(pv_robots_delay_ms(matcher) ==
		(own_ms > ours_ms ? own_ms : ours_ms));
}

/* What is in force is the longest path that matches, as in a walk over all. */
static void check_preferences(
    const struct pv_robots_matcher *matcher, struct pv_str path)
{
	struct pv_buf said, normal;
	uint32_t longest = 0;
	pv_buf_init(&said, SIZE_MAX);
	pv_buf_init(&normal, 3 * path.len);
	pv_robots_append_path(&normal, path);
	pv_robots_preference_write(
	    matcher, PV_ROBOTS_CONTENT_USAGE, path, &said);
	for (size_t i = 0; i < pv_robots_preference_count(matcher); i++) {
		const struct pv_robots_preference *one =
		    pv_robots_preference_at(matcher, i);
		if (one->kind == PV_ROBOTS_CONTENT_USAGE && one->terms.len &&
		    one->rule.weight > longest &&
		    pv_robots_rule_matches(&one->rule, pv_buf_str(&normal)))
			longest = one->rule.weight;
	}
	require((said.len > 0) == (longest > 0));
	pv_buf_finish(&normal);
	pv_buf_finish(&said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	struct pv_robots_ceilings ceilings = CEILINGS;
	bool is_cut = pv_reader_accept(&reader, '!');
	struct pv_str agent = pv_reader_take_line(&reader);
	struct pv_str path = pv_reader_take_line(&reader);
	struct pv_why why;
	pv_why_init(&why);
	struct pv_robots *robots =
	    pv_robots_create(pv_reader_rest(&reader), is_cut, &ceilings, &why);
	struct pv_robots_matcher *matcher =
	    pv_robots_matcher_create(robots, agent);
	require(robots->sitemaps.count <= ceilings.sitemaps);
	check_asks(matcher);
	check_delay(robots, matcher, agent);
	struct pv_robots_decision decision = pv_robots_decide(matcher, path);
	require_same(decision, decision);
	if (pv_str_starts(path, PV_STR("/")) &&
	    pv_str_find(path, '#') == PV_NOT_FOUND) {
		check_decision(robots, decision, agent, path);
		check_encoding(matcher, decision, path);
		check_preferences(matcher, path);
	}
	pv_robots_matcher_destroy(matcher);
	pv_robots_destroy(robots);
	pv_why_finish(&why);
	return 0;
}
