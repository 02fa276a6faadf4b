#ifndef PAVANE_TRAPS_TRAPS_H
#define PAVANE_TRAPS_TRAPS_H

#include "base/digest.h"
#include "record/verdict.h"
#include "traps/quota.h"
#include "traps/same_body.h"
#include "traps/trap_notices.h"
#include "url/url.h"

/* The traps that no address shows by itself, and that are counted while a crawl
 * goes on:
 *
 *   same_body   the same page under ever new addresses: it leads no further;
 *               and where the last ones of a pattern of addresses
 *               (traps/address_pattern.h) were all the same page, no more of
 *               them are asked
 *   sessions    ever new session identifiers on a host (traps/session.h)
 *   subdomains  ever new hosts of a site
 *
 * Which of them come first, and so are followed, depends on the order of the
 * answers. What a person wrote among the seeds is no trap. Memory is bounded,
 * whatever the web does; what is counted is kept by trap_store.
 *
 * Any thread may ask; the rest is the loop's.
 */
struct pv_traps;

/* The policy must outlive it; the key is the crawl's own and lasts as long. */
struct pv_traps *pv_traps_create(
    const struct pv_policy *policy, struct pv_hash_key key);
void pv_traps_destroy(struct pv_traps *traps);

/* Counts a page that came, unless it came from there before; whether it came
 * under so many addresses that it leads no further. */
bool pv_traps_take_page(struct pv_traps *traps, const struct pv_url *url,
    const uint8_t digest[PV_DIGEST_SIZE], bool is_repeated);

/* That a link of such a page was left out for it. */
void pv_traps_note_page(struct pv_traps *traps, const struct pv_url *url);

/* A link that is admitted by all else. */
struct pv_trap_link {
	const struct pv_url *url;
	bool is_page;
	bool is_named; /* by a person, as a seed or where one redirects to */
};

/* Whether it is followed: then it counts. */
enum pv_reason pv_traps_ask(
    struct pv_traps *traps, const struct pv_trap_link *link);

/* Whether a page that waits is not to be asked for any more. */
bool pv_traps_is_closed(struct pv_traps *traps, const struct pv_url *url);

/* Tells what was noted. */
void pv_traps_tell(struct pv_traps *traps, const struct pv_log *log);

/* For trap_store: what is counted, under a lock. */
struct pv_trap_counts {
	struct pv_same_body pages;
	struct pv_same_body patterns;
	struct pv_quota sessions; /* of hosts */
	struct pv_quota hosts;    /* of sites */
};

struct pv_trap_counts *pv_traps_lock(struct pv_traps *traps);
void pv_traps_unlock(struct pv_traps *traps);

/* Whether one more host may be followed of the site to which that host belongs; and
 * by what the site is known here. Any thread. */
bool pv_traps_has_room(
    struct pv_traps *traps, struct pv_str host, uint64_t *site);

/* A host that is known to be visited, whatever link led there. */
void pv_traps_add_host(struct pv_traps *traps, struct pv_str host);

#endif
