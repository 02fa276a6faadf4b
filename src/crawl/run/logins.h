#ifndef PAVANE_CRAWL_RUN_LOGINS_H
#define PAVANE_CRAWL_RUN_LOGINS_H

#include "base/arena.h"
#include "base/map.h"
#include "url/url.h"

/* User names and passwords, by where they are for: an authority, and the
 * directory of the seed that gave them.
 *
 * Addresses are known without them. What is asked for at an authority goes with
 * the login of the nearest directory above it, or else with the first one for
 * that authority; nothing of it goes anywhere else. Used on the loop's thread.
 */
struct pv_logins {
	struct pv_login *items; /* NULL for none */
	size_t count;
	size_t size;
	size_t reused; /* up to here no place is an earlier run's any more,
			  but for the first */
	struct pv_map first; /* of an authority */
	struct pv_arena texts;
};

void pv_logins_init(struct pv_logins *logins);
void pv_logins_finish(struct pv_logins *logins);

/* A file of seeds could name any number of them. */
#define PV_LOGINS_MAX 10000

enum pv_login_step {
	PV_LOGIN_KNOWN, /* nothing is new, or the address has none */
	PV_LOGIN_NEW,
	PV_LOGIN_LEFT_OUT, /* there is no room for it */
};

/* Takes what credentials the address has. Of two for the same directory the
 * first is kept, unless it is what an earlier run had (`is_of_before`); that
 * also gives up its place where there is no other. */
enum pv_login_step pv_logins_add(
    struct pv_logins *logins, const struct pv_url *url, bool is_of_before);

/* "user:password", percent-encoded, for a request; empty for none. */
struct pv_str pv_logins_find(
    const struct pv_logins *logins, const struct pv_url *url);

/* Calls for each as an address: "https://user:password@example.org/directory/". */
void pv_logins_each(const struct pv_logins *logins,
    void (*each)(void *ctx, struct pv_str address), void *ctx);

#endif
