#ifndef PAVANE_SERVE_WEBHOOKS_MESSAGE_H
#define PAVANE_SERVE_WEBHOOKS_MESSAGE_H

#include <stdint.h>

#include "base/buf.h"

struct pv_webhook_stream;

/* One try of a delivery, ready to be sent: made by who keeps the positions
 * (serve/webhooks/webhooks.h), and given back with its answer. */
struct pv_webhook_message {
	uint32_t receiver; /* the number of its webhook: its place in the table
			      that was there first, or in the order in which
			      others came */
	uint32_t tries;    /* of this delivery before this one */
	struct pv_buf id;
	struct pv_buf timestamp;
	struct pv_buf signature;
	struct pv_buf body;
	struct pv_webhook_stream *stream; /* NULL: what comes of it is of no
					     interest any more */
};

/* What came of it. */
struct pv_webhook_answer {
	uint16_t status;        /* 0: nobody answered */
	const char *why;        /* "" or why not: "it answered 503", "connection
			    refused" */
	int64_t retry_after_ms; /* so long it asks to be left alone (RFC 9110,
				   10.2.3); 0: it does not say */
};

/* A status of 2xx says that it has arrived. */
bool pv_webhook_answer_is_good(const struct pv_webhook_answer *answer);

struct pv_webhook_message *pv_webhook_message_create(void);
void pv_webhook_message_destroy(struct pv_webhook_message *message);

#endif
