#ifndef PAVANE_AUDIT_REQUEST_H
#define PAVANE_AUDIT_REQUEST_H

#include "record/ledger.h"

/* A request as an audit remembers it (audit/memory.h). */
struct pv_audit_request {
	int64_t line; /* of the journal, from 1 */
	uint32_t promise;
	uint32_t authority;
	int64_t attempt;
	int64_t held_ms;
	struct pv_ledger_entry facts;
	bool is_answered;
	bool is_failure;
	bool is_unreachable;
	bool is_hop;      /* of a robots.txt that lies elsewhere */
	int64_t asked_ms; /* the Crawl-delay in force, as far as it is known */
	int64_t worker;   /* who asked; -1: there is only one */
	int64_t place;    /* of the directory that it worked in; 0: the only
			       one */
	int64_t uncertainty_ms; /* of facts.wall_ms, as the server's time; -1:
				   not known */
	struct pv_str text; /* the digest of a robots.txt; else what was asked
			       for, path and query */
};

/* When it knocked: what never went out did so at its release, and is counted
 * from its end, as failing to connect takes time. */
static inline int64_t pv_audit_start(const struct pv_audit_request *request)
{
	const struct pv_pacing *pacing = &request->facts.pacing;
	return pacing->sent_ms >= 0 ? pacing->sent_ms : pacing->released_ms;
}

static inline int64_t pv_audit_counted_start(
    const struct pv_audit_request *request)
{
	const struct pv_pacing *pacing = &request->facts.pacing;
	return pacing->sent_ms >= 0 ? pacing->sent_ms : pacing->end_ms;
}

/* When it knocked, by the clock that all workers share as far as it is known. */
static inline int64_t pv_audit_start_wall(
    const struct pv_audit_request *request)
{
	return request->facts.wall_ms -
	       (pv_audit_counted_start(request) - pv_audit_start(request));
}

/* When it was let go, by the clock on the wall: of two clocks that count whole
 * milliseconds, so that it may be off by this. */
#define PV_AUDIT_WALL_MS 2

static inline int64_t pv_audit_wall_slack(
    const struct pv_audit_request *request)
{
	return PV_AUDIT_WALL_MS +
	       (request->uncertainty_ms > 0 ? request->uncertainty_ms : 0);
}

static inline int64_t pv_audit_release_wall(
    const struct pv_audit_request *request)
{
	const struct pv_pacing *pacing = &request->facts.pacing;
	return request->facts.wall_ms -
	       (pv_audit_counted_start(request) - pacing->released_ms);
}

#endif
