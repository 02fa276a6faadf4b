#ifndef PAVANE_FIELDS_READERS_H
#define PAVANE_FIELDS_READERS_H

#include "fields/value.h"
#include "policy/pages.h"

/* The readers of all fields of a policy, by their numbers: made once for a
 * crawl, read by many threads. */
struct pv_field_readers {
	struct pv_field_reader *items;
	size_t count;
};

/* `environment` is the variable TZ; NULL where it is not set. */
void pv_field_readers_init(struct pv_field_readers *readers,
    const struct pv_pages *pages, const char *environment);
void pv_field_readers_finish(struct pv_field_readers *readers);

#endif
