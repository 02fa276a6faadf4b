#ifndef PAVANE_BASE_HASH_H
#define PAVANE_BASE_HASH_H

#include <stdint.h>

#include "base/str.h"

/* SipHash-1-3 (Aumasson and Bernstein): short texts to 64 bits, in a way that
 * a stranger who chooses the texts cannot steer without knowing the key. */
struct pv_hash_key {
	uint64_t word[2];
};

uint64_t pv_hash(const struct pv_hash_key *key, struct pv_str text);

#endif
