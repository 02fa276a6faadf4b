#include "base/visible.h"
#include "fleet/line/line_parts.h"

/* Until now it may have been about something else. */
static struct pv_buf *new_why(struct pv_fleet_line *line)
{
	pv_buf_clear(&line->why);
	return &line->why;
}

void pv_fleet_line_find(struct pv_fleet_line *line)
{
	line->state = PV_FLEET_FINDING;
	pv_fleet_targets_find(&line->targets);
}

static int64_t patience_ms(const struct pv_fleet_line *line)
{
	if (line->options.connect_timeout_ms)
		return line->options.connect_timeout_ms;
	return line->url.connect_timeout_ms ? line->url.connect_timeout_ms
					    : 10000;
}

void pv_fleet_line_connect(struct pv_fleet_line *line)
{
	struct pv_fleet_keywords keywords;
	pv_fleet_keywords_init(&keywords, &line->targets, line->target);
	line->state = PV_FLEET_CONNECTING;
	bool is_begun = pv_fleet_connection_open(&line->connection,
	    keywords.keywords, keywords.values, new_why(line));
	pv_fleet_keywords_finish(&keywords);
	if (is_begun)
		pv_fleet_line_wake_in(line, patience_ms(line));
	else
		pv_fleet_line_fail(line);
}

void pv_fleet_line_time_out(struct pv_fleet_line *line)
{
	const struct pv_fleet_place *place =
	    line->targets.items[line->target].place;
	struct pv_buf *why = new_why(line);
	pv_buf_append_text(why, "the server at ");
	pv_visible_append(
	    why, pv_str_of(*place->host ? place->host : place->address));
	pv_buf_append_text(why, ", port ");
	pv_visible_append(why, pv_str_of(place->port));
	pv_buf_append_format(why, " does not answer within %.3g seconds",
	    (double)patience_ms(line) / 1000);
	pv_fleet_line_fail(line);
}

/* What is left to be sent is sent as soon as that is possible. */
static void watch(struct pv_fleet_line *line)
{
	int left = PQflush(line->connection.pg);
	pv_fleet_connection_watch(&line->connection,
	    left > 0 ? UV_READABLE | UV_WRITABLE : UV_READABLE);
}

static void rise(struct pv_fleet_line *line)
{
	uv_timer_stop(&line->timer);
	line->state = PV_FLEET_UP;
	line->was_up = true;
	pv_buf_clear(&line->unfit);
	line->pipeline.is_up = true;
	pv_fleet_rest_reset(&line->rest);
	line->options.on_up(line->options.ctx, &line->greeting.server);
	if (line->state == PV_FLEET_UP)
		pv_fleet_line_turn_soon(line);
}

/* The caller may say at once that it is done. */
static void ask_for_schema(struct pv_fleet_line *line)
{
	uv_timer_stop(&line->timer);
	line->state = PV_FLEET_CHECKED;
	if (line->options.on_checked)
		line->options.on_checked(
		    line->options.ctx, &line->greeting.server);
	else
		line->is_to_prepare = true;
	if (line->state == PV_FLEET_CHECKED)
		pv_fleet_line_turn_soon(line);
}

/* The next host may be good; if none is, what is wrong with this one is told. */
static void go_past(struct pv_fleet_line *line)
{
	pv_buf_clear(&line->unfit);
	pv_buf_append(&line->unfit, pv_buf_str(&line->why));
	pv_fleet_line_fail(line);
}

/* Whether it goes on, or is over for now or for good. */
static void take(struct pv_fleet_line *line, enum pv_fleet_greeted greeted)
{
	switch (greeted) {
	case PV_FLEET_GREETING:
		watch(line);
		break;
	case PV_FLEET_GREETED:
		if (line->state == PV_FLEET_CHECKING)
			ask_for_schema(line);
		else
			rise(line);
		break;
	case PV_FLEET_UNGREETED:
		pv_fleet_line_fail(line);
		break;
	case PV_FLEET_UNFIT:
		if (line->was_up)
			go_past(line);
		else
			pv_fleet_line_refuse(line);
		break;
	}
}

void pv_fleet_line_greet(struct pv_fleet_line *line)
{
	line->state = PV_FLEET_CHECKING;
	take(line, pv_fleet_greeting_start(
		       &line->greeting, line->connection.pg, new_why(line)));
}

void pv_fleet_line_go_on(struct pv_fleet_line *line)
{
	bool is_good = pv_fleet_execs_start(&line->execs, &line->connection);
	if (!is_good) {
		pv_fleet_message_append(
		    new_why(line), PQerrorMessage(line->connection.pg));
		pv_fleet_line_fail(line);
		return;
	}
	if (line->execs.is_busy || !line->is_to_prepare) {
		watch(line);
		return;
	}
	line->is_to_prepare = false;
	line->state = PV_FLEET_PREPARING;
	pv_fleet_line_wake_in(line, patience_ms(line));
	take(line,
	    pv_fleet_preparing_start(&line->preparing, line->connection.pg,
		&line->options, line->channels, new_why(line)));
}

static void read_execs(struct pv_fleet_line *line)
{
	bool is_good = pv_fleet_execs_read(&line->execs, &line->connection);
	if (line->state != PV_FLEET_CHECKED || line->is_dropped)
		return;
	if (!is_good) {
		struct pv_buf *why = new_why(line);
		pv_buf_append_text(why, "the connection was lost: ");
		pv_fleet_message_append(
		    why, PQerrorMessage(line->connection.pg));
		pv_fleet_line_fail(line);
		return;
	}
	pv_fleet_line_go_on(line);
}

void pv_fleet_line_read_early(struct pv_fleet_line *line)
{
	switch (line->state) {
	case PV_FLEET_CHECKING:
		take(line, pv_fleet_greeting_read(
			       &line->greeting, uv_hrtime(), new_why(line)));
		break;
	case PV_FLEET_CHECKED:
		read_execs(line);
		break;
	case PV_FLEET_PREPARING:
		take(line,
		    pv_fleet_preparing_read(&line->preparing, new_why(line)));
		break;
	default:
		break;
	}
}
