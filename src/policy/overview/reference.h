#ifndef PAVANE_POLICY_OVERVIEW_REFERENCE_H
#define PAVANE_POLICY_OVERVIEW_REFERENCE_H

#include "base/buf.h"

/* Appends the part of the manual page that lists every key (in man(7) macros):
 * what it takes, its default, where it may stand and what it means. */
void pv_reference_write(struct pv_buf *buf);

#endif
