#include "cli/run/reporter.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/facts.h"
#include "cli/run/plain_lines.h"
#include "cli/terminal/amounts.h"
#include "cli/terminal/display.h"
#include "cli/terminal/outlet.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/sheet.h"

/* So long, at the end, somebody who does not read is waited for. */
#define PATIENCE_MS 1000

#define JSON_MS 1000

/* How progress is shown; the reporter is locked. */
struct style {
	/* Puts whole lines where lines of the crawl go; false if nobody takes
	 * them. */
	bool (*tell)(struct pv_reporter *, const char *lines);
	void (*show)(struct pv_reporter *, const struct pavane_progress *);
	void (*end)(struct pv_reporter *, const struct pavane_progress *,
	    const char *summary);
	bool is_said; /* what is for people goes to the standard output */
	bool is_silent;
};

struct pv_reporter {
	pthread_mutex_t lock;
	const struct style *style;
	struct pv_signals *signals;
	struct pv_outlet *out;
	struct pv_outlet *err;
	struct pv_screen screen;
	struct pv_display display;
	struct pv_plain_lines plain;
	uint64_t lost;   /* lines that nobody has taken */
	int64_t json_ms; /* when the last object was written */
	bool has_json;
};

static bool write_text(struct pv_outlet *outlet, const char *text)
{
	return pv_outlet_write(outlet, text, strlen(text));
}

static bool tell_err(struct pv_reporter *reporter, const char *lines)
{
	return write_text(reporter->err, lines);
}

static void show_nothing(
    struct pv_reporter *reporter, const struct pavane_progress *progress)
{
	(void)reporter;
	(void)progress;
}

/* Problems only. */

static void end_silently(struct pv_reporter *reporter,
    const struct pavane_progress *progress, const char *summary)
{
	(void)reporter;
	(void)progress;
	(void)summary;
}

static const struct style silent = {
    .tell = tell_err,
    .show = show_nothing,
    .end = end_silently,
    .is_silent = true,
};

/* Plain lines. */

static void show_plain(
    struct pv_reporter *reporter, const struct pavane_progress *progress)
{
	struct pv_sheet sheet;
	if (!pv_plain_lines_take(&reporter->plain, progress))
		return;
	pv_sheet_open(&sheet);
	pv_plain_line_write(progress, sheet.file);
	pv_sheet_close(&sheet);
	write_text(reporter->err, sheet.text);
	pv_sheet_finish(&sheet);
}

static void end_plainly(struct pv_reporter *reporter,
    const struct pavane_progress *progress, const char *summary)
{
	(void)progress;
	pv_outlet_drain(reporter->err, PATIENCE_MS);
	write_text(reporter->out, summary);
}

static const struct style plain = {
    .tell = tell_err,
    .show = show_plain,
    .end = end_plainly,
    .is_said = true,
};

/* A live display. */

static bool write_screen(void *ctx, const char *text, size_t len)
{
	return pv_outlet_write(ctx, text, len);
}

static bool tell_above(struct pv_reporter *reporter, const char *lines)
{
	return pv_screen_print(&reporter->screen, lines);
}

/* A program in the background does not draw over the terminal of others. */
static bool is_in_foreground(void)
{
	pid_t group = tcgetpgrp(STDERR_FILENO);
	return group < 0 || group == getpgrp();
}

static void show_live(
    struct pv_reporter *reporter, const struct pavane_progress *progress)
{
	struct pv_lines lines;
	struct pv_terminal_size size = pv_screen_size(STDERR_FILENO);
	if (pv_signals_take_return(reporter->signals))
		pv_screen_leave(&reporter->screen);
	if (!is_in_foreground() || pv_outlet_is_behind(reporter->err))
		return;
	pv_display_draw(&reporter->display, progress, size, &lines);
	pv_screen_draw(&reporter->screen, &lines);
}

static void end_live(struct pv_reporter *reporter,
    const struct pavane_progress *progress, const char *summary)
{
	pv_screen_clear(&reporter->screen);
	end_plainly(reporter, progress, summary);
}

static const struct style live = {
    .tell = tell_above,
    .show = show_live,
    .end = end_live,
    .is_said = true,
};

/* JSON. */

static void write_sheet(void *ctx, const char *text, size_t len)
{
	fwrite(text, 1, len, ctx);
}

static void write_json(
    struct pv_reporter *reporter, const struct pavane_progress *progress)
{
	struct pv_sheet sheet;
	pv_sheet_open(&sheet);
	pavane_progress_write_json(progress, write_sheet, sheet.file);
	pv_sheet_close(&sheet);
	pv_outlet_write(reporter->out, sheet.text, sheet.len);
	pv_sheet_finish(&sheet);
}

static void show_json(
    struct pv_reporter *reporter, const struct pavane_progress *progress)
{
	bool is_due = !reporter->has_json ||
		      progress->elapsed_ms - reporter->json_ms >= JSON_MS;
	if (!is_due || progress->phase == PAVANE_ENDED ||
	    pv_outlet_is_behind(reporter->out))
		return;
	reporter->has_json = true;
	reporter->json_ms = progress->elapsed_ms;
	write_json(reporter, progress);
}

static void end_with_json(struct pv_reporter *reporter,
    const struct pavane_progress *progress, const char *summary)
{
	(void)summary;
	write_json(reporter, progress);
}

static const struct style json = {
    .tell = tell_err,
    .show = show_json,
    .end = end_with_json,
};

static const struct style *style_of(const struct pv_options *options)
{
	if (options->is_json)
		return &json;
	if (options->is_quiet)
		return &silent;
	return pv_screen_is_possible(STDERR_FILENO, getenv("TERM")) ? &live
								    : &plain;
}

struct pv_reporter *pv_reporter_create(
    const struct pv_options *options, struct pv_signals *signals)
{
	struct pv_reporter *reporter = calloc(1, sizeof(*reporter));
	if (!reporter)
		pavane_out_of_memory(sizeof(*reporter));
	pthread_mutex_init(&reporter->lock, NULL);
	reporter->style = style_of(options);
	reporter->signals = signals;
	reporter->display.is_verbose = options->verbosity > 0;
	/* Where rows are printed, nothing else is. */
	reporter->out =
	    pv_outlet_create(options->stream ? STDERR_FILENO : STDOUT_FILENO);
	reporter->err = pv_outlet_create(STDERR_FILENO);
	pv_screen_init(&reporter->screen, write_screen, reporter->err);
	if (reporter->style == &live)
		pv_signals_farewell(signals, PV_SCREEN_ERASE);
	return reporter;
}

void pv_reporter_destroy(struct pv_reporter *reporter)
{
	if (!reporter)
		return;
	pv_outlet_drain(reporter->err, PATIENCE_MS);
	pv_outlet_drain(reporter->out, PATIENCE_MS);
	pv_outlet_destroy(reporter->err);
	pv_outlet_destroy(reporter->out);
	pthread_mutex_destroy(&reporter->lock);
	free(reporter);
}

enum pavane_level pv_reporter_level(const struct pv_options *options)
{
	if (options->verbosity)
		return options->verbosity > 1 ? PAVANE_TRACE : PAVANE_DEBUG;
	return options->is_quiet ? PAVANE_ERROR : PAVANE_INFO;
}

static const char *word_of(enum pavane_level level)
{
	if (level == PAVANE_ERROR)
		return "error: ";
	return level == PAVANE_WARNING ? "warning: " : "";
}

/* Lines that were dropped are counted in the output, once it can be written
 * again. */
void pv_reporter_on_line(void *ctx, enum pavane_level level, const char *line)
{
	struct pv_reporter *reporter = ctx;
	struct pv_sheet sheet;
	pthread_mutex_lock(&reporter->lock);
	pv_sheet_open(&sheet);
	if (reporter->lost)
		fprintf(sheet.file, "(%s omitted)\n",
		    pv_amount_of_things(reporter->lost, "line").text);
	fprintf(sheet.file, "%s%s\n", word_of(level), line);
	pv_sheet_close(&sheet);
	if (reporter->style->tell(reporter, sheet.text))
		reporter->lost = 0;
	else
		reporter->lost++;
	pthread_mutex_unlock(&reporter->lock);
	pv_sheet_finish(&sheet);
}

static void answer(
    struct pv_reporter *reporter, const struct pavane_progress *progress)
{
	struct pv_sheet sheet;
	pv_sheet_open(&sheet);
	pv_facts_write(progress, sheet.file);
	pv_facts_write_now(progress, sheet.file);
	pv_facts_write_holder(progress, sheet.file);
	pv_sheet_close(&sheet);
	reporter->style->tell(reporter, sheet.text);
	pv_sheet_finish(&sheet);
}

void pv_reporter_on_progress(void *ctx, const struct pavane_progress *progress)
{
	struct pv_reporter *reporter = ctx;
	pthread_mutex_lock(&reporter->lock);
	if (pv_signals_take_question(reporter->signals))
		answer(reporter, progress);
	reporter->style->show(reporter, progress);
	pthread_mutex_unlock(&reporter->lock);
}

void pv_reporter_say(struct pv_reporter *reporter, const char *text)
{
	pthread_mutex_lock(&reporter->lock);
	if (reporter->style->is_said) {
		write_text(reporter->out, text);
		pv_outlet_drain(reporter->out, PATIENCE_MS);
	} else if (!reporter->style->is_silent) {
		write_text(reporter->err, text);
	}
	pthread_mutex_unlock(&reporter->lock);
}

bool pv_reporter_is_heard(struct pv_reporter *reporter)
{
	char line[256];
	pv_outlet_drain(reporter->out, PATIENCE_MS);
	int error = pv_outlet_error(reporter->out);
	if (!error || error == EPIPE || error == EBADF ||
	    pv_outlet_is_gone_terminal(STDOUT_FILENO))
		return true;
	snprintf(line, sizeof(line),
	    "cannot write to the standard output: %s: the files of the crawl "
	    "are complete",
	    strerror(error));
	pv_reporter_on_line(reporter, PAVANE_ERROR, line);
	return false;
}

void pv_reporter_end(struct pv_reporter *reporter,
    const struct pavane_progress *progress, const char *summary)
{
	pthread_mutex_lock(&reporter->lock);
	reporter->style->end(reporter, progress, summary);
	pthread_mutex_unlock(&reporter->lock);
}
