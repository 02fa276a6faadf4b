#ifndef PAVANE_SERVE_WEBHOOKS_WEBHOOKS_H
#define PAVANE_SERVE_WEBHOOKS_WEBHOOKS_H

#include "base/hash.h"
#include "base/why.h"
#include "pavane/core.h"
#include "serve/config/webhook_table.h"
#include "serve/webhooks/message.h"
#include "store/service/webhook_store.h"

/* Telling other programs of jobs: that they came to another state, and what they
 * found, each at least once and in its order.
 *
 * A delivery has an id and reaches over a part of a stream that does not change
 * (serve/webhooks/outstanding_job.h). Both are on the disk before it is sent for
 * the first time; that it has arrived is on the disk before the next one of the
 * stream is sent. So whatever ends the process, it is sent again under the same
 * id with the same body, and nothing is left out. One that fails is tried again
 * (serve/webhooks/retries.h) until the webhook's retry_for is over, or the
 * receiver says that it is gone (410).
 *
 * Nothing here asks for the time or the network: pv_webhooks_turn is called by who
 * has both (serve/webhooks/delivery_thread.h). All functions may be called from
 * any thread. */
struct pv_webhooks;

/* So many of one webhook's deliveries are under way at once, so that one that
 * answers slowly holds up no other. */
#define PV_WEBHOOK_IN_FLIGHT_MAX 4

struct pv_webhooks_plan {
	const char *directory; /* of the service */
	const struct pv_webhook_table *table;
	struct pv_hash_key key; /* that nobody can guess */

	/* Time and chance: milliseconds since 1970; bytes nobody can guess. */
	int64_t (*now_ms)(void *ctx);
	void (*random)(void *ctx, void *bytes, size_t size);

	/* Sends a message, which comes back by pv_webhooks_on_answer, never
	 * within the call. Called within pv_webhooks_turn. */
	void (*send)(void *ctx, struct pv_webhook_message *message);

	/* A line about a job, or a webhook; in any thread. */
	void (*log)(void *ctx, enum pavane_level level, struct pv_str about,
	    const char *line);
	void *ctx;
};

/* Takes up what an earlier process has left. NULL, with the reason, if that
 * cannot be done. The file has been opened by the jobs before; what the plan
 * points to outlives it. */
struct pv_webhooks *pv_webhooks_open(
    const struct pv_webhooks_plan *plan, struct pv_why *why);

/* Another table takes the place of the plan's, and outlives it as well. What of a
 * webhook that is not in it was not delivered stays on the disk, until it is there
 * again; deliveries of a new one begin with the next turn. Called where turns
 * are. */
void pv_webhooks_change(
    struct pv_webhooks *webhooks, const struct pv_webhook_table *table);

/* Messages that are under way are still there, and the sender's, who drops them
 * afterwards. NULL is fine. */
void pv_webhooks_close(struct pv_webhooks *webhooks);

/* Sends what is due, and says in how many milliseconds to call it again; -1: when
 * something has happened. */
int64_t pv_webhooks_turn(struct pv_webhooks *webhooks);

/* Takes a message back. A turn is due then. */
void pv_webhooks_on_answer(struct pv_webhooks *webhooks,
    struct pv_webhook_message *message, const struct pv_webhook_answer *answer);

/* What came of a wish. */
enum pv_webhooks_wish {
	PV_WEBHOOKS_DONE,
	PV_WEBHOOKS_NONE,  /* the job has no webhook, or there is none of that
			      name any more */
	PV_WEBHOOKS_FAULT, /* it cannot be written */
};

/* Deliveries of a job begin again, where they have ended as well: from its
 * beginning, with other ids, or from where each stream stands, as if nothing had
 * failed. A turn is due then. */
enum pv_webhooks_wish pv_webhooks_redeliver(
    struct pv_webhooks *webhooks, struct pv_str job, bool is_from_start);

/* How far each stream of a job is, as far as anything was delivered of it. */
void pv_webhooks_each_position(struct pv_webhooks *webhooks, struct pv_str job,
    pv_webhook_position_fn fn, void *ctx);

struct pv_webhook_figures {
	const char *name;
	uint64_t waiting; /* streams with something to be delivered */
	uint64_t delivered;
	uint64_t failed; /* tries */
	uint64_t ended;  /* streams, without all of it being delivered */
};

typedef void (*pv_webhook_figures_fn)(
    void *ctx, const struct pv_webhook_figures *figures);
void pv_webhooks_each_figures(
    struct pv_webhooks *webhooks, pv_webhook_figures_fn fn, void *ctx);

#endif
