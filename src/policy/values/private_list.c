#include "policy/values/private_list.h"

#include <stdlib.h>

#include "base/array.h"

struct pv_private_item {
	struct pv_host_pattern pattern; /* its name lies in the text */
	struct pv_buf text;
};

static const char *const link_local[] = {"169.254.0.0/16", "fe80::/10"};

void pv_private_list_init(struct pv_private_list *list)
{
	*list = (struct pv_private_list){.count = 0};
}

void pv_private_list_finish(struct pv_private_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		pv_buf_finish(&list->items[i].text);
	free(list->items);
}

const char *pv_private_list_add(
    struct pv_private_list *list, struct pv_str text)
{
	struct pv_private_item item;
	pv_buf_init(&item.text, SIZE_MAX);
	const char *fault =
	    pv_host_pattern_read(text, &item.pattern, &item.text);
	if (!fault)
		*PV_ARRAY_PUSH(list->items, list->count, list->size) = item;
	else
		pv_buf_finish(&item.text);
	return fault && !*fault ? "expected a host name, *.name or a range of "
				  "addresses"
				: fault;
}

/* The link-local range that the address lies in; false if it is in none. */
static bool find_link_local(
    const struct pv_address *address, struct pv_network *range)
{
	bool is_exact;
	for (size_t i = 0; i < sizeof(link_local) / sizeof(*link_local); i++) {
		if (pv_network_read(
			pv_str_of(link_local[i]), range, &is_exact) &&
		    pv_network_holds(range, address))
			return true;
	}
	return false;
}

static bool is_in_range(
    const struct pv_host_pattern *pattern, const struct pv_address *address)
{
	struct pv_network link_local_range;
	if (!pv_network_holds(&pattern->network, address))
		return false;
	return !find_link_local(address, &link_local_range) ||
	       pv_network_holds(&link_local_range, &pattern->network.address);
}

static bool is_below(struct pv_str host, struct pv_str name)
{
	return host.len > name.len &&
	       host.ptr[host.len - name.len - 1] == '.' &&
	       pv_str_equal(pv_str_from(host, host.len - name.len), name);
}

bool pv_private_list_has(const struct pv_private_list *list, struct pv_str host,
    const struct pv_address *address)
{
	bool is_there = false;
	host = pv_host_name_trim(host);
	for (size_t i = 0; i < list->count && !is_there; i++) {
		const struct pv_host_pattern *pattern = &list->items[i].pattern;
		switch (pattern->kind) {
		case PV_HOST_EXACT:
			is_there = pv_str_equal(host, pattern->name);
			break;
		case PV_HOST_BELOW:
			is_there = is_below(host, pattern->name);
			break;
		case PV_HOST_NETWORK:
			is_there = is_in_range(pattern, address);
			break;
		}
	}
	return is_there;
}
