#ifndef PAVANE_SERVE_HTTP_HEAD_H
#define PAVANE_SERVE_HTTP_HEAD_H

#include "base/str.h"

/* The head of a request as it came: the first line and the header fields.
 *
 * A head that two programs could understand differently is how requests are
 * smuggled past a proxy. So every head is vetted before its body is read, and
 * one that fails ends its connection. All text is borrowed.
 */
struct pv_head_field {
	struct pv_str name;
	struct pv_str value;
};

struct pv_head {
	struct pv_str method;
	struct pv_str target;
	struct pv_str version; /* "HTTP/1.1" */
	const struct pv_head_field *fields;
	size_t field_count;
};

/* The first field of that name, in any case; ptr is NULL if there is none. */
struct pv_str pv_head_get(const struct pv_head *head, struct pv_str name);

/* How many fields have that name. */
size_t pv_head_count(const struct pv_head *head, struct pv_str name);

/* What is wrong with it, as a sentence; NULL if nothing is (RFC 9112, 3.2, 6.1
 * and 6.3). */
const char *pv_head_vet(const struct pv_head *head);

#endif
