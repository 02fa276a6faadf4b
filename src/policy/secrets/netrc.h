#ifndef PAVANE_POLICY_SECRETS_NETRC_H
#define PAVANE_POLICY_SECRETS_NETRC_H

#include "base/arena.h"
#include "base/why.h"

/* A file of logins as ftp, curl and wget read it (netrc): words, in any lines.
 *
 *   machine HOST login NAME password WORD
 *
 * A word may stand in double quotes, in which a backslash takes the next byte
 * as it is. `account` is passed over, `macdef` up to the next empty line, and
 * what follows `default`, since that would go to whoever is asked. Of two
 * logins for a host the first counts.
 */
#define PV_NETRC_MAX ((size_t)10000)

struct pv_netrc_login {
	struct pv_str host; /* canonical */
	struct pv_str name;
	struct pv_str password;
};

struct pv_netrc {
	struct pv_netrc_login *items;
	size_t count;
	size_t size;
	struct pv_arena arena;
};

void pv_netrc_init(struct pv_netrc *netrc);
void pv_netrc_finish(struct pv_netrc *netrc);

/* Reads what stands in a file, of which the path is only told. What is wrong
 * is a problem, and nothing is quoted. */
void pv_netrc_read(struct pv_netrc *netrc, struct pv_str text, const char *path,
    struct pv_why *why);

/* A canonical host's; NULL for none. */
const struct pv_netrc_login *pv_netrc_find(
    const struct pv_netrc *netrc, struct pv_str host);

#endif
