#include "serve/webhooks/message.h"

#include <stdlib.h>

#include "base/alloc.h"

bool pv_webhook_answer_is_good(const struct pv_webhook_answer *answer)
{
	return answer->status >= 200 && answer->status < 300;
}

struct pv_webhook_message *pv_webhook_message_create(void)
{
	struct pv_webhook_message *message = pv_alloc(sizeof(*message));
	pv_buf_init(&message->id, SIZE_MAX);
	pv_buf_init(&message->timestamp, SIZE_MAX);
	pv_buf_init(&message->signature, SIZE_MAX);
	pv_buf_init(&message->body, SIZE_MAX);
	return message;
}

void pv_webhook_message_destroy(struct pv_webhook_message *message)
{
	if (!message)
		return;
	pv_buf_finish(&message->id);
	pv_buf_finish(&message->timestamp);
	pv_buf_finish(&message->signature);
	pv_buf_finish(&message->body);
	free(message);
}
