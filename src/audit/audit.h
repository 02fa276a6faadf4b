#ifndef PAVANE_AUDIT_AUDIT_H
#define PAVANE_AUDIT_AUDIT_H

#include "audit/finding.h"
#include "audit/memory.h"
#include "audit/terms.h"

/* An audit: was every promise of pace kept?
 *
 * It goes by what the crawl wrote down of each request (the journal), by the
 * policy of the run in which it was made, and by robots.txt as it is kept in the
 * state; and reckons anew, without the schedule's clocks, what was due. What it
 * needs of the journal is read once and kept in order (audit/memory.h); then
 * each sort of promise takes a walk of its own:
 *
 *   robots_walk   robots.txt before all else, and what it allows
 *   clock_walk    rests, Retry-After, back-off, hours, connections of a host
 *   address_walk  starts at one address
 *   crawl_walk    the crawl's bucket and its places
 *   figures       the ledger against the journal
 *
 * The state is looked at in one transaction, and the journal as far as that
 * says that it is committed, so a crawl that runs can be audited. What an audit
 * cannot know it does not call broken: requests that were never committed, and
 * rests across an end of the crawl after which the wall clock was set back.
 */
struct pv_audit {
	const char *directory;
	struct pv_why *why; /* while it is at work */
	struct pv_database *state;
	struct pv_audit_terms terms;
	struct pv_audit_memory memory;
	struct pv_audit_names authorities;
	struct pv_audit_findings findings;
	int64_t run_count; /* of the crawl */
	int64_t line_count;
	int64_t request_count;
	int64_t undated_count; /* of a version that did not say when */
	int64_t first_wall_ms;
	int64_t last_wall_ms;
};

/* Reads all that is to be judged, and judges it; NULL, with the reason, if
 * something cannot be read. The texts are kept, borrowed; `environment` is the
 * variable TZ or NULL. */
struct pv_audit *pv_audit_create(
    const char *directory, const char *environment, struct pv_why *why);
void pv_audit_destroy(struct pv_audit *audit);

/* What was promised to who was asked. */
static inline const struct pv_audit_promise *pv_audit_promise_of(
    const struct pv_audit *audit, const struct pv_audit_request *request)
{
	return &audit->terms.promises[request->promise];
}

/* A promise to the request's host was broken. */
void pv_audit_find(struct pv_audit *audit,
    const struct pv_audit_request *request, enum pv_audit_rule rule,
    int64_t was, int64_t should);

#endif
