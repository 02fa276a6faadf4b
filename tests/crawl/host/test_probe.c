#include "crawl/host/probe.h"

#include "crawl/host/clock_claims.h"
#include "crawl/visit/flight.h"
#include "crawl/world.h"

/* Hosts whose last pages are all broken, so that they are probed with pages
 * that they have answered well before (P1, P2, P7). */

#define GOOD 12
#define BAD 24
#define MINUTE_MS INT64_C(60000)
#define HOUR_MS (60 * MINUTE_MS)
#define DAY_MS (24 * HOUR_MS)

static struct probe_world {
	bool has_two;          /* all of it at port 8080, too */
	int64_t forbids_after; /* then robots.txt forbids what is good, but at
				  port 8080 never; 0: it does not */
	int64_t refused_ms;    /* so long another crawl keeps the host from the
				  first probe */
} host;

static bool starts(const char *url, const char *beginning)
{
	return strncmp(url, beginning, strlen(beginning)) == 0;
}

static const char *path_of(const char *url)
{
	return strchr(url + strlen("http://"), '/');
}

static bool is_first_port(const char *url)
{
	return !strstr(url, ":8080/");
}

static bool forbids(const char *url)
{
	return host.forbids_after && world_now() >= host.forbids_after &&
	       is_first_port(url);
}

/* The good ones and then the broken ones, those of both ports by turns. */
static const char *links(void)
{
	static char text[8192];
	size_t len = 0;
	for (int i = 0; i < GOOD + BAD; i++) {
		const char *kind = i < GOOD ? "g" : "b";
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		    "<a href=http://a.test/%s%d>", kind, i);
		if (host.has_two)
			len += (size_t)snprintf(text + len, sizeof(text) - len,
			    "<a href=http://a.test:8080/%s%d>", kind, i);
	}
	return text;
}

static struct reply answer(const char *url, unsigned nth)
{
	const char *path = path_of(url);
	(void)nth;
	if (strcmp(path, "/robots.txt") == 0)
		return (struct reply){.type = "text/plain",
		    .body = forbids(url) ? "User-agent: *\nDisallow: /g\n"
					 : "User-agent: *\nDisallow:\n"};
	if (starts(path, "/b"))
		return (struct reply){.http_status = 500};
	return (struct reply){.body = strcmp(path, "/") == 0 ? links() : "g"};
}

/* In the place of the real ones: another crawl keeps the host from the first
 * probe. */
void pv_clock_claims_open(struct pv_crawl *crawl, const char *directory)
{
	(void)crawl;
	(void)directory;
}

void pv_clock_claims_close(struct pv_crawl *crawl)
{
	(void)crawl;
}

void pv_clock_claims_hear(struct pv_crawl *crawl)
{
	(void)crawl;
}

void pv_clock_claims_forget(struct pv_host_claims *claims)
{
	(void)claims;
}

bool pv_clock_claims_begin(struct pv_flight *flight, int64_t *until)
{
	*until = 0;
	if (!flight->task->is_probe || !host.refused_ms)
		return true;
	int64_t now = pv_crawl_now(flight->crawl);
	pv_schedule_host_defer_clock(flight->crawl->schedule,
	    flight->host->scheduled, now + host.refused_ms, now);
	host.refused_ms = 0;
	return false;
}

void pv_clock_claims_sent(struct pv_flight *flight, int64_t now)
{
	(void)flight;
	(void)now;
}

void pv_clock_claims_end(
    struct pv_flight *flight, bool is_given_up, int64_t now)
{
	(void)flight;
	(void)is_given_up;
	(void)now;
}

static size_t count_probes(uint16_t http_status)
{
	size_t count = 0;
	for (size_t i = 0; i < world.line_count; i++)
		count += world.lines[i].is_probe &&
			 world.lines[i].http_status == http_status;
	return count;
}

/* Between each two requests. */
static int64_t least_gap(void)
{
	int64_t least = INT64_MAX;
	for (size_t i = 1; i < world.request_count; i++) {
		int64_t gap =
		    world.requests[i].sent_ms - world.requests[i - 1].sent_ms;
		least = gap < least ? gap : least;
	}
	return least;
}

/* Requests for good pages under a robots.txt that forbade them, or that was
 * older than a day. */
static size_t count_forbidden(void)
{
	size_t count = 0;
	int64_t asked_at = 0;
	for (size_t i = 0; i < world.request_count; i++) {
		const struct world_request *request = &world.requests[i];
		if (!is_first_port(request->url))
			continue;
		if (starts(path_of(request->url), "/robots.txt"))
			asked_at = request->sent_ms;
		else if (starts(path_of(request->url), "/g"))
			count += (host.forbids_after &&
				     asked_at >= host.forbids_after) ||
				 request->sent_ms > asked_at + DAY_MS;
	}
	return count;
}

static void crawl(const struct probe_world *plan, const char *policy)
{
	host = *plan;
	world_open(answer, policy);
	world.progress_ms = HOUR_MS;
	if (host.forbids_after)
		host.forbids_after += world_now();
	ok(world_run() == PAVANE_FINISHED && world_is_settled(),
	    "P3: a host with %d broken pages is crawled to the end", BAD);
}

#define SEED "seeds: [\"http://a.test/\"]\nfetch: {retries: 1}\n"
#define BACKOFF "backoff: {failure: 5ms, factor: 1, forgive: 30d}"
#define SLOW(more)                                                          \
	"limits: {wait: none}\ndomains: {a.test: {delay: 1m, " BACKOFF more \
	"}}\n"
#define SLOWER \
	"limits: {wait: none}\ndomains: {a.test: {delay: 2h, " BACKOFF "}}\n"

static void test_ignore(void)
{
	crawl(&(struct probe_world){0}, SEED SLOW(", robots: ignore"));
	ok(count_probes(200) > 0, "with robots: ignore it is probed, too");
	ok(world_sent_at("http://a.test/robots.txt", 0) < 0,
	    "and robots.txt is never asked for");
	ok(least_gap() >= MINUTE_MS, "P1: each request keeps the delay");
	world_close();
}

static bool is_login_kept(void)
{
	for (size_t i = 0; i < world.request_count; i++) {
		const struct world_request *request = &world.requests[i];
		bool is_own = is_first_port(request->url) &&
			      !starts(path_of(request->url), "/robots.txt");
		if (request->has_login != is_own)
			return false;
	}
	return true;
}

static void test_login(void)
{
	crawl(&(struct probe_world){.has_two = true},
	    "seeds: [\"http://me:secret@a.test/\"]\nfetch: {retries: 1}\n" SLOW(
		""));
	ok(count_probes(200) > 0, "a host with a login is probed");
	ok(is_login_kept(), "P7: with its login at its own origin, and "
			    "without one at another port or for robots.txt");
	ok(least_gap() >= MINUTE_MS, "P1: each request keeps the delay");
	world_close();
}

static void test_forbidden(void)
{
	crawl(&(struct probe_world){0}, SEED SLOWER);
	ok(count_probes(200) > 0, "a host that rests for hours is probed");
	world_close();
	crawl(&(struct probe_world){.forbids_after = DAY_MS}, SEED SLOWER);
	ok(world_sent_at("http://a.test/robots.txt", 1) > 0,
	    "robots.txt is asked for again");
	ok(count_forbidden() == 0,
	    "what it forbids by then is no probe, nor asked for at all");
	ok(least_gap() >= 2 * HOUR_MS, "P1: each request keeps the delay");
	world_close();
}

static void test_two(void)
{
	crawl(
	    &(struct probe_world){.has_two = true, .forbids_after = 3 * DAY_MS},
	    SEED SLOWER);
	ok(count_probes(200) > 0, "a host with two authorities is probed");
	ok(count_forbidden() == 0,
	    "a page of one is not asked for by the robots.txt of the other");
	ok(least_gap() >= 2 * HOUR_MS, "P1: each request keeps the delay");
	world_close();
}

static void test_others(void)
{
	crawl(&(struct probe_world){.refused_ms = 2 * DAY_MS}, SEED SLOW(""));
	ok(host.refused_ms == 0 && count_probes(200) > 0,
	    "a probe that another crawl kept from the host is made later");
	ok(count_forbidden() == 0,
	    "and not before a robots.txt that is too old by then is asked for");
	ok(least_gap() >= MINUTE_MS, "P1: each request keeps the delay");
	world_close();
}

int main(void)
{
	test_ignore();
	test_login();
	test_forbidden();
	/* Whose page is found first is up to chance. */
	for (int i = 0; i < 4; i++)
		test_two();
	test_others();
	return tap_done();
}
