#ifndef PAVANE_TRAPS_TRAP_NOTICES_H
#define PAVANE_TRAPS_TRAP_NOTICES_H

#include "base/hash.h"
#include "base/key_table.h"
#include "base/log.h"
#include "policy/policy.h"

/* The log lines about traps: each once for a host, or for a site, when it first
 * leaves something out there, with the key that changes it.
 *
 * They are noted where the links are judged and told where lines are written.
 * At most so many hosts are named; the rest is in the journal.
 */
enum pv_trap {
	PV_TRAP_PAGE,       /* the same page leads no further */
	PV_TRAP_PATTERN,    /* addresses of a pattern are the same page */
	PV_TRAP_SESSION,    /* yet another session identifier */
	PV_TRAP_SUBDOMAINS, /* yet another host of a site */
	PV_TRAP_UNCOUNTED,  /* there is more than can be counted */
	PV_TRAP_COUNT,
};

struct pv_trap_notice {
	enum pv_trap trap;
	char name[256];
};

#define PV_TRAP_NOTICES_WAITING 16

struct pv_trap_notices {
	struct pv_hash_key key;
	struct pv_key_table told;
	struct pv_trap_notice waiting[PV_TRAP_NOTICES_WAITING];
	size_t count;
};

void pv_trap_notices_init(
    struct pv_trap_notices *notices, struct pv_hash_key key);
void pv_trap_notices_finish(struct pv_trap_notices *notices);

/* Unless it was noted before. What finds too many waiting is noted the next
 * time. */
void pv_trap_notices_add(
    struct pv_trap_notices *notices, enum pv_trap trap, struct pv_str name);

void pv_trap_notice_tell(const struct pv_trap_notice *notice,
    const struct pv_scope_policy *scope, const struct pv_log *log);

#endif
