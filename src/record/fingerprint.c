#include "record/fingerprint.h"

/* What stands before the path. */
static struct pv_str origin_of(struct pv_str identity)
{
	size_t colon = pv_str_find(identity, ':');
	if (colon == PV_NOT_FOUND || identity.len - colon < sizeof("//"))
		return identity;
	size_t host = colon + sizeof("//");
	size_t len = pv_str_find(pv_str_from(identity, host), '/');
	return len == PV_NOT_FOUND ? identity
				   : pv_str_head(identity, host + len);
}

struct pv_fingerprint pv_fingerprint_of(
    const struct pv_hash_key *key, struct pv_str identity)
{
	return (struct pv_fingerprint){
	    .address = pv_hash(key, identity),
	    .origin = (uint32_t)(pv_hash(key, origin_of(identity)) >> 33),
	};
}

/* SQLite's integers have a sign. */
int pv_fingerprint_compare(
    const struct pv_fingerprint *a, const struct pv_fingerprint *b)
{
	int64_t left = (int64_t)a->address, right = (int64_t)b->address;
	if (a->origin != b->origin)
		return a->origin < b->origin ? -1 : 1;
	return (left > right) - (left < right);
}
