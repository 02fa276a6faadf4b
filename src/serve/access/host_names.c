#include "serve/access/host_names.h"

#include "base/address.h"
#include "base/reader.h"

/* An address of which IPv6 is in brackets. */
static bool read_address(struct pv_str host, struct pv_address *address)
{
	struct pv_reader reader = pv_reader_of(host);
	bool is_bracketed = pv_reader_accept(&reader, '[');
	struct pv_str text = pv_reader_take_until(&reader, ']');
	if (is_bracketed && !pv_reader_accept(&reader, ']'))
		return false;
	return pv_reader_is_end(&reader) && pv_address_read(text, address) &&
	       is_bracketed == (address->bits == 128);
}

/* That of "127.0.0.1:7117" or "[::1]:0". */
static bool read_listen(const char *listen, struct pv_address *address)
{
	struct pv_str where = pv_str_of(listen);
	size_t colon = pv_str_find_last(where, ':');
	return colon != PV_NOT_FOUND &&
	       read_address(pv_str_head(where, colon), address);
}

static bool is_every(const struct pv_address *address)
{
	static const uint8_t none[16];
	return memcmp(address->bytes, none, address->bits / 8) == 0;
}

static bool is_loopback(struct pv_str host)
{
	return pv_str_equal_nocase(host, PV_STR("localhost")) ||
	       pv_str_equal(host, PV_STR("127.0.0.1")) ||
	       pv_str_equal(host, PV_STR("[::1]"));
}

static bool has_listen(const struct pv_host_names *names, struct pv_str host)
{
	struct pv_address own;
	struct pv_address asked;
	bool is_address = read_address(host, &asked);
	if (!names->listen)
		return is_address || is_loopback(host);
	if (!read_listen(names->listen, &own))
		return is_loopback(host);
	if (is_every(&own))
		return is_address || is_loopback(host);
	if (pv_address_kind(&own) == PV_ADDRESS_LOOPBACK && is_loopback(host))
		return true;
	return is_address && pv_address_equal(&own, &asked);
}

bool pv_host_names_has_other(
    const struct pv_host_names *names, struct pv_str host)
{
	for (size_t i = 0; i < names->other_count; i++) {
		if (pv_str_equal_nocase(pv_str_of(names->others[i]), host))
			return true;
	}
	return false;
}

bool pv_host_names_has(const struct pv_host_names *names, struct pv_str host)
{
	return host.len && (has_listen(names, host) ||
			       pv_host_names_has_other(names, host));
}
