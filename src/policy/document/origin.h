#ifndef PAVANE_POLICY_DOCUMENT_ORIGIN_H
#define PAVANE_POLICY_DOCUMENT_ORIGIN_H

#include "base/buf.h"
#include "base/why.h"

/* Where a value comes from: a place in a file, the command line, or nowhere,
 * which makes it the default. */
struct pv_origin {
	struct pv_place place; /* its file is NULL for a default */
	const char *said; /* what an effective policy said of it, or NULL */
};

/* A default stays one when an effective policy has written it out. */
bool pv_origin_is_default(const struct pv_origin *origin);

/* Appends "default", "policy.yaml:7" or "--set". */
void pv_origin_write(const struct pv_origin *origin, struct pv_buf *buf);

/* Appends it as the comment that ends a line of an effective policy. */
void pv_origin_write_comment(
    const struct pv_origin *origin, struct pv_buf *buf);

#endif
