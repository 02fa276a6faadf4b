#include "api/problems.h"

#define LINE_MAX_BYTES 65536

static void tell(const struct pv_problems *problems, enum pavane_level level,
    pavane_line_fn on_line, void *ctx)
{
	for (size_t i = 0; on_line && i < problems->kept_count; i++) {
		struct pv_buf line;
		pv_buf_init(&line, LINE_MAX_BYTES);
		pv_problem_write(&problems->kept[i], &line);
		on_line(ctx, level, pv_buf_text(&line));
		pv_buf_finish(&line);
	}
}

void pv_problems_tell(
    const struct pv_why *why, pavane_line_fn on_line, void *ctx)
{
	tell(&why->problems, PAVANE_ERROR, on_line, ctx);
}

void pv_notes_tell(const struct pv_why *why, pavane_line_fn on_line, void *ctx)
{
	tell(&why->notes, PAVANE_INFO, on_line, ctx);
}
