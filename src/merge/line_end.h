#ifndef PAVANE_MERGE_LINE_END_H
#define PAVANE_MERGE_LINE_END_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* The end of a journal's line, where its last members stand: whose it is, and
 * whether it is the last word on its address. A merge writes these anew, and
 * leaves all before them as it is, byte by byte. */
struct pv_merge_line_end {
	int64_t worker;
	bool is_final;
	bool is_stale; /* it was final once */
};

/* Appends a line, its end as given, and a newline. False if the line says what is
 * to be written anew anywhere but at its end, as none of ours does. `was_final`
 * and `had_worker` are what it says when it is read as JSON. */
struct pv_merge_line_was {
	bool was_final;
	bool had_worker;
};

bool pv_merge_line_write(struct pv_str line,
    const struct pv_merge_line_was *was, const struct pv_merge_line_end *end,
    struct pv_buf *buf);

#endif
