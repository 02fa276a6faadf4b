#ifndef PAVANE_POLICY_SECRETS_USERS_H
#define PAVANE_POLICY_SECRETS_USERS_H

#include "base/map.h"
#include "base/why.h"

/* As whom we come to the hosts of the domain table that have a `user`
 * (policy/values/user_form.h): files and variables of the environment, read
 * once. What they hold is kept in memory alone. */
struct pv_policy;

struct pv_users {
	struct pv_user *items; /* NULL for none */
	size_t count;
	size_t size;
	struct pv_map numbers; /* of a `user`, as the policy has it */
};

void pv_users_init(struct pv_users *users);
void pv_users_finish(struct pv_users *users);

/* Reads them all. What cannot be read, or holds no login, is a problem that
 * names the host, and then this is false. A variable that is not set is one only
 * if requests are to be made now; else it is a note. The policy outlives the
 * users. */
bool pv_users_read(struct pv_users *users, const struct pv_policy *policy,
    bool is_starting, struct pv_why *why);

/* The Authorization header's value for a host; NULL where that says nothing of
 * it. */
const char *pv_users_find(
    const struct pv_users *users, const char *user, struct pv_str host);

#endif
