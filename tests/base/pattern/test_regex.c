#include "base/pattern/regex.h"

#include "base/arena.h"
#include "base/buf.h"
#include "tap.h"

#define MEBIBYTE ((size_t)1 << 20)

static struct pv_regex *create(const char *text)
{
	struct pv_pattern_fault fault = {0};
	struct pv_regex *regex = pv_regex_create(pv_str_of(text), &fault);
	if (!regex)
		ok(false, "does not compile: %s", fault.text);
	return regex;
}

/* All values, each behind a bar, and a star where the search gave up. */
static void search(const char *pattern, struct pv_str text, struct pv_buf *buf)
{
	int64_t budget = PV_REGEX_PAGE_STEPS;
	struct pv_regex *regex = create(pattern);
	struct pv_regex_search *search =
	    pv_regex_search_create(regex, text, &budget);
	struct pv_str value;
	pv_buf_clear(buf);
	enum pv_pattern_match match;
	while (
	    (match = pv_regex_search_next(search, &value)) == PV_PATTERN_YES) {
		pv_buf_append_char(buf, '|');
		pv_buf_append(buf, value);
	}
	if (match == PV_PATTERN_GAVE_UP)
		pv_buf_append_char(buf, '*');
	if (pv_regex_search_next(search, &value) != match)
		pv_buf_append_text(buf, " and not the same again");
	pv_regex_search_destroy(search);
	pv_regex_destroy(regex);
}

static const struct {
	const char *pattern;
	struct pv_str text;
	struct pv_str values;
} searches[] = {
    /* which group */
    {"[0-9]+", PV_STR("a1b22c"), PV_STR("|1|22")},
    {"([a-z])([0-9]+)", PV_STR("a1b22c"), PV_STR("|a|b")},
    {"([a-z])(?<value>[0-9]+)", PV_STR("a1b22c"), PV_STR("|1|22")},
    {"(?<name>[a-z])[0-9]+", PV_STR("a1b22c"), PV_STR("|a|b")},
    {"(?:[a-z])[0-9]+", PV_STR("a1b22c"), PV_STR("|a1|b22")},
    {"(?J)(?<value>a)|(?<value>b)", PV_STR("ba"), PV_STR("|a")},
    {"a|(b)", PV_STR("aba"), PV_STR("|b")},
    {"a(b?)", PV_STR("aba"), PV_STR("|b|")},
    /* one after another */
    {"aa", PV_STR("aaaaa"), PV_STR("|aa|aa")},
    {"", PV_STR("ab"), PV_STR("|||")},
    {"", PV_STR(""), PV_STR("|")},
    {"", {NULL, 0}, PV_STR("|")},
    {"x*", PV_STR("axxb"), PV_STR("||xx||")},
    {"a?", PV_STR("ab"), PV_STR("|a||")},
    {"(?=(a+))", PV_STR("aab"), PV_STR("|aa|a")},
    {"(?<=a)b", PV_STR("abab"), PV_STR("|b|b")},
    {"a\\Kb", PV_STR("abab"), PV_STR("|b|b")},
    {"^.", PV_STR("ab\ncd"), PV_STR("|a")},
    {"(?m)^.", PV_STR("ab\ncd"), PV_STR("|a|c")},
    {"x", PV_STR("ab"), PV_STR("")},
    {"a\\z", PV_STR("aa"), PV_STR("|a")},
    {"\\Ga", PV_STR("aaba"), PV_STR("|a|a")},
    /* UTF-8 */
    {".",
	PV_STR("a\xc3\xa9"
	       "b"),
	PV_STR("|a|\xc3\xa9|b")},
    {"", PV_STR("\xe2\x82\xac"), PV_STR("||")},
    {"(?i)\xc3\x89", PV_STR("\xc3\xa9"), PV_STR("|\xc3\xa9")},
    {"\\p{Sc}", PV_STR("5 \xe2\x82\xac"), PV_STR("|\xe2\x82\xac")},
    {"a", PV_STR("a\xff"), PV_STR("*")},
    {"a", PV_STR("a\xed\xa0\x80"), PV_STR("*")},
    /* NULs are bytes like others */
    {"a.b", PV_STR("a\0b"), PV_STR("|a\0b")},
    {"b$", PV_STR("a\0b"), PV_STR("|b")},
    /* what people write */
    {"\"price\":\\s*\"?(?<value>[0-9.]+)",
	PV_STR("{\"price\": \"12.50\", \"price\":3}"), PV_STR("|12.50|3")},
    {"([\"'])(?<value>.*?)\\1", PV_STR("a='b' c=\"d'e\""), PV_STR("|b|d'e")},
};

static void test_searching(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	for (size_t i = 0; i < sizeof(searches) / sizeof(*searches); i++) {
		search(searches[i].pattern, searches[i].text, &buf);
		ok(pv_str_equal(pv_buf_str(&buf), searches[i].values),
		    "\"%s\" in \"%.*s\": \"%.*s\", found \"%s\"",
		    searches[i].pattern, PV_STR_ARG(searches[i].text),
		    PV_STR_ARG(searches[i].values), pv_buf_text(&buf));
	}
	pv_buf_finish(&buf);
	pv_regex_destroy(NULL);
	pv_regex_search_destroy(NULL);
}

static const struct {
	const char *pattern;
	size_t offset;
} faulty[] = {
    {"a(b", 3},
    {"*", 0},
    {"a\\C", 3},
    {"(?<value>a)(?<value>b)", 20},
    {"a\xff", 1},
    {"(?:(?:a{1000}){1000}){1000}", 27},
};

static void test_faults(void)
{
	for (size_t i = 0; i < sizeof(faulty) / sizeof(*faulty); i++) {
		struct pv_pattern_fault fault = {0};
		struct pv_regex *regex =
		    pv_regex_create(pv_str_of(faulty[i].pattern), &fault);
		ok(!regex && fault.text[0],
		    "\"%s\" is refused, with a sentence", faulty[i].pattern);
		ok(fault.offset == faulty[i].offset,
		    "and the place is told: %zu, found %zu", faulty[i].offset,
		    fault.offset);
		pv_regex_destroy(regex);
	}
}

/* A text of one piece again and again, and an end. */
static struct pv_str repeated(
    struct pv_arena *arena, const char *piece, size_t len, const char *end)
{
	size_t piece_len = strlen(piece);
	size_t end_len = strlen(end);
	char *bytes = pv_arena_give(arena, len + end_len + 1);
	for (size_t i = 0; i < len; i++)
		bytes[i] = piece[i % piece_len];
	memcpy(bytes + len, end, end_len);
	return (struct pv_str){bytes, len + end_len};
}

static const struct {
	const char *pattern;
	const char *piece;
	size_t len;
	const char *end;
	bool is_given_up;
	size_t matches;
} costs[] = {
    /* exponential */
    {"(a+)+$", "a", 65536, "!", true, 0},
    {"(a+)+$", "a", 40, "!", true, 0},
    {"(?:a|a)*[yz]", "a", 60, "", true, 0},
    {"(?:a*a*)*[yz]", "a", 4 * MEBIBYTE, "", true, 0},
    {"^(?:a|(?R))*[yz]", "a", MEBIBYTE, "", true, 0},
    {"(*LIMIT_MATCH=4000000000)(?:a+)+[yz]", "a", 60, "", true, 0},
    /* quadratic: each byte begins what reads the page to its end */
    {"<[^>]*(?:>|;)", "<", 4 * MEBIBYTE, "", true, 0},
    {"(?>a+)[yz]", "a", 4 * MEBIBYTE, "", true, 0},
    {"[^;]*[^;]*(?:;|,)", "a", 4 * MEBIBYTE, "", true, 0},
    {"(?=.*[xy])a", "a", 4 * MEBIBYTE, "", true, 0},
    {"(a*)(?:\\1b|\\1c)", "a", 4 * MEBIBYTE, "", true, 0},
    {"(?=(a*))\\1[bc]", "a", 4 * MEBIBYTE, "d", true, 0},
    {"(a+)b\\1c", "aaaaaaaaaaaaaaab", 4 * MEBIBYTE - 1, "c", true, 0},
    /* linear */
    {"<[^>]*>", "<br>", 4 * MEBIBYTE, "", false, MEBIBYTE},
    {"\"n\":(\\d+)", "{\"n\":12}", 4 * MEBIBYTE, "", false, MEBIBYTE / 2},
    {"(?s).*", "a", 4 * MEBIBYTE, "", false, 2},
    {"^(?:[a-z]|%[0-9a-f]{2})*$", "a", 20000, "", false, 1},
};

static size_t count(
    const char *pattern, struct pv_str text, enum pv_pattern_match *match)
{
	int64_t budget = PV_REGEX_PAGE_STEPS;
	size_t matches = 0;
	struct pv_str value;
	struct pv_regex *regex = create(pattern);
	struct pv_regex_search *search =
	    pv_regex_search_create(regex, text, &budget);
	while (
	    (*match = pv_regex_search_next(search, &value)) == PV_PATTERN_YES)
		matches++;
	pv_regex_search_destroy(search);
	pv_regex_destroy(regex);
	return matches;
}

/* That it is quick needs no clock: without the limits most of these run for
 * hours or years. */
static void test_costs(struct pv_arena *arena)
{
	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++) {
		struct pv_str text =
		    repeated(arena, costs[i].piece, costs[i].len, costs[i].end);
		enum pv_pattern_match match;
		text = pv_str_head(text, text.len < PV_REGEX_TEXT_MAX
					     ? text.len
					     : PV_REGEX_TEXT_MAX);
		size_t matches = count(costs[i].pattern, text, &match);
		ok((match == PV_PATTERN_GAVE_UP) == costs[i].is_given_up &&
			matches == costs[i].matches,
		    "P5: \"%s\" in %zu times \"%s\": %zu, found %zu, %d",
		    costs[i].pattern, costs[i].len, costs[i].piece,
		    costs[i].matches, matches, match);
	}
}

static void test_ceilings(struct pv_arena *arena)
{
	enum pv_pattern_match match;
	struct pv_str text = repeated(arena, "a", PV_REGEX_TEXT_MAX, "!");
	count("!", text, &match);
	ok(match == PV_PATTERN_GAVE_UP, "P5: more than 4 MiB are given up");
	ok(count("!", pv_str_from(text, 1), &match) == 1, "4 MiB are searched");
	struct pv_pattern_fault fault = {0};
	ok(!pv_regex_create(repeated(arena, "a", 4097, ""), &fault),
	    "an expression of more than 4096 bytes is too long");
}

/* Many small searches add up. */
static void test_budget(void)
{
	int64_t budget = 1000;
	int searches_done = 0;
	struct pv_str value;
	struct pv_regex *regex = create("a*[bc]");
	enum pv_pattern_match match = PV_PATTERN_NO;
	while (match == PV_PATTERN_NO && searches_done < 1000) {
		struct pv_regex_search *search = pv_regex_search_create(
		    regex, PV_STR("aaaaaaaaaa"), &budget);
		match = pv_regex_search_next(search, &value);
		pv_regex_search_destroy(search);
		searches_done++;
	}
	ok(match == PV_PATTERN_GAVE_UP && searches_done > 5,
	    "P5: a page has one budget for all searches: %d", searches_done);
	ok(budget < 0, "nothing of it is left");
	pv_regex_destroy(regex);
}

int main(void)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	test_searching();
	test_faults();
	test_costs(&arena);
	test_ceilings(&arena);
	test_budget();
	pv_arena_finish(&arena);
	return tap_done();
}
