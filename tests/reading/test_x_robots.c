#include "reading/x_robots.h"

#include "tap.h"

/* What all of the fields ask of examplebot. */
static void are_read(
    const char *const *fields, size_t count, const char *wanted)
{
	struct pv_headers headers;
	struct pv_robots_words words;
	struct pv_buf said;
	pv_headers_init(&headers, 100, 10000);
	pv_robots_words_init(&words);
	pv_buf_init(&said, 1000);
	for (size_t i = 0; i < count; i++)
		pv_headers_add(
		    &headers, PV_STR("x-robots-tag"), pv_str_of(fields[i]));
	pv_x_robots_read(&headers, PV_STR("examplebot"), &words);
	pv_robots_words_write(&words, &said);
	is_text(pv_buf_str(&said), wanted, "\"%s\"%s%s", fields[0],
	    count > 1 ? ", and " : "", count > 1 ? fields[1] : "");
	pv_buf_finish(&said);
	pv_robots_words_finish(&words);
	pv_headers_finish(&headers);
}

#define BOTH "noindex, nofollow"

static void test_one(void)
{
	static const struct {
		const char *field;
		const char *words;
	} cases[] = {
	    {"nofollow", "nofollow"},
	    {"NoFollow", "nofollow"},
	    {"nofollow, noindex", BOTH},
	    {"noindex,nofollow", BOTH},
	    {"none", BOTH},
	    {"", ""},
	    {"all", ""},
	    {"index, follow", ""},
	    {"noindex", "noindex"},
	    {"noarchive, nosnippet", "noarchive, nosnippet"},
	    {"nofollows, xnofollow", "nofollows, xnofollow"},
	    {"no follow", "no"},
	    {",,nofollow,", "nofollow"},

	    /* for somebody */
	    {"examplebot: nofollow", "nofollow"},
	    {"EXAMPLEBOT:nofollow", "nofollow"},
	    {"examplebot : noindex, nofollow", BOTH},
	    {"pavane: none", BOTH},
	    {"otherbot: nofollow", ""},
	    {"otherbot: noindex, nofollow", ""},
	    {"other_bot-2: nofollow", ""},
	    {"examplebots: nofollow", ""},
	    {"example: nofollow", ""},
	    {"examplebot: noindex", "noindex"},
	    {"examplebot: all, nofollow", "nofollow"},
	    {": nofollow", "nofollow"},

	    /* values that have a colon of their own */
	    {"max-snippet:20, nofollow", "nofollow, max-snippet:20"},
	    {"max-snippet: -1, noindex", "noindex, max-snippet:-1"},
	    {"max-image-preview: none", "max-image-preview:none"},
	    {"max-image-preview:none, noindex",
		"noindex, max-image-preview:none"},
	    {"Max-Video-Preview: 0, nofollow", "nofollow, max-video-preview:0"},
	    {"unavailable_after: 25 Jun 2010 15:00:00 PST",
		"unavailable_after:25 Jun 2010 15:00:00 PST"},
	    {"unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow",
		"nofollow, unavailable_after:25 Jun 2010 15:00:00 PST"},
	    {"unavailable_after: Fri, 25-Jun-10 15:00:00 PST, nofollow",
		"nofollow, unavailable_after:Fri, 25-Jun-10 15:00:00 PST"},
	    {"unavailable_after: Fri, 2010-06-25T15:00:00Z, nofollow",
		"nofollow, unavailable_after:Fri, 2010-06-25T15:00:00Z"},
	    {"unavailable_after: Fri, otherbot: none", "unavailable_after:Fri"},
	    {"otherbot: unavailable_after: Fri, 25-Jun-10 15:00:00 PST", ""},
	    {"nofollow, max-snippet:20", "nofollow, max-snippet:20"},
	    {"examplebot: max-snippet:20, nofollow",
		"nofollow, max-snippet:20"},
	    {"otherbot: max-snippet:20, nofollow", ""},

	    /* fields that somebody on the way has joined (RFC 9110, 5.3) */
	    {"nofollow, otherbot: noindex", "nofollow"},
	    {"noindex, otherbot: nofollow", "noindex"},
	    {"otherbot: noindex, examplebot: nofollow", "nofollow"},
	    {"otherbot: nofollow, examplebot: noindex", "noindex"},
	    {"otherbot: none, pavane: noindex, nofollow", BOTH},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		are_read(&cases[i].field, 1, cases[i].words);
}

static void test_several(void)
{
	static const char *const both[] = {"noindex", "nofollow"};
	static const char *const other[] = {"otherbot: none", "noindex"};
	static const char *const ours[] = {
	    "otherbot: noindex", "examplebot: nofollow"};
	static const char *const all[] = {"otherbot: noindex", "nofollow"};
	static const char *const cut[] = {
	    "unavailable_after: Fri", "nofollow, noindex"};
	are_read(both, 2, BOTH);
	are_read(other, 2, "noindex");
	are_read(ours, 2, "nofollow");
	are_read(all, 2, "nofollow");
	are_read(cut, 2, BOTH ", unavailable_after:Fri");
}

static void test_none(void)
{
	struct pv_headers headers;
	struct pv_robots_words words;
	pv_headers_init(&headers, 100, 10000);
	pv_robots_words_init(&words);
	pv_headers_add(&headers, PV_STR("Robots"), PV_STR("nofollow"));
	pv_x_robots_read(&headers, PV_STR("examplebot"), &words);
	ok(!words.known && !words.rest.len,
	    "who says nothing asks for nothing");
	pv_robots_words_finish(&words);
	pv_headers_finish(&headers);
}

int main(void)
{
	test_one();
	test_several();
	test_none();
	return tap_done();
}
