#ifndef PAVANE_SERVE_WEBHOOKS_SENDER_H
#define PAVANE_SERVE_WEBHOOKS_SENDER_H

#include "base/why.h"
#include "serve/config/webhook_table.h"
#include "serve/webhooks/message.h"

/* Posts messages to the addresses of webhooks, by the same rooms as a crawl makes
 * its requests: names are looked up and vetted, connections are pinned to what
 * was vetted, certificates are verified. Private and local hosts are reached only
 * if the webhook allows them. No redirect is followed, no more than
 * PV_WEBHOOK_ANSWER_MAX of an answer is read, and after PV_WEBHOOK_TIMEOUT_MS
 * there is none.
 *
 * It belongs to the thread of its loop. */
#define PV_WEBHOOK_ANSWER_MAX ((uint64_t)64 << 10)
#define PV_WEBHOOK_TIMEOUT_MS 15000

struct uv_loop_s;
struct pv_policy;
struct pv_webhook_sender;

struct pv_webhook_sender_plan {
	struct uv_loop_s *loop;
	const struct pv_webhook_table *table;
	const struct pv_policy *policy; /* who we are, name servers, whom we
					   trust; outlives it */

	/* On the loop, never within pv_webhook_sender_send: the message is the
	 * receiver's again. */
	void (*on_answer)(void *ctx, struct pv_webhook_message *message,
	    const struct pv_webhook_answer *answer);
	void *ctx;
};

/* NULL, with the reason, if libcurl cannot be used. */
struct pv_webhook_sender *pv_webhook_sender_create(
    const struct pv_webhook_sender_plan *plan, struct pv_why *why);

/* Another table takes the place of the plan's, and outlives it as well: a webhook of
 * a name that was there before keeps its number, new ones come behind. What is
 * under way goes on as it has begun. */
void pv_webhook_sender_change(
    struct pv_webhook_sender *sender, const struct pv_webhook_table *table);

/* The message is the sender's until its answer. */
void pv_webhook_sender_send(
    struct pv_webhook_sender *sender, struct pv_webhook_message *message);

/* Messages under way are dropped and destroyed. Its memory goes when the loop has
 * run its closing callbacks; pv_webhook_sender_free is called then. NULL is
 * fine. */
void pv_webhook_sender_close(struct pv_webhook_sender *sender);
void pv_webhook_sender_free(struct pv_webhook_sender *sender);

#endif
