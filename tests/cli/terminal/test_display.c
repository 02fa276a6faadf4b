#include "cli/terminal/display.h"

#include "cli/fake_progress.h"
#include "cli/terminal/columns.h"
#include "tap.h"

static void draw(const struct pavane_progress *progress, size_t columns,
    size_t rows, struct pv_lines *lines)
{
	struct pv_display display = {.is_verbose = true};
	pv_display_draw(&display, progress,
	    (struct pv_terminal_size){columns, rows}, lines);
}

static void is_line(
    const struct pv_lines *lines, size_t number, const char *text)
{
	is_text(pv_str_of(number < lines->count ? lines->text[number] : ""),
	    text, "line %zu", number);
}

static bool has(const struct pv_lines *lines, const char *text)
{
	for (size_t i = 0; i < lines->count; i++) {
		if (strstr(lines->text[i], text))
			return true;
	}
	return false;
}

static void test_wide(void)
{
	struct pavane_progress progress;
	struct pv_lines lines;
	fake_progress(&progress);
	progress.left_ms = 971000;
	progress.note = "docs.example.org rests until 14:03";
	draw(&progress, 130, 40, &lines);
	is_line(&lines, 0,
	    "234 of 1,205 done  1.0 requests/s  0 B  1 of 20 in flight  about "
	    "16m 11s left  5 errors  100 left out  1m 12s so far");
	is_line(&lines, 1,
	    "12 hosts wait: 8 for its delay to pass, 4 as long as its "
	    "Retry-After asks");
	is_line(&lines, 2, "docs.example.org rests until 14:03");
	is_line(&lines, 3, "the policy: a host rests 1s after each answer");
	ok(lines.count == 4, "and that is all");
}

static void test_bar(void)
{
	static const struct {
		double share;
		const char *bar;
	} cases[] = {
	    {0, "[>                   ] 0%"},
	    {0.19418, "[===>                ] 19%"},
	    {0.999, "[===================>] 99%"},
	    {1, "[====================] 100%"},
	    {1.5, "[====================] 100%"},
	};
	struct pavane_progress progress;
	struct pv_lines lines;
	fake_progress(&progress);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		progress.done_share = cases[i].share;
		draw(&progress, 60, 40, &lines);
		ok(strncmp(lines.text[0], cases[i].bar, strlen(cases[i].bar)) ==
			0,
		    "a share of %.3f is drawn as %s (%s)", cases[i].share,
		    cases[i].bar, lines.text[0]);
	}
	progress.done_share = -1;
	draw(&progress, 60, 40, &lines);
	ok(!has(&lines, "%") && !has(&lines, "["),
	    "what nobody knows is not drawn");
}

/* What is fetched now, or waited for. */
static void test_moment(void)
{
	struct pavane_progress progress;
	struct pv_lines lines;
	fake_progress(&progress);
	progress.hosts = progress.hosts_waiting = 1;
	progress.in_flight_max = 1;
	progress.held_by = "";
	progress.waits_for =
	    "waits for example.org:8443 until 12:03:10 (delay 5s)";
	progress.fetching[0] = "https://example.org:8443/a/long/path/page.html";
	progress.fetching[1] = "https://example.org:8443/";
	progress.fetching_count = 2;
	progress.in_flight = 2;
	draw(&progress, 41, 40, &lines);
	is_line(&lines, 0, "234 of 1,205 done  1.0 requests/s  0 B");
	is_line(&lines, 1, "5 errors  100 left out  1m 12s so far");
	is_line(&lines, 2, "  https://example.or...ng/path/page.html");
	is_line(&lines, 3, "  https://example.org:8443/");
	ok(lines.count == 4,
	    "where no more than one can be, nothing is said to be in flight");
	progress.in_flight = progress.fetching_count = 0;
	draw(&progress, 60, 40, &lines);
	is_line(
	    &lines, 2, "waits for example.org:8443 until 12:03:10 (delay 5s)");
	ok(lines.count == 3, "what is waited for stands in the same place");
}

static void test_plain_progress(void)
{
	struct pavane_progress progress = {
	    .phase = PAVANE_STARTING,
	    .left_ms = -1,
	    .next_ms = 5000,
	    .note = "",
	    .waits_for = "",
	    .done_share = -1,
	    .held_by = "",
	};
	struct pv_lines lines;
	draw(&progress, 120, 40, &lines);
	is_line(
	    &lines, 0, "starting  0 of 0 done  0.0 requests/s  0 B  0s so far");
	ok(lines.count == 1, "what is nothing is not told");
}

/* Whatever the size, nothing wraps and a row stays free for the cursor. */
static void test_sizes(void)
{
	struct pavane_progress progress;
	bool is_narrow = true;
	bool is_low = true;
	fake_progress(&progress);
	progress.done_share = 0.5;
	progress.fetching[0] =
	    "http://\xe6\xbc\xa2\xe5\xad\x97.example/\xe6\xbc\xa2\xe5\xad\x97/"
	    "a/long/path/of/an/address/\xe6\xbc\xa2\xe5\xad\x97.html";
	progress.fetching_count = 1;
	progress.note =
	    "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97 "
	    "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97 rests";
	for (int phase = PAVANE_STARTING; phase <= PAVANE_CLOSING; phase++) {
		progress.phase = (enum pavane_phase)phase;
		for (size_t i = 0; i < 300 * 12; i++) {
			struct pv_lines lines;
			size_t columns = i % 300;
			draw(&progress, columns, i / 300, &lines);
			for (size_t j = 0; j < lines.count; j++)
				is_narrow &=
				    pv_columns_of(lines.text[j]) < columns;
			is_low &= lines.count == 0 || lines.count < i / 300;
		}
	}
	ok(is_narrow, "no line reaches a terminal's last column");
	ok(is_low, "the lines leave a row free");
}

static void test_narrow(void)
{
	struct pavane_progress progress;
	struct pv_lines lines;
	fake_progress(&progress);
	draw(&progress, 41, 40, &lines);
	is_line(&lines, 0, "234 of 1,205 done  1.0 requests/s  0 B");
	is_line(&lines, 1, "1 of 20 in flight  5 errors");
	is_line(&lines, 2, "100 left out  1m 12s so far");
	is_line(&lines, 3, "12 hosts wait: 8 for its delay to pass,");
	is_line(&lines, 4, "4 as long as its Retry-After asks");
	draw(&progress, 12, 40, &lines);
	is_line(&lines, 0, "234 of 1...");
}

static void test_stopping(void)
{
	static const struct {
		enum pavane_phase phase;
		size_t in_flight;
		const char *line;
	} cases[] = {
	    {PAVANE_DRAINING, 3,
		"stopping: 3 requests in flight end, at most 28s more; Ctrl+C "
		"again drops them"},
	    {PAVANE_DRAINING, 1,
		"stopping: 1 request in flight ends, at most 28s more; Ctrl+C "
		"again drops it"},
	    {PAVANE_DRAINING, 0, "stopping: saving the state"},
	    {PAVANE_DROPPING, 3,
		"stopping: requests in flight are dropped and the state is "
		"saved"},
	    {PAVANE_CLOSING, 0, "saving the state"},
	};
	struct pavane_progress progress;
	struct pv_lines lines;
	fake_progress(&progress);
	progress.drain_left_ms = 28000;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		progress.phase = cases[i].phase;
		progress.in_flight = cases[i].in_flight;
		draw(&progress, 120, 40, &lines);
		is_line(&lines, lines.count - 1, cases[i].line);
		ok(!has(&lines, "wait"), "and nobody waits for anything else");
		draw(&progress, 120, 2, &lines);
		is_line(&lines, 0, cases[i].line);
	}
}

int main(void)
{
	test_wide();
	test_bar();
	test_moment();
	test_plain_progress();
	test_sizes();
	test_narrow();
	test_stopping();
	return tap_done();
}
