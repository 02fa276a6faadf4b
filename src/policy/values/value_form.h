#ifndef PAVANE_POLICY_VALUES_VALUE_FORM_H
#define PAVANE_POLICY_VALUES_VALUE_FORM_H

#include "base/str.h"

/* The types that a field's values may have, as a policy names them. */
enum pv_value_type {
	PV_VALUE_TEXT,
	PV_VALUE_HTML,
	PV_VALUE_INTEGER, /* of any length: it is kept as its digits */
	PV_VALUE_NUMBER,
	PV_VALUE_BOOL,
	PV_VALUE_DATE, /* written as RFC 3339 */
	PV_VALUE_URL,  /* joined to the page's base */
	PV_VALUE_JSON,
	PV_VALUE_TYPE_COUNT,
};

/* How a text becomes a value. */
struct pv_value_form {
	enum pv_value_type type;
	bool is_untrimmed;       /* trim: false; white space stays as it is */
	char decimal;            /* of numbers: '.' or ',' */
	const char *date_format; /* "%d.%m.%Y"; NULL: ISO 8601 and the dates of
				    HTTP and mail */
	const char *zone;        /* of dates that name none; NULL: UTC */
};

/* "text", "html", ... */
const char *pv_value_type_word(enum pv_value_type type);

/* False, with nothing changed, if it is no such word. */
bool pv_value_type_read(struct pv_str word, enum pv_value_type *type);

#endif
