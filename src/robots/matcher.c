#include "robots/matcher.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "robots/normal.h"

#define OUR_TOKEN PV_STR("pavane")
#define EVERYBODY PV_STR("*")

struct pv_robots_matcher {
	struct pv_robots_merged groups[2]; /* our own, and pavane's */
	size_t count;
};

struct pv_robots_matcher *pv_robots_matcher_create(
    const struct pv_robots *robots, struct pv_str agent)
{
	struct pv_robots_matcher *matcher = pv_alloc(sizeof(*matcher));
	struct pv_str own = pv_robots_token(agent);
	pv_robots_merged_init(&matcher->groups[matcher->count++], robots,
	    pv_robots_names(robots, own) ? own : EVERYBODY);
	if (!pv_str_equal_nocase(own, OUR_TOKEN) &&
	    pv_robots_names(robots, OUR_TOKEN))
		pv_robots_merged_init(
		    &matcher->groups[matcher->count++], robots, OUR_TOKEN);
	return matcher;
}

void pv_robots_matcher_destroy(struct pv_robots_matcher *matcher)
{
	if (!matcher)
		return;
	for (size_t i = 0; i < matcher->count; i++)
		pv_robots_merged_finish(&matcher->groups[i]);
	free(matcher);
}

size_t pv_robots_matcher_bytes(const struct pv_robots_matcher *matcher)
{
	size_t bytes = sizeof(*matcher);
	for (size_t i = 0; i < matcher->count; i++)
		bytes += matcher->groups[i].rules.bytes;
	return bytes;
}

/* The first group that forbids decides; if none does, our own. */
static struct pv_robots_decision decide(
    const struct pv_robots_matcher *matcher, struct pv_str path)
{
	const struct pv_robots_rule *deciding = NULL;
	for (size_t i = 0; i < matcher->count; i++) {
		const struct pv_robots_rule *rule =
		    pv_robots_index_find(&matcher->groups[i].rules, path);
		if (rule && (!rule->is_allow || i == 0))
			deciding = rule;
		if (rule && !rule->is_allow)
			break;
	}
	if (!deciding || pv_str_equal(path, PV_STR("/robots.txt")))
		return (struct pv_robots_decision){.is_allowed = true};
	return (struct pv_robots_decision){
	    .is_allowed = deciding->is_allow,
	    .number = deciding->number,
	    .line = deciding->line,
	};
}

/* RFC 9309, 2.2.2: octets from the first of the path; one that is not there is
 * a slash. In its normal form, for which there may have to be room. */
static struct pv_str path_of(struct pv_str target, struct pv_buf *room)
{
	struct pv_reader reader = pv_reader_of(target);
	struct pv_str path = pv_reader_take_until(&reader, '#');
	bool is_rooted = pv_str_starts(path, PV_STR("/"));
	pv_buf_init(room, 3 * path.len + 1);
	if (is_rooted && pv_robots_is_normal(path))
		return path;
	if (!is_rooted)
		pv_buf_append_char(room, '/');
	pv_robots_append_path(room, path);
	return pv_buf_str(room);
}

struct pv_robots_decision pv_robots_decide(
    const struct pv_robots_matcher *matcher, struct pv_str target)
{
	struct pv_buf room;
	struct pv_str path = path_of(target, &room);
	struct pv_robots_decision decision = decide(matcher, path);
	pv_buf_finish(&room);
	return decision;
}

size_t pv_robots_group_count(const struct pv_robots_matcher *matcher)
{
	return matcher->count;
}

const struct pv_robots_merged *pv_robots_group_at(
    const struct pv_robots_matcher *matcher, size_t i)
{
	return &matcher->groups[i];
}

int64_t pv_robots_delay_ms(const struct pv_robots_matcher *matcher)
{
	int64_t most = 0;
	for (size_t i = 0; i < matcher->count; i++) {
		int64_t delay_ms = matcher->groups[i].asks.delay_ms;
		if (delay_ms > most)
			most = delay_ms;
	}
	return most;
}

int64_t pv_robots_visit_wait_ms(
    const struct pv_robots_matcher *matcher, int64_t wall_ms)
{
	int64_t most = 0;
	for (size_t i = 0; i < matcher->count; i++) {
		const struct pv_robots_timing *asks = &matcher->groups[i].asks;
		int64_t wait_ms = pv_robots_hours_wait(
		    asks->hours, asks->hours_count, wall_ms);
		if (wait_ms > most)
			most = wait_ms;
	}
	return most;
}

void pv_robots_shut(
    const struct pv_robots_matcher *matcher, struct pv_robots_day *day)
{
	for (size_t i = 0; i < matcher->count; i++) {
		const struct pv_robots_timing *asks = &matcher->groups[i].asks;
		pv_robots_hours_shut(asks->hours, asks->hours_count, day);
	}
}

size_t pv_robots_preference_count(const struct pv_robots_matcher *matcher)
{
	size_t count = 0;
	for (size_t i = 0; i < matcher->count; i++)
		count += matcher->groups[i].preference_count;
	return count;
}

const struct pv_robots_preference *pv_robots_preference_at(
    const struct pv_robots_matcher *matcher, size_t i)
{
	const struct pv_robots_merged *group = matcher->groups;
	for (; i >= group->preference_count; group++)
		i -= group->preference_count;
	return &group->preferences[i];
}

static bool holds_for(const struct pv_robots_preference *preference,
    enum pv_robots_kind kind, struct pv_str path)
{
	return preference->kind == kind && preference->terms.len &&
	       pv_robots_rule_matches(&preference->rule, path);
}

/* As many bytes as a path that wins has; 0 if none matches. */
static uint32_t longest_of(const struct pv_robots_merged *group,
    enum pv_robots_kind kind, struct pv_str path)
{
	uint32_t longest = 0;
	for (size_t i = 0; i < group->preference_count; i++) {
		const struct pv_robots_preference *one = &group->preferences[i];
		if (one->rule.weight > longest && holds_for(one, kind, path))
			longest = one->rule.weight;
	}
	return longest;
}

/* `start` is where what is said begins in the buffer. */
static void write_longest(const struct pv_robots_merged *group,
    enum pv_robots_kind kind, struct pv_str path, size_t start,
    struct pv_buf *buf)
{
	uint32_t longest = longest_of(group, kind, path);
	for (size_t i = 0; longest && i < group->preference_count; i++) {
		const struct pv_robots_preference *one = &group->preferences[i];
		if (one->rule.weight != longest || !holds_for(one, kind, path))
			continue;
		if (buf->len > start && buf->ceiling - buf->len > 2)
			pv_buf_append(buf, PV_STR("; "));
		size_t room = buf->ceiling - buf->len;
		pv_buf_append(
		    buf, pv_str_head(one->terms,
			     one->terms.len < room ? one->terms.len : room));
	}
}

void pv_robots_preference_write(const struct pv_robots_matcher *matcher,
    enum pv_robots_kind kind, struct pv_str target, struct pv_buf *buf)
{
	struct pv_buf room;
	struct pv_str path = path_of(target, &room);
	size_t start = buf->len;
	for (size_t i = 0; i < matcher->count; i++)
		write_longest(&matcher->groups[i], kind, path, start, buf);
	pv_buf_finish(&room);
}

struct pv_robots_rules *pv_robots_rules_of(
    const struct pv_robots *robots, struct pv_str agent)
{
	struct pv_robots_rules *rules = pv_alloc(sizeof(*rules));
	rules->matcher = pv_robots_matcher_create(robots, agent);
	atomic_init(&rules->owners, 1);
	return rules;
}

struct pv_robots_rules *pv_robots_rules_create(
    struct pv_str text, bool is_cut, struct pv_str agent, struct pv_why *why)
{
	struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_robots *robots =
	    pv_robots_create(text, is_cut, &ceilings, why);
	struct pv_robots_rules *rules = pv_robots_rules_of(robots, agent);
	pv_robots_destroy(robots);
	return rules;
}

struct pv_robots_rules *pv_robots_rules_share(struct pv_robots_rules *rules)
{
	if (rules)
		atomic_fetch_add_explicit(
		    &rules->owners, 1, memory_order_relaxed);
	return rules;
}

void pv_robots_rules_release(struct pv_robots_rules *rules)
{
	if (!rules || atomic_fetch_sub_explicit(
			  &rules->owners, 1, memory_order_acq_rel) > 1)
		return;
	pv_robots_matcher_destroy(rules->matcher);
	free(rules);
}
