#include "crawl/visit/page_event.h"
#include "pavane/events.h"

const char *pavane_page_header(
    const struct pavane_page *page, const char *name, size_t *len)
{
	struct pv_str value = pv_page_event_header(page, pv_str_of(name));
	*len = value.len;
	return value.ptr;
}
