#include "audit/finding.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/visible.h"

/* Sentences say what was, up to its number, and what should have been, up to
 * its number; those without a bound are whole. */
static const struct rule {
	const char *word;
	const char *promise;
	const char *unit;
	const char *was;
	const char *bound;
	const char *why;
} rules[PV_AUDIT_RULE_COUNT] = {
    [PV_AUDIT_DELAY] = {"delay", "P1", "ms", "the request came after a rest of",
	"must be at least", "by the policy's delay"},
    [PV_AUDIT_CRAWL_DELAY] = {"crawl-delay", "P1", "ms",
	"the request came after a rest of", "must be at least",
	"by the Crawl-delay of its robots.txt"},
    [PV_AUDIT_SLOW] = {"slow", "P1", "ms", "the request came after a rest of",
	"must be at least", "since the answer before it took that long"},
    [PV_AUDIT_HOST_RATE] = {"host-rate", "P1", "ms",
	"the request came when the host's own max_rate was used up, after",
	"must be", "since the interval began"},
    [PV_AUDIT_RETRY_AFTER] = {"retry-after", "P2", "ms",
	"the request came after", "must be at least",
	"by the Retry-After of an answer before it"},
    [PV_AUDIT_FAILURE] = {"failure", "P2", "ms", "the request came after",
	"must be at least", "by the back-off after a failure"},
    [PV_AUDIT_OVERLOAD] = {"overload", "P2", "ms", "the request came after",
	"must be at least", "by the back-off after 429 or 503"},
    [PV_AUDIT_CONNECTIONS] = {"connections", "P1", "requests",
	"it ran at the same time as others:", "must be at most", "to one host"},
    [PV_AUDIT_ADDRESS] = {"address", "P1", "ms",
	"the request came to its IP address after", "must be at least",
	"by ip_delay, whatever the host"},
    [PV_AUDIT_ADDRESS_FAILURE] = {"address-failure", "P2", "ms",
	"the request came to its IP address after", "must be at least",
	"after the address could not be reached"},
    [PV_AUDIT_HOURS] = {"hours", "P1", "ms",
	"the request started outside of allowed_hours, by", "must be",
	"at its release"},
    [PV_AUDIT_VISIT_TIME] = {"visit-time", "P1", "ms",
	"the request started outside of the Visit-time of its robots.txt, "
	"by",
	"must be", "at its release"},
    [PV_AUDIT_RATE] = {"rate", "P1", "requests",
	"the crawl started the request when its bucket held",
	"must be at least", "by rate.max_rate, interval and burst"},
    [PV_AUDIT_CONCURRENCY] = {"concurrency", "P1", "requests",
	"it ran at the same time as others:", "must be at most",
	"in the whole crawl"},
    [PV_AUDIT_ROBOTS_FIRST] = {"robots-first", "P1", "",
	"the request was made before robots.txt had answered", NULL, NULL},
    [PV_AUDIT_ROBOTS] = {"robots", "P1", "line",
	"robots.txt forbids the address, line", NULL, NULL},
    [PV_AUDIT_OWNER] = {"owner", "P1", "",
	"the request was made by a worker that did not hold", NULL, NULL},
    [PV_AUDIT_OWNERS] = {"owners", "P1", "ms", "was held by two workers", NULL,
	NULL},
    [PV_AUDIT_JOURNAL] = {"journal", "P3", "ms",
	"the journal's gap_ms is longer than its times allow, which is",
	"is given as", NULL},
    [PV_AUDIT_LEDGER] = {"ledger", "P3", "", "the ledger says", "the journal",
	NULL},
};

void pv_audit_findings_finish(struct pv_audit_findings *findings)
{
	free(findings->items);
	free(findings->by_host);
}

static void count_host(struct pv_audit_findings *findings, uint32_t host)
{
	if (host == PV_AUDIT_NO_HOST) {
		findings->without_host++;
		return;
	}
	if (host >= findings->host_count) {
		size_t size = ((size_t)host + 1) * 2;
		findings->by_host = pv_realloc_array(
		    findings->by_host, size, sizeof(*findings->by_host));
		while (findings->host_count < size)
			findings->by_host[findings->host_count++] = 0;
	}
	findings->by_host[host]++;
}

void pv_audit_findings_add(
    struct pv_audit_findings *findings, const struct pv_audit_finding *finding)
{
	findings->count++;
	count_host(findings, finding->host);
	if (findings->kept < PV_AUDIT_FINDINGS_MAX)
		*PV_ARRAY_PUSH(
		    findings->items, findings->kept, findings->size) = *finding;
}

uint64_t pv_audit_findings_of(
    const struct pv_audit_findings *findings, uint32_t host)
{
	return host < findings->host_count ? findings->by_host[host] : 0;
}

const char *pv_audit_rule_word(enum pv_audit_rule rule)
{
	return rules[rule].word;
}

const char *pv_audit_rule_promise(enum pv_audit_rule rule)
{
	return rules[rule].promise;
}

const char *pv_audit_rule_unit(enum pv_audit_rule rule)
{
	return rules[rule].unit;
}

static void write_number(
    int64_t number, const struct rule *rule, struct pv_buf *buf)
{
	const char *space = rule->unit[0] ? " " : "";
	bool is_line = strcmp(rule->unit, "line") == 0;
	pv_buf_append_format(buf, " %" PRId64 "%s%s", number,
	    is_line ? "" : space, is_line ? "" : rule->unit);
}

static void write_owners(
    const struct pv_audit_finding *finding, struct pv_buf *buf)
{
	const struct pv_audit_between *between = &finding->handover;
	if (finding->rule == PV_AUDIT_OWNER) {
		pv_buf_append_format(buf,
		    "the request was made by worker %" PRId64
		    ", which did not hold ",
		    between->worker);
		pv_visible_append(buf, between->name);
		return;
	}
	pv_buf_append_format(buf, "worker %" PRId64 " held ", between->worker);
	pv_visible_append(buf, between->name);
	if (finding->was >= 0)
		pv_buf_append_format(buf, " for %" PRId64 " ms", finding->was);
	pv_buf_append_format(
	    buf, " while worker %" PRId64 " held it", between->other);
}

static void write_handover(
    const struct pv_audit_finding *finding, struct pv_buf *buf)
{
	const struct pv_audit_between *between = &finding->handover;
	if (!between->name.len)
		return;
	pv_buf_append_text(buf, ": ");
	pv_visible_append(buf, between->name);
	pv_buf_append_format(buf,
	    " went from worker %" PRId64 " to worker %" PRId64, between->other,
	    between->worker);
}

void pv_audit_finding_write(
    const struct pv_audit_finding *finding, struct pv_buf *buf)
{
	const struct rule *rule = &rules[finding->rule];
	if (finding->rule == PV_AUDIT_OWNER ||
	    finding->rule == PV_AUDIT_OWNERS) {
		write_owners(finding, buf);
		return;
	}
	if (finding->figure)
		pv_buf_append_format(buf, "%s: ", finding->figure);
	pv_buf_append_text(buf, rule->was);
	if (finding->rule != PV_AUDIT_ROBOTS_FIRST)
		write_number(finding->was, rule, buf);
	if (!rule->bound)
		return;
	pv_buf_append_format(buf, ", and %s", rule->bound);
	write_number(finding->should, rule, buf);
	if (rule->why)
		pv_buf_append_format(buf, ", %s", rule->why);
	write_handover(finding, buf);
}
