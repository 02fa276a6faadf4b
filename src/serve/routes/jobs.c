#include "serve/routes/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "api/policy_object.h"
#include "base/array.h"
#include "base/json/json_page.h"
#include "base/json/json.h"
#include "serve/http/problem.h"
#include "serve/routes/answer.h"
#include "serve/routes/job_view.h"
#include "serve/routes/order_body.h"
#include "serve/routes/query.h"

/* Handing in jobs, and their list. */

#define LINES_MAX ((size_t)1 << 20)
#define KEY_MAX 200
#define LABELS_MAX 4096
#define LIST_MAX 1000
#define LIST_USUAL 100

/* Reading */

/* An array of texts, as lines. */
static bool read_lines(const struct pv_json *body, const char *name,
    struct pv_arena *arena, struct pv_str *lines, struct pv_reply *reply)
{
	const struct pv_json *array = pv_json_get(body, name);
	struct pv_buf joined;
	bool is_right = true;
	*lines = PV_STR("");
	if (!array)
		return true;
	pv_buf_init(&joined, LINES_MAX);
	for (size_t i = 0; i < pv_json_count(array); i++) {
		struct pv_str item = pv_json_text_of(pv_json_at(array, i));
		is_right = is_right && item.len &&
			   !memchr(item.ptr, '\n', item.len) &&
			   !memchr(item.ptr, '\0', item.len);
		pv_buf_append_text(&joined, i ? "\n" : "");
		pv_buf_append(&joined, is_right ? item : PV_STR(""));
	}
	is_right = is_right && pv_json_count(array) && !joined.is_full;
	*lines = pv_arena_copy(arena, pv_buf_str(&joined));
	pv_buf_finish(&joined);
	return is_right ||
	       pv_order_refuse(reply, name,
		   "expected a list of at least one text, each in one line "
		   "and without the character U+0000");
}

static bool read_labels(const struct pv_json *body, struct pv_arena *arena,
    struct pv_str *labels, struct pv_reply *reply)
{
	const struct pv_json *value = pv_json_get(body, "labels");
	struct pv_buf text;
	*labels = PV_STR("{}");
	if (!value)
		return true;
	pv_buf_init(&text, LABELS_MAX);
	bool is_right = pv_json_is_object(value) &&
			pv_json_write(value, false, &text) && !text.is_full;
	*labels = pv_arena_copy(arena, pv_buf_str(&text));
	pv_buf_finish(&text);
	return is_right || pv_order_refuse(reply, "labels",
			       "expected an object of at most 4 KiB");
}

bool pv_job_order_read(const struct pv_json *body, struct pv_arena *arena,
    struct pv_job_record *job, struct pv_reply *reply)
{
	static const char *const known[] = {
	    "policy", "urls", "profile", "set", "labels", "webhook", NULL};
	return pv_order_is_object(
		   body, "{\"urls\": [\"https://example.org/\"]}", reply) &&
	       pv_order_has_only(body, known, reply) &&
	       pv_order_text(body, "policy", &job->policy, reply) &&
	       pv_order_text(body, "profile", &job->profile, reply) &&
	       pv_order_text(body, "webhook", &job->webhook, reply) &&
	       read_lines(body, "urls", arena, &job->urls, reply) &&
	       read_lines(body, "set", arena, &job->settings, reply) &&
	       read_labels(body, arena, &job->labels, reply);
}

static bool refuse_name(
    struct pv_reply *reply, const char *what, struct pv_str name)
{
	pv_problem_reply(reply, 422, "%s: there is none named \"%.*s\"", what,
	    (int)(name.len < 80 ? name.len : 80), name.ptr);
	return false;
}

static bool has_webhook(struct pv_service *service, struct pv_str name)
{
	struct pv_setup *setup = pv_service_take_setup(service);
	bool has_it = pv_service_config_webhook(setup->config, name);
	pv_setup_give(setup);
	return has_it;
}

static bool has_names(struct pv_request *request,
    const struct pv_job_record *job, struct pv_reply *reply)
{
	struct pv_service *service = request->service;
	if (!pv_service_has_profile(service, job->profile))
		return refuse_name(reply, "profile", job->profile);
	if (job->webhook.len && !has_webhook(service, job->webhook))
		return refuse_name(reply, "webhook", job->webhook);
	return true;
}

/* Where the owner has his files is nobody else's business. */
static const char *without_directory(const struct pavane_problem *problem)
{
	const char *slash = strrchr(problem->file, '/');
	size_t len = slash ? (size_t)(slash + 1 - problem->file) : 0;
	return strncmp(problem->sentence, problem->file, len) == 0
		   ? problem->sentence + len
		   : problem->sentence;
}

/* What the policy would be is looked at before the job is accepted. */
static bool is_policy_right(struct pv_request *request,
    const struct pv_job_record *job, struct pv_reply *reply)
{
	struct pavane_problem problem = PAVANE_INIT(struct pavane_problem);
	struct pv_buf text;
	struct pavane_policy *policy =
	    pv_service_load_policy(request->service, job);
	bool is_right = !pavane_policy_problem_count(policy);
	if (!is_right) {
		pv_buf_init(&text, 16384);
		for (size_t i = 0; pavane_policy_problem(policy, i, &problem);
		     i++)
			pv_buf_append_format(&text, "%s%s", i ? "\n" : "",
			    without_directory(&problem));
		pv_problem_reply(reply,
		    policy->policy->asks_too_much ? 403 : 422, "%s",
		    pv_buf_text(&text));
		pv_buf_finish(&text);
	}
	pavane_policy_destroy(policy);
	return is_right;
}

/* POST */

static bool read_key(const struct pv_request *request,
    const struct pv_job_record *job, struct pv_job_key *key,
    struct pv_reply *reply)
{
	struct pv_str text =
	    pv_exchange_header(request->exchange, "Idempotency-Key");
	if (text.len > KEY_MAX)
		return pv_order_refuse(
		    reply, "Idempotency-Key", "longer than 200 bytes");
	*key = (struct pv_job_key){
	    .owner = job->owner, .key = text.ptr ? text : PV_STR("")};
	pv_digest(request->exchange->body, key->digest);
	return true;
}

void pv_route_jobs_post(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_jobs *jobs = request->service->jobs;
	struct pv_json *body = pv_json_read(request->exchange->body);
	struct pv_job_record job = {.owner = pv_str_of(request->who.name)};
	struct pv_job_key key;
	if (pv_job_order_read(body, request->arena, &job, reply) &&
	    read_key(request, &job, &key, reply) &&
	    has_names(request, &job, reply) &&
	    is_policy_right(request, &job, reply) &&
	    pv_route_is_done(request,
		pv_jobs_add(jobs, &job, &key, request->arena), reply) &&
	    pv_route_is_done(request,
		pv_jobs_get(jobs, NULL, job.id, request->arena, &job), reply)) {
		reply->status = 202;
		pv_reply_header(reply, "Location",
		    pv_arena_format(
			request->arena, "/v1/jobs/%.*s", PV_STR_ARG(job.id)));
		pv_route_give_json(reply, pv_job_view(jobs, &job));
	}
	pv_json_destroy(body);
}

/* GET */

struct running {
	struct pv_json *view; /* the list's */
	struct pv_job_record job;
};

struct listing {
	struct pv_arena *arena;
	struct pv_json *items;
	struct running *running;
	size_t running_count;
	size_t running_size;
	struct pv_job_list_order order;
	uint64_t last; /* number of the last one that was listed */
	bool has_more;
};

static bool list(void *ctx, const struct pv_job_record *job)
{
	struct listing *listing = ctx;
	if (listing->order.has_state && job->state != listing->order.state)
		return true;
	if (pv_json_count(listing->items) == listing->order.limit) {
		listing->has_more = true;
		return false;
	}
	struct pv_json *view = pv_job_view_brief(job);
	pv_json_add(listing->items, view);
	if (job->state == PV_JOB_RUNNING)
		*PV_ARRAY_PUSH(listing->running, listing->running_count,
		    listing->running_size) = (struct running){
		    view, {.id = pv_arena_copy(listing->arena, job->id),
			      .state = job->state}};
	listing->last = job->number;
	return true;
}

bool pv_job_list_order_read(const struct pv_exchange *exchange,
    struct pv_job_list_order *order, struct pv_reply *reply)
{
	static const char *const orders[] = {"oldest", "newest", NULL};
	const char *states[PV_JOB_STATE_COUNT + 1] = {NULL};
	size_t state = PV_JOB_STATE_COUNT, place = 0;
	for (unsigned i = 0; i < PV_JOB_STATE_COUNT; i++)
		states[i] = pv_job_state_word((enum pv_job_state)i);
	*order = (struct pv_job_list_order){.limit = LIST_USUAL};
	if (!pv_query_word(exchange, "state", states, &state, reply) ||
	    !pv_query_word(exchange, "order", orders, &place, reply) ||
	    !pv_query_number(exchange, "after",
		(struct pv_query_range){0, INT64_MAX}, &order->after, reply) ||
	    !pv_query_number(exchange, "limit",
		(struct pv_query_range){1, LIST_MAX}, &order->limit, reply))
		return false;
	order->has_state = state < PV_JOB_STATE_COUNT;
	if (order->has_state)
		order->state = (enum pv_job_state)state;
	order->is_newest_first = place == 1;
	return true;
}

static void give_list(
    struct pv_jobs *jobs, struct pv_reply *reply, struct listing *listing)
{
	for (size_t i = 0; i < listing->running_count; i++)
		pv_job_view_add_progress(
		    listing->running[i].view, jobs, &listing->running[i].job);
	char next[32];
	struct pv_json *view = pv_json_object();
	pv_json_set(view, "jobs", listing->items);
	snprintf(next, sizeof(next), "%llu", (unsigned long long)listing->last);
	if (listing->has_more)
		pv_json_set_text(view, "next", next);
	listing->items = NULL;
	pv_route_give_json(reply, view);
}

void pv_route_jobs_get(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_jobs *jobs = request->service->jobs;
	struct listing listing = {.arena = request->arena};
	if (!pv_job_list_order_read(request->exchange, &listing.order, reply))
		return;
	uint64_t after = listing.order.after;
	listing.items = pv_json_array();
	if (pv_route_is_done(request,
		listing.order.is_newest_first
		    ? pv_jobs_each_back(
			  jobs, request->owner, after, list, &listing)
		    : pv_jobs_each(jobs, request->owner, after, list, &listing),
		reply))
		give_list(jobs, reply, &listing);
	pv_json_destroy(listing.items);
	free(listing.running);
}
