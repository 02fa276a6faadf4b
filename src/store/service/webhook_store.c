#include "store/service/webhook_store.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "store/service/service_file.h"

#define CACHE_BYTES ((size_t)1 << 20)

#define JOB_COLUMNS "number, id, webhook, labels, state, owes_deliveries"
#define EVENT_COLUMNS "number, job, state, reason, at_ms"

enum {
	EACH_JOB,
	GET_JOB,
	EACH_EVENT,
	LAST_EVENT,
	LAST_EVENT_OF,
	NEXT_EVENT,
	EACH_POSITION,
	PUT,
	OWE,
	FORGET_POSITIONS,
	RESTART_POSITIONS,
	STATEMENT_COUNT
};

static const char *const sql[STATEMENT_COUNT] = {
    [EACH_JOB] = "SELECT " JOB_COLUMNS " FROM jobs WHERE owes_deliveries = 1 "
		 "ORDER BY number",
    [GET_JOB] = "SELECT " JOB_COLUMNS " FROM jobs WHERE id = ?1 AND webhook "
		"<> ''",
    [EACH_EVENT] = "SELECT " EVENT_COLUMNS " FROM webhook_events WHERE number "
		   "> ?1 ORDER BY number",
    [LAST_EVENT] = "SELECT max(number) FROM webhook_events",
    [LAST_EVENT_OF] = "SELECT max(number) FROM webhook_events WHERE job = ?1",
    [NEXT_EVENT] = "SELECT " EVENT_COLUMNS " FROM webhook_events WHERE job = "
		   "?1 AND number > ?2 ORDER BY number LIMIT 1",
    [EACH_POSITION] =
	"SELECT job, stream, position, id, until, made_ms, since_ms, tries, "
	"next_ms, ended FROM webhook_positions WHERE job = ?1 ORDER BY stream",
    [PUT] = "INSERT OR REPLACE INTO webhook_positions SELECT ?1, ?2, ?3, ?4, "
	    "?5, ?6, ?7, ?8, ?9, ?10 FROM jobs WHERE id = ?1",
    [OWE] = "UPDATE jobs SET owes_deliveries = ?2 WHERE id = ?1",
    [FORGET_POSITIONS] = "DELETE FROM webhook_positions WHERE job = ?1",
    [RESTART_POSITIONS] =
	"UPDATE webhook_positions SET since_ms = 0, tries = 0, next_ms = 0, "
	"ended = '' WHERE job = ?1",
};

struct pv_webhook_store {
	struct pv_database *database;
	struct pv_statement *statements[STATEMENT_COUNT];
};

static const struct pv_service_file file = {
    .name = "jobs.db",
    .cache_bytes = CACHE_BYTES,
    .sql = sql,
    .count = STATEMENT_COUNT,
};

struct pv_webhook_store *pv_webhook_store_open(
    const char *directory, struct pv_why *why)
{
	struct pv_webhook_store *store = pv_alloc(sizeof(*store));
	store->database =
	    pv_service_file_open(&file, directory, store->statements, why);
	if (store->database)
		return store;
	free(store);
	return NULL;
}

void pv_webhook_store_close(struct pv_webhook_store *store)
{
	if (!store)
		return;
	pv_service_file_close(&file, store->database, store->statements);
	free(store);
}

enum pv_store_status pv_webhook_store_status(
    const struct pv_webhook_store *store)
{
	return pv_database_status(store->database);
}

const char *pv_webhook_store_fault(const struct pv_webhook_store *store)
{
	return pv_database_fault(store->database);
}

/* Jobs */

/* Texts are the statement's, here and below. */
static struct pv_webhook_job_record read_job(
    const struct pv_statement *statement)
{
	return (struct pv_webhook_job_record){
	    .number = (uint64_t)pv_statement_number(statement, 0),
	    .id = pv_statement_text(statement, 1),
	    .webhook = pv_statement_text(statement, 2),
	    .labels = pv_statement_text(statement, 3),
	    .state = (enum pv_job_state)pv_statement_number(statement, 4),
	    .is_outstanding = pv_statement_number(statement, 5) != 0,
	};
}

void pv_webhook_store_each_job(
    struct pv_webhook_store *store, pv_webhook_job_fn fn, void *ctx)
{
	struct pv_statement *statement = store->statements[EACH_JOB];
	bool goes_on = true;
	while (goes_on && pv_statement_step(statement)) {
		struct pv_webhook_job_record job = read_job(statement);
		goes_on = fn(ctx, &job);
	}
	pv_statement_reset(statement);
}

bool pv_webhook_store_get_job(struct pv_webhook_store *store, struct pv_str id,
    struct pv_arena *arena, struct pv_webhook_job_record *job)
{
	struct pv_statement *statement = store->statements[GET_JOB];
	pv_statement_bind_text(statement, 1, id);
	bool is_there = pv_statement_step(statement);
	if (is_there) {
		*job = read_job(statement);
		job->id = pv_arena_copy(arena, job->id);
		job->webhook = pv_arena_copy(arena, job->webhook);
		job->labels = pv_arena_copy(arena, job->labels);
	}
	pv_statement_reset(statement);
	return is_there;
}

/* Events */

static struct pv_webhook_event read_event(const struct pv_statement *statement)
{
	return (struct pv_webhook_event){
	    .number = (uint64_t)pv_statement_number(statement, 0),
	    .job = pv_statement_text(statement, 1),
	    .state = (enum pv_job_state)pv_statement_number(statement, 2),
	    .reason = pv_statement_text(statement, 3),
	    .at_ms = pv_statement_number(statement, 4),
	};
}

void pv_webhook_store_each_event(struct pv_webhook_store *store, uint64_t after,
    pv_webhook_event_fn fn, void *ctx)
{
	struct pv_statement *statement = store->statements[EACH_EVENT];
	bool goes_on = true;
	pv_statement_bind(statement, 1, (int64_t)after);
	while (goes_on && pv_statement_step(statement)) {
		struct pv_webhook_event event = read_event(statement);
		goes_on = fn(ctx, &event);
	}
	pv_statement_reset(statement);
}

static uint64_t number_of(struct pv_statement *statement)
{
	uint64_t number = pv_statement_step(statement)
			      ? (uint64_t)pv_statement_number(statement, 0)
			      : 0;
	pv_statement_reset(statement);
	return number;
}

uint64_t pv_webhook_store_last_event(struct pv_webhook_store *store)
{
	return number_of(store->statements[LAST_EVENT]);
}

uint64_t pv_webhook_store_last_event_of(
    struct pv_webhook_store *store, struct pv_str job)
{
	pv_statement_bind_text(store->statements[LAST_EVENT_OF], 1, job);
	return number_of(store->statements[LAST_EVENT_OF]);
}

bool pv_webhook_store_next_event(struct pv_webhook_store *store,
    struct pv_str job, uint64_t after, struct pv_arena *arena,
    struct pv_webhook_event *event)
{
	struct pv_statement *statement = store->statements[NEXT_EVENT];
	pv_statement_bind_text(statement, 1, job);
	pv_statement_bind(statement, 2, (int64_t)after);
	bool is_there = pv_statement_step(statement);
	if (is_there) {
		*event = read_event(statement);
		event->job = pv_arena_copy(arena, event->job);
		event->reason = pv_arena_copy(arena, event->reason);
	}
	pv_statement_reset(statement);
	return is_there;
}

/* Positions */

void pv_webhook_store_each_position(struct pv_webhook_store *store,
    struct pv_str job, pv_webhook_position_fn fn, void *ctx)
{
	struct pv_statement *statement = store->statements[EACH_POSITION];
	bool goes_on = true;
	pv_statement_bind_text(statement, 1, job);
	while (goes_on && pv_statement_step(statement)) {
		const struct pv_webhook_position position = {
		    .job = pv_statement_text(statement, 0),
		    .stream = pv_statement_text(statement, 1),
		    .position = (uint64_t)pv_statement_number(statement, 2),
		    .id = pv_statement_text(statement, 3),
		    .until = (uint64_t)pv_statement_number(statement, 4),
		    .made_ms = pv_statement_number(statement, 5),
		    .since_ms = pv_statement_number(statement, 6),
		    .tries = (uint32_t)pv_statement_number(statement, 7),
		    .next_ms = pv_statement_number(statement, 8),
		    .ended = pv_statement_text(statement, 9),
		};
		goes_on = fn(ctx, &position);
	}
	pv_statement_reset(statement);
}

bool pv_webhook_store_put(
    struct pv_webhook_store *store, const struct pv_webhook_position *position)
{
	struct pv_statement *statement = store->statements[PUT];
	pv_database_begin(store->database);
	pv_statement_bind_text(statement, 1, position->job);
	pv_statement_bind_text(statement, 2, position->stream);
	pv_statement_bind(statement, 3, (int64_t)position->position);
	pv_statement_bind_text(statement, 4, position->id);
	pv_statement_bind(statement, 5, (int64_t)position->until);
	pv_statement_bind(statement, 6, position->made_ms);
	pv_statement_bind(statement, 7, position->since_ms);
	pv_statement_bind(statement, 8, position->tries);
	pv_statement_bind(statement, 9, position->next_ms);
	pv_statement_bind_text(statement, 10, position->ended);
	int64_t changed = pv_statement_run(statement);
	return pv_database_commit(store->database) && changed > 0;
}

/* Within a transaction; whether there is such a job. */
static bool owe(struct pv_webhook_store *store, struct pv_str job, bool owes)
{
	struct pv_statement *statement = store->statements[OWE];
	pv_statement_bind_text(statement, 1, job);
	pv_statement_bind(statement, 2, owes);
	return pv_statement_run(statement) > 0;
}

bool pv_webhook_store_settle(struct pv_webhook_store *store, struct pv_str job)
{
	pv_database_begin(store->database);
	bool is_there = owe(store, job, false);
	return pv_database_commit(store->database) && is_there;
}

bool pv_webhook_store_begin_again(
    struct pv_webhook_store *store, struct pv_str job, bool is_from_start)
{
	struct pv_statement *statement =
	    store->statements[is_from_start ? FORGET_POSITIONS
					    : RESTART_POSITIONS];
	pv_database_begin(store->database);
	bool is_there = owe(store, job, true);
	pv_statement_bind_text(statement, 1, job);
	pv_statement_run(statement);
	return pv_database_commit(store->database) && is_there;
}
