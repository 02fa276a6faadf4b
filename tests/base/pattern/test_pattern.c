#include "base/pattern/pattern.h"

#include <malloc.h>

#include "base/arena.h"
#include "tap.h"

static const struct {
	const char *pattern;
	struct pv_str text;
	enum pv_pattern_match match;
} searches[] = {
    {"b", PV_STR("abc"), PV_PATTERN_YES},
    {"^b", PV_STR("abc"), PV_PATTERN_NO},
    {"c$", PV_STR("abc"), PV_PATTERN_YES},
    {"B", PV_STR("abc"), PV_PATTERN_NO},
    {"(?i)B", PV_STR("abc"), PV_PATTERN_YES},
    {"", PV_STR("abc"), PV_PATTERN_YES},
    {"^$", PV_STR(""), PV_PATTERN_YES},
    {"^$", {NULL, 0}, PV_PATTERN_YES},
    {"a", {NULL, 0}, PV_PATTERN_NO},
    {"a.b", PV_STR("a\0b"), PV_PATTERN_YES},
    {"a\\x00b$", PV_STR("a\0b"), PV_PATTERN_YES},
    {"a$", PV_STR("a\0b"), PV_PATTERN_NO},
    {"^.$", PV_STR("\xff"), PV_PATTERN_YES},
    {"(a)(b)(c)\\3", PV_STR("abcc"), PV_PATTERN_YES},
    {"^https://docs\\.example\\.org/v2/",
	PV_STR("https://docs.example.org/v2/x"), PV_PATTERN_YES},
    {"^https://docs\\.example\\.org/v2/",
	PV_STR("https://docs.example.org/v1/x"), PV_PATTERN_NO},
    {"(*UTF)a", PV_STR("a\xff"), PV_PATTERN_GAVE_UP},
};

static struct pv_pattern *create(struct pv_str text)
{
	struct pv_pattern_fault fault = {0};
	struct pv_pattern *pattern = pv_pattern_create(text, &fault);
	if (!pattern)
		ok(false, "does not compile: %s", fault.text);
	return pattern;
}

static void test_searching(void)
{
	for (size_t i = 0; i < sizeof(searches) / sizeof(*searches); i++) {
		struct pv_pattern *pattern =
		    create(pv_str_of(searches[i].pattern));
		ok(pv_pattern_search(pattern, searches[i].text) ==
			searches[i].match,
		    "\"%s\" in \"%.*s\": %d", searches[i].pattern,
		    PV_STR_ARG(searches[i].text), searches[i].match);
		pv_pattern_destroy(pattern);
	}
	struct pv_pattern *empty = create((struct pv_str){NULL, 0});
	ok(pv_pattern_search(empty, PV_STR("a")) == PV_PATTERN_YES,
	    "no pattern is an empty one");
	pv_pattern_destroy(empty);
	pv_pattern_destroy(NULL);
}

static const struct {
	const char *pattern;
	size_t offset;
} faulty[] = {
    {"a(b", 3},
    {"ab[", 3},
    {"*", 0},
    {"a\\C", 3},
    {"(*UTF)\xff", 6},
    {"(?:(?:a{1000}){1000}){1000}", 27},
};

static void test_faults(void)
{
	for (size_t i = 0; i < sizeof(faulty) / sizeof(*faulty); i++) {
		struct pv_pattern_fault fault = {0};
		struct pv_pattern *pattern =
		    pv_pattern_create(pv_str_of(faulty[i].pattern), &fault);
		ok(!pattern && fault.text[0],
		    "\"%s\" is refused, with a sentence", faulty[i].pattern);
		ok(fault.offset == faulty[i].offset,
		    "and the place is told: %zu, found %zu", faulty[i].offset,
		    fault.offset);
		pv_pattern_destroy(pattern);
	}
}

static bool is_taken(struct pv_str text)
{
	struct pv_pattern_fault fault = {0};
	struct pv_pattern *pattern = pv_pattern_create(text, &fault);
	bool is_pattern = pattern != NULL;
	pv_pattern_destroy(pattern);
	return is_pattern;
}

static struct pv_str repeated(struct pv_arena *arena, char byte, size_t len)
{
	char *bytes = pv_arena_give(arena, len + 1);
	memset(bytes, byte, len);
	return (struct pv_str){bytes, len};
}

static struct pv_str nested(struct pv_arena *arena, size_t depth)
{
	char *bytes = pv_arena_give(arena, 2 * depth + 1);
	memset(bytes, '(', depth);
	memset(bytes + depth, ')', depth);
	return (struct pv_str){bytes, 2 * depth};
}

static void test_ceilings(struct pv_arena *arena)
{
	ok(is_taken(repeated(arena, 'a', 4096)), "4096 bytes are a pattern");
	ok(!is_taken(repeated(arena, 'a', 4097)), "one more is too long");
	ok(is_taken(nested(arena, 50)), "50 parentheses may be nested");
	ok(!is_taken(nested(arena, 51)), "one more is too deep");
	struct pv_pattern *pattern = create(PV_STR("^a+$"));
	ok(pv_pattern_search(pattern, repeated(arena, 'a', 65536)) ==
		PV_PATTERN_YES,
	    "64 KiB are searched");
	ok(pv_pattern_search(pattern, repeated(arena, 'a', 65537)) ==
		PV_PATTERN_GAVE_UP,
	    "P5: one byte more is not");
	pv_pattern_destroy(pattern);
}

static const struct {
	const char *pattern;
	size_t len;
	enum pv_pattern_match match;
} costs[] = {
    {"(?:a+)+[yz]", 40, PV_PATTERN_GAVE_UP},
    {"(?:a+)+[yz]", 60000, PV_PATTERN_GAVE_UP},
    {"(?:a|a)*[yz]", 60, PV_PATTERN_GAVE_UP},
    {"(?:a*a*)*[yz]", 60, PV_PATTERN_GAVE_UP},
    {"^(?:a|(?R))*[yz]", 30000, PV_PATTERN_GAVE_UP},
    {"(*LIMIT_MATCH=4000000000)(?:a+)+[yz]", 60, PV_PATTERN_GAVE_UP},
    {"(*LIMIT_HEAP=4000000000)^(?:a|b)+$", 65536, PV_PATTERN_GAVE_UP},
    {"^(?:[a-z]|%[0-9a-f]{2})*$", 500, PV_PATTERN_YES},
    {"^(?:[a-z]|%[0-9a-f]{2})*$", 2000, PV_PATTERN_YES},
    {"^(?:a|b)+$", 8192, PV_PATTERN_YES},
    {"^(?:a|b)+c", 2000, PV_PATTERN_NO},
};

/* That it is quick needs no clock: without the limits most of these run for
 * years. */
static void test_costs(struct pv_arena *arena)
{
	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++) {
		struct pv_pattern *pattern =
		    create(pv_str_of(costs[i].pattern));
		struct pv_str text = repeated(arena, 'a', costs[i].len);
		ok(pv_pattern_search(pattern, text) == costs[i].match,
		    "\"%s\" in %zu times a: %d", costs[i].pattern, costs[i].len,
		    costs[i].match);
		ok(pv_pattern_search(pattern, text) == costs[i].match,
		    "and the same again");
		pv_pattern_destroy(pattern);
	}
}

#ifdef __GLIBC__
static size_t allocated(void)
{
	struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

static void test_memory(struct pv_arena *arena)
{
	struct pv_pattern *pattern = create(PV_STR("^(?:a|b)*c"));
	struct pv_str text = repeated(arena, 'a', 60000);
	size_t before = allocated();
	ok(pv_pattern_search(pattern, text) == PV_PATTERN_GAVE_UP,
	    "a search may need megabytes");
	ok(allocated() < before + 65536,
	    "P5: none of them stays with the pattern");
	pv_pattern_destroy(pattern);
}
#else
static void test_memory(struct pv_arena *arena)
{
	(void)arena;
	tap_skip("P5: no memory stays with the pattern", "needs mallinfo2");
}
#endif

/* P5 */
static void test_compiled_size(void)
{
	struct pv_pattern_fault fault = {0};
	struct pv_pattern *pattern =
	    pv_pattern_create(PV_STR("(?:a?){1000}"), &fault);
	ok(pattern != NULL, "a pattern that becomes 10 KB is taken");
	pv_pattern_destroy(pattern);
	pattern = pv_pattern_create(
	    PV_STR("(?:a?){1000}(?:a?){1000}(?:a?){1000}(?:a?){1000}"
		   "(?:a?){1000}"),
	    &fault);
	ok(!pattern && strstr(fault.text, "too large"),
	    "one that becomes more than 32 KiB is not");
	pv_pattern_destroy(pattern);
}

int main(void)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	test_searching();
	test_faults();
	test_ceilings(&arena);
	test_costs(&arena);
	test_memory(&arena);
	pv_arena_finish(&arena);
	test_compiled_size();
	return tap_done();
}
