#include "reading/listing.h"

#include "crawl/world.h"

#define URLSET(entries)                                                  \
	"<?xml version=\"1.0\"?><urlset "                                \
	"xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">" entries \
	"</urlset>"
#define INDEX(entries)                                                   \
	"<?xml version=\"1.0\"?><sitemapindex "                          \
	"xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">" entries \
	"</sitemapindex>"
#define PAGE(address) "<url><loc>" address "</loc></url>"
#define PART(address) "<sitemap><loc>" address "</loc></sitemap>"
#define XML "application/xml"

/* A web in which sitemaps lead to what no link does. */
static const struct place {
	const char *url;
	struct reply reply;
} places[] = {
    {"http://a.test/robots.txt",
	{.type = "text/plain",
	    .body = "Sitemap: http://a.test/index.xml\n"
		    "Sitemap: http://cdn.test/a.xml\n"
		    "Sitemap: http://a.test/list.txt\n"
		    "Sitemap: http://a.test/moved.xml\n"
		    "Sitemap: http://a.test/secret.xml\n"
		    "User-agent: *\nDisallow: /secret"}},
    {"http://a.test/", {.body = "<a href=linked><link rel=alternate href=feed>"
				"<link rel=manifest href=app><a href=found.xml>"
				"<img src=image.xml>"}},
    {"http://a.test/linked", {.body = "linked"}},
    {"http://a.test/sitemap.xml",
	{.type = "text/html; charset=utf-8",
	    .body = URLSET(PAGE("http://a.test/guessed"))}},
    {"http://a.test/index.xml",
	{.type = XML,
	    .body = INDEX(PART("http://a.test/part.xml") PART(
		"http://a.test/inner.xml") PART("http://b.test/part.xml"))}},
    {"http://a.test/part.xml",
	{.type = XML,
	    .body = URLSET(
		"<url><loc> http://a.test/in-part?a&amp;b </loc>"
		"<lastmod>2026-02-03</lastmod></url>" PAGE(
		    "http://b.test/elsewhere") PAGE("http://c.test/off-scope")
		    PAGE("http://a.test/secret/page"))}},
    {"http://a.test/inner.xml",
	{.type = XML, .body = INDEX(PART("http://a.test/never.xml"))}},
    {"http://cdn.test/a.xml", {.type = XML,
				  .body = URLSET(PAGE("http://a.test/in-cdn")
					  PAGE("http://b.test/not-vouched"))}},
    {"http://a.test/list.txt",
	{.type = "text/plain", .body = "http://a.test/in-text\nnothing\n"}},
    {"http://a.test/moved.xml",
	{.http_status = 301, .location = "http://a.test/new.xml"}},
    {"http://a.test/new.xml",
	{.type = XML, .body = URLSET(PAGE("http://a.test/in-moved"))}},
    {"http://a.test/in-moved", {.body = "in moved"}},
    {"http://a.test/in-part?a&b", {.body = "<a href=deeper>"}},
    {"http://a.test/deeper", {.body = "deeper"}},
    {"http://a.test/feed",
	{.type = "application/rss+xml",
	    .body = "<rss version='2.0'><channel><item><link>"
		    "http://a.test/in-feed</link></item></channel></rss>"}},
    {"http://a.test/app", {.type = "application/manifest+json",
			      .body = "{\"start_url\": \"/start\", "
				      "\"icons\": [{\"src\": \"icon.png\"}]}"}},
    {"http://a.test/found.xml",
	{.type = XML, .body = URLSET(PAGE("http://a.test/in-found"))}},
    {"http://a.test/image.xml",
	{.type = XML, .body = URLSET(PAGE("http://a.test/in-image"))}},

    /* a server that answers everything with its start page */
    {"http://b.test/robots.txt", {.http_status = 404}},
    {"http://b.test/sitemap.xml", {.body = "<a href=/soft>"}},
    {"http://b.test/seeded", {.body = "seeded"}},

    /* all that a person wants is what a sitemap lists */
    {"http://s.test/seed.xml",
	{.type = XML,
	    .body = URLSET(PAGE("http://s.test/one") PAGE("http://s.test/gone")
		    PAGE("http://b.test/seeded"))}},
    {"http://s.test/one", {.body = "<a href=/two>"}},
};

static struct reply answer(const char *url, unsigned nth)
{
	(void)nth;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (strcmp(places[i].url, url) == 0)
			return places[i].reply;
	}
	return (struct reply){.http_status = 404};
}

#define POLICY                                                          \
	"seeds: [\"http://a.test/\", "                                  \
	"{sitemap: \"http://s.test/seed.xml\", depth: 0, tag: list}]\n" \
	"scope: {hosts: [a.test, b.test, s.test]}\n"

#define NOT_ASKED 0

/* What becomes of each address; all others are asked for by nobody. */
static const struct {
	const char *claim;
	const char *url;
	uint16_t http_status;
	enum pv_reason reason;
} wanted[] = {
    {"/sitemap.xml is asked for", "http://a.test/sitemap.xml", 200, 0},
    {"and read, whatever the server calls it", "http://a.test/guessed", 404, 0},
    {"so is what robots.txt names", "http://a.test/index.xml", 200, 0},
    {"and what an index names", "http://a.test/part.xml", 200, 0},
    {"an index in an index", "http://a.test/inner.xml", 200, 0},
    {"P4: a sitemap on another host", "http://b.test/part.xml", NOT_ASKED,
	PV_REASON_NOT_VOUCHED},
    {"a page is found in a sitemap alone", "http://a.test/in-part?a&b", 200, 0},
    {"and its links count", "http://a.test/deeper", 200, 0},
    {"P4: a page on a host for which the sitemap may not speak",
	"http://b.test/elsewhere", NOT_ASKED, PV_REASON_NOT_VOUCHED},
    {"P4: the scope decides first", "http://c.test/off-scope", NOT_ASKED,
	PV_REASON_HOST},
    {"a sitemap's pages are forbidden as any", "http://a.test/secret/page",
	NOT_ASKED, PV_REASON_ROBOTS},
    {"and so is a sitemap", "http://a.test/secret.xml", NOT_ASKED,
	PV_REASON_ROBOTS},
    {"a host vouches for a sitemap elsewhere", "http://cdn.test/a.xml", 200, 0},
    {"which may speak for it", "http://a.test/in-cdn", 404, 0},
    {"P4: but for no other", "http://b.test/not-vouched", NOT_ASKED,
	PV_REASON_NOT_VOUCHED},
    {"plain text is a sitemap where one is named", "http://a.test/list.txt",
	200, 0},
    {"and read", "http://a.test/in-text", 404, 0},
    {"a sitemap that has moved", "http://a.test/moved.xml", 301, 0},
    {"is read where it is now", "http://a.test/new.xml", 200, 0},
    {"with what it lists", "http://a.test/in-moved", 200, 0},
    {"a feed is a page", "http://a.test/feed", 200, 0},
    {"whose items are pages", "http://a.test/in-feed", 404, 0},
    {"an app's manifest is a part of a page", "http://a.test/app", 200, 0},
    {"whose icons are parts", "http://a.test/icon.png", 404, 0},
    {"a sitemap to which a link leads", "http://a.test/found.xml", 200, 0},
    {"has links as a page has", "http://a.test/in-found", 404, 0},
    {"what is called an image is none", "http://a.test/image.xml", 200, 0},

    {"a start page instead of a sitemap", "http://b.test/sitemap.xml", 200, 0},

    {"a sitemap may be a seed", "http://s.test/seed.xml", 200, 0},
    {"what it lists is asked for", "http://s.test/one", 200, 0},
    {"P4: and nothing behind it, where the policy says so", "http://s.test/two",
	NOT_ASKED, PV_REASON_DEPTH},
    {"be it gone", "http://s.test/gone", 404, 0},
    {"or elsewhere: a person named the sitemap", "http://b.test/seeded", 200,
	0},

    {"", "http://a.test/", 200, 0},
    {"", "http://a.test/linked", 200, 0},
    {"", "http://s.test/sitemap.xml", 404, 0},
};

#define WANTED (sizeof(wanted) / sizeof(*wanted))

static bool is_as_wanted(size_t i)
{
	const struct world_line *line = world_final(wanted[i].url);
	return line && line->http_status == wanted[i].http_status &&
	       line->reason == wanted[i].reason;
}

/* But for what belongs to another host of the list than the seeds'. */
static void is_complete(const char *claim)
{
	unsigned wrong = 0;
	for (size_t i = 0; i < WANTED; i++)
		wrong += !is_as_wanted(i);
	ok(!wrong && world_number("SELECT count(*) FROM addresses") == WANTED &&
		world_is_settled(),
	    "%s (%u are wrong)", claim, wrong);
}

static unsigned test_whole(void)
{
	world_open(answer, POLICY);
	world.policy->scope.sitemaps = true;
	ok(world_run() == PAVANE_FINISHED,
	    "the crawl is finished, and no seed has failed");
	unsigned events = world.events;
	for (size_t i = 0; i < WANTED; i++) {
		if (wanted[i].claim[0])
			ok(is_as_wanted(i), "%s: %s", wanted[i].claim,
			    wanted[i].url);
	}
	is_complete("P3: nothing else is known");
	ok(world_number("SELECT count(*) FROM pages WHERE url = "
			"'http://a.test/in-part?a&b' AND "
			"lastmod = '2026-02-03T00:00:00Z'") == 1,
	    "when a page was changed last is kept");
	ok(world_number("SELECT count(*) FROM pages WHERE use = 'sitemap'") ==
		11,
	    "sitemaps are told from pages");
	ok(world_number("SELECT sum(pages) FROM host_states") == 9,
	    "and do not count as any");
	ok(world_number("SELECT count(*) FROM addresses WHERE tag = 'list'") ==
		5,
	    "a seed's tag goes to what its sitemap lists");
	world_close();
	return events;
}

#define STOPS 12u

static void test_stops(unsigned events)
{
	for (unsigned i = 1; i <= STOPS; i++) {
		char claim[80];
		world_open(answer, POLICY);
		world.policy->scope.sitemaps = true;
		world.stop_at = events * i / (STOPS + 1);
		world.stops = 1;
		world_run();
		world.stop_at = 0;
		world_run();
		snprintf(claim, sizeof(claim),
		    "P3: stopped at event %u, it comes to the same",
		    events * i / (STOPS + 1));
		is_complete(claim);
		world_close();
	}
}

/* Where no links are followed, sitemaps would be the wrong way around. */
static void test_depth(void)
{
	world_open(answer, "seeds: [\"http://a.test/\"]\nscope: {depth: 0}\n");
	world.policy->scope.sitemaps = true;
	world_run();
	ok(world_sent_at("http://a.test/sitemap.xml", 0) < 0 &&
		world_sent_at("http://a.test/index.xml", 0) < 0,
	    "nobody asks for sitemaps where only seeds are wanted");
	world_close();
	world_open(answer, "seeds: [\"http://a.test/\"]\nscope: {depth: 1}\n");
	world.policy->scope.sitemaps = true;
	world_run();
	ok(world_final("http://a.test/in-part?a&b") &&
		world_final("http://a.test/deeper") &&
		world_final("http://a.test/deeper")->reason == PV_REASON_DEPTH,
	    "what a sitemap lists counts as one link away from a seed");
	world_close();
}

static struct reply www(const char *url, unsigned nth)
{
	if (strcmp(url, "http://a.test/sitemap.xml") == 0)
		return (struct reply){
		    .type = XML, .body = URLSET(PAGE("http://www.a.test/www"))};
	(void)nth;
	return (struct reply){.http_status = 404};
}

/* Two names, of which the policy makes one. */
static void test_alias(void)
{
	world_open(www, "seeds: [\"http://a.test/\"]\n"
			"scope: {aliases: {www.a.test: a.test}}\n");
	world.policy->scope.sitemaps = true;
	world_run();
	ok(world_sent_at("http://a.test/www", 0) >= 0,
	    "a sitemap speaks for another name of its host");
	world_close();
}

/* One person's wish, and nobody else's: to leave them alone. */
static void test_unwanted(void)
{
	world_open(answer, "seeds: [\"http://a.test/\"]\n");
	world_run();
	ok(world_sent_at("http://a.test/sitemap.xml", 0) < 0 &&
		world_sent_at("http://a.test/index.xml", 0) < 0,
	    "nor where the policy does not want them");
	world_close();
}

static void test_guess(void)
{
	world_open(answer, "seeds: [\"http://a.test/\"]\n"
			   "scope: {sitemap_guess: false}\n");
	world.policy->scope.sitemaps = true;
	world_run();
	ok(world_sent_at("http://a.test/sitemap.xml", 0) < 0,
	    "nobody asks for one that may not be there, if that is not wanted");
	ok(world_sent_at("http://a.test/index.xml", 0) >= 0 &&
		world_sent_at("http://a.test/in-text", 0) >= 0,
	    "but for those that are named");
	world_close();
}

int main(void)
{
	test_stops(test_whole());
	test_depth();
	test_alias();
	test_unwanted();
	test_guess();
	return tap_done();
}
