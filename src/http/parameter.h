#ifndef PAVANE_HTTP_PARAMETER_H
#define PAVANE_HTTP_PARAMETER_H

#include "base/buf.h"
#include "base/reader.h"

/* Parameters, "; name=value", as they follow a media type or the target of a
 * Link (RFC 9110, 5.6.6; RFC 8288, 3). A value is a token or a quoted string,
 * in which commas and semicolons are only text. */
struct pv_parameter {
	struct pv_str name;
	struct pv_str value; /* without quotes, but with the backslashes */
	bool is_quoted;
};

/* Takes the next parameter and skips what lies before it; false, with the
 * reader at a comma or the end, if there is none. */
bool pv_parameter_next(
    struct pv_reader *reader, struct pv_parameter *parameter);

/* Finds the first parameter of that name. */
bool pv_parameter_find(struct pv_reader reader, struct pv_str name,
    struct pv_parameter *parameter);

/* Appends the value as it is meant; false if the ceiling is in the way. */
bool pv_parameter_write(
    const struct pv_parameter *parameter, struct pv_buf *buf);

#endif
