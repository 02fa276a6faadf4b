#include "cli/run/running.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/command.h"
#include "cli/run/descriptors.h"
#include "cli/run/ending.h"
#include "cli/run/fresh.h"
#include "cli/run/loading.h"
#include "cli/run/metrics.h"
#include "cli/run/row_stream.h"
#include "cli/run/reporter.h"
#include "cli/run/signals.h"
#include "cli/terminal/sheet.h"
#include "cli/terminal/shell_word.h"

/* Four pictures a second look alive and cost nothing. */
#define PROGRESS_MS 250

/* Many hosts need many connections. */
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
	struct pavane_problem note = PAVANE_INIT(struct pavane_problem);
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

static int finish(const struct pv_run *run, struct pv_reporter *reporter,
    struct pavane_crawl *crawl, int status)
{
	const struct pavane_progress *progress = pavane_crawl_progress(crawl);
	struct pv_ending ending = {
	    .program = run->options->program,
	    .directory = pavane_crawl_directory(crawl),
	    .address = run->address,
	    .is_passing = run->is_passing,
	    .is_of_fleet = run->options->fleet,
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

/* One crawl, and the policy by which it goes, which may become another. */
struct course {
	const struct pv_run *run;
	const char *directory;
	struct pv_reporter *reporter;
	struct pv_signals *signals;
	struct pv_metrics metrics;
	struct pv_row_stream *rows; /* NULL: none are printed */
	struct pavane_crawl *crawl;
	struct pavane_policy *own;  /* in the place of the run's */
	struct pavane_policy *next; /* that has been read again */
	bool was_enough; /* somebody asked to stop before it was open again */
};

static void say(
    const struct course *course, enum pavane_level level, const char *line)
{
	if (level <= pv_reporter_level(course->run->options))
		pv_reporter_on_line(course->reporter, level, line);
}

static bool tell_problems(
    const struct course *course, const struct pavane_policy *policy)
{
	struct pavane_problem problem = PAVANE_INIT(struct pavane_problem);
	for (size_t i = 0; pavane_policy_problem(policy, i, &problem); i++)
		say(course, PAVANE_ERROR, problem.sentence);
	return pavane_policy_problem_count(policy) > 0;
}

/* What is wrong changes nothing. */
static void read_again(struct course *course)
{
	struct pavane_policy *policy =
	    pv_policy_again(course->run->sources, course->directory);
	if (!policy) {
		say(course, PAVANE_WARNING,
		    "SIGHUP: a policy that came from no file cannot be read "
		    "again");
	} else if (tell_problems(course, policy)) {
		say(course, PAVANE_ERROR,
		    "SIGHUP: the policy has mistakes: the crawl continues "
		    "with the previous one");
		pavane_policy_destroy(policy);
	} else {
		say(course, PAVANE_INFO,
		    "SIGHUP: the policy was read again: the crawl continues "
		    "with it when the requests in flight have ended");
		pavane_policy_destroy(course->next);
		course->next = policy;
		pavane_crawl_interrupt(course->crawl);
	}
}

static void take_metrics(
    struct course *course, const struct pavane_progress *progress)
{
	char line[1024];
	if (pv_metrics_take(&course->metrics, progress))
		return;
	snprintf(line, sizeof(line),
	    "--metrics %s: cannot be written: %s; the crawl goes on",
	    course->metrics.file, strerror(errno));
	say(course, PAVANE_WARNING, line);
}

static void on_progress(void *ctx, const struct pavane_progress *progress)
{
	struct course *course = ctx;
	pv_reporter_on_progress(course->reporter, progress);
	take_metrics(course, progress);
	if (pv_signals_take_reload(course->signals))
		read_again(course);
}

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	const struct course *course = ctx;
	pv_reporter_on_line(course->reporter, level, line);
}

static bool is_enough(void *ctx)
{
	const struct course *course = ctx;
	return pv_signals_has_stop(course->signals);
}

/* What was begun is gone on with the second time: no other crawl is thrown
 * away, no other update begun. */
static struct pavane_crawl *open_crawl(struct course *course, bool is_first)
{
	const struct pv_run *run = course->run;
	struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = course->directory,
	    .is_fresh = is_first && run->options->is_fresh,
	    .is_update = is_first && run->is_update,
	    .level = pv_reporter_level(run->options),
	    .on_line = on_line,
	    .on_progress = on_progress,
	    .progress_ms = PROGRESS_MS,
	    .ctx = course,
	    .fleet = run->options->fleet,
	    .shard = run->options->shard,
	    .inbound = run->options->inbound,
	    .inbound_count = run->options->inbound_count,
	    .is_enough = is_enough,
	    .was_enough = &course->was_enough,
	    .is_attended = isatty(STDIN_FILENO) && isatty(STDERR_FILENO),
	};
	const struct pavane_policy *policy =
	    course->own ? course->own : run->policy;
	return is_first ? pavane_crawl_open(policy, &options)
			: pavane_crawl_reopen(course->crawl, policy, &options);
}

/* Whether it is to be gone on with by another policy, or with other values. */
static bool goes_on(const struct course *course, enum pavane_end end)
{
	bool is_changed =
	    course->next || pavane_crawl_has_changed(course->crawl);
	return is_changed && end != PAVANE_FAILED &&
	       !pv_signals_has_stop(course->signals);
}

static struct pavane_crawl *open_again(struct course *course)
{
	struct pavane_policy *before = course->own;
	if (course->next)
		course->own = course->next;
	struct pavane_crawl *crawl = open_crawl(course, false);
	if (course->next)
		pavane_policy_destroy(before);
	course->next = NULL;
	return crawl;
}

/* What there was to save the run before has saved. */
static int end_unopened(struct course *course)
{
	pv_row_stream_stop(course->rows);
	if (!course->was_enough)
		return EXIT_FAILED;
	say(course, PAVANE_WARNING,
	    "stopped while it waited for the fleet's database; its state is "
	    "saved, and the same command continues it");
	return EXIT_STOPPED;
}

static int crawl(struct course *course)
{
	enum pavane_end end = PAVANE_STOPPED;
	bool is_first = true;
	do {
		course->crawl =
		    is_first ? open_crawl(course, true) : open_again(course);
		if (!course->crawl)
			return end_unopened(course);
		if (is_first)
			course->rows = pv_row_stream_start(
			    course->directory, course->run->options->stream);
		is_first = false;
		pv_signals_attach(course->signals, course->crawl);
		end = pavane_crawl_run(course->crawl);
		pv_signals_attach(course->signals, NULL);
	} while (goes_on(course, end));
	take_metrics(course, pavane_crawl_progress(course->crawl));
	pv_row_stream_stop(course->rows);
	int status = finish(
	    course->run, course->reporter, course->crawl, status_of(end));
	pavane_crawl_leave(course->crawl);
	return status;
}

static bool can_stream(const struct pv_run *run)
{
	const char *kind = run->options->stream;
	if (!kind)
		return true;
	if (run->options->is_json)
		fprintf(stderr, "pavane: --stream and --json both print to the "
				"standard output: leave one of them out\n");
	else if (!pavane_policy_has_rows(run->policy, kind))
		fprintf(stderr,
		    "pavane: --stream %s: the policy has no kind of page %s "
		    "with fields, or output.fields.forms has no jsonl\n",
		    kind, kind);
	else
		return true;
	return false;
}

int pv_run_crawl(const struct pv_run *run)
{
	struct course course = {.run = run, .directory = directory_of(run)};
	if (!can_stream(run))
		return EXIT_WRONG;
	int status = pv_fresh_check(run->options, course.directory);
	if (status != EXIT_FINISHED)
		return status;
	course.signals = pv_signals_start();
	course.reporter = pv_reporter_create(run->options, course.signals);
	begin(run, course.reporter, course.directory);
	pv_descriptors_raise(DESCRIPTORS_WANTED);
	pv_metrics_init(
	    &course.metrics, run->options->metrics, course.directory);
	status = crawl(&course);
	pavane_policy_destroy(course.own);
	pavane_policy_destroy(course.next);
	if (!pv_reporter_is_heard(course.reporter))
		status = EXIT_FAILED;
	pv_reporter_destroy(course.reporter);
	pv_signals_stop(course.signals);
	return status;
}

int pv_dry_run(const struct pv_run *run)
{
	const struct pavane_policy *policy = run->policy;
	const char *output = run->options->output;
	printf("no request is made; a crawl would do this:\n");
	pavane_policy_write_outlook(policy, pv_write_out, stdout);
	pavane_policy_write_summary(policy, pv_write_out, stdout);
	printf("  directory    %s\n",
	    output ? output : pavane_policy_directory(policy));
	return EXIT_FINISHED;
}
