#ifndef PAVANE_LIMITER_CLOCK_FILE_H
#define PAVANE_LIMITER_CLOCK_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

/* The file in which the crawls of one user on one machine keep the clocks that
 * they share, and who of them is there: for limiter/limiter alone.
 *
 * It is mapped into each crawl's memory, and what changes in it are single
 * words, so nobody ever waits for anybody. Each crawl has a number of its own
 * and holds, as long as it lives, a lock on that byte of the file (far beyond
 * its end). The lock belongs to the open file, so it is gone with the process,
 * however that ends; a number is never given twice, and one that nobody holds
 * is that of a crawl that is over. All of the file's room is taken when it is
 * made, since a page that a full disk has no room for would end the program.
 *
 * Times are those of the machine's monotonic clock, which begins anew with each
 * boot; `boot` counts these, so that a slot tells by which one it was written.
 */
#define PV_CLOCK_SLOTS 15
#define PV_CLOCK_HOLDERS 4

/* A crawl that has requests at a host or an address. Only the crawl itself
 * writes here, or, once it is over, who has its bucket. */
struct pv_clock_holder {
	_Atomic uint32_t number;
	_Atomic uint32_t open;       /* requests; 0: the place is free */
	_Atomic uint32_t connecting; /* of these: their bytes are not out yet */
	_Atomic uint16_t open_max;   /* how many of all crawls it bears with */
	_Atomic uint16_t has_rest;   /* one of those that connect asked for a
					rest: none starts beside it */
};

struct pv_clock_slot {
	_Atomic int64_t next; /* start, as the last request reckons it */
	_Atomic int64_t last_start;
	_Atomic int64_t last_end;
	_Atomic int64_t to_wall_ms; /* from these times to the wall clock */
	_Atomic uint32_t boot;
	_Atomic uint32_t rest_ms;     /* the longest that was asked for */
	_Atomic uint32_t is_shared;   /* by names that had no room */
	_Atomic uint32_t turn_number; /* whose turn it is; 0: nobody's */
	struct pv_clock_holder holders[PV_CLOCK_HOLDERS];
	_Atomic int64_t turn_since; /* it was refused (limiter/clock_turn.h) */
	_Atomic int64_t turn_at;    /* it has to ask again */
};

/* The slots of some names, each of which may stand in one of two buckets. Who
 * looks for a slot, or takes one, has the bucket. */
struct pv_clock_bucket {
	_Atomic uint32_t taken_by; /* 0: nobody */
	uint32_t unused;
	_Atomic uint64_t names[PV_CLOCK_SLOTS]; /* hashed; 0: free */
	struct pv_clock_slot slots[PV_CLOCK_SLOTS];
};

struct pv_clock_file {
	int fd;
	struct pv_clock_header *header;
	struct pv_clock_bucket *buckets;
	uint32_t bucket_mask;
	struct pv_hash_key key; /* of the names */
	uint32_t boot;
	uint32_t number; /* ours */
};

struct pv_why;

/* Opens the file `clocks` of a directory, which is made if need be. `boot_id`
 * is a text that is another one after each boot; NULL: this machine's. False,
 * with the reason, if crawls cannot share clocks there. */
bool pv_clock_file_open(struct pv_clock_file *file, const char *directory,
    const char *boot_id, struct pv_why *why);
void pv_clock_file_close(struct pv_clock_file *file);

/* Whether the crawl of that number is there; if nobody can tell, it is. */
bool pv_clock_file_has(const struct pv_clock_file *file, uint32_t number);

#endif
