#ifndef PAVANE_FETCH_OWN_HEAD_H
#define PAVANE_FETCH_OWN_HEAD_H

#include <curl/curl.h>

#include "base/buf.h"

struct pv_request;

/* The headers that a request has for its host alone, in the place of those of
 * the same name that all requests have. libcurl reads a list of lines, and this
 * one borrows what it can: it is the exchange's until the next request. */
struct pv_own_head {
	struct pv_buf text; /* the lines of its own, each with its NUL */
	struct curl_slist *items;
	size_t count;
	size_t size;
};

void pv_own_head_init(struct pv_own_head *head);
void pv_own_head_finish(struct pv_own_head *head);

/* The lines with the request's own; the same, if it has none. */
struct curl_slist *pv_own_head_over(struct pv_own_head *head,
    const struct pv_request *request, struct curl_slist *lines);

#endif
