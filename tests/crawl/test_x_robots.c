#include "crawl/x_robots.h"

#include "tap.h"

static void are_judged(const char *const *fields, size_t count, bool wanted)
{
	struct pv_headers headers;
	pv_headers_init(&headers, 100, 10000);
	for (size_t i = 0; i < count; i++)
		pv_headers_add(
		    &headers, PV_STR("x-robots-tag"), pv_str_of(fields[i]));
	ok(pv_x_robots_is_nofollow(&headers, PV_STR("examplebot")) == wanted,
	    "%s: \"%s\"%s%s", wanted ? "not to be followed" : "to be followed",
	    fields[0], count > 1 ? ", and " : "", count > 1 ? fields[1] : "");
	pv_headers_finish(&headers);
}

static void test_one(void)
{
	static const struct {
		const char *field;
		bool is_nofollow;
	} cases[] = {
	    {"nofollow", true},
	    {"NoFollow", true},
	    {"noindex, nofollow", true},
	    {"noindex,nofollow", true},
	    {"none", true},
	    {"", false},
	    {"all", false},
	    {"index, follow", false},
	    {"noindex", false},
	    {"noarchive, nosnippet", false},
	    {"nofollows, xnofollow", false},
	    {"no follow", false},
	    {",,nofollow,", true},

	    /* for somebody */
	    {"examplebot: nofollow", true},
	    {"EXAMPLEBOT:nofollow", true},
	    {"examplebot : noindex, nofollow", true},
	    {"pavane: none", true},
	    {"otherbot: nofollow", false},
	    {"otherbot: noindex, nofollow", false},
	    {"other_bot-2: nofollow", false},
	    {"examplebots: nofollow", false},
	    {"example: nofollow", false},
	    {"examplebot: noindex", false},
	    {"examplebot: all, nofollow", true},
	    {": nofollow", true},

	    /* values that have a colon of their own */
	    {"max-snippet:20, nofollow", true},
	    {"max-snippet: -1, noindex", false},
	    {"max-image-preview: none", false},
	    {"max-image-preview:none, noindex", false},
	    {"Max-Video-Preview: 0, nofollow", true},
	    {"unavailable_after: 25 Jun 2010 15:00:00 PST", false},
	    {"unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow", true},
	    {"unavailable_after: Fri, 25-Jun-10 15:00:00 PST, nofollow", true},
	    {"unavailable_after: Fri, 2010-06-25T15:00:00Z, nofollow", true},
	    {"nofollow, max-snippet:20", true},
	    {"examplebot: max-snippet:20, nofollow", true},
	    {"otherbot: max-snippet:20, nofollow", false},

	    /* fields that somebody on the way has joined (RFC 9110, 5.3) */
	    {"nofollow, otherbot: noindex", true},
	    {"noindex, otherbot: nofollow", false},
	    {"otherbot: noindex, examplebot: nofollow", true},
	    {"otherbot: nofollow, examplebot: noindex", false},
	    {"otherbot: none, pavane: noindex, nofollow", true},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		are_judged(&cases[i].field, 1, cases[i].is_nofollow);
}

static void test_several(void)
{
	static const char *const both[] = {"noindex", "nofollow"};
	static const char *const other[] = {"otherbot: none", "noindex"};
	static const char *const ours[] = {
	    "otherbot: noindex", "examplebot: nofollow"};
	static const char *const all[] = {"otherbot: noindex", "nofollow"};
	are_judged(both, 2, true);
	are_judged(other, 2, false);
	are_judged(ours, 2, true);
	are_judged(all, 2, true);
}

static void test_none(void)
{
	struct pv_headers headers;
	pv_headers_init(&headers, 100, 10000);
	pv_headers_add(&headers, PV_STR("Robots"), PV_STR("nofollow"));
	ok(!pv_x_robots_is_nofollow(&headers, PV_STR("examplebot")),
	    "who says nothing asks for nothing");
	pv_headers_finish(&headers);
}

int main(void)
{
	test_one();
	test_several();
	test_none();
	return tap_done();
}
