#include "cli/running.h"

#include <sys/resource.h>

#include "cli/command.h"
#include "cli/fresh.h"
#include "cli/reporter.h"
#include "cli/shell_word.h"
#include "cli/sheet.h"
#include "cli/signals.h"
#include "cli/ending.h"

/* Four pictures a second look alive and cost nothing. */
#define PROGRESS_MS 250

#define DESCRIPTORS_USUAL 1024
#define DESCRIPTORS_WANTED 32768

static int status_of(enum pavane_end end)
{
	switch (end) {
	case PAVANE_FINISHED:
		return EXIT_FINISHED;
	case PAVANE_FAILED:
		return EXIT_FAILED;
	case PAVANE_STOPPED:
		return EXIT_STOPPED;
	case PAVANE_LIMITED:
		return EXIT_LIMITED;
	case PAVANE_NOT_BEGUN:
		return EXIT_NOT_BEGUN;
	}
	return EXIT_FAILED;
}

static const char *directory_of(const struct pv_run *run)
{
	if (run->directory)
		return run->directory;
	return run->options->output ? run->options->output
				    : pavane_policy_directory(run->policy);
}

static void say_directory(struct pv_reporter *reporter, const char *directory)
{
	struct pv_sheet sheet;
	pv_sheet_open(&sheet);
	fprintf(sheet.file, "directory: ");
	pv_shell_word_write(sheet.file, directory);
	fputc('\n', sheet.file);
	pv_sheet_close(&sheet);
	pv_reporter_say(reporter, sheet.text);
	pv_sheet_finish(&sheet);
}

static void tell_notes(
    struct pv_reporter *reporter, const struct pavane_policy *policy)
{
	struct pavane_problem note;
	for (size_t i = 0; pavane_policy_note(policy, i, &note); i++) {
		struct pv_sheet sheet;
		pv_sheet_open(&sheet);
		fprintf(sheet.file, "note: %s", note.sentence);
		pv_sheet_close(&sheet);
		pv_reporter_on_line(reporter, PAVANE_INFO, sheet.text);
		pv_sheet_finish(&sheet);
	}
}

static void begin(const struct pv_run *run, struct pv_reporter *reporter,
    const char *directory)
{
	say_directory(reporter, directory);
	if (run->preface)
		pv_reporter_say(reporter, run->preface);
	if (pv_reporter_level(run->options) >= PAVANE_INFO)
		tell_notes(reporter, run->policy);
}

static int end(const struct pv_run *run, struct pv_reporter *reporter,
    struct pavane_crawl *crawl, int status)
{
	const struct pavane_progress *progress = pavane_crawl_progress(crawl);
	struct pv_ending ending = {
	    .program = run->options->program,
	    .directory = pavane_crawl_directory(crawl),
	    .address = run->address,
	    .is_passing = run->is_passing,
	};
	struct pv_sheet sheet;
	pv_sheet_open(&sheet);
	pv_ending_write(&ending, progress, sheet.file);
	if (run->examine)
		status = run->examine(run->ctx, progress, sheet.file);
	pv_sheet_close(&sheet);
	pv_reporter_end(reporter, progress, sheet.text);
	pv_sheet_finish(&sheet);
	return status;
}

/* Many hosts need many connections. Systems give few descriptors at first for
 * the sake of programs that cannot count beyond them; who has lowered that
 * meant it. */
static void raise_descriptors(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
	    limit.rlim_cur < DESCRIPTORS_USUAL ||
	    limit.rlim_cur >= DESCRIPTORS_WANTED)
		return;
	limit.rlim_cur = limit.rlim_max < DESCRIPTORS_WANTED
			     ? limit.rlim_max
			     : DESCRIPTORS_WANTED;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int crawl(const struct pv_run *run, const char *directory,
    struct pv_reporter *reporter, struct pv_signals *signals)
{
	struct pavane_crawl_options options = {
	    .directory = directory,
	    .is_fresh = run->options->is_fresh,
	    .is_update = run->is_update,
	    .level = pv_reporter_level(run->options),
	    .on_line = pv_reporter_on_line,
	    .on_progress = pv_reporter_on_progress,
	    .progress_ms = PROGRESS_MS,
	    .ctx = reporter,
	};
	raise_descriptors();
	struct pavane_crawl *crawl = pavane_crawl_open(run->policy, &options);
	if (!crawl)
		return EXIT_FAILED;
	pv_signals_attach(signals, crawl);
	int status = status_of(pavane_crawl_run(crawl));
	pv_signals_attach(signals, NULL);
	status = end(run, reporter, crawl, status);
	pavane_crawl_leave(crawl);
	return status;
}

int pv_run_crawl(const struct pv_run *run)
{
	const char *directory = directory_of(run);
	int status = pv_fresh_check(run->options, directory);
	if (status != EXIT_FINISHED)
		return status;
	struct pv_signals *signals = pv_signals_start();
	struct pv_reporter *reporter =
	    pv_reporter_create(run->options, signals);
	begin(run, reporter, directory);
	status = crawl(run, directory, reporter, signals);
	pv_reporter_destroy(reporter);
	pv_signals_stop(signals);
	return status;
}
