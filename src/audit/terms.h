#ifndef PAVANE_AUDIT_TERMS_H
#define PAVANE_AUDIT_TERMS_H

#include "audit/names.h"
#include "base/why.h"
#include "policy/policy.h"
#include "schedule/pace.h"
#include "store/database.h"

/* What was promised: to the crawl as a whole, and to each host at each of its
 * addresses, by the policy of the run in which it was asked. */
struct pv_audit_promise {
	const struct pv_pace *pace;
	uint32_t host;    /* of `hosts` */
	uint32_t clock;   /* of `clocks`: whose rests it shares */
	uint32_t address; /* of `addresses`: where each port is another server, as
			     on this machine, "127.0.0.1 port 8080" */
	bool has_address;
	bool is_robots_ignored;
};

struct pv_audit_policy;

struct pv_audit_terms {
	struct pv_database *database; /* the crawl's */
	const char *directory;
	const char *environment;          /* the variable TZ, or NULL */
	struct pv_audit_policy *policies; /* by the run that began with it */
	size_t policy_count;
	size_t policy_size;
	int64_t run; /* of which the last policy was asked ... */
	size_t current;
	struct pv_audit_names hosts;
	struct pv_audit_names clocks;
	struct pv_audit_names addresses;
	struct pv_audit_names keys; /* of promises */
	struct pv_audit_promise *promises;
	size_t promise_count;
	size_t promise_size;
};

/* The texts are kept, borrowed. */
void pv_audit_terms_init(struct pv_audit_terms *terms,
    struct pv_database *database, const char *directory,
    const char *environment);
void pv_audit_terms_finish(struct pv_audit_terms *terms);

/* The policy by which a run went; NULL, with the reason, if it cannot be
 * read. */
const struct pv_policy *pv_audit_terms_policy(
    struct pv_audit_terms *terms, int64_t run, struct pv_why *why);

/* What was promised to a host by the policy that was asked for last: a place
 * among `promises`. `ip` may be empty; the port is that of the URL. */
uint32_t pv_audit_terms_of(struct pv_audit_terms *terms, struct pv_str host,
    struct pv_str ip, uint16_t port);

#endif
