#ifndef PAVANE_STORE_SERVICE_JOB_STORE_H
#define PAVANE_STORE_SERVICE_JOB_STORE_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/why.h"
#include "store/database.h"

/* jobs.db: the jobs of a service, in the order in which they were accepted, and
 * the answers that are repeated to who asks twice (Idempotency-Key).
 *
 * Each function is a transaction, on the disk when it returns. After the first
 * fault nothing is done any more (store/database.h), so that a job is accepted
 * only if that was written. For one thread at a time. */
struct pv_job_store;

/* The numbers stand in files: new ones come at the end. */
enum pv_job_state {
	PV_JOB_QUEUED,
	PV_JOB_RUNNING,
	PV_JOB_PAUSED,   /* its crawl is closed, to be opened again */
	PV_JOB_STOPPING, /* what is in flight ends */
	PV_JOB_FINISHED,
	PV_JOB_LIMITED, /* by a limit of its policy */
	PV_JOB_STOPPED,
	PV_JOB_FAILED,
	PV_JOB_STATE_COUNT,
};

/* "queued"; and whether it has come to its end. */
const char *pv_job_state_word(enum pv_job_state state);
bool pv_job_state_is_end(enum pv_job_state state);

#define PV_JOB_ID_LEN 20

/* Texts are borrowed: from the caller in what is added, from the arena in what
 * was read. */
struct pv_job_record {
	uint64_t number; /* from 1, in their order; given when it is added */
	struct pv_str id;
	struct pv_str owner; /* the name of the token; empty: there are none */
	struct pv_str profile;  /* of the service; empty: none */
	struct pv_str policy;   /* YAML as it was sent; empty */
	struct pv_str urls;     /* a line each; empty */
	struct pv_str settings; /* KEY=VALUE, a line each; empty */
	struct pv_str labels;   /* a JSON object */
	struct pv_str webhook;  /* of the service; empty: none */
	enum pv_job_state state;
	struct pv_str reason; /* why it ended, in words; empty */
	int64_t created_ms;   /* since 1970, as all times here */
	int64_t started_ms;   /* 0: not yet */
	int64_t ended_ms;     /* 0: not yet */
};

/* A request that may come twice, and the digest of what it asks. */
struct pv_job_key {
	struct pv_str owner;
	struct pv_str key; /* as the caller chose it; empty: none */
	uint8_t digest[PV_DIGEST_SIZE];
};

/* NULL, with the reason, if it cannot be used. */
struct pv_job_store *pv_job_store_open(
    const char *directory, struct pv_why *why);
void pv_job_store_close(struct pv_job_store *store);

/* For the other tables of the file (paused_hosts.h). */
struct pv_database *pv_job_store_database(struct pv_job_store *store);

enum pv_store_status pv_job_store_status(const struct pv_job_store *store);
const char *pv_job_store_fault(const struct pv_job_store *store);

/* Adds a job as queued, with the key under which it was asked for, if there is
 * one. False if that could not be written. */
bool pv_job_store_add(struct pv_job_store *store,
    const struct pv_job_record *job, const struct pv_job_key *key);

/* What was answered to that key since then: fills in the id, and whether the
 * request was the same. False if nothing was. */
bool pv_job_store_find_key(struct pv_job_store *store,
    const struct pv_job_key *key, int64_t since_ms, struct pv_arena *arena,
    struct pv_str *id, bool *is_same);

/* False if there is none. */
bool pv_job_store_get(struct pv_job_store *store, struct pv_str id,
    struct pv_arena *arena, struct pv_job_record *job);

/* Each job behind that number (0: from the first) until the function returns
 * false; of one owner, or with NULL of all. */
typedef bool (*pv_job_fn)(void *ctx, const struct pv_job_record *job);
void pv_job_store_each(struct pv_job_store *store, uint64_t after,
    const struct pv_str *owner, pv_job_fn fn, void *ctx);

/* The same from the newest on; before that number, 0: from the last. */
void pv_job_store_each_back(struct pv_job_store *store, uint64_t before,
    const struct pv_str *owner, pv_job_fn fn, void *ctx);

/* The first that is queued; false if none is. */
bool pv_job_store_next(struct pv_job_store *store, struct pv_arena *arena,
    struct pv_job_record *job);

/* How many are in that state; of one owner, that have not ended. */
uint64_t pv_job_store_count(
    struct pv_job_store *store, enum pv_job_state state);
uint64_t pv_job_store_count_open(
    struct pv_job_store *store, struct pv_str owner);

/* It is in another state from that time; `reason` says why one ended. Its
 * webhook, if it has one, is to hear of that (store/service/webhook_store.h).
 * False if there is no such job, or nothing could be written. */
bool pv_job_store_set_state(struct pv_job_store *store, struct pv_str id,
    enum pv_job_state state, struct pv_str reason, int64_t now_ms);

/* False if there was none. */
bool pv_job_store_remove(struct pv_job_store *store, struct pv_str id);

/* Answers to keys from before then are forgotten. */
void pv_job_store_forget_keys(struct pv_job_store *store, int64_t before_ms);

#endif
