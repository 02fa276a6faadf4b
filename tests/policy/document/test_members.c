#include "policy/document/members.h"

#include "policy/document/document.h"
#include "tap.h"

struct seen {
	unsigned count;
	bool is_right;
};

static bool count_it(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct seen *seen = ctx;
	seen->count++;
	if (seen->is_right)
		return true;
	return pv_reading_fail(reading, node, "wrong");
}

static const struct pv_member_key keys[] = {
    {"size", count_it},
    {"colour", count_it},
    {"later", NULL},
};

static const struct pv_member_table table = {
    keys, sizeof(keys) / sizeof(*keys), "a thing has size, colour and later"};

static const struct {
	const char *text;
	bool is_right; /* what the keys' own readers say */
	unsigned count;
	const char *problem; /* "" for none */
	const char *claim;
} cases[] = {
    {"{size: 1, colour: red}", true, 2, "", "each member has its reader"},
    {"{later: 1, size: 1}", true, 1, "", "or somebody else reads it"},
    {"{}", true, 0, "", "there may be none"},
    {"{colur: red, size: 1}", true, 1,
	"f:1:2: colur: unknown key: did you mean colour?",
	"one that is misspelt is guessed, and the others are read"},
    {"{quux: 1}", true, 0,
	"f:1:2: quux: unknown key: a thing has size, colour and later",
	"what resembles none is told what there is"},
    {"{size: 1, colour: red}", false, 2, "f:1:8: size: wrong",
	"after a problem the others are read as well"},
};

static void try_case(size_t i)
{
	struct pv_arena arena;
	struct pv_why why;
	struct pv_reading reading;
	struct pv_document document;
	struct pv_buf problem;
	struct seen seen = {0, cases[i].is_right};
	pv_arena_init(&arena);
	pv_why_init(&why);
	pv_buf_init(&problem, 1024);
	pv_reading_init(&reading, &arena, &why, "f", PV_LAYER_POLICY);
	pv_document_read(
	    &document, "f", pv_str_of(cases[i].text), &arena, &why);
	bool is_right = pv_members_read(&reading, document.root, &table, &seen);
	if (why.problems.count)
		pv_problem_write(&why.problems.kept[0], &problem);
	ok(is_right == !cases[i].problem[0] && seen.count == cases[i].count,
	    "%s", cases[i].claim);
	is_text(pv_buf_str(&problem), cases[i].problem, "case %zu is told", i);
	pv_reading_finish(&reading);
	pv_buf_finish(&problem);
	pv_why_finish(&why);
	pv_arena_finish(&arena);
}

static void test_find(void)
{
	struct pv_arena arena;
	struct pv_why why;
	struct pv_reading reading;
	struct pv_document document;
	struct pv_buf problem;
	pv_arena_init(&arena);
	pv_why_init(&why);
	pv_buf_init(&problem, 1024);
	pv_reading_init(&reading, &arena, &why, "f", PV_LAYER_POLICY);
	pv_document_read(
	    &document, "f", PV_STR("{size: 1, colour: red}"), &arena, &why);
	const struct pv_node *node = pv_member_find(document.root, "colour");
	ok(node && pv_str_equal(node->text, PV_STR("red")),
	    "a member is found by its name");
	ok(!pv_member_find(document.root, "col"), "and by nothing less");
	ok(!pv_member_fail(&reading, document.root, "colour", "too red"),
	    "a problem with a member is one");
	pv_problem_write(&why.problems.kept[0], &problem);
	is_text(pv_buf_str(&problem), "f:1:19: colour: too red",
	    "and is told of its value, by its key");
	ok(!reading.path.len, "the path is as it was");
	pv_reading_finish(&reading);
	pv_buf_finish(&problem);
	pv_why_finish(&why);
	pv_arena_finish(&arena);
}

static void test_names(void)
{
	static const struct {
		const char *name;
		bool is_right;
	} names[] = {
	    {"a", true},
	    {"Product-2_b", true},
	    {"a23456789-123456789-123456789-123456789-123456789-123456789-123",
		true},
	    {"a23456789-123456789-123456789-123456789-123456789-123456789-1234",
		false},
	    {"", false},
	    {"1a", false},
	    {"_a", false},
	    {"-a", false},
	    {"a b", false},
	    {"a.b", false},
	    {"a/b", false},
	    {"\xc3\xa9", false},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		ok(pv_member_name_is_right(pv_str_of(names[i].name)) ==
			names[i].is_right,
		    "\"%s\" %s a name", names[i].name,
		    names[i].is_right ? "is" : "is not");
	ok(!pv_member_name_is_right((struct pv_str){"a\0b", 3}),
	    "there is no NUL in a name");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		try_case(i);
	test_find();
	test_names();
	return tap_done();
}
