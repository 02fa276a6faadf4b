#include "record/copy.h"

#include "tap.h"

static const struct pv_copy whole = {
    .entity_tag = PV_STR("W/\"a\""),
    .modified_ms = 1234567,
    .file = PV_STR("site/a.example/b.html"),
    .type = PV_STR("text/html"),
    .bytes = 4711,
    .digest = {1, 2, 3},
    .has_digest = true,
    .is_gone = true,
    .is_there = true,
    .must_be_read = true,
    .is_as_listed = true,
};

static void test_packing(void)
{
	struct pv_buf packed;
	struct pv_copy copy = {.modified_ms = 7};
	pv_buf_init(&packed, 4096);
	pv_copy_pack(&whole, &packed);
	ok(pv_copy_unpack(pv_buf_str(&packed), &copy), "what was packed");
	is_text(copy.entity_tag, "W/\"a\"", "has its entity-tag");
	is_text(copy.file, "site/a.example/b.html", "and its file");
	is_text(copy.type, "text/html", "and its type");
	ok(copy.modified_ms == 1234567 && copy.bytes == 4711 &&
		copy.has_digest && copy.is_gone && copy.is_there &&
		copy.must_be_read && copy.is_as_listed &&
		pv_copy_equal(&copy, &whole),
	    "and all the rest");
	copy = (struct pv_copy){.modified_ms = 7};
	ok(!pv_copy_unpack(PV_STR(""), &copy) && copy.modified_ms == 7,
	    "nothing is no copy");
	struct pv_str cut =
	    pv_str_head(pv_buf_str(&packed), packed.len - whole.file.len - 1);
	ok(!pv_copy_unpack(cut, &copy), "nor is what was cut");
	cut = pv_str_head(cut, cut.len - whole.type.len);
	ok(!pv_copy_unpack(cut, &copy), "however short that is");
	pv_buf_finish(&packed);
}

static const struct {
	const char *what;
	struct pv_copy copy;
	bool has_condition;
} conditions[] = {
    {"an entity-tag", {.is_there = true, .entity_tag = PV_STR("\"a\"")}, true},
    {"a date", {.is_there = true, .modified_ms = 1000}, true},
    {"neither", {.is_there = true}, false},
    {"a copy that is lost", {.entity_tag = PV_STR("\"a\"")}, false},
    {"a copy that must be read",
	{.is_there = true, .must_be_read = true, .modified_ms = 1000}, false},
    {"what is gone",
	{.is_there = true, .is_gone = true, .entity_tag = PV_STR("\"a\"")},
	false},
};

static void test_conditions(void)
{
	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++)
		ok(pv_copy_has_condition(&conditions[i].copy) ==
			conditions[i].has_condition,
		    "with %s a server is asked for %s", conditions[i].what,
		    conditions[i].has_condition ? "news" : "all of it");
}

static void test_equal(void)
{
	struct pv_copy empty = {.has_digest = false};
	struct pv_copy other = whole;
	other.digest[31] = 1;
	ok(pv_copy_equal(&whole, &whole) && !pv_copy_equal(&whole, &other),
	    "copies of the same bytes are the same");
	ok(pv_copy_equal(&empty, &empty) && !pv_copy_equal(&empty, &whole) &&
		!pv_copy_equal(&whole, &empty),
	    "and so are those that are empty");
}

int main(void)
{
	test_packing();
	test_conditions();
	test_equal();
	return tap_done();
}
