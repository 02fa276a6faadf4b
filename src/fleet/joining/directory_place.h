#ifndef PAVANE_FLEET_JOINING_DIRECTORY_PLACE_H
#define PAVANE_FLEET_JOINING_DIRECTORY_PLACE_H

#include <stdint.h>

#include "base/hash.h"

/* A number for where a directory is: a copy of it has another one, so has a directory
 * of another machine, and the directory itself after the machine has started anew.
 * 0 if it cannot be known.
 *
 * A worker takes up an earlier worker's number only in that one's directory: whoever
 * has the lock there knows that the earlier one is gone. In a copy the lock says
 * nothing. */
int64_t pv_directory_place(const char *directory, struct pv_hash_key key);

#endif
