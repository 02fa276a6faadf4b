#include "serve/routes/fetches.h"

#include <string.h>

#include "api/policy_object.h"
#include "base/json/json.h"
#include "base/reader.h"
#include "policy/values/units.h"
#include "serve/fetches/fetch_view.h"
#include "serve/http/problem.h"
#include "serve/routes/answer.h"
#include "serve/routes/fetch_answer.h"
#include "serve/routes/order_body.h"

/* Single addresses. */

#define KEY_MAX 200
#define URL_MAX_BYTES 65536
#define WAIT_MOST_S 60
#define SECOND_MS 1000

static void give(const struct pv_fetch *fetch, struct pv_reply *reply)
{
	reply->type = "application/json";
	pv_fetch_view_write(fetch, SIZE_MAX, &reply->body);
	pv_buf_append_char(&reply->body, '\n');
}

/* Handing in */

/* "1h": how old an answer may be; without it only a new one will do. */
static bool read_age(
    const struct pv_json *body, int64_t *age_ms, struct pv_reply *reply)
{
	struct pv_str text;
	bool is_bare;
	*age_ms = 0;
	if (!pv_order_text(body, "max_age", &text, reply))
		return false;
	return !text.len ||
	       pv_unit_read(PV_UNIT_TIME, text, age_ms, &is_bare) ==
		   PV_UNIT_RIGHT ||
	       pv_order_refuse(
		   reply, "max_age", "expected a time, such as \"1h\"");
}

bool pv_fetch_order_read(
    const struct pv_json *body, struct pv_fetch *fetch, struct pv_reply *reply)
{
	static const char *const known[] = {
	    "url", "profile", "max_age", "webhook", NULL};
	if (!pv_order_is_object(
		body, "{\"url\": \"https://example.org/\"}", reply) ||
	    !pv_order_has_only(body, known, reply) ||
	    !pv_order_text(body, "url", &fetch->url, reply) ||
	    !pv_order_text(body, "profile", &fetch->profile, reply) ||
	    !pv_order_text(body, "webhook", &fetch->webhook, reply) ||
	    !read_age(body, &fetch->not_before_ms, reply))
		return false;
	return (fetch->url.len && fetch->url.len <= URL_MAX_BYTES &&
		   !memchr(fetch->url.ptr, '\n', fetch->url.len)) ||
	       pv_order_refuse(reply, "url", "expected an address");
}

/* What the webhook of that name hears of; 0 if there is none. */
static unsigned events_of(struct pv_service *service, struct pv_str name)
{
	struct pv_setup *setup = pv_service_take_setup(service);
	const struct pv_webhook *webhook =
	    pv_service_config_webhook(setup->config, name);
	unsigned events = webhook ? webhook->events : 0;
	pv_setup_give(setup);
	return events;
}

/* One that is told of fetches, where one is named. */
static bool is_webhook_right(struct pv_request *request,
    const struct pv_fetch *fetch, struct pv_reply *reply)
{
	struct pv_str name = fetch->webhook;
	int len = (int)(name.len < 80 ? name.len : 80);
	unsigned events = name.len ? events_of(request->service, name) : 0;
	if (!name.len || events & PV_WEBHOOK_FETCHES)
		return true;
	if (events)
		pv_problem_reply(reply, 422,
		    "webhook: \"%.*s\" hears of no fetches: its owner has to "
		    "add them to its events",
		    len, name.ptr);
	else
		pv_problem_reply(reply, 422,
		    "webhook: there is none named \"%.*s\"", len, name.ptr);
	return false;
}

/* As a job has them. */
#define URLS "urls: "

/* The same that the crawl would say of it as a seed. */
static bool is_address_right(struct pv_request *request,
    const struct pv_fetch *fetch, struct pv_reply *reply)
{
	struct pavane_problem problem = PAVANE_INIT(struct pavane_problem);
	struct pavane_policy *policy = pv_service_load_standing(
	    request->service, fetch->profile, fetch->url);
	if (!policy) {
		pv_problem_reply(reply, 422,
		    "profile: there is none named \"%.*s\"",
		    (int)(fetch->profile.len < 80 ? fetch->profile.len : 80),
		    fetch->profile.ptr);
		return false;
	}
	bool is_right = !pavane_policy_problem(policy, 0, &problem);
	struct pv_str sentence =
	    is_right ? PV_STR("") : pv_str_of(problem.sentence);
	bool is_of_url = pv_str_starts(sentence, PV_STR(URLS));
	if (is_of_url)
		sentence = pv_str_from(sentence, sizeof(URLS) - 1);
	if (!is_right)
		pv_problem_reply(reply,
		    policy->policy->asks_too_much ? 403 : 422, "%s%.*s",
		    is_of_url ? "url: " : "", PV_STR_ARG(sentence));
	pavane_policy_destroy(policy);
	return is_right;
}

static bool read_key(
    struct pv_request *request, struct pv_fetch *fetch, struct pv_reply *reply)
{
	struct pv_str text =
	    pv_exchange_header(request->exchange, "Idempotency-Key");
	if (text.len > KEY_MAX)
		return pv_order_refuse(
		    reply, "Idempotency-Key", "longer than 200 bytes");
	fetch->key = text.ptr ? text : PV_STR("");
	pv_digest(request->exchange->body, fetch->digest);
	return true;
}

uint64_t pv_fetch_wait_read(const struct pv_exchange *exchange)
{
	struct pv_str text = pv_exchange_header(exchange, "Prefer");
	struct pv_reader reader = pv_reader_of(text);
	uint64_t seconds = 0;
	if (!text.ptr || !pv_reader_accept_str(&reader, PV_STR("wait=")) ||
	    !pv_reader_take_number(&reader, WAIT_MOST_S, &seconds))
		return 0;
	return seconds;
}

/* Waits in steps of a second, so that an end of the connection is seen. */
static void wait_for(struct pv_request *request, struct pv_fetch *fetch)
{
	struct pv_fetches *fetches = request->service->fetches;
	uint64_t seen = 0, left = pv_fetch_wait_read(request->exchange);
	int64_t end_ms =
	    pv_jobs_now(request->service->jobs) + (int64_t)left * SECOND_MS;
	while (fetch->state == PV_FETCH_WAITING &&
	       !pv_exchange_is_over(request->exchange)) {
		int64_t left_ms = end_ms - pv_jobs_now(request->service->jobs);
		if (left_ms <= 0)
			return;
		seen = pv_fetches_wait(
		    fetches, seen, left_ms < SECOND_MS ? left_ms : SECOND_MS);
		if (pv_fetches_get(fetches, NULL, fetch->id, request->arena,
			fetch) != PV_FETCHES_DONE)
			return;
	}
}

void pv_route_fetches_post(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_json *body = pv_json_read(request->exchange->body);
	struct pv_fetch fetch = {.owner = pv_str_of(request->who.name)};
	if (pv_fetch_order_read(body, &fetch, reply) &&
	    read_key(request, &fetch, reply) &&
	    is_webhook_right(request, &fetch, reply) &&
	    is_address_right(request, &fetch, reply) &&
	    pv_fetch_answer_is_done(request,
		pv_fetches_add(
		    request->service->fetches, &fetch, request->arena),
		reply)) {
		wait_for(request, &fetch);
		reply->status = fetch.state == PV_FETCH_WAITING ? 202 : 200;
		pv_reply_header(reply, "Location",
		    pv_arena_format(request->arena, "/v1/fetches/%.*s",
			PV_STR_ARG(fetch.id)));
		give(&fetch, reply);
	}
	pv_json_destroy(body);
}

void pv_route_fetch_get(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_fetch fetch;
	if (pv_fetch_answer_is_done(request,
		pv_fetches_get(request->service->fetches, request->owner,
		    request->id, request->arena, &fetch),
		reply))
		give(&fetch, reply);
}

/* As a path of a request would name it. */
static struct pv_str encode(struct pv_str file, struct pv_arena *arena)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	for (size_t i = 0; i < file.len; i++) {
		if (file.ptr[i] == '%')
			pv_buf_append_text(&path, "%25");
		else
			pv_buf_append_char(&path, file.ptr[i]);
	}
	struct pv_str encoded = pv_arena_copy(arena, pv_buf_str(&path));
	pv_buf_finish(&path);
	return encoded;
}

void pv_route_fetch_body(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_fetches *fetches = request->service->fetches;
	struct pv_fetch fetch;
	struct pv_buf directory;
	if (!pv_fetch_answer_is_done(request,
		pv_fetches_get(fetches, request->owner, request->id,
		    request->arena, &fetch),
		reply))
		return;
	pv_buf_init(&directory, SIZE_MAX);
	struct pv_json *line = pv_json_read(fetch.answer);
	struct pv_str file = pv_json_get_text(line, "file");
	if (file.len &&
	    pv_fetches_write_directory(fetches, fetch.profile, &directory))
		pv_route_give_file(request, pv_buf_text(&directory),
		    encode(file, request->arena), reply);
	else
		pv_problem_reply(reply, 404, "no body was stored of it");
	pv_json_destroy(line);
	pv_buf_finish(&directory);
}

void pv_route_fetch_rows(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_fetches *fetches = request->service->fetches;
	struct pv_fetch fetch;
	if (!pv_fetch_answer_is_done(request,
		pv_fetches_get(fetches, request->owner, request->id,
		    request->arena, &fetch),
		reply))
		return;
	reply->type = "application/x-ndjson";
	if (fetch.rows.len)
		pv_fetches_write_rows(fetches, &fetch, &reply->body);
	if (!reply->body.is_full)
		return;
	pv_reply_reset(reply);
	pv_problem_reply(
	    reply, 500, "the rows of this page are too many for one reply");
}
