#ifndef PAVANE_SERVE_ACCESS_ACCESS_H
#define PAVANE_SERVE_ACCESS_ACCESS_H

#include "serve/access/host_names.h"
#include "serve/access/tokens.h"
#include "serve/http/exchange.h"
#include "serve/http/reply.h"

/* Whether a request may do what it asks for, and who asks.
 *
 * Each has to name a host that is ours. Where there are tokens, it has one, as
 * "Authorization: Bearer TOKEN", or a session that one began (the cookie
 * "pavane_session"). A browser sends a cookie, and what needs none, for any page
 * that asks it to: so a change that has no token of its own must not come from
 * another site. All functions may be called on any thread.
 */
struct pv_access;

struct pv_access_plan {
	struct pv_host_names names; /* borrowed until they are changed */
	int64_t session_ms;         /* PV_SESSION_MS */
};

/* Who asks. Without tokens, everybody may do everything, and has no name. */
struct pv_who {
	bool may; /* else the reply says why not */
	char name[PV_TOKEN_NAME_MAX + 1];
	unsigned scopes; /* of enum pv_scope */
};

/* The tokens are the access's now; empty or NULL: there are none. */
struct pv_access *pv_access_create(
    const struct pv_access_plan *plan, struct pv_tokens *tokens);
void pv_access_destroy(struct pv_access *access);

/* Others take the place of the names and the tokens; sessions that were begun with
 * a token that is there no longer are over. Afterwards nobody reads the names that
 * it had before. */
void pv_access_change(struct pv_access *access,
    const struct pv_host_names *names, struct pv_tokens *tokens);

bool pv_access_has_tokens(struct pv_access *access);

/* Whether the request may do what needs the scope, 0: what everybody may. If it
 * may not, the reply is the problem: 421 for a name that is not ours, 401 for
 * no token, 403 for a missing scope or another site, 415 for a body that is not
 * said to be JSON. The time is that of sessions, in milliseconds. */
struct pv_who pv_access_judge(struct pv_access *access,
    const struct pv_exchange *exchange, unsigned scope, int64_t now,
    struct pv_reply *reply);

/* Begins a session for a token and gives it to the browser; false, with the
 * problem as the reply, if there is no such token. */
bool pv_access_log_in(struct pv_access *access, struct pv_str token,
    int64_t now, struct pv_reply *reply);

/* Ends the session of the request, if it has one, and takes it back. */
void pv_access_log_out(struct pv_access *access,
    const struct pv_exchange *exchange, struct pv_reply *reply);

#endif
