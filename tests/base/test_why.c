#include "base/why.h"

#include <stdlib.h>

#include "tap.h"

static const struct pv_place nowhere = {NULL, 0, 0};

/* Claims how the problem is written after `before`. */
static void written(const struct pv_problem *problem, const char *before,
    const char *wanted, const char *claim)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 10000);
	pv_buf_append_text(&buf, before);
	pv_problem_write(problem, &buf);
	is_text(pv_buf_str(&buf), wanted, "%s", claim);
	pv_buf_finish(&buf);
}

static const struct {
	struct pv_place place;
	const char *key;
	const char *before;
	const char *wanted;
	const char *claim;
} lines[] = {
    {{"p.yaml", 3, 7}, "rate.burst", "", "p.yaml:3:7: rate.burst: wrong",
	"all is told"},
    {{"p.yaml", 3, 0}, "rate.burst", "", "p.yaml:3: rate.burst: wrong",
	"without a column"},
    {{"p.yaml", 0, 7}, "", "", "p.yaml: wrong",
	"a column without a line is nowhere"},
    {{NULL, 0, 0}, "rate", "", "rate: wrong", "without a file"},
    {{NULL, 0, 0}, "", "", "wrong", "only what is wrong"},
    {{"p.yaml", 3, 7}, "", "pavane: ", "pavane: p.yaml:3:7: wrong",
	"after what is in the buffer"},
    {{NULL, 0, 0}, "", "pavane: ", "pavane: wrong", "after it without a place"},
};

static void test_writing(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct pv_why why;
		pv_why_init(&why);
		pv_why_add(
		    &why, lines[i].place, pv_str_of(lines[i].key), "wrong");
		written(&why.problems.kept[0], lines[i].before, lines[i].wanted,
		    lines[i].claim);
		pv_why_finish(&why);
	}
}

static void test_keeping(void)
{
	struct pv_why why;
	pv_why_init(&why);
	ok(!pv_why_has_problems(&why), "at first there is no problem");
	for (int i = 1; i <= PV_WHY_PROBLEMS_MAX; i++) {
		ok(!pv_why_is_full(&why), "there is room for problem %d", i);
		pv_why_add(&why, nowhere, PV_STR("k"), "problem %d", i);
	}
	ok(pv_why_is_full(&why), "then there is no more");
	for (int i = 0; i < 5; i++)
		pv_why_add(&why, nowhere, PV_STR("k"), "late");
	ok(why.problems.kept_count == 20 && why.problems.count == 25,
	    "20 are kept and all are counted");
	is_text(pv_str_of(why.problems.kept[19].text), "problem 20",
	    "the first are those that are kept");
	ok(why.notes.count == 0, "none of them is a note");
	pv_why_finish(&why);
	ok(!pv_why_has_problems(&why), "finished, there is none");
	pv_why_finish(&why);
}

static void test_notes(void)
{
	struct pv_why why;
	pv_why_init(&why);
	for (int i = 0; i < 25; i++)
		pv_why_note(&why, nowhere, PV_STR(""), "note %d", i);
	ok(!pv_why_has_problems(&why) && !pv_why_is_full(&why),
	    "notes are no problems");
	ok(why.notes.kept_count == 20 && why.notes.count == 25,
	    "20 of them are kept and all are counted");
	pv_why_finish(&why);
}

static void test_strangers(void)
{
	struct pv_why why;
	char file[] = "\x1b[2J.yaml";
	pv_why_init(&why);
	pv_why_add(&why, (struct pv_place){file, 1, 1},
	    PV_STR("a\nb\xe2\x80\xae"), "found \"%s\"", "\xff\t");
	file[5] = 'x';
	written(&why.problems.kept[0], "",
	    "\\x1b[2J.yaml:1:1: a\\nb\\u{202e}: found \"\\xff\\t\"",
	    "what a problem quotes is its own and safe to print");
	pv_why_finish(&why);
}

static void test_long_text(void)
{
	struct pv_why why;
	char text[6000];
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	pv_why_init(&why);
	pv_why_add(&why, nowhere, pv_str_of(text), "%s", text);
	ok(strlen(why.problems.kept[0].text) == 4096,
	    "a long sentence is cut, not lost");
	ok(strlen(why.problems.kept[0].key) == 4096, "and so is a long key");
	pv_why_finish(&why);
}

/* In the order of adding. */
static const struct {
	struct pv_place place;
	char name;
} places[] = {
    {{"b.yaml", 9, 1}, 'd'},
    {{"a.yaml", 2, 1}, 'h'},
    {{"b.yaml", 3, 8}, 'c'},
    {{NULL, 0, 0}, 'j'},
    {{"b.yaml", 3, 2}, 'a'},
    {{"a.yaml", 1, 9}, 'g'},
    {{"b.yaml", 3, 2}, 'b'},
    {{"a.yaml", 0, 0}, 'e'},
    {{NULL, 0, 0}, 'k'},
    {{"a.yaml", 0, 0}, 'f'},
    {{"a.yaml", 2, 2}, 'i'},
    {{NULL, 0, 0}, 'l'},
};

static void names_of(const struct pv_problems *problems, char *names)
{
	for (size_t i = 0; i < problems->kept_count; i++)
		names[i] = problems->kept[i].text[0];
	names[problems->kept_count] = '\0';
}

static void test_sorting(void)
{
	struct pv_why why;
	char names[PV_WHY_PROBLEMS_MAX + 1];
	pv_why_init(&why);
	pv_why_sort(&why);
	ok(why.problems.kept_count == 0, "nothing is sorted as nothing");
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		pv_why_add(
		    &why, places[i].place, PV_STR(""), "%c", places[i].name);
		pv_why_note(
		    &why, places[i].place, PV_STR(""), "%c", places[i].name);
	}
	pv_why_sort(&why);
	names_of(&why.problems, names);
	is_text(pv_str_of(names), "abcdefghijkl",
	    "files as they were first named, lines and columns within them, "
	    "and in one place as they came");
	names_of(&why.notes, names);
	is_text(pv_str_of(names), "abcdefghijkl", "notes as well");
	pv_why_add(&why, (struct pv_place){"b.yaml", 1, 1}, PV_STR(""), "0");
	pv_why_sort(&why);
	names_of(&why.problems, names);
	is_text(pv_str_of(names), "0abcdefghijkl",
	    "more can be added and sorted again");
	pv_why_finish(&why);
}

int main(void)
{
	test_writing();
	test_keeping();
	test_notes();
	test_strangers();
	test_long_text();
	test_sorting();
	return tap_done();
}
