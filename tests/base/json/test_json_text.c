#include "base/json/json_text.h"

#include "base/arena.h"
#include "tap.h"

static const struct {
	struct pv_str text;
	struct pv_str marked; /* NULL: refused */
} marks[] = {
    {PV_STR(""), PV_STR("")},
    {PV_STR("null"), PV_STR("null")},
    {PV_STR("12345678901234567890"), PV_STR("\"\x7f"
					    "12345678901234567890\"")},
    {PV_STR("[1.50, -0 ]"), PV_STR("[\"\x7f"
				   "1.50\", \"\x7f-0\" ]")},
    {PV_STR("1e5"), PV_STR("\"\x7f"
			   "1e5\"")},
    {PV_STR("01"), {NULL, 0}},
    {PV_STR("1."), {NULL, 0}},
    {PV_STR("-"), {NULL, 0}},
    {PV_STR("1e"), {NULL, 0}},
    {PV_STR("1-2"), {NULL, 0}},
    {PV_STR("\"1\""), PV_STR("\"1\"")},
    {PV_STR("\"a\\\"1\""), PV_STR("\"a\\\"1\"")},
    {PV_STR("\"\\\\\",1"), PV_STR("\"\\\\\",\"\x7f"
				  "1\"")},
    {PV_STR("\"\x7f"
	    "1\""),
	PV_STR("\"\x7f\x7f"
	       "1\"")},
    {PV_STR("\"\\u007f1\""), PV_STR("\"\x7f\\u007f1\"")},
    {PV_STR("\"\\u007F1\""), PV_STR("\"\x7f\\u007F1\"")},
    {PV_STR("\"a\x7f\""), PV_STR("\"a\x7f\"")},
    {PV_STR("\"a\nb\tc\""), PV_STR("\"a\\u000Ab\\u0009c\"")},
    {PV_STR("\"a\0\""), PV_STR("\"a\\u0000\"")},
    {PV_STR("\"\\ud83d\\ude00\""), PV_STR("\"\\ud83d\\ude00\"")},
    {PV_STR("\"\\ud83d\""), PV_STR("\"\\uFFFD\"")},
    {PV_STR("\"\\ud83d\\u0041\""), PV_STR("\"\\uFFFD\\u0041\"")},
    {PV_STR("\"\\ud83d\\ud83d\\ude00\""), PV_STR("\"\\uFFFD\\ud83d\\ude00\"")},
    {PV_STR("\"\\ude00\""), PV_STR("\"\\uFFFD\"")},
    {PV_STR("\"\\u12\""), PV_STR("\"\\u12\"")},
    {PV_STR("\"\\"), {NULL, 0}},
    {PV_STR("\"a"), {NULL, 0}},
    {PV_STR("]"), {NULL, 0}},
    {PV_STR("[}"), PV_STR("[}")},
};

static void test_marking(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		pv_buf_clear(&buf);
		bool is_marked = pv_json_text_mark(marks[i].text, &buf);
		ok(is_marked == (marks[i].marked.ptr != NULL) &&
			(!is_marked ||
			    pv_str_equal(pv_buf_str(&buf), marks[i].marked)),
		    "mark %zu: \"%s\", found \"%s\"", i,
		    pv_str_bytes(marks[i].marked), pv_buf_text(&buf));
	}
	pv_buf_finish(&buf);
}

static struct pv_str repeated(
    struct pv_arena *arena, const char *piece, size_t count)
{
	size_t len = strlen(piece);
	char *bytes = pv_arena_give(arena, len * count + 1);
	for (size_t i = 0; i < count; i++)
		memcpy(bytes + i * len, piece, len);
	return (struct pv_str){bytes, len * count};
}

static bool is_refused(struct pv_str text, size_t ceiling)
{
	struct pv_buf buf;
	pv_buf_init(&buf, ceiling);
	bool is_marked = pv_json_text_mark(text, &buf);
	pv_buf_finish(&buf);
	return !is_marked;
}

/* P5 */
static void test_bounds(struct pv_arena *arena)
{
	size_t large = (size_t)64 << 20;
	ok(!is_refused(repeated(arena, "[", 512), large),
	    "512 levels are taken");
	ok(is_refused(repeated(arena, "[", 513), large),
	    "one more is too deep");
	ok(is_refused(repeated(arena, "{\"a\":", 100000), large),
	    "and so are 100,000");
	ok(!is_refused(repeated(arena, "[],", 100000), large),
	    "100,000 lists are taken");
	ok(is_refused(repeated(arena, "[],", 1000000), large),
	    "a million would cost too much");
	ok(is_refused(repeated(arena, "1,", 1000000), large),
	    "and so would a million numbers");
	ok(is_refused(PV_STR("[1,2,3]"), 10), "a ceiling is kept");
}

static const struct {
	const char *script;
	const char *after;
	const char *value;
} values[] = {
    {"window.state = {\"a\": 1};", "window.state =", "{\"a\": 1}"},
    {"window.state={\"a\":1}", "window.state=", "{\"a\":1}"},
    {"a=\n\t [1,[2],{}] ; b=[3]", "a=", "[1,[2],{}]"},
    {"a={\"}\":\"\\\"}\"}}", "a=", "{\"}\":\"\\\"}\"}"},
    {"a=\"x\\\\\" + 1", "a=", "\"x\\\\\""},
    {"a=12.5;", "a=", "12.5"},
    {"a=-1", "a=", "-1"},
    {"a=true}", "a=", "true"},
    {"a=null", "a=", "null"},
    {"a=trueish", "a=", ""},
    {"a=new Map()", "a=", ""},
    {"a=5-3", "a=", ""},
    {"a=", "a=", ""},
    {"b={}", "a=", ""},
    {"", "a=", ""},
    {"a={\"x\":1", "a=", ""},
    {"a=\"x", "a=", ""},
    {"a=\"x\\", "a=", ""},
    {"a=}", "a=", ""},
    {"a = a || {}; a = {\"x\":1}", "a =", "{\"x\":1}"},
    {"a=[1;a={}", "a=", ""},
    {"{\"a\":1}", "", "{\"a\":1}"},
    {"var x", "", ""},
    {"aaab{}", "aab", "{}"},
};

static void test_finding(void)
{
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct pv_str script = pv_str_of(values[i].script);
		struct pv_str value =
		    pv_json_find_value(script, pv_str_of(values[i].after));
		ok(pv_str_equal(value, pv_str_of(values[i].value)),
		    "\"%s\" in \"%s\": \"%s\", found \"%.*s\"", values[i].after,
		    values[i].script, values[i].value, PV_STR_ARG(value));
	}
}

/* That these are linear needs no clock: they would take hours. */
static void test_long_scripts(struct pv_arena *arena)
{
	size_t million = 1000000;
	struct pv_str value =
	    pv_json_find_value(repeated(arena, "a=[", million), PV_STR("a="));
	ok(!value.len, "a million values without an end are none");
	value =
	    pv_json_find_value(repeated(arena, "a=b", million), PV_STR("a="));
	ok(!value.len, "a million times something else is none");
	value =
	    pv_json_find_value(repeated(arena, "a= ", million), PV_STR("a="));
	ok(!value.len, "nor a million times nothing");
	struct pv_str spaces = repeated(arena, " ", million);
	ok(!pv_json_find_value(spaces, PV_STR(" ")).len,
	    "white space behind each white space is passed over once");
	struct pv_str letters = repeated(arena, "a", million);
	ok(!pv_json_find_value(letters, PV_STR("a")).len,
	    "and so are letters behind each letter");
}

int main(void)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	test_marking();
	test_bounds(&arena);
	test_finding();
	test_long_scripts(&arena);
	pv_arena_finish(&arena);
	return tap_done();
}
