#include "frontier/sqlite/link_pages.h"

#include <string.h>

/* What links to an origin change that no others do: where it stands in `seen`,
 * what its host has to do, the host, and that it waits. */
#define PAGES_OF_ORIGIN 4

/* Of a page, for rows; and of a row, beside its texts. */
#define PAGE_BYTES ((size_t)4000)
#define ROW_BYTES 40

void pv_link_pages_begin(struct pv_link_pages *pages)
{
	memset(pages, 0, sizeof(*pages));
}

static bool is_first(struct pv_link_pages *pages, uint32_t origin)
{
	uint32_t *place = &pages->places[origin % PV_LINK_PAGES_PLACES];
	bool is_first = *place != origin + 1;
	*place = origin + 1;
	return is_first;
}

/* With what stays empty of a page, since the next row does not fit. */
static size_t bytes_of(const struct pv_link *link)
{
	size_t bytes =
	    ROW_BYTES + link->url.len + link->tag.len + link->carry.len;
	return bytes < PAGE_BYTES ? PAGE_BYTES / (PAGE_BYTES / bytes)
				  : bytes + PAGE_BYTES;
}

size_t pv_link_pages_add(struct pv_link_pages *pages,
    const struct pv_link_list *links, size_t first, size_t end)
{
	size_t origins = 0;
	for (size_t i = first; i < end; i++) {
		struct pv_link link = pv_link_list_get(links, i);
		origins += is_first(pages, link.fingerprint.origin);
		pages->bytes += bytes_of(&link);
	}
	size_t filled = pages->bytes / PAGE_BYTES;
	pages->bytes %= PAGE_BYTES;
	return origins * PAGES_OF_ORIGIN + filled;
}
