#include "cli/run/plain_lines.h"

#include "cli/fake_progress.h"
#include "cli/terminal/sheet.h"
#include "tap.h"

static void is_line(
    const struct pavane_progress *progress, const char *text, const char *claim)
{
	struct pv_sheet sheet;
	pv_sheet_open(&sheet);
	pv_plain_line_write(progress, sheet.file);
	pv_sheet_close(&sheet);
	is_text(pv_str_of(sheet.text), text, "%s", claim);
	pv_sheet_finish(&sheet);
}

static void test_text(void)
{
	struct pavane_progress progress;
	fake_progress(&progress);
	is_line(&progress,
	    "234 of 1,205 done, 1.0 requests/s, 0 B, 1 of 20 in flight, 5 errors, "
	    "100 left out, 1m 12s so far\n",
	    "a line tells how far it is");
	progress.note = "docs.example.org rests until 14:03";
	progress.failed = 1;
	progress.refused = 0;
	is_line(&progress,
	    "234 of 1,205 done, 1.0 requests/s, 0 B, 1 of 20 in flight, 1 error, "
	    "1m 12s so far: docs.example.org rests until 14:03\n",
	    "and what it waits for");
	progress.note = "";
	progress.in_flight = 0;
	progress.next_ms = 4000;
	progress.waits_for = "waits for a.test until 12:03:10 (delay 5s)";
	is_line(&progress,
	    "234 of 1,205 done, 1.0 requests/s, 0 B, 0 of 20 in flight, "
	    "1 error, 1m 12s so far: waits for a.test until 12:03:10 (delay "
	    "5s)\n",
	    "also where it does not wait for long");
	progress.phase = PAVANE_DRAINING;
	progress.in_flight = 2;
	progress.drain_left_ms = 30000;
	is_line(&progress,
	    "stopping: 2 requests in flight end, at most 30s more; a second "
	    "signal drops them\n",
	    "stopping is told instead");
}

static void test_pace(void)
{
	static const struct {
		int64_t at_ms;
		uint64_t requests;
		enum pavane_phase phase;
		bool is_due;
		const char *claim;
	} steps[] = {
	    {0, 0, PAVANE_STARTING, false, "nothing is told at the start"},
	    {250, 0, PAVANE_CRAWLING, false, "nor before anything is done"},
	    {1000, 1, PAVANE_CRAWLING, true, "the first progress is told"},
	    {1250, 2, PAVANE_CRAWLING, false, "the next is not"},
	    {10999, 9, PAVANE_CRAWLING, false, "for ten seconds"},
	    {11000, 9, PAVANE_CRAWLING, true, "but then"},
	    {21000, 9, PAVANE_CRAWLING, false, "where nothing has moved"},
	    {70999, 9, PAVANE_CRAWLING, false, "a minute passes"},
	    {71000, 9, PAVANE_CRAWLING, true, "before a word"},
	    {71250, 9, PAVANE_CLOSING, false, "nobody waits for its end"},
	    {71500, 9, PAVANE_DRAINING, true, "a stop is told at once"},
	    {71750, 9, PAVANE_DRAINING, false, "and once"},
	    {72000, 9, PAVANE_DROPPING, true, "and so is a second one"},
	    {72250, 9, PAVANE_CLOSING, true, "and what it still waits for"},
	    {72500, 9, PAVANE_ENDED, false, "the end has its own words"},
	};
	struct pv_plain_lines lines = {0};
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct pavane_progress progress = {
		    .phase = steps[i].phase,
		    .elapsed_ms = steps[i].at_ms,
		    .requests = steps[i].requests,
		    .done = steps[i].requests,
		};
		ok(pv_plain_lines_take(&lines, &progress) == steps[i].is_due,
		    "%s", steps[i].claim);
	}
}

int main(void)
{
	test_text();
	test_pace();
	return tap_done();
}
