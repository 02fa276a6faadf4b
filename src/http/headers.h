#ifndef PAVANE_HTTP_HEADERS_H
#define PAVANE_HTTP_HEADERS_H

#include <stdint.h>

#include "base/buf.h"

/* The header fields of one message, in their order (RFC 9110, 5; RFC 9112, 5).
 *
 * A list takes what is well formed and nothing else, so that its fields may be
 * stored, compared and sent on: names are tokens, and no value holds a NUL, a
 * line end or another control but the tab. It has a ceiling on its fields and
 * one on their bytes, past which the message is to be given up.
 */
struct pv_header {
	struct pv_str name;  /* as it was written; compare without case */
	struct pv_str value; /* without white space around it */
};

struct pv_headers {
	struct pv_buf text; /* name and value of each, one after the other */
	struct pv_header_place *places;
	size_t count;
	size_t size;
	size_t count_max;
	bool is_foldable; /* the last line was taken, and may go on */
	bool is_full;     /* a ceiling was reached */
};

enum pv_header_result {
	PV_HEADER_ADDED,
	PV_HEADER_TOO_MANY, /* for a ceiling: no more is taken */

	/* the line is left out */
	PV_HEADER_NO_COLON,
	PV_HEADER_BAD_NAME,
	PV_HEADER_BAD_BYTE,
	PV_HEADER_BAD_FOLD,
};

/* An empty list for at most so many fields and bytes of names and values. */
void pv_headers_init(
    struct pv_headers *headers, size_t count_max, size_t bytes_max);
void pv_headers_finish(struct pv_headers *headers);
void pv_headers_clear(struct pv_headers *headers);

/* Adds a line as it came, with or without its end. A line that begins with
 * white space goes on with the value of the line before, after one space; if
 * it cannot, that one is left out too. */
enum pv_header_result pv_headers_add_line(
    struct pv_headers *headers, struct pv_str line);

enum pv_header_result pv_headers_add(
    struct pv_headers *headers, struct pv_str name, struct pv_str value);

/* What was wrong, for a log: "a header line without a colon". */
const char *pv_header_result_text(enum pv_header_result result);

/* The field at that place (under `count`); borrowed until the next change. */
struct pv_header pv_headers_at(const struct pv_headers *headers, size_t i);

/* The value of the first field of that name; ptr is NULL if there is none. */
struct pv_str pv_headers_get(
    const struct pv_headers *headers, struct pv_str name);

/* Each value of that name: the first at or after `*at`, which then stands
 * behind it. Begin with 0; false at the end. */
bool pv_headers_next(const struct pv_headers *headers, struct pv_str name,
    size_t *at, struct pv_str *value);

#endif
