#include "crawl/run/crawl.h"
#include "crawl/run/running.h"

#include "crawl/conductor.h"
#include "crawl/world.h"
#include "random.h"
#include "store/statement.h"

/* Webs by chance: hosts that fail, redirect, close their robots.txt and lose
 * their names, crawled once undisturbed and once with stops and faults by
 * chance. Both must come to the same end, and no host may be asked too soon.
 *
 * What an address answers depends on the web's seed alone, but that failures
 * go by. PAVANE_WEBS says how many webs, PAVANE_WEB which one comes first.
 */
#define HOSTS 6
#define PAGES 12 /* of a host */
#define WEBS 3

static uint64_t web;

/* A number for a thing of this web, under `limit`. */
static size_t chance(const char *what, const char *name, size_t limit)
{
	struct pv_hash_key key = {{web, 1}};
	struct pv_hash_key other = {{pv_hash(&key, pv_str_of(what)), 2}};
	return (size_t)(pv_hash(&other, pv_str_of(name)) % limit);
}

static void write_url(char *text, size_t size, uint64_t number)
{
	size_t host = number % (HOSTS + 1); /* the last is never a seed */
	snprintf(text, size, "http://h%zu.test/%zu", host,
	    (size_t)(number / 7 % PAGES));
}

static struct reply body_of(const char *url)
{
	static char body[4096];
	size_t len = 0, count = chance("links", url, 8);
	for (size_t i = 0; i < count; i++) {
		char target[64];
		struct pv_hash_key key = {{web, 3 + i}};
		uint64_t number = pv_hash(&key, pv_str_of(url));
		write_url(target, sizeof(target), number);
		len += (size_t)snprintf(body + len, sizeof(body) - len,
		    number % 5 == 0   ? "<img src=%s>\n"
		    : number % 7 == 0 ? "<a rel=nofollow href=%s>\n"
				      : "<a href=%s>\n",
		    target);
	}
	return (struct reply){
	    .body = count ? body : "x", .took_ms = chance("time", url, 4)};
}

static struct reply moved(const char *url)
{
	static char target[64];
	struct pv_hash_key key = {{web, 99}};
	write_url(target, sizeof(target), pv_hash(&key, pv_str_of(url)));
	return (struct reply){.http_status = 302, .location = target};
}

static struct reply robots(const char *url, unsigned nth)
{
	switch (chance("robots", url, 8)) {
	case 0:
		return nth ? (struct reply){.http_status = 404}
			   : (struct reply){.http_status = 503};
	case 1:
		return nth < 2 ? (struct reply){.outcome = PV_OUTCOME_TIMEOUT}
			       : (struct reply){.http_status = 404};
	case 2:
		return (struct reply){
		    .body = "User-agent: *\nDisallow: /3\nDisallow: /1\n"};
	case 3:
		return (struct reply){
		    .body = "User-agent: *\nCrawl-delay: 0.02\n"};
	case 4:
		return nth ? (struct reply){.http_status = 404} : moved(url);
	default:
		return (struct reply){.http_status = 404};
	}
}

/* Failures are gone the second time. */
static struct reply fault(const char *url)
{
	switch (chance("fault", url, 16)) {
	case 0:
		return (struct reply){.http_status = 503};
	case 1:
		return (struct reply){.outcome = PV_OUTCOME_TIMEOUT};
	case 2:
		return (struct reply){.outcome = PV_OUTCOME_NO_CONNECTION};
	case 3:
		return (struct reply){
		    .outcome = PV_OUTCOME_NO_CONNECTION, .is_own_fault = true};
	default:
		return (struct reply){.outcome = PV_OUTCOME_NONE};
	}
}

static struct reply answer(const char *url, unsigned nth)
{
	if (strstr(url, "/robots.txt"))
		return robots(url, nth);
	struct reply first = fault(url);
	if (!nth && (first.outcome || first.http_status))
		return first;
	switch (chance("page", url, 10)) {
	case 0:
		return (struct reply){.http_status = 404};
	case 1:
	case 2:
		return moved(url);
	case 3:
		return (struct reply){
		    .outcome = PV_OUTCOME_TLS, .stage = PV_STAGE_TLS};
	default:
		return body_of(url);
	}
}

static struct world_name look_up(const char *host, unsigned nth)
{
	static char address[32];
	snprintf(address, sizeof(address), "10.0.0.%zu",
	    1 + chance("address", host, 4));
	struct world_name found = {
	    PV_NAME_FOUND, address, chance("kept", host, 3) ? 0 : 30};
	switch (chance("name", host, 10)) {
	case 0:
		return nth < 2 ? (struct world_name){PV_NAME_NO_ANSWER, NULL, 0}
			       : found;
	case 1:
		return (struct world_name){PV_NAME_UNKNOWN, NULL, 0};
	case 2:
		return (struct world_name){PV_NAME_FORBIDDEN, NULL, 0};
	default:
		return found;
	}
}

/* The delay of all hosts; connections are many in some webs. */
static int64_t delay_ms;
static size_t connections;

static void open_web(void)
{
	char policy[500], depth[16];
	struct random random = random_of(web);
	delay_ms = (int64_t)random_below(&random, 5);
	connections = random_below(&random, 2) ? 1 : 3;
	snprintf(depth, sizeof(depth), "%zu", random_below(&random, 6));
	snprintf(policy, sizeof(policy),
	    "seeds: [\"http://h{0..5}.test/0\", {url: \"http://h1.test/1\", "
	    "depth: 4}]\n"
	    "scope:\n"
	    "  hosts: [h0.test, h1.test, h2.test, h3.test, h4.test, h5.test]\n"
	    "  depth: %s\n"
	    "  hops: %zu\n"
	    "domains:\n"
	    "  \"*.test\": {delay: %lldms, connections: %zu}\n",
	    random_below(&random, 3) ? "none" : depth, random_below(&random, 3),
	    (long long)delay_ms, connections);
	world_open(answer, policy);
	world.look_up = look_up;
}

#define HOST_LEN strlen("http://h0.test")

/* P1, as the servers see it, of hosts that are asked one thing at a time. */
static unsigned count_early(size_t first)
{
	unsigned early = 0;
	for (size_t i = first; connections == 1 && i < world.request_count;
	     i++) {
		const struct world_request *one = &world.requests[i];
		for (size_t j = first; one->sent_ms && j < i; j++) {
			const struct world_request *other = &world.requests[j];
			if (strncmp(one->url, other->url, HOST_LEN) != 0 ||
			    !other->sent_ms)
				continue;
			int64_t last_ms =
			    other->end_ms ? other->end_ms : other->sent_ms;
			if (one->sent_ms - last_ms < delay_ms)
				early++;
		}
	}
	return early;
}

/* All that is known of addresses, whatever their order. */
static uint64_t sum_of_state(void)
{
	uint64_t sum = 0;
	struct pv_database *database =
	    pv_database_look(scratch_file(&world.scratch, "state.db"));
	struct pv_statement *statement = pv_statement_create(database,
	    "SELECT url, state, CASE state WHEN 2 THEN outcome ELSE 0 END, "
	    "CASE state WHEN 2 THEN http_status ELSE reason END "
	    "FROM addresses");
	while (pv_statement_step(statement)) {
		struct pv_hash_key key = {
		    {(uint64_t)pv_statement_number(statement, 1) * 1000 +
			    (uint64_t)pv_statement_number(statement, 2),
			(uint64_t)pv_statement_number(statement, 3)}};
		sum += pv_hash(&key, pv_statement_text(statement, 0));
	}
	pv_statement_destroy(statement);
	pv_database_close(database);
	return sum;
}

static bool is_over(void)
{
	return world_number("SELECT count(*) FROM addresses WHERE state < 2") ==
		   0 &&
	       world_number(
		   "SELECT count(*) FROM hosts WHERE state = 'held'") == 0;
}

static bool is_finished(enum pavane_end end)
{
	return end == PAVANE_FINISHED || end == PAVANE_NOT_BEGUN;
}

static void show_state(void)
{
	struct pv_database *database =
	    pv_database_look(scratch_file(&world.scratch, "state.db"));
	struct pv_statement *statement = pv_statement_create(database,
	    "SELECT url || ' state ' || state || ' outcome ' || outcome || "
	    "' status ' || http_status || ' reason ' || reason || ' use ' || "
	    "use || ' depth ' || depth || ' left ' || depth_left || ' hops ' "
	    "|| hops || ' redirects ' || redirects FROM addresses "
	    "ORDER BY url");
	while (pv_statement_step(statement))
		printf("# %.*s\n", PV_STR_ARG(pv_statement_text(statement, 0)));
	pv_statement_destroy(statement);
	pv_database_close(database);
}

struct course {
	uint64_t sum;
	unsigned events;
	unsigned early;
	bool is_over;
};

static struct course undisturbed(void)
{
	struct course course = {0};
	open_web();
	enum pavane_end end = world_run();
	course.events = world.events;
	course.is_over = is_finished(end) && is_over();
	course.early = count_early(0);
	course.sum = sum_of_state();
	if (!course.is_over)
		printf("# web %llu: ended with %d\n", (unsigned long long)web,
		    end);
	if (getenv("PAVANE_SHOW"))
		show_state();
	world_close();
	return course;
}

/* Stops and faults, until nothing disturbs it any more. */
static struct course disturbed(unsigned events)
{
	struct course course = {0};
	struct random random = random_of(web + 1000000);
	enum pavane_end end = PAVANE_STOPPED;
	open_web();
	for (unsigned i = 0; i < 8 && !is_finished(end); i++) {
		world.stop_at = world.fail_at = 0;
		if (i < 7 && random_below(&random, 4))
			world.stop_at =
			    1 + (unsigned)random_below(&random, events / 2);
		else if (i < 7)
			world.fail_at = 1 + (unsigned)random_below(&random, 20);
		world.stops = 1 + (unsigned)random_below(&random, 2);
		size_t before = world.request_count;
		end = world_run();
		course.early += count_early(before);
	}
	course.is_over = is_finished(end) && is_over();
	course.sum = sum_of_state();
	if (!course.is_over)
		printf("# web %llu, disturbed: ended with %d\n",
		    (unsigned long long)web, end);
	if (getenv("PAVANE_SHOW"))
		show_state();
	world_close();
	return course;
}

static size_t setting(const char *name, size_t usual)
{
	const char *text = getenv(name);
	return text ? (size_t)strtoul(text, NULL, 10) : usual;
}

int main(void)
{
	uint64_t first = setting("PAVANE_WEB", 1);
	uint64_t end = first + setting("PAVANE_WEBS", WEBS);
	for (web = first; web < end; web++) {
		struct course whole = undisturbed();
		struct course parts = disturbed(whole.events);
		ok(whole.is_over && parts.is_over,
		    "P3, P6: web %llu comes to its end",
		    (unsigned long long)web);
		ok(whole.sum == parts.sum, "P3: the same whatever disturbs it");
		ok(whole.early == 0 && parts.early == 0,
		    "P1: and no host is asked too soon (%u, %u)", whole.early,
		    parts.early);
	}
	return tap_done();
}
