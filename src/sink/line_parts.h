#ifndef PAVANE_SINK_LINE_PARTS_H
#define PAVANE_SINK_LINE_PARTS_H

#include <stdint.h>

#include "base/buf.h"

/* What lines of JSON are made of, for programs that read them for years:
 * members with texts, numbers, times and addresses, added one behind the
 * other. */

/* The beginning of a member, which is never the first. */
#define PV_LINE_KEY(name) PV_STR(",\"" name "\":")

/* Nothing, if the text is empty. */
void pv_line_add_text(
    struct pv_buf *line, struct pv_str key, struct pv_str text);
void pv_line_add_number(
    struct pv_buf *line, struct pv_str key, uint64_t number);

/* Nothing, if it is negative: it did not come to that. */
void pv_line_add_ms(struct pv_buf *line, struct pv_str key, int64_t ms);

/* An address without its credentials. */
void pv_line_add_url(struct pv_buf *line, struct pv_str key, struct pv_str url);

/* The same alone, neither quoted nor escaped. */
void pv_line_append_url(struct pv_buf *line, struct pv_str url);

/* "2026-03-01T09:30:00.250Z" */
void pv_line_append_time(struct pv_buf *line, int64_t wall_ms);

#endif
