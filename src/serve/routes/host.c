#include "serve/routes/host.h"

#include <stdlib.h>

#include "base/json/json.h"
#include "policy/values/host_pattern.h"
#include "http/feed_date.h"
#include "serve/fetches/fetch_hosts.h"
#include "serve/http/problem.h"
#include "serve/routes/answer.h"
#include "serve/routes/host_view.h"
#include "serve/routes/order_body.h"
#include "store/orders.h"
#include "url/percent.h"

/* One host, in all jobs that run. */

#define NAME_MAX_BYTES ((size_t)1024)

/* As crawls know it; false, with a problem, if the path names none. */
static bool read_name(
    struct pv_request *request, struct pv_str *name, struct pv_reply *reply)
{
	struct pv_buf decoded, known;
	pv_buf_init(&decoded, NAME_MAX_BYTES);
	pv_buf_init(&known, SIZE_MAX);
	pv_percent_decode(&decoded, request->id);
	bool is_right = decoded.len && !decoded.is_full &&
			!memchr(decoded.ptr, '\0', decoded.len) &&
			pv_host_name_canonical(pv_buf_str(&decoded), &known) &&
			known.len <= PV_ORDER_HOST_MAX;
	*name = pv_arena_copy(request->arena, pv_buf_str(&known));
	pv_buf_finish(&known);
	pv_buf_finish(&decoded);
	if (!is_right)
		pv_problem_reply(
		    reply, 404, "this is no host's name, such as example.org");
	return is_right;
}

struct listing {
	struct pv_str name;
	int64_t now_ms;
	struct pv_json *views;
};

static void list(void *ctx, const struct pv_job_host *host)
{
	struct listing *listing = ctx;
	pv_json_add(listing->views,
	    pv_host_view_in_job(listing->name, host, listing->now_ms));
}

static void give(
    struct pv_request *request, struct pv_str name, struct pv_reply *reply)
{
	struct pv_jobs *jobs = request->service->jobs;
	struct pv_paused_host paused;
	struct listing listing = {name, pv_jobs_now(jobs), NULL};
	enum pv_jobs_answer answer =
	    pv_jobs_get_pause(jobs, name, request->arena, &paused);
	if (answer != PV_JOBS_NONE && !pv_route_is_done(request, answer, reply))
		return;
	struct pv_json *view = pv_json_object();
	listing.views = pv_json_array();
	pv_json_set(view, "host", pv_json_text(name));
	if (answer == PV_JOBS_DONE)
		pv_json_set(view, "paused", pv_host_view_pause(&paused));
	const char *text = pv_arena_text(request->arena, name);
	pv_jobs_look_host(jobs, request->owner, text, list, &listing);
	if (!request->owner)
		pv_fetches_look_host(
		    request->service->fetches, text, list, &listing);
	pv_json_set(view, "jobs", listing.views);
	pv_route_give_json(reply, view);
}

void pv_route_host_get(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_str name;
	if (read_name(request, &name, reply))
		give(request, name, reply);
}

bool pv_host_pause_read(const struct pv_json *body, int64_t now_ms,
    struct pv_paused_host *host, struct pv_reply *reply)
{
	static const char *const known[] = {"until", "reason", NULL};
	struct pv_str until;
	host->since_ms = now_ms;
	host->until_ms = INT64_MAX;
	if (!pv_order_is_object(body, "{\"reason\": \"they move\"}", reply) ||
	    !pv_order_has_only(body, known, reply) ||
	    !pv_order_text(body, "until", &until, reply) ||
	    !pv_order_text(body, "reason", &host->reason, reply))
		return false;
	if (until.len && !pv_w3c_date_read(until, &host->until_ms))
		return pv_order_refuse(reply, "until",
		    "expected a time, such as \"2026-11-28T16:00:00Z\"");
	if (host->until_ms <= now_ms)
		return pv_order_refuse(reply, "until", "this time is over");
	return host->reason.len <= PV_ORDER_WHY_MAX ||
	       pv_order_refuse(reply, "reason", "longer than 200 bytes");
}

void pv_route_host_pause(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_jobs *jobs = request->service->jobs;
	struct pv_paused_host host = {.by = pv_str_of(request->who.name)};
	struct pv_json *body = pv_json_read(request->exchange->body);
	if (read_name(request, &host.name, reply) &&
	    pv_host_pause_read(body, pv_jobs_now(jobs), &host, reply)) {
		enum pv_jobs_answer answer = pv_jobs_pause_host(jobs, &host);
		if (answer == PV_JOBS_FULL)
			pv_problem_reply(reply, 409,
			    "as many hosts are paused as may be: resume others "
			    "first");
		else if (pv_route_is_done(request, answer, reply))
			give(request, host.name, reply);
	}
	pv_json_destroy(body);
}

void pv_route_host_resume(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_str name;
	if (!read_name(request, &name, reply))
		return;
	enum pv_jobs_answer answer =
	    pv_jobs_resume_host(request->service->jobs, name);
	if (answer == PV_JOBS_CONFLICT)
		pv_problem_reply(
		    reply, 409, "the host is not paused for all jobs");
	else if (pv_route_is_done(request, answer, reply))
		give(request, name, reply);
}
