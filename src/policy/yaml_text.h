#ifndef PAVANE_POLICY_YAML_TEXT_H
#define PAVANE_POLICY_YAML_TEXT_H

#include "base/buf.h"

/* Appends text as a YAML scalar, within a flow or not: plain where nothing
 * could take it for anything else, else in double quotes. */
void pv_yaml_text_append(struct pv_str text, struct pv_buf *buf);

#endif
