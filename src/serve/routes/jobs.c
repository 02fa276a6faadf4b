#include <stdlib.h>
#include <string.h>

#include "api/policy_object.h"
#include "base/array.h"
#include "base/json/json_page.h"
#include "base/json/json.h"
#include "base/reader.h"
#include "serve/http/problem.h"
#include "serve/routes/job_view.h"
#include "serve/routes/answer.h"
#include "serve/routes/order_body.h"

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
		is_right =
		    is_right && item.len && !memchr(item.ptr, '\n', item.len);
		pv_buf_append_text(&joined, i ? "\n" : "");
		pv_buf_append(&joined, is_right ? item : PV_STR(""));
	}
	is_right = is_right && pv_json_count(array) && !joined.is_full;
	*lines = pv_arena_copy(arena, pv_buf_str(&joined));
	pv_buf_finish(&joined);
	return is_right ||
	       pv_order_refuse(reply, name,
		   "expected a list of at least one text, each in one line");
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

static bool read_order(const struct pv_json *body, struct pv_arena *arena,
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

static bool has_names(struct pv_request *request,
    const struct pv_job_record *job, struct pv_reply *reply)
{
	struct pv_service *service = request->service;
	if (!pv_service_has_profile(service, job->profile))
		return refuse_name(reply, "profile", job->profile);
	if (job->webhook.len &&
	    !pv_service_config_webhook(service->begun_by->config, job->webhook))
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
	if (read_order(body, request->arena, &job, reply) &&
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
	struct pv_buf state; /* empty: any */
	size_t limit;
	uint64_t last; /* number of the last one that was listed */
	bool has_more;
};

static bool list(void *ctx, const struct pv_job_record *job)
{
	struct listing *listing = ctx;
	struct pv_str state = pv_str_of(pv_job_state_word(job->state));
	if (listing->state.len &&
	    !pv_str_equal(state, pv_buf_str(&listing->state)))
		return true;
	if (pv_json_count(listing->items) == listing->limit) {
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

/* A number of the query; false, with a problem, if it is none. */
static bool read_number(struct pv_request *request, const char *name,
    uint64_t most, uint64_t *number, struct pv_reply *reply)
{
	struct pv_buf text;
	pv_buf_init(&text, 32);
	bool is_given = pv_exchange_argument(request->exchange, name, &text);
	struct pv_reader reader = pv_reader_of(pv_buf_str(&text));
	bool is_right =
	    !is_given || (pv_reader_take_number(&reader, most, number) &&
			     !pv_reader_rest(&reader).len);
	pv_buf_finish(&text);
	return is_right || pv_order_refuse(reply, name, "expected a number");
}

static bool is_state(struct pv_str word)
{
	for (unsigned i = 0; i < PV_JOB_STATE_COUNT; i++) {
		if (pv_str_equal(word,
			pv_str_of(pv_job_state_word((enum pv_job_state)i))))
			return true;
	}
	return false;
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

static bool is_newest_first(const struct pv_request *request)
{
	struct pv_buf order;
	pv_buf_init(&order, 16);
	pv_exchange_argument(request->exchange, "order", &order);
	bool is_newest = pv_str_equal(pv_buf_str(&order), PV_STR("newest"));
	pv_buf_finish(&order);
	return is_newest;
}

void pv_route_jobs_get(struct pv_request *request, struct pv_reply *reply)
{
	uint64_t after = 0, limit = LIST_USUAL;
	struct pv_jobs *jobs = request->service->jobs;
	struct listing listing = {
	    .arena = request->arena, .items = pv_json_array()};
	pv_buf_init(&listing.state, 40);
	pv_exchange_argument(request->exchange, "state", &listing.state);
	if (listing.state.len && !is_state(pv_buf_str(&listing.state)))
		pv_order_refuse(reply, "state", "there is none of that name");
	else if (read_number(request, "after", INT64_MAX, &after, reply) &&
		 read_number(request, "limit", LIST_MAX, &limit, reply)) {
		listing.limit = (size_t)limit;
		if (pv_route_is_done(request,
			is_newest_first(request)
			    ? pv_jobs_each_back(
				  jobs, request->owner, after, list, &listing)
			    : pv_jobs_each(
				  jobs, request->owner, after, list, &listing),
			reply))
			give_list(jobs, reply, &listing);
	}
	pv_json_destroy(listing.items);
	free(listing.running);
	pv_buf_finish(&listing.state);
}
