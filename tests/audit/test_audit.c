#include "audit/audit.h"

#include <stdlib.h>
#include <unistd.h>

#include "audit/report.h"
#include "base/digest.h"
#include "server/run_program.h"
#include "store/length.h"
#include "store/note.h"
#include "store/statement.h"
#include "store/store.h"
#include "tap.h"

/* Journals as a crawl could have written them, and what an audit says of
 * them. Nothing is crawled. */
#define HEAD                                        \
	"version: 1\nseeds: [\"http://a.test/\"]\n" \
	"fetch: {resolve: {\"*.test\": \"127.0.0.1\"}}\noutput: {}\n"
#define PLAIN                                                          \
	"politeness: {delay: 1s, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0}\n"
#define FREE                                                    \
	"politeness: {delay: 0, delay_factor: 0, ip_delay: 0, " \
	"connections: 9}\n"

/* 2026-03-01 at half past nine, when each run began but for what is added. */
#define WALL_MS INT64_C(1772357400000)

struct request {
	const char *host;
	const char *path;
	int64_t run;
	int64_t released_ms;
	int64_t took_ms;  /* from then to its end; it is sent at once, if it is
			     answered */
	int status;       /* 0: no connection */
	const char *more; /* members */
};

#define REQUESTS_MAX 8

struct journal_case {
	const char *claim;
	const char *policy;
	struct request requests[REQUESTS_MAX];
	const char *rule; /* that is broken; NULL: none */
	int64_t was;
	int64_t should;
	const char *robots; /* of http://a.test, as the state keeps it */
	const char *host;   /* of the finding; NULL for a.test */
	int64_t run_walls[3];
};

#define ROBOTS(host)                                                  \
	{                                                             \
		host, "/robots.txt", 1, 0, 5, 404, ",\"robots\":true" \
	}

static const struct journal_case cases[] = {
    {"P1: a rest that is kept", HEAD PLAIN,
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 5, 200, ""},
	    {"a.test", "/b", 1, 2000, 5, 200, ""}},
	.rule = NULL},
    {"P1: a delay between starts that is a millisecond short", HEAD PLAIN,
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 5, 200, ""},
	    {"a.test", "/b", 1, 1999, 5, 200, ""}},
	.rule = "delay", .was = 999, .should = 1000},
    {"P1: a delay from the end that is counted from the start",
	HEAD "politeness: {delay: 1s, delay_factor: 0, ip_delay: 0}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 1005, 500, 200, ""},
	    {"a.test", "/b", 1, 2100, 5, 200, ""}},
	.rule = "delay", .was = 595, .should = 1000},
    {"P1: the same where it is kept",
	HEAD "politeness: {delay: 1s, delay_factor: 0, ip_delay: 0}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 1005, 500, 200, ""},
	    {"a.test", "/b", 1, 2505, 5, 200, ""}},
	.rule = NULL},
    {"P1: what goes on elsewhere is no rest", HEAD PLAIN,
	{ROBOTS("a.test"), ROBOTS("b.test"),
	    {"a.test", "/", 1, 1000, 5, 200, ""},
	    {"b.test", "/", 1, 1001, 5, 200, ""}},
	.rule = NULL},
    {"P1: a clock that two hosts share",
	HEAD PLAIN "domains: {\"*.test\": {share: true}}\n",
	{ROBOTS("a.test"),
	    {"b.test", "/robots.txt", 1, 1000, 5, 404, ",\"robots\":true"},
	    {"a.test", "/", 1, 1900, 5, 200, ""}},
	.rule = "delay", .was = 900, .should = 1000},
    {"P1: a host with a delay of its own",
	HEAD PLAIN "domains: {b.test: {delay: 3s}}\n",
	{ROBOTS("a.test"), ROBOTS("b.test"),
	    {"a.test", "/", 1, 1000, 5, 200, ""},
	    {"b.test", "/", 1, 1000, 5, 200, ""}},
	.rule = "delay", .was = 1000, .should = 3000, .host = "b.test"},
    {"P1: a rest as long as the last answer took",
	HEAD "politeness: {delay: 0, delay_factor: 2, ip_delay: 0}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 400, 200, ""},
	    {"a.test", "/b", 1, 2100, 5, 200, ""}},
	.rule = "slow", .was = 700, .should = 800},
    {"P1: which has its bound",
	HEAD "politeness: {delay: 0, delay_factor: 2, max_delay: 700ms, "
	     "ip_delay: 0}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 400, 200, ""},
	    {"a.test", "/b", 1, 2100, 5, 200, ""}},
	.rule = NULL},
    {"P2: a Retry-After that is not waited for", HEAD PLAIN,
	{ROBOTS("a.test"),
	    {"a.test", "/", 1, 1000, 5, 302, ",\"retry_after_ms\":9000"},
	    {"a.test", "/b", 1, 9000, 5, 200, ""}},
	.rule = "retry-after", .was = 7995, .should = 9000},
    {"P2: nor in the next run", HEAD PLAIN,
	{ROBOTS("a.test"),
	    {"a.test", "/", 1, 1000, 5, 302, ",\"retry_after_ms\":9000"},
	    {"a.test", "/b", 2, 3000, 5, 200, ""}},
	.rule = "retry-after", .was = 5995, .should = 9000,
	.run_walls = {0, 4000}},
    {"P2: one that is, over the end of a run", HEAD PLAIN,
	{ROBOTS("a.test"),
	    {"a.test", "/", 1, 1000, 5, 302, ",\"retry_after_ms\":9000"},
	    {"a.test", "/b", 2, 3000, 5, 200, ""}},
	.run_walls = {0, 8000}},
    {"P2: a clock that was set back shows nothing", HEAD PLAIN,
	{ROBOTS("a.test"),
	    {"a.test", "/", 1, 1000, 5, 302, ",\"retry_after_ms\":9000"},
	    {"a.test", "/b", 2, 3000, 5, 200, ""}},
	.run_walls = {0, -99000}},
    {"P2: back-off after 429", HEAD PLAIN,
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 5, 429, ""},
	    {"a.test", "/b", 1, 60000, 5, 200, ""}},
	.rule = "overload", .was = 58995, .should = 60000},
    {"P2: and after 503, longer than a Retry-After of less", HEAD PLAIN,
	{ROBOTS("a.test"),
	    {"a.test", "/", 1, 1000, 5, 503, ",\"retry_after_ms\":1000"},
	    {"a.test", "/b", 1, 3000, 5, 200, ""}},
	.rule = "overload", .was = 1995, .should = 60000},
    {"P2: back-off after 500", HEAD PLAIN,
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 5, 500, ""},
	    {"a.test", "/b", 1, 3000, 5, 200, ""}},
	.rule = "failure", .was = 1995, .should = 5000},
    {"P2: of two within a millisecond, whichever came first",
	HEAD "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 0, 500, ""},
	    {"a.test", "/b", 1, 1000, 0, 200, ""}},
	.rule = NULL},
    {"P2: but not three within two",
	HEAD "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 0, 500, ""},
	    {"a.test", "/b", 1, 1000, 0, 200, ""},
	    {"a.test", "/c", 1, 1001, 0, 200, ""}},
	.rule = "failure", .was = 1, .should = 5000},
    {"P2: which this machine's own fault asks for none of", HEAD PLAIN,
	{ROBOTS("a.test"),
	    {"a.test", "/", 1, 1000, 5, 0, ",\"own_fault\":true"},
	    {"a.test", "/b", 1, 3000, 5, 200, ""}},
	.rule = NULL},
    {"P1: more at once than connections", HEAD PLAIN,
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 5000, 200, ""},
	    {"a.test", "/b", 1, 3000, 5, 200, ""}},
	.rule = "connections", .was = 2, .should = 1},
    {"P1: as many as connections",
	HEAD PLAIN "domains: {a.test: {connections: 2}}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 5000, 200, ""},
	    {"a.test", "/b", 1, 3000, 5, 200, ""}},
	.rule = NULL},
    {"P1: one after the other within a millisecond",
	HEAD "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n",
	{ROBOTS("a.test"), {"a.test", "/b", 1, 1000, 1, 200, ""},
	    {"a.test", "/", 1, 1000, 0, 200, ""}},
	.rule = NULL},
    {"P1: two at once that began in the same millisecond",
	HEAD "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n",
	{ROBOTS("a.test"), {"a.test", "/b", 1, 1000, 2, 200, ""},
	    {"a.test", "/", 1, 1000, 1, 200, ""}},
	.rule = "connections", .was = 2, .should = 1},
    {"P1: the host's own rate",
	HEAD "politeness: {delay: 0, delay_factor: 0, ip_delay: 0, "
	     "max_rate: 2, interval: 10s}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 5, 200, ""},
	    {"a.test", "/b", 1, 9999, 5, 200, ""}},
	.rule = "host-rate", .was = 9999, .should = 10000},
    {"P1: which begins anew",
	HEAD "politeness: {delay: 0, delay_factor: 0, ip_delay: 0, "
	     "max_rate: 2, interval: 10s}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 5, 200, ""},
	    {"a.test", "/b", 1, 10000, 5, 200, ""}},
	.rule = NULL},
    {"P1: two hosts at one address",
	HEAD "politeness: {delay: 0, delay_factor: 0, ip_delay: 250ms}\n",
	{ROBOTS("a.test"),
	    {"b.test", "/robots.txt", 1, 249, 5, 404, ",\"robots\":true"}},
	.rule = "address", .was = 249, .should = 250, .host = "b.test"},
    {"P1: another host there, while one cannot be reached, if nothing is to lie "
     "between",
	HEAD FREE,
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 80, 0, ""},
	    {"b.test", "/robots.txt", 1, 1009, 5, 404, ",\"robots\":true"}},
	.rule = NULL},
    {"P1: the crawl's bucket",
	HEAD FREE "rate: {max_rate: 2, interval: 1s, concurrency: 9}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 10, 5, 200, ""},
	    {"a.test", "/b", 1, 999, 5, 200, ""}},
	.rule = "rate", .was = 0, .should = 1},
    {"P1: which is filled at its ticks",
	HEAD FREE "rate: {max_rate: 2, interval: 1s, concurrency: 9}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 10, 5, 200, ""},
	    {"a.test", "/b", 1, 1000, 5, 200, ""},
	    {"a.test", "/c", 1, 1000, 5, 200, ""}},
	.rule = NULL},
    {"P1: and keeps its burst",
	HEAD FREE
	"rate: {max_rate: 2, interval: 1s, burst: 3, concurrency: 9}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 9000, 5, 200, ""},
	    {"a.test", "/b", 1, 9000, 5, 200, ""},
	    {"a.test", "/c", 1, 9000, 5, 200, ""},
	    {"a.test", "/d", 1, 9000, 5, 200, ""}},
	.rule = "rate", .was = 0, .should = 1},
    {"P1: more at once than concurrency",
	HEAD FREE "rate: {max_rate: 9, interval: 1s, concurrency: 2}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 10, 500, 200, ""},
	    {"a.test", "/b", 1, 11, 500, 200, ""},
	    {"a.test", "/c", 1, 12, 500, 200, ""}},
	.rule = "concurrency", .was = 3, .should = 2},
    {"P1: an hour that is not allowed",
	HEAD PLAIN "domains: {a.test: {allowed_hours: [\"10:00-11:00\"], "
		   "timezone: UTC}}\n",
	{ROBOTS("a.test")}, .rule = "hours", .was = 1799998, .should = 0},
    {"P1: one that is",
	HEAD PLAIN "domains: {a.test: {allowed_hours: [\"09:30-11:00\"], "
		   "timezone: UTC}}\n",
	{ROBOTS("a.test")}, .rule = NULL},
    {"P1: a page before robots.txt", HEAD PLAIN,
	{{"a.test", "/", 1, 1000, 5, 200, ""}}, .rule = "robots-first",
	.was = 0, .should = 0},
    {"P1: or while that could not be had", HEAD PLAIN,
	{{"a.test", "/robots.txt", 1, 0, 5, 503, ",\"robots\":true"},
	    {"a.test", "/", 1, 99000, 5, 200, ""}},
	.rule = "robots-first", .was = 0, .should = 0},
    {"P1: or before its answer had come", HEAD FREE,
	{{"a.test", "/robots.txt", 1, 0, 900, 200, ",\"robots\":true"},
	    {"a.test", "/", 1, 500, 5, 200, ""}},
	.rule = "robots-first", .was = 0, .should = 0},
    {"P1: by one of yesterday, since there is no other", HEAD PLAIN,
	{{"a.test", "/robots.txt", 1, 0, 5, 200, ",\"robots\":true"},
	    {"a.test", "/robots.txt", 1, 70000000, 5, 500, ",\"robots\":true"},
	    {"a.test", "/", 1, 86000000, 5, 200, ""}},
	.rule = NULL},
    {"P1: by one that is older", HEAD PLAIN,
	{{"a.test", "/robots.txt", 1, 0, 5, 200, ",\"robots\":true"},
	    {"a.test", "/robots.txt", 1, 70000000, 5, 500, ",\"robots\":true"},
	    {"a.test", "/", 1, 86500000, 5, 200, ""}},
	.rule = "robots-first", .was = 0, .should = 0},
    {"P1: by one that is older, in another run", HEAD PLAIN,
	{{"a.test", "/robots.txt", 1, 0, 5, 200, ",\"robots\":true"},
	    {"a.test", "/robots.txt", 2, 70000000, 0, 0, ",\"robots\":true"},
	    {"a.test", "/", 2, 86500000, 5, 200, ""}},
	.rule = "robots-first", .was = 0, .should = 0},
    {"P1: unless it was had again", HEAD PLAIN,
	{{"a.test", "/robots.txt", 1, 0, 5, 200, ",\"robots\":true"},
	    {"a.test", "/robots.txt", 1, 70000000, 5, 500, ",\"robots\":true"},
	    {"a.test", "/robots.txt", 1, 80000000, 5, 404, ",\"robots\":true"},
	    {"a.test", "/", 1, 86500000, 5, 200, ""}},
	.rule = NULL},
    {"P1: robots.txt that lies elsewhere", HEAD PLAIN,
	{{"a.test", "/robots.txt", 1, 0, 5, 301, ",\"robots\":true"},
	    {"b.test", "/r", 1, 0, 5, 200,
		",\"robots\":true,\"robots_of\":\"http://a.test\""},
	    {"a.test", "/", 1, 1000, 5, 200, ""}},
	.rule = NULL},
    {"P1: that is left aside",
	HEAD PLAIN "domains: {a.test: {robots: ignore}}\n",
	{{"a.test", "/", 1, 1000, 5, 200, ""}}, .rule = NULL},
    {"P1: what robots.txt forbids", HEAD PLAIN,
	{{"a.test", "/robots.txt", 1, 0, 5, 200, ",\"robots\":true"},
	    {"a.test", "/private/b?c", 1, 1000, 5, 200, ""}},
	.rule = "robots", .was = 2, .should = 0,
	.robots = "User-agent: *\nDisallow: /private\n"},
    {"P1: what it allows", HEAD PLAIN,
	{{"a.test", "/robots.txt", 1, 0, 5, 200, ",\"robots\":true"},
	    {"a.test", "/public", 1, 1000, 5, 200, ""}},
	.robots = "User-agent: *\nDisallow: /private\n"},
    {"P1: Crawl-delay", HEAD PLAIN,
	{{"a.test", "/robots.txt", 1, 0, 5, 200, ",\"robots\":true"},
	    {"a.test", "/b", 1, 2999, 5, 200, ""}},
	.rule = "crawl-delay", .was = 2999, .should = 3000,
	.robots = "User-agent: *\nCrawl-delay: 3\n"},
    {"P1: Visit-time", HEAD PLAIN,
	{{"a.test", "/robots.txt", 1, 0, 5, 200, ",\"robots\":true"},
	    {"a.test", "/b", 1, 2000, 5, 200, ""}},
	.rule = "visit-time", .was = 1797998, .should = 0,
	.robots = "User-agent: *\nVisit-time: 1000-1100\n"},
    {"P1: what bandwidth held back is no answer that took long",
	HEAD "politeness: {delay: 0, delay_factor: 2, ip_delay: 0}\n",
	{ROBOTS("a.test"),
	    {"a.test", "/", 1, 1000, 400, 200, ",\"held_ms\":350"},
	    {"a.test", "/b", 1, 1500, 5, 200, ""}},
	.rule = NULL},
    {"P1: an hour that begins just now, as two clocks tell it",
	HEAD PLAIN "domains: {a.test: {allowed_hours: [\"09:30-11:00\"], "
		   "timezone: UTC}}\n",
	{ROBOTS("a.test")}, .rule = NULL, .run_walls = {-1}},
    {"P3: of those that started at once, the gap of the first", HEAD FREE,
	{ROBOTS("a.test"), {"a.test", "/b", 1, 1000, 5, 200, ",\"gap_ms\":0"},
	    {"a.test", "/", 1, 1000, 5, 200, ",\"gap_ms\":1000"}},
	.rule = NULL},
    {"P3: a gap that its times do not leave", HEAD PLAIN,
	{ROBOTS("a.test"),
	    {"a.test", "/", 1, 1000, 5, 200, ",\"gap_ms\":1001"}},
	.rule = "journal", .was = 1000, .should = 1001},
};

/* Writing a directory */

static void append_request(struct pv_buf *journal,
    const struct journal_case *it, const struct request *request)
{
	static const char digest[] = ",\"digest\":\"sha256:%s\"";
	int64_t wall_ms =
	    request->released_ms + it->run_walls[request->run - 1];
	char kept[65] = "";
	if (it->robots && strstr(request->more, "robots")) {
		uint8_t bytes[PV_DIGEST_SIZE];
		struct pv_buf text;
		pv_buf_init(&text, sizeof(kept));
		pv_digest(pv_str_of(it->robots), bytes);
		pv_digest_write(bytes, &text);
		memcpy(kept, text.ptr, text.len + 1);
		pv_buf_finish(&text);
	}
	int64_t at_ms = WALL_MS + wall_ms;
	time_t seconds = (time_t)(at_ms / 1000);
	struct tm parts;
	char time[64];
	gmtime_r(&seconds, &parts);
	strftime(time, sizeof(time), "%Y-%m-%dT%H:%M:%S", &parts);
	pv_buf_append_format(journal,
	    "{\"time\":\"%s.%03dZ\",\"url\":\"http://%s%s\",\"host\":\"%s\","
	    "\"ip\":\"127.0.0.1\",\"outcome\":\"%s\",\"attempt\":1,"
	    "\"run\":%lld,\"released_ms\":%lld,\"end_ms\":%lld",
	    time, (int)(at_ms % 1000), request->host, request->path,
	    request->host, request->status ? "answered" : "no-connection",
	    (long long)request->run, (long long)request->released_ms,
	    (long long)(request->released_ms + request->took_ms));
	if (request->status)
		pv_buf_append_format(journal, ",\"sent_ms\":%lld,\"status\":%d",
		    (long long)request->released_ms, request->status);
	if (kept[0])
		pv_buf_append_format(journal, digest, kept);
	pv_buf_append_format(journal, "%s}\n", request->more);
}

static void keep_robots(struct pv_database *database, const char *text)
{
	struct pv_statement *add = pv_statement_create(database,
	    "INSERT INTO authorities(name, state, asked_wall_ms, "
	    "until_wall_ms, failures, failed_since_wall_ms, http_status, "
	    "is_cut, text) VALUES('http://a.test', 0, 0, 0, 0, 0, 200, 0, "
	    "?1)");
	pv_statement_bind_text(add, 1, pv_str_of(text));
	pv_statement_run(add);
	pv_statement_destroy(add);
}

static bool write_state(
    struct home *home, const struct journal_case *it, uint64_t length)
{
	struct pv_why why;
	struct pv_store_options options = {
	    .directory = home->path,
	    .count_ceiling = PV_STORE_COUNT_CEILING,
	    .bytes_ceiling = PV_STORE_BYTES_CEILING,
	};
	pv_why_init(&why);
	struct pv_store *store = pv_store_open(&options, &why);
	if (store) {
		pv_length_set(store->database, PV_STR("journal.jsonl"), length);
		pv_note_set(store->database, PV_STR("runs"), 2);
		if (it->robots)
			keep_robots(store->database, it->robots);
	}
	pv_store_close(store);
	pv_why_finish(&why);
	return store != NULL;
}

static bool write_all(struct home *home, const struct journal_case *it)
{
	struct pv_buf journal;
	pv_buf_init(&journal, 1 << 20);
	for (size_t i = 0; i < REQUESTS_MAX && it->requests[i].host; i++)
		append_request(&journal, it, &it->requests[i]);
	bool is_written = write_state(home, it, journal.len);
	home_write(home, "journal.jsonl", pv_buf_str(&journal));
	home_write(home, "policy.yaml", pv_str_of(it->policy));
	pv_buf_finish(&journal);
	return is_written;
}

/* Judging: a ledger is none of these journals', and so it differs. */

static void judge_findings(
    const struct pv_audit *audit, const struct journal_case *it)
{
	const struct pv_audit_finding *found = NULL;
	size_t count = 0;
	for (size_t i = 0; i < audit->findings.kept; i++) {
		if (audit->findings.items[i].rule == PV_AUDIT_LEDGER)
			continue;
		found = &audit->findings.items[i];
		count++;
	}
	bool is_right = !found == !it->rule && count <= 1;
	if (found && it->rule)
		is_right =
		    is_right && found->was == it->was &&
		    found->should == it->should && found->line > 0 &&
		    strcmp(pv_audit_rule_word(found->rule), it->rule) == 0 &&
		    pv_str_equal(audit->terms.hosts.items[found->host],
			pv_str_of(it->host ? it->host : "a.test"));
	ok(is_right, "%s: %s", it->claim, it->rule ? it->rule : "kept");
	for (size_t i = 0; !is_right && i < audit->findings.kept; i++) {
		struct pv_buf text;
		pv_buf_init(&text, 4096);
		pv_audit_finding_write(&audit->findings.items[i], &text);
		printf("# line %lld: %s: %s\n",
		    (long long)audit->findings.items[i].line,
		    pv_audit_rule_word(audit->findings.items[i].rule),
		    pv_buf_text(&text));
		pv_buf_finish(&text);
	}
}

static void judge(const struct journal_case *it)
{
	struct home home;
	struct pv_why why;
	pv_why_init(&why);
	if (!home_make(&home) || !write_all(&home, it)) {
		ok(false, "a directory can be written");
		return;
	}
	struct pv_audit *audit = pv_audit_create(home.path, "UTC", &why);
	if (audit)
		judge_findings(audit, it);
	else
		ok(false, "%s: %s", it->claim,
		    why.problems.kept_count ? why.problems.kept[0].text : "");
	pv_audit_destroy(audit);
	pv_why_finish(&why);
	home_remove(&home);
}

/* What cannot be read */

static const struct {
	const char *claim;
	const char *journal; /* NULL: there is none */
	int more;            /* is promised than is there */
	const char *policy;
	const char *text; /* of the problem */
} damages[] = {
    {"no journal", NULL, 0, HEAD, "cannot be opened"},
    {"one that was cut", "", 1, HEAD, "ends before"},
    {"a line that is none", "{\"time\":\"now\"}\n", 0, HEAD,
	"is no line of a journal"},
    {"no JSON", "\n", 0, HEAD, "is no line of a journal"},
    {"a line without an end", "{}", 0, HEAD, "has no end"},
    {"an address that is none",
	"{\"time\":\"2026-03-01T09:30:00.250Z\",\"url\":\"x\",\"host\":\"a\","
	"\"outcome\":\"answered\",\"run\":1,\"released_ms\":0,\"end_ms\":1}\n",
	0, HEAD, "is no line of a journal"},
    {"a run that never was",
	"{\"time\":\"2026-03-01T09:30:00.250Z\",\"url\":\"http://a.test/\","
	"\"host\":\"a\",\"outcome\":\"answered\",\"run\":900000000000,"
	"\"released_ms\":0,\"end_ms\":1}\n",
	0, HEAD, "is no line of a journal"},
    {"a policy that is wrong",
	"{\"time\":\"2026-03-01T09:30:00.250Z\",\"url\":\"http://a.test/\","
	"\"host\":\"a.test\",\"outcome\":\"answered\",\"run\":1,"
	"\"released_ms\":0,\"end_ms\":1}\n",
	0, "version: 1\nrats: {}\n", "rat"},
};

static void test_damages(void)
{
	static const struct journal_case nothing = {.claim = ""};
	for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		struct home home;
		struct pv_why why;
		struct pv_str text =
		    pv_str_of(damages[i].journal ? damages[i].journal : "");
		pv_why_init(&why);
		home_make(&home);
		write_state(
		    &home, &nothing, text.len + (uint64_t)damages[i].more);
		if (damages[i].journal)
			home_write(&home, "journal.jsonl", text);
		home_write(&home, "policy.yaml", pv_str_of(damages[i].policy));
		struct pv_audit *audit = pv_audit_create(home.path, NULL, &why);
		const char *found =
		    why.problems.kept_count ? why.problems.kept[0].text : "";
		ok(!audit &&
			(strstr(found, damages[i].text) ||
			    strstr(why.problems.kept[0].key, damages[i].text)),
		    "%s: is told (%s)", damages[i].claim, found);
		pv_audit_destroy(audit);
		pv_why_finish(&why);
		home_remove(&home);
	}
}

static void test_foreign(void)
{
	struct home home;
	struct pv_why why;
	pv_why_init(&why);
	home_make(&home);
	ok(!pv_audit_create(home.path, NULL, &why) && why.problems.count == 1 &&
		strstr(why.problems.kept[0].text, "is no crawl's directory"),
	    "a directory that is no crawl's is not audited");
	home_write(&home, "state.db", PV_STR("no database at all, and so on"));
	pv_why_finish(&why);
	pv_why_init(&why);
	ok(!pv_audit_create(home.path, NULL, &why) &&
		strstr(why.problems.kept[0].text, "is no crawl's directory"),
	    "nor one whose state is none");
	pv_why_finish(&why);
	home_remove(&home);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		judge(&cases[i]);
	test_damages();
	test_foreign();
	return tap_done();
}
