#ifndef PAVANE_RECORD_FINGERPRINT_H
#define PAVANE_RECORD_FINGERPRINT_H

#include "base/hash.h"

/* By what an address is known: a hash of its crawl identity under a key that is
 * secret to the crawl, so nobody can make two addresses collide. Where two do
 * by chance, the one found later is taken for known and not visited: among 10
 * million addresses that is to be feared once in 370,000 crawls.
 *
 * That of the origin says where in a table the address stands: beside others of
 * its origin, since pages mostly link to their own. Two origins that share it
 * stand mixed, and nothing else comes of it.
 */
struct pv_fingerprint {
	uint64_t address;
	uint32_t origin; /* 31 bits, which SQLite writes in four bytes */
};

struct pv_fingerprint pv_fingerprint_of(
    const struct pv_hash_key *key, struct pv_str identity);

/* In the order of the state's tables: less than, equal to or greater than 0. */
int pv_fingerprint_compare(
    const struct pv_fingerprint *a, const struct pv_fingerprint *b);

#endif
