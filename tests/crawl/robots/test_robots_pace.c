#include "crawl/robots/robots_pace.h"

#include "crawl/world.h"

/* What the robots.txt files of one host ask of its pace (P1). */

#define SECOND_MS 1000
#define PORTS 6
#define LINKS 48

static const char *asks[PORTS]; /* of each port's robots.txt */
static unsigned hours[256];     /* at which pages were asked for */
static unsigned pages;

static unsigned port_of(const char *url)
{
	return (unsigned)(url[strlen("http://a.test:808")] - '0');
}

/* Each page leads to one at the next port. */
static const char *link_of(const char *url)
{
	static char text[64];
	long number = strtol(strrchr(url, '/') + 1, NULL, 10) + 1;
	snprintf(text, sizeof(text), "<a href=http://a.test:808%ld/%ld>",
	    number % PORTS, number);
	return number < LINKS ? text : "the last page";
}

static struct reply answer(const char *url, unsigned nth)
{
	static char text[256];
	(void)nth;
	if (strstr(url, "/robots.txt")) {
		const char *more = asks[port_of(url)];
		snprintf(text, sizeof(text), "User-agent: *\n%s",
		    more ? more : "Disallow:\n");
		return (struct reply){.body = text};
	}
	hours[pages++ % 256] = world_hour();
	return (struct reply){.body = link_of(url)};
}

static void crawl(const char *const wanted[PORTS], const char *claim)
{
	memcpy(asks, wanted, sizeof(asks));
	pages = 0;
	ok(world_run() == PAVANE_FINISHED && world_is_settled(), "%s", claim);
}

#define POLICY(delay)                                              \
	"seeds: [\"http://a.test:8080/\"]\nlimits: {wait: none}\n" \
	"domains: {a.test: {delay: " delay "}}\n"

static void open_world(const char *policy)
{
	world_open(answer, policy);
	world.progress_ms = 3600 * SECOND_MS;
}

/* Between each two requests from that one on. */
static int64_t least_gap(size_t from)
{
	int64_t least = INT64_MAX;
	for (size_t i = from; i + 1 < world.request_count; i++) {
		int64_t gap =
		    world.requests[i + 1].sent_ms - world.requests[i].sent_ms;
		least = gap < least ? gap : least;
	}
	return least;
}

static size_t robots_of(unsigned port)
{
	for (size_t i = 0; i < world.request_count; i++) {
		const char *url = world.requests[i].url;
		if (strstr(url, "/robots.txt") && port_of(url) == port)
			return i;
	}
	return world.request_count;
}

static void test_delays(void)
{
	open_world(POLICY("1s"));
	crawl((const char *const[PORTS]){"Crawl-delay: 2\n",
		  [3] = "Crawl-delay: 5\n", [4] = "Crawl-delay: 3\n"},
	    "a host whose ports ask for delays of their own is crawled");
	ok(robots_of(3) < world.request_count &&
		least_gap(robots_of(0)) >= 2 * SECOND_MS,
	    "P1: what one of them asks for holds for all");
	ok(least_gap(robots_of(3)) >= 5 * SECOND_MS,
	    "P1: of several the longest");
	world_close();
}

static void remember_two(struct pv_crawl *crawl)
{
	crawl->hosts.authorities.max = crawl->hosts.authorities.room = 2;
}

static void test_forgotten(void)
{
	open_world(POLICY("1s"));
	world.before_run = remember_two;
	crawl((const char *const[PORTS]){[1] = "Crawl-delay: 5\n"},
	    "a host with more ports than are remembered is crawled");
	ok(robots_of(1) < world.request_count &&
		least_gap(robots_of(1)) >= 5 * SECOND_MS,
	    "P1: a Crawl-delay holds when its port has been forgotten");
	world_close();
}

/* Asked for after all of them were known. */
static bool are_hours(unsigned from, unsigned to)
{
	for (unsigned i = LINKS / 2; i < pages; i++) {
		if (hours[i] < from || hours[i] >= to)
			return false;
	}
	return pages > LINKS / 2;
}

static void test_hours(void)
{
	static const char *const wanted[PORTS] = {
	    [1] = "Visit-time: 0600-1200\n", [4] = "Visit-time: 1000-1400\n"};
	open_world(POLICY("20m"));
	crawl(wanted, "a host whose ports ask for hours is crawled");
	ok(are_hours(10, 12), "P1: it is asked at those that suit them all");
	world_close();
	open_world(POLICY("20m"));
	world.before_run = remember_two;
	crawl(wanted, "so is one with more ports than are remembered");
	ok(are_hours(10, 12), "P1: and what is forgotten of its hours holds");
	world_close();
}

int main(void)
{
	test_delays();
	test_forgotten();
	test_hours();
	return tap_done();
}
