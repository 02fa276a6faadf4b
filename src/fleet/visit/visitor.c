#include "fleet/visit/visitor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "base/alloc.h"
#include "fleet/line/line.h"
#include "fleet/tables/schema.h"
#include "fleet/tables/statements.h"
#include "fleet/visit/visiting.h"
#include "loop/clock.h"
#include "names/names.h"
#include "policy/sources/load.h"

#define PATIENCE_MS 10000
#define TICK_MS 100

struct pv_fleet_visitor {
	uv_loop_t loop;
	uv_timer_t timer; /* which lets the loop turn while it waits */
	struct pv_policy *policy;
	struct pv_clock *clock;
	struct pv_names *names;
	struct pv_fleet_line *line;
	struct pv_buf url;   /* as it is shown */
	struct pv_buf fault; /* "": none yet */
	bool is_refused;
	bool is_up;

	/* The request that is waited for. */
	void (*hear)(void *ctx, const struct pv_fleet_results *results);
	void *ctx;
	bool has_answer;
	bool is_answered_well;
};

/* Waiting */

bool pv_fleet_visitor_fail(const struct pv_fleet_visitor *visitor,
    struct pv_why *why, const char *sentence)
{
	pv_why_add(why, (struct pv_place){.file = pv_buf_text(&visitor->url)},
	    PV_STR(""), "%s", sentence);
	return false;
}

static bool tell_fault(
    const struct pv_fleet_visitor *visitor, struct pv_why *why)
{
	return pv_fleet_visitor_fail(visitor, why,
	    visitor->fault.len ? pv_buf_text(&visitor->fault)
			       : "PostgreSQL does not answer");
}

static void note_fault(struct pv_fleet_visitor *visitor, const char *fault)
{
	pv_buf_clear(&visitor->fault);
	pv_buf_append_text(&visitor->fault, fault);
}

static void on_up(void *ctx, const struct pv_fleet_server *server)
{
	struct pv_fleet_visitor *visitor = ctx;
	(void)server;
	visitor->is_up = true;
}

/* Before anything is prepared, which needs all tables to be there. Any role may read
 * this. */
static const char has_tables[] =
    "SELECT count(*) FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace AS "
    "space ON space.oid = relnamespace WHERE nspname = 'pavane' AND "
    "relname = 'version'";

static void on_tables(
    void *ctx, const struct pv_fleet_answer *answer, const char *first)
{
	struct pv_fleet_visitor *visitor = ctx;
	bool is_seen = answer->status == PV_FLEET_OK && first;
	if (is_seen && strcmp(first, "0") == 0) {
		visitor->is_refused = true;
		note_fault(visitor,
		    "no fleet has begun a crawl in this database yet: its first "
		    "worker makes the tables");
	} else if (answer->status != PV_FLEET_LOST) {
		pv_fleet_line_prepare(visitor->line);
	}
}

static void on_checked(void *ctx, const struct pv_fleet_server *server)
{
	struct pv_fleet_visitor *visitor = ctx;
	(void)server;
	pv_fleet_line_exec(visitor->line, has_tables, on_tables, visitor);
}

static void on_down(void *ctx, const char *why)
{
	struct pv_fleet_visitor *visitor = ctx;
	visitor->is_up = false;
	note_fault(visitor, why);
}

static void on_refused(void *ctx, const char *why)
{
	struct pv_fleet_visitor *visitor = ctx;
	visitor->is_refused = true;
	note_fault(visitor, why);
}

static void on_tick(uv_timer_t *timer)
{
	(void)timer;
}

static bool wait_for(struct pv_fleet_visitor *visitor, const bool *is_so)
{
	uv_update_time(&visitor->loop);
	uint64_t until = uv_now(&visitor->loop) + PATIENCE_MS;
	uv_timer_start(&visitor->timer, on_tick, TICK_MS, TICK_MS);
	while (
	    !*is_so && !visitor->is_refused && uv_now(&visitor->loop) < until)
		uv_run(&visitor->loop, UV_RUN_ONCE);
	uv_timer_stop(&visitor->timer);
	return *is_so;
}

/* Asking */

static void on_answer(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet_visitor *visitor = ctx;
	(void)request;
	visitor->has_answer = true;
	visitor->is_answered_well = answer->status == PV_FLEET_OK;
	if (answer->status == PV_FLEET_OK)
		visitor->hear(visitor->ctx, answer->results);
	else if (answer->status == PV_FLEET_REFUSED)
		note_fault(visitor, answer->message);
}

bool pv_fleet_visitor_ask(struct pv_fleet_visitor *visitor,
    const struct pv_fleet_step *steps, size_t count,
    void (*hear)(void *ctx, const struct pv_fleet_results *results), void *ctx,
    struct pv_why *why)
{
	visitor->hear = hear;
	visitor->ctx = ctx;
	visitor->has_answer = visitor->is_answered_well = false;
	pv_fleet_line_send(visitor->line,
	    pv_fleet_request_create(steps, count, on_answer, visitor));
	return (wait_for(visitor, &visitor->has_answer) &&
		   visitor->is_answered_well) ||
	       tell_fault(visitor, why);
}

/* Looking */

struct look {
	struct pv_visited_crawl *crawl;
	bool is_there;
	bool is_other_version;
};

static const char *text_at(struct pv_visited_crawl *crawl,
    const struct pv_fleet_results *results, size_t step, size_t row,
    size_t column)
{
	return pv_arena_text(
	    &crawl->arena, pv_fleet_results_text(results, step, row, column));
}

static void hear_crawl(
    struct pv_visited_crawl *crawl, const struct pv_fleet_results *results)
{
	struct pv_str key =
	    pv_fleet_results_text(results, PV_VISIT_CRAWL, 0, 8);
	crawl->number = pv_fleet_results_number(results, PV_VISIT_CRAWL, 0, 0);
	crawl->is_finished =
	    pv_fleet_results_flag(results, PV_VISIT_CRAWL, 0, 1);
	crawl->wish_number =
	    pv_fleet_results_number(results, PV_VISIT_CRAWL, 0, 2);
	crawl->policy = text_at(crawl, results, PV_VISIT_CRAWL, 0, 3);
	crawl->wish = text_at(crawl, results, PV_VISIT_CRAWL, 0, 4);
	crawl->waiting = pv_fleet_results_number(results, PV_VISIT_CRAWL, 0, 5);
	crawl->links = pv_fleet_results_number(results, PV_VISIT_CRAWL, 0, 6);
	crawl->state_version =
	    pv_fleet_results_number(results, PV_VISIT_CRAWL, 0, 7);
	crawl->has_key = key.len == sizeof(crawl->key);
	if (crawl->has_key)
		memcpy(&crawl->key, key.ptr, key.len);
	crawl->pages = pv_fleet_results_number(results, PV_VISIT_TOTALS, 0, 0);
	crawl->bytes = pv_fleet_results_number(results, PV_VISIT_TOTALS, 0, 1);
	crawl->left = pv_fleet_results_number(results, PV_VISIT_TOTALS, 0, 2);
	crawl->left_pages =
	    pv_fleet_results_number(results, PV_VISIT_TOTALS, 0, 3);
	crawl->reaped = pv_fleet_results_number(results, PV_VISIT_TOTALS, 0, 4);
}

static void hear_workers(
    struct pv_visited_crawl *crawl, const struct pv_fleet_results *results)
{
	enum { STEP = PV_VISIT_WORKERS };
	size_t count = pv_fleet_results_rows(results, STEP);
	crawl->workers = pv_arena_give_array(
	    &crawl->arena, count ? count : 1, sizeof(*crawl->workers));
	crawl->worker_count = count;
	for (size_t i = 0; i < count; i++)
		crawl->workers[i] = (struct pv_visited_worker){
		    .number = pv_fleet_results_number(results, STEP, i, 0),
		    .place = text_at(crawl, results, STEP, i, 1),
		    .is_alive = pv_fleet_results_flag(results, STEP, i, 2),
		    .clocks = pv_fleet_results_number(results, STEP, i, 3),
		    .pages = pv_fleet_results_number(results, STEP, i, 4),
		    .bytes = pv_fleet_results_number(results, STEP, i, 5),
		    .requests = pv_fleet_results_number(results, STEP, i, 6),
		    .unsent = pv_fleet_results_number(results, STEP, i, 7),
		    .seen_ms = pv_fleet_results_number(results, STEP, i, 8),
		    .span_ms = pv_fleet_results_number(results, STEP, i, 9),
		    .pages_in_span =
			pv_fleet_results_number(results, STEP, i, 10),
		    .is_idle = pv_fleet_results_flag(results, STEP, i, 11),
		    .was_reaped = pv_fleet_results_flag(results, STEP, i, 12),
		};
}

/* Tables of another version may lack what is asked for: that is not heard of
 * here, but refused before. */
static void hear_look(void *ctx, const struct pv_fleet_results *results)
{
	struct look *look = ctx;
	struct pv_buf version;
	pv_buf_init(&version, 32);
	pv_buf_append_format(&version, "%" PRId64,
	    pv_fleet_results_number(results, PV_VISIT_VERSION, 0, 0));
	look->is_other_version =
	    strcmp(pv_buf_text(&version), PV_FLEET_SCHEMA_VERSION) != 0;
	pv_buf_finish(&version);
	look->is_there = pv_fleet_results_rows(results, PV_VISIT_CRAWL) == 1;
	if (!look->is_there || look->is_other_version)
		return;
	hear_crawl(look->crawl, results);
	hear_workers(look->crawl, results);
}

static bool tell_absent(const struct pv_fleet_visitor *visitor,
    const char *name, struct pv_why *why)
{
	struct pv_buf sentence;
	pv_buf_init(&sentence, 1000);
	pv_buf_append_format(&sentence,
	    "there is no crawl %s: the name is that of the policy, as in "
	    "name: %s",
	    name, name);
	pv_fleet_visitor_fail(visitor, why, pv_buf_text(&sentence));
	pv_buf_finish(&sentence);
	return false;
}

bool pv_fleet_visitor_look(struct pv_fleet_visitor *visitor, const char *name,
    struct pv_visited_crawl *crawl, struct pv_why *why)
{
	const struct pv_fleet_value value = pv_fleet_text(pv_str_of(name));
	const struct pv_fleet_step steps[] = {{PV_VISIT_VERSION, NULL, 0},
	    {PV_VISIT_CRAWL, &value, 1}, {PV_VISIT_WORKERS, &value, 1},
	    {PV_VISIT_TOTALS, &value, 1}};
	struct look look = {.crawl = crawl};
	*crawl = (struct pv_visited_crawl){.policy = "", .wish = ""};
	pv_arena_init(&crawl->arena);
	if (!pv_fleet_visitor_ask(visitor, steps, 4, hear_look, &look, why))
		return false;
	if (look.is_other_version)
		return pv_fleet_visitor_fail(visitor, why,
		    "its tables are of another version of pavane: use the "
		    "version that its workers have");
	return look.is_there || tell_absent(visitor, name, why);
}

static void hear_host(void *ctx, const struct pv_fleet_results *results)
{
	bool *is_there = ctx;
	*is_there = pv_fleet_results_rows(results, 0) > 0;
}

bool pv_fleet_visitor_find_host(struct pv_fleet_visitor *visitor, int64_t crawl,
    struct pv_str host, bool *is_there, struct pv_why *why)
{
	const struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT4, crawl), pv_fleet_text(host)};
	const struct pv_fleet_step step = {PV_VISIT_FIND_HOST, values, 2};
	return pv_fleet_visitor_ask(
	    visitor, &step, 1, hear_host, is_there, why);
}

/* Wishing */

static void hear_wish(void *ctx, const struct pv_fleet_results *results)
{
	bool *is_written = ctx;
	*is_written = pv_fleet_results_affected(results, 0) == 1;
}

bool pv_fleet_visitor_wish(struct pv_fleet_visitor *visitor,
    const struct pv_visited_crawl *crawl, struct pv_str wish, bool *is_written,
    struct pv_why *why)
{
	char number[32];
	snprintf(number, sizeof(number), "%" PRId64, crawl->number);
	const struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT4, crawl->number),
	    pv_fleet_number(PV_FLEET_INT8, crawl->wish_number),
	    pv_fleet_text(wish)};
	const struct pv_fleet_value told[] = {
	    pv_fleet_text(PV_STR(PV_FLEET_WISH_CHANNEL)),
	    pv_fleet_text(pv_str_of(number))};
	const struct pv_fleet_step steps[] = {
	    {PV_VISIT_WISH, values, 3}, {PV_VISIT_TELL, told, 2}};
	return pv_fleet_visitor_ask(
	    visitor, steps, 2, hear_wish, is_written, why);
}

/* Life */

/* Its names go by no crawl's policy. */
static struct pv_policy *bare_policy(void)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_policy *policy =
	    pv_policy_load_text("fleet", PV_STR("version: 1\n"), &why);
	pv_why_finish(&why);
	return policy;
}

static void on_wake(void *ctx)
{
	(void)ctx;
}

static void open_line(struct pv_fleet_visitor *visitor, const char *url)
{
	struct pv_fleet_line_options options = {
	    .loop = &visitor->loop,
	    .url = url,
	    .names = visitor->names,
	    .statements = pv_visiting_statements,
	    .statement_count = PV_VISIT_COUNT,
	    .on_checked = on_checked,
	    .on_up = on_up,
	    .on_down = on_down,
	    .on_refused = on_refused,
	    .ctx = visitor,
	};
	visitor->line = pv_fleet_line_open(&options);
}

struct pv_fleet_visitor *pv_fleet_visitor_open(
    const char *url, struct pv_why *why)
{
	struct pv_fleet_visitor *visitor = pv_alloc(sizeof(*visitor));
	*visitor = (struct pv_fleet_visitor){.is_up = false};
	pv_buf_init(&visitor->url, 1000);
	pv_buf_init(&visitor->fault, 2000);
	pv_fleet_line_show_url(url, &visitor->url);
	if (uv_loop_init(&visitor->loop) != 0)
		abort();
	uv_timer_init(&visitor->loop, &visitor->timer);
	visitor->policy = bare_policy();
	visitor->clock = pv_real_clock.create(&visitor->loop, on_wake, visitor);
	visitor->names = pv_names_create(
	    &visitor->loop, visitor->policy, &pv_real_clock, visitor->clock);
	open_line(visitor, url);
	if (wait_for(visitor, &visitor->is_up))
		return visitor;
	tell_fault(visitor, why);
	pv_fleet_visitor_close(visitor);
	return NULL;
}

void pv_fleet_visitor_close(struct pv_fleet_visitor *visitor)
{
	if (!visitor)
		return;
	pv_fleet_line_close(visitor->line);
	pv_names_destroy(visitor->names);
	pv_real_clock.destroy(visitor->clock);
	uv_close((uv_handle_t *)&visitor->timer, NULL);
	uv_run(&visitor->loop, UV_RUN_DEFAULT);
	uv_loop_close(&visitor->loop);
	pv_policy_destroy(visitor->policy);
	pv_buf_finish(&visitor->url);
	pv_buf_finish(&visitor->fault);
	free(visitor);
}

const struct pv_fleet_visitor_kind pv_postgresql_visitor = {
    .open = pv_fleet_visitor_open,
    .look = pv_fleet_visitor_look,
    .find_host = pv_fleet_visitor_find_host,
    .find_address = pv_fleet_visitor_find_address,
    .wish = pv_fleet_visitor_wish,
    .close = pv_fleet_visitor_close,
};
