#ifndef PAVANE_POLICY_VALUES_UNITS_H
#define PAVANE_POLICY_VALUES_UNITS_H

#include <stdint.h>

#include "base/buf.h"

/* Numbers as people write them: 250ms, 1.5s, 64KiB, 10MB/s, 20%, 20.
 *
 * Everything is plain decimal; what cannot be said exactly in milliseconds,
 * bytes or hundredths is refused, and so is a leading zero, which others read
 * as octal.
 */
enum pv_unit_kind {
	PV_UNIT_NONE,      /* a bare whole number */
	PV_UNIT_TIME,      /* to milliseconds; bare numbers are seconds */
	PV_UNIT_SIZE,      /* to bytes */
	PV_UNIT_BANDWIDTH, /* to bytes a second */
	PV_UNIT_SHARE,     /* to hundredths; no number is bare */
};

enum pv_unit_fault {
	PV_UNIT_RIGHT,
	PV_UNIT_NOT_A_NUMBER,
	PV_UNIT_UNKNOWN,   /* a number with a unit that there is not */
	PV_UNIT_TOO_FINE,  /* less than a millisecond or a byte remains */
	PV_UNIT_TOO_LARGE, /* for any range */
};

/* Reads a number with its unit; `is_bare` tells whether it had none. */
enum pv_unit_fault pv_unit_read(
    enum pv_unit_kind kind, struct pv_str text, int64_t *number, bool *is_bare);

/* Appends the number with the largest unit that says it exactly. */
void pv_unit_write(enum pv_unit_kind kind, int64_t number, struct pv_buf *buf);

/* Reads a decimal number such as 1.5: digits, at most six after a point. */
bool pv_decimal_read(struct pv_str text, double *number);
void pv_decimal_write(double number, struct pv_buf *buf);

/* A regular expression (ECMA 262) for a number with a unit, for schemas. */
const char *pv_unit_schema(enum pv_unit_kind kind);

#endif
