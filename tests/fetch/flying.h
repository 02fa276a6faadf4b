#ifndef PAVANE_TESTS_FETCH_FLYING_H
#define PAVANE_TESTS_FETCH_FLYING_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <uv.h>

#include "fetch/exchange.h"
#include "fetch/lookout.h"
#include "fetch/transfer.h"
#include "policy/loaded.h"
#include "server/server.h"
#include "tap.h"
#include "url/url.h"

/* A fetcher on a loop of its own, and requests to be made with it. */
struct airport {
	struct loaded loaded;
	uv_loop_t loop;
	struct pv_fetch *fetch;
	struct lookout lookouts[LOOKOUTS_MAX];
};

/* A request and what came of it. What it asks for may be changed before it is
 * sent. */
struct journey {
	struct airport *airport;
	struct pv_request request;
	struct pv_response response;
	struct pv_transfer *transfer;
	unsigned sent_count;
	unsigned end_count;
	bool is_out_of_order; /* it ended before it was sent */
	void (*on_end)(struct journey *journey);
	struct pv_url url;
};

#define BODY_MAX ((uint64_t)1024 * 1024)

static void airport_open_leased(struct airport *airport, const char *policy,
    const struct pv_lease *lease)
{
	struct pv_why why;
	pv_why_init(&why);
	*airport = (struct airport){.loaded = load_text(policy)};
	is_right(&airport->loaded);
	uv_loop_init(&airport->loop);
	struct pv_fetch_plan plan = {
	    .loop = &airport->loop,
	    .policy = airport->loaded.policy,
	    .lease = lease,
	};
	airport->fetch = pv_fetch_create(&plan, &why);
	if (!airport->fetch)
		printf("# %s\n", why.problems.kept[0].text);
	pv_why_finish(&why);
}

__attribute__((unused)) static void airport_open(
    struct airport *airport, const char *policy)
{
	airport_open_leased(airport, policy, NULL);
}

/* Whether it left nothing behind on the loop. */
__attribute__((unused)) static bool airport_close(struct airport *airport)
{
	pv_fetch_destroy(airport->fetch);
	uv_run(&airport->loop, UV_RUN_DEFAULT);
	bool is_empty = uv_loop_close(&airport->loop) == 0;
	loaded_finish(&airport->loaded);
	return is_empty;
}

static void journey_on_sent(void *ctx)
{
	struct journey *journey = ctx;
	journey->sent_count++;
	if (journey->end_count)
		journey->is_out_of_order = true;
}

static void journey_on_end(void *ctx)
{
	struct journey *journey = ctx;
	journey->end_count++;
	journey->transfer = NULL;
	uv_stop(&journey->airport->loop);
	if (journey->on_end)
		journey->on_end(journey);
}

static struct pv_address address_of(const char *text)
{
	struct pv_address address = {.bits = 0};
	pv_address_read(pv_str_of(text), &address);
	return address;
}

/* To a loopback address; the port is that of the URL. */
__attribute__((unused)) static void journey_init(struct journey *journey,
    struct airport *airport, const char *url, const char *address)
{
	*journey = (struct journey){.airport = airport};
	pv_url_init(&journey->url, 8192);
	pv_url_parse(&journey->url, pv_str_of(url));
	pv_response_init(&journey->response, ".", BODY_MAX);
	journey->request = (struct pv_request){
	    .url = &journey->url,
	    .address = address_of(address),
	    .port = pv_url_port(&journey->url),
	    .is_tls_verified = true,
	    .response = &journey->response,
	    .on_sent = journey_on_sent,
	    .on_end = journey_on_end,
	    .ctx = journey,
	};
}

__attribute__((unused)) static void journey_finish(struct journey *journey)
{
	pv_response_finish(&journey->response);
	pv_url_finish(&journey->url);
}

__attribute__((unused)) static void journey_start(struct journey *journey)
{
	journey->transfer =
	    pv_fetch_start(journey->airport->fetch, &journey->request);
	lookout_post(journey->airport->lookouts, journey->transfer->lane);
}

/* Lets the loop run until it has ended. */
__attribute__((unused)) static void journey_await(struct journey *journey)
{
	while (
	    !journey->end_count && uv_run(&journey->airport->loop, UV_RUN_ONCE))
		continue;
}

__attribute__((unused)) static void journey_make(struct journey *journey)
{
	journey_start(journey);
	journey_await(journey);
}

/* Lets the loop run for a moment, while the lane goes on. */
__attribute__((unused)) static void airport_wait(struct airport *airport)
{
	uv_run(&airport->loop, UV_RUN_NOWAIT);
	usleep(1000);
}

/* As its lane has it; that is no more there when it has ended. */
__attribute__((unused)) static struct view journey_view(
    const struct journey *journey)
{
	return lookout_look(journey->transfer);
}

/* Until the lane has come so far with it. */
__attribute__((unused)) static void journey_await_stage(
    struct journey *journey, enum pv_stage stage)
{
	while (!journey->end_count && journey_view(journey).stage < stage)
		airport_wait(journey->airport);
	airport_wait(journey->airport);
}

/* How much of its body has come. */
__attribute__((unused)) static uint64_t journey_size(
    const struct journey *journey)
{
	return journey->transfer ? journey_view(journey).size
				 : journey->response.body.size;
}

/* To the server, under a name that is found nowhere; with TLS if the server has
 * that and the scheme is https: "https a.test/page". */
__attribute__((unused)) static void journey_to(struct journey *journey,
    struct airport *airport, struct server *server, const char *where)
{
	char url[512];
	bool is_tls = strncmp(where, "https ", 6) == 0;
	const char *host = is_tls ? where + 6 : where;
	const char *path = strchr(host, '/');
	snprintf(url, sizeof(url), "http%s://%.*s:%u%s", is_tls ? "s" : "",
	    (int)(path - host), host,
	    (unsigned)(is_tls ? server_tls_port(server) : server_port(server)),
	    path);
	journey_init(journey, airport, url, "127.0.0.1");
}

/* There and back. */
__attribute__((unused)) static void journey_make_to(struct journey *journey,
    struct airport *airport, struct server *server, const char *where)
{
	journey_to(journey, airport, server, where);
	journey_make(journey);
}

/* The request that the server saw so many before. */
__attribute__((unused)) static struct server_record record_at(
    struct server *server, size_t number)
{
	struct server_record record = {.nth = 0};
	server_log_get(server, number, &record);
	return record;
}

__attribute__((unused)) static struct server_record last_record(
    struct server *server)
{
	return record_at(server, server_log_count(server) - 1);
}

__attribute__((unused)) static const char *outcome_of(
    const struct journey *journey)
{
	return pv_outcome_word(journey->response.outcome);
}

__attribute__((unused)) static struct pv_str body_of(struct journey *journey)
{
	return pv_body_text(&journey->response.body);
}

__attribute__((unused)) static struct pv_str header_of(
    const struct journey *journey, const char *name)
{
	return pv_headers_get(&journey->response.headers, pv_str_of(name));
}

#endif
