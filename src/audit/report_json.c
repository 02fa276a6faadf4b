#include "audit/report.h"

#include <inttypes.h>

#include "audit/figures.h"
#include "base/json/json.h"

struct telling {
	const struct pv_audit_report *report;
	struct pv_buf buf;
	bool has_begun;
};

static void set_integer(
    struct pv_json *object, const char *name, int64_t number)
{
	pv_json_set(object, name, pv_json_integer(number));
}

/* Left out where there is none. */
static void set_known(struct pv_json *object, const char *name, int64_t number)
{
	if (number >= 0)
		set_integer(object, name, number);
}

/* Times are in milliseconds since 1970. */
static void set_ledger(struct pv_json *object, const struct pv_ledger *ledger)
{
	struct pv_json *rules = pv_json_object();
	set_integer(object, "requests", ledger->requests);
	set_integer(object, "bytes", ledger->bytes);
	set_known(object, "least_gap_ms", ledger->least_gap_ms);
	if (ledger->gaps.count)
		pv_json_set(object, "median_gap_ms",
		    pv_json_number(pv_ledger_median_gap_ms(ledger)));
	set_integer(object, "most_at_once", ledger->most_at_once);
	set_integer(object, "answers_429", ledger->too_many);
	set_integer(object, "answers_503", ledger->unavailable);
	set_known(object, "least_reaction_ms", ledger->least_reaction_ms);
	set_integer(object, "robots_requests", ledger->robots_count);
	if (ledger->robots_count)
		set_integer(object, "robots_wall_ms", ledger->robots_wall_ms);
	for (size_t i = 0; i < ledger->rule_count; i++)
		set_integer(
		    rules, ledger->rules[i].word, ledger->rules[i].count);
	pv_json_set(object, "rules", rules);
}

static void append_value(struct telling *telling, struct pv_json *value)
{
	if (telling->has_begun)
		pv_buf_append_char(&telling->buf, ',');
	telling->has_begun = true;
	pv_json_write(value, false, &telling->buf);
	pv_json_destroy(value);
	pv_audit_report_flush(telling->report, &telling->buf);
}

static void set_handovers(
    struct pv_json *object, const struct pv_audit *audit, uint32_t host)
{
	struct pv_audit_handover handover =
	    pv_audit_handovers_of(&audit->handovers, host);
	if (!handover.count)
		return;
	set_integer(object, "handovers", handover.count);
	set_integer(object, "least_handover_gap_ms", handover.least_gap_ms);
}

static void set_between(
    struct pv_json *object, const struct pv_audit_between *between)
{
	if (!between->name.len)
		return;
	pv_json_set(object, "clock", pv_json_text(between->name));
	set_integer(object, "worker", between->worker);
	set_known(object, "other_worker", between->other);
}

static void tell_host_json(void *ctx, const struct pv_audit_figures *figures)
{
	struct telling *telling = ctx;
	struct pv_json *object = pv_json_object();
	if (!pv_audit_report_tells(telling->report, figures->number)) {
		pv_json_destroy(object);
		return;
	}
	pv_json_set(object, "host", pv_json_text(figures->host));
	set_ledger(object, &figures->ledger);
	set_integer(object, "pages", figures->pages);
	set_integer(object, "unsent", figures->unsent);
	set_handovers(object, telling->report->audit, figures->number);
	if (figures->robots_digest[0])
		pv_json_set_text(
		    object, "robots_digest", figures->robots_digest);
	set_integer(object, "first_wall_ms", figures->first_wall_ms);
	set_integer(object, "last_wall_ms", figures->last_wall_ms);
	set_integer(object, "broken",
	    (int64_t)pv_audit_findings_of(
		&telling->report->audit->findings, figures->number));
	append_value(telling, object);
}

static void tell_finding_json(
    struct telling *telling, const struct pv_audit_finding *finding)
{
	const struct pv_audit *audit = telling->report->audit;
	struct pv_json *object = pv_json_object();
	struct pv_buf text;
	char file[PV_JOURNAL_NAME_MAX];
	pv_buf_init(&text, 4096);
	pv_audit_finding_write(finding, &text);
	pv_json_set_text(object, "rule", pv_audit_rule_word(finding->rule));
	pv_json_set_text(
	    object, "promise", pv_audit_rule_promise(finding->rule));
	if (finding->host != PV_AUDIT_NO_HOST)
		pv_json_set(object, "host",
		    pv_json_text(pv_audit_report_name(audit, finding->host)));
	if (finding->line) {
		int64_t line =
		    pv_audit_parts_place(&audit->parts, finding->line, file);
		if (audit->parts.count > 1 ||
		    pv_audit_parts_are_cut(&audit->parts))
			pv_json_set_text(object, "file", file);
		set_integer(object, "line", line);
	}
	if (finding->wall_ms)
		set_integer(object, "wall_ms", finding->wall_ms);
	set_integer(object, "was", finding->was);
	set_integer(object, "should", finding->should);
	pv_json_set_text(object, "unit", pv_audit_rule_unit(finding->rule));
	if (finding->figure)
		pv_json_set_text(object, "figure", finding->figure);
	set_between(object, &finding->handover);
	pv_json_set_text(object, "sentence", pv_buf_text(&text));
	append_value(telling, object);
	pv_buf_finish(&text);
}

void pv_audit_write_json(const struct pv_audit_report *report)
{
	const struct pv_audit_findings *findings = &report->audit->findings;
	struct telling telling = {.report = report};
	uint64_t broken = pv_audit_broken(report);
	pv_buf_init(&telling.buf, PV_AUDIT_TEXT_MAX);
	pv_buf_append_format(&telling.buf,
	    "{\"kept\":%s,\"broken\":%" PRIu64 ",\"requests\":%" PRId64
	    ",\"undated\":%" PRId64 ",",
	    broken ? "false" : "true", broken, report->audit->request_count,
	    report->audit->undated_count);
	if (pv_audit_parts_are_cut(&report->audit->parts))
		pv_buf_append_format(&telling.buf,
		    "\"since_wall_ms\":%" PRId64 ",",
		    report->audit->first_wall_ms);
	if (report->audit->workers.is_merge)
		pv_buf_append_format(&telling.buf,
		    "\"workers\":%zu,\"handovers\":%" PRId64 ",",
		    report->audit->workers.count,
		    report->audit->handovers.count);
	if (report->audit->clocks.time_count)
		pv_buf_append_format(&telling.buf,
		    "\"uncertainty_ms\":%" PRId64 ",",
		    report->audit->clocks.most_uncertain_ms);
	pv_buf_append_text(&telling.buf, "\"hosts\":[");
	pv_audit_each_host(report->audit, tell_host_json, &telling);
	pv_buf_append_text(&telling.buf, "],\"violations\":[");
	telling.has_begun = false;
	for (size_t i = 0; i < findings->kept; i++) {
		if (pv_audit_report_tells(report, findings->items[i].host))
			tell_finding_json(&telling, &findings->items[i]);
	}
	pv_buf_append_text(&telling.buf, "]}\n");
	pv_audit_report_flush(report, &telling.buf);
	pv_buf_finish(&telling.buf);
}
