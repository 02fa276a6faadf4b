#ifndef PAVANE_SERVE_WEBHOOKS_DELIVERY_THREAD_H
#define PAVANE_SERVE_WEBHOOKS_DELIVERY_THREAD_H

#include "serve/webhooks/sender.h"
#include "serve/webhooks/webhooks.h"

/* The thread that delivers to webhooks: a loop with a sender, which takes a turn
 * of the webhooks when something is due, an answer has come, or it was rung. */
struct pv_delivery_thread;

/* The plan's `send` and `ctx` are the thread's own; `policy` as in
 * pv_webhook_sender_plan. NULL, with the reason, if it cannot be started. */
struct pv_delivery_plan {
	struct pv_webhooks_plan webhooks;
	const struct pv_policy *policy;
};

struct pv_delivery_thread *pv_delivery_thread_start(
    const struct pv_delivery_plan *plan, struct pv_why *why);

/* Other webhooks take the place of those that there are. */
struct pv_delivery_change {
	const struct pv_webhook_table *table;
	void (*give_back)(void *owner); /* when the table is read no more */
	void *owner;
};

/* Waits until it has come about: a job may name a new one then. */
void pv_delivery_thread_change(
    struct pv_delivery_thread *thread, const struct pv_delivery_change *change);

/* Something has happened to a job; from any thread. NULL is fine. */
void pv_delivery_thread_ring(struct pv_delivery_thread *thread);

/* For requests about deliveries; after a change the thread is to be rung. */
struct pv_webhooks *pv_delivery_thread_webhooks(
    struct pv_delivery_thread *thread);

/* What is under way is broken off, to be delivered again by the next process.
 * NULL is fine. */
void pv_delivery_thread_stop(struct pv_delivery_thread *thread);

#endif
