#include "record/host.h"

#include <stdlib.h>

#include "base/array.h"

/* Names stand behind one another in the buffer, which moves as it grows; the
 * host's own pointer is not used. */
struct pv_host_item {
	struct pv_host host;
	size_t start;
};

void pv_host_list_init(struct pv_host_list *hosts, size_t name_ceiling)
{
	*hosts = (struct pv_host_list){0};
	pv_buf_init(&hosts->names, name_ceiling);
}

void pv_host_list_finish(struct pv_host_list *hosts)
{
	free(hosts->items);
	pv_buf_finish(&hosts->names);
	*hosts = (struct pv_host_list){0};
}

bool pv_host_list_add(struct pv_host_list *hosts, const struct pv_host *host)
{
	size_t start = hosts->names.len;
	if (!pv_buf_append(&hosts->names, host->name))
		return false;
	*PV_ARRAY_PUSH(hosts->items, hosts->count, hosts->size) =
	    (struct pv_host_item){.host = *host, .start = start};
	return true;
}

struct pv_host pv_host_list_get(const struct pv_host_list *hosts, size_t number)
{
	struct pv_host host = hosts->items[number].host;
	host.name.ptr = pv_buf_text(&hosts->names) + hosts->items[number].start;
	return host;
}
