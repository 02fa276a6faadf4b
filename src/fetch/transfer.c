#include "fetch/transfer.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "url/url.h"

struct pv_transfer *pv_transfer_create(void)
{
	struct pv_transfer *transfer = pv_alloc(sizeof(*transfer));
	pv_buf_init(&transfer->url, SIZE_MAX);
	pv_buf_init(&transfer->entity_tag, SIZE_MAX);
	pv_buf_init(&transfer->authorization, SIZE_MAX);
	pv_buf_init(&transfer->body, SIZE_MAX);
	pv_buf_init(&transfer->proxy, SIZE_MAX);
	pv_buf_init(&transfer->proxy_name, SIZE_MAX);
	pv_buf_init(&transfer->part_texts, SIZE_MAX);
	transfer->start = (struct pv_note){NULL, PV_ORDER_START, transfer};
	transfer->cancel = (struct pv_note){NULL, PV_ORDER_CANCEL, transfer};
	transfer->grant = (struct pv_note){NULL, PV_ORDER_GRANT, transfer};
	transfer->sent = (struct pv_note){NULL, PV_NOTICE_SENT, transfer};
	transfer->asks = (struct pv_note){NULL, PV_NOTICE_ASKS, transfer};
	transfer->ended = (struct pv_note){NULL, PV_NOTICE_ENDED, transfer};
	transfer->cancelled =
	    (struct pv_note){NULL, PV_NOTICE_CANCELLED, transfer};
	return transfer;
}

void pv_transfer_destroy(struct pv_transfer *transfer)
{
	pv_buf_finish(&transfer->url);
	pv_buf_finish(&transfer->entity_tag);
	pv_buf_finish(&transfer->authorization);
	pv_buf_finish(&transfer->body);
	pv_buf_finish(&transfer->proxy);
	pv_buf_finish(&transfer->proxy_name);
	pv_buf_finish(&transfer->part_texts);
	free(transfer);
}

static struct pv_str keep(struct pv_buf *buf, struct pv_str text)
{
	pv_buf_clear(buf);
	pv_buf_append(buf, text);
	return pv_buf_str(buf);
}

static const char *keep_text(struct pv_buf *buf, const char *text)
{
	if (!text)
		return NULL;
	keep(buf, pv_str_of(text));
	return pv_buf_text(buf);
}

/* The owner of a dropped transfer may free its part while the lane still reads
 * its texts. */
static void keep_part(struct pv_transfer *transfer, const struct pv_part *part)
{
	struct pv_buf *texts = &transfer->part_texts;
	transfer->part = *part;
	pv_buf_clear(texts);
	pv_buf_append(texts, part->validator);
	pv_buf_append(texts, part->headers);
	transfer->part.validator =
	    pv_str_head(pv_buf_str(texts), part->validator.len);
	transfer->part.headers =
	    pv_str_from(pv_buf_str(texts), part->validator.len);
	transfer->request.part = &transfer->part;
}

/* The caller's response has no memory of its own until it gets this one
 * back. */
static void take_response(struct pv_transfer *transfer)
{
	struct pv_response *wanted = transfer->wanted;
	transfer->response = *wanted;
	pv_response_init(wanted, transfer->response.body.directory,
	    transfer->response.body.ceiling);
	transfer->request.response = &transfer->response;
}

void pv_transfer_load(
    struct pv_transfer *transfer, const struct pv_request *request)
{
	transfer->request = *request;
	transfer->request.url = NULL;
	transfer->request.clock = (struct pv_str){NULL, 0};
	transfer->wanted = request->response;
	transfer->on_sent = request->on_sent;
	transfer->on_end = request->on_end;
	transfer->ctx = request->ctx;
	atomic_store(&transfer->is_dropped, false);
	transfer->is_over = false;
	transfer->granted = 0;
	transfer->grants_heard = 0;
	transfer->is_tls = request->url->parts.is_secure;
	transfer->exchange = NULL;
	transfer->came = 0;
	transfer->is_cut = false;
	keep(&transfer->url, pv_buf_str(&request->url->text));
	transfer->request.entity_tag =
	    keep(&transfer->entity_tag, request->entity_tag);
	transfer->request.authorization =
	    keep_text(&transfer->authorization, request->authorization);
	transfer->request.proxy = keep_text(&transfer->proxy, request->proxy);
	transfer->request.proxy_name =
	    keep_text(&transfer->proxy_name, request->proxy_name);
	if (request->body.ptr)
		transfer->request.body = keep(&transfer->body, request->body);
	if (request->part)
		keep_part(transfer, request->part);
	take_response(transfer);
}

/* A transfer that rests does not keep the room of a large body. */
void pv_transfer_unload(struct pv_transfer *transfer)
{
	pv_buf_finish(&transfer->body);
	if (atomic_load(&transfer->is_dropped))
		pv_response_finish(&transfer->response);
	else
		*transfer->wanted = transfer->response;
}
