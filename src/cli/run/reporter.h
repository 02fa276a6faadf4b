#ifndef PAVANE_CLI_RUN_REPORTER_H
#define PAVANE_CLI_RUN_REPORTER_H

#include "cli/run/options.h"
#include "cli/run/signals.h"
#include "pavane/pavane.h"

/* Reports the progress of a crawl to people or to a program.
 *
 * How depends on who listens: a live display on a terminal, plain lines
 * elsewhere, JSON on the standard output, or problems only. Output never delays
 * the crawl (outlet.h), and lines may come from any thread. The crawl's lines
 * and progress go to the standard error; its directory, the summary and JSON to
 * the standard output.
 */
struct pv_reporter;

/* The options and the signals outlive it. */
struct pv_reporter *pv_reporter_create(
    const struct pv_options *options, struct pv_signals *signals);

/* Whether the standard output has taken what was for it, which is waited for a
 * little; else why not is printed. Who has closed it, or reads no further,
 * wants no more: that is no fault. */
bool pv_reporter_is_heard(struct pv_reporter *reporter);

/* Whatever is not out yet is waited for a little. NULL is fine. */
void pv_reporter_destroy(struct pv_reporter *reporter);

/* Up to which lines the crawl is to tell. */
enum pavane_level pv_reporter_level(const struct pv_options *options);

/* What the crawl calls; ctx is the reporter. */
void pv_reporter_on_line(void *ctx, enum pavane_level level, const char *line);
void pv_reporter_on_progress(void *ctx, const struct pavane_progress *progress);

/* Text for the user, of whole lines: its directory, before anything else. */
void pv_reporter_say(struct pv_reporter *reporter, const char *text);

/* The crawl has ended: the last progress and the summary. */
void pv_reporter_end(struct pv_reporter *reporter,
    const struct pavane_progress *progress, const char *summary);

#endif
