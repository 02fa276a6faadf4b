#include "cli/run/metrics.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fake_progress.h"
#include "scratch.h"
#include "tap.h"

static char text[1 << 16];

static const char *read_text(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t len = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
	text[len] = '\0';
	if (file)
		fclose(file);
	return text;
}

static void write_metrics(
    const struct pavane_progress *progress, const char *directory)
{
	FILE *file = fmemopen(text, sizeof(text), "w");
	pv_metrics_write(progress, directory, file);
	fclose(file);
}

/* A line of the text that begins so. */
static bool has_line(const char *begin)
{
	const char *at = strstr(text, begin);
	return at && (at == text || at[-1] == '\n');
}

/* Each figure has its help and its type before it, and occurs once. */
static bool is_in_order(void)
{
	char family[128] = "";
	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		char name[128];
		if (sscanf(line, "# HELP %127s", name) == 1) {
			strcpy(family, name);
			char head[256];
			snprintf(head, sizeof(head), "# TYPE %s ", family);
			line = strchr(line, '\n') + 1;
			if (strncmp(line, head, strlen(head)) != 0 ||
			    strstr(strchr(line, '\n'), head))
				return false;
		} else if (strncmp(line, family, strlen(family)) != 0) {
			return false;
		}
	}
	return true;
}

static void test_text(void)
{
	struct pavane_progress progress;
	fake_progress(&progress);
	progress.requests = 1234567890123;
	progress.elapsed_ms = 2500;
	progress.done = 7;
	progress.total = (struct pavane_percentiles){1, 2, 3.5, 9};
	progress.statuses.count = 1;
	progress.statuses.items[0] = (struct pavane_tally){"404", "", 5};
	progress.changes.round = 1;
	write_metrics(&progress, "a \"b\"\\c\nd");
	ok(is_in_order(), "each figure has its help and its type, once");
	ok(has_line("pavane_requests_total 1234567890123\n") &&
		has_line("pavane_run_seconds_total 2.5\n"),
	    "numbers are whole, times in seconds");
	ok(has_line("pavane_crawl{directory=\"a \\\"b\\\"\\\\c\\nd\"} 1\n"),
	    "P5: a directory cannot break a line");
	ok(has_line("pavane_addresses{state=\"done\"} 7\n") &&
		has_line("pavane_answers_total{status=\"404\"} 5\n"),
	    "what is counted by words has them as labels");
	ok(has_line("pavane_answer_seconds{quantile=\"0.99\"} 0.0035") &&
		has_line("pavane_answer_seconds_count 9\n"),
	    "times have quantiles");
	ok(!strstr(text, "update_pages"), "of an update only where it is one");
	progress.changes.round = 2;
	write_metrics(&progress, "d");
	ok(has_line("pavane_update_pages{change=\"new\"} "),
	    "and there what it found");
	progress.pauses = "a.test is paused since 14:03";
	write_metrics(&progress, "d");
	ok(has_line("pavane_paused 0\n"), "a host that is paused is not all");
	progress.pauses = "paused since 14:03";
	write_metrics(&progress, "d");
	ok(has_line("pavane_paused 1\n"), "a crawl that is paused is");
	progress.phase = PAVANE_ENDED;
	write_metrics(&progress, "d");
	ok(has_line("pavane_running 0\n"), "that it has ended is told");
}

static void test_file(void)
{
	struct scratch scratch;
	struct pv_metrics metrics;
	struct pavane_progress progress;
	char path[512];
	struct stat found;
	fake_progress(&progress);
	progress.phase = PAVANE_CRAWLING;
	progress.elapsed_ms = 0;
	scratch_make(&scratch);
	snprintf(
	    path, sizeof(path), "%s", scratch_file(&scratch, "metrics.prom"));
	pv_metrics_init(&metrics, NULL, "d");
	ok(pv_metrics_take(&metrics, &progress), "nobody need want them");
	pv_metrics_init(&metrics, path, "d");
	progress.requests = 1;
	ok(pv_metrics_take(&metrics, &progress) &&
		strstr(read_text(path), "pavane_requests_total 1\n"),
	    "they are written at once");
	progress.requests = 2;
	progress.elapsed_ms = 4999;
	ok(pv_metrics_take(&metrics, &progress) &&
		strstr(read_text(path), "pavane_requests_total 1\n"),
	    "not all the time");
	progress.elapsed_ms = 5000;
	ok(pv_metrics_take(&metrics, &progress) &&
		strstr(read_text(path), "pavane_requests_total 2\n"),
	    "but every five seconds");
	progress.requests = 3;
	progress.elapsed_ms = 5001;
	progress.phase = PAVANE_ENDED;
	ok(pv_metrics_take(&metrics, &progress) &&
		strstr(read_text(path), "pavane_requests_total 3\n"),
	    "and at the end");
	snprintf(path, sizeof(path), "%s",
	    scratch_file(&scratch, "metrics.prom.new"));
	ok(stat(path, &found) != 0, "nothing is left beside them");
	scratch_remove(&scratch);
}

static void test_fault(void)
{
	struct pv_metrics metrics;
	struct pavane_progress progress;
	fake_progress(&progress);
	progress.phase = PAVANE_CRAWLING;
	progress.elapsed_ms = 0;
	pv_metrics_init(&metrics, "/nowhere/at/all", "d");
	ok(!pv_metrics_take(&metrics, &progress) && errno == ENOENT,
	    "P4: a file that cannot be written is told");
	progress.elapsed_ms = 60000;
	ok(pv_metrics_take(&metrics, &progress), "once");
}

int main(void)
{
	test_text();
	test_file();
	test_fault();
	return tap_done();
}
