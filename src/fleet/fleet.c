#include "fleet/fleet.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "fleet/engine.h"
#include "fleet/giving/giving.h"
#include "fleet/giving/naming.h"
#include "fleet/giving/sharing.h"
#include "fleet/granting.h"
#include "fleet/joining/joining.h"
#include "fleet/leaving.h"
#include "fleet/lines.h"
#include "fleet/net/net_addresses.h"
#include "fleet/passing/passing.h"
#include "fleet/taking/left_over.h"
#include "fleet/taking/taking.h"
#include "fleet/taking/widening.h"
#include "fleet/wishes.h"
#include "fleet/worker/worker.h"
#include "frontier/sqlite/handover_owners.h"
#include "names/names.h"
#include "policy/policy.h"

/* So many leases long the server may be silent, but for beats. */
#define SILENT_TTLS 4
#define REAPING_TTLS 40 /* while all that a dead one owned is freed */

/* How often it is looked at what waits for its time. */
#define STEP_MS 50

/* Steps */

/* Who has lost its number gives up what waits, and the crawl hears of it. */
static void tell_lost(struct pv_fleet *fleet)
{
	if (!fleet->is_lost || fleet->is_lost_told)
		return;
	fleet->is_lost_told = true;
	pv_passing_give_up(fleet);
	pv_leaving_give_up(fleet);
	if (fleet->is_gone)
		fleet->options.on_gone(fleet->options.ctx, fleet->lost_why);
	else
		fleet->options.on_lost(fleet->options.ctx, fleet->lost_why);
}

/* What waits for a lock is answered late. Past that the connection may be one that
 * nobody has at its other end, which is told by nothing else: others beat meanwhile. */
static void watch_line(struct pv_fleet *fleet)
{
	uint64_t answers = pv_fleet_line_answers(fleet->line);
	int64_t ttl_ms = fleet->beats.options.ttl_ms;
	if (answers != fleet->answers ||
	    !pv_fleet_line_is_waiting(fleet->line)) {
		fleet->answers = answers;
		fleet->heard_at = pv_fleet_now(fleet);
	} else if (pv_fleet_now(fleet) - fleet->heard_at >=
		   (fleet->beats.is_reaping ? REAPING_TTLS : SILENT_TTLS) *
		       ttl_ms) {
		pv_fleet_line_drop(
		    fleet->line, "the server has not answered for too long");
	}
}

static void go_on(uv_timer_t *timer)
{
	struct pv_fleet *fleet = timer->data;
	if (!fleet->inner)
		return;
	watch_line(fleet);
	tell_lost(fleet);
	pv_passing_step(fleet);
	pv_giving_step(fleet);
	pv_sharing_step(fleet);
	pv_taking_step(fleet);
	pv_naming_step(fleet);
	pv_widening_step(fleet);
	pv_left_over_step(fleet);
	pv_net_addresses_step(fleet);
	pv_granting_step(fleet);
	pv_leaving_step(fleet);
}

struct pv_fleet *pv_fleet_open(
    const struct pv_fleet_options *options, struct pv_why *why)
{
	struct pv_fleet *fleet = pv_alloc(sizeof(*fleet));
	*fleet = (struct pv_fleet){.options = *options};
	pv_lease_init(&fleet->lease);
	fleet->names_policy = pv_policy_create();
	fleet->names = pv_names_create(options->loop, fleet->names_policy,
	    options->clock_kind, options->clock);
	pv_buf_init(&fleet->trouble, 1000);
	pv_buf_init(&fleet->policy, SIZE_MAX);
	pv_buf_init(&fleet->own_policy, SIZE_MAX);
	pv_buf_append(&fleet->own_policy, options->policy);
	pv_buf_init(&fleet->woken, SIZE_MAX);
	pv_passing_init(&fleet->passing);
	pv_taking_init(&fleet->taking, options->random);
	pv_widening_init(&fleet->widening);
	pv_left_over_init(&fleet->left_over);
	pv_giving_init(&fleet->giving, options->random);
	pv_naming_init(&fleet->naming, options->random);
	pv_net_addresses_init(&fleet->net, options->random);
	pv_granting_init(fleet);
	uv_timer_init(options->loop, &fleet->timer);
	fleet->timer.data = fleet;
	uv_timer_init(options->loop, &fleet->soon);
	fleet->soon.data = fleet;
	fleet->go_on = go_on;
	uv_timer_start(&fleet->timer, go_on, STEP_MS, STEP_MS);
	pv_lines_open(fleet);
	if (pv_joining_find_crawl(fleet, why))
		return fleet;
	pv_fleet_close(fleet);
	return NULL;
}

struct pv_hash_key pv_fleet_key(const struct pv_fleet *fleet)
{
	return fleet->key;
}

/* Beats */

static void on_figures(void *ctx, struct pv_fleet_figures *figures)
{
	pv_fleet_figures(ctx, figures);
}

/* Once: a program that joins again has said so. */
static void warn_of_failover(const struct pv_fleet *fleet)
{
	if (!fleet->server.has_standby_names && !fleet->options.was_part)
		fleet->options.on_line(fleet->options.ctx, true,
		    "synchronous_standby_names is empty in the fleet's "
		    "database: if another server takes its place, what was "
		    "reported last may be forgotten, and is asked for again; "
		    "without a standby this does not matter");
}

static bool use(void *ctx, const struct pv_fleet_part *part)
{
	const struct pv_fleet *fleet = ctx;
	return fleet->options.use(fleet->options.ctx, part);
}

static void on_news(void *ctx, const struct pv_fleet_news *news)
{
	struct pv_fleet *fleet = ctx;
	fleet->is_finished = news->is_finished;
	pv_sharing_look(fleet);
	pv_wishes_hear(fleet, news->wish_number, news->wish);
}

static void on_lost_place(void *ctx, bool is_failover)
{
	pv_fleet_lose(ctx,
	    is_failover
		? "another server has taken the place of the fleet's database, "
		  "which may not know all that the one before was told"
		: PV_FLEET_WAS_SILENT);
}

static void on_refusal(void *ctx, const struct pv_fleet_answer *answer)
{
	pv_fleet_hear_refusal(ctx, answer);
}

/* By what the line has measured when it came up. */
static void note_time(struct pv_fleet *fleet)
{
	int64_t boot_ms = pv_boot_now_ms();
	const struct pv_server_time time = {
	    .server_ms = boot_ms + fleet->server_offset_ms,
	    .sent_ms = boot_ms - fleet->server_uncertainty_ms,
	    .came_ms = boot_ms + fleet->server_uncertainty_ms,
	    .came_wall_ms =
		pv_time_now().wall_ms + fleet->server_uncertainty_ms,
	};
	pv_clock_events_time(&fleet->events, &time);
}

static void note_owned(void *ctx, struct pv_str host)
{
	struct pv_fleet *fleet = ctx;
	pv_clock_events_clock(&fleet->events, PV_CLOCK_TAKEN,
	    pv_fleet_clock_of(fleet, host), pv_boot_now_ms());
}

/* With what it has done before it had a number. One that goes on by its number may
 * have been killed before it wrote down what it had just taken. */
static void open_events(struct pv_fleet *fleet)
{
	pv_clock_events_open(
	    &fleet->events, fleet->options.directory, fleet->worker);
	note_time(fleet);
	for (size_t i = 0; i < fleet->reaped_count; i++)
		pv_clock_events_reaped(&fleet->events, fleet->reaped[i].worker,
		    fleet->reaped[i].boot_ms);
	if (fleet->keeps_number && !fleet->options.was_part)
		pv_handover_each_owned(&fleet->handover, note_owned, fleet);
}

static void begin_beats(struct pv_fleet *fleet)
{
	pv_lines_open_beats(fleet);
	struct pv_fleet_beats_options options = {
	    .loop = fleet->options.loop,
	    .line = fleet->beats_line,
	    .long_line = fleet->line,
	    .crawl = fleet->crawl,
	    .worker = fleet->worker,
	    .ttl_ms = fleet->options.ttl_ms,
	    .whole = &fleet->options.as_read->rate,
	    .lease = &fleet->lease,
	    .events = &fleet->events,
	    .on_figures = on_figures,
	    .use = use,
	    .on_news = on_news,
	    .on_lost = on_lost_place,
	    .on_refusal = on_refusal,
	    .ctx = fleet,
	};
	open_events(fleet);
	pv_fleet_beats_init(&fleet->beats, &options);
	pv_fleet_beats_see_server(&fleet->beats, &fleet->server);
	fleet->has_beats = true;
}

/* The loop may have said that nothing was left. */
static void on_work(
    void *ctx, const uint64_t *host_ids, size_t count, bool has_waiting_hosts)
{
	struct pv_fleet *fleet = ctx;
	if (fleet->on_work)
		fleet->on_work(
		    fleet->work_ctx, host_ids, count, has_waiting_hosts);
	pv_leaving_note_work(fleet);
}

bool pv_fleet_begin(struct pv_fleet *fleet, struct pv_store *store,
    struct pv_frontier *frontier, struct pv_why *why)
{
	fleet->store = store;
	fleet->frontier = frontier;
	pv_handover_open(
	    &fleet->handover, pv_sqlite_frontier_tables(frontier), &fleet->key);
	fleet->has_handover = true;
	if (!pv_joining_register(fleet, why))
		return false;
	fleet->inner = frontier->engine;
	fleet->on_work = frontier->on_work;
	fleet->work_ctx = frontier->work_ctx;
	fleet->engine = pv_fleet_engine_over(fleet->inner);
	frontier->engine = &fleet->engine;
	frontier->fleet = fleet;
	frontier->on_work = on_work;
	frontier->work_ctx = fleet;
	warn_of_failover(fleet);
	begin_beats(fleet);
	return true;
}

void pv_fleet_hurry(struct pv_fleet *fleet)
{
	fleet->is_hurried = true;
	pv_leaving_give_up(fleet);
}

/* The last of its handles is closed. */
static void on_closed(uv_handle_t *timer)
{
	struct pv_fleet *fleet = timer->data;
	if (fleet->has_beats)
		pv_fleet_beats_finish(&fleet->beats);
	pv_passing_finish(&fleet->passing);
	pv_taking_finish(&fleet->taking);
	pv_giving_finish(&fleet->giving);
	pv_naming_finish(&fleet->naming);
	pv_sharing_finish(&fleet->sharing);
	pv_widening_finish(&fleet->widening);
	pv_left_over_finish(&fleet->left_over);
	pv_net_addresses_finish(&fleet->net);
	pv_policy_destroy(fleet->names_policy);
	pv_buf_finish(&fleet->trouble);
	pv_buf_finish(&fleet->policy);
	pv_buf_finish(&fleet->own_policy);
	pv_buf_finish(&fleet->woken);
	free(fleet->reaped);
	free(fleet->refused.open);
	free(fleet->why);
	free(fleet);
}

/* The loop calls back for the handle that was closed last first. */
void pv_fleet_close(struct pv_fleet *fleet)
{
	if (!fleet)
		return;
	uv_close((uv_handle_t *)&fleet->timer, on_closed);
	uv_close((uv_handle_t *)&fleet->soon, NULL);
	if (fleet->has_beats) {
		pv_fleet_beats_stop(&fleet->beats);
		pv_clock_events_close(&fleet->events);
	}
	pv_fleet_line_close(fleet->beats_line);
	pv_fleet_line_close(fleet->line);
	pv_names_destroy(fleet->names);
	if (fleet->has_handover)
		pv_handover_close(&fleet->handover);
	if (!fleet->inner)
		return;
	fleet->frontier->engine = fleet->inner;
	fleet->frontier->on_work = fleet->on_work;
	fleet->frontier->work_ctx = fleet->work_ctx;
	fleet->frontier->fleet = NULL;
}

int64_t pv_fleet_worker_id(const struct pv_fleet *fleet)
{
	return fleet->worker;
}

bool pv_fleet_begins_round(const struct pv_fleet *fleet)
{
	return fleet->terms.begins_round;
}

bool pv_fleet_is_finished(const struct pv_fleet *fleet)
{
	return fleet->is_finished;
}

const struct pv_lease *pv_fleet_lease(const struct pv_fleet *fleet)
{
	return &fleet->lease;
}

const struct pv_fleet_allowance *pv_fleet_allowance(
    const struct pv_fleet *fleet)
{
	return &fleet->granting.allowance;
}

int64_t pv_fleet_wish(const struct pv_fleet *fleet)
{
	return fleet->joined_wish;
}

const struct pv_fleet_kind pv_postgresql_fleet = {
    .open = pv_fleet_open,
    .key = pv_fleet_key,
    .begin = pv_fleet_begin,
    .lease = pv_fleet_lease,
    .allowance = pv_fleet_allowance,
    .limit = pv_net_addresses_limit,
    .wish = pv_fleet_wish,
    .number = pv_fleet_worker_id,
    .begins_round = pv_fleet_begins_round,
    .is_finished = pv_fleet_is_finished,
    .close = pv_fleet_close,
};
