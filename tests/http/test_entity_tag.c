#include "http/entity_tag.h"

#include "tap.h"

static const struct {
	struct pv_str text;
	bool is_right;
} tags[] = {
    {PV_STR("\"xyzzy\""), true},
    {PV_STR("W/\"xyzzy\""), true},
    {PV_STR("\"\""), true},
    {PV_STR("\"a,b!#~\""), true},
    {PV_STR("\"\xc3\xa9\""), true},
    {PV_STR(""), false},
    {PV_STR("\""), false},
    {PV_STR("W/\""), false},
    {PV_STR("xyzzy"), false},
    {PV_STR("*"), false},
    {PV_STR("w/\"xyzzy\""), false},
    {PV_STR("W/ \"xyzzy\""), false},
    {PV_STR("\"xyzzy"), false},
    {PV_STR("\"xy\"zzy\""), false},
    {PV_STR("\"xy zzy\""), false},
    {PV_STR("\"xy\tzzy\""), false},
    {PV_STR("\"xy\r\nA: b\""), false},
    {PV_STR("\"xy\0zzy\""), false},
    {PV_STR("\"xy\x7f\""), false},
    {PV_STR("\"a\", \"b\""), false},
};

static void test_strength(void)
{
	ok(pv_entity_tag_is_strong(PV_STR("\"a\"")), "one is strong");
	ok(!pv_entity_tag_is_strong(PV_STR("W/\"a\"")),
	    "one that says that it is weak is not");
	ok(!pv_entity_tag_is_strong(PV_STR("a")), "nor is what is none");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++)
		ok(pv_entity_tag_is_right(tags[i].text) == tags[i].is_right,
		    "number %zu is %s entity-tag", i + 1,
		    tags[i].is_right ? "an" : "no");
	test_strength();
	return tap_done();
}
