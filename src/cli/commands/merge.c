#include <inttypes.h>
#include <stdio.h>

#include "cli/run/command.h"
#include "cli/run/long_work.h"

static void print(
    const struct pavane_merged *merged, const struct pv_options *options)
{
	if (options->is_json)
		printf("{\"lines\":%" PRIu64 ",\"stale\":%" PRIu64
		       ",\"files\":%" PRIu64 "}\n",
		    merged->lines, merged->stale, merged->files);
	else if (!options->is_quiet)
		printf("%" PRIu64 " line%s in the journal, %" PRIu64
		       " of them stale\n",
		    merged->lines, merged->lines == 1 ? "" : "s",
		    merged->stale);
}

static int run(const struct pv_options *options)
{
	struct pavane_merged merged = PAVANE_INIT(struct pavane_merged);
	if (options->argument_count < 2 || !options->output) {
		fprintf(stderr, "pavane: merge needs an output and directories "
				"of crawls: pavane merge -o OUT DIR...\n");
		return EXIT_WRONG;
	}
	struct pv_long_work work = {
	    .thing = "line", .rest = "read or written; Ctrl+C gives up"};
	pv_long_work_begin(&work, options);
	const struct pavane_merge_options merge = {
	    .size = sizeof(struct pavane_merge_options),
	    .output = options->output,
	    .directories = &options->arguments[1],
	    .directory_count = options->argument_count - 1,
	    .is_enough = pv_long_work_is_enough,
	    .on_line = pv_long_work_tell,
	    .ctx = &work,
	};
	bool is_made = pavane_merge(&merge, &merged);
	pv_long_work_end(&work);
	if (!is_made)
		return EXIT_FAILED;
	if (merged.is_cut) {
		fprintf(stderr, "pavane: stopped: nothing is merged\n");
		return EXIT_STOPPED;
	}
	print(&merged, options);
	return EXIT_FINISHED;
}

const struct pv_command pv_command_merge = {
    .name = "merge",
    .arguments = {{"DIR...", PV_IS_CRAWL, NULL}},
    .sentence = "make one directory of those of several crawls",
    .help =
	"Makes one directory, OUT, of those of several crawls: the parts of a "
	"crawl by one\npolicy, or the workers of a fleet, whose rates and "
	"delays may have been changed.\nIts journal has all of their lines by "
	"time, each with its worker; for each address\none line is final, and "
	"what was fetched twice is marked as stale. Rows and files\nare merged "
	"as well. OUT is there to be read (status, explain, audit, where); no\n"
	"crawl goes on in it. None of the directories may be running; they "
	"stay as they\nare.",
    .example = "  pavane merge -o whole part1 part2 part3\n"
	       "  pavane audit whole\n",
    .options = "oqj",
    .meanings = {{'o', PV_IS_DIRECTORY, "the directory to make"},
	{'q', PV_IS_TEXT, "print no summary"}},
    .run = run,
};
