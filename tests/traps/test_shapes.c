#include "traps/shapes.h"

#include "base/buf.h"
#include "scope/judge.h"
#include "tap.h"

static const struct {
	const char *query;
	size_t parameters;
	size_t repeats; /* how often one of them stands */
	size_t escapes;
	size_t nesting;
} query_cases[] = {
    {"", 0, 0, 0, 0},
    {"a", 1, 1, 0, 0},
    {"a=1", 1, 1, 0, 0},
    {"a=1&b=2", 2, 1, 0, 0},
    {"&", 2, 0, 0, 0},
    {"a=1&&&&&b=2", 6, 1, 0, 0},

    /* the same parameter again and again */
    {"a=1&a=1", 2, 2, 0, 0},
    {"a=1&b&a=1&b&b", 5, 3, 0, 0},
    {"a=1&&&a=1&&a=1", 6, 3, 0, 0},
    {"a[]=1&a[]=2&a[]=3&a[]=4&a[]=5", 5, 1, 0, 0},
    {"a=1&A=1&a=%31&a=1+", 4, 1, 1, 0},

    /* escaped over and over */
    {"q=a%20b", 1, 1, 1, 0},
    {"q=100%25", 1, 1, 1, 0},
    {"q=100%2525", 1, 1, 2, 0},
    {"q=a%2520b&r=a%25252520b", 2, 1, 4, 0},
    {"q=%25z%252z%2", 1, 1, 1, 0},
    {"q=a&amp;b=c", 2, 1, 1, 0},
    {"q=a&amp;amp;amp;b=c&amp;d", 3, 1, 3, 0},
    {"amp%3Bamp%253Bb=c", 1, 1, 2, 0},
    {"amp=1&amplitude=2&a=amp;amp;amp;", 3, 1, 0, 0},

    /* a query within a query */
    {"next=/login?next=/", 1, 1, 0, 1},
    {"next=/login?next=/login%3Fnext%3D/", 1, 1, 1, 2},
    {"next=%2Fin%3Fnext%3D%252Fin%253fnext%253d%25252Fin%25253Fnext", 1, 1, 3,
	2},
    {"to=/a?x=1%26next=/b?x=1%26next=/c?x=2", 1, 1, 1, 3},
    {"ref=ref=ref=ref=a", 1, 1, 0, 3},
    {"f=/s?a=1%26a=2%26a=3%26a=4", 1, 1, 1, 1},
    {"f=a=1;a=2;a=3;a=4", 1, 1, 0, 1},
    {"q=what?+what?+what?+what?", 1, 1, 0, 0},
    {"q=a?b?c?d=1", 1, 1, 0, 1},
    {"token=YWJj==&sig=aGVsbG8====", 2, 1, 0, 1},
    {"u=/a?b=1&v=/a?b=2&w=/a?b=3", 3, 1, 0, 1},
    {"u=http://a/?b=1%26u=http://a/?c=1", 1, 1, 1, 1},
};

static void test_query_cases(void)
{
	for (size_t i = 0; i < sizeof(query_cases) / sizeof(*query_cases);
	     i++) {
		struct pv_str query = pv_str_of(query_cases[i].query);
		ok(pv_query_traps_parameters(query) ==
			query_cases[i].parameters,
		    "?%s has %zu parameters", query_cases[i].query,
		    query_cases[i].parameters);
		ok(pv_query_traps_repeats(query, 0) == query_cases[i].repeats,
		    "one of them %zu times", query_cases[i].repeats);
		ok(pv_query_traps_repeats(query, query_cases[i].repeats) == 0,
		    "and none more often");
		ok(pv_query_traps_escapes(query, query) ==
			query_cases[i].escapes,
		    "is escaped %zu times over", query_cases[i].escapes);
		ok(pv_query_traps_nesting(query, 0) == query_cases[i].nesting,
		    "and nested %zu times (%zu)", query_cases[i].nesting,
		    pv_query_traps_nesting(query, 0));
		ok(pv_query_traps_nesting(query, query_cases[i].nesting) == 0,
		    "and no deeper");
	}
}

static void test_target(void)
{
	ok(pv_query_traps_escapes(
	       PV_STR("/a%252525/b?c=%20"), PV_STR("c=%20")) == 3,
	    "a path may be escaped over and over, too");
}

/* Looking at each parameter for each, or behind each sign to the end, would
 * take hours. */
static void test_query_costs(void)
{
	static const struct {
		const char *before; /* a number */
		const char *behind;
	} parts[] = {{"a=", "z&"}, {"?a", "d="}, {"%25253F", "%3D"},
	    {"%25", NULL}, {"amp;", NULL}, {"=", NULL}, {"?", NULL},
	    {"%2", NULL}, {"&a", NULL}};
	struct pv_buf query;
	size_t found = 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		bool is_more = true;
		pv_buf_init(&query, 65536);
		for (int n = 0; is_more; n++) {
			is_more = pv_buf_append_text(&query, parts[i].before);
			if (parts[i].behind)
				is_more = pv_buf_append_format(
				    &query, "%05d%s", n, parts[i].behind);
		}
		struct pv_str text = pv_buf_str(&query);
		for (int n = 0; n < 100; n++) {
			found += pv_query_traps_repeats(text, 3);
			found += pv_query_traps_escapes(text, text);
			found += pv_query_traps_nesting(text, 3);
		}
		pv_buf_finish(&query);
	}
	ok(found > 0, "P5: a query of 64 KiB costs no more than its length");
}

static const struct {
	const char *path;
	size_t segments;
	size_t most; /* times that one of them stands */
} path_cases[] = {
    {"/", 0, 0},
    {"/a", 1, 1},
    {"/a/", 1, 1},
    {"//", 1, 1},
    {"///", 2, 2},
    {"/a/b/c", 3, 1},
    {"/a/b/c/", 3, 1},
    {"/a/a", 2, 2},
    {"/a/b/a", 3, 2},
    {"/a/A", 2, 1},
    {"/a//b", 3, 1},
    {"/a//b//c//", 6, 3},
    {"/a/ab/aab/b", 4, 1},
    {"/ab/ba/ab/ba/ab", 5, 3},
    {"/2024/05/05/05", 4, 3},
    {"/axb/ayb/azb/awb/avb", 5, 1},
};

static void test_path_cases(void)
{
	for (size_t i = 0; i < sizeof(path_cases) / sizeof(*path_cases); i++) {
		struct pv_str path = pv_str_of(path_cases[i].path);
		ok(pv_path_traps_segments(path) == path_cases[i].segments,
		    "%s has %zu segments", path_cases[i].path,
		    path_cases[i].segments);
		size_t most = path_cases[i].most;
		ok(pv_path_traps_repeats(path, most) == 0,
		    "none more than %zu times", most);
		ok(most == 0 || pv_path_traps_repeats(path, most - 1) == most,
		    "and one just as often");
	}
}

/* Comparing each segment with each would take hours. */
static void test_path_costs(void)
{
	struct pv_buf path;
	pv_buf_init(&path, 65536);
	for (int i = 0; pv_buf_append_format(&path, "/a%05dz", i); i++)
		;
	ok(pv_path_traps_segments(pv_buf_str(&path)) == 8192, "8,192 segments");
	size_t found = 0;
	for (int i = 0; i < 200; i++)
		found += pv_path_traps_repeats(pv_buf_str(&path), 1);
	ok(found == 0, "P5: so many that look alike are not counted as one");
	pv_buf_clear(&path);
	while (pv_buf_append_text(&path, "/"))
		;
	ok(pv_path_traps_repeats(pv_buf_str(&path), 3) == 65535,
	    "P5: nothing but slashes is a trap");
	pv_buf_finish(&path);
}

/* By all traps together, as a policy has them by default. */
#define TODAY INT64_C(1795219200000) /* 21 November 2026 */
#define HOST "https://example.org"

/* Addresses as wikis, shops, forums, blogs and manuals have them. */
static const char *const others[] = {
    "/2024/05/my-post",
    "/2024/05/17/my-post/?share=twitter&nb=1",
    "/blog/2019/archive/2019-12.html",
    "/archives/2007/03/page/2031/",
    "/wp-content/uploads/2023/11/image-2048x1365.jpg",
    "/index.php?title=Special:RecentChanges&from=20261120000000&days=30",
    "/w/index.php?title=Main_Page&oldid=1234567890&diff=prev",
    "/wiki/1999",
    "/wiki/Sp%C3%A9cial:Recherche?search=%C3%A9t%C3%A9&go=Go",
    "/wiki/List_of_ISO_standards_2000%E2%80%932999",
    "/dp/B000123456?ref=sr_1_1",
    "/s?k=lamp&rh=n%3A1063306%2Cp_36%3A2000-5000&dc&qid=1700000000",
    "/c/shoes?size[]=41&size[]=42&size[]=43&size[]=44&size[]=45",
    "/c/shoes?f=color:red,blue;size:41,42;price:1500-2000",
    "/cart?add=1&add=2&add=3&add=4&add=5",
    "/viewtopic.php?f=2&t=2031&start=9999",
    "/forum/thread-4711-12-page.html",
    "/t/some-topic/4711/12",
    "/?page=1999",
    "/search?q=a%20b%20c&page=2031",
    "/search?q=2031-99",
    "/login?next=%2Faccount%3Ftab%3Dorders%26year%3D2025",
    "/login?next=%2Fauth%3Fnext%3D%252Fhome%253Fnext%253D%25252F",
    "/share?u=https%3A%2F%2Fexample.org%2F%3Fa%3D1%26a%3D2%26a%3D3%26a%3D4",
    "/redirect?url=http://a.example/?x=1&url2=http://b.example/?x=1",
    "/RFC/rfc2031",
    "/rfc/rfc9110.html",
    "/standards/2022-12/",
    "/en/java/javase/21/docs/api/java.base/java/util/Date.html",
    "/3.12/library/calendar.html",
    "/events/4711",
    "/events/?tribe-bar-date=2026-12-01",
    "/calendar/2027/01/",
    "/calendar?month=12&year=2027",
    "/commit/20310517a7f3",
    "/questions/11227809/why-is-it-faster",
    "/doi/10.1093/nar/2031.05.17",
    "/image?w=1920&h=1080&x=2031&y=2040",
    "/tiles/12/2031/1999.png",
    "/a/b/a/b/a/b",
    "/?a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q&r&s&t&u&v&w&x&y&z",
    "/100%25-wool",
    "/50%2525-off",
    "/report;jsessionid=1234;v=2?a=1&amp;b=2&amp;c=3",
};

static const struct {
	const char *target;
	struct decision decision;
} shapes[] = {
    {"/docs/docs/docs/docs/", BY(REPEATS, REPEATS)},
    {"/?lang=en&lang=en&lang=en&lang=en", BY(SAME_PARAMETER, QUERY)},
    {"/?a=1&amp;amp;amp;amp;b=2", BY(ESCAPED, QUERY)},
    {"/?q=%2525252520", BY(ESCAPED, QUERY)},
    {"/a%2525252520b", BY(ESCAPED, QUERY)},
    {"/in?to=/in?to=/in?to=/in?to=/in?to=/", BY(NESTED, QUERY)},
    {"/in?to=/in%3Fto=/in%3Fto%3D/in?to=/in%253Fto%253D", BY(NESTED, QUERY)},
    {"/2029/01", BY(AHEAD, CALENDAR)},
    {"/2029/01/31/", BY(AHEAD, CALENDAR)},
    {"/calendar/2029-01-31", BY(AHEAD, CALENDAR)},
    {"/calendar.php?month=1&year=2029", BY(AHEAD, CALENDAR)},
    {"/events/?tribe-bar-date=2029-12-01", BY(AHEAD, CALENDAR)},
    {"/calendar/view?month=481", BY(AHEAD, CALENDAR)},
    {"/archive/1899", BY(BACK, CALENDAR)},
    {"/archive?date=1899-12-31", BY(BACK, CALENDAR)},
};

static void test_judged(void)
{
	const struct pv_scope_link page = {.depth = 1, .wall_ms = TODAY};
	struct pv_scope_link seed = page;
	struct court court;
	struct pv_buf address;
	seed.is_seed = true;
	pv_buf_init(&address, 65536);
	open_court(&court, "[https://example.org/]", "{}");
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		pv_buf_clear(&address);
		pv_buf_append_format(&address, HOST "%s", others[i]);
		is_judged(&court, "no trap", pv_buf_text(&address), page,
		    (struct decision)BY(INSIDE, NONE));
	}
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		pv_buf_clear(&address);
		pv_buf_append_format(&address, HOST "%s", shapes[i].target);
		is_judged(&court, "a trap", pv_buf_text(&address), page,
		    shapes[i].decision);
		is_judged(&court, "but no seed is", pv_buf_text(&address), seed,
		    (struct decision)BY(SEED, NONE));
	}
	close_court(&court);
	pv_buf_finish(&address);
}

static bool take_word(struct pv_reader *rest, struct pv_str *word)
{
	while (pv_reader_accept(rest, ' '))
		;
	*word = pv_reader_take_until(rest, ' ');
	return word->len > 0;
}

static bool take_byte(struct pv_reader *rest, struct pv_str *byte)
{
	*byte = pv_reader_take(rest, 1);
	return byte->len > 0;
}

static const struct {
	const char *text;
	size_t most; /* times that one word stands */
} recurrence_cases[] = {
    {"", 0},
    {"a", 1},
    {"a b c", 1},
    {"a b a", 2},
    {"a A a b", 2},
    {"axb ayb azb awb", 1},
    {"ab ba ab ba ab", 3},
    {"a aa aaa aa aaaa aa", 3},
};

static void test_recurrence_cases(void)
{
	for (size_t i = 0;
	     i < sizeof(recurrence_cases) / sizeof(*recurrence_cases); i++) {
		struct pv_str text = pv_str_of(recurrence_cases[i].text);
		size_t most = recurrence_cases[i].most;
		for (size_t limit = 0; limit < 5; limit++)
			ok(pv_recurrence_find(text, take_word, limit) ==
				(most > limit ? most : 0),
			    "\"%s\": %zu times, of at most %zu",
			    recurrence_cases[i].text, most, limit);
	}
}

/* Comparing each part with each would take hours. */
static void test_recurrence_costs(void)
{
	struct pv_buf text;
	size_t found = 0;
	pv_buf_init(&text, 65536);
	for (int i = 0; pv_buf_append_format(&text, " a%05dz", i); i++)
		;
	for (int i = 0; i < 200; i++)
		found += pv_recurrence_find(pv_buf_str(&text), take_word, 1);
	ok(found == 0, "P5: so many that look alike are not counted as one");
	ok(pv_recurrence_find(pv_buf_str(&text), take_byte, 8000) > 8000,
	    "parts are what the caller says");
	pv_buf_finish(&text);
}

static const struct {
	const char *target;
	struct pv_signs signs;
} sign_cases[] = {
    {"/", {0}},
    {"/docs/guide/index.html", {0}},
    {"/java/7/a-1/b2", {0}},
    {"/java/21/", {.has_number = true}},
    {"/jdk-21.tar.gz", {0}},
    {"/a123/b-456/c.789", {0}},
    {"/2031", {.has_year = true, .has_number = true}},
    {"/rfc2031", {.has_year = true}},
    {"/1/2/3/4", {0}},
    {"/-1", {.has_number = true}},
    {"/a-1", {0}},
    {"-1", {0}},
    {"12", {0}},
    {"/?a=1", {0}},
    {"/?a=12", {.has_number = true}},
    {"/?a=-1", {.has_number = true}},
    {"/?a=b-12", {0}},
    {"/?a=1&b=2&c", {.ampersands = 2}},
    {"/?a=b=c=d&e=f=g", {.ampersands = 1, .marks = 3}},
    {"/?a&b&c=d=e", {.ampersands = 2, .marks = 1}},
    {"/?a=b;c", {.marks = 1}},
    {"/a%20b?c=d%20e", {.marks = 2, .has_percent = true}},
};

static void test_signs(void)
{
	for (size_t i = 0; i < sizeof(sign_cases) / sizeof(*sign_cases); i++) {
		struct pv_signs found =
		    pv_signs_of(pv_str_of(sign_cases[i].target));
		const struct pv_signs *wanted = &sign_cases[i].signs;
		ok(found.ampersands == wanted->ampersands, "%s: %u ampersands",
		    sign_cases[i].target, (unsigned)wanted->ampersands);
		ok(found.marks == wanted->marks, "%u marks",
		    (unsigned)wanted->marks);
		ok(found.has_percent == wanted->has_percent, "%s percent sign",
		    wanted->has_percent ? "a" : "no");
		ok(found.has_year == wanted->has_year, "%s for a year",
		    wanted->has_year ? "enough digits" : "no digits");
		ok(found.has_number == wanted->has_number, "%s in front",
		    wanted->has_number ? "a number" : "no number");
	}
}

int main(void)
{
	test_query_cases();
	test_target();
	test_query_costs();
	test_path_cases();
	test_path_costs();
	test_judged();
	test_recurrence_cases();
	test_recurrence_costs();
	test_signs();
	return tap_done();
}
