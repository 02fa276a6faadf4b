#include "store/service/job_store.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "store/service/service_file.h"

#define CACHE_BYTES ((size_t)4 << 20)

static const char *const steps[] = {
    /* Version 1 */
    "CREATE TABLE jobs ("
    "	number INTEGER PRIMARY KEY AUTOINCREMENT,"
    "	id TEXT NOT NULL UNIQUE,"
    "	owner TEXT NOT NULL,"
    "	profile TEXT NOT NULL,"
    "	policy TEXT NOT NULL,"
    "	urls TEXT NOT NULL,"
    "	settings TEXT NOT NULL,"
    "	labels TEXT NOT NULL,"
    "	state INTEGER NOT NULL,"
    "	reason TEXT NOT NULL,"
    "	created_ms INTEGER NOT NULL,"
    "	started_ms INTEGER NOT NULL,"
    "	ended_ms INTEGER NOT NULL"
    ");"
    "CREATE INDEX jobs_by_state ON jobs (state, number);"
    "CREATE TABLE keys ("
    "	owner TEXT NOT NULL,"
    "	key TEXT NOT NULL,"
    "	digest BLOB NOT NULL,"
    "	job TEXT NOT NULL,"
    "	answered_ms INTEGER NOT NULL,"
    "	PRIMARY KEY (owner, key)"
    ") WITHOUT ROWID;"
    "CREATE INDEX keys_by_time ON keys (answered_ms);",
    /* Version 2 */
    "CREATE TABLE paused_hosts ("
    "	name TEXT PRIMARY KEY,"
    "	since_ms INTEGER NOT NULL,"
    "	until_ms INTEGER NOT NULL,"
    "	reason TEXT NOT NULL,"
    "	by TEXT NOT NULL"
    ") WITHOUT ROWID;",
    /* Version 3: webhooks (store/service/webhook_store.h) */
    "ALTER TABLE jobs ADD COLUMN webhook TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE jobs ADD COLUMN owes_deliveries INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX jobs_by_deliveries ON jobs (number) "
    "	WHERE owes_deliveries = 1;"
    "CREATE TABLE webhook_events ("
    "	number INTEGER PRIMARY KEY AUTOINCREMENT,"
    "	job TEXT NOT NULL,"
    "	state INTEGER NOT NULL,"
    "	reason TEXT NOT NULL,"
    "	at_ms INTEGER NOT NULL"
    ");"
    "CREATE INDEX webhook_events_by_job ON webhook_events (job, number);"
    "CREATE TABLE webhook_positions ("
    "	job TEXT NOT NULL,"
    "	stream TEXT NOT NULL,"
    "	position INTEGER NOT NULL,"
    "	id TEXT NOT NULL,"
    "	until INTEGER NOT NULL,"
    "	made_ms INTEGER NOT NULL, since_ms INTEGER NOT NULL,"
    "	tries INTEGER NOT NULL,"
    "	next_ms INTEGER NOT NULL,"
    "	ended TEXT NOT NULL,"
    "	PRIMARY KEY (job, stream)"
    ") WITHOUT ROWID;",
};

static const struct pv_schema schema = {
    .application_id = 0x5061766a, /* "Pavj" */
    .first_version = 1,
    .steps = steps,
    .step_count = sizeof(steps) / sizeof(*steps),
};

#define COLUMNS                                                               \
	"number, id, owner, profile, policy, urls, settings, labels, state, " \
	"reason, created_ms, started_ms, ended_ms, webhook"

enum {
	ADD,
	ADD_KEY,
	FIND_KEY,
	GET,
	EACH,
	EACH_BACK,
	NEXT,
	COUNT,
	COUNT_OPEN,
	SET_STATE,
	ADD_EVENT,
	ADD_FIRST_EVENT,
	REMOVE,
	REMOVE_EVENTS,
	REMOVE_POSITIONS,
	FORGET_KEYS,
	STATEMENT_COUNT
};

static const char *const sql[STATEMENT_COUNT] = {
    [ADD] = "INSERT INTO jobs (id, owner, profile, policy, urls, settings, "
	    "labels, webhook, state, reason, created_ms, started_ms, ended_ms, "
	    "owes_deliveries) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, '', "
	    "?9, 0, 0, ?8 <> '')",
    [ADD_KEY] = "INSERT OR REPLACE INTO keys VALUES (?1, ?2, ?3, ?4, ?5)",
    [FIND_KEY] = "SELECT job, digest FROM keys WHERE owner = ?1 AND key = ?2 "
		 "AND answered_ms >= ?3",
    [GET] = "SELECT " COLUMNS " FROM jobs WHERE id = ?1",
    [EACH] = "SELECT " COLUMNS " FROM jobs WHERE number > ?1 ORDER BY number",
    [EACH_BACK] =
	"SELECT " COLUMNS " FROM jobs WHERE number < ?1 ORDER BY number DESC",
    [NEXT] = "SELECT " COLUMNS " FROM jobs WHERE state = 0 ORDER BY number "
	     "LIMIT 1",
    [COUNT] = "SELECT count(*) FROM jobs WHERE state = ?1",
    [COUNT_OPEN] = "SELECT count(*) FROM jobs WHERE state < 4 AND owner = ?1",
    [SET_STATE] = "UPDATE jobs SET state = ?2, reason = ?3, "
		  "started_ms = CASE WHEN ?2 = 1 AND started_ms = 0 THEN ?4 "
		  "ELSE started_ms END, "
		  "ended_ms = CASE WHEN ?2 >= 4 THEN ?4 ELSE 0 END, "
		  "owes_deliveries = owes_deliveries OR (webhook <> '' AND "
		  "state >= 4 AND ?2 < 4) "
		  "WHERE id = ?1",
    [ADD_EVENT] = "INSERT INTO webhook_events (job, state, reason, at_ms) "
		  "SELECT id, ?2, ?3, ?4 FROM jobs WHERE id = ?1 AND state <> "
		  "?2 AND webhook <> ''",
    [ADD_FIRST_EVENT] =
	"INSERT INTO webhook_events (job, state, reason, at_ms) SELECT id, "
	"state, reason, created_ms FROM jobs WHERE id = ?1 AND webhook <> ''",
    [REMOVE] = "DELETE FROM jobs WHERE id = ?1",
    [REMOVE_EVENTS] = "DELETE FROM webhook_events WHERE job = ?1",
    [REMOVE_POSITIONS] = "DELETE FROM webhook_positions WHERE job = ?1",
    [FORGET_KEYS] = "DELETE FROM keys WHERE answered_ms < ?1",
};

struct pv_job_store {
	struct pv_database *database;
	struct pv_statement *statements[STATEMENT_COUNT];
};

const char *pv_job_state_word(enum pv_job_state state)
{
	static const char *const words[PV_JOB_STATE_COUNT] = {
	    [PV_JOB_QUEUED] = "queued",
	    [PV_JOB_RUNNING] = "running",
	    [PV_JOB_PAUSED] = "paused",
	    [PV_JOB_STOPPING] = "stopping",
	    [PV_JOB_FINISHED] = "finished",
	    [PV_JOB_LIMITED] = "limited",
	    [PV_JOB_STOPPED] = "stopped",
	    [PV_JOB_FAILED] = "failed",
	};
	return (unsigned)state < PV_JOB_STATE_COUNT ? words[state] : "unknown";
}

bool pv_job_state_is_end(enum pv_job_state state)
{
	return state >= PV_JOB_FINISHED;
}

static const struct pv_service_file file = {
    .name = "jobs.db",
    .schema = &schema,
    .cache_bytes = CACHE_BYTES,
    .sql = sql,
    .count = STATEMENT_COUNT,
};

struct pv_job_store *pv_job_store_open(
    const char *directory, struct pv_why *why)
{
	struct pv_job_store *store = pv_alloc(sizeof(*store));
	store->database =
	    pv_service_file_open(&file, directory, store->statements, why);
	if (store->database)
		return store;
	free(store);
	return NULL;
}

void pv_job_store_close(struct pv_job_store *store)
{
	if (!store)
		return;
	pv_service_file_close(&file, store->database, store->statements);
	free(store);
}

struct pv_database *pv_job_store_database(struct pv_job_store *store)
{
	return store->database;
}

enum pv_store_status pv_job_store_status(const struct pv_job_store *store)
{
	return pv_database_status(store->database);
}

const char *pv_job_store_fault(const struct pv_job_store *store)
{
	return pv_database_fault(store->database);
}

/* Adding */

static void run_for(
    struct pv_job_store *store, unsigned which, struct pv_str id)
{
	pv_statement_bind_text(store->statements[which], 1, id);
	pv_statement_run(store->statements[which]);
}

static void add_key(struct pv_job_store *store, const struct pv_job_record *job,
    const struct pv_job_key *key)
{
	struct pv_statement *statement = store->statements[ADD_KEY];
	pv_statement_bind_text(statement, 1, key->owner);
	pv_statement_bind_text(statement, 2, key->key);
	pv_statement_bind_bytes(statement, 3,
	    (struct pv_str){(const char *)key->digest, PV_DIGEST_SIZE});
	pv_statement_bind_text(statement, 4, job->id);
	pv_statement_bind(statement, 5, job->created_ms);
	pv_statement_run(statement);
}

bool pv_job_store_add(struct pv_job_store *store,
    const struct pv_job_record *job, const struct pv_job_key *key)
{
	const struct pv_str texts[] = {job->id, job->owner, job->profile,
	    job->policy, job->urls, job->settings, job->labels, job->webhook};
	struct pv_statement *statement = store->statements[ADD];
	pv_database_begin(store->database);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		pv_statement_bind_text(statement, (int)i + 1, texts[i]);
	pv_statement_bind(statement, 9, job->created_ms);
	pv_statement_run(statement);
	run_for(store, ADD_FIRST_EVENT, job->id);
	if (key->key.len)
		add_key(store, job, key);
	return pv_database_commit(store->database);
}

bool pv_job_store_find_key(struct pv_job_store *store,
    const struct pv_job_key *key, int64_t since_ms, struct pv_arena *arena,
    struct pv_str *id, bool *is_same)
{
	struct pv_statement *statement = store->statements[FIND_KEY];
	pv_statement_bind_text(statement, 1, key->owner);
	pv_statement_bind_text(statement, 2, key->key);
	pv_statement_bind(statement, 3, since_ms);
	bool is_there = pv_statement_step(statement);
	if (is_there) {
		*id = pv_arena_copy(arena, pv_statement_text(statement, 0));
		*is_same = pv_str_equal(pv_statement_text(statement, 1),
		    (struct pv_str){(const char *)key->digest, PV_DIGEST_SIZE});
	}
	pv_statement_reset(statement);
	return is_there;
}

/* Reading */

/* Texts are the statement's. */
static struct pv_job_record read_row(const struct pv_statement *statement)
{
	return (struct pv_job_record){
	    .number = (uint64_t)pv_statement_number(statement, 0),
	    .id = pv_statement_text(statement, 1),
	    .owner = pv_statement_text(statement, 2),
	    .profile = pv_statement_text(statement, 3),
	    .policy = pv_statement_text(statement, 4),
	    .urls = pv_statement_text(statement, 5),
	    .settings = pv_statement_text(statement, 6),
	    .labels = pv_statement_text(statement, 7),
	    .state = (enum pv_job_state)pv_statement_number(statement, 8),
	    .reason = pv_statement_text(statement, 9),
	    .created_ms = pv_statement_number(statement, 10),
	    .started_ms = pv_statement_number(statement, 11),
	    .ended_ms = pv_statement_number(statement, 12),
	    .webhook = pv_statement_text(statement, 13),
	};
}

static bool take_row(struct pv_statement *statement, struct pv_arena *arena,
    struct pv_job_record *job)
{
	bool is_there = pv_statement_step(statement);
	if (is_there) {
		*job = read_row(statement);
		struct pv_str *const texts[] = {&job->id, &job->owner,
		    &job->profile, &job->policy, &job->urls, &job->settings,
		    &job->labels, &job->reason, &job->webhook};
		for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
			*texts[i] = pv_arena_copy(arena, *texts[i]);
	}
	pv_statement_reset(statement);
	return is_there;
}

bool pv_job_store_get(struct pv_job_store *store, struct pv_str id,
    struct pv_arena *arena, struct pv_job_record *job)
{
	pv_statement_bind_text(store->statements[GET], 1, id);
	return take_row(store->statements[GET], arena, job);
}

static void each(struct pv_statement *statement, int64_t from,
    const struct pv_str *owner, pv_job_fn fn, void *ctx)
{
	bool goes_on = true;
	pv_statement_bind(statement, 1, from);
	while (goes_on && pv_statement_step(statement)) {
		struct pv_job_record job = read_row(statement);
		if (!owner || pv_str_equal(job.owner, *owner))
			goes_on = fn(ctx, &job);
	}
	pv_statement_reset(statement);
}

void pv_job_store_each(struct pv_job_store *store, uint64_t after,
    const struct pv_str *owner, pv_job_fn fn, void *ctx)
{
	each(store->statements[EACH], (int64_t)after, owner, fn, ctx);
}

void pv_job_store_each_back(struct pv_job_store *store, uint64_t before,
    const struct pv_str *owner, pv_job_fn fn, void *ctx)
{
	each(store->statements[EACH_BACK], before ? (int64_t)before : INT64_MAX,
	    owner, fn, ctx);
}

bool pv_job_store_next(struct pv_job_store *store, struct pv_arena *arena,
    struct pv_job_record *job)
{
	return take_row(store->statements[NEXT], arena, job);
}

static uint64_t count(struct pv_statement *statement)
{
	uint64_t number = pv_statement_step(statement)
			      ? (uint64_t)pv_statement_number(statement, 0)
			      : 0;
	pv_statement_reset(statement);
	return number;
}

uint64_t pv_job_store_count(struct pv_job_store *store, enum pv_job_state state)
{
	pv_statement_bind(store->statements[COUNT], 1, state);
	return count(store->statements[COUNT]);
}

uint64_t pv_job_store_count_open(
    struct pv_job_store *store, struct pv_str owner)
{
	pv_statement_bind_text(store->statements[COUNT_OPEN], 1, owner);
	return count(store->statements[COUNT_OPEN]);
}

/* Changing */

static void bind_state(struct pv_statement *statement, struct pv_str id,
    enum pv_job_state state, struct pv_str reason, int64_t now_ms)
{
	pv_statement_bind_text(statement, 1, id);
	pv_statement_bind(statement, 2, state);
	pv_statement_bind_text(statement, 3, reason);
	pv_statement_bind(statement, 4, now_ms);
}

/* Its webhook hears of it by an event that is written together with it, before
 * which the job still has its last state. */
bool pv_job_store_set_state(struct pv_job_store *store, struct pv_str id,
    enum pv_job_state state, struct pv_str reason, int64_t now_ms)
{
	struct pv_statement *event = store->statements[ADD_EVENT];
	struct pv_statement *statement = store->statements[SET_STATE];
	pv_database_begin(store->database);
	bind_state(event, id, state, reason, now_ms);
	pv_statement_run(event);
	bind_state(statement, id, state, reason, now_ms);
	int64_t changed = pv_statement_run(statement);
	return pv_database_commit(store->database) && changed > 0;
}

bool pv_job_store_remove(struct pv_job_store *store, struct pv_str id)
{
	struct pv_statement *statement = store->statements[REMOVE];
	pv_database_begin(store->database);
	run_for(store, REMOVE_EVENTS, id);
	run_for(store, REMOVE_POSITIONS, id);
	pv_statement_bind_text(statement, 1, id);
	int64_t changed = pv_statement_run(statement);
	return pv_database_commit(store->database) && changed > 0;
}

void pv_job_store_forget_keys(struct pv_job_store *store, int64_t before_ms)
{
	pv_database_begin(store->database);
	pv_statement_bind(store->statements[FORGET_KEYS], 1, before_ms);
	pv_statement_run(store->statements[FORGET_KEYS]);
	pv_database_commit(store->database);
}
