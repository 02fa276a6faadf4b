#ifndef PAVANE_MIRROR_LOOKUP_FATE_H
#define PAVANE_MIRROR_LOOKUP_FATE_H

#include "mirror/kept/dead_ends.h"
#include "mirror/kept/kept_files.h"
#include "mirror/kept/kept_state.h"
#include "record/result.h"
#include "record/state.h"
#include "record/verdict.h"
#include "store/tables/redirects.h"
#include "store/tables/state_addresses.h"

/* What became of an address in a crawl: whether it was kept and in which file,
 * and if not, why not. */
enum pv_fate_kind {
	PV_FATE_UNSEEN,
	PV_FATE_PENDING,
	PV_FATE_REFUSED, /* by the policy, robots.txt and the like */
	PV_FATE_GOOD,    /* answered well, in a file or not */
	PV_FATE_MOVED,   /* redirected ... */
	PV_FATE_CIRCLE,  /* ... to itself, or without end, as a link check finds
			    out */
	PV_FATE_NOWHERE, /* ... to nothing that could be asked for */
	PV_FATE_LEFT,    /* it is there, and not wanted: too large, or of
			    another type */
	PV_FATE_BROKEN,  /* it could not be fetched */
	PV_FATE_GONE,    /* it was there, and its server has it no more */
	PV_FATE_LOST,    /* it was there, and could not be fetched again */
};

struct pv_fate {
	enum pv_fate_kind kind;
	uint64_t id;       /* 0: unseen */
	struct pv_buf url; /* as the crawl calls it */
	enum pv_address_state state;
	struct pv_result result;
	uint16_t heard_status;     /* since it was kept, in its place; or 0 */
	enum pv_dead_end dead_end; /* of what was redirected to nothing */
	struct pv_buf location;    /* and what was given as the address */
	struct pv_verdict verdict; /* of what is refused */
	bool
	    is_linked; /* else it is a sitemap that nobody links to: a crawl asks
			   for some of its own accord */
	uint64_t via_id; /* where it was found first; 0 for a seed */
	struct pv_buf via;
	struct pv_buf file; /* below the directory; empty: in none */
};

void pv_fate_init(struct pv_fate *fate);
void pv_fate_finish(struct pv_fate *fate);

/* Looks them up, for one thread. Faults are the database's. */
struct pv_fates {
	const struct pv_kept_state *state;
	struct pv_state_addresses addresses;
	struct {
		uint64_t *ids; /* of the step that is gone through */
		size_t count;
		size_t size;
		size_t given;
		uint64_t last; /* number of the step */
	} bad;
	struct pv_redirects redirects;
	struct pv_url url;    /* to which one leads */
	struct pv_buf target; /* the same, as it was said */
	size_t scans; /* of all files, one for each that was asked for ... */
	struct pv_kept_files *files; /* ... until they are read; or NULL */
};

/* The state outlives them. */
void pv_fates_init(struct pv_fates *fates, const struct pv_kept_state *state);
void pv_fates_finish(struct pv_fates *fates);

/* The number of the address of that fingerprint, or of the one that is kept in
 * that file below the directory; 0 for none. */
uint64_t pv_fates_find(
    struct pv_fates *fates, struct pv_fingerprint fingerprint);
uint64_t pv_fates_find_file(struct pv_fates *fates, struct pv_str file);

/* Whatever is known of the address of that number. */
void pv_fates_get(struct pv_fates *fates, uint64_t id, struct pv_fate *fate);

/* The fingerprint of the address to which that one was redirected; false if the
 * state has not written it down. */
bool pv_fates_target(struct pv_fates *fates, const struct pv_fate *fate,
    struct pv_fingerprint *target);

/* The number of that address; where nothing was written down, of one that was
 * found by it. 0: it is not known. */
uint64_t pv_fates_next(struct pv_fates *fates, const struct pv_fate *fate);

/* The number of the next address that was refused or not answered as it is, in
 * the order in which they were found; 0 after the last, and then from the first
 * again. */
uint64_t pv_fates_next_bad(struct pv_fates *fates);

/* Whether the address is broken, as a link check means it. */
bool pv_fate_is_broken(const struct pv_fate *fate);

#endif
