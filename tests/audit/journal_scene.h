#ifndef PAVANE_TESTS_AUDIT_JOURNAL_SCENE_H
#define PAVANE_TESTS_AUDIT_JOURNAL_SCENE_H

#include <stdlib.h>
#include <unistd.h>

#include "audit/audit.h"
#include "base/digest.h"
#include "server/run_program.h"
#include "store/statement.h"
#include "store/store.h"
#include "store/tables/length.h"
#include "store/tables/merge_notes.h"
#include "store/tables/note.h"
#include "tap.h"

/* Journals as a crawl could have written them, and what an audit says of
 * them. Nothing is crawled. A walk of the audit has its table of them in a test
 * of its own. */
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
	int64_t run; /* 0: its version said nothing of when */
	int64_t released_ms;
	int64_t took_ms;  /* from then to its end; it is sent at once, if it is
			     answered */
	int status;       /* 0: no connection */
	const char *more; /* members */
};

#define REQUESTS_MAX 20

struct journal_case {
	const char *claim;
	const char *policy; /* of the first run, and of those after it ... */
	struct request requests[REQUESTS_MAX];
	const char *rule; /* that is broken; NULL: none */
	int64_t was;
	int64_t should;
	const char *robots; /* of http://a.test, as the state keeps it */
	const char *host;   /* of the finding; NULL for a.test */
	int64_t run_walls[3];
	const char *policy_2; /* ... unless this is that of the second */

	/* Of a merge of two workers, 1 and 2, each with runs of its own */
	bool is_merge;
	const char *clocks; /* what they wrote down; NULL: nothing */
	int64_t ahead_ms;   /* what the second one's clock shows more than that
			       of the first */
};

#define ROBOTS(host)                                                  \
	{                                                             \
		host, "/robots.txt", 1, 0, 5, 404, ",\"robots\":true" \
	}

/* Writing a directory */

static void append_request(struct pv_buf *journal,
    const struct journal_case *it, const struct request *request)
{
	static const char digest[] = ",\"digest\":\"sha256:%s\"";
	int64_t wall_ms =
	    request->released_ms +
	    it->run_walls[request->run > 0 ? request->run - 1 : 0];
	char kept[65] = "";
	if (it->robots && strstr(request->more, "robots") &&
	    !strstr(request->more, "digest")) {
		uint8_t bytes[PV_DIGEST_SIZE];
		struct pv_buf text;
		pv_buf_init(&text, sizeof(kept));
		pv_digest(pv_str_of(it->robots), bytes);
		pv_digest_write(bytes, &text);
		memcpy(kept, text.ptr, text.len + 1);
		pv_buf_finish(&text);
	}
	int64_t at_ms = WALL_MS + wall_ms;
	if (strstr(request->more, "\"worker\":2"))
		at_ms += it->ahead_ms;
	time_t seconds = (time_t)(at_ms / 1000);
	struct tm parts;
	char time[64];
	gmtime_r(&seconds, &parts);
	strftime(time, sizeof(time), "%Y-%m-%dT%H:%M:%S", &parts);
	pv_buf_append_format(journal,
	    "{\"time\":\"%s.%03dZ\",\"url\":\"http://%s%s\",\"host\":\"%s\","
	    "\"outcome\":\"%s\",\"attempt\":1,"
	    "\"run\":%lld,\"released_ms\":%lld,\"end_ms\":%lld",
	    time, (int)(at_ms % 1000), request->host, request->path,
	    request->host, request->status ? "answered" : "no-connection",
	    (long long)request->run, (long long)request->released_ms,
	    (long long)(request->released_ms + request->took_ms));
	if (request->status)
		pv_buf_append_format(journal, ",\"sent_ms\":%lld,\"status\":%d",
		    (long long)request->released_ms, request->status);
	if (!strstr(request->more, "\"ip\""))
		pv_buf_append_text(journal, ",\"ip\":\"127.0.0.1\"");
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

static void keep_workers(struct pv_database *database, bool is_fleet)
{
	pv_merge_notes_set_count(database, 2);
	pv_note_set(database, PV_NOTE_FLEET_CRAWL, is_fleet);
	for (int64_t i = 1; i <= 2; i++)
		pv_merge_notes_add(
		    database, &(struct pv_merged_worker){i, i, i - 1});
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
		if (it->is_merge)
			keep_workers(store->database, it->clocks != NULL);
		if (it->policy_2)
			pv_note_set_text(store->database,
			    PV_STR(PV_POLICY_NOTE "2"),
			    pv_str_of(it->policy_2));
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
	if (it->clocks)
		home_write(home, "clocks.jsonl", pv_str_of(it->clocks));
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

#define JUDGE_JOURNALS(table) \
	judge_journals((table), sizeof(table) / sizeof(*(table)))

__attribute__((unused)) static void judge_journals(
    const struct journal_case *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		judge(&table[i]);
}

#endif
