#include "traps/trap_notices.h"

#include <inttypes.h>
#include <stdio.h>

#define TOLD_MAX 10000

void pv_trap_notices_init(
    struct pv_trap_notices *notices, struct pv_hash_key key)
{
	*notices = (struct pv_trap_notices){.key = key};
	pv_key_table_init(&notices->told, TOLD_MAX, false);
}

void pv_trap_notices_finish(struct pv_trap_notices *notices)
{
	pv_key_table_finish(&notices->told);
}

void pv_trap_notices_add(
    struct pv_trap_notices *notices, enum pv_trap trap, struct pv_str name)
{
	uint64_t key = pv_hash(&notices->key, name) + trap;
	if (notices->count == PV_TRAP_NOTICES_WAITING ||
	    pv_key_table_has(&notices->told, key) ||
	    !pv_key_table_add(&notices->told, key))
		return;
	struct pv_trap_notice *notice = &notices->waiting[notices->count++];
	notice->trap = trap;
	snprintf(notice->name, sizeof(notice->name), "%.*s", PV_STR_ARG(name));
}

static int64_t most_of(enum pv_trap trap, const struct pv_scope_policy *scope)
{
	switch (trap) {
	case PV_TRAP_SESSION:
		return scope->traps.sessions;
	case PV_TRAP_SUBDOMAINS:
		return scope->traps.subdomains;
	default:
		return scope->traps.same_body;
	}
}

/* What stands before the limit, and after it. */
static const struct {
	const char *before;
	const char *after;
} sentences[PV_TRAP_COUNT] = {
    [PV_TRAP_PAGE] =
	{"links of a page are not followed: the same page came from ",
	    " addresses before (scope.traps.same_body)"},
    [PV_TRAP_PATTERN] =
	{"links that differ only in their last part or in numbers are "
	 "not followed: the last ",
	    " of them led to the same page (scope.traps.same_body)"},
    [PV_TRAP_SESSION] =
	{"links with further session identifiers are not followed: ",
	    " are the limit (scope.traps.sessions); scope.strip_query can "
	    "remove them from addresses"},
    [PV_TRAP_SUBDOMAINS] =
	{"links to further hosts of this site are not followed: ",
	    " hosts are the limit (scope.traps.subdomains)"},
};

void pv_trap_notice_tell(const struct pv_trap_notice *notice,
    const struct pv_scope_policy *scope, const struct pv_log *log)
{
	if (notice->trap == PV_TRAP_UNCOUNTED)
		pv_log(log, PV_LOG_WARNING,
		    "scope.traps: too many %s to count: further ones are not "
		    "counted",
		    notice->name);
	else
		pv_log(log, PV_LOG_INFO, "%s: %s%" PRId64 "%s", notice->name,
		    sentences[notice->trap].before,
		    most_of(notice->trap, scope),
		    sentences[notice->trap].after);
}
