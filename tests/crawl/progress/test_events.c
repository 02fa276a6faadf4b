#include "crawl/progress/events.h"

#include "crawl/conductor.h"
#include "crawl/world.h"

/* What is logged of hosts (-v) and of requests (-vv). */

static struct {
	enum pv_log_level level;
	struct pv_buf lines;
} heard;

static void hear(void *ctx, enum pv_log_level level, struct pv_str line)
{
	(void)ctx;
	(void)level;
	pv_buf_append(&heard.lines, line);
	pv_buf_append_char(&heard.lines, '\n');
}

static void hear_all(struct pv_crawl *crawl)
{
	crawl->log.level = heard.level;
	crawl->log.write = hear;
}

static unsigned times(const char *text)
{
	const char *at = pv_buf_text(&heard.lines);
	unsigned count = 0;
	for (; (at = strstr(at, text)); at++)
		count++;
	return count;
}

static void is_logged(unsigned count, const char *text, const char *claim)
{
	if (!ok(times(text) == count, "%s", claim))
		printf("# not %u times: %s\n# in: %s\n", count, text,
		    pv_buf_text(&heard.lines));
}

static struct reply reply_of(const char *url, unsigned nth)
{
	if (strcmp(url, "http://a.test/robots.txt") == 0)
		return (struct reply){.body = "User-agent: *\nCrawl-delay: 2\n",
		    .type = "text/plain"};
	if (strcmp(url, "http://a.test/") == 0)
		return (struct reply){
		    .body = "<a href=/1><a href=/busy><a href=/broken>"
			    "<a href=http://no.test/>",
		    .took_ms = 20};
	if (strcmp(url, "http://a.test/busy") == 0 && nth == 0)
		return (struct reply){
		    .http_status = 503, .header = "Retry-After: 60"};
	if (strcmp(url, "http://a.test/broken") == 0 && nth == 0)
		return (struct reply){.http_status = 500};
	if (strcmp(url, "http://b.test/") == 0 && nth == 0)
		return (struct reply){.outcome = PV_OUTCOME_NO_CONNECTION};
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	return (struct reply){.body = "a page"};
}

static struct world_name find(const char *host, unsigned nth)
{
	(void)nth;
	if (strcmp(host, "no.test") == 0)
		return (struct world_name){.result = PV_NAME_UNKNOWN};
	return (struct world_name){PV_NAME_FOUND,
	    strcmp(host, "a.test") == 0 ? "10.0.0.1" : "10.0.0.2", 0};
}

static void run(enum pv_log_level level)
{
	heard.level = level;
	pv_buf_clear(&heard.lines);
	world_open(reply_of,
	    "seeds: [\"http://a.test/\", \"http://b.test/\"]\n"
	    "domains: {\"*.test\": {backoff: {failure: 5s, max: 9s}}}\n"
	    "scope: {hosts: any}\n");
	world.look_up = find;
	world.before_run = hear_all;
	ok(world_run() == PAVANE_FINISHED, "a crawl of two hosts ends");
	world_close();
}

static void test_hosts(void)
{
	run(PV_LOG_DEBUG);
	is_logged(1, "a.test: found at 10.0.0.1\n", "a host is found once");
	is_logged(1, "no.test: not requested: as the test says\n",
	    "P4: that a host is not requested is logged, with the reason");
	is_logged(1, "http://a.test: robots.txt read\n",
	    "that its robots.txt was read is logged");
	is_logged(1, "http://b.test: robots.txt is not there: all may be",
	    "and that there is none");
	is_logged(1,
	    "a.test: rests 2s after each request, as its robots.txt asks",
	    "and what it asks for");
	is_logged(1, " (Retry-After; failures in a row: 1)\n",
	    "P4: that a host asks for a rest is logged");
	is_logged(1, " (back-off after a failure; failures in a row: ",
	    "P4: so is back-off after a failure");
	is_logged(1, "b.test: rests until ", "with the host and the end");
	is_logged(1, " (back-off, no connection; failures in a row: 1)\n",
	    "also where no connection was made");
	is_logged(1, "a.test: done: pages: 4, bytes: ",
	    "that nothing is left is logged once");
	is_logged(0, "http://a.test/1", "requests are not");
}

static void test_requests(void)
{
	run(PV_LOG_TRACE);
	is_logged(1, "\n200 6 B 1 ms http://a.test/1\n",
	    "a request is logged with status, size, time and address");
	is_logged(1, "\n404 0 B 1 ms http://b.test/robots.txt\n",
	    "also that of a robots.txt");
	is_logged(1, "\nno-connection 0 B 1 ms http://b.test/\n",
	    "and one without an answer, with its outcome");
	is_logged(1, "a.test: found at 10.0.0.1\n", "events of hosts are, too");
	run(PV_LOG_INFO);
	is_logged(0, "a.test: found", "without a wish for it nothing is");
}

int main(void)
{
	pv_buf_init(&heard.lines, 1 << 20);
	test_hosts();
	test_requests();
	pv_buf_finish(&heard.lines);
	return tap_done();
}
