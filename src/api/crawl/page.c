#include "api/sized.h"
#include "crawl/visit/page_event.h"
#include "http/headers.h"
#include "pavane/page.h"

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

bool pavane_page_header_at(
    const struct pavane_page *page, size_t number, struct pavane_header *header)
{
	const struct pv_headers *headers =
	    &pv_page_event_of(page)->giving.answer->response->headers;
	if (number >= headers->count)
		return false;
	struct pv_header found = pv_headers_at(headers, number);
	const struct pavane_header own = {
	    .size = sizeof(own),
	    .name = found.name.ptr,
	    .name_len = found.name.len,
	    .value = found.value.ptr,
	    .value_len = found.value.len,
	};
	return pv_sized_write(header, &own, sizeof(own));
}

bool pavane_page_link(const struct pavane_page *page, size_t number,
    struct pavane_page_link *link)
{
	struct pavane_page_link own;
	return pv_page_event_link(pv_page_event_of(page), number, &own) &&
	       pv_sized_write(link, &own, sizeof(own));
}

const char *pavane_page_row(const struct pavane_page *page, size_t number)
{
	return pv_page_event_row(pv_page_event_of(page), number);
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
