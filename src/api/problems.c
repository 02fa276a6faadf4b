#include "api/problems.h"

#define LINE_MAX_BYTES 65536

void pv_problems_tell(
    const struct pv_why *why, pavane_line_fn on_line, void *ctx)
{
	for (size_t i = 0; on_line && i < why->problems.kept_count; i++) {
		struct pv_buf line;
		pv_buf_init(&line, LINE_MAX_BYTES);
		pv_problem_write(&why->problems.kept[i], &line);
		on_line(ctx, PAVANE_ERROR, pv_buf_text(&line));
		pv_buf_finish(&line);
	}
}
