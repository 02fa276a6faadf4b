#include "serve/config/listen_form.h"

#include "base/reader.h"

#define UNIX PV_STR("unix:")

static bool read_path(struct pv_str path, struct pv_listen_form *form)
{
	form->path = path;
	return path.len && pv_str_find(path, '\0') == PV_NOT_FOUND;
}

static bool read_port(struct pv_str text, uint16_t *port)
{
	struct pv_reader reader = pv_reader_of(text);
	uint64_t number;
	if (!pv_reader_take_number(&reader, UINT16_MAX, &number) ||
	    !pv_reader_is_end(&reader))
		return false;
	*port = (uint16_t)number;
	return true;
}

bool pv_listen_form_read(struct pv_str text, struct pv_listen_form *form)
{
	*form = (struct pv_listen_form){.path = {"", 0}};
	if (pv_str_starts(text, UNIX))
		return read_path(pv_str_from(text, UNIX.len), form);
	size_t colon = pv_str_find_last(text, ':');
	if (colon == PV_NOT_FOUND ||
	    !read_port(pv_str_from(text, colon + 1), &form->port))
		return false;
	struct pv_str host = pv_str_head(text, colon);
	bool is_v6 = pv_str_starts(host, PV_STR("[")) &&
		     pv_str_ends(host, PV_STR("]")) && host.len > 2;
	if (is_v6)
		host = (struct pv_str){host.ptr + 1, host.len - 2};
	return pv_address_read(host, &form->address) &&
	       (form->address.bits == 128) == is_v6;
}

bool pv_listen_form_is_open(const struct pv_listen_form *form)
{
	return !form->path.len &&
	       pv_address_kind(&form->address) != PV_ADDRESS_LOOPBACK;
}
