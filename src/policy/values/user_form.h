#ifndef PAVANE_POLICY_VALUES_USER_FORM_H
#define PAVANE_POLICY_VALUES_USER_FORM_H

#include "base/str.h"

/* How a host's `user` in the domain table says as whom we come:
 *
 *   anna:secret  anna:${PASSWORD}         basic (RFC 7617)
 *   basic ${LOGIN}  basic ./login         the same, as NAME:PASSWORD
 *   bearer ${TOKEN}  bearer ./token       a token (RFC 6750)
 *   netrc  netrc ./netrc                  basic, by a file for many hosts
 *
 * ${NAME} is a variable of the environment, and what has a slash a file. A
 * token stands in one of the two, never in the policy.
 */
enum pv_user_kind { PV_USER_BASIC, PV_USER_BEARER, PV_USER_NETRC };

struct pv_user_form {
	enum pv_user_kind kind;
	struct pv_str name;     /* where it stands there; else empty */
	struct pv_str password; /* the same */
	struct pv_str variable; /* of the environment; else empty */
	struct pv_str file;     /* the same; of a netrc: the home directory's */
};

/* NULL if it is right; else what is wrong, without a word of what stands
 * there. The form borrows from the text. */
const char *pv_user_form_read(struct pv_str text, struct pv_user_form *form);

/* Whether something in it is a secret. */
static inline bool pv_user_form_is_secret(const struct pv_user_form *form)
{
	return form->password.len > 0;
}

#endif
