#include "fleet/line/line.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/visible.h"
#include "fleet/line/line_parts.h"

#define WHY_MAX 2000
#define BYTES_MAX ((size_t)8 << 20)
#define REST_FIRST_MS 100
#define REST_MAX_MS 5000

static char *copy(const char *text)
{
	size_t size = strlen(text) + 1;
	return memcpy(pv_alloc(size), text, size);
}

static void set_why(struct pv_fleet_line *line, const char *why)
{
	pv_buf_clear(&line->why);
	pv_buf_append_text(&line->why, why);
}

static void on_found(void *ctx)
{
	struct pv_fleet_line *line = ctx;
	line->target = 0;
	if (!line->targets.count) {
		set_why(line, pv_buf_text(&line->targets.why));
		pv_fleet_line_fall(line);
		return;
	}
	line->state = PV_FLEET_CHOSEN;
	pv_fleet_line_turn_soon(line);
}

static void on_open(void *ctx)
{
	struct pv_fleet_line *line = ctx;
	pv_fleet_line_greet(line);
}

/* What a person has to change before a first connect can succeed. Later the same
 * may be a passing state of the server, and a worker waits. */
static bool is_for_good(const struct pv_fleet_line *line, const char *sqlstate)
{
	static const char *const codes[] = {"3D000", "28000", "28P01"};
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		if (!line->was_up && strcmp(sqlstate, codes[i]) == 0)
			return true;
	}
	return false;
}

static void on_failed(void *ctx, const char *sqlstate, const char *why)
{
	struct pv_fleet_line *line = ctx;
	set_why(line, why);
	if (strcmp(sqlstate, "3D000") == 0) {
		set_why(line, "the server has no database \"");
		pv_visible_append(&line->why, pv_str_of(line->url.database));
		pv_buf_append_text(&line->why, "\": make it with \"createdb ");
		pv_visible_append(&line->why, pv_str_of(line->url.database));
		pv_buf_append_text(&line->why, "\"");
	}
	if (is_for_good(line, sqlstate))
		pv_fleet_line_refuse(line);
	else
		pv_fleet_line_fail(line);
}

static void on_ready(void *ctx)
{
	struct pv_fleet_line *line = ctx;
	if (line->is_dropped)
		return;
	if (line->state == PV_FLEET_UP)
		pv_fleet_line_pump(line);
	else
		pv_fleet_line_read_early(line);
}

static void on_notice(void *ctx, const char *text)
{
	struct pv_fleet_line *line = ctx;
	if (line->options.on_notice && line->state != PV_FLEET_CLOSED)
		line->options.on_notice(line->options.ctx, text);
}

static void on_timer(uv_timer_t *timer)
{
	struct pv_fleet_line *line = timer->data;
	switch (line->state) {
	case PV_FLEET_RESTING:
		pv_fleet_line_find(line);
		break;
	case PV_FLEET_CONNECTING:
	case PV_FLEET_CHECKING:
	case PV_FLEET_PREPARING:
		pv_fleet_line_time_out(line);
		break;
	case PV_FLEET_UP:
		on_ready(line);
		break;
	default:
		break;
	}
}

/* The first turn of all, with what the URL says. */
static void begin(struct pv_fleet_line *line)
{
	pv_buf_clear(&line->why);
	line->is_url_read =
	    pv_fleet_url_read(&line->url, line->options.url, &line->why);
	if (!line->is_url_read) {
		pv_fleet_line_refuse(line);
		return;
	}
	pv_fleet_targets_init(
	    &line->targets, &line->url, line->options.names, on_found, line);
	pv_fleet_line_find(line);
}

/* What came while it is not up cannot be sent. */
static void lose_waiting(struct pv_fleet_line *line)
{
	if (line->state != PV_FLEET_UP)
		pv_fleet_pipeline_lose(&line->pipeline);
	if (line->state != PV_FLEET_CHECKED)
		pv_fleet_execs_lose(&line->execs);
}

static void on_turn(uv_timer_t *timer)
{
	struct pv_fleet_line *line = timer->data;
	if (line->state == PV_FLEET_UNREAD)
		begin(line);
	else if (line->is_dropped)
		pv_fleet_line_fall(line);
	else if (line->state == PV_FLEET_CHOSEN)
		pv_fleet_line_connect(line);
	else if (line->state == PV_FLEET_CHECKED)
		pv_fleet_line_go_on(line);
	else if (line->state == PV_FLEET_UP)
		pv_fleet_line_pump(line);
	lose_waiting(line);
}

struct pv_fleet_line *pv_fleet_line_open(
    const struct pv_fleet_line_options *options)
{
	struct pv_fleet_line *line = pv_alloc(sizeof(*line));
	line->options = *options;
	line->options.url = line->url_text = copy(options->url);
	if (!options->bytes_max)
		line->options.bytes_max = BYTES_MAX;
	line->was_up = options->was_up;
	line->rest = (struct pv_fleet_rest){
	    options->random, REST_FIRST_MS, REST_MAX_MS, 0};
	line->channels = pv_alloc_array(1, sizeof(*line->channels));
	line->connection.loop = options->loop;
	line->connection.events = (struct pv_fleet_connection_events){
	    on_open, on_failed, on_ready, on_notice, line};
	pv_fleet_pipeline_init(&line->pipeline, &line->connection,
	    options->statements, ~options->random);
	pv_buf_init(&line->why, WHY_MAX);
	pv_buf_init(&line->unfit, WHY_MAX);
	uv_timer_init(options->loop, &line->timer);
	uv_timer_init(options->loop, &line->turn);
	line->timer.data = line->turn.data = line;
	line->open_handles = 2;
	line->on_timer = on_timer;
	line->on_turn = on_turn;
	pv_fleet_line_turn_soon(line);
	return line;
}

static void on_closed(uv_handle_t *handle)
{
	struct pv_fleet_line *line = handle->data;
	if (--line->open_handles > 0)
		return;
	for (size_t i = 0; i < line->channel_count; i++)
		free(line->channels[i]);
	free(line->channels);
	free(line->url_text);
	pv_buf_finish(&line->why);
	pv_buf_finish(&line->unfit);
	if (line->is_url_read)
		pv_fleet_url_finish(&line->url);
	free(line);
}

/* What a callback may still look at, which has called this, goes last. */
void pv_fleet_line_close(struct pv_fleet_line *line)
{
	if (!line)
		return;
	line->state = PV_FLEET_CLOSED;
	pv_fleet_connection_close(&line->connection);
	pv_fleet_pipeline_finish(&line->pipeline);
	pv_fleet_execs_finish(&line->execs);
	if (line->is_url_read)
		pv_fleet_targets_finish(&line->targets);
	uv_close((uv_handle_t *)&line->timer, on_closed);
	uv_close((uv_handle_t *)&line->turn, on_closed);
}

void pv_fleet_line_send(
    struct pv_fleet_line *line, struct pv_fleet_request *request)
{
	pv_fleet_pipeline_add(&line->pipeline, request);
	pv_fleet_line_turn_soon(line);
}

bool pv_fleet_line_has_room(const struct pv_fleet_line *line)
{
	return line->pipeline.bytes < line->options.bytes_max;
}

bool pv_fleet_line_is_up(const struct pv_fleet_line *line)
{
	return line->state == PV_FLEET_UP && !line->is_dropped;
}

uint64_t pv_fleet_line_answers(const struct pv_fleet_line *line)
{
	return line->pipeline.answers;
}

bool pv_fleet_line_is_waiting(const struct pv_fleet_line *line)
{
	return pv_fleet_line_is_up(line) && line->pipeline.sent.first;
}

void pv_fleet_line_listen(struct pv_fleet_line *line, const char *channel)
{
	size_t count = line->channel_count++;
	line->channels = pv_realloc_array(
	    line->channels, count + 2, sizeof(*line->channels));
	line->channels[count] = copy(channel);
	line->channels[count + 1] = NULL;
}

void pv_fleet_line_drop(struct pv_fleet_line *line, const char *why)
{
	bool has_begun = line->state == PV_FLEET_CONNECTING ||
			 line->state == PV_FLEET_CHECKING ||
			 line->state == PV_FLEET_CHECKED ||
			 line->state == PV_FLEET_PREPARING ||
			 line->state == PV_FLEET_UP;
	if (!has_begun || line->is_dropped)
		return;
	set_why(line, why);
	line->is_dropped = true;
	line->pipeline.is_up = false;
	pv_fleet_line_turn_soon(line);
}

void pv_fleet_line_exec(struct pv_fleet_line *line, const char *text,
    pv_fleet_exec_fn on_answer, void *ctx)
{
	pv_fleet_execs_add(&line->execs, text, on_answer, ctx);
	pv_fleet_line_turn_soon(line);
}

void pv_fleet_line_prepare(struct pv_fleet_line *line)
{
	line->is_to_prepare = true;
	pv_fleet_line_turn_soon(line);
}

void pv_fleet_line_show_url(const char *url, struct pv_buf *buf)
{
	struct pv_fleet_url read;
	struct pv_buf why;
	pv_buf_init(&why, WHY_MAX);
	if (pv_fleet_url_read(&read, url, &why)) {
		pv_fleet_url_show(&read, buf);
		pv_fleet_url_finish(&read);
	} else {
		pv_buf_append_text(buf, "fleet");
	}
	pv_buf_finish(&why);
}
