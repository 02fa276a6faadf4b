#ifndef PAVANE_FRONTIER_SQLITE_PACKING_H
#define PAVANE_FRONTIER_SQLITE_PACKING_H

#include "frontier/sqlite/address_table.h"
#include "frontier/sqlite/copy_table.h"
#include "record/host.h"
#include "store/tables/robots_table.h"

/* Rows of one worker's state as bytes, for another worker's: numbers of a
 * variable length, texts behind their lengths.
 *
 * Both workers have states of the same version, which they compare before
 * (fleet/joining.h). The bytes come from a database that others can write, so
 * they are read with a bounded reader, and what makes no sense is refused.
 */

/* An address, with all that is known of it. */
struct pv_packed_address {
	struct pv_address_row row; /* without its host's number */
	struct pv_str url;
	struct pv_str via; /* the page it was found on; empty for seeds */
	struct pv_str tag;
	struct pv_str carry;
	bool has_copy;
	struct pv_copy_row copy;
};

void pv_address_pack(
    const struct pv_packed_address *address, struct pv_buf *packed);

/* The bytes with which all packed addresses of that URL begin, and no others. */
void pv_address_pack_start(struct pv_str url, struct pv_buf *packed);

/* Its texts are those of the packed one. */
bool pv_address_unpack(struct pv_str packed, struct pv_packed_address *address);

void pv_host_pack(const struct pv_host_state *state, struct pv_buf *packed);
bool pv_host_unpack(struct pv_str packed, struct pv_host_state *state);

void pv_robots_pack(const struct pv_saved_robots *robots, struct pv_str copy,
    struct pv_buf *packed);
bool pv_robots_unpack(
    struct pv_str packed, struct pv_saved_robots *robots, struct pv_str *copy);

#endif
