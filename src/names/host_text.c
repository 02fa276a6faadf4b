#include "names/host_text.h"

#include "base/reader.h"
#include "policy/values/host_pattern.h"

/* RFC 1035, 2.3.4: 255 octets, of which a text shows 253. */
#define NAME_BYTES_MAX 253
#define LABEL_BYTES_MAX 63

bool pv_host_text_as_address(struct pv_str host, struct pv_address *address)
{
	if (pv_str_starts(host, PV_STR("[")) &&
	    pv_str_ends(host, PV_STR("]")) && host.len > 2) {
		host = (struct pv_str){host.ptr + 1, host.len - 2};
		if (pv_str_find(host, ':') == PV_NOT_FOUND)
			return false;
	}
	return pv_address_read(host, address);
}

/* A backslash begins an escape where names are read by c-ares; no host of a URL
 * holds one. */
static bool is_name_byte(int byte)
{
	return byte > ' ' && byte < 0x7f && byte != '.' && byte != '\\';
}

static const char *fault_of_labels(struct pv_str name)
{
	struct pv_reader reader = pv_reader_of(name);
	do {
		struct pv_str label =
		    pv_reader_take_while(&reader, is_name_byte);
		if (!pv_reader_is_end(&reader) &&
		    pv_reader_peek(&reader) != '.')
			return "the name has a character that is not allowed "
			       "in host names";
		if (!label.len)
			return "the name has an empty part between two dots";
		if (label.len > LABEL_BYTES_MAX)
			return "a part of the name is longer than 63 bytes";
	} while (pv_reader_accept(&reader, '.'));
	return NULL;
}

/* Names that by their nature stand in no name server's books. */
static const struct {
	struct pv_str suffix;
	const char *fault;
} never_asked[] = {
    {{".onion", 6}, "names below .onion belong to Tor and are not resolved "
		    "by name servers (RFC 7686)"},
    {{".invalid", 8}, "names below .invalid do not exist (RFC 6761)"},
};

const char *pv_host_text_fault(struct pv_str host)
{
	struct pv_str name = pv_host_name_trim(host);
	if (!name.len)
		return "the name is empty";
	if (name.len > NAME_BYTES_MAX)
		return "the name is longer than 253 bytes";
	for (size_t i = 0; i < sizeof(never_asked) / sizeof(*never_asked);
	     i++) {
		if (pv_str_ends(name, never_asked[i].suffix))
			return never_asked[i].fault;
	}
	return fault_of_labels(name);
}
