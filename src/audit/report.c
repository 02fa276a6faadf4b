#include "audit/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "audit/clock_event.h"
#include "audit/figures.h"
#include "base/visible.h"

void pv_audit_report_flush(
    const struct pv_audit_report *report, struct pv_buf *buf)
{
	if (buf->len)
		report->write(report->ctx, pv_buf_text(buf), buf->len);
	pv_buf_clear(buf);
}

/* The number of that host; PV_AUDIT_NO_HOST if there is none. */
static uint32_t find_host(const struct pv_audit *audit, struct pv_str host)
{
	const uint32_t *number = pv_map_get(&audit->terms.hosts.map, host);
	return number ? *number : PV_AUDIT_NO_HOST;
}

bool pv_audit_knows(const struct pv_audit *audit, struct pv_str host)
{
	return find_host(audit, host) != PV_AUDIT_NO_HOST;
}

uint64_t pv_audit_broken(const struct pv_audit_report *report)
{
	const struct pv_audit *audit = report->audit;
	if (!report->host.len)
		return audit->findings.count;
	return pv_audit_findings_of(
	    &audit->findings, find_host(audit, report->host));
}

bool pv_audit_report_tells(const struct pv_audit_report *report, uint32_t host)
{
	return !report->host.len ||
	       host == find_host(report->audit, report->host);
}

struct pv_str pv_audit_report_name(const struct pv_audit *audit, uint32_t host)
{
	return host == PV_AUDIT_NO_HOST ? PV_STR("the whole crawl")
					: audit->terms.hosts.items[host];
}

/* "2026-03-01 09:30:00.250", in UTC. */
static void append_time(struct pv_buf *buf, int64_t wall_ms, bool has_ms)
{
	char text[64];
	struct tm parts;
	time_t time = (time_t)(wall_ms / 1000);
	if (!gmtime_r(&time, &parts) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts))
		return;
	pv_buf_append_text(buf, text);
	if (has_ms)
		pv_buf_append_format(buf, ".%03d", (int)(wall_ms % 1000));
}

static const struct pv_ledger_rule *first_rule(const struct pv_ledger *ledger)
{
	const struct pv_ledger_rule *most = NULL;
	for (size_t i = 0; i < ledger->rule_count; i++) {
		if (!most || ledger->rules[i].count > most->count)
			most = &ledger->rules[i];
	}
	return most;
}

/* A table */

struct telling {
	const struct pv_audit_report *report;
	struct pv_buf buf;
};

static void append_ms(struct pv_buf *buf, int width, int64_t ms)
{
	if (ms < 0)
		pv_buf_append_format(buf, " %*s", width, "-");
	else
		pv_buf_append_format(buf, " %*" PRId64, width, ms);
}

static void append_robots(struct pv_buf *buf, const struct pv_ledger *ledger)
{
	pv_buf_append_text(buf, "  ");
	if (ledger->robots_count)
		append_time(buf, ledger->robots_wall_ms, false);
	else
		pv_buf_append_format(buf, "%-19s", "-");
}

/* Over all workers. */
static int64_t least_gap_ms(
    const struct pv_audit *audit, uint32_t host, const struct pv_ledger *ledger)
{
	int64_t gap_ms =
	    pv_audit_handovers_of(&audit->handovers, host).least_gap_ms;
	bool is_less = gap_ms >= 0 && (ledger->least_gap_ms < 0 ||
					  gap_ms < ledger->least_gap_ms);
	return is_less ? gap_ms : ledger->least_gap_ms;
}

static void append_row(
    struct telling *telling, const struct pv_audit_figures *figures)
{
	const struct pv_ledger *ledger = &figures->ledger;
	const struct pv_ledger_rule *rule = first_rule(ledger);
	struct pv_buf *buf = &telling->buf;
	uint64_t broken = pv_audit_findings_of(
	    &telling->report->audit->findings, figures->number);
	pv_buf_append_format(buf, "%8" PRId64 " %8" PRId64 " %13" PRId64,
	    ledger->requests, figures->pages, ledger->bytes);
	append_ms(buf, 9,
	    least_gap_ms(telling->report->audit, figures->number, ledger));
	append_ms(buf, 9, (int64_t)pv_ledger_median_gap_ms(ledger));
	pv_buf_append_format(buf, " %7" PRId64 " %7" PRId64,
	    ledger->most_at_once, ledger->too_many + ledger->unavailable);
	append_ms(buf, 9, ledger->least_reaction_ms);
	append_robots(buf, ledger);
	pv_buf_append_format(buf, "  %-11s", rule ? rule->word : "-");
	pv_buf_append_format(buf, " %6" PRIu64 "  ", broken);
	pv_visible_append(buf, figures->host);
	pv_buf_append_char(buf, '\n');
}

static const char table_head[] =
    "                                 smallest    median                  "
    "quickest\n"
    "requests    pages         bytes    gap ms    gap ms at once 429/503 "
    "reaction  last robots.txt (UTC) paced by    broken  host\n";

static void tell_row(void *ctx, const struct pv_audit_figures *figures)
{
	struct telling *telling = ctx;
	append_row(telling, figures);
	pv_audit_report_flush(telling->report, &telling->buf);
}

/* One host */

static void append_fact(
    struct pv_buf *buf, const char *name, int64_t number, const char *unit)
{
	pv_buf_append_format(buf, "  %-28s ", name);
	if (number < 0)
		pv_buf_append_text(buf, "-\n");
	else
		pv_buf_append_format(buf, "%" PRId64 "%s\n", number, unit);
}

static void append_time_fact(
    struct pv_buf *buf, const char *name, int64_t wall_ms)
{
	pv_buf_append_format(buf, "  %-28s ", name);
	append_time(buf, wall_ms, true);
	pv_buf_append_text(buf, " UTC\n");
}

static void append_rules(struct pv_buf *buf, const struct pv_ledger *ledger)
{
	pv_buf_append_format(buf, "  %-28s", "what set the pace");
	for (size_t i = 0; i < ledger->rule_count; i++)
		pv_buf_append_format(buf, "%s %s %" PRId64, i ? "," : "",
		    ledger->rules[i].word, ledger->rules[i].count);
	pv_buf_append_text(buf, ledger->rule_count ? "\n" : " nothing\n");
}

static void append_robots_facts(
    struct pv_buf *buf, const struct pv_audit_figures *figures)
{
	const struct pv_ledger *ledger = &figures->ledger;
	append_fact(buf, "requests for robots.txt", ledger->robots_count, "");
	if (ledger->robots_count)
		append_time_fact(
		    buf, "the last of them", ledger->robots_wall_ms);
	if (figures->robots_digest[0])
		pv_buf_append_format(
		    buf, "  %-28s %s\n", "its answer", figures->robots_digest);
}

static void append_handover(
    struct pv_buf *buf, const struct pv_audit *audit, uint32_t host)
{
	struct pv_audit_handover handover =
	    pv_audit_handovers_of(&audit->handovers, host);
	if (!audit->workers.is_merge)
		return;
	append_fact(buf, "handed over between workers", handover.count, "");
	append_fact(
	    buf, "smallest gap across one", handover.least_gap_ms, " ms");
}

static void tell_one(void *ctx, const struct pv_audit_figures *figures)
{
	struct telling *telling = ctx;
	const struct pv_ledger *ledger = &figures->ledger;
	struct pv_buf *buf = &telling->buf;
	if (!pv_audit_report_tells(telling->report, figures->number))
		return;
	pv_visible_append(buf, figures->host);
	pv_buf_append_char(buf, '\n');
	append_fact(buf, "requests", ledger->requests, "");
	append_fact(buf, "not sent", figures->unsent, "");
	append_fact(buf, "pages and files (2xx)", figures->pages, "");
	append_fact(buf, "bytes of bodies", ledger->bytes, "");
	append_time_fact(buf, "first request", figures->first_wall_ms);
	append_time_fact(buf, "last request", figures->last_wall_ms);
	append_fact(
	    buf, "smallest gap between starts", ledger->least_gap_ms, " ms");
	append_fact(
	    buf, "median gap", (int64_t)pv_ledger_median_gap_ms(ledger), " ms");
	append_handover(buf, telling->report->audit, figures->number);
	append_fact(buf, "at the same time, at most", ledger->most_at_once, "");
	append_fact(buf, "answers of 429", ledger->too_many, "");
	append_fact(buf, "answers of 503", ledger->unavailable, "");
	append_fact(buf, "next request after one", ledger->least_reaction_ms,
	    " ms at least");
	append_robots_facts(buf, figures);
	append_rules(buf, ledger);
	pv_audit_report_flush(telling->report, buf);
}

/* What was broken */

static void tell_finding(
    struct telling *telling, const struct pv_audit_finding *finding)
{
	const struct pv_audit *audit = telling->report->audit;
	struct pv_buf *buf = &telling->buf;
	char file[PV_JOURNAL_NAME_MAX];
	pv_buf_append_text(buf, "  ");
	if (finding->line) {
		int64_t line =
		    pv_audit_parts_place(&audit->parts, finding->line, file);
		pv_buf_append_format(buf, "%s:%" PRId64 ": ", file, line);
	}
	pv_visible_append(buf, pv_audit_report_name(audit, finding->host));
	if (finding->wall_ms) {
		pv_buf_append_text(buf, ": ");
		append_time(buf, finding->wall_ms, true);
		pv_buf_append_text(buf, " UTC");
	}
	pv_buf_append_format(buf,
	    ": %s (%s): ", pv_audit_rule_word(finding->rule),
	    pv_audit_rule_promise(finding->rule));
	pv_audit_finding_write(finding, buf);
	pv_buf_append_char(buf, '\n');
	pv_audit_report_flush(telling->report, buf);
}

static void tell_findings(struct telling *telling)
{
	const struct pv_audit_findings *findings =
	    &telling->report->audit->findings;
	uint64_t broken = pv_audit_broken(telling->report);
	pv_buf_append_format(&telling->buf, "\n%" PRIu64 " promise%s broken:\n",
	    broken, broken == 1 ? " was" : "s were");
	pv_audit_report_flush(telling->report, &telling->buf);
	for (size_t i = 0; i < findings->kept; i++) {
		if (pv_audit_report_tells(
			telling->report, findings->items[i].host))
			tell_finding(telling, &findings->items[i]);
	}
	if (findings->kept < findings->count)
		pv_buf_append_format(&telling->buf,
		    "  and more: only the first %d of all hosts are listed\n",
		    PV_AUDIT_FINDINGS_MAX);
}

/* Of several workers: what is known of their clocks. */
static void tell_workers(struct telling *telling)
{
	const struct pv_audit *audit = telling->report->audit;
	struct pv_buf *buf = &telling->buf;
	if (audit->workers.is_part_of_fleet)
		pv_buf_append_text(buf,
		    "one worker of a fleet; what all of them did is told by "
		    "`pavane merge -o OUT DIR...` and `pavane audit OUT`\n");
	if (audit->workers.is_merge)
		pv_buf_append_format(buf,
		    "a merge of %zu worker%s, between which hosts were handed "
		    "over %" PRId64 " time%s\n",
		    audit->workers.count, audit->workers.count == 1 ? "" : "s",
		    audit->handovers.count,
		    audit->handovers.count == 1 ? "" : "s");
	if (audit->clocks.time_count)
		pv_buf_append_format(buf,
		    "times of workers are the server's, uncertain by at most "
		    "%" PRId64 " ms for each\n",
		    audit->clocks.most_uncertain_ms);
	else if (audit->workers.is_merge)
		pv_buf_append_text(buf,
		    "times of workers are those of their own clocks, since "
		    "there is no " PV_CLOCK_EVENTS_FILE
		    " that compares them\n");
}

static void tell_head(struct telling *telling)
{
	const struct pv_audit *audit = telling->report->audit;
	struct pv_buf *buf = &telling->buf;
	char first[PV_JOURNAL_NAME_MAX];
	pv_buf_append_format(buf, "%" PRId64 " requests to %zu host%s",
	    audit->request_count, audit->terms.hosts.count,
	    audit->terms.hosts.count == 1 ? "" : "s");
	if (audit->request_count) {
		pv_buf_append_text(buf, ", from ");
		append_time(buf, audit->first_wall_ms, false);
		pv_buf_append_text(buf, " to ");
		append_time(buf, audit->last_wall_ms, false);
		pv_buf_append_text(buf, " UTC");
	}
	pv_buf_append_text(buf, "\n");
	tell_workers(telling);
	if (pv_audit_parts_are_cut(&audit->parts)) {
		pv_journal_name_write(audit->parts.items[0].generation, first);
		pv_buf_append_format(buf,
		    "its journal is kept from %s on: what was before, and what "
		    "the ledger counts in all, is not judged\n",
		    first);
	}
	if (audit->undated_count)
		pv_buf_append_format(buf,
		    "%" PRId64 " request%s no time in the journal, and cannot "
		    "be judged\n",
		    audit->undated_count,
		    audit->undated_count == 1 ? " has" : "s have");
	pv_buf_append_char(buf, '\n');
}

void pv_audit_write_text(const struct pv_audit_report *report)
{
	struct telling telling = {.report = report};
	pv_buf_init(&telling.buf, PV_AUDIT_TEXT_MAX);
	tell_head(&telling);
	if (!report->host.len)
		pv_buf_append_text(&telling.buf, table_head);
	pv_audit_each_host(
	    report->audit, report->host.len ? tell_one : tell_row, &telling);
	if (pv_audit_broken(report))
		tell_findings(&telling);
	else
		pv_buf_append_text(&telling.buf, "\nEvery promise was kept.\n");
	pv_audit_report_flush(report, &telling.buf);
	pv_buf_finish(&telling.buf);
}
