#include "crawl/visit/page_event.h"
#include "http/headers.h"
#include "pavane/events.h"

/* What a program does with a page that it is shown. */

const char *pavane_page_header(
    const struct pavane_page *page, const char *name, size_t *len)
{
	const struct pv_answer *answer = pv_page_event_of(page)->giving.answer;
	struct pv_str value =
	    pv_headers_get(&answer->response->headers, pv_str_of(name));
	*len = value.len;
	return value.ptr;
}

bool pavane_page_add_row(
    const struct pavane_page *page, const char *kind, const char *json)
{
	return pv_page_event_add_row(
	    pv_page_event_of(page), pv_str_of(kind), pv_str_of(json));
}

bool pavane_page_add_link(
    const struct pavane_page *page, const char *address, enum pavane_place as)
{
	return pv_page_event_add_link(
	    pv_page_event_of(page), pv_str_of(address), as);
}

const char *pavane_page_why(const struct pavane_page *page)
{
	return pv_buf_text(&pv_page_event_of(page)->why);
}
