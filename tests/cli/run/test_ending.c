#include "cli/run/ending.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fake_progress.h"
#include "cli/run/facts.h"
#include "cli/terminal/sheet.h"
#include "tap.h"

static struct pv_sheet written(
    const struct pv_ending *ending, const struct pavane_progress *progress)
{
	struct pv_sheet sheet;
	pv_sheet_open(&sheet);
	pv_ending_write(ending, progress, sheet.file);
	pv_sheet_close(&sheet);
	return sheet;
}

static bool has(const struct pv_sheet *sheet, const char *text)
{
	return strstr(sheet->text, text) != NULL;
}

static void test_text(void)
{
	struct pv_ending ending = {
	    .program = "./pavane",
	    .directory = "no such directory",
	};
	struct pavane_progress progress;
	fake_progress(&progress);
	progress.end = PAVANE_STOPPED;
	progress.pages = 234;
	progress.requests = 250;
	progress.bytes = 35861299;
	struct pv_sheet sheet = written(&ending, &progress);
	is_text(pv_str_of(sheet.text),
	    "Stopped after 1m 12s; the state is saved.\n"
	    "  addresses  1,305 known: 234 done, 971 pending, 100 left out\n"
	    "  run        234 pages, 34.2 MiB, 250 requests in 1m 12s, 3.5 "
	    "requests/s\n"
	    "  answers    200: 220, 404: 9\n"
	    "  errors     5\n"
	    "           5  too slow\n"
	    "             http://docs.example.org/gone: 404\n"
	    "             http://docs.example.org/slow: nothing came for 30s\n"
	    "  left out   100\n"
	    "          60  on another host\n"
	    "          39  robots.txt forbids it\n"
	    "           1  depth\n"
	    "  continue   ./pavane continue 'no such directory'\n",
	    "P4: the end tells what was done, and what was refused and why");
	pv_sheet_finish(&sheet);
	ending.is_passing = true;
	sheet = written(&ending, &progress);
	ok(!has(&sheet, "  continue "), "what cannot go on has no command");
	pv_sheet_finish(&sheet);
}

static void test_update(void)
{
	struct pv_ending ending = {
	    .program = "pavane", .directory = "/nowhere"};
	struct pavane_progress progress;
	fake_progress(&progress);
	progress.changes = (struct pavane_changes){.round = 2,
	    .added = 1,
	    .changed = 2000,
	    .gone = 3,
	    .same = 4,
	    .failed = 5,
	    .not_reached = 6};
	struct pv_sheet sheet = written(&ending, &progress);
	ok(has(&sheet,
	       "  update     1 new, 2,000 changed, 3 gone, 4 same, 5 failed "
	       "(their copies are kept), 6 not reached\n"),
	    "an update tells what it has found");
	pv_sheet_finish(&sheet);
	progress.changes = (struct pavane_changes){.round = 2, .same = 4};
	sheet = written(&ending, &progress);
	ok(has(&sheet, "  update     0 new, 0 changed, 0 gone, 4 same\n"),
	    "and nothing that there is none of");
	pv_sheet_finish(&sheet);
	progress.changes = (struct pavane_changes){
	    .round = 2, .moved = 1234, .deleted = 5, .held_back = 6};
	sheet = written(&ending, &progress);
	ok(has(&sheet,
	       "  moved      1,234 files of deleted pages, now in gone/\n"
	       "  deleted    5 files of deleted pages\n"
	       "  kept       6 files of deleted pages, more than "
	       "output.mirror.shrink_alarm allows\n"),
	    "and what became of the files of pages that are gone");
	pv_sheet_finish(&sheet);
}

static void test_ends(void)
{
	static const struct {
		enum pavane_end end;
		uint64_t requests;
		const char *text;
		uint64_t pending;
	} cases[] = {
	    {PAVANE_FINISHED, 3, "Finished after 2.0s.\n", 0},
	    {PAVANE_FINISHED, 0, "Finished: no address was pending.\n", 0},
	    {PAVANE_FAILED, 3,
		"Could not continue after 2.0s; nothing is saved, because its "
		"state.db was removed.\n",
		0},
	    {PAVANE_LIMITED, 3,
		"Stopped by a limit of the policy after 2.0s; the state is "
		"saved.\n",
		0},
	    {PAVANE_NOT_BEGUN, 3,
		"Finished after 2.0s, but not every seed could be fetched.\n",
		0},
	    {PAVANE_NOT_BEGUN, 3,
		"Stopped after 2.0s: nothing has answered; the state is "
		"saved.\n",
		1},
	};
	struct pv_ending ending = {
	    .program = "pavane", .directory = "/nowhere"};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pavane_progress progress = {
		    .end = cases[i].end,
		    .elapsed_ms = 2000,
		    .requests = cases[i].requests,
		    .pending = cases[i].pending,
		    .note = "limits.pages is reached",
		    .held_by = "",
		};
		struct pv_sheet sheet = written(&ending, &progress);
		ok(strncmp(sheet.text, cases[i].text, strlen(cases[i].text)) ==
			0,
		    "end %zu is told", i);
		ok(has(&sheet, "limits.pages is reached") ==
			(cases[i].end == PAVANE_LIMITED),
		    "and which limit it was, if it was one");
		ok(has(&sheet, "  continue ") == (cases[i].pending > 0),
		    "where nothing is left, nothing goes on");
		pv_sheet_finish(&sheet);
	}
}

/* More reasons than anybody reads. */
static void test_many(void)
{
	struct pavane_progress progress = {
	    .refused = 300, .note = "", .waits_for = "", .held_by = ""};
	struct pv_sheet sheet;
	for (size_t i = 0; i < 30; i++)
		progress.refusals.items[i] =
		    (struct pavane_tally){"word", "", 10};
	progress.refusals.count = 30;
	pv_sheet_open(&sheet);
	pv_facts_write(&progress, sheet.file);
	pv_sheet_close(&sheet);
	ok(has(&sheet, "         180  for other reasons\n"),
	    "the rarest reasons are counted together");
	pv_sheet_finish(&sheet);
}

/* Where there is a state, all of it goes on. */
static void test_failed(void)
{
	char directory[] = "ending.XXXXXX";
	char path[256];
	char wanted[256];
	struct pavane_progress progress = {.end = PAVANE_FAILED,
	    .known = 3,
	    .pending = 3,
	    .failed = 2,
	    .note = "",
	    .waits_for = "",
	    .held_by = ""};
	struct pv_ending ending = {
	    .program = "pavane", .directory = mkdtemp(directory)};
	struct pv_sheet sheet = written(&ending, &progress);
	ok(!has(&sheet, "  continue ") && !has(&sheet, "  all errors"),
	    "what has no state any more cannot go on");
	pv_sheet_finish(&sheet);
	snprintf(path, sizeof(path), "%s/state.db", directory);
	fclose(fopen(path, "w"));
	sheet = written(&ending, &progress);
	ok(has(&sheet, "; the state is saved.\n") && has(&sheet, "  continue "),
	    "what has one can, and is kept");
	snprintf(wanted, sizeof(wanted),
	    "  errors     2\n  all errors pavane links %s --broken\n",
	    directory);
	ok(has(&sheet, wanted), "the command is named that lists all errors");
	pv_sheet_finish(&sheet);
	ending.is_passing = true;
	sheet = written(&ending, &progress);
	ok(!has(&sheet, "  all errors"),
	    "but not where its state is soon gone");
	pv_sheet_finish(&sheet);
	progress.known = progress.pending = progress.failed = 0;
	sheet = written(&ending, &progress);
	ok(has(&sheet,
	       "; nothing is saved, because nothing could be written.\n") &&
		!has(&sheet, "addresses") && !has(&sheet, "  continue "),
	    "nor is \"0 known\" said where the disk was full from the start");
	pv_sheet_finish(&sheet);
	unlink(path);
	rmdir(directory);
}

static void test_places(void)
{
	char directory[] = "/tmp/pavane summary.XXXXXX";
	char path[256];
	char wanted[512];
	struct pavane_progress progress = {
	    .note = "", .waits_for = "", .held_by = ""};
	ok(mkdtemp(directory) != NULL, "there is a directory");
	snprintf(path, sizeof(path), "%s/journal.jsonl", directory);
	fclose(fopen(path, "w"));
	struct pv_ending ending = {.program = "pavane", .directory = directory};
	struct pv_sheet sheet = written(&ending, &progress);
	snprintf(wanted, sizeof(wanted),
	    "  journal    file:///tmp/pavane%%20summary.%s/journal.jsonl\n",
	    directory + strlen("/tmp/pavane summary."));
	ok(has(&sheet, wanted), "the journal is named by its address");
	ok(!has(&sheet, "  open "), "a mirror that is not there is not");
	pv_sheet_finish(&sheet);
	unlink(path);
	rmdir(directory);
}

/* A mirror of one page, with a page that leads to it or without. */
static void test_mirror(void)
{
	char directory[] = "/tmp/pavane-summary.XXXXXX";
	char path[3][256];
	char wanted[1024];
	struct pavane_progress progress = {
	    .note = "", .waits_for = "", .held_by = ""};
	ok(mkdtemp(directory) != NULL, "there is a directory");
	snprintf(path[0], sizeof(path[0]), "%s/site", directory);
	snprintf(path[1], sizeof(path[1]), "%s/site/index.html", directory);
	snprintf(path[2], sizeof(path[2]), "%s/index.html", directory);
	mkdir(path[0], 0777);
	fclose(fopen(path[1], "w"));
	fclose(fopen(path[2], "w"));
	struct pv_ending ending = {.program = "pavane", .directory = directory};
	struct pv_sheet sheet = written(&ending, &progress);
	snprintf(wanted, sizeof(wanted), "  open       file://%s\n", path[1]);
	ok(has(&sheet, wanted) && !has(&sheet, "start page"),
	    "a page of somebody else's is not taken for the mirror's");
	pv_sheet_finish(&sheet);
	progress.has_entry_page = true;
	sheet = written(&ending, &progress);
	snprintf(wanted, sizeof(wanted),
	    "  open       file://%s\n  start page file://%s\n", path[2],
	    path[1]);
	ok(has(&sheet, wanted),
	    "the page that leads to a mirror comes before where it begins");
	pv_sheet_finish(&sheet);
	unlink(path[1]);
	snprintf(path[1], sizeof(path[1]), "%s/site/a", directory);
	fclose(fopen(path[1], "w"));
	sheet = written(&ending, &progress);
	ok(!has(&sheet, "start page"), "a directory is no page");
	pv_sheet_finish(&sheet);
	unlink(path[2]);
	unlink(path[1]);
	rmdir(path[0]);
	rmdir(directory);
}

static void test_now(void)
{
	struct pavane_progress progress;
	struct pv_sheet sheet;
	fake_progress(&progress);
	progress.note = "a note";
	progress.next_ms = 4000;
	progress.left_ms = 60000;
	pv_sheet_open(&sheet);
	pv_facts_write_now(&progress, sheet.file);
	pv_facts_write_holder(&progress, sheet.file);
	pv_facts_write_times(&progress, sheet.file);
	pv_facts_write_loop(&progress, sheet.file);
	pv_sheet_close(&sheet);
	is_text(pv_str_of(sheet.text),
	    "  now        1 of 20 in flight, 1.0 requests/s, about 1m left\n"
	    "             12 hosts wait: 8 for its delay to pass, 4 as long as "
	    "its Retry-After asks\n"
	    "             next request in 4.0s\n"
	    "             a note\n"
	    "  limited by the policy: a host rests 1s after each answer\n"
	    "  times              p50       p95       p99        of\n"
	    "  name              12ms     340ms    1200ms        57\n"
	    "  connect           12ms     340ms    1200ms        57\n"
	    "  first byte        12ms     340ms    1200ms        57\n"
	    "  total             12ms     340ms    1200ms        57\n"
	    "  event loop: blocked for at most 14ms, computing for at most "
	    "9ms; 2 visits not yet committed\n",
	    "what goes on, and how long it took, is told");
	pv_sheet_finish(&sheet);
}

int main(void)
{
	test_text();
	test_ends();
	test_update();
	test_many();
	test_failed();
	test_places();
	test_mirror();
	test_now();
	return tap_done();
}
