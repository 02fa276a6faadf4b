#include "cli/run/metrics.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define WRITE_MS 5000

/* Text */

static void write_head(
    FILE *file, const char *name, const char *type, const char *help)
{
	fprintf(file, "# HELP pavane_%s %s\n# TYPE pavane_%s %s\n", name, help,
	    name, type);
}

static void write_label(FILE *file, const char *value)
{
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", file);
		else if (*value == '"' || *value == '\\')
			fprintf(file, "\\%c", *value);
		else
			fputc(*value, file);
	}
}

static void write_value(FILE *file, const char *name, const char *label,
    const char *word, double value)
{
	fprintf(file, "pavane_%s", name);
	if (label) {
		fprintf(file, "{%s=\"", label);
		write_label(file, word);
		fputs("\"}", file);
	}
	fprintf(file, " %.17g\n", value);
}

/* Single figures */

/* Pauses of single hosts are told by their names. */
static bool is_paused(const struct pavane_progress *progress)
{
	static const char whole[] = "paused ";
	return progress->pauses &&
	       strncmp(progress->pauses, whole, strlen(whole)) == 0;
}

static void write_figures(const struct pavane_progress *progress, FILE *file)
{
	const struct {
		const char *name;
		const char *type;
		const char *help;
		double value;
	} figures[] = {
	    {"requests_total", "counter",
		"Requests of this run, robots.txt and retries included.",
		(double)progress->requests},
	    {"pages_total", "counter", "Pages fetched in this run.",
		(double)progress->pages},
	    {"received_bytes_total", "counter",
		"Bytes of bodies received in this run, as transferred.",
		(double)progress->bytes},
	    {"run_seconds_total", "counter", "Age of this run.",
		(double)progress->elapsed_ms / 1000},
	    {"failed_addresses", "gauge",
		"Addresses that could not be fetched, over all runs.",
		(double)progress->failed},
	    {"requests_in_flight", "gauge", "Requests in flight.",
		(double)progress->in_flight},
	    {"requests_in_flight_max", "gauge",
		"Requests that the policy allows in flight at a time.",
		(double)progress->concurrency},
	    {"hosts", "gauge", "Hosts that are held and have something left.",
		(double)progress->hosts},
	    {"hosts_waiting", "gauge", "Hosts of these that wait.",
		(double)progress->hosts_waiting},
	    {"loop_blocked_seconds", "gauge",
		"The longest time that the loop was held up.",
		(double)progress->blocked_ms / 1000},
	    {"paused", "gauge", "1 while the crawl as a whole is paused.",
		is_paused(progress)},
	    {"running", "gauge", "1 until the run has ended.",
		progress->phase == PAVANE_ENDED ? 0 : 1},
	};
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		write_head(
		    file, figures[i].name, figures[i].type, figures[i].help);
		write_value(
		    file, figures[i].name, NULL, NULL, figures[i].value);
	}
}

/* Figures by a word */

static void write_addresses(const struct pavane_progress *progress, FILE *file)
{
	static const char name[] = "addresses";
	write_head(file, name, "gauge", "Known addresses, over all runs.");
	write_value(file, name, "state", "pending", (double)progress->pending);
	write_value(file, name, "state", "done", (double)progress->done);
	write_value(file, name, "state", "left_out", (double)progress->refused);
}

static void write_changes(const struct pavane_progress *progress, FILE *file)
{
	static const char name[] = "update_pages";
	const struct pavane_changes *changes = &progress->changes;
	if (changes->round < 2)
		return;
	write_head(file, name, "gauge", "What an update has found.");
	write_value(file, name, "change", "new", (double)changes->added);
	write_value(file, name, "change", "changed", (double)changes->changed);
	write_value(file, name, "change", "gone", (double)changes->gone);
	write_value(file, name, "change", "same", (double)changes->same);
	write_value(file, name, "change", "failed", (double)changes->failed);
}

static void write_tallies(FILE *file, const struct pavane_tallies *tallies,
    const char *name, const char *type, const char *label, const char *help)
{
	if (!tallies->count)
		return;
	write_head(file, name, type, help);
	for (size_t i = 0; i < tallies->count; i++)
		write_value(file, name, label, tallies->items[i].word,
		    (double)tallies->items[i].count);
}

static void write_times(FILE *file, const struct pavane_percentiles *times,
    const char *name, const char *help)
{
	if (!times->count)
		return;
	write_head(file, name, "summary", help);
	write_value(file, name, "quantile", "0.5", times->p50_ms / 1000);
	write_value(file, name, "quantile", "0.95", times->p95_ms / 1000);
	write_value(file, name, "quantile", "0.99", times->p99_ms / 1000);
	fprintf(file, "pavane_%s_count %" PRIu64 "\n", name, times->count);
}

void pv_metrics_write(
    const struct pavane_progress *progress, const char *directory, FILE *file)
{
	write_head(file, "crawl", "gauge", "The crawl, by its directory.");
	write_value(file, "crawl", "directory", directory, 1);
	write_figures(progress, file);
	write_addresses(progress, file);
	write_changes(progress, file);
	write_tallies(file, &progress->statuses, "answers_total", "counter",
	    "status", "Answers of this run, by status.");
	write_tallies(file, &progress->outcomes, "outcomes", "gauge", "outcome",
	    "Addresses that are done, by what came of them, over all runs.");
	write_tallies(file, &progress->refusals, "left_out", "gauge", "reason",
	    "Addresses that were left out, by the reason, over all runs.");
	write_tallies(file, &progress->waiting, "waiting", "gauge", "reason",
	    "Hosts that wait, by what for.");
	write_times(file, &progress->connect, "connect_seconds",
	    "Time until a connection was there.");
	write_times(file, &progress->first_byte, "first_byte_seconds",
	    "Time until the first byte of an answer.");
	write_times(file, &progress->total, "answer_seconds",
	    "Time until the end of an answer.");
}

/* The file */

void pv_metrics_init(
    struct pv_metrics *metrics, const char *file, const char *directory)
{
	*metrics = (struct pv_metrics){
	    .file = file, .directory = directory, .written_ms = -1};
}

static bool replace(
    const struct pv_metrics *metrics, const struct pavane_progress *progress)
{
	char beside[PATH_MAX];
	int len = snprintf(beside, sizeof(beside), "%s.new", metrics->file);
	if (len < 0 || (size_t)len >= sizeof(beside)) {
		errno = ENAMETOOLONG;
		return false;
	}
	FILE *file = fopen(beside, "w");
	if (!file)
		return false;
	pv_metrics_write(progress, metrics->directory, file);
	bool is_whole = !ferror(file);
	is_whole = fclose(file) == 0 && is_whole;
	if (is_whole && rename(beside, metrics->file) == 0)
		return true;
	int error = errno;
	unlink(beside);
	errno = error;
	return false;
}

bool pv_metrics_take(
    struct pv_metrics *metrics, const struct pavane_progress *progress)
{
	bool is_due = metrics->written_ms < 0 ||
		      progress->phase == PAVANE_ENDED ||
		      progress->elapsed_ms - metrics->written_ms >= WRITE_MS;
	if (!metrics->file || !is_due)
		return true;
	metrics->written_ms = progress->elapsed_ms;
	if (replace(metrics, progress)) {
		metrics->has_failed = false;
		return true;
	}
	bool is_news = !metrics->has_failed;
	metrics->has_failed = true;
	return !is_news;
}
