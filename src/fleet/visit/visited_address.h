#ifndef PAVANE_FLEET_VISIT_VISITED_ADDRESS_H
#define PAVANE_FLEET_VISIT_VISITED_ADDRESS_H

#include "base/arena.h"
#include "record/host.h"
#include "store/tables/robots_table.h"
#include "store/tables/state_addresses.h"

/* What a fleet's database knows of one address, for who is none of its workers
 * (visitor.h). It is what the workers have passed on: the owner of the host may know
 * more for a moment.
 */

/* About which address. The texts are the caller's. */
struct pv_visited_question {
	struct pv_str address; /* its crawl identity */
	struct pv_str authority;
	struct pv_str host;
	struct pv_str clock; /* of the host, by the crawl's policy */
};

struct pv_visited_address {
	bool is_known;
	bool is_on_its_way; /* only as a link, which the owner of its host has
			       not taken yet */
	struct pv_state_address address; /* its texts are empty but for `via` */

	bool has_host; /* it has been asked */
	struct pv_host_state host;

	bool has_clock;
	int64_t worker;  /* that owns it; 0: nobody */
	int64_t left_ms; /* of its rest */
	bool was_owned;  /* it may just have been asked, whatever is left */

	struct pv_saved_robots robots;
	struct pv_str robots_copy; /* the last good one */

	bool is_damaged;       /* a row makes no sense */
	struct pv_arena arena; /* of all texts */
};

static inline void pv_visited_address_finish(struct pv_visited_address *address)
{
	pv_arena_finish(&address->arena);
}

#endif
