#include "robots/index.h"

#include <stdlib.h>

#include "base/alloc.h"

/* By bytes; of those that match the same, the one that decides is first. */
static int compare_plain(const void *a, const void *b)
{
	const struct pv_robots_rule *first = a;
	const struct pv_robots_rule *second = b;
	int order = pv_str_compare(first->pattern, second->pattern);
	if (order)
		return order;
	if (first->is_anchored != second->is_anchored)
		return first->is_anchored ? 1 : -1;
	if (pv_robots_rule_outweighs(first, second))
		return -1;
	if (pv_robots_rule_outweighs(second, first))
		return 1;
	return first->number < second->number ? -1 : 1;
}

static int compare_wild(const void *a, const void *b)
{
	const struct pv_robots_rule *first = a;
	const struct pv_robots_rule *second = b;
	if (pv_robots_rule_outweighs(first, second))
		return -1;
	if (pv_robots_rule_outweighs(second, first))
		return 1;
	return first->number < second->number ? -1 : 1;
}

static bool matches_same(
    const struct pv_robots_rule *a, const struct pv_robots_rule *b)
{
	return a->is_anchored == b->is_anchored &&
	       pv_str_equal(a->pattern, b->pattern);
}

/* Leaves one of those that match the same. */
static void drop_doubles(struct pv_robots_index *index)
{
	size_t kept = 0;
	for (size_t i = 0; i < index->plain_count; i++) {
		if (kept &&
		    matches_same(&index->plain[kept - 1], &index->plain[i]))
			continue;
		index->plain[kept++] = index->plain[i];
	}
	index->plain_count = kept;
}

static bool begins_with(
    const struct pv_robots_index *index, size_t rule, size_t other)
{
	return pv_str_starts(
	    index->plain[rule].pattern, index->plain[other].pattern);
}

/* What a pattern begins with stands before it, and so do only such as begin
 * with that too: the nearest is found by going up from its neighbour. */
static void find_parents(struct pv_robots_index *index)
{
	index->parents =
	    pv_alloc_array(index->plain_count, sizeof(*index->parents));
	for (size_t i = 0; i < index->plain_count; i++) {
		uint32_t parent = (uint32_t)i;
		while (parent && !begins_with(index, i, parent - 1))
			parent = index->parents[parent - 1];
		index->parents[i] = parent;
	}
}

static struct pv_str copy_text(char **room, struct pv_str text)
{
	struct pv_str copy = {*room, text.len};
	if (text.len)
		memcpy(*room, text.ptr, text.len);
	*room += text.len;
	return copy;
}

/* What stands before the first wildcard. */
static void cut_at_wildcard(struct pv_robots_rule *rule)
{
	rule->pattern =
	    pv_str_head(rule->pattern, pv_str_find(rule->pattern, '*'));
	rule->is_anchored = false;
}

/* Whether a rule is kept with its wildcards; if so, it takes its room. */
static bool take_room(
    struct pv_robots_wild_room *room, const struct pv_robots_rule *rule)
{
	if (!pv_robots_rule_has_wildcard(rule) || !room->rules ||
	    rule->pattern.len > room->bytes)
		return false;
	room->rules--;
	room->bytes -= rule->pattern.len;
	return true;
}

static void add(struct pv_robots_index *index, struct pv_robots_rule rule,
    struct pv_robots_wild_room *wild_room)
{
	if (take_room(wild_room, &rule)) {
		index->wild[index->wild_count++] = rule;
		return;
	}
	if (pv_robots_rule_has_wildcard(&rule)) {
		if (rule.is_allow)
			return;
		cut_at_wildcard(&rule);
	}
	index->plain[index->plain_count++] = rule;
}

static void allocate(struct pv_robots_index *index,
    const struct pv_robots_rule *const rules[], size_t count,
    struct pv_robots_wild_room room)
{
	size_t bytes = 0, wild = 0;
	for (size_t i = 0; i < count; i++) {
		bytes += rules[i]->line.len + rules[i]->pattern.len;
		wild += take_room(&room, rules[i]);
	}
	index->bytes = bytes + count * sizeof(**rules);
	index->text = pv_alloc(bytes);
	index->wild = pv_alloc_array(wild, sizeof(*index->wild));
	index->plain = pv_alloc_array(count - wild, sizeof(*index->plain));
}

void pv_robots_index_init(struct pv_robots_index *index,
    const struct pv_robots_rule *const rules[], size_t count,
    struct pv_robots_wild_room room)
{
	*index = (struct pv_robots_index){.plain_count = 0};
	allocate(index, rules, count, room);
	char *text = index->text;
	for (size_t i = 0; i < count; i++) {
		struct pv_robots_rule rule = *rules[i];
		rule.line = copy_text(&text, rule.line);
		rule.pattern = copy_text(&text, rule.pattern);
		add(index, rule, &room);
	}
	qsort(index->plain, index->plain_count, sizeof(*index->plain),
	    compare_plain);
	qsort(
	    index->wild, index->wild_count, sizeof(*index->wild), compare_wild);
	drop_doubles(index);
	find_parents(index);
}

void pv_robots_index_finish(struct pv_robots_index *index)
{
	free(index->plain);
	free(index->parents);
	free(index->wild);
	free(index->text);
	*index = (struct pv_robots_index){.plain_count = 0};
}

/* How many plain patterns do not come after the path. */
static size_t count_up_to(
    const struct pv_robots_index *index, struct pv_str path)
{
	size_t low = 0, high = index->plain_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (pv_str_compare(index->plain[middle].pattern, path) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool matches(const struct pv_robots_rule *rule, struct pv_str path)
{
	return pv_str_starts(path, rule->pattern) &&
	       (!rule->is_anchored || path.len == rule->pattern.len);
}

/* All patterns that the path begins with are above the last one that does not
 * come after it, or are that one. */
static const struct pv_robots_rule *find_plain(
    const struct pv_robots_index *index, struct pv_str path)
{
	const struct pv_robots_rule *best = NULL;
	size_t next = count_up_to(index, path); /* counted from 1; 0 is none */
	while (next) {
		const struct pv_robots_rule *rule = &index->plain[next - 1];
		if (matches(rule, path) &&
		    (!best || pv_robots_rule_outweighs(rule, best)))
			best = rule;
		next = index->parents[next - 1];
	}
	return best;
}

const struct pv_robots_rule *pv_robots_index_find(
    const struct pv_robots_index *index, struct pv_str path)
{
	const struct pv_robots_rule *best = find_plain(index, path);
	for (size_t i = 0; i < index->wild_count; i++) {
		const struct pv_robots_rule *rule = &index->wild[i];
		if (best && !pv_robots_rule_outweighs(rule, best))
			break;
		if (pv_robots_rule_matches(rule, path))
			return rule;
	}
	return best;
}
