#include "robots/merged.h"

#include <stdlib.h>

#include "base/alloc.h"

#define PREFERENCES_MAX 200

bool pv_robots_names(const struct pv_robots *robots, struct pv_str token)
{
	for (size_t i = 0; i < robots->agent_count; i++) {
		if (pv_str_equal_nocase(robots->agents[i].token, token))
			return true;
	}
	return false;
}

/* For each group whether it names the token; yours to free. */
static bool *choose_groups(const struct pv_robots *robots, struct pv_str token)
{
	bool *is_chosen = pv_alloc_array(robots->group_count, sizeof(bool));
	for (size_t i = 0; i < robots->agent_count; i++) {
		const struct pv_robots_agent *agent = &robots->agents[i];
		if (pv_str_equal_nocase(agent->token, token))
			is_chosen[agent->group] = true;
	}
	return is_chosen;
}

static void merge_rules(struct pv_robots_merged *merged,
    const struct pv_robots *robots, const bool *is_chosen)
{
	const struct pv_robots_rule **rules =
	    pv_alloc_array(robots->rule_count, sizeof(const void *));
	size_t count = 0;
	for (size_t i = 0; i < robots->rule_count; i++) {
		if (is_chosen[robots->rules[i].group])
			rules[count++] = &robots->rules[i];
	}
	pv_robots_index_init(
	    &merged->rules, rules, count, robots->ceilings.wildcards);
	free(rules);
}

/* The longest delay, and any of the hours, up to as many as are kept. */
static void merge_timing(
    struct pv_robots_timing *asks, const struct pv_robots_timing *timing)
{
	if (timing->delay_ms > asks->delay_ms) {
		asks->delay_ms = timing->delay_ms;
		asks->delay_number = timing->delay_number;
	}
	if (!asks->hours_count)
		asks->hours_number = timing->hours_number;
	for (size_t i = 0; i < timing->hours_count; i++) {
		if (asks->hours_count < PV_ROBOTS_HOURS_MAX)
			asks->hours[asks->hours_count++] = timing->hours[i];
	}
}

/* A token that is named twice in a run merges its timing once. */
static void merge_timings(struct pv_robots_timing *asks,
    const struct pv_robots *robots, struct pv_str token)
{
	uint32_t next = 0;
	for (size_t i = 0; i < robots->agent_count; i++) {
		const struct pv_robots_agent *agent = &robots->agents[i];
		if (agent->run < next ||
		    !pv_str_equal_nocase(agent->token, token))
			continue;
		merge_timing(asks, &robots->timings[agent->run]);
		next = agent->run + 1;
	}
}

static struct pv_robots_preference copy_preference(
    const struct pv_robots_preference *one, struct pv_arena *arena)
{
	struct pv_robots_preference copy = *one;
	size_t before = one->value.len - one->terms.len;
	copy.value = pv_arena_copy(arena, one->value);
	copy.terms = pv_str_from(copy.value, before);
	copy.rule.line = (struct pv_str){NULL, 0};
	copy.rule.pattern = pv_arena_copy(arena, one->rule.pattern);
	return copy;
}

/* Each is held against each page: of those that nobody could have meant no
 * more than PREFERENCES_MAX are kept. */
static void merge_preferences(struct pv_robots_merged *merged,
    const struct pv_robots *robots, const bool *is_chosen)
{
	size_t count = robots->preference_count;
	size_t most = count < PREFERENCES_MAX ? count : PREFERENCES_MAX;
	merged->preferences =
	    pv_alloc_array(most, sizeof(*merged->preferences));
	for (size_t i = 0; i < count && merged->preference_count < most; i++) {
		const struct pv_robots_preference *one =
		    &robots->preferences[i];
		if (is_chosen[one->group])
			merged->preferences[merged->preference_count++] =
			    copy_preference(one, &merged->texts);
	}
}

static void find_name(struct pv_robots_merged *merged,
    const struct pv_robots *robots, struct pv_str token)
{
	for (size_t i = 0; i < robots->agent_count; i++) {
		const struct pv_robots_agent *agent = &robots->agents[i];
		if (!pv_str_equal_nocase(agent->token, token))
			continue;
		merged->token = pv_arena_copy(&merged->texts, agent->token);
		merged->number = agent->number;
		return;
	}
}

void pv_robots_merged_init(struct pv_robots_merged *merged,
    const struct pv_robots *robots, struct pv_str token)
{
	bool *is_chosen = choose_groups(robots, token);
	*merged = (struct pv_robots_merged){.preference_count = 0};
	pv_arena_init(&merged->texts);
	find_name(merged, robots, token);
	merge_rules(merged, robots, is_chosen);
	merge_preferences(merged, robots, is_chosen);
	merge_timings(&merged->asks, robots, token);
	free(is_chosen);
}

void pv_robots_merged_finish(struct pv_robots_merged *merged)
{
	pv_robots_index_finish(&merged->rules);
	free(merged->preferences);
	pv_arena_finish(&merged->texts);
	*merged = (struct pv_robots_merged){.preference_count = 0};
}
