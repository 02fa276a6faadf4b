#include "serve/webhooks/sender.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "fetch/fetch.h"
#include "loop/clock.h"
#include "names/names.h"
#include "policy/policy.h"
#include "policy/values/private_list.h"
#include "url/url.h"

/* id, timestamp, signature, type */
#define HEADERS 4

/* A program that is told, and what is needed to reach it. */
struct receiver {
	struct pv_url url;
	struct pv_private_list allowed;
	struct pv_policy policy; /* that of all, which lends it those hosts */
	struct pv_names *names;  /* NULL: nothing was sent yet */
};

struct flight {
	struct flight *previous;
	struct flight *next;
	struct pv_webhook_sender *sender;
	struct receiver *receiver;
	struct pv_webhook_message *message;
	struct pv_transfer *transfer; /* NULL: its name is looked up */
	struct pv_response response;
	struct pv_pair headers[HEADERS];
};

struct pv_webhook_sender {
	struct pv_webhook_sender_plan plan;
	struct pv_policy owner; /* names no hosts */
	struct pv_policy policy;
	struct receiver *receivers;
	struct pv_clock *clock; /* of the names */
	struct pv_fetch *fetch;
	struct flight *flights;
};

/* Policies: no part of them is owned but where it is said. */

static struct pv_policy make_owner(const struct pv_policy *base)
{
	struct pv_policy owner = *base;
	pv_domains_init(&owner.domains);
	owner.seeds.count = 0;
	owner.owner = NULL;
	owner.lent = NULL;
	return owner;
}

/* What a person has set for the pages of crawls is not for programs. */
static struct pv_policy make_policy(const struct pv_policy *owner)
{
	struct pv_policy policy = *owner;
	struct pv_fetch_policy *fetch = &policy.fetch;
	fetch->timeout.connect_ms = PV_WEBHOOK_TIMEOUT_MS;
	fetch->timeout.first_byte_ms = PV_WEBHOOK_TIMEOUT_MS;
	fetch->timeout.stall_ms = PV_WEBHOOK_TIMEOUT_MS;
	fetch->timeout.total_ms = PV_WEBHOOK_TIMEOUT_MS;
	fetch->accept = (struct pv_texts){0};
	fetch->headers = (struct pv_pairs){0};
	fetch->resolve = (struct pv_pairs){0};
	fetch->cookies = false;
	fetch->cookie_file = NULL;
	fetch->http2 = false;
	fetch->private = PV_PRIVATE_NAMED;
	policy.rate.bandwidth = PV_NONE;
	policy.owner = owner;
	return policy;
}

static void init_receiver(struct pv_webhook_sender *sender,
    struct receiver *receiver, const struct pv_webhook *webhook)
{
	pv_url_init(&receiver->url, SIZE_MAX);
	pv_url_parse(&receiver->url, pv_str_of(webhook->url));
	pv_private_list_init(&receiver->allowed);
	for (size_t i = 0; i < webhook->allow.count; i++)
		pv_private_list_add(
		    &receiver->allowed, pv_str_of(webhook->allow.items[i]));
	receiver->policy = sender->policy;
	receiver->policy.lent = &receiver->allowed;
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

static void end_flight(struct flight *flight, uint16_t status, const char *why)
{
	struct pv_webhook_sender *sender = flight->sender;
	struct pv_webhook_message *message = flight->message;
	const struct pv_webhook_answer answer = {.status = status, .why = why};
	sender->plan.on_answer(sender->plan.ctx, message, &answer);
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

static void on_end(void *ctx)
{
	struct flight *flight = ctx;
	const struct pv_response *response = &flight->response;
	char why[250];
	flight->transfer = NULL;
	if (!is_answer(response)) {
		snprintf(why, sizeof(why), "%s", response->why);
		end_flight(flight, 0, why);
		return;
	}
	snprintf(why, sizeof(why), "it answered %u",
	    (unsigned)response->http_status);
	end_flight(flight, response->http_status, why);
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
	const struct pv_url *url = &flight->receiver->url;
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
	    .tls_ca = sender->policy.manners.tls_ca,
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
	struct pv_str host = pv_url_host(&flight->receiver->url);
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
	end_flight(flight, 0, why);
}

static struct pv_names *names_of(
    struct pv_webhook_sender *sender, struct receiver *receiver)
{
	if (!receiver->names)
		receiver->names = pv_names_create(sender->plan.loop,
		    &receiver->policy, &pv_real_clock, sender->clock);
	return receiver->names;
}

/* What is known of the name and could not be used is looked up again: whoever
 * runs the receiver may have mended it. */
void pv_webhook_sender_send(
    struct pv_webhook_sender *sender, struct pv_webhook_message *message)
{
	struct receiver *receiver = &sender->receivers[message->receiver];
	struct pv_names *names = names_of(sender, receiver);
	struct flight *flight = pv_alloc(sizeof(*flight));
	flight->sender = sender;
	flight->receiver = receiver;
	flight->message = message;
	pv_response_init(&flight->response, ".", PV_WEBHOOK_ANSWER_MAX);
	join(flight);
	struct pv_str host = pv_url_host(&receiver->url);
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
	sender->owner = make_owner(plan->policy);
	sender->policy = make_policy(&sender->owner);
	sender->receivers =
	    pv_alloc_array(plan->table->count + 1, sizeof(*sender->receivers));
	for (size_t i = 0; i < plan->table->count; i++)
		init_receiver(
		    sender, &sender->receivers[i], &plan->table->items[i]);
	sender->clock = pv_real_clock.create(plan->loop, on_wake, sender);
	const struct pv_fetch_plan fetch = {
	    .loop = plan->loop, .policy = &sender->policy, .lanes = 1};
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
	for (size_t i = 0; i < sender->plan.table->count; i++)
		pv_names_destroy(sender->receivers[i].names);
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
	for (size_t i = 0; i < sender->plan.table->count; i++) {
		pv_url_finish(&sender->receivers[i].url);
		pv_private_list_finish(&sender->receivers[i].allowed);
	}
	pv_domains_finish(&sender->owner.domains);
	free(sender->receivers);
	free(sender);
}
