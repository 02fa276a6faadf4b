#include "base/json/json_pointer.h"

#include "base/arena.h"
#include "base/json/json.h"
#include "tap.h"

static struct pv_json_pointer *create(const char *text)
{
	struct pv_pattern_fault fault = {0};
	struct pv_json_pointer *pointer =
	    pv_json_pointer_create(pv_str_of(text), &fault);
	if (!pointer)
		ok(false, "\"%s\" is no pointer: %s", text, fault.text);
	return pointer;
}

/* The document of RFC 6901, 5, and more. */
#define RFC                                                                \
	"{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3," \
	"\"g|h\":4,\"i\\\\j\":5,\"k\\\"l\":6,\" \":7,\"m~n\":8}"
#define SHOP                                                   \
	"{\"items\":[{\"id\":1,\"p\":{\"x\":2}},{\"id\":3},5," \
	"{\"p\":{\"x\":null}}],\"0\":\"zero\",\"-\":\"dash\",\"*\":\"star\"}"

static const struct {
	const char *json;
	const char *pointer;
	const char *found; /* each behind a space */
} findings[] = {
    {RFC, "/foo", " [\"bar\",\"baz\"]"},
    {RFC, "/foo/0", " \"bar\""},
    {RFC, "/", " 0"},
    {RFC, "/a~1b", " 1"},
    {RFC, "/c%d", " 2"},
    {RFC, "/e^f", " 3"},
    {RFC, "/g|h", " 4"},
    {RFC, "/i\\j", " 5"},
    {RFC, "/k\"l", " 6"},
    {RFC, "/ ", " 7"},
    {RFC, "/m~0n", " 8"},
    {"{\"~1\":1,\"/\":2}", "/~01", " 1"},
    {"{\"a\":{\"\":{\"\":1}}}", "/a//", " 1"},
    {"[1]", "", " [1]"},
    {"7", "", " 7"},
    {"7", "/0", ""},
    {"\"abc\"", "/0", ""},
    {"[1,2]", "/1", " 2"},
    {"[1,2]", "/2", ""},
    {"[1,2]", "/01", ""},
    {"[1,2]", "/-1", ""},
    {"[1,2]", "/-", ""},
    {"[1,2]", "/4294967296", ""},
    {"[1,2]", "/18446744073709551616", ""},
    {SHOP, "/0", " \"zero\""},
    {SHOP, "/-", " \"dash\""},
    {SHOP, "/items/*/id", " 1 3"},
    {SHOP, "/items/*/p/x", " 2 null"},
    {SHOP, "/items/*/p/*", " 2 null"},
    {SHOP, "/items/0/*", " 1 {\"x\":2}"},
    {SHOP, "/items/*/*/x", " 2 null"},
    {SHOP, "/items/2/*", ""},
    {SHOP, "/items/**", ""},
    {"[]", "/*", ""},
    {"[[1,2],[],[3]]", "/*/*", " 1 2 3"},
    {"[12345678901234567890]", "/0", " 12345678901234567890"},
};

static void test_finding(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	for (size_t i = 0; i < sizeof(findings) / sizeof(*findings); i++) {
		struct pv_json *value =
		    pv_json_read_page(pv_str_of(findings[i].json));
		struct pv_json_pointer *pointer = create(findings[i].pointer);
		struct pv_json_list list;
		pv_json_list_init(&list);
		pv_json_pointer_find(pointer, value, &list);
		pv_buf_clear(&buf);
		for (size_t k = 0; k < list.count; k++) {
			pv_buf_append_char(&buf, ' ');
			pv_json_page_write(list.items[k], &buf);
		}
		ok(strcmp(pv_buf_text(&buf), findings[i].found) == 0,
		    "\"%s\":%s, found%s", findings[i].pointer,
		    findings[i].found, pv_buf_text(&buf));
		pv_json_list_finish(&list);
		pv_json_pointer_destroy(pointer);
		pv_json_destroy(value);
	}
	pv_buf_finish(&buf);
	pv_json_pointer_destroy(NULL);
}

static const struct {
	const char *pointer;
	size_t offset;
	const char *text;
} faulty[] = {
    {"sku", 0, "a JSON Pointer begins with \"/\"; write \"/sku\""},
    {"item.price", 0,
	"a JSON Pointer begins with \"/\"; write \"/item/price\""},
    {"$.items[0].price", 0,
	"a JSON Pointer begins with \"/\"; write \"/items/0/price\""},
    {"$['a']", 0, "a JSON Pointer begins with \"/\"; write \"/a\""},
    {"a\x1b[2J", 0,
	"a JSON Pointer begins with \"/\"; write "
	"\"/a\\x1b/2J\""},
    {"/a~b", 2, "\"~\" is written \"~0\", and a \"/\" within a name \"~1\""},
    {"/a~", 2, "\"~\" is written \"~0\", and a \"/\" within a name \"~1\""},
};

static void test_faults(void)
{
	for (size_t i = 0; i < sizeof(faulty) / sizeof(*faulty); i++) {
		struct pv_pattern_fault fault = {0};
		ok(!pv_json_pointer_create(
		       pv_str_of(faulty[i].pointer), &fault),
		    "\"%s\" is no pointer", faulty[i].pointer);
		ok(strcmp(fault.text, faulty[i].text) == 0 &&
			fault.offset == faulty[i].offset,
		    "%zu: %s, found %zu: %s", faulty[i].offset, faulty[i].text,
		    fault.offset, fault.text);
	}
}

static const struct {
	const char *json;
	const char *pointer;
	const char *text;
} nearest[] = {
    {"{\"item\":{\"stock\":1,\"sku\":2}}", "/item/stok",
	"\"/item\" has no \"stok\"; is it \"stock\"?"},
    {"{\"item\":{\"stock\":1,\"sku\":2}}", "/items/stock",
	"the JSON has no \"items\"; is it \"item\"?"},
    {"{\"a\":1,\"b\":2}", "/price",
	"the JSON has no \"price\"; it has \"a\", \"b\""},
    {"{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7}", "/price",
	"the JSON has no \"price\"; it has \"a\", \"b\", \"c\", \"d\", \"e\" "
	"and 2 more"},
    {"{\"items\":[1,2,3]}", "/items/id",
	"\"/items\" is a list of 3: write a number from 0 to 2, or * for "
	"each"},
    {"{\"items\":[1,2,3]}", "/items/3/id",
	"\"/items\" is a list of 3: write a number from 0 to 2, or * for "
	"each"},
    {"{\"items\":[]}", "/items/*/id",
	"\"/items\" is a list of 0 without anything in it"},
    {"{\"items\":{}}", "/items/a",
	"\"/items\" is an object without anything in it"},
    {"{\"items\":[{},{\"idd\":1}]}", "/items/*/idx",
	"\"/items/*\" is an object without anything in it"},
    {"{\"items\":[{},{\"idd\":{\"x\":1}}]}", "/items/*/idd/y",
	"\"/items/*/idd\" has no \"y\"; it has \"x\""},
    {"{\"title\":\"abc\"}", "/title/0",
	"\"/title\" is a text, and there is nothing in it"},
    {"{\"n\":1.5}", "/n/a", "\"/n\" is a number, and there is nothing in it"},
    {"{\"n\":null}", "/n/a", "\"/n\" is null, and there is nothing in it"},
    {"{\"n\":true}", "/n/a",
	"\"/n\" is true or false, and there is nothing in it"},
    {"{\"n\":true}", "/n", "\"/n\" is true or false"},
    {"{\"\\u001b[2J\":1}", "/n", "the JSON has no \"n\"; it has \"\\x1b[2J\""},
    {"3", "", "the JSON is a number"},
};

static void test_nearest(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	for (size_t i = 0; i < sizeof(nearest) / sizeof(*nearest); i++) {
		struct pv_json *value =
		    pv_json_read_page(pv_str_of(nearest[i].json));
		struct pv_json_pointer *pointer = create(nearest[i].pointer);
		pv_buf_clear(&buf);
		pv_json_pointer_nearest(pointer, value, &buf);
		ok(strcmp(pv_buf_text(&buf), nearest[i].text) == 0,
		    "\"%s\": %s, found %s", nearest[i].pointer, nearest[i].text,
		    pv_buf_text(&buf));
		pv_json_pointer_destroy(pointer);
		pv_json_destroy(value);
	}
	pv_buf_finish(&buf);
}

/* P5 */
static void test_bounds(struct pv_arena *arena)
{
	struct pv_pattern_fault fault = {0};
	char *text = pv_arena_give(arena, 5000);
	memset(text, '/', 4097);
	ok(!pv_json_pointer_create((struct pv_str){text, 4097}, &fault),
	    "more than 4096 bytes are no pointer");
	struct pv_json_pointer *pointer =
	    pv_json_pointer_create((struct pv_str){text, 4096}, &fault);
	ok(pointer != NULL, "4096 are");
	struct pv_json *list = pv_json_array();
	for (size_t i = 0; i < PV_JSON_LIST_MAX + 1; i++)
		pv_json_add(list, pv_json_bool(true));
	struct pv_json_pointer *each = create("/*");
	struct pv_json_list found;
	pv_json_list_init(&found);
	pv_json_pointer_find(pointer, list, &found);
	ok(found.count == 0, "it leads nowhere in a list");
	pv_json_pointer_find(each, list, &found);
	ok(found.count == PV_JSON_LIST_MAX && found.is_full,
	    "of 10,001 values 10,000 are found");
	pv_json_list_finish(&found);
	pv_json_pointer_destroy(each);
	pv_json_pointer_destroy(pointer);
	pv_json_destroy(list);
}

int main(void)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	test_finding();
	test_faults();
	test_nearest();
	test_bounds(&arena);
	pv_arena_finish(&arena);
	return tap_done();
}
