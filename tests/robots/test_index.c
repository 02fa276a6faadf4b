#include "robots/index.h"

#include <stdlib.h>

#include "tap.h"

/* Random, and the same each time. */
static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

static struct pv_str random_text(
    uint32_t *state, const char *letters, char *room)
{
	size_t len = next_random(state) % 7;
	room[0] = '/';
	for (size_t i = 1; i <= len; i++)
		room[i] = letters[next_random(state) % strlen(letters)];
	return (struct pv_str){room, len + 1};
}

enum { RULES = 40, ROUNDS = 300, PATHS = 200 };

/* Rules without an asterisk at the end, as they are read. */
static void fill(
    uint32_t *state, struct pv_robots_rule *rules, char (*rooms)[8])
{
	for (uint32_t i = 0; i < RULES; i++) {
		struct pv_str text = random_text(state, "aaabbb*", rooms[i]);
		while (text.ptr[text.len - 1] == '*')
			text.len--;
		uint32_t random = next_random(state);
		rules[i] = (struct pv_robots_rule){.pattern = text,
		    .line = text,
		    .number = i + 1,
		    .weight = (uint32_t)text.len + random % 2,
		    .is_allow = random / 2 % 2,
		    .is_anchored = random / 4 % 3 == 0};
	}
}

static const struct pv_robots_wild_room enough = {1000, 10000};

/* What one walk over all rules says. */
static const struct pv_robots_rule *find_slowly(
    const struct pv_robots_rule *rules, struct pv_str path)
{
	const struct pv_robots_rule *best = NULL;
	for (size_t i = 0; i < RULES; i++) {
		if (pv_robots_rule_matches(&rules[i], path) &&
		    (!best || pv_robots_rule_outweighs(&rules[i], best)))
			best = &rules[i];
	}
	return best;
}

static bool is_same(
    const struct pv_robots_rule *a, const struct pv_robots_rule *b)
{
	return a && b ? a->weight == b->weight && a->is_allow == b->is_allow
		      : a == b;
}

static void test_random(void)
{
	struct pv_robots_rule rules[RULES];
	const struct pv_robots_rule *all[RULES];
	char rooms[RULES][8], room[8];
	unsigned wrong = 0, found = 0;
	uint32_t state = 1;
	for (size_t i = 0; i < RULES; i++)
		all[i] = &rules[i];
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct pv_robots_index index;
		fill(&state, rules, rooms);
		pv_robots_index_init(&index, all, RULES, enough);
		for (unsigned i = 0; i < PATHS; i++) {
			struct pv_str path = random_text(&state, "ab", room);
			const struct pv_robots_rule *rule =
			    pv_robots_index_find(&index, path);
			found += rule != NULL;
			wrong += !is_same(rule, find_slowly(rules, path));
		}
		pv_robots_index_finish(&index);
	}
	ok(!wrong && found > 1000,
	    "the rule that decides is the one that a walk over all finds");
}

static void test_ceiling(struct pv_robots_wild_room room)
{
	static const struct pv_robots_rule rules[] = {
	    {.pattern = PV_STR("/a*x"), .line = PV_STR("1"), .weight = 4},
	    {.pattern = PV_STR("/b*x"), .line = PV_STR("2"), .weight = 4},
	    {.pattern = PV_STR("/c*x"),
		.line = PV_STR("3"),
		.weight = 4,
		.is_allow = true},
	    {.pattern = PV_STR("/c"), .line = PV_STR("4"), .weight = 2},
	};
	const struct pv_robots_rule *all[] = {
	    &rules[0], &rules[1], &rules[2], &rules[3]};
	struct pv_robots_index index;
	pv_robots_index_init(&index, all, 4, room);
	ok(!pv_robots_index_find(&index, PV_STR("/ay")),
	    "up to the ceiling a wildcard is one");
	const struct pv_robots_rule *rule =
	    pv_robots_index_find(&index, PV_STR("/by"));
	ok(rule && !rule->is_allow && rule->weight == 4,
	    "past it a Disallow forbids all that begins like it (P5)");
	rule = pv_robots_index_find(&index, PV_STR("/cx"));
	ok(rule && !rule->is_allow, "and an Allow allows nothing");
	pv_robots_index_finish(&index);
}

static void test_nothing(void)
{
	struct pv_robots_index index;
	pv_robots_index_init(&index, NULL, 0, enough);
	ok(!pv_robots_index_find(&index, PV_STR("/")),
	    "without rules none decides");
	pv_robots_index_finish(&index);
}

static void test_doubles(void)
{
	static const struct pv_robots_rule rules[] = {
	    {.pattern = PV_STR("/a"),
		.line = PV_STR("no"),
		.weight = 2,
		.number = 1},
	    {.pattern = PV_STR("/a"),
		.line = PV_STR("yes"),
		.weight = 2,
		.number = 2,
		.is_allow = true},
	    {.pattern = PV_STR("/a"),
		.line = PV_STR("again"),
		.weight = 2,
		.number = 3,
		.is_allow = true},
	};
	const struct pv_robots_rule *all[] = {&rules[0], &rules[1], &rules[2]};
	struct pv_robots_index index;
	pv_robots_index_init(&index, all, 3, enough);
	const struct pv_robots_rule *rule =
	    pv_robots_index_find(&index, PV_STR("/ab"));
	ok(rule && rule->number == 2,
	    "of those that match the same the first Allow decides");
	ok(index.plain_count == 1, "and only it is kept");
	pv_robots_index_finish(&index);
}

int main(void)
{
	test_random();
	test_ceiling((struct pv_robots_wild_room){1, 1000});
	test_ceiling((struct pv_robots_wild_room){1000, 4});
	test_ceiling((struct pv_robots_wild_room){1000, 5});
	test_nothing();
	test_doubles();
	return tap_done();
}
