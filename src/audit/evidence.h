#ifndef PAVANE_AUDIT_EVIDENCE_H
#define PAVANE_AUDIT_EVIDENCE_H

#include "audit/clock_memory.h"
#include "audit/finding.h"
#include "audit/handovers.h"
#include "audit/memory.h"
#include "audit/parts.h"
#include "audit/terms.h"
#include "audit/workers.h"

/* What an audit has before it: what was promised, what was done, and what it
 * has found so far.
 *
 * audit/audit.h gathers the first two and has each walk (audit/walks.h) go
 * through them; walks add findings. What it points to is the audit's, but for
 * the directory's name and `why`, which are its caller's.
 */
struct pv_audit {
	const char *directory;
	struct pv_why *why;        /* while it is at work */
	struct pv_database *state; /* a copy */
	struct pv_audit_parts parts;
	struct pv_audit_terms terms;
	struct pv_audit_memory memory;
	struct pv_audit_names authorities;
	struct pv_audit_findings findings;
	struct pv_audit_workers workers;
	struct pv_clock_memory clocks; /* that workers wrote down */
	struct pv_audit_names owned;   /* what two held at one time */
	struct pv_audit_handovers handovers;
	int64_t run_count; /* of the crawl */
	int64_t line_count;
	int64_t request_count;
	int64_t undated_count; /* of a version that did not say when */
	int64_t first_wall_ms;
	int64_t last_wall_ms;
};

/* What was promised to who was asked. */
static inline const struct pv_audit_promise *pv_audit_promise_of(
    const struct pv_audit *audit, const struct pv_audit_request *request)
{
	return &audit->terms.promises[request->promise];
}

/* A promise to the request's host was broken. */
static inline void pv_audit_find(struct pv_audit *audit,
    const struct pv_audit_request *request, enum pv_audit_rule rule,
    int64_t was, int64_t should)
{
	pv_audit_findings_add(&audit->findings,
	    &(struct pv_audit_finding){
		.rule = rule,
		.host = pv_audit_promise_of(audit, request)->host,
		.line = request->line,
		.wall_ms = request->facts.wall_ms,
		.was = was,
		.should = should,
	    });
}

#endif
