#ifndef PAVANE_FLEET_JOINING_DIRECTORY_PLACE_H
#define PAVANE_FLEET_JOINING_DIRECTORY_PLACE_H

#include <stdint.h>

#include "base/hash.h"

/* Where a directory is, as a number that no copy of it has that programs make, nor one
 * of another machine; another one after each start of the machine. Who takes up the number of an
 * earlier worker must be in that one's directory: its lock there says that nobody
 * else has that number. 0: that cannot be known. */
int64_t pv_directory_place(const char *directory, struct pv_hash_key key);

#endif
