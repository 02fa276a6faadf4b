#ifndef PAVANE_SERVE_WEBHOOKS_OUTSTANDING_JOB_H
#define PAVANE_SERVE_WEBHOOKS_OUTSTANDING_JOB_H

#include "base/named_table.h"
#include "serve/config/webhook_table.h"
#include "serve/webhooks/message.h"
#include "store/service/webhook_store.h"

/* A job of which something is to be delivered, or may be, as it is held in memory:
 * its streams, each with how far it was delivered and how far it could be.
 *
 * A stream is the states that the job came to, its journal, or the rows of one
 * kind of pages. Deliveries of one stream follow one another; streams do not
 * wait for each other. */
#define PV_WEBHOOK_ID_MAX 40
#define PV_WEBHOOK_STATES_NAME "states"
#define PV_WEBHOOK_FETCH_NAME "end"

struct pv_webhook_job;

struct pv_webhook_stream {
	struct pv_webhook_job *job;
	struct pv_str name; /* as in pv_webhook_position */
	uint64_t position;
	uint64_t length; /* how far it can be delivered; as far as is known */
	char id[PV_WEBHOOK_ID_MAX + 1]; /* of the delivery under way; "" */
	uint64_t until;
	int64_t made_ms;
	int64_t since_ms;
	uint32_t tries;
	int64_t next_ms;
	const char *ended; /* why nothing more is delivered; "" */
	bool is_unsaved;   /* it is not on the disk as it is here */
	struct pv_webhook_message *flight; /* the sender's; NULL */
};

struct pv_webhook_job {
	struct pv_named named; /* by its id */
	struct pv_arena arena; /* of its texts */
	struct pv_webhook_job_record record;
	uint32_t receiver; /* its place in the configuration's webhooks */
	unsigned events;   /* of enum pv_webhook_events */
	struct pv_webhook_stream **streams;
	size_t stream_count;
	size_t streams_size;
	int64_t look_ms; /* when its lengths are looked at next */
	int64_t look_wait_ms;
	bool is_fetch;   /* it is none, but a fetch that has ended */
	bool has_looked; /* they are known, as of then */
	bool is_gone;    /* it was removed, or all of it was delivered */
};

/* With the positions that are on the disk. */
struct pv_webhook_job *pv_webhook_job_create(
    const struct pv_webhook_job_record *record, struct pv_webhook_store *store);

/* The delivery of a fetch that has ended, as a job of one stream. */
struct pv_fetch_delivery;
struct pv_webhook_job *pv_webhook_job_of_fetch(
    const struct pv_fetch_delivery *delivery);

/* Nobody waits for its messages any more. */
void pv_webhook_job_destroy(struct pv_webhook_job *job);

static inline struct pv_webhook_job *pv_webhook_job_of(struct pv_named *named)
{
	return (struct pv_webhook_job *)(void *)((char *)named -
						 offsetof(struct pv_webhook_job,
						     named));
}

/* Looks how far each stream can be delivered, below the service's directory. */
void pv_webhook_job_look(struct pv_webhook_job *job,
    struct pv_webhook_store *store, const char *directory);

/* Whether the stream is of the states. */
bool pv_webhook_stream_is_states(const struct pv_webhook_stream *stream);

/* Whether there is something that could be delivered, or has to be again. */
bool pv_webhook_stream_waits(const struct pv_webhook_stream *stream);

/* Whether the job has ended and nothing of it waits. */
bool pv_webhook_job_is_done(const struct pv_webhook_job *job);

/* Nothing more of the stream is delivered, for that reason. */
void pv_webhook_stream_end(struct pv_webhook_stream *stream, const char *why);

/* As it stands on the disk. */
struct pv_webhook_position pv_webhook_stream_position(
    const struct pv_webhook_stream *stream);

#endif
