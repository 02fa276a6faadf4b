#include "policy/values/socket.h"

#include "base/reader.h"

/* The port behind the last colon, which is taken off the text; 0 if there is
 * none. */
static uint16_t take_port(struct pv_str *text)
{
	uint64_t port;
	size_t colon = pv_str_find_last(*text, ':');
	if (colon == PV_NOT_FOUND)
		return 0;
	struct pv_reader reader = pv_reader_of(pv_str_from(*text, colon + 1));
	if (!pv_reader_take_number(&reader, 65535, &port) || !port ||
	    !pv_reader_is_end(&reader))
		return 0;
	text->len = colon;
	return (uint16_t)port;
}

bool pv_socket_read(struct pv_str text, struct pv_socket *socket)
{
	struct pv_socket read = {.port = 0};
	if (pv_address_read(text, &read.address)) {
		*socket = read;
		return true;
	}
	read.port = take_port(&text);
	bool is_v6 = pv_str_starts(text, PV_STR("[")) &&
		     pv_str_ends(text, PV_STR("]")) && text.len > 2;
	if (is_v6)
		text = (struct pv_str){text.ptr + 1, text.len - 2};
	if (!pv_address_read(text, &read.address) ||
	    (read.address.bits == 128) != is_v6)
		return false;
	*socket = read;
	return true;
}
