#include "base/json/json_page.h"

#include "base/arena.h"
#include "base/json/json.h"
#include "tap.h"

static const struct {
	struct pv_str text;
	const char *written; /* NULL: refused */
} pages[] = {
    {PV_STR("{\"a\": [1, 2.50, \"x\", true, false, null, {}, []]}"),
	"{\"a\":[1,2.50,\"x\",true,false,null,{},[]]}"},
    {PV_STR("12345678901234567890"), "12345678901234567890"},
    {PV_STR("-98765432109876543210987654321098765432109876543210"),
	"-98765432109876543210987654321098765432109876543210"},
    {PV_STR("1.50"), "1.50"},
    {PV_STR("1e400"), "1e400"},
    {PV_STR("1E+2"), "1E+2"},
    {PV_STR("-0"), "-0"},
    {PV_STR("0.1000000000000000055511151231257827"),
	"0.1000000000000000055511151231257827"},
    {PV_STR("\"text\""), "\"text\""},
    {PV_STR("\xef\xbb\xbf {} "), "{}"},
    {PV_STR("{\"b\":1,\"a\":2,\"b\":3}"), "{\"b\":3,\"a\":2}"},
    {PV_STR("\"a\\u0000b\""), "\"a\\u0000b\""},
    {PV_STR("\"line\nbreak\""), "\"line\\nbreak\""},
    {PV_STR("\"\xff\""), "\"\xef\xbf\xbd\""},
    {PV_STR("\"\\ud83d\""), "\"\xef\xbf\xbd\""},
    {PV_STR("\"\\ud83d\\ude00\""), "\"\xf0\x9f\x98\x80\""},
    /* what looks like a mark */
    {PV_STR("\"\x7f"
	    "1\""),
	"\"\\u007F1\""},
    {PV_STR("[\"\\u007f]}\", \"\x7f\", \"\x7f\x7f"
	    "5\"]"),
	"[\"\\u007F]}\",\"\\u007F\",\"\\u007F\\u007F5\"]"},
    {PV_STR("{\"\x7f"
	    "1\":1}"),
	"{\"\\u007F1\":1}"},
    /* what is no JSON */
    {PV_STR(""), NULL},
    {PV_STR(" "), NULL},
    {PV_STR("{"), NULL},
    {PV_STR("[1,]"), NULL},
    {PV_STR("{} {}"), NULL},
    {PV_STR("01"), NULL},
    {PV_STR(".5"), NULL},
    {PV_STR("NaN"), NULL},
    {PV_STR("'a'"), NULL},
    {PV_STR("{a:1}"), NULL},
    {PV_STR("{1 :1}"), NULL},
    {PV_STR("\"\\x\""), NULL},
    {PV_STR("{\"a\\u0000\":1}"), NULL},
    {PV_STR("[1]\0"), NULL},
};

static void test_reading(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		struct pv_json *value = pv_json_read_page(pages[i].text);
		pv_buf_clear(&buf);
		if (!pages[i].written) {
			ok(!value, "\"%.*s\" is no JSON",
			    PV_STR_ARG(pages[i].text));
		} else {
			ok(value && pv_json_page_write(value, &buf) &&
				strcmp(pv_buf_text(&buf), pages[i].written) ==
				    0,
			    "\"%s\", found \"%s\"", pages[i].written,
			    pv_buf_text(&buf));
		}
		pv_json_destroy(value);
	}
	pv_buf_finish(&buf);
}

static const struct {
	struct pv_str text;
	enum pv_json_kind kind;
	struct pv_str value;
	size_t count;
} kinds[] = {
    {PV_STR("null"), PV_JSON_NULL, PV_STR(""), 0},
    {PV_STR("true"), PV_JSON_BOOL, PV_STR("true"), 0},
    {PV_STR("false"), PV_JSON_BOOL, PV_STR("false"), 0},
    {PV_STR("1.0"), PV_JSON_NUMBER, PV_STR("1.0"), 0},
    {PV_STR("\"1.0\""), PV_JSON_TEXT, PV_STR("1.0"), 0},
    {PV_STR("\"\\u007f1\""), PV_JSON_TEXT,
	PV_STR("\x7f"
	       "1"),
	0},
    {PV_STR("\"a\\u0000b\""), PV_JSON_TEXT, PV_STR("a\0b"), 0},
    {PV_STR("\"\""), PV_JSON_TEXT, PV_STR(""), 0},
    {PV_STR("[1,2]"), PV_JSON_ARRAY, PV_STR(""), 2},
    {PV_STR("{\"a\":1}"), PV_JSON_OBJECT, PV_STR(""), 1},
};

static void test_kinds(void)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct pv_json *value = pv_json_read_page(kinds[i].text);
		ok(value && pv_json_page_kind(value) == kinds[i].kind &&
			pv_str_equal(
			    pv_json_page_text(value), kinds[i].value) &&
			pv_json_page_count(value) == kinds[i].count,
		    "%.*s is of kind %d", PV_STR_ARG(kinds[i].text),
		    kinds[i].kind);
		pv_json_destroy(value);
	}
}

static void test_members(void)
{
	struct pv_json *value =
	    pv_json_read_page(PV_STR("{\"b\":1,\"\x7fz\":2,\"a\":3,\"\":4}"));
	struct pv_json_walk walk = pv_json_walk_of(value);
	const struct pv_json *child;
	const char *name;
	char names[16] = "";
	while ((child = pv_json_walk_next(&walk, &name)))
		snprintf(names + strlen(names), sizeof(names) - strlen(names),
		    "%s%.*s ", name, PV_STR_ARG(pv_json_page_text(child)));
	ok(strcmp(names, "b1 \x7fz2 a3 4 ") == 0,
	    "members come in their order: \"%s\"", names);
	child = pv_json_page_member(value, PV_STR("a"));
	ok(child && pv_str_equal(pv_json_page_text(child), PV_STR("3")),
	    "a member is found");
	child = pv_json_page_member(value, PV_STR("\x7fz"));
	ok(child && pv_str_equal(pv_json_page_text(child), PV_STR("2")),
	    "also one whose name begins with the mark");
	child = pv_json_page_member(value, PV_STR(""));
	ok(child && pv_str_equal(pv_json_page_text(child), PV_STR("4")),
	    "or is empty");
	ok(!pv_json_page_member(value, PV_STR("a\0")) &&
		!pv_json_page_member(value, PV_STR("\x7f")) &&
		!pv_json_page_member(value, PV_STR("c")),
	    "others are not");
	ok(!pv_json_page_member(child, PV_STR("a")), "a number has no members");
	pv_json_destroy(value);
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

static struct pv_str nested(struct pv_arena *arena, size_t depth)
{
	char *bytes = pv_arena_give(arena, 2 * depth + 1);
	memset(bytes, '[', depth);
	memset(bytes + depth, ']', depth);
	return (struct pv_str){bytes, 2 * depth};
}

static bool is_read(struct pv_str text)
{
	struct pv_json *value = pv_json_read_page(text);
	bool is_value = value != NULL;
	pv_json_destroy(value);
	return is_value;
}

/* P5 */
static void test_bounds(struct pv_arena *arena)
{
	ok(is_read(nested(arena, 512)), "512 levels are read");
	ok(!is_read(nested(arena, 513)), "one more is not");
	ok(!is_read(nested(arena, 100000)), "100,000 are not");
	ok(!is_read(repeated(arena, "[", 4 << 20)), "4 MiB of brackets");
	char *digits = pv_arena_give(arena, PV_JSON_PAGE_MAX + 1);
	memset(digits, '1', PV_JSON_PAGE_MAX + 1);
	ok(is_read((struct pv_str){digits, PV_JSON_PAGE_MAX}),
	    "a number of 4 MiB is read");
	ok(!is_read((struct pv_str){digits, PV_JSON_PAGE_MAX + 1}),
	    "one byte more is not");
	memset(digits + 1, '\xff', PV_JSON_PAGE_MAX - 2);
	digits[0] = digits[PV_JSON_PAGE_MAX - 1] = '"';
	ok(is_read((struct pv_str){digits, PV_JSON_PAGE_MAX}),
	    "a text of 4 MiB that is no UTF-8 is read");
	memset(digits + 1, '\1', PV_JSON_PAGE_MAX - 2);
	ok(!is_read((struct pv_str){digits, PV_JSON_PAGE_MAX}),
	    "one of control characters becomes too long");
}

static void test_list(void)
{
	struct pv_json *value = pv_json_read_page(PV_STR("1"));
	struct pv_json_list list;
	pv_json_list_init(&list);
	while (pv_json_list_add(&list, value))
		;
	ok(list.count == PV_JSON_LIST_MAX && list.is_full,
	    "P5: a list is full at some time");
	pv_json_list_finish(&list);
	pv_json_destroy(value);
}

int main(void)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	test_reading();
	test_kinds();
	test_members();
	test_bounds(&arena);
	test_list();
	pv_arena_finish(&arena);
	return tap_done();
}
