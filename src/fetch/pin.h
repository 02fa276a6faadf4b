#ifndef PAVANE_FETCH_PIN_H
#define PAVANE_FETCH_PIN_H

#include <stdint.h>

#include <curl/curl.h>

#include "base/address.h"

/* Where a request connects to: to the address that somebody vetted, and to no
 * other.
 *
 * libcurl connects to a name that is made of that address, and to find every
 * name at one placeholder, which is nobody's; when it opens a socket it is
 * given the address itself. So there is nothing that could look a name up, its
 * cache of names has one entry however many hosts there are, and a kept
 * connection serves only a request for the same host at the same address with
 * the same certificates.
 */
struct pv_pin {
	struct pv_address address;
	uint16_t port;
	struct curl_slist connect_to; /* for CURLOPT_CONNECT_TO */
	char text[96];
};

/* What distinguishes connections to one address. */
struct pv_pin_key {
	uint64_t host; /* a hash of its name */
	uint32_t trust;
};

/* For CURLOPT_RESOLVE: where every pinned name is found. */
#define PV_PIN_NOBODY "192.0.2.1"
#define PV_PIN_RESOLVE "*:1:" PV_PIN_NOBODY

/* The pin must not move while libcurl has its list. */
void pv_pin_set(struct pv_pin *pin, const struct pv_address *address,
    uint16_t port, struct pv_pin_key key);

/* Puts the address in the place of the one that libcurl has. */
void pv_pin_write(const struct pv_pin *pin, struct curl_sockaddr *socket);

#endif
