#include <stdlib.h>

#include "api/sized.h"
#include "audit/audit.h"
#include "audit/report.h"
#include "pavane/pavane.h"

#define LINE_MAX_BYTES 65536

static void tell(
    const struct pavane_audit_options *options, const char *sentence)
{
	if (options->on_line)
		options->on_line(options->ctx, PAVANE_ERROR, sentence);
}

static void tell_why(
    const struct pavane_audit_options *options, const struct pv_why *why)
{
	for (size_t i = 0; i < why->problems.kept_count; i++) {
		struct pv_buf line;
		pv_buf_init(&line, LINE_MAX_BYTES);
		pv_problem_write(&why->problems.kept[i], &line);
		tell(options, pv_buf_text(&line));
		pv_buf_finish(&line);
	}
}

static enum pavane_promises write_report(
    const struct pavane_audit_options *options, struct pv_audit *audit)
{
	struct pv_audit_report report = {
	    .audit = audit,
	    .host = pv_str_of(options->host ? options->host : ""),
	    .write = options->write,
	    .ctx = options->ctx,
	};
	if (options->host && !pv_audit_knows(audit, report.host)) {
		tell(options, "the crawl made no request to that host");
		return PAVANE_NO_AUDIT;
	}
	if (options->is_json)
		pv_audit_write_json(&report);
	else
		pv_audit_write_text(&report);
	return pv_audit_broken(&report) ? PAVANE_BROKEN : PAVANE_KEPT;
}

enum pavane_promises pavane_audit(const struct pavane_audit_options *given)
{
	struct pavane_audit_options own, *options = &own;
	enum pavane_promises promises = PAVANE_NO_AUDIT;
	struct pv_why why;
	if (!pv_sized_read(options, sizeof(own), given))
		return promises;
	pv_why_init(&why);
	struct pv_audit *audit =
	    pv_audit_create(options->directory, getenv("TZ"), &why);
	if (audit)
		promises = write_report(options, audit);
	else
		tell_why(options, &why);
	pv_audit_destroy(audit);
	pv_why_finish(&why);
	return promises;
}
