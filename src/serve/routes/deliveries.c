#include "serve/routes/deliveries.h"

#include <string.h>

#include "base/json/json.h"
#include "serve/http/problem.h"
#include "serve/routes/answer.h"
#include "serve/routes/query.h"

/* How far a job was delivered to its webhook, and delivering it again. */

static struct pv_str name_of(struct pv_str stream)
{
	size_t slash = pv_str_find_last(stream, '/');
	return slash == PV_NOT_FOUND ? stream : pv_str_from(stream, slash + 1);
}

/* Of lines, where the next one begins: as in the results themselves. */
static void set_cursor(
    struct pv_json *view, const struct pv_webhook_position *position)
{
	struct pv_buf cursor;
	struct pv_str name = name_of(position->stream);
	if (pv_str_equal(position->stream, PV_STR("states")))
		return;
	pv_buf_init(&cursor, SIZE_MAX);
	pv_buf_append_format(&cursor, "%.*s:0:%llu", PV_STR_ARG(name),
	    (unsigned long long)position->position);
	pv_json_set(view, "cursor", pv_json_text(pv_buf_str(&cursor)));
	pv_buf_finish(&cursor);
}

static bool add_position(void *ctx, const struct pv_webhook_position *position)
{
	struct pv_json *all = ctx;
	struct pv_json *view = pv_json_object();
	pv_json_set(view, "of", pv_json_text(name_of(position->stream)));
	set_cursor(view, position);
	if (position->id.len) {
		pv_json_set(view, "id", pv_json_text(position->id));
		pv_json_set(view, "tries", pv_json_integer(position->tries));
	}
	if (position->id.len && position->next_ms && !position->ended.len)
		pv_json_set(view, "next", pv_route_time(position->next_ms));
	if (position->ended.len)
		pv_json_set(view, "ended", pv_json_text(position->ended));
	pv_json_add(all, view);
	return true;
}

void pv_job_view_add_deliveries(struct pv_json *view,
    struct pv_service *service, const struct pv_job_record *job)
{
	struct pv_json *deliveries;
	if (!job->webhook.len || !service->deliveries)
		return;
	deliveries = pv_json_array();
	pv_webhooks_each_position(
	    pv_delivery_thread_webhooks(service->deliveries), job->id,
	    add_position, deliveries);
	pv_json_set(view, "deliveries", deliveries);
}

/* POST .../redeliver */

bool pv_redeliver_read(const struct pv_exchange *exchange, bool *is_from_start,
    struct pv_reply *reply)
{
	static const char *const places[] = {"start", NULL};
	size_t place = 1;
	bool is_right = pv_query_word(exchange, "from", places, &place, reply);
	*is_from_start = is_right && place == 0;
	return is_right;
}

static void redeliver(
    struct pv_request *request, bool is_from_start, struct pv_reply *reply)
{
	struct pv_delivery_thread *deliveries = request->service->deliveries;
	enum pv_webhooks_wish wish = PV_WEBHOOKS_NONE;
	if (deliveries)
		wish = pv_webhooks_redeliver(
		    pv_delivery_thread_webhooks(deliveries), request->id,
		    is_from_start);
	switch (wish) {
	case PV_WEBHOOKS_DONE:
		pv_delivery_thread_ring(deliveries);
		pv_route_job_get(request, reply);
		break;
	case PV_WEBHOOKS_NONE:
		pv_problem_reply(reply, 409,
		    "the job names no webhook, or one that the configuration "
		    "does not have");
		break;
	case PV_WEBHOOKS_FAULT:
		pv_problem_reply(reply, 503,
		    "that cannot be stored: look at the log of the service");
		break;
	}
}

void pv_route_job_redeliver(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_job_record job;
	bool is_from_start;
	if (pv_route_is_done(request,
		pv_jobs_get(request->service->jobs, request->owner, request->id,
		    request->arena, &job),
		reply) &&
	    pv_redeliver_read(request->exchange, &is_from_start, reply))
		redeliver(request, is_from_start, reply);
}
