#ifndef PAVANE_BASE_ADDRESS_H
#define PAVANE_BASE_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* IP addresses and networks as values, and which of them are somebody
 * else's. */
struct pv_address {
	uint8_t bits; /* 32 for IPv4, 128 for IPv6 */
	uint8_t bytes[16];
};

struct pv_network {
	struct pv_address address; /* the bits beyond the prefix are 0 */
	uint8_t prefix;
};

enum pv_address_kind {
	PV_ADDRESS_PUBLIC,
	PV_ADDRESS_LOOPBACK,   /* this machine */
	PV_ADDRESS_PRIVATE,    /* not reached from everywhere: RFC 1918, local,
				  shared, for tests and examples */
	PV_ADDRESS_NOT_A_HOST, /* unspecified, multicast, broadcast, reserved */
};

/* Reads "192.0.2.1" or "2001:db8::1" (RFC 4291), without brackets, zone or
 * any of the looser forms that a URL may hold. */
bool pv_address_read(struct pv_str text, struct pv_address *address);
bool pv_address_write(const struct pv_address *address, struct pv_buf *buf);
bool pv_address_equal(const struct pv_address *, const struct pv_address *);

/* What sort of host it names; an IPv4 address within an IPv6 one (mapped,
 * 6to4, NAT64) counts for what it is itself. */
enum pv_address_kind pv_address_kind(const struct pv_address *address);

/* Reads "10.0.0.0/8"; an address alone is the network that holds only it.
 * Where bits beyond the prefix are set, they are cleared and `is_exact` is
 * false. */
bool pv_network_read(
    struct pv_str text, struct pv_network *network, bool *is_exact);
bool pv_network_write(const struct pv_network *network, struct pv_buf *buf);
bool pv_network_holds(
    const struct pv_network *network, const struct pv_address *address);

/* The network of that prefix in which the address lies. */
struct pv_network pv_network_of(
    const struct pv_address *address, uint8_t prefix);

#endif
