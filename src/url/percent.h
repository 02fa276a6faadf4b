#ifndef PAVANE_URL_PERCENT_H
#define PAVANE_URL_PERCENT_H

#include <stdint.h>

#include "base/buf.h"

/* Percent-encoding: which bytes may stand in which part of an address
 * ("percent-encode sets" of the URL Standard), and writing the others as
 * %XX; and back. */
enum pv_percent_set {
	PV_PERCENT_USERINFO = 1,
	PV_PERCENT_PATH = 2,
	PV_PERCENT_QUERY = 4,
	PV_PERCENT_FRAGMENT = 8,
};

/* For each byte the sets that it is in. */
extern const uint8_t pv_percent_sets[256];

static inline bool pv_percent_has(enum pv_percent_set set, char byte)
{
	return pv_percent_sets[(unsigned char)byte] & set;
}

/* Appends the text, with the bytes of the set percent-encoded. What does not
 * fit is left to buf->is_full. */
void pv_percent_append(
    struct pv_buf *buf, struct pv_str text, enum pv_percent_set set);

/* Appends one byte as %XX. */
void pv_percent_append_byte(struct pv_buf *buf, char byte);

/* Appends the text with what percent signs stand for in their place; one that
 * stands for nothing stays. What does not fit is left to buf->is_full. */
void pv_percent_decode(struct pv_buf *buf, struct pv_str text);

#endif
