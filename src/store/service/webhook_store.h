#ifndef PAVANE_STORE_SERVICE_WEBHOOK_STORE_H
#define PAVANE_STORE_SERVICE_WEBHOOK_STORE_H

#include "base/arena.h"
#include "base/why.h"
#include "store/database.h"
#include "store/service/job_store.h"

/* jobs.db once more, as the one who delivers to webhooks sees it: which jobs have
 * deliveries outstanding, what happened to each, and how far each of their
 * streams has been delivered.
 *
 * It is a connection of its own, for one thread at a time, to a file that
 * pv_job_store_open has made. Each function is a transaction; after the first
 * fault nothing is done any more (store/database.h). */
struct pv_webhook_store;

struct pv_webhook_job_record {
	uint64_t number;
	struct pv_str id;
	struct pv_str webhook; /* its name in the configuration */
	struct pv_str labels;  /* a JSON object */
	enum pv_job_state state;
	bool is_outstanding; /* something is to be delivered, or may be */
};

/* A job that came to another state. */
struct pv_webhook_event {
	uint64_t number; /* from 1, of all jobs together */
	struct pv_str job;
	enum pv_job_state state;
	struct pv_str reason; /* why it ended; empty */
	int64_t at_ms;
};

/* One stream of a job: its states, or a file of lines. What stands before the
 * position was delivered; a delivery that is under way reaches from there to
 * `until`, and is the same in each try. */
struct pv_webhook_position {
	struct pv_str job;
	struct pv_str stream; /* "states"; else the name of a file without
				 ".jsonl": "journal", "fields/news" */
	uint64_t position;    /* an event's number; else an offset */
	struct pv_str id;     /* of that delivery; empty: there is none */
	uint64_t until;
	int64_t made_ms;  /* when it was made */
	int64_t since_ms; /* when it was tried first, of those tries */
	uint32_t tries;
	int64_t next_ms;     /* not before then */
	struct pv_str ended; /* why nothing more is delivered; empty */
};

/* NULL, with the reason, if it cannot be used. */
struct pv_webhook_store *pv_webhook_store_open(
    const char *directory, struct pv_why *why);
void pv_webhook_store_close(struct pv_webhook_store *store);

enum pv_store_status pv_webhook_store_status(
    const struct pv_webhook_store *store);
const char *pv_webhook_store_fault(const struct pv_webhook_store *store);

/* Each job that has a webhook and deliveries outstanding. */
typedef bool (*pv_webhook_job_fn)(
    void *ctx, const struct pv_webhook_job_record *job);
void pv_webhook_store_each_job(
    struct pv_webhook_store *store, pv_webhook_job_fn fn, void *ctx);

/* One job that has a webhook; false if there is none. The texts are the
 * arena's. */
bool pv_webhook_store_get_job(struct pv_webhook_store *store, struct pv_str id,
    struct pv_arena *arena, struct pv_webhook_job_record *job);

/* Each event behind that number, until the function returns false. */
typedef bool (*pv_webhook_event_fn)(
    void *ctx, const struct pv_webhook_event *event);
void pv_webhook_store_each_event(struct pv_webhook_store *store, uint64_t after,
    pv_webhook_event_fn fn, void *ctx);

/* The number of the last event; of all jobs, or of one. 0: there is none. */
uint64_t pv_webhook_store_last_event(struct pv_webhook_store *store);
uint64_t pv_webhook_store_last_event_of(
    struct pv_webhook_store *store, struct pv_str job);

/* The first event of a job behind that number; false if there is none. */
bool pv_webhook_store_next_event(struct pv_webhook_store *store,
    struct pv_str job, uint64_t after, struct pv_arena *arena,
    struct pv_webhook_event *event);

/* Each stream of the job that has a position. */
typedef bool (*pv_webhook_position_fn)(
    void *ctx, const struct pv_webhook_position *position);
void pv_webhook_store_each_position(struct pv_webhook_store *store,
    struct pv_str job, pv_webhook_position_fn fn, void *ctx);

/* Notes the position of a stream; false if there is no such job any more, or it
 * could not be written. */
bool pv_webhook_store_put(
    struct pv_webhook_store *store, const struct pv_webhook_position *position);

/* Nothing more is outstanding of the job. */
bool pv_webhook_store_settle(struct pv_webhook_store *store, struct pv_str job);

/* Deliveries of the job are outstanding again, those that have ended too: from
 * its beginning, with other ids, or from where each stream stands, as if nothing
 * had failed. */
bool pv_webhook_store_begin_again(
    struct pv_webhook_store *store, struct pv_str job, bool is_from_start);

#endif
