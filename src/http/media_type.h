#ifndef PAVANE_HTTP_MEDIA_TYPE_H
#define PAVANE_HTTP_MEDIA_TYPE_H

#include "base/buf.h"

/* A media type, as a Content-Type says it (RFC 9110, 8.3.1): "text/html;
 * charset=utf-8". All of it is borrowed from the text that was read, and says
 * only what the server claims. */
struct pv_media_type {
	struct pv_str name; /* type and subtype, without white space */
	struct pv_str type;
	struct pv_str subtype;
	struct pv_str parameters; /* all that follows */
};

/* Reads the first type of a header. False, with nothing changed, if it is
 * none: both halves must be tokens of at most 127 bytes (RFC 6838, 4.2). */
bool pv_media_type_read(struct pv_str text, struct pv_media_type *type);

/* Whether it is that type, "text/html", with any parameters. */
bool pv_media_type_is(const struct pv_media_type *type, struct pv_str name);

/* Whether a type without parameters is one of some, which are written in lower
 * case; one whose second half is a star stands for all that begin so. */
bool pv_media_type_is_among(
    struct pv_str type, const char *const *ranges, size_t count);

/* Appends the value of the first parameter of that name; false if there is
 * none or the ceiling is in the way. */
bool pv_media_type_get(
    const struct pv_media_type *type, struct pv_str name, struct pv_buf *value);

#endif
