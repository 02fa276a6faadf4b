#include "explain/owner.h"

#include <inttypes.h>

#include "policy/values/units.h"

/* A clock that several hosts share has another name than they have. */
static void write_clock(
    const struct pv_explanation *explanation, struct pv_buf *line)
{
	pv_buf_append_format(
	    line, "the clock %.*s", PV_STR_ARG(explanation->manners->clock));
}

static void write_owner(
    const struct pv_explanation *explanation, struct pv_buf *line)
{
	const struct pv_state_view_fleet *fleet = &explanation->known->fleet;
	pv_buf_append_format(line, "worker %" PRId64, fleet->worker);
	if (fleet->place.len)
		pv_buf_append_format(line, " (%s)", pv_buf_text(&fleet->place));
	pv_buf_append_text(line, " owns ");
	write_clock(explanation, line);
	if (!fleet->is_silent)
		return;
	pv_buf_append_text(line, ", and was last heard of ");
	pv_unit_write(PV_UNIT_TIME, (fleet->seen_ms + 999) / 1000 * 1000, line);
	pv_buf_append_text(line, fleet->living
				     ? " ago: another worker takes it over"
				     : " ago; no other worker is running");
}

static void write_nobody(
    const struct pv_explanation *explanation, struct pv_buf *line)
{
	const struct pv_state_view_fleet *fleet = &explanation->known->fleet;
	pv_buf_append_text(line, "no worker owns ");
	write_clock(explanation, line);
	if (fleet->is_finished)
		pv_buf_append_text(line, ": the crawl is finished");
	else if (!fleet->living)
		pv_buf_append_text(line, ", and none is running");
	else if (fleet->has_clock)
		pv_buf_append_text(
		    line, ": one that has room for it takes it over");
	else
		pv_buf_append_text(line, " yet");
}

void pv_explain_owner_tell(struct pv_explanation *explanation, bool is_ours)
{
	const struct pv_state_view_fleet *fleet = &explanation->known->fleet;
	struct pv_buf *line = &explanation->line;
	bool is_wanted = is_ours || fleet->worker || fleet->has_clock;
	if (!fleet->is_there || !is_wanted)
		return;
	if (fleet->worker)
		write_owner(explanation, line);
	else
		write_nobody(explanation, line);
	if (fleet->left_ms > 0) {
		pv_buf_append_text(line, "; it rests until ");
		pv_explanation_write_time(explanation,
		    explanation->now.wall_ms + fleet->left_ms, line);
	}
	pv_explanation_tell(explanation, "its worker", NULL);
}
