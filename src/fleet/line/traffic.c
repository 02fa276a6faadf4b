#include <stdlib.h>

#include "fleet/line/line_parts.h"

static bool is_up(const struct pv_fleet_line *line)
{
	return line->state == PV_FLEET_UP && !line->is_dropped;
}

static void tell_notifications(struct pv_fleet_line *line)
{
	while (is_up(line)) {
		PGnotify *notify = PQnotifies(line->connection.pg);
		if (!notify)
			return;
		if (line->options.on_notify)
			line->options.on_notify(
			    line->options.ctx, notify->relname, notify->extra);
		PQfreemem(notify);
	}
}

static void wait_for_repeats(struct pv_fleet_line *line)
{
	int64_t due_ms = pv_fleet_pipeline_due(&line->pipeline);
	if (due_ms < 0)
		uv_timer_stop(&line->timer);
	else
		pv_fleet_line_wake_in(
		    line, due_ms - (int64_t)uv_now(line->options.loop));
}

void pv_fleet_line_pump(struct pv_fleet_line *line)
{
	int64_t now_ms = (int64_t)uv_now(line->options.loop);
	enum pv_fleet_flow read, write;
	pv_buf_clear(&line->why);
	pv_fleet_pipeline_wake(&line->pipeline, now_ms);
	read = pv_fleet_pipeline_read(&line->pipeline, now_ms, &line->why);
	if (read != PV_FLEET_FLOW_BROKEN)
		tell_notifications(line);
	if (!is_up(line))
		return;
	write = read == PV_FLEET_FLOW_BROKEN
		    ? read
		    : pv_fleet_pipeline_write(&line->pipeline, &line->why);
	if (write == PV_FLEET_FLOW_BROKEN) {
		pv_fleet_line_fall(line);
		return;
	}
	pv_fleet_connection_watch(&line->connection,
	    write == PV_FLEET_FLOW_BLOCKED ? UV_READABLE | UV_WRITABLE
					   : UV_READABLE);
	if (read == PV_FLEET_FLOW_MORE || write == PV_FLEET_FLOW_MORE)
		pv_fleet_line_turn_soon(line);
	wait_for_repeats(line);
}
