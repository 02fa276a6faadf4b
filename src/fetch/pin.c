#include "fetch/pin.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* A name below .invalid (RFC 6761), which nobody can have. */
void pv_pin_set(struct pv_pin *pin, const struct pv_address *address,
    uint16_t port, struct pv_pin_key key)
{
	char digits[sizeof(address->bytes) * 2 + 1] = "";
	size_t count = address->bits / 8;
	for (size_t i = 0; i < count; i++)
		snprintf(digits + i * 2, 3, "%02x", address->bytes[i]);
	snprintf(pin->text, sizeof(pin->text), "::%s-%x-%x-%016llx.invalid:1",
	    digits, (unsigned)port, (unsigned)key.trust,
	    (unsigned long long)key.host);
	pin->address = *address;
	pin->port = port;
	pin->connect_to = (struct curl_slist){.data = pin->text};
}

/* What libcurl lends has room for an address of any family behind what is
 * declared. */
static void put(
    struct curl_sockaddr *place, const void *address, size_t size, int family)
{
	place->family = family;
	place->addrlen = (unsigned)size;
	memcpy((char *)place + offsetof(struct curl_sockaddr, addr), address,
	    size);
}

void pv_pin_write(const struct pv_pin *pin, struct curl_sockaddr *socket)
{
	if (pin->address.bits == 32) {
		struct sockaddr_in v4 = {
		    .sin_family = AF_INET, .sin_port = htons(pin->port)};
		memcpy(&v4.sin_addr, pin->address.bytes, 4);
		put(socket, &v4, sizeof(v4), AF_INET);
	} else {
		struct sockaddr_in6 v6 = {
		    .sin6_family = AF_INET6, .sin6_port = htons(pin->port)};
		memcpy(&v6.sin6_addr, pin->address.bytes, 16);
		put(socket, &v6, sizeof(v6), AF_INET6);
	}
}
