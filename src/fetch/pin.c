#include "fetch/pin.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* Writes so many hexadecimal digits; printf would take longer for each request
 * than all else that we do for it. Where they end. */
static char *write_digits(char *at, uint64_t number, unsigned count)
{
	static const char digits[] = "0123456789abcdef";
	while (count-- > 0)
		*at++ = digits[number >> (4 * count) & 15];
	*at++ = '-';
	return at;
}

_Static_assert(sizeof(((struct pv_pin *)0)->text) >=
		   2 + 33 + 5 + 9 + 17 + sizeof("invalid:1"),
    "the longest has room");

/* A name below .invalid (RFC 6761), which nobody can have. */
void pv_pin_set(struct pv_pin *pin, const struct pv_address *address,
    uint16_t port, struct pv_pin_key key)
{
	static const char end[] = ".invalid:1";
	char *at = pin->text;
	*at++ = ':';
	*at++ = ':';
	for (size_t i = 0; i < address->bits / 8; i++)
		at = write_digits(at, address->bytes[i], 2) - 1;
	*at++ = '-';
	at = write_digits(at, port, 4);
	at = write_digits(at, key.trust, 8);
	at = write_digits(at, key.host, 16) - 1;
	memcpy(at, end, sizeof(end));
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
