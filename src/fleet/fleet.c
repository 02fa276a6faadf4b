#include "fleet/fleet.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fleet/agreement.h"
#include "fleet/leaving.h"
#include "fleet/inside.h"
#include "fleet/schema.h"
#include "fleet/wishes.h"
#include "names/names.h"
#include "policy/policy.h"
#include "store/tables/note.h"

/* How long a start waits for PostgreSQL, and how often the rest is looked at. */
#define START_MS 10000
#define STEP_MS 50

#define NOTE_WORKER PV_STR("fleet-worker")

#define STATE_VERSION 23

static void fail(struct pv_fleet *fleet, const char *why)
{
	if (!fleet->why)
		fleet->why = strdup(why);
}

/* The line */

static void on_schema(
    void *ctx, const struct pv_fleet_answer *answer, const char *first)
{
	struct pv_fleet *fleet = ctx;
	if (answer->status == PV_FLEET_REFUSED)
		fail(fleet, answer->message);
	else if (answer->status == PV_FLEET_OK &&
		 (!first || strcmp(first, PV_FLEET_SCHEMA_VERSION) != 0))
		fail(fleet,
		    "its tables are of another version of pavane: run the same "
		    "version on all machines, or use another database");
	else if (answer->status == PV_FLEET_OK)
		pv_fleet_line_prepare(fleet->line);
}

static void on_checked(void *ctx, const struct pv_fleet_server *server)
{
	struct pv_fleet *fleet = ctx;
	(void)server;
	pv_fleet_line_exec(fleet->line, pv_fleet_schema, on_schema, fleet);
}

static int64_t number_at(
    const struct pv_fleet_results *results, size_t step, size_t column)
{
	int64_t number = 0;
	pv_fleet_field_number(
	    pv_fleet_results_field(results, step, 0, column), &number);
	return number;
}

static void begin_session(struct pv_fleet *fleet, int64_t session)
{
	fleet->fence[0] = pv_fleet_number(PV_FLEET_INT8, fleet->worker);
	fleet->fence[1] = pv_fleet_number(PV_FLEET_INT8, session);
	fleet->is_in_session = true;
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
	if (pv_fleet_results_rows(answer->results, 0))
		begin_session(fleet, number_at(answer->results, 0, 2));
	else
		pv_fleet_lose(fleet,
		    "this worker was silent for too long, and others have "
		    "taken over its hosts");
	pv_fleet_wake(fleet);
}

/* A connection that was lost may have requests on their way, which the server does
 * when it comes to them. From now on it does none of them. */
static void ask_for_session(struct pv_fleet *fleet)
{
	struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT8, fleet->worker),
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl)};
	const struct pv_fleet_step step = {PV_SAY_RESUME, values, 2};
	pv_fleet_line_send(
	    fleet->line, pv_fleet_request_create(&step, 1, on_session, fleet));
}

static void on_up(void *ctx, const struct pv_fleet_server *server)
{
	struct pv_fleet *fleet = ctx;
	fleet->server = *server;
	fleet->is_up = true;
	if (fleet->has_beats)
		ask_for_session(fleet);
	if (fleet->has_beats)
		pv_fleet_beats_up(&fleet->beats, server);
	pv_fleet_wake(fleet);
}

static void on_down(void *ctx, const char *why)
{
	struct pv_fleet *fleet = ctx;
	fleet->is_up = false;
	fleet->is_in_session = false;
	if (fleet->has_beats)
		pv_fleet_beats_down(&fleet->beats);
	pv_buf_clear(&fleet->trouble);
	pv_buf_append_text(&fleet->trouble, why);
	if (fleet->worker)
		fleet->options.on_line(fleet->options.ctx, true, why);
}

static void on_refused(void *ctx, const char *why)
{
	struct pv_fleet *fleet = ctx;
	fail(fleet, why);
	if (fleet->worker)
		fleet->options.on_line(fleet->options.ctx, true, why);
}

static void open_line(struct pv_fleet *fleet)
{
	struct pv_fleet_line_options options = {
	    .loop = fleet->options.loop,
	    .url = fleet->options.url,
	    .names = fleet->names,
	    .random = fleet->options.random.word[0],
	    .statements = pv_fleet_statements,
	    .statement_count = PV_SAY_COUNT,
	    .on_checked = on_checked,
	    .on_up = on_up,
	    .on_down = on_down,
	    .on_refused = on_refused,
	    .on_notify = pv_wishes_on_notify,
	    .ctx = fleet,
	};
	fleet->line = pv_fleet_line_open(&options);
	pv_fleet_line_listen(fleet->line, PV_FLEET_WISH_CHANNEL);
}

/* Waiting, before the crawl's loop runs */

/* Who has lost its number gives up what waits, and the crawl hears of it. */
static void tell_lost(struct pv_fleet *fleet)
{
	if (!fleet->is_lost || fleet->is_lost_told)
		return;
	fleet->is_lost_told = true;
	pv_passing_give_up(fleet);
	pv_leaving_give_up(fleet);
	fleet->options.on_lost(fleet->options.ctx, fleet->lost_why);
}

static void go_on(uv_timer_t *timer)
{
	struct pv_fleet *fleet = timer->data;
	if (!fleet->inner)
		return;
	tell_lost(fleet);
	pv_passing_step(fleet);
	pv_giving_step(fleet);
	pv_taking_step(fleet);
	pv_net_addresses_step(fleet);
	pv_leaving_step(fleet);
}

/* Until it is so, or it cannot be. */
static bool wait_for(struct pv_fleet *fleet, const bool *is_so)
{
	uv_loop_t *loop = fleet->options.loop;
	uv_update_time(loop);
	int64_t until = pv_fleet_now(fleet) + START_MS;
	while (!*is_so && !fleet->why && pv_fleet_now(fleet) < until)
		uv_run(loop, UV_RUN_ONCE);
	return *is_so && !fleet->why;
}

static bool tell(const struct pv_fleet *fleet, struct pv_why *why)
{
	struct pv_buf url;
	pv_buf_init(&url, 1000);
	pv_fleet_line_show_url(fleet->options.url, &url);
	pv_why_add(why, (struct pv_place){.file = pv_buf_text(&url)},
	    PV_STR(""), "%s",
	    fleet->why           ? fleet->why
	    : fleet->trouble.len ? pv_buf_text(&fleet->trouble)
				 : "PostgreSQL does not answer");
	pv_buf_finish(&url);
	return false;
}

/* One request that the start waits for. */
static void on_start_answer(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	(void)request;
	fleet->has_answer = answer->status != PV_FLEET_LOST;
	fleet->is_asking = false;
	if (answer->status == PV_FLEET_REFUSED)
		fail(fleet, answer->message);
	if (answer->status == PV_FLEET_OK)
		fleet->on_start(fleet, answer->results);
}

static bool ask(struct pv_fleet *fleet, const struct pv_fleet_step *steps,
    size_t count,
    void (*hear)(
	struct pv_fleet *fleet, const struct pv_fleet_results *results))
{
	fleet->on_start = hear;
	fleet->has_answer = false;
	while (!fleet->has_answer && !fleet->why) {
		if (!wait_for(fleet, &fleet->is_up))
			return false;
		fleet->is_asking = true;
		pv_fleet_line_send(
		    fleet->line, pv_fleet_request_create(
				     steps, count, on_start_answer, fleet));
		while (fleet->is_asking)
			uv_run(fleet->options.loop, UV_RUN_ONCE);
	}
	return !fleet->why;
}

/* Joining */

static struct pv_str text_at(const struct pv_fleet_results *results,
    size_t step, size_t row, size_t column)
{
	struct pv_str text = PV_STR("");
	pv_fleet_field_text(
	    pv_fleet_results_field(results, step, row, column), &text);
	return text;
}

static void hear_crawl(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	struct pv_str key = text_at(results, 1, 0, 2);
	fleet->crawl = number_at(results, 1, 0);
	if (key.len != sizeof(fleet->key)) {
		fail(fleet, "the crawl's key in the database is damaged");
		return;
	}
	memcpy(&fleet->key, key.ptr, key.len);
	pv_buf_append(&fleet->policy, text_at(results, 1, 0, 1));
	if (number_at(results, 1, 3) != STATE_VERSION)
		fail(fleet,
		    "the crawl was begun by another version of pavane: run the "
		    "same version on all machines");
	pv_fleet_field_bool(
	    pv_fleet_results_field(results, 1, 0, 4), &fleet->is_finished);
	fleet->joined_wish = number_at(results, 1, 6);
}

static bool join(struct pv_fleet *fleet)
{
	const struct pv_fleet_options *options = &fleet->options;
	struct pv_fleet_value name = pv_fleet_text(pv_str_of(options->name));
	struct pv_fleet_value add[] = {name, pv_fleet_text(options->policy),
	    pv_fleet_bytes((struct pv_str){
		(const char *)&options->random, sizeof(options->random)}),
	    pv_fleet_number(PV_FLEET_INT4, STATE_VERSION)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_ADD_CRAWL, add, 4}, {PV_SAY_FIND_CRAWL, &name, 1}};
	return ask(fleet, steps, 2, hear_crawl);
}

struct pv_fleet *pv_fleet_open(
    const struct pv_fleet_options *options, struct pv_why *why)
{
	struct pv_fleet *fleet = pv_alloc(sizeof(*fleet));
	*fleet = (struct pv_fleet){.options = *options};
	pv_lease_init(&fleet->lease);
	fleet->names = pv_names_create(options->loop, options->as_read,
	    options->clock_kind, options->clock);
	pv_buf_init(&fleet->trouble, 1000);
	pv_buf_init(&fleet->policy, SIZE_MAX);
	pv_buf_init(&fleet->own_policy, SIZE_MAX);
	pv_buf_append(&fleet->own_policy, options->policy);
	pv_passing_init(&fleet->passing);
	pv_taking_init(&fleet->taking);
	pv_giving_init(&fleet->giving, options->random);
	pv_net_addresses_init(&fleet->net, options->random);
	uv_timer_init(options->loop, &fleet->timer);
	fleet->timer.data = fleet;
	uv_timer_init(options->loop, &fleet->soon);
	fleet->soon.data = fleet;
	fleet->go_on = go_on;
	uv_timer_start(&fleet->timer, go_on, STEP_MS, STEP_MS);
	open_line(fleet);
	if (join(fleet))
		return fleet;
	tell(fleet, why);
	pv_fleet_close(fleet);
	return NULL;
}

struct pv_hash_key pv_fleet_key(const struct pv_fleet *fleet)
{
	return fleet->key;
}

/* Registering */

static void hear_number(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	fleet->worker = number_at(results, 0, 0);
	fleet->activity = number_at(results, 0, 1);
	begin_session(fleet, number_at(results, 0, 2));
}

static bool resume(struct pv_fleet *fleet, int64_t number)
{
	struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT8, number),
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl)};
	const struct pv_fleet_step step = {PV_SAY_RESUME, values, 2};
	return ask(fleet, &step, 1, hear_number);
}

static bool register_anew(struct pv_fleet *fleet)
{
	char host[256] = "";
	struct pv_buf place;
	gethostname(host, sizeof(host) - 1);
	pv_buf_init(&place, 4096);
	pv_buf_append_format(&place, "%s:%s", host, fleet->options.directory);
	struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
	    pv_fleet_text(pv_buf_str(&place))};
	const struct pv_fleet_step step = {PV_SAY_REGISTER, values, 2};
	bool is_registered = ask(fleet, &step, 1, hear_number);
	pv_buf_finish(&place);
	return is_registered;
}

/* One policy for all */

static void hear_others(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	fleet->others = number_at(results, 0, 0);
}

static void hear_nothing(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	(void)fleet;
	(void)results;
}

static bool set_policy(struct pv_fleet *fleet)
{
	struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
	    pv_fleet_text(pv_buf_str(&fleet->own_policy))};
	const struct pv_fleet_step step = {PV_SAY_SET_POLICY, values, 2};
	fleet->options.on_line(fleet->options.ctx, false,
	    "no worker lives: this policy takes the place of the one in the "
	    "database");
	return ask(fleet, &step, 1, hear_nothing);
}

/* The worker's own number may still count as living, if it was killed. */
static bool agree(struct pv_fleet *fleet, int64_t own, struct pv_why *why)
{
	struct pv_str theirs = pv_buf_str(&fleet->policy);
	struct pv_str ours = pv_buf_str(&fleet->own_policy);
	struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
	    pv_fleet_number(PV_FLEET_INT8, own)};
	const struct pv_fleet_step step = {PV_SAY_OTHERS, values, 2};
	if (pv_str_equal(theirs, ours) || pv_agreement_is_same(theirs, ours))
		return true;
	if (!ask(fleet, &step, 1, hear_others))
		return tell(fleet, why);
	pv_agreement_check(theirs, ours, fleet->others > 0,
	    (struct pv_place){.file = fleet->options.directory}, why);
	if (pv_why_has_problems(why))
		return false;
	return set_policy(fleet) || tell(fleet, why);
}

/* What was owned under the number before belongs to others. */
static void give_all(struct pv_fleet *fleet)
{
	pv_writer_begin(&fleet->store->writer);
	pv_handover_give_all(&fleet->handover);
	pv_note_set(fleet->store->database, NOTE_WORKER, fleet->worker);
	pv_note_set(fleet->store->database, PV_NOTE_FLEET_CRAWL, fleet->crawl);
	pv_writer_commit(&fleet->store->writer);
}

/* Beats */

static void on_figures(void *ctx, struct pv_fleet_figures *figures)
{
	pv_fleet_figures(ctx, figures);
}

/* Once in each start. */
static void warn_of_failover(const struct pv_fleet *fleet)
{
	if (!fleet->server.has_standby_names)
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
		: "this worker was silent for too long, and others have taken "
		  "over its hosts");
}

static void on_refusal(void *ctx, const struct pv_fleet_answer *answer)
{
	pv_fleet_hear_refusal(ctx, answer);
}

static void begin_beats(struct pv_fleet *fleet)
{
	struct pv_fleet_beats_options options = {
	    .loop = fleet->options.loop,
	    .line = fleet->line,
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
	pv_clock_events_open(
	    &fleet->events, fleet->options.directory, fleet->worker);
	pv_fleet_beats_init(&fleet->beats, &options);
	fleet->has_beats = true;
	if (fleet->is_up)
		pv_fleet_beats_up(&fleet->beats, &fleet->server);
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

static bool tell_other(const struct pv_fleet *fleet, struct pv_why *why)
{
	pv_why_add(why, (struct pv_place){.file = fleet->options.directory},
	    PV_STR(""),
	    "it has another crawl than %s of this fleet: choose another "
	    "directory",
	    fleet->options.name);
	return false;
}

bool pv_fleet_begin(struct pv_fleet *fleet, struct pv_store *store,
    struct pv_frontier *frontier, struct pv_why *why)
{
	int64_t before = pv_note_get(store->database, NOTE_WORKER, 0);
	fleet->store = store;
	fleet->frontier = frontier;
	if (memcmp(&store->key, &fleet->key, sizeof(fleet->key)) != 0)
		return tell_other(fleet, why);
	pv_handover_open(
	    &fleet->handover, pv_sqlite_frontier_tables(frontier), &fleet->key);
	fleet->has_handover = true;
	if (!agree(fleet, before, why))
		return false;
	if (before && !resume(fleet, before))
		return tell(fleet, why);
	if (!fleet->worker) {
		if (!register_anew(fleet))
			return tell(fleet, why);
		give_all(fleet);
	}
	fleet->inner = frontier->engine;
	fleet->on_work = frontier->on_work;
	fleet->work_ctx = frontier->work_ctx;
	frontier->engine = &pv_fleet_engine;
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
	pv_sharing_finish(&fleet->sharing);
	pv_net_addresses_finish(&fleet->net);
	pv_buf_finish(&fleet->trouble);
	pv_buf_finish(&fleet->policy);
	pv_buf_finish(&fleet->own_policy);
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

const struct pv_lease *pv_fleet_lease(const struct pv_fleet *fleet)
{
	return &fleet->lease;
}

const struct pv_fleet_kind pv_postgresql_fleet = {
    .open = pv_fleet_open,
    .key = pv_fleet_key,
    .begin = pv_fleet_begin,
    .lease = pv_fleet_lease,
    .limit = pv_net_addresses_limit,
    .number = pv_fleet_worker_id,
    .close = pv_fleet_close,
};
