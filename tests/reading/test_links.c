#include "reading/links.h"

#include "crawl/world.h"

/* What is found in answers, and asked for then: a small web of style sheets
 * and headers. */
static const struct place {
	const char *url;
	struct reply reply;
} places[] = {
    {"http://a.test/",
	{.body = "<link rel=stylesheet href=/a.css><p style='a:url(/p.png)'>"
		 "<a href=/b.css><a href=/no><a href=/headers><a href=/closed>"
		 "<img src=/i.png><iframe src=/far/1></iframe>"
		 "<img src=/d.svg><a href=/e.svg><object data=/o></object>"
		 "<link rel=prefetch href=/ahead>"}},
    {"http://a.test/o", {.header = "Link: </ahead2>; rel=prerender",
			    .body = "<img src=/o.png><a href=/o.html>"}},
    {"http://a.test/ahead", {.body = ""}},
    {"http://a.test/ahead2", {.body = ""}},
    {"http://a.test/o.html",
	{.body = "<a href=/o><a href=/ahead><a href=/ahead2>"}},
    {"http://a.test/a.css",
	{.type = "text/css; charset=windows-1251",
	    .body = "@import 'c/1.css'; a { b: url(\"c/\\78.png\") url(\xef) "
		    "url(//b.test/x.woff) url(data:,x) }"}},
    {"http://a.test/b.css",
	{.type = "Text/CSS", .body = "a{b:url(/b.png)}<a href=/from-css>"}},
    {"http://a.test/d.svg",
	{.type = "image/svg+xml",
	    .body = "<svg><style><![CDATA[a{b:url(d/1)}]]></style>"
		    "<image href='d/2'/><use href='d/3#x'/><use href='#y'/>"
		    "<script href='d/4'/><feImage href='d/5'/>"
		    "<a href='not-where-it-is-a-part'/></svg>"}},
    {"http://a.test/e.svg",
	{.type = "image/svg+xml",
	    .body = "<svg><a href='e/1'/><image href='e/2'/></svg>"}},
    {"http://a.test/no",
	{.type = "text/plain", .body = "a{b:url(/no.png)}<a href=/no.html>"}},

    /* headers */
    {"http://a.test/headers",
	{.header = "Link: </h.css>; rel=stylesheet, </n>; rel=\"x Next\", "
		   "</s>; rel=shortlink, <f.woff>;rel=preload;as=font, "
		   "</elsewhere>; rel=next; anchor=\"/z\", "
		   "<//c.test/>; rel=preconnect, <>; rel=icon, </k>",
	    .body = "<a href=/refresh>"}},
    {"http://a.test/h.css", {.type = "text/css", .body = ""}},
    {"http://a.test/n", {.body = ""}},
    {"http://a.test/f.woff", {.type = "font/woff", .body = ""}},
    {"http://a.test/refresh",
	{.type = "text/plain", .header = "Refresh: 0; URL='/r?a&amp;b'"}},
    {"http://a.test/r?a&amp;b", {.body = ""}},
    {"http://a.test/closed",
	{.header = "Link: </c>; rel=next, </c.png>; rel=icon",
	    .body = "<meta name=robots content=nofollow>"}},
    {"http://a.test/c.png", {.type = "image/png"}},
    {"http://a.test/i.png",
	{.type = "image/png",
	    .header = "Link: </i.html>; rel=canonical, </j>; rel=preload"}},
    {"http://a.test/j", {.type = "image/png"}},

    /* so far from the seed that the sheets that import one another have been
     * asked for before they are found again in a better place */
    {"http://a.test/far/1", {.body = "<a href=2>"}},
    {"http://a.test/far/2", {.body = "<a href=3>"}},
    {"http://a.test/far/3", {.body = "<a href=4>"}},
    {"http://a.test/far/4", {.body = "<a href=5>"}},
    {"http://a.test/far/5", {.body = "<a href=6>"}},
    {"http://a.test/far/6", {.body = "<a href=7>"}},
    {"http://a.test/far/7", {.body = "<a href=8>"}},
    {"http://a.test/far/8",
	{.body = "<a href=/i.png><link rel=icon href=/c/4.css>"}},
};

/* Sheets that import one another for ever. */
static struct reply answer(const char *url, unsigned nth)
{
	static const char *const sheets[] = {NULL, "@import '2.css'",
	    "@import '3.css'", "@import '4.css'", "@import '5.css'",
	    "@import '6.css'", "@import '7.css'", "@import '8.css'",
	    "@import '9.css'", "@import '10.css'", "@import '11.css'",
	    "@import '12.css'", "@import '13.css'", "@import '14.css'"};
	const char chain[] = "http://a.test/c/";
	(void)nth;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (strcmp(places[i].url, url) == 0)
			return places[i].reply;
	}
	size_t number = strncmp(url, chain, strlen(chain)) == 0
			    ? strtoul(url + strlen(chain), NULL, 10)
			    : 0;
	if (!number || number >= sizeof(sheets) / sizeof(*sheets))
		return (struct reply){.http_status = 404};
	return (struct reply){.type = "text/css", .body = sheets[number]};
}

/* A run is stopped at so many moments. */
#define STOPS 8u

#define SEEDS "seeds: [\"http://a.test/\"]\n"

/* What becomes of each address; all others are asked for by nobody. */
static const struct {
	const char *claim;
	const char *url;
	uint16_t http_status;
	enum pv_reason reason;
} wanted[] = {
    {"a sheet is asked for", "http://a.test/a.css", 200, 0},
    {"and what it imports, joined to its address", "http://a.test/c/1.css", 200,
	0},
    {"and its images, whose escapes are read", "http://a.test/c/x.png", 404, 0},
    {"in its encoding", "http://a.test/%D0%BF", 404, 0},
    {"wherever they are", "http://b.test/x.woff", 404, 0},
    {"and those of a style attribute", "http://a.test/p.png", 404, 0},
    {"a sheet may be a page", "http://a.test/b.css", 200, 0},
    {"and is read as a sheet", "http://a.test/b.png", 404, 0},
    {"a drawing is asked for", "http://a.test/d.svg", 200, 0},
    {"and what its style names", "http://a.test/d/1", 404, 0},
    {"and its images", "http://a.test/d/2", 404, 0},
    {"and drawings that it uses", "http://a.test/d/3", 404, 0},
    {"and its scripts", "http://a.test/d/4", 404, 0},
    {"and what its filters show", "http://a.test/d/5", 404, 0},
    {"it may be a page", "http://a.test/e.svg", 200, 0},
    {"which leads to pages", "http://a.test/e/1", 404, 0},
    {"and has its parts", "http://a.test/e/2", 404, 0},
    {"what is shown in a page may be one", "http://a.test/o", 200, 0},
    {"which has its parts", "http://a.test/o.png", 404, 0},
    {"and leads to pages", "http://a.test/o.html", 200, 0},
    {"so may what is fetched ahead", "http://a.test/ahead", 200, 0},
    {"as a header says as well", "http://a.test/ahead2", 200, 0},
    {"what is of another type is not", "http://a.test/no", 200, 0},

    {"a header names a sheet", "http://a.test/h.css", 200, 0},
    {"and a font", "http://a.test/f.woff", 200, 0},
    {"and a page", "http://a.test/n", 200, 0},
    {"or says where to go, without references", "http://a.test/r?a&amp;b", 200,
	0},
    {"a page that wants no links to be followed wants so of headers",
	"http://a.test/c", 0, PV_REASON_META_ROBOTS},
    {"but has its parts", "http://a.test/c.png", 200, 0},
    {"an image's headers count as well", "http://a.test/j", 200, 0},
    {"and lead to pages where it is one itself, found later or not",
	"http://a.test/i.html", 404, 0},

    {"P5: sheets that import one another for ever", "http://a.test/c/9.css",
	200, 0},
    {"are asked for as far as from where they are nearest, found later or not",
	"http://a.test/c/12.css", 200, 0},
    {"and no further, for that reason", "http://a.test/c/13.css", 0,
	PV_REASON_CHAINED},

    {"", "http://a.test/", 200, 0},
    {"", "http://a.test/headers", 200, 0},
    {"", "http://a.test/refresh", 200, 0},
    {"", "http://a.test/closed", 200, 0},
    {"", "http://a.test/i.png", 200, 0},
    {"", "http://a.test/far/1", 200, 0},
    {"", "http://a.test/far/2", 200, 0},
    {"", "http://a.test/far/3", 200, 0},
    {"", "http://a.test/far/4", 200, 0},
    {"", "http://a.test/far/5", 200, 0},
    {"", "http://a.test/far/6", 200, 0},
    {"", "http://a.test/far/7", 200, 0},
    {"", "http://a.test/far/8", 200, 0},
    {"", "http://a.test/c/2.css", 200, 0},
    {"", "http://a.test/c/3.css", 200, 0},
    {"", "http://a.test/c/4.css", 200, 0},
    {"", "http://a.test/c/5.css", 200, 0},
    {"", "http://a.test/c/6.css", 200, 0},
    {"", "http://a.test/c/7.css", 200, 0},
    {"", "http://a.test/c/8.css", 200, 0},
    {"", "http://a.test/c/10.css", 200, 0},
    {"", "http://a.test/c/11.css", 200, 0},
};

#define WANTED (sizeof(wanted) / sizeof(*wanted))

/* The last word on an address, which may have been asked for again. */
static const struct world_line *find_last(const char *url)
{
	size_t i = world.line_count;
	while (i && (!world.lines[i - 1].is_final ||
			strcmp(world.lines[i - 1].url, url) != 0))
		i--;
	return i ? &world.lines[i - 1] : NULL;
}

static bool is_as_wanted(size_t i)
{
	const struct world_line *line = find_last(wanted[i].url);
	return line && line->http_status == wanted[i].http_status &&
	       line->reason == wanted[i].reason;
}

static bool is_nothing_else(void)
{
	return world_number("SELECT count(*) FROM addresses") == WANTED &&
	       !world_number("SELECT count(*) FROM addresses WHERE state < 2");
}

static unsigned test_whole(void)
{
	world_open(answer, SEEDS);
	ok(world_run() == PAVANE_FINISHED, "the crawl is finished");
	unsigned events = world.events;
	for (size_t i = 0; i < WANTED; i++) {
		bool is_right = is_as_wanted(i);
		if (wanted[i].claim[0] || !is_right)
			ok(is_right, "%s: %s", wanted[i].claim, wanted[i].url);
	}
	ok(is_nothing_else(), "P3: nothing else is known");
	ok(world_sent_at("http://a.test/c/4.css", 1) > 0,
	    "what may lead further is asked for again");
	ok(world_sent_at("http://a.test/c/3.css", 1) < 0 &&
		world_sent_at("http://a.test/a.css", 1) < 0,
	    "and what leads no further only once");
	ok(world_sent_at("http://a.test/o", 1) < 0 &&
		world_sent_at("http://a.test/ahead", 1) < 0 &&
		world_sent_at("http://a.test/ahead2", 1) < 0,
	    "and so is what may be a page, however it is linked later");
	world_close();
	return events;
}

/* How far a row of sheets may still go is known after a stop. */
static void test_stops(unsigned events)
{
	unsigned wrong = 0;
	for (unsigned i = 1; i <= STOPS; i++) {
		world_open(answer, SEEDS);
		world.stop_at = events * i / (STOPS + 1);
		world.stops = 1;
		world_run();
		world.stop_at = 0;
		bool is_right =
		    world_run() == PAVANE_FINISHED && is_nothing_else();
		for (size_t j = 0; j < WANTED; j++)
			is_right = is_right && is_as_wanted(j);
		wrong += !is_right;
		world_close();
	}
	ok(wrong == 0, "P3: stopped at %u moments, it comes to the same",
	    STOPS);
}

int main(void)
{
	test_stops(test_whole());
	return tap_done();
}
