#include "base/address.h"

#include <arpa/inet.h>

#include "base/reader.h"

bool pv_address_read(struct pv_str text, struct pv_address *address)
{
	char copy[INET6_ADDRSTRLEN];
	if (!text.len || text.len >= sizeof(copy) ||
	    pv_str_find(text, '\0') != PV_NOT_FOUND)
		return false;
	memcpy(copy, text.ptr, text.len);
	copy[text.len] = '\0';
	struct pv_address read = {.bits = 32};
	if (inet_pton(AF_INET, copy, read.bytes) != 1) {
		read.bits = 128;
		if (inet_pton(AF_INET6, copy, read.bytes) != 1)
			return false;
	}
	*address = read;
	return true;
}

/* inet_ntop would use printf, which takes longer than all else that is done
 * with an address that a page links to. */
static bool write_ipv4(const uint8_t bytes[4], struct pv_buf *buf)
{
	char text[INET_ADDRSTRLEN];
	size_t len = 0;
	for (unsigned i = 0; i < 4; i++) {
		if (i)
			text[len++] = '.';
		if (bytes[i] >= 100)
			text[len++] = (char)('0' + bytes[i] / 100);
		if (bytes[i] >= 10)
			text[len++] = (char)('0' + bytes[i] / 10 % 10);
		text[len++] = (char)('0' + bytes[i] % 10);
	}
	return pv_buf_append(buf, (struct pv_str){text, len});
}

bool pv_address_write(const struct pv_address *address, struct pv_buf *buf)
{
	char text[INET6_ADDRSTRLEN];
	if (address->bits == 32)
		return write_ipv4(address->bytes, buf);
	inet_ntop(AF_INET6, address->bytes, text, sizeof(text));
	return pv_buf_append_text(buf, text);
}

bool pv_address_equal(const struct pv_address *a, const struct pv_address *b)
{
	return a->bits == b->bits &&
	       memcmp(a->bytes, b->bytes, a->bits / 8) == 0;
}

struct pv_network pv_network_of(
    const struct pv_address *address, uint8_t prefix)
{
	struct pv_network network = {.address = *address, .prefix = prefix};
	for (unsigned i = 0; i < 16; i++) {
		unsigned kept = prefix > i * 8 ? prefix - i * 8 : 0;
		if (kept < 8)
			network.address.bytes[i] &= (uint8_t)(0xff00 >> kept);
	}
	return network;
}

bool pv_network_read(
    struct pv_str text, struct pv_network *network, bool *is_exact)
{
	size_t slash = pv_str_find(text, '/');
	struct pv_address address;
	uint64_t prefix;
	size_t len = slash == PV_NOT_FOUND ? text.len : slash;
	if (!pv_address_read(pv_str_head(text, len), &address))
		return false;
	prefix = address.bits;
	if (slash != PV_NOT_FOUND) {
		struct pv_reader reader =
		    pv_reader_of(pv_str_from(text, slash + 1));
		if (!pv_reader_take_number(&reader, address.bits, &prefix) ||
		    !pv_reader_is_end(&reader))
			return false;
	}
	*network = pv_network_of(&address, (uint8_t)prefix);
	*is_exact = pv_address_equal(&network->address, &address);
	return true;
}

bool pv_network_write(const struct pv_network *network, struct pv_buf *buf)
{
	return pv_address_write(&network->address, buf) &&
	       pv_buf_append_format(buf, "/%u", network->prefix);
}

bool pv_network_holds(
    const struct pv_network *network, const struct pv_address *address)
{
	if (network->address.bits != address->bits)
		return false;
	struct pv_network around = pv_network_of(address, network->prefix);
	return pv_address_equal(&around.address, &network->address);
}

/* From the IANA registries of special-purpose addresses; all else is public,
 * the networks of documents too: they stand for anybody's hosts. The first
 * that holds an address decides. */
static const struct special {
	struct pv_network network;
	enum pv_address_kind kind;
} specials[] = {
    {{{32, {127}}, 8}, PV_ADDRESS_LOOPBACK},
    {{{32, {10}}, 8}, PV_ADDRESS_PRIVATE},
    {{{32, {172, 16}}, 12}, PV_ADDRESS_PRIVATE},
    {{{32, {192, 168}}, 16}, PV_ADDRESS_PRIVATE},
    {{{32, {169, 254}}, 16}, PV_ADDRESS_PRIVATE},
    {{{32, {100, 64}}, 10}, PV_ADDRESS_PRIVATE},
    {{{32, {192, 0, 0}}, 24}, PV_ADDRESS_PRIVATE}, /* RFC 6890 */
    {{{32, {198, 18}}, 15}, PV_ADDRESS_PRIVATE},   /* RFC 2544 */
    {{{32, {0}}, 8}, PV_ADDRESS_NOT_A_HOST},
    {{{32, {224}}, 4}, PV_ADDRESS_NOT_A_HOST},
    {{{32, {240}}, 4}, PV_ADDRESS_NOT_A_HOST},
    {{{128, {[15] = 1}}, 128}, PV_ADDRESS_LOOPBACK},
    {{{128, {0xfc}}, 7}, PV_ADDRESS_PRIVATE},
    {{{128, {0xfe, 0x80}}, 10}, PV_ADDRESS_PRIVATE},
    {{{128, {0xfe, 0xc0}}, 10}, PV_ADDRESS_PRIVATE},
    {{{128, {0x00, 0x64, 0xff, 0x9b, 0, 1}}, 48}, PV_ADDRESS_PRIVATE},
    {{{128, {0x20, 0x01}}, 23}, PV_ADDRESS_PRIVATE}, /* RFC 2928 */
    {{{128, {0x20}}, 3}, PV_ADDRESS_PUBLIC},         /* all that is given out */
    {{{128, {0}}, 0}, PV_ADDRESS_NOT_A_HOST},
};

/* Where IPv6 networks keep an IPv4 address (RFC 4291, 3056, 6052). */
static const struct {
	struct pv_network network;
	unsigned offset;
} wrappings[] = {
    {{{128, {[10] = 0xff, [11] = 0xff}}, 96}, 12},
    {{{128, {0x20, 0x02}}, 16}, 2},
    {{{128, {0x00, 0x64, 0xff, 0x9b}}, 96}, 12},
};

static struct pv_address unwrapped(const struct pv_address *address)
{
	size_t count = sizeof(wrappings) / sizeof(*wrappings);
	for (size_t i = 0; i < count; i++) {
		if (!pv_network_holds(&wrappings[i].network, address))
			continue;
		struct pv_address inner = {.bits = 32};
		memcpy(inner.bytes, address->bytes + wrappings[i].offset, 4);
		return inner;
	}
	return *address;
}

enum pv_address_kind pv_address_kind(const struct pv_address *address)
{
	struct pv_address inner = unwrapped(address);
	for (size_t i = 0; i < sizeof(specials) / sizeof(*specials); i++) {
		if (pv_network_holds(&specials[i].network, &inner))
			return specials[i].kind;
	}
	return PV_ADDRESS_PUBLIC;
}
