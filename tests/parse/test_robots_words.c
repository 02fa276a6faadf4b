#include "parse/robots_words.h"

#include <stdint.h>

#include "tap.h"

static const struct {
	const char *text;
	const char *words;
} cases[] = {
    {"", ""},
    {"noindex nofollow", "noindex, nofollow"},
    {"NONE", "noindex, nofollow"},
    {"noindex;nofollow", ""},
    {"noai, noimageai", "noai, noimageai"},
    {"follow,index,all", ""},
    {"NoIndex\n,\tnoarchive", "noindex, noarchive"},
    {"nosnippet, NOTRANSLATE, noimageindex",
	"nosnippet, noimageindex, notranslate"},

    /* others */
    {"noodp, NoCache noodp", "noodp, nocache"},
    {"x\x01y, <script>, \"z\", 7, -a, a.b, \xff\xfe", ""},
    {"max-snippet:20 noindex", "noindex, max-snippet:20"},
    {"max-snippet : 20 , noindex", "noindex, max-snippet:20"},
    {"max-snippet:20,max-snippet:20,max-snippet:-1",
	"max-snippet:20, max-snippet:-1"},
    {"max-image-preview: none", "max-image-preview:none"},
    {"max-image-preview:Large", "max-image-preview:large"},
    {"max-snippet:, noindex", "noindex"},
    {"max-snippet:<b>", ""},
    {"unknown: nofollow", "nofollow, unknown"},

    /* dates */
    {"unavailable_after: 2030-01-01", "unavailable_after:2030-01-01"},
    {"Unavailable_After: Friday, 25-Jun-10 15:00:00 GMT, noindex",
	"noindex, unavailable_after:Friday, 25-Jun-10 15:00:00 GMT"},
    {"unavailable_after:", ""},
    {"unavailable_after: Fri, nofollow", "nofollow, unavailable_after:Fri"},
    {"unavailable_after: Fri, 1 Jan 2030, unavailable_after: Fri, 8 Jan 2030, "
     "x, unavailable_after: Fri, 1 Jan 2030",
	"unavailable_after:Fri, 1 Jan 2030, unavailable_after:Fri, 8 Jan 2030, "
	"x"},
    {"xy, x, y, xy", "xy, x, y"},
    {"unavailable_after: Fri", "unavailable_after:Fri"},
    {"unavailable_after: 1 \"2\", noindex", "noindex, unavailable_after:1"},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_robots_words words;
		struct pv_buf said;
		pv_robots_words_init(&words);
		pv_buf_init(&said, 1000);
		pv_robots_words_read(&words, pv_str_of(cases[i].text));
		pv_robots_words_write(&words, &said);
		is_text(
		    pv_buf_str(&said), cases[i].words, "\"%s\"", cases[i].text);
		pv_buf_finish(&said);
		pv_robots_words_finish(&words);
	}
}

static void test_joining(void)
{
	struct pv_robots_words page, header;
	struct pv_buf said;
	pv_robots_words_init(&page);
	pv_robots_words_init(&header);
	pv_buf_init(&said, 1000);
	pv_robots_words_read(&page,
	    PV_STR("noindex, max-snippet:1, nocache, unavailable_after: Fri, "
		   "1 Jan 2030"));
	pv_robots_words_read(&header, PV_STR("noarchive, nocache, x"));
	pv_robots_words_join(&header, &page);
	pv_robots_words_write(&header, &said);
	is_text(pv_buf_str(&said),
	    "noindex, noarchive, nocache, x, max-snippet:1, "
	    "unavailable_after:Fri, 1 Jan 2030",
	    "what is said in two places adds up");
	pv_robots_words_clear(&header);
	pv_buf_clear(&said);
	pv_robots_words_write(&header, &said);
	ok(!said.len, "the next page knows nothing of it");
	pv_buf_finish(&said);
	pv_robots_words_finish(&page);
	pv_robots_words_finish(&header);
}

/* However much there is, what counts is read, and the rest bounded. */
static void test_much(void)
{
	struct pv_robots_words words;
	struct pv_buf text, said;
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_init(&said, 1 << 20);
	for (unsigned i = 0; i < 200000; i++)
		pv_buf_append_format(&text, "w%u, ", i);
	pv_buf_append_text(&text, "nofollow");
	pv_robots_words_init(&words);
	pv_robots_words_read(&words, pv_buf_str(&text));
	pv_robots_words_write(&words, &said);
	ok(pv_robots_words_has(&words, PV_WORD_NOFOLLOW),
	    "P5: behind any number of words the one that counts is read");
	ok(said.len <= 300, "and few of the others are kept");
	pv_robots_words_finish(&words);
	pv_buf_finish(&said);
	pv_buf_finish(&text);
}

int main(void)
{
	test_cases();
	test_joining();
	test_much();
	return tap_done();
}
