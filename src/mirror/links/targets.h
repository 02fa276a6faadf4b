#ifndef PAVANE_MIRROR_LINKS_TARGETS_H
#define PAVANE_MIRROR_LINKS_TARGETS_H

#include "base/why.h"
#include "mirror/kept/kept_files.h"
#include "store/tables/redirects.h"
#include "url/crawl_identity.h"

/* Which file of a mirror an address leads to, as the crawl's state says and the
 * disk has it: its own, or that of whatever it was redirected to. For one
 * thread; the state is only read, also while a crawl writes it. */
struct pv_targets;

struct pv_target {
	struct pv_buf file;     /* below the crawl's directory */
	struct pv_buf fragment; /* with its mark; empty where there is none */
	bool is_part;           /* which a redirect names */
	bool is_moved;          /* it is not, or not only, the address's own */
};

/* What outlives them. */
struct pv_targets_plan {
	const char *directory; /* of the crawl ... */
	int root;              /* ... and the same, open */
	const struct pv_crawl_identity *identity;
	const struct pv_kept_files *kept;
};

/* NULL, with the reason, if the state cannot be read. */
struct pv_targets *pv_targets_open(
    const struct pv_targets_plan *plan, struct pv_why *why);
void pv_targets_close(struct pv_targets *targets);

/* What kept the state from being read, or a file from being looked for, in
 * words; "" while nothing has. From then on nothing is found any more, whatever
 * there is: who asks this after a look-up knows whether it says anything. */
const char *pv_targets_fault(const struct pv_targets *targets);

void pv_target_init(struct pv_target *target);
void pv_target_finish(struct pv_target *target);

/* False if there is no file of it. */
bool pv_targets_find(struct pv_targets *targets, const struct pv_url *url,
    struct pv_target *target);

/* Whether something is kept in that file, as the state says; and whether it is
 * there as well. */
bool pv_targets_is_kept(const struct pv_targets *targets, struct pv_str file);
bool pv_targets_has(struct pv_targets *targets, struct pv_str file);

/* Whether it is on its way out of the mirror. */
bool pv_targets_is_going(const struct pv_targets *targets, struct pv_str file);

/* Appends the address that is kept in that file, there or not, or was until it
 * was gone; false if none is. */
bool pv_targets_address_of(
    struct pv_targets *targets, struct pv_str file, struct pv_buf *address);

#endif
