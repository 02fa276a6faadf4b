#include "fleet/lines.h"

#include <string.h>

#include "fleet/tables/schema.h"
#include "fleet/wishes.h"
#include "fleet/worker/worker.h"

/* The line */

/* Only a start ends by that: a worker waits until the tables are good again. */
static void turn_down(
    struct pv_fleet *fleet, struct pv_fleet_line *line, const char *why)
{
	if (fleet->worker || fleet->options.was_part)
		pv_fleet_line_drop(line, why);
	else
		pv_fleet_fail(fleet, why);
}

static void hear_schema(struct pv_fleet *fleet, struct pv_fleet_line *line,
    const struct pv_fleet_answer *answer, const char *first)
{
	if (answer->status == PV_FLEET_REFUSED)
		turn_down(fleet, line, answer->message);
	else if (answer->status == PV_FLEET_OK &&
		 (!first || strcmp(first, PV_FLEET_SCHEMA_VERSION) != 0))
		turn_down(fleet, line,
		    "its tables are of another version of pavane: run the same "
		    "version on all machines, or use another database");
	else if (answer->status == PV_FLEET_OK)
		pv_fleet_line_prepare(line);
}

static void on_schema(
    void *ctx, const struct pv_fleet_answer *answer, const char *first)
{
	struct pv_fleet *fleet = ctx;
	hear_schema(fleet, fleet->line, answer, first);
}

static void on_checked(void *ctx, const struct pv_fleet_server *server)
{
	struct pv_fleet *fleet = ctx;
	pv_fleet_see_time(fleet, server);
	pv_fleet_line_exec(fleet->line, pv_fleet_schema, on_schema, fleet);
}

static void on_session(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	(void)request;
	if (answer->status == PV_FLEET_REFUSED)
		pv_fleet_hear_refusal(fleet, answer);
	if (answer->status != PV_FLEET_OK)
		return;
	if (pv_fleet_results_rows(answer->results, 1))
		pv_fleet_begin_session(
		    fleet, pv_fleet_results_number(answer->results, 1, 0, 2));
	else
		pv_fleet_lose(fleet, PV_FLEET_WAS_SILENT);
	pv_fleet_wake(fleet);
}

/* A connection that was lost may have requests on their way, which the server does
 * when it comes to them. From now on it does none of them. */
static void ask_for_session(struct pv_fleet *fleet)
{
	struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT8, fleet->worker),
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_END_SESSION, values, 2}, {PV_SAY_RESUME, values, 2}};
	pv_fleet_line_send(
	    fleet->line, pv_fleet_request_create(steps, 2, on_session, fleet));
}

static void on_up(void *ctx, const struct pv_fleet_server *server)
{
	struct pv_fleet *fleet = ctx;
	fleet->server = *server;
	fleet->is_up = true;
	fleet->tell_trouble_at = 0;
	fleet->connections++;
	if (fleet->has_beats) {
		pv_fleet_beats_see_server(&fleet->beats, server);
		ask_for_session(fleet);
	}
	pv_fleet_wake(fleet);
}

/* The line tries again every few seconds: the same is told once in a while. */
#define TELL_MS 60000

static void tell_trouble(struct pv_fleet *fleet, const char *why)
{
	int64_t now = pv_fleet_now(fleet);
	bool is_known =
	    pv_str_equal(pv_buf_str(&fleet->trouble), pv_str_of(why));
	pv_buf_clear(&fleet->trouble);
	pv_buf_append_text(&fleet->trouble, why);
	if (!fleet->worker || (is_known && now < fleet->tell_trouble_at))
		return;
	fleet->tell_trouble_at = now + TELL_MS;
	fleet->options.on_line(fleet->options.ctx, true, why);
}

static void on_down(void *ctx, const char *why)
{
	struct pv_fleet *fleet = ctx;
	fleet->is_up = false;
	fleet->is_in_session = false;
	tell_trouble(fleet, why);
}

static void on_refused(void *ctx, const char *why)
{
	pv_fleet_fail(ctx, why);
}

void pv_lines_open(struct pv_fleet *fleet)
{
	struct pv_fleet_line_options options = {
	    .loop = fleet->options.loop,
	    .url = fleet->options.url,
	    .names = fleet->names,
	    .random = fleet->options.random.word[0],
	    .was_up = fleet->options.was_part,
	    .statements = pv_fleet_statements,
	    .statement_count = PV_SAY_COUNT,
	    .on_checked = on_checked,
	    .on_up = on_up,
	    .on_down = on_down,
	    .on_refused = on_refused,
	    .ctx = fleet,
	};
	fleet->line = pv_fleet_line_open(&options);
}

/* The line of the beats */

static void on_beats_schema(
    void *ctx, const struct pv_fleet_answer *answer, const char *first)
{
	struct pv_fleet *fleet = ctx;
	hear_schema(fleet, fleet->beats_line, answer, first);
}

static void on_beats_checked(void *ctx, const struct pv_fleet_server *server)
{
	struct pv_fleet *fleet = ctx;
	(void)server;
	pv_fleet_line_exec(
	    fleet->beats_line, pv_fleet_schema, on_beats_schema, fleet);
}

static void on_beats_up(void *ctx, const struct pv_fleet_server *server)
{
	struct pv_fleet *fleet = ctx;
	fleet->are_beats_up = true;
	fleet->tell_trouble_at = 0;
	pv_fleet_beats_up(&fleet->beats, server);
}

/* A server that has fallen silent, or is gone, is so for both lines: the other one
 * tells it then. */
static void on_beats_down(void *ctx, const char *why)
{
	struct pv_fleet *fleet = ctx;
	bool was_up = fleet->are_beats_up;
	fleet->are_beats_up = false;
	pv_fleet_beats_down(&fleet->beats);
	if (was_up)
		pv_fleet_line_drop(fleet->line, why);
	else if (fleet->is_up)
		tell_trouble(fleet, why);
}

/* It has to be there before anything is asked, and hears first of what people want:
 * it has nothing to wait for. */
void pv_lines_open_beats(struct pv_fleet *fleet)
{
	struct pv_fleet_line_options options = {
	    .loop = fleet->options.loop,
	    .url = fleet->options.url,
	    .names = fleet->names,
	    .random = ~fleet->options.random.word[0],
	    .was_up = true, /* the other one is */
	    .statements = pv_fleet_statements,
	    .statement_count = PV_SAY_BEATS_COUNT,
	    .on_checked = on_beats_checked,
	    .on_up = on_beats_up,
	    .on_down = on_beats_down,
	    .on_refused = on_refused,
	    .on_notify = pv_wishes_on_notify,
	    .ctx = fleet,
	};
	fleet->beats_line = pv_fleet_line_open(&options);
	pv_fleet_line_listen(fleet->beats_line, PV_FLEET_WISH_CHANNEL);
}
