#include <string.h>

#include "api/policy_object.h"
#include "base/json/json.h"
#include "base/reader.h"
#include "policy/values/units.h"
#include "record/verdict.h"
#include "serve/http/problem.h"
#include "serve/routes/answer.h"
#include "serve/routes/order_body.h"

/* Single addresses. */

#define KEY_MAX 200
#define URL_MAX_BYTES 65536
#define WAIT_MOST_S 60
#define SECOND_MS 1000

/* What came of it */

/* Members of the journal's line that a caller hears of, and what each is called. */
static const struct {
	const char *key;
	const char *name;
	bool is_number;
} members[] = {
    {"outcome", "outcome", false},
    {"status", "status", true},
    {"reason", "reason", false},
    {"why", "why", false},
    {"type", "type", false},
    {"bytes", "bytes", true},
    {"digest", "digest", false},
    {"time", "time", false},
    {"round", "round", true},
};

/* In words, where the line has none of its own. */
static void add_why(struct pv_json *view, const struct pv_json *line)
{
	struct pv_str word = pv_json_get_text(line, "reason");
	if (!word.len || pv_json_get_text(line, "why").len)
		return;
	for (unsigned i = 1; i < PV_REASON_COUNT; i++) {
		if (pv_str_equal(word, pv_str_of(pv_reason_word(i))))
			pv_json_set_text(view, "why", pv_reason_sentence(i));
	}
}

/* What is as it was is told as it was told then: that its body did not come once
 * more matters to nobody (RFC 9111, 4.3.4). Only pages that were answered well are
 * stored. */
static void add_unchanged(struct pv_json *view, const struct pv_json *line)
{
	if (!pv_json_get_bool(line, "unchanged"))
		return;
	pv_json_set(view, "unchanged", pv_json_bool(true));
	pv_json_set(view, "status", pv_json_integer(200));
	pv_json_set(view, "bytes",
	    pv_json_integer(pv_json_get_integer(line, "stored_bytes", 0)));
}

static void add_answer(struct pv_json *view, const struct pv_fetch *fetch)
{
	struct pv_json *line = pv_json_read(fetch->answer);
	struct pv_buf body;
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		struct pv_str text = pv_json_get_text(line, members[i].key);
		if (!pv_json_get(line, members[i].key))
			continue;
		if (members[i].is_number)
			pv_json_set(view, members[i].name,
			    pv_json_integer(
				pv_json_get_integer(line, members[i].key, 0)));
		else if (text.ptr)
			pv_json_set(view, members[i].name, pv_json_text(text));
	}
	add_why(view, line);
	add_unchanged(view, line);
	if (pv_json_get_text(line, "file").len) {
		pv_buf_init(&body, 200);
		pv_buf_append_format(
		    &body, "/v1/fetches/%.*s/body", PV_STR_ARG(fetch->id));
		pv_json_set(view, "body", pv_json_text(pv_buf_str(&body)));
		pv_buf_finish(&body);
	}
	pv_json_destroy(line);
}

static void give(const struct pv_fetch *fetch, struct pv_reply *reply)
{
	struct pv_json *view = pv_json_object();
	pv_json_set(view, "id", pv_json_text(fetch->id));
	pv_json_set_text(view, "state", pv_fetch_state_word(fetch->state));
	pv_json_set(view, "url", pv_json_text(fetch->url));
	if (fetch->profile.len)
		pv_json_set(view, "profile", pv_json_text(fetch->profile));
	pv_json_set(view, "created", pv_route_time(fetch->created_ms));
	if (fetch->state != PV_FETCH_WAITING) {
		pv_json_set(view, "ended", pv_route_time(fetch->ended_ms));
		pv_json_set(view, "final_url", pv_json_text(fetch->at));
		add_answer(view, fetch);
	}
	pv_route_give_json(reply, view);
}

static bool is_done(struct pv_request *request, enum pv_fetches_answer answer,
    struct pv_reply *reply)
{
	struct pv_buf fault;
	switch (answer) {
	case PV_FETCHES_DONE:
	case PV_FETCHES_BEFORE:
		return true;
	case PV_FETCHES_OTHER:
		return pv_route_is_done(request, PV_JOBS_OTHER, reply);
	case PV_FETCHES_NONE:
		pv_problem_reply(reply, 404, "there is no such fetch");
		return false;
	case PV_FETCHES_FULL:
		return pv_route_is_done(request, PV_JOBS_FULL, reply);
	case PV_FETCHES_ENDING:
		return pv_route_is_done(request, PV_JOBS_ENDING, reply);
	case PV_FETCHES_FAULT:
		pv_buf_init(&fault, 500);
		pv_fetches_write_fault(request->service->fetches, &fault);
		pv_problem_reply(reply, 503, "fetches cannot be stored: %s",
		    pv_buf_text(&fault));
		pv_buf_finish(&fault);
		return false;
	}
	return false;
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

static bool read_order(
    const struct pv_json *body, struct pv_fetch *fetch, struct pv_reply *reply)
{
	static const char *const known[] = {"url", "profile", "max_age", NULL};
	if (!pv_order_is_object(
		body, "{\"url\": \"https://example.org/\"}", reply) ||
	    !pv_order_has_only(body, known, reply) ||
	    !pv_order_text(body, "url", &fetch->url, reply) ||
	    !pv_order_text(body, "profile", &fetch->profile, reply) ||
	    !read_age(body, &fetch->not_before_ms, reply))
		return false;
	return (fetch->url.len && fetch->url.len <= URL_MAX_BYTES &&
		   !memchr(fetch->url.ptr, '\n', fetch->url.len)) ||
	       pv_order_refuse(reply, "url", "expected an address");
}

/* The same that the crawl would say of it as a seed. */
static bool is_address_right(struct pv_request *request,
    const struct pv_fetch *fetch, struct pv_reply *reply)
{
	struct pavane_problem problem = PAVANE_INIT(struct pavane_problem);
	if (!pv_service_has_profile(request->service, fetch->profile)) {
		pv_problem_reply(reply, 422,
		    "profile: there is none named \"%.*s\"",
		    (int)(fetch->profile.len < 80 ? fetch->profile.len : 80),
		    fetch->profile.ptr);
		return false;
	}
	struct pavane_policy *policy = pv_service_load_standing(
	    request->service, fetch->profile, fetch->url);
	bool is_right = !pavane_policy_problem(policy, 0, &problem);
	if (!is_right)
		pv_problem_reply(reply,
		    policy->policy->asks_too_much ? 403 : 422, "%s",
		    problem.sentence);
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

/* "Prefer: wait=10" (RFC 7240): for so many seconds, 0 without it. */
static uint64_t read_wait(const struct pv_request *request)
{
	struct pv_str text = pv_exchange_header(request->exchange, "Prefer");
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
	uint64_t seen = 0, left = read_wait(request);
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
	if (read_order(body, &fetch, reply) &&
	    read_key(request, &fetch, reply) &&
	    is_address_right(request, &fetch, reply) &&
	    is_done(request,
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
	if (is_done(request,
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
	if (!is_done(request,
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
