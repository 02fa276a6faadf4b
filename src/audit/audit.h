#ifndef PAVANE_AUDIT_AUDIT_H
#define PAVANE_AUDIT_AUDIT_H

#include "audit/evidence.h"

/* An audit: was every promise of pace kept?
 *
 * It goes by what the crawl wrote down of each request (the journal), by the
 * policy of the run in which it was made, and by robots.txt as it is kept in the
 * state; and reckons anew, without the schedule's clocks, what was due. What it
 * needs of the journal is read once and kept in order (audit/memory.h); then
 * each sort of promise takes a walk of its own:
 *
 *   robots_walk      robots.txt before all else, and what it allows
 *   host_pace_walk   rests, Retry-After, back-off, hours, connections of a host
 *   crawl_rate_walk  starts at one address, the crawl's bucket and its places
 *   handover_walk    of several workers: rests when one follows the other
 *   ownership_walk   clocks and addresses that they held, never two at one time
 *   figures          the ledger against the journal
 *
 * The journal of a crawl that stays open has several files, of which old ones may have
 * been removed (audit/parts.h): then the audit begins later, the ledger, which
 * counts from the beginning, is not compared, and what robots.txt said before is
 * not known.
 *
 * A merge (merge/merge.h) has the journals of several workers. Each is judged by
 * its own clock, as a crawl is; what lies between two of them, robots.txt that one
 * of them heard for all, and allowed hours by the time of the server that they
 * shared, as far as they have measured it (clocks.jsonl). Rates and places of the
 * crawl as a whole are judged for each worker.
 *
 * The state is looked at as of one moment, in a copy of what is needed of it
 * (store/state_look.h), and the journal as far as that says that it is
 * committed, so a crawl that runs can be audited and is not held up. What an audit
 * cannot know it does not call broken: requests that were never committed, and
 * rests across an end of the crawl after which the wall clock was set back.
 */

/* Reads all that is to be judged, and judges it; NULL, with the reason, if
 * something cannot be read. The texts are kept, borrowed; `environment` is the
 * variable TZ or NULL. */
struct pv_audit *pv_audit_create(
    const char *directory, const char *environment, struct pv_why *why);
void pv_audit_destroy(struct pv_audit *audit);

#endif
