#include "robots/rule.h"

#include <stdlib.h>

#include "tap.h"

/* What a line becomes. */
static const struct {
	const char *claim;
	const char *value;
	bool is_cut;
	const char *pattern;
	unsigned weight;
	bool is_anchored;
} cases[] = {
    {"a pattern is kept", "/a/b", false, "/a/b", 4, false},
    {"$ at the end is no part of it, but counts", "/a$", false, "/a", 3, true},
    {"elsewhere it is", "/a$b", false, "/a$b", 4, false},
    {"so is one that is encoded", "/a%24", false, "/a$", 3, false},
    {"* at the end is left out, but counts", "/a*", false, "/a", 3, false},
    {"so is one before $", "/a*$", false, "/a", 4, false},
    {"one within stays", "/a*b", false, "/a*b", 4, false},
    {"a missing slash is put there", "a", false, "/a", 2, false},
    {"but not before *", "*a", false, "*a", 2, false},
    {"* alone is everything", "*", false, "", 1, false},
    {"what is cut is a beginning", "/ab", true, "/ab", 3, false},
    {"its end is not known", "/ab$", true, "/ab", 3, false},
    {"half a byte of it is left out", "/ab%4", true, "/ab", 3, false},
    {"so is a percent sign", "/ab%", true, "/ab", 3, false},
    {"a whole byte is not", "/ab%41", true, "/abA", 4, false},
    {"cut to nothing it is everything", "", true, "/", 1, false},
};

static void test_reading(struct pv_arena *arena)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_robots_line line = {.kind = PV_ROBOTS_DISALLOW,
		    .value = pv_str_of(cases[i].value),
		    .text = PV_STR("as it stands"),
		    .number = 7,
		    .is_cut = cases[i].is_cut};
		struct pv_robots_rule rule;
		ok(pv_robots_rule_read(&line, arena, &rule) ==
			PV_ROBOTS_RULE_READ,
		    "%s", cases[i].claim);
		is_text(rule.pattern, cases[i].pattern, "so reads the pattern");
		ok(rule.weight == cases[i].weight &&
			rule.is_anchored == cases[i].is_anchored,
		    "with its weight and its end");
		ok(rule.number == 7 &&
			pv_str_equal(rule.line, PV_STR("as it stands")),
		    "and the line it came from (P4)");
	}
}

static void test_results(struct pv_arena *arena)
{
	struct pv_robots_line line = {.kind = PV_ROBOTS_ALLOW};
	struct pv_robots_rule rule;
	ok(pv_robots_rule_read(&line, arena, &rule) == PV_ROBOTS_RULE_EMPTY,
	    "no pattern is no rule");
	line.value = PV_STR("a");
	ok(pv_robots_rule_read(&line, arena, &rule) == PV_ROBOTS_RULE_NO_SLASH,
	    "an Allow without a slash is no rule");
	line.value = PV_STR("/a");
	line.is_cut = true;
	ok(pv_robots_rule_read(&line, arena, &rule) == PV_ROBOTS_RULE_CUT,
	    "nor is one that is cut");
}

/* What anybody can see to be right: at each place either the next byte
 * matches, or the wildcard takes one more. */
static bool matches_slowly(
    struct pv_str pattern, bool is_anchored, struct pv_str path)
{
	if (!pattern.len)
		return !is_anchored || !path.len;
	struct pv_str rest = pv_str_from(pattern, 1);
	if (pattern.ptr[0] == '*')
		return matches_slowly(rest, is_anchored, path) ||
		       (path.len && matches_slowly(pattern, is_anchored,
					pv_str_from(path, 1)));
	return path.len && path.ptr[0] == pattern.ptr[0] &&
	       matches_slowly(rest, is_anchored, pv_str_from(path, 1));
}

/* Writes the number in so few digits as letters. */
static struct pv_str spell(unsigned number, const char *letters, char *room)
{
	unsigned base = (unsigned)strlen(letters);
	size_t len = 0;
	for (; number; number /= base + 1) {
		unsigned digit = number % (base + 1);
		if (digit)
			room[len++] = letters[digit - 1];
	}
	return (struct pv_str){room, len};
}

static void test_matching(void)
{
	unsigned wrong = 0, matched = 0;
	for (unsigned i = 0; i < 4096; i++) {
		char pattern[8], path[8];
		struct pv_robots_rule rule = {
		    .pattern = spell(i / 2, "ab*", pattern),
		    .is_anchored = i % 2};
		for (unsigned j = 0; j < 2187; j++) {
			struct pv_str text = spell(j, "ab", path);
			bool is_match = pv_robots_rule_matches(&rule, text);
			matched += is_match;
			wrong += is_match != matches_slowly(rule.pattern,
						 rule.is_anchored, text);
		}
	}
	ok(!wrong && matched > 1000,
	    "short patterns and paths match just as they say");
}

/* Patterns that take those who go back for ever. */
static void test_hostile(void)
{
	enum { PARTS = 10000, PATH = 1000000 };
	char *pattern = malloc(2 * PARTS + 1);
	char *path = malloc(PATH);
	for (size_t i = 0; i < PARTS; i++)
		memcpy(pattern + 2 * i, "*a", 2);
	pattern[(size_t)2 * PARTS] = 'b';
	memset(path, 'a', PATH);
	struct pv_robots_rule rule = {.pattern = {pattern, 2 * PARTS + 1}};
	struct pv_str text = {path, PATH};
	ok(!pv_robots_rule_matches(&rule, text),
	    "10,000 wildcards do not match a long path that lacks the end");
	path[PATH - 1] = 'b';
	ok(pv_robots_rule_matches(&rule, text), "and match one that has it");
	rule.is_anchored = true;
	ok(pv_robots_rule_matches(&rule, text), "also as the end");
	path[PATH - 1] = 'a';
	ok(!pv_robots_rule_matches(&rule, text), "but not without it");
	free(pattern);
	free(path);
}

int main(void)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	test_reading(&arena);
	test_results(&arena);
	test_matching();
	test_hostile();
	pv_arena_finish(&arena);
	return tap_done();
}
