#ifndef PAVANE_PAGE_H
#define PAVANE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The pages of a crawl, for the program that runs it.
 *
 * Its on_page (events.h) and its sinks (sink.h) are shown them, and on_page may add
 * to them. All that is said here holds during that call, and on its thread. */

/* Where an address was found. */
enum pavane_place {
	PAVANE_LINK,     /* of a page to a page */
	PAVANE_RESOURCE, /* a part of a page: an image, a style sheet ... */
	PAVANE_REDIRECT,
	PAVANE_SITEMAP, /* or a feed, or robots.txt, which names sitemaps */
	PAVANE_AGAIN,   /* nowhere now: another policy has it judged again */
};

/* An answer, with its content coding undone. */
struct pavane_page {
	const char *address;
	const char *via; /* where it was found; "" for a seed */
	const char *tag; /* of its seed; "" for none */
	uint32_t depth;
	uint16_t status;
	const char *type; /* what it is taken for, as a Content-Type has it; ""
			     where nobody knows */
	const char *body; /* body_len bytes, and no NUL behind them */
	size_t body_len;
	const uint8_t *sha256; /* of the body, 32 bytes; NULL without one */
	bool is_whole;         /* all of it came */
	bool is_kept;          /* it is stored, where pages are stored */
	int64_t total_ms;      /* that the request took; negative: unknown */
	uint32_t attempt;      /* from 1 */
	size_t link_count;     /* links that may be new (pavane_page_link) */
	size_t row_count;      /* that it has (pavane_page_row) */
	const void *inside;    /* the library's */
	const char *moved_to;  /* the address that it redirects to, which is
				  a page of its own if it is requested; ""
				  for none */
	const char *kind;      /* of page, of which its rows are, as the
				  policy's `pages` names it; "" for none */
	size_t header_count;   /* that the answer has (pavane_page_header_at) */

	/* What the request's time went into; negative: it did not come to that,
	 * or it is not known. */
	int64_t name_ms;       /* looking up the host's name, if it was */
	int64_t connect_ms;    /* 0 on a connection that was kept */
	int64_t tls_ms;        /* 0 there too, and without TLS */
	int64_t first_byte_ms; /* from when the request was sent */
};

/* A header of the answer, the first of that name; NULL if there is none. It
 * lives as long as the page. */
PAVANE_API const char *pavane_page_header(
    const struct pavane_page *page, const char *name, size_t *len);

/* A header as it was sent; the texts live as long as the page, and no NUL is
 * behind them. */
struct pavane_header {
	size_t size;
	const char *name;
	size_t name_len;
	const char *value; /* without white space around it */
	size_t value_len;
};

/* The header of that number, below header_count, in the order of the answer.
 * False if there is none, or the size of `header` is not set; so below. */
PAVANE_API bool pavane_page_header_at(const struct pavane_page *page,
    size_t number, struct pavane_header *header);

/* A link of a page that may be new, what was found so far and what a program has
 * added alike. The texts live until the next call for this page. */
struct pavane_page_link {
	size_t size;
	const char *address;
	bool is_page;        /* it leads to a page, and not to a part of one */
	const char *verdict; /* "admitted", or the word of a reason why it is
				not requested, such as "robots"; robots.txt
				of hosts that are not asked yet is heeded
				later */
};

PAVANE_API bool pavane_page_link(const struct pavane_page *page, size_t number,
    struct pavane_page_link *link);

/* The row of that number, below row_count, as a JSON object of its fields by
 * their names, what the page's link carried included; NULL if there is none. It
 * lives until the next call for this page. */
PAVANE_API const char *pavane_page_row(
    const struct pavane_page *page, size_t number);

/* What a program adds to a page, within on_page and on its thread: judged and
 * committed with the page, as what was read in it. It comes again when the page
 * does; what is added must depend on the page alone. False if nothing is taken:
 * pavane_page_why says why. */

/* A row, as a JSON object whose members are fields of that kind of page by their
 * names; what the policy calls them, and their types, hold for it as for what
 * fields find. The kind is one that the policy's `pages` names, with fields. All
 * rows of a page are of one kind, and stand behind those that its fields gave.
 * Refused are other kinds, what is no object, members that are no fields, a row
 * without a required field, a row more than output.fields.max_rows, and rows of
 * an answer that is not whole or not of 200 to 299. Values of one field beyond
 * that number are left out and told among the problems. Rows that are not added
 * once more when the page is updated are gone. */
PAVANE_API bool pavane_page_add_row(
    const struct pavane_page *page, const char *kind, const char *json);

/* A visit, as PAVANE_LINK or PAVANE_RESOURCE: an address, relative to the page's
 * or not. Scope, robots.txt, on_link, traps and limits judge it as a link of the
 * page, and a refusal is reported as for any (on_refused); only what asks not to
 * follow links does not count, since the program has named this one itself.
 * on_link is called for it before this returns, on the same thread.
 * Refused at once are other places, what is no web address, and a PAVANE_LINK of
 * what was requested as a part of a page. */
PAVANE_API bool pavane_page_add_link(
    const struct pavane_page *page, const char *address, enum pavane_place as);

/* Why the last row or link was refused, in a sentence; "" if it was taken. Valid
 * until the next is added. */
PAVANE_API const char *pavane_page_why(const struct pavane_page *page);

#ifdef __cplusplus
}
#endif

#endif
