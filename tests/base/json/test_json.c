#include "base/json/json.h"

#include <math.h>
#include <stdlib.h>

#include "tap.h"

/* Takes the value and claims what is written of it. */
static void writes(struct pv_json *value, bool is_indented, const char *wanted,
    const char *claim)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 10000);
	pv_json_write(value, is_indented, &buf);
	is_text(pv_buf_str(&buf), wanted, "%s", claim);
	pv_buf_finish(&buf);
	pv_json_destroy(value);
}

static void test_scalars(void)
{
	writes(pv_json_bool(true), false, "true", "true");
	writes(pv_json_bool(false), false, "false", "false");
	writes(pv_json_integer(0), false, "0", "zero");
	writes(pv_json_integer(INT64_MAX), false, "9223372036854775807",
	    "the largest integer");
	writes(pv_json_integer(INT64_MIN), false, "-9223372036854775808",
	    "the smallest integer");
	writes(
	    pv_json_number(0.1), false, "0.1", "a number as people write it");
	writes(pv_json_number(2), false, "2.0", "a whole number is a number");
	writes(
	    pv_json_number(NAN), false, "null", "what is not a number is null");
	writes(pv_json_number(INFINITY), false, "null", "so is the infinite");
}

static const struct {
	struct pv_str text;
	const char *written;
} texts[] = {
    {PV_STR(""), "\"\""},
    {{NULL, 0}, "\"\""},
    {PV_STR("caf\xc3\xa9 \xf0\x9f\x98\x80"),
	"\"caf\xc3\xa9 \xf0\x9f\x98\x80\""},
    {PV_STR("\"\\/"), "\"\\\"\\\\/\""},
    {PV_STR("a\nb\t\x1b"), "\"a\\nb\\t\\u001B\""},
    {PV_STR("a\0b"), "\"a\\u0000b\""},
    {PV_STR("a\xff"), "\"a\\\\xff\""},
    {PV_STR("\xed\xa0\x80"), "\"\\\\xed\\\\xa0\\\\x80\""},
};

static void test_texts(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		writes(pv_json_text(texts[i].text), false, texts[i].written,
		    "any bytes can be a text");
}

static void test_written_texts(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 100);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		pv_buf_clear(&buf);
		pv_json_write_text(texts[i].text, &buf);
		is_text(pv_buf_str(&buf), texts[i].written,
		    "a text that is written at once is the same");
	}
	pv_buf_clear(&buf);
	pv_json_write_text(PV_STR("\x01\b\f\r\x1f\x7f"), &buf);
	is_text(pv_buf_str(&buf), "\"\\u0001\\b\\f\\r\\u001F\\u007F\"",
	    "all its controls are escaped");
	pv_buf_finish(&buf);
	for (size_t ceiling = 0; ceiling <= 10; ceiling++) {
		pv_buf_init(&buf, ceiling);
		ok(pv_json_write_text(PV_STR("a\nb\"cd"), &buf) ==
			(ceiling == 10),
		    "P5: it is told where %zu bytes are no room", ceiling);
		pv_buf_finish(&buf);
	}
}

static struct pv_json *sample(void)
{
	struct pv_json *object = pv_json_object();
	struct pv_json *array = pv_json_array();
	pv_json_set(object, "z", pv_json_integer(1));
	pv_json_set_text(object, "a", "x");
	pv_json_add(array, pv_json_bool(true));
	pv_json_add_text(array, "y");
	pv_json_add(array, pv_json_object());
	pv_json_set(object, "m", array);
	return object;
}

static void test_containers(void)
{
	writes(pv_json_object(), false, "{}", "an empty object");
	writes(pv_json_array(), false, "[]", "an empty array");
	writes(sample(), false, "{\"z\":1,\"a\":\"x\",\"m\":[true,\"y\",{}]}",
	    "members keep the order in which they came");
	writes(sample(), true,
	    "{\n  \"z\": 1,\n  \"a\": \"x\",\n"
	    "  \"m\": [\n    true,\n    \"y\",\n    {}\n  ]\n}",
	    "indented for readers");
	struct pv_json *object = sample();
	pv_json_set_text(object, "z", "new");
	writes(object, false,
	    "{\"z\":\"new\",\"a\":\"x\",\"m\":[true,\"y\",{}]}",
	    "a member takes its namesake's place");
}

static void test_ceiling(void)
{
	struct pv_json *value = sample();
	struct pv_buf buf;
	pv_buf_init(&buf, 35);
	pv_buf_append_text(&buf, "> ");
	ok(pv_json_write(value, false, &buf) && buf.len == 35,
	    "a value fits exactly under the ceiling");
	pv_buf_clear(&buf);
	pv_buf_append_text(&buf, "!> ");
	ok(!pv_json_write(value, false, &buf) && buf.is_full,
	    "one byte less is too little");
	is_text(pv_buf_str(&buf), "!> ", "no half a value is left behind");
	pv_buf_finish(&buf);
	pv_json_destroy(value);
	pv_json_destroy(NULL);
}

/* What a stranger sent may be long and not UTF-8; a value comes of it that
 * is not longer than a few megabytes. */
static void test_long_text(void)
{
	size_t len = (size_t)3 * 1024 * 1024;
	char *bytes = malloc(len);
	struct pv_buf buf;
	if (!bytes)
		abort();
	memset(bytes, 0xff, len);
	struct pv_json *value = pv_json_text((struct pv_str){bytes, len});
	pv_buf_init(&buf, 4 * len);
	ok(pv_json_write(value, false, &buf) && buf.len > len,
	    "P5: a long text that is not UTF-8 is cut, not grown fourfold");
	pv_json_destroy(value);
	pv_buf_finish(&buf);
	free(bytes);
}

static void test_reading(void)
{
	struct pv_json *value = pv_json_read(
	    PV_STR("{\"a\":\"x\\u0000y\",\"b\":7,\"c\":true,\"d\":1.5}"));
	if (!ok(value != NULL, "an object is read"))
		return;
	struct pv_str text = pv_json_get_text(value, "a");
	ok(pv_str_equal(text, PV_STR("x\0y")), "with its texts");
	ok(pv_json_get_integer(value, "b", -1) == 7 &&
		pv_json_get_bool(value, "c"),
	    "its numbers and truths");
	ok(pv_json_get_integer(value, "d", -1) == -1 &&
		pv_json_get_integer(value, "a", -2) == -2 &&
		pv_json_get_integer(value, "e", -3) == -3 &&
		!pv_json_get_bool(value, "b") &&
		!pv_json_get_text(value, "b").len &&
		!pv_json_get(pv_json_get(value, "a"), "b"),
	    "and what is not there, or of another sort, is missing");
	pv_json_destroy(value);
	static const struct pv_str wrong[] = {PV_STR(""), PV_STR("{"),
	    PV_STR("{\"a\":1,\"a\":2}"), PV_STR("{} {}"),
	    PV_STR("{\"a\":\"\xff\"}")};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		ok(!pv_json_read(wrong[i]), "what is no JSON is not read");
}

static void test_arrays(void)
{
	struct pv_json *value = pv_json_read(PV_STR("{\"a\": [1, {}, \"x\"]}"));
	const struct pv_json *array = pv_json_get(value, "a");
	ok(pv_json_is_object(value) && !pv_json_is_object(array) &&
		!pv_json_is_object(NULL),
	    "an object is one, and nothing else is");
	ok(pv_json_count(array) == 3 && !pv_json_count(value) &&
		!pv_json_count(NULL),
	    "an array has items, and nothing else has");
	ok(pv_json_is_object(pv_json_at(array, 1)) && !pv_json_at(array, 3) &&
		!pv_json_at(value, 0),
	    "an item is got, or none");
	pv_json_destroy(value);
}

int main(void)
{
	test_reading();
	test_arrays();
	test_scalars();
	test_texts();
	test_written_texts();
	test_containers();
	test_ceiling();
	test_long_text();
	return tap_done();
}
