#include <sys/stat.h>
#include <unistd.h>

#include "server/caller.h"
#include "store/database.h"
#include "tap.h"
#include "torture/judge.h"

/* A judge who finds nothing is to be believed only if he finds what there is:
 * a crawl that was not disturbed at all is spoilt afterwards, in one way after
 * the other. */
struct spoilt {
	struct trial trial;
	struct portrait wanted;
};

/* Whether the judge finds a fault, and tells of it so. */
static bool finds(struct spoilt *spoilt, const char *text)
{
	struct judgement judgement;
	judge(&judgement, &spoilt->trial, &spoilt->wanted);
	const char *faults = pv_buf_text(&judgement.faults);
	bool is_found = judgement.fault_count && strstr(faults, text);
	if (!is_found)
		printf("# found: %s\n", faults);
	judgement_finish(&judgement);
	return is_found;
}

static bool finds_nothing(struct spoilt *spoilt)
{
	struct judgement judgement;
	judge(&judgement, &spoilt->trial, &spoilt->wanted);
	bool is_well = judgement.fault_count == 0;
	if (!is_well)
		printf("# found: %s\n", pv_buf_text(&judgement.faults));
	judgement_finish(&judgement);
	return is_well;
}

/* Files */

static void test_missing(struct spoilt *spoilt)
{
	struct home *home = &spoilt->trial.home;
	char name[1024];
	snprintf(name, sizeof(name), "%s",
	    home_file(home, "o/site/a.test^80/index.html"));
	rename(name, home_file(home, "aside"));
	ok(finds(spoilt, "file, missing: site/a.test^80/index.html"),
	    "a page that is gone is missed");
	home_write(home, "o/site/a.test^80/index.html", PV_STR("half"));
	ok(finds(spoilt, "index.html has 4 bytes"),
	    "half a page is not taken for one");
	rename(home_file(home, "aside"), name);
}

static void test_left_behind(struct spoilt *spoilt)
{
	struct home *home = &spoilt->trial.home;
	home_write(home, "o/site/nobodys.html", PV_STR("nobody's"));
	ok(finds(spoilt, "file, too much: site/nobodys.html"),
	    "a file that nobody knows is found");
	unlink(home_file(home, "o/site/nobodys.html"));
	mkdir(home_file(home, "o/site/.pavane"), 0700);
	home_write(home, "o/site/.pavane/half", PV_STR("half"));
	ok(finds(spoilt, "file, too much: site/.pavane/half"),
	    "what was not finished is, too");
	unlink(home_file(home, "o/site/.pavane/half"));
}

struct line {
	const char *file;
	const char *line;
	const char *found;
	const char *claim;
};

/* Returns how long the file was. */
static long add_line(struct spoilt *spoilt, const char *name, const char *line)
{
	FILE *file = fopen(home_file(&spoilt->trial.home, name), "a");
	fseek(file, 0, SEEK_END);
	long len = ftell(file);
	fputs(line, file);
	fclose(file);
	return len;
}

static void cut(struct spoilt *spoilt, const char *name, long len)
{
	if (truncate(home_file(&spoilt->trial.home, name), len) != 0)
		ok(false, "a file is as it was");
}

static void test_lines(struct spoilt *spoilt)
{
	static const struct line lines[] = {
	    {"o/journal.jsonl", "{\"time\":\"2026-03", "torn",
		"half a line is found"},
	    {"o/journal.jsonl", "{\"final\":true}\n", "torn",
		"so is one that says nothing"},
	    {"o/journal.jsonl",
		"{\"time\":\"x\",\"url\":\"http://a.test/\",\"outcome\":"
		"\"answered\",\"final\":true}\n",
		"last line, too much: http://a.test/", "and a second last one"},
	    {"o/changes.jsonl",
		"{\"round\":2,\"url\":\"http://a.test/\",\"change\":\"new\"}\n",
		"change, too much: 2 http://a.test/ new",
		"and a change that is none"},
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		long len = add_line(spoilt, lines[i].file, lines[i].line);
		ok(finds(spoilt, lines[i].found), "%s", lines[i].claim);
		cut(spoilt, lines[i].file, len);
	}
}

static void test_nearer(struct spoilt *spoilt)
{
	static const char file[] = "o/journal.jsonl";
	static const char line[] =
	    "{\"time\":\"x\",\"url\":\"http://a.test/deep/4\",\"outcome\":"
	    "\"answered\",\"depth\":%d,\"final\":true}\n";
	char text[sizeof(line)];
	snprintf(text, sizeof(text), line, 4);
	long len = add_line(spoilt, file, text);
	ok(finds(spoilt, "last line, too much: http://a.test/deep/4"),
	    "a second last line of an address that lies as deep is too much");
	cut(spoilt, file, len);
	snprintf(text, sizeof(text), line, 1);
	add_line(spoilt, file, text);
	ok(finds_nothing(spoilt), "of one that came nearer it is not");
	cut(spoilt, file, len);
}

/* The state */

static void run(struct spoilt *spoilt, const char *sql)
{
	struct pv_database *database =
	    pv_database_open(home_file(&spoilt->trial.home, "o/state.db"));
	pv_database_run(database, sql);
	if (pv_database_status(database) != PV_STORE_OK)
		ok(false, "%s", pv_database_fault(database));
	pv_database_close(database);
}

static void test_state(struct spoilt *spoilt)
{
	static const char *const faults[][4] = {
	    {"UPDATE addresses SET http_status = 500 WHERE http_status = 410",
		"UPDATE addresses SET http_status = 410 WHERE http_status = 500"
		" AND url LIKE '%gone%'",
		"address, missing: http://a.test/gone ",
		"another outcome is found"},
	    {"UPDATE addresses SET state = 0 WHERE url = 'http://a.test/deep/1'",
		"UPDATE addresses SET state = 2 WHERE url = "
		"'http://a.test/deep/1'",
		"address, missing: http://a.test/deep/1 state 2",
		"and one that is still to come"},
	    {"INSERT INTO addresses SELECT 9999, host, state, use, depth, "
	     "depth_left, hops, redirects, attempt, reason, line, outcome, "
	     "http_status, bytes, may_lead_further, via, tag, url, 0, 0, "
	     "listing, 0 FROM addresses WHERE url = 'http://a.test/deep/1'",
		"DELETE FROM addresses WHERE id = 9999",
		"address, too much: http://a.test/deep/1 state 2",
		"and an address that stands there twice"},
	    {"UPDATE counts SET count = count + 1 WHERE state = 2",
		"UPDATE counts SET count = count - 1 WHERE state = 2",
		"count, too much: 2 ", "and a count that is wrong"},
	};
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		run(spoilt, faults[i][0]);
		ok(finds(spoilt, faults[i][2]), "%s", faults[i][3]);
		run(spoilt, faults[i][1]);
	}
}

/* Requests */

static void ask(struct spoilt *spoilt, const char *path)
{
	char request[256];
	struct pv_buf heard;
	int fd = caller_open("127.0.0.1", server_port(spoilt->trial.server));
	snprintf(request, sizeof(request),
	    "GET %s HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n",
	    path);
	pv_buf_init(&heard, CALLER_MAX);
	caller_say(fd, request);
	caller_hear(fd, &heard, CALLER_MAX, CALLER_TIMEOUT_MS);
	pv_buf_finish(&heard);
	close(fd);
}

/* Both in one packet, so that nothing comes between them. */
static void ask_twice(struct spoilt *spoilt)
{
	struct pv_buf heard;
	int fd = caller_open("127.0.0.1", server_port(spoilt->trial.server));
	pv_buf_init(&heard, CALLER_MAX);
	caller_say(fd, "GET /deep/2 HTTP/1.1\r\nHost: a.test\r\n\r\n"
		       "GET /deep/3 HTTP/1.1\r\nHost: a.test\r\n"
		       "Connection: close\r\n\r\n");
	caller_hear(fd, &heard, CALLER_MAX, CALLER_TIMEOUT_MS);
	pv_buf_finish(&heard);
	close(fd);
}

/* The last ones, since they cannot be taken back. */
static void test_requests(struct spoilt *spoilt)
{
	struct trial *trial = &spoilt->trial;
	ask(spoilt, "/deep/1");
	trial_note_end(trial, 0);
	int64_t end_us = trial->ends_us[--trial->end_count];
	ok(finds(
	       spoilt, "request: a.test /deep/1 was asked for 2 times, not 1"),
	    "a request that was made again is found");
	trial->ends_us[trial->end_count++] = end_us;
	ok(finds_nothing(spoilt), "unless it was in flight at an end");
	ask_twice(spoilt);
	trial_note_end(trial, 0);
	ok(finds(spoilt, "pace: a.test was asked for /deep/"),
	    "two requests too close together are found");
}

int main(void)
{
	struct spoilt spoilt;
	if (!ok(trial_open(&spoilt.trial), "a maze is there") ||
	    !ok(trial_run(&spoilt.trial, trial_crawl, NULL) ==
		    TRIAL_SEED_FAILED,
		"and crawled"))
		return tap_done();
	server_wait_idle(spoilt.trial.server, 0, 120000);
	portrait_take(&spoilt.wanted, &spoilt.trial);
	ok(finds_nothing(&spoilt), "nothing is wrong with it");
	test_missing(&spoilt);
	test_left_behind(&spoilt);
	test_lines(&spoilt);
	test_nearer(&spoilt);
	test_state(&spoilt);
	ok(finds_nothing(&spoilt), "all of that was made good");
	test_requests(&spoilt);
	portrait_finish(&spoilt.wanted);
	trial_close(&spoilt.trial, false);
	return tap_done();
}
