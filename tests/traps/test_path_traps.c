#include "traps/path_traps.h"

#include "base/buf.h"
#include "scope/judge.h"

static const struct {
	const char *path;
	size_t segments;
	size_t most; /* times that one of them stands */
} cases[] = {
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

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_str path = pv_str_of(cases[i].path);
		ok(pv_path_traps_segments(path) == cases[i].segments,
		    "%s has %zu segments", cases[i].path, cases[i].segments);
		size_t most = cases[i].most;
		ok(pv_path_traps_repeats(path, most) == 0,
		    "none more than %zu times", most);
		ok(most == 0 || pv_path_traps_repeats(path, most - 1) == most,
		    "and one just as often");
	}
}

/* Comparing each segment with each would take hours. */
static void test_costs(void)
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

int main(void)
{
	test_cases();
	test_costs();
	test_judged();
	return tap_done();
}
