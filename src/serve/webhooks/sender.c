#include "serve/webhooks/sender.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "fetch/fetch.h"
#include "http/retry_after.h"
#include "loop/clock.h"
#include "names/names.h"
#include "policy/policy.h"
#include "serve/webhooks/destinations.h"
#include "url/url.h"

/* id, timestamp, signature, type */
#define HEADERS 4

struct flight {
	struct flight *previous;
	struct flight *next;
	struct pv_webhook_sender *sender;
	struct pv_webhook_destination *destination;
	struct pv_webhook_message *message;
	struct pv_transfer *transfer; /* NULL: its name is looked up */
	struct pv_response response;
	struct pv_pair headers[HEADERS];
};

struct pv_webhook_sender {
	struct pv_webhook_sender_plan plan;
	struct pv_webhook_destinations destinations;
	struct pv_clock *clock; /* of the names */
	struct pv_fetch *fetch;
	struct flight *flights;
};

void pv_webhook_sender_change(
    struct pv_webhook_sender *sender, const struct pv_webhook_table *table)
{
	pv_webhook_destinations_change(&sender->destinations, table);
}

/* Flights */

static void join(struct flight *flight)
{
	struct pv_webhook_sender *sender = flight->sender;
	flight->next = sender->flights;
	if (flight->next)
		flight->next->previous = flight;
	sender->flights = flight;
}

static void release_flight(struct flight *flight)
{
	pv_response_finish(&flight->response);
	free(flight);
}

static void destroy_flight(struct flight *flight)
{
	if (flight->next)
		flight->next->previous = flight->previous;
	if (flight->previous)
		flight->previous->next = flight->next;
	else
		flight->sender->flights = flight->next;
	release_flight(flight);
}

static void end_flight(
    struct flight *flight, const struct pv_webhook_answer *answer)
{
	struct pv_webhook_sender *sender = flight->sender;
	struct pv_webhook_message *message = flight->message;
	sender->plan.on_answer(sender->plan.ctx, message, answer);
	destroy_flight(flight);
}

/* An answer that was longer than is read has said enough. */
static bool is_answer(const struct pv_response *response)
{
	return response->outcome == PV_OUTCOME_ANSWERED ||
	       response->outcome == PV_OUTCOME_TOO_LARGE;
}

static void on_sent(void *ctx)
{
	(void)ctx;
}

/* Only who is busy says when to come again (RFC 6585, 4; RFC 9110, 15.6.4). */
static int64_t retry_after_of(const struct flight *flight)
{
	const struct pv_response *response = &flight->response;
	int64_t wait_ms = 0;
	if (response->http_status == 429 || response->http_status == 503)
		pv_retry_after_of(&response->headers,
		    pv_real_clock.now(flight->sender->clock).wall_ms, &wait_ms);
	return wait_ms;
}

static void on_end(void *ctx)
{
	struct flight *flight = ctx;
	const struct pv_response *response = &flight->response;
	struct pv_webhook_answer answer = {.status = 0};
	char why[250];
	answer.why = why;
	flight->transfer = NULL;
	if (is_answer(response)) {
		answer.status = response->http_status;
		answer.retry_after_ms = retry_after_of(flight);
		snprintf(why, sizeof(why), "it answered %u",
		    (unsigned)response->http_status);
	} else {
		snprintf(why, sizeof(why), "%s", response->why);
	}
	end_flight(flight, &answer);
}

static void write_headers(struct flight *flight)
{
	const struct pv_webhook_message *message = flight->message;
	flight->headers[0] =
	    (struct pv_pair){"Content-Type", "application/json"};
	flight->headers[1] =
	    (struct pv_pair){"webhook-id", pv_buf_text(&message->id)};
	flight->headers[2] = (struct pv_pair){
	    "webhook-timestamp", pv_buf_text(&message->timestamp)};
	flight->headers[3] = (struct pv_pair){
	    "webhook-signature", pv_buf_text(&message->signature)};
}

/* Of several addresses each try has another. */
static void start(struct flight *flight, const struct pv_name_answer *answer)
{
	struct pv_webhook_sender *sender = flight->sender;
	const struct pv_webhook_message *message = flight->message;
	const struct pv_url *url = &flight->destination->url;
	write_headers(flight);
	const struct pv_request request = {
	    .url = url,
	    .address = answer->addresses[message->tries % answer->count],
	    .port = pv_url_port(url),
	    .headers = {flight->headers, HEADERS},
	    .body = pv_buf_str(&message->body),
	    .is_any_type = true,
	    .is_beginning_enough = true,
	    .is_tls_verified = true,
	    .tls_ca = sender->destinations.policy.manners.tls_ca,
	    .entity_tag = {"", 0},
	    .clock = pv_url_host(url),
	    .response = &flight->response,
	    .on_sent = on_sent,
	    .on_end = on_end,
	    .ctx = flight,
	};
	flight->transfer = pv_fetch_start(sender->fetch, &request);
}

/* What the names say of forbidden addresses is about policies of crawls. */
static void write_why(const struct flight *flight,
    const struct pv_name_answer *answer, char *why, size_t size)
{
	struct pv_str host = pv_url_host(&flight->destination->url);
	if (answer->result == PV_NAME_FORBIDDEN)
		snprintf(why, size,
		    "%.*s has only addresses on this machine or a private "
		    "network, which its key allow does not name",
		    PV_STR_ARG(host));
	else
		snprintf(why, size, "%s", answer->why);
}

static void on_name(void *ctx, const struct pv_name_answer *answer)
{
	struct flight *flight = ctx;
	char why[400];
	if (answer->result == PV_NAME_FOUND) {
		start(flight, answer);
		return;
	}
	write_why(flight, answer, why, sizeof(why));
	end_flight(flight, &(struct pv_webhook_answer){.why = why});
}

static struct pv_names *names_of(struct pv_webhook_sender *sender,
    struct pv_webhook_destination *destination)
{
	if (!destination->names)
		destination->names = pv_names_create(sender->plan.loop,
		    &destination->policy, &pv_real_clock, sender->clock);
	return destination->names;
}

/* What is known of the name and could not be used is looked up again: whoever
 * runs the receiver may have mended it. */
void pv_webhook_sender_send(
    struct pv_webhook_sender *sender, struct pv_webhook_message *message)
{
	struct pv_webhook_destination *destination =
	    sender->destinations.items[message->receiver];
	struct pv_names *names = names_of(sender, destination);
	struct flight *flight = pv_alloc(sizeof(*flight));
	flight->sender = sender;
	flight->destination = destination;
	flight->message = message;
	pv_response_init(&flight->response, ".", PV_WEBHOOK_ANSWER_MAX);
	join(flight);
	struct pv_str host = pv_url_host(&destination->url);
	const struct pv_name_answer *known = pv_names_get(names, host);
	if (known && known->result == PV_NAME_FOUND)
		start(flight, known);
	else
		pv_names_find(names, host, on_name, flight);
}

/* Life */

static void on_wake(void *ctx)
{
	(void)ctx;
}

struct pv_webhook_sender *pv_webhook_sender_create(
    const struct pv_webhook_sender_plan *plan, struct pv_why *why)
{
	struct pv_webhook_sender *sender = pv_alloc(sizeof(*sender));
	sender->plan = *plan;
	pv_webhook_destinations_init(&sender->destinations, plan->policy);
	pv_webhook_destinations_change(&sender->destinations, plan->table);
	sender->clock = pv_real_clock.create(plan->loop, on_wake, sender);
	const struct pv_fetch_plan fetch = {.loop = plan->loop,
	    .policy = &sender->destinations.policy,
	    .lanes = 1};
	sender->fetch = pv_fetch_create(&fetch, why);
	if (sender->fetch)
		return sender;
	pv_webhook_sender_close(sender);
	return NULL;
}

static void drop_flights(struct pv_webhook_sender *sender)
{
	for (struct flight *flight = sender->flights; flight;
	     flight = flight->next) {
		if (flight->transfer)
			pv_fetch_cancel(sender->fetch, flight->transfer);
	}
}

void pv_webhook_sender_close(struct pv_webhook_sender *sender)
{
	if (!sender)
		return;
	drop_flights(sender);
	for (struct pv_webhook_destination *all = sender->destinations.all; all;
	     all = all->next)
		pv_names_destroy(all->names);
	pv_fetch_destroy(sender->fetch);
	pv_real_clock.destroy(sender->clock);
}

/* What a lane might still have read is released last. */
void pv_webhook_sender_free(struct pv_webhook_sender *sender)
{
	if (!sender)
		return;
	struct flight *next;
	for (struct flight *flight = sender->flights; flight; flight = next) {
		next = flight->next;
		pv_webhook_message_destroy(flight->message);
		release_flight(flight);
	}
	pv_webhook_destinations_finish(&sender->destinations);
	free(sender);
}
