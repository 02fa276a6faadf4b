#ifndef PAVANE_POLICY_OVERVIEW_REFERENCE_H
#define PAVANE_POLICY_OVERVIEW_REFERENCE_H

#include "base/buf.h"

/* Appends the part of the manual page that lists every key (in man(7) macros):
 * what it takes, its default, where it may stand and what it means. */
void pv_reference_write(struct pv_buf *buf);

/* The same of another file's keys, without headings. */
struct pv_names;
void pv_reference_write_names(const struct pv_names *names, struct pv_buf *buf);

#endif
