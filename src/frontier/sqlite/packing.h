#ifndef PAVANE_FRONTIER_SQLITE_PACKING_H
#define PAVANE_FRONTIER_SQLITE_PACKING_H

#include "frontier/sqlite/address_table.h"
#include "frontier/sqlite/copy_table.h"
#include "record/host.h"
#include "store/tables/page_rows.h"
#include "store/tables/robots_table.h"

/* Rows of one worker's state as bytes, for another worker's: numbers of a
 * variable length, texts behind their lengths.
 *
 * Both workers have states of the same version, which they compare before
 * (fleet/joining/joining.h). The bytes come from a database that others can write, so
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
	bool has_rows; /* its page has given some to whoever has read it last */
	struct pv_page_rows rows;

	/* As of when it is so: the number of the policy that it was judged by
	 * last, and of the round. */
	uint64_t policy;
	uint64_t round;
	uint32_t via_hops; /* of the page it was found on */
};

void pv_address_pack(
    const struct pv_packed_address *address, struct pv_buf *packed);

/* The bytes with which all packed addresses of that URL begin, and no others. */
void pv_address_pack_start(struct pv_str url, struct pv_buf *packed);

/* Its texts are those of the packed one. */
bool pv_address_unpack(struct pv_str packed, struct pv_packed_address *address);

/* With the number of the round that its pages are counted in. */
void pv_host_pack(
    const struct pv_host_state *state, uint64_t round, struct pv_buf *packed);
bool pv_host_unpack(
    struct pv_str packed, struct pv_host_state *state, uint64_t *round);

void pv_robots_pack(const struct pv_saved_robots *robots, struct pv_str copy,
    struct pv_buf *packed);
bool pv_robots_unpack(
    struct pv_str packed, struct pv_saved_robots *robots, struct pv_str *copy);

/* The same by a clock that is ahead by so much. */
void pv_robots_shift(struct pv_saved_robots *robots, int64_t ahead_ms);
void pv_host_shift(struct pv_host_state *state, int64_t ahead_ms);

/* Until when an address rests; when it was asked for stays as it was said. */
void pv_address_shift(struct pv_address_row *row, int64_t ahead_ms);

/* Some numbers, and nothing else. */
void pv_numbers_pack(
    const int64_t *numbers, size_t count, struct pv_buf *packed);
bool pv_numbers_unpack(struct pv_str packed, int64_t *numbers, size_t count);

#endif
