#include "fleet/line/line_parts.h"

/* Those who are told may close the line, of which nothing is left to do then. */
static bool lose_all(struct pv_fleet_line *line, enum pv_fleet_state state)
{
	line->state = state;
	line->is_dropped = false;
	line->is_to_prepare = false;
	uv_timer_stop(&line->timer);
	pv_fleet_connection_close(&line->connection);
	if (line->state != PV_FLEET_CLOSED)
		pv_fleet_pipeline_lose(&line->pipeline);
	if (line->state != PV_FLEET_CLOSED)
		pv_fleet_execs_lose(&line->execs);
	return line->state != PV_FLEET_CLOSED;
}

void pv_fleet_line_fall(struct pv_fleet_line *line)
{
	if (!lose_all(line, PV_FLEET_RESTING))
		return;
	if (line->unfit.len) {
		pv_buf_clear(&line->why);
		pv_buf_append(&line->why, pv_buf_str(&line->unfit));
		pv_buf_clear(&line->unfit);
	}
	line->options.on_down(line->options.ctx, pv_buf_text(&line->why));
	if (line->state == PV_FLEET_RESTING)
		pv_fleet_line_wake_in(line, pv_fleet_rest_draw(&line->rest));
}

void pv_fleet_line_fail(struct pv_fleet_line *line)
{
	if (line->target + 1 >= line->targets.count) {
		pv_fleet_line_fall(line);
		return;
	}
	if (!lose_all(line, PV_FLEET_CHOSEN))
		return;
	line->target++;
	pv_fleet_line_turn_soon(line);
}

void pv_fleet_line_refuse(struct pv_fleet_line *line)
{
	if (lose_all(line, PV_FLEET_OVER))
		line->options.on_refused(
		    line->options.ctx, pv_buf_text(&line->why));
}
