#include "fleet/beats/beats.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/system.h"
#include "fleet/beats/own_share.h"
#include "fleet/beats/reaping.h"
#include "fleet/tables/statements.h"

/* So often it beats in a ttl. */
#define BEATS 3

/* Until the next one, while shares change hands. */
#define SOON_MS 300

/* Between two to which others have called, for each worker: a call makes all beat. */
#define EACH_MS 25

/* The steps of a beat. */
enum { BEAT, MEMBERS, NEWS, TIME, BEAT_STEPS };

/* So long of a ttl the steps that may have to wait for a lock do. */
#define PATIENCE_PART 10

static struct pv_fleet_value int4(int64_t number)
{
	return pv_fleet_number(PV_FLEET_INT4, number);
}

static struct pv_fleet_value int8(int64_t number)
{
	return pv_fleet_number(PV_FLEET_INT8, number);
}

static void ask(struct pv_fleet_beats *beats, const struct pv_fleet_step *steps,
    size_t count, pv_fleet_request_fn on_answer, void *ctx)
{
	pv_fleet_line_send(beats->options.line,
	    pv_fleet_request_create(steps, count, on_answer, ctx));
}

struct pv_fleet_value pv_fleet_beats_patience(
    const struct pv_fleet_beats *beats, struct pv_buf *text)
{
	pv_buf_init(text, 32);
	pv_buf_append_format(
	    text, "%lldms", (long long)(beats->options.ttl_ms / PATIENCE_PART));
	return pv_fleet_text(pv_buf_str(text));
}

/* The end */

static void lose(struct pv_fleet_beats *beats, bool is_failover)
{
	pv_lease_drop(beats->options.lease);
	beats->is_over = true;
	uv_timer_stop(&beats->timer);
	beats->options.on_lost(beats->options.ctx, is_failover);
}

static void hear_refusal(
    struct pv_fleet_beats *beats, const struct pv_fleet_answer *answer)
{
	if (answer->status == PV_FLEET_REFUSED)
		beats->options.on_refusal(beats->options.ctx, answer);
}

static void on_timer(uv_timer_t *timer);

int64_t pv_fleet_beats_interval_ms(const struct pv_fleet_beats *beats)
{
	return beats->options.ttl_ms / BEATS;
}

/* So long from now, if it would not come before that. */
static void beat_in(struct pv_fleet_beats *beats, int64_t ms)
{
	int64_t beat_ms = pv_fleet_beats_interval_ms(beats);
	uint64_t soon_ms = (uint64_t)(ms < beat_ms ? ms : beat_ms);
	if (!beats->is_over && uv_timer_get_due_in(&beats->timer) > soon_ms)
		uv_timer_start(
		    &beats->timer, on_timer, soon_ms, (uint64_t)beat_ms);
}

/* While shares change hands the next beat comes sooner, so that nobody waits for
 * its part longer than others need to let go. */
void pv_fleet_beats_sooner(struct pv_fleet_beats *beats)
{
	beat_in(beats, SOON_MS);
}

/* Beats */

static void hear_members(struct pv_fleet_beats *beats,
    const struct pv_fleet_results *results, int64_t now_ms)
{
	size_t count = pv_fleet_results_rows(results, MEMBERS);
	struct pv_fleet_member *rows =
	    pv_alloc_array(count ? count : 1, sizeof(*rows));
	for (size_t i = 0; i < count; i++) {
		rows[i] = (struct pv_fleet_member){
		    .id = pv_fleet_results_number(results, MEMBERS, i, 0),
		    .beat = pv_fleet_results_number(results, MEMBERS, i, 1),
		    .share = {pv_fleet_results_number(results, MEMBERS, i, 2),
			pv_fleet_results_number(results, MEMBERS, i, 3)},
		};
		rows[i].clocks =
		    pv_fleet_results_number(results, MEMBERS, i, 4);
		rows[i].is_idle = pv_fleet_results_flag(results, MEMBERS, i, 5);
		rows[i].has_room =
		    pv_fleet_results_flag(results, MEMBERS, i, 6);
		rows[i].is_halted =
		    pv_fleet_results_flag(results, MEMBERS, i, 7);
	}
	pv_fleet_members_hear(&beats->members, rows, count, now_ms);
	free(rows);
}

static void hear_time(struct pv_fleet_beats *beats,
    const struct pv_fleet_results *results, int64_t now_ms)
{
	struct pv_server_time time = {
	    .server_ms = pv_fleet_results_number(results, TIME, 0, 0),
	    .sent_ms = beats->sent_ms,
	    .came_ms = now_ms,
	    .came_wall_ms = pv_time_now().wall_ms,
	};
	if (beats->options.events)
		pv_clock_events_time(beats->options.events, &time);
}

static void tell_news(
    struct pv_fleet_beats *beats, const struct pv_fleet_results *results)
{
	struct pv_fleet_news news = {
	    .wish_number = pv_fleet_results_number(results, NEWS, 0, 1),
	    .workers = pv_fleet_members_count(&beats->members),
	};
	pv_fleet_field_bool(
	    pv_fleet_results_field(results, NEWS, 0, 0), &news.is_finished);
	pv_fleet_field_text(
	    pv_fleet_results_field(results, NEWS, 0, 2), &news.wish);
	beats->options.on_news(beats->options.ctx, &news);
}

/* Before the first lease it is said once more what may be used, which is nothing:
 * a schedule that was made meanwhile would begin with the whole. */
static void hear_beat(
    struct pv_fleet_beats *beats, const struct pv_fleet_results *results)
{
	int64_t now_ms = pv_boot_now_ms();
	if (!pv_fleet_results_affected(results, BEAT)) {
		lose(beats, false);
		return;
	}
	if (!beats->has_lease)
		pv_own_share_use(beats);
	beats->has_lease = true;
	pv_lease_renew(
	    beats->options.lease, beats->sent_ms, beats->options.ttl_ms);
	hear_time(beats, results, now_ms);
	hear_members(beats, results, now_ms);
	pv_own_share_look(beats);
	pv_reaping_look(beats, now_ms);
	tell_news(beats, results);
}

static void on_beat_answer(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet_beats *beats = ctx;
	(void)request;
	beats->is_beating = false;
	if (beats->is_over)
		return;
	hear_refusal(beats, answer);
	if (answer->status == PV_FLEET_OK)
		hear_beat(beats, answer->results);
	if (beats->is_hurried)
		pv_fleet_beats_hurry(beats);
}

static void note_usage(struct pv_fleet_beats *beats, int64_t requests)
{
	struct pv_fleet_part part =
	    pv_fleet_share_rate(beats->used, beats->options.whole);
	pv_share_usage_note(&beats->usage, &part, requests, pv_boot_now_ms(),
	    pv_fleet_beats_interval_ms(beats) / 2);
}

static void send_beat(struct pv_fleet_beats *beats)
{
	struct pv_fleet_figures figures = {0};
	pv_own_share_agree(beats);
	if (beats->options.on_figures)
		beats->options.on_figures(beats->options.ctx, &figures);
	note_usage(beats, figures.requests);
	const struct pv_fleet_value own[] = {int8(beats->options.worker),
	    int4(beats->written.of), int4(beats->written.rank),
	    int8(figures.clocks), int8(figures.requests), int8(figures.unsent),
	    pv_fleet_bool(figures.is_halted),
	    pv_fleet_bool(beats->usage.has_room)};
	const struct pv_fleet_value crawl[] = {int4(beats->options.crawl)};
	const struct pv_fleet_step steps[BEAT_STEPS] = {
	    [BEAT] = {PV_SAY_BEAT, own, 8},
	    [MEMBERS] = {PV_SAY_MEMBERS, crawl, 1},
	    [NEWS] = {PV_SAY_LOOK, crawl, 1},
	    [TIME] = {PV_SAY_TIME, NULL, 0},
	};
	beats->was_halted = figures.is_halted;
	beats->is_short =
	    figures.is_halted &&
	    pv_fleet_members_has_place(&beats->members, beats->options.whole);
	beats->has_beaten = true;
	beats->is_beating = true;
	beats->sent_ms = pv_boot_now_ms();
	ask(beats, steps, BEAT_STEPS, on_beat_answer, beats);
}

/* A server that answers nothing for a ttl is as good as none: another connection
 * may find one that does. */
static void on_timer(uv_timer_t *timer)
{
	struct pv_fleet_beats *beats = timer->data;
	int64_t silent_ms = pv_boot_now_ms() - beats->sent_ms;
	if (!pv_fleet_line_is_up(beats->options.line))
		return;
	if (!beats->is_beating)
		send_beat(beats);
	else if (silent_ms >= beats->options.ttl_ms)
		pv_fleet_line_drop(beats->options.line,
		    "the server has not answered for too long");
}

/* Life */

void pv_fleet_beats_init(
    struct pv_fleet_beats *beats, const struct pv_fleet_beats_options *options)
{
	*beats = (struct pv_fleet_beats){.options = *options};
	if (!beats->options.ttl_ms)
		beats->options.ttl_ms = PV_FLEET_TTL_MS;
	uint64_t beat_ms = (uint64_t)pv_fleet_beats_interval_ms(beats);
	pv_fleet_members_init(&beats->members, beats->options.ttl_ms);
	pv_fleet_members_enter(&beats->members, options->worker);
	pv_lease_init(options->lease);
	uv_timer_init(options->loop, &beats->timer);
	beats->timer.data = beats;
	uv_timer_start(&beats->timer, on_timer, beat_ms, beat_ms);
	pv_own_share_use(beats);
}

void pv_fleet_beats_see_server(
    struct pv_fleet_beats *beats, const struct pv_fleet_server *server)
{
	bool is_other = beats->timeline && beats->timeline != server->timeline;
	beats->timeline = server->timeline;
	if (is_other && !beats->is_over)
		lose(beats, true);
}

static void on_ended(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet_beats *beats = ctx;
	(void)request;
	if (!beats->is_over)
		hear_refusal(beats, answer);
}

/* A beat that an earlier connection has left half said would hold the worker's
 * row. */
static void end_earlier(struct pv_fleet_beats *beats)
{
	const struct pv_fleet_value values[] = {
	    int8(beats->options.worker), int4(beats->options.crawl)};
	const struct pv_fleet_step step = {PV_SAY_END_BEATS, values, 2};
	ask(beats, &step, 1, on_ended, beats);
}

/* What was agreed to is written with the next beat, also where it is not known
 * whether the last one was done. */
void pv_fleet_beats_up(
    struct pv_fleet_beats *beats, const struct pv_fleet_server *server)
{
	pv_fleet_members_reset(&beats->members);
	pv_fleet_beats_see_server(beats, server);
	if (beats->is_over || beats->is_beating)
		return;
	end_earlier(beats);
	send_beat(beats);
}

static int64_t space_ms(const struct pv_fleet_beats *beats)
{
	int64_t ms = EACH_MS * (int64_t)pv_fleet_members_count(&beats->members);
	return ms < SOON_MS ? SOON_MS : ms;
}

/* The answer to a beat that is under way may not have it yet; and one behind the request
 * for a larger share would take that back. */
void pv_fleet_beats_hurry(struct pv_fleet_beats *beats)
{
	int64_t left_ms = beats->sent_ms + space_ms(beats) - pv_boot_now_ms();
	if (beats->is_over || !pv_fleet_line_is_up(beats->options.line))
		return;
	beats->is_hurried = beats->is_beating || beats->is_growing;
	if (beats->is_hurried)
		return;
	if (left_ms > 0)
		beat_in(beats, left_ms);
	else
		send_beat(beats);
}

void pv_fleet_beats_down(struct pv_fleet_beats *beats)
{
	pv_fleet_members_reset(&beats->members);
}

void pv_fleet_beats_stop(struct pv_fleet_beats *beats)
{
	beats->is_over = true;
	if (!uv_is_closing((uv_handle_t *)&beats->timer))
		uv_close((uv_handle_t *)&beats->timer, NULL);
}

void pv_fleet_beats_finish(struct pv_fleet_beats *beats)
{
	pv_fleet_members_finish(&beats->members);
}
