#ifndef PAVANE_SERVE_WEBHOOKS_DELIVERING_H
#define PAVANE_SERVE_WEBHOOKS_DELIVERING_H

#include "serve/webhooks/webhooks_state.h"

/* One stream being delivered: the next delivery is made, sent, and its answer
 * noted. */

/* Does what can be done now; what there is to be waited for, in milliseconds, or
 * -1 if that is an answer, or news. Whether anything was sent is added to
 * `sent`. */
int64_t pv_webhook_stream_advance(struct pv_webhooks *webhooks,
    struct pv_webhook_stream *stream, int64_t now, unsigned *sent);

/* Notes the answer to the message, which is destroyed. */
void pv_webhook_note_answer(struct pv_webhooks *webhooks,
    struct pv_webhook_message *message, const struct pv_webhook_answer *answer);

#endif
