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

/* Appends a line, its end as given, and a newline; a worker that the line names
 * further in front stays there. False if it is said there to be final, as no line
 * of ours has it. `was_final` and `had_worker` are what it says when it is read as
 * JSON. */
struct pv_merge_line_was {
	bool was_final;
	bool had_worker;
};

bool pv_merge_line_write(struct pv_str line,
    const struct pv_merge_line_was *was, const struct pv_merge_line_end *end,
    struct pv_buf *buf);

#endif
