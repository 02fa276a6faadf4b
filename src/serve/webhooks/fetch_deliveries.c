#include "serve/webhooks/fetch_deliveries.h"

#include <stdio.h>
#include <unistd.h>

#include "serve/webhooks/event_body.h"

/* Between two tries to open a database that has failed. */
#define REOPEN_MS 5000

/* What takes part in the taking up of those of one webhook. */
struct loading {
	struct pv_webhooks *webhooks;
	uint32_t receiver;
};

bool pv_fetch_deliveries_work(const struct pv_webhooks *webhooks)
{
	return webhooks->fetches &&
	       pv_fetch_delivery_store_status(webhooks->fetches) == PV_STORE_OK;
}

/* Where nobody has fetched anything there is no such file. */
static bool is_there(const struct pv_webhooks *webhooks)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/fetches.db", webhooks->plan.directory);
	bool is_there = access(pv_buf_text(&path), F_OK) == 0;
	pv_buf_finish(&path);
	return is_there;
}

static bool open_store(struct pv_webhooks *webhooks, int64_t now)
{
	struct pv_why why;
	if (pv_fetch_deliveries_work(webhooks))
		return true;
	if (webhooks->fetches && now - webhooks->fetches_opened_ms < REOPEN_MS)
		return false;
	webhooks->fetches_opened_ms = now;
	pv_fetch_delivery_store_close(webhooks->fetches);
	pv_why_init(&why);
	webhooks->fetches =
	    pv_fetch_delivery_store_open(webhooks->plan.directory, &why);
	pv_why_finish(&why);
	return webhooks->fetches;
}

static void load(void *ctx, const struct pv_fetch_delivery *delivery)
{
	const struct loading *loading = ctx;
	struct pv_webhooks *webhooks = loading->webhooks;
	struct pv_webhook_receiver *receiver =
	    &webhooks->receivers.items[loading->receiver];
	struct pv_webhook_job *job = pv_webhook_job_of_fetch(delivery);
	job->receiver = loading->receiver;
	job->events = receiver->webhook->events & PV_WEBHOOK_FETCHES;
	if (!job->events) /* it hears of no fetches any more */
		pv_webhook_stream_end(job->streams[0], "it is not wanted");
	pv_named_add(&webhooks->jobs, &job->named);
	receiver->last_fetch = delivery->number;
	receiver->fetch_count++;
}

bool pv_fetch_deliveries_load(struct pv_webhooks *webhooks, int64_t now)
{
	if (!webhooks->fetches && !is_there(webhooks))
		return true;
	if (!open_store(webhooks, now))
		return false;
	for (size_t i = 0; i < webhooks->receivers.count; i++) {
		const struct pv_webhook_receiver *receiver =
		    &webhooks->receivers.items[i];
		struct loading loading = {webhooks, (uint32_t)i};
		if (receiver->webhook &&
		    receiver->fetch_count < PV_FETCH_DELIVERIES_MAX)
			pv_fetch_delivery_store_each(webhooks->fetches,
			    pv_str_of(receiver->name), receiver->last_fetch,
			    PV_FETCH_DELIVERIES_MAX - receiver->fetch_count,
			    load, &loading);
	}
	return pv_fetch_deliveries_work(webhooks);
}

void pv_fetch_deliveries_forget(struct pv_webhooks *webhooks)
{
	for (size_t i = 0; i < webhooks->receivers.count; i++) {
		struct pv_webhook_receiver *receiver =
		    &webhooks->receivers.items[i];
		if (!receiver->webhook)
			receiver->last_fetch = 0;
	}
}

bool pv_fetch_deliveries_write(struct pv_webhooks *webhooks,
    struct pv_webhook_job *job, struct pv_buf *body)
{
	struct pv_arena arena;
	struct pv_fetch fetch;
	pv_arena_init(&arena);
	bool is_there = pv_fetch_delivery_store_get(
	    webhooks->fetches, job->record.number, &arena, &fetch);
	if (is_there)
		pv_webhook_write_fetch(&fetch, body);
	pv_arena_finish(&arena);
	return is_there;
}

bool pv_fetch_deliveries_put(
    struct pv_webhooks *webhooks, const struct pv_webhook_stream *stream)
{
	const struct pv_fetch_delivery delivery = {
	    .number = stream->job->record.number,
	    .id = pv_str_of(stream->id),
	    .made_ms = stream->made_ms,
	    .since_ms = stream->since_ms,
	    .tries = stream->tries,
	    .next_ms = stream->next_ms,
	};
	/* What has arrived, or is given up, is settled at once. */
	return !pv_webhook_stream_waits(stream) ||
	       pv_fetch_delivery_store_put(webhooks->fetches, &delivery);
}

bool pv_fetch_deliveries_settle(
    struct pv_webhooks *webhooks, const struct pv_webhook_job *job)
{
	return pv_fetch_delivery_store_settle(
	    webhooks->fetches, job->record.number);
}

uint64_t pv_fetch_deliveries_count(
    struct pv_webhooks *webhooks, const char *webhook)
{
	return pv_fetch_deliveries_work(webhooks)
		   ? pv_fetch_delivery_store_count(
			 webhooks->fetches, pv_str_of(webhook))
		   : 0;
}
