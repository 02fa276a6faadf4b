#ifndef PAVANE_AUDIT_FINDING_H
#define PAVANE_AUDIT_FINDING_H

#include <stdint.h>

#include "base/buf.h"

/* Promises that were broken: which, to whom, when, what was and what should
 * have been.
 *
 * Only so many are kept, and all are counted.
 */
#define PV_AUDIT_FINDINGS_MAX 10000

enum pv_audit_rule {
	PV_AUDIT_DELAY,
	PV_AUDIT_CRAWL_DELAY,
	PV_AUDIT_SLOW,
	PV_AUDIT_HOST_RATE,
	PV_AUDIT_RETRY_AFTER,
	PV_AUDIT_FAILURE,
	PV_AUDIT_OVERLOAD,
	PV_AUDIT_CONNECTIONS,
	PV_AUDIT_ADDRESS,
	PV_AUDIT_ADDRESS_FAILURE,
	PV_AUDIT_HOURS,
	PV_AUDIT_VISIT_TIME,
	PV_AUDIT_RATE,
	PV_AUDIT_CONCURRENCY,
	PV_AUDIT_ROBOTS_FIRST,
	PV_AUDIT_ROBOTS,
	PV_AUDIT_OWNER,
	PV_AUDIT_OWNERS,
	PV_AUDIT_JOURNAL,
	PV_AUDIT_LEDGER,
	PV_AUDIT_RULE_COUNT,
};

/* Of the crawl as a whole, and not of a host. */
#define PV_AUDIT_NO_HOST UINT32_MAX

/* Two workers of a fleet, and what was handed over, or held by both; or one, and
 * what it did not hold. */
struct pv_audit_between {
	struct pv_str name; /* of a clock or an address; empty: there is nothing
			       of the kind */
	int64_t worker;
	int64_t other; /* that had it before, or still has; negative: nobody */
};

struct pv_audit_finding {
	enum pv_audit_rule rule;
	uint32_t host;      /* of the terms' hosts; or PV_AUDIT_NO_HOST */
	int64_t line;       /* of the journal; 0: of none */
	int64_t wall_ms;    /* when */
	int64_t was;        /* in the rule's unit */
	int64_t should;     /* have been, at least or at most */
	const char *figure; /* of the ledger, static; else NULL */
	struct pv_audit_between handover;
};

struct pv_audit_findings {
	struct pv_audit_finding *items;
	size_t kept;
	size_t size;
	uint64_t count;
	uint64_t *by_host;
	size_t host_count;
	uint64_t without_host;
};

void pv_audit_findings_finish(struct pv_audit_findings *findings);
void pv_audit_findings_add(
    struct pv_audit_findings *findings, const struct pv_audit_finding *finding);

/* How many are of that host. */
uint64_t pv_audit_findings_of(
    const struct pv_audit_findings *findings, uint32_t host);

/* The word of a rule, "retry-after"; the promise that it belongs to, "P2"; and
 * what was and should have been, "" where there is no such thing: "ms". */
const char *pv_audit_rule_word(enum pv_audit_rule rule);
const char *pv_audit_rule_promise(enum pv_audit_rule rule);
const char *pv_audit_rule_unit(enum pv_audit_rule rule);

/* Appends what was wrong, in words: "its rest was 10 ms, and must be at least
 * 1000 ms". */
void pv_audit_finding_write(
    const struct pv_audit_finding *finding, struct pv_buf *buf);

#endif
