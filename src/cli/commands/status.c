#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/run/command.h"
#include "cli/run/ending.h"
#include "cli/run/facts.h"
#include "cli/run/fleet_orders.h"
#include "cli/run/row_facts.h"
#include "cli/run/loading.h"
#include "cli/terminal/shell_word.h"

/* The letters of a policy's name, which need no escaping in JSON. */
#define NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

static void print_time(const char *before, int64_t ms)
{
	char text[64];
	struct tm parts;
	time_t time = (time_t)(ms / 1000);
	if (localtime_r(&time, &parts) &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts))
		printf("%s%s", before, text);
}

/* How a crawl stands that nobody runs. */
static const char *end_of(const struct pavane_progress *progress)
{
	static const char *const ends[] = {
	    [PAVANE_FINISHED] = "finished",
	    [PAVANE_FAILED] = "could not continue",
	    [PAVANE_STOPPED] = "stopped",
	    [PAVANE_LIMITED] = "stopped by a limit of the policy",
	    [PAVANE_NOT_BEGUN] =
		"finished, but not every seed could be fetched",
	};
	bool is_known = progress->phase == PAVANE_ENDED &&
			(size_t)progress->end < sizeof(ends) / sizeof(*ends);
	if (is_known && progress->end == PAVANE_NOT_BEGUN && progress->pending)
		return "stopped: nothing has answered";
	return is_known ? ends[progress->end]
			: "not running, the last run was interrupted";
}

static void print_head(
    const struct pavane_status *status, const char *directory)
{
	pv_shell_word_write(stdout, directory);
	if (status->name[0])
		printf(" (%s)", status->name);
	if (status->is_running)
		printf(": running, process %" PRId64, status->process);
	else
		printf(": %s", end_of(status->progress));
	if (status->as_of_ms)
		print_time(", as of ", status->as_of_ms);
	putchar('\n');
}

static void print(const struct pv_options *options,
    const struct pavane_status *status, const char *directory)
{
	print_head(status, directory);
	if (status->progress->settings && status->progress->settings[0])
		printf("  %-10s %s\n", "set", status->progress->settings);
	if (status->progress->pauses && status->progress->pauses[0])
		printf("  %-10s %s\n", "note", status->progress->pauses);
	pv_facts_write(status->progress, stdout);
	pv_row_facts_write(directory, stdout);
	if (status->is_running)
		pv_facts_write_now(status->progress, stdout);
	pv_facts_write_holder(status->progress, stdout);
	pv_facts_write_times(status->progress, stdout);
	if (options->verbosity)
		pv_facts_write_loop(status->progress, stdout);
	if (!status->is_running)
		pv_facts_write_limit(status->progress, stdout);
	if (!status->is_running && status->progress->pending)
		pv_ending_write_command(options->program, directory, stdout);
}

/* What the library writes is a line; here it is a member. */
static void write_member(void *ctx, const char *text, size_t len)
{
	while (len && text[len - 1] == '\n')
		len--;
	fwrite(text, 1, len, ctx);
}

/* A path, as JSON has text. */
static void print_escaped(const char *path)
{
	for (; *path; path++) {
		unsigned char byte = (unsigned char)*path;
		if (byte < ' ' || byte == 127)
			printf("\\u%04x", byte);
		else
			printf(
			    byte == '"' || byte == '\\' ? "\\%c" : "%c", byte);
	}
}

static void print_json(
    const struct pavane_status *status, const char *directory)
{
	bool is_plain = strspn(status->name, NAME) == strlen(status->name);
	printf("{\"running\":%s,\"process\":%" PRId64 ",\"as_of_ms\":%" PRId64
	       ",\"name\":\"%s\",\"progress\":",
	    status->is_running ? "true" : "false", status->process,
	    status->as_of_ms, is_plain ? status->name : "");
	pavane_progress_write_json(status->progress, write_member, stdout);
	struct pavane_rows *rows = pavane_rows_read(directory);
	if (rows) {
		printf(",\"fields\":");
		pavane_rows_write_json(rows, write_member, stdout);
	}
	pavane_rows_destroy(rows);
	printf(",\"directory\":\"");
	print_escaped(directory);
	printf("\"}\n");
}

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	if (level <= PAVANE_WARNING)
		fprintf(stderr, "pavane: %s\n", line);
}

static bool show(const struct pv_options *options, const char *directory)
{
	struct pavane_status *status =
	    pavane_status_read(directory, tell, NULL);
	if (!status)
		return false;
	if (options->is_json)
		print_json(status, directory);
	else
		print(options, status, directory);
	pavane_status_destroy(status);
	return true;
}

/* One that cannot be shown hides none of the others. */
static int run(const struct pv_options *options)
{
	bool is_whole = true;
	if (options->fleet)
		return pv_fleet_status(options);
	if (options->argument_count < 2) {
		fprintf(stderr, "pavane: status needs a crawl's directory: "
				"pavane status DIR...\n");
		return EXIT_WRONG;
	}
	for (size_t i = 1; i < options->argument_count; i++) {
		if (i > 1 && !options->is_json)
			putchar('\n');
		is_whole &= show(options, options->arguments[i]);
	}
	return is_whole ? EXIT_FINISHED : EXIT_FAILED;
}

const struct pv_command pv_command_status = {
    .name = "status",
    .arguments = {{"DIR...", PV_IS_CRAWL, NULL}},
    .sentence = "show the progress of crawls, running or not",
    .help =
	"Shows the progress of the crawl in each directory without "
	"disturbing it: what is\ndone, pending and left out, what limits "
	"the speed, how long names, connections\nand answers took, and, "
	"while the crawl runs, what it waits for. --verbose adds\nfor "
	"how long at most the program itself was delayed.\n\n"
	"--fleet URL NAME shows a fleet: totals, and each worker that "
	"lives. One is idle\nwhere all that is left belongs to others: with "
	"politeness.ip_delay all hosts\nat an IP address go to one worker, "
	"so that sites at one address are crawled\nby one. Silent is one "
	"that has missed a beat; after half a minute others take\nits hosts "
	"over.",
    .example = "  pavane status docs.example.org\n"
	       "  pavane status -v docs.example.org\n"
	       "  pavane status --fleet postgresql:///crawls shared\n",
    .options = "Fjv",
    .meanings = {{'v', PV_IS_TEXT,
	"also print for how long at most the program was delayed"}},
    .run = run,
};
