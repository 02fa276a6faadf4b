#ifndef PAVANE_TESTS_STORE_SCRATCH_STORE_H
#define PAVANE_TESTS_STORE_SCRATCH_STORE_H

#include "scratch.h"
#include "store/store.h"

/* A state file in a directory of the test's, with the tables of a crawl; NULL
 * if it cannot be opened. */
static inline struct pv_store *scratch_store_open(const struct scratch *scratch)
{
	struct pv_why why;
	struct pv_store_options options = {
	    .directory = scratch->path,
	    .cache_bytes = 1 << 20,
	    .count_ceiling = 100,
	    .bytes_ceiling = 1 << 20,
	};
	pv_why_init(&why);
	struct pv_store *store = pv_store_open(&options, &why);
	pv_why_finish(&why);
	return store;
}

#endif
