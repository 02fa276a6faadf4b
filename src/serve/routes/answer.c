#include "serve/routes/answer.h"

#include "base/json/json.h"
#include "http/date.h"
#include "serve/http/problem.h"

bool pv_route_is_done(struct pv_request *request, enum pv_jobs_answer answer,
    struct pv_reply *reply)
{
	struct pv_buf fault;
	switch (answer) {
	case PV_JOBS_DONE:
	case PV_JOBS_BEFORE:
		return true;
	case PV_JOBS_OTHER:
		pv_problem_reply(reply, 422,
		    "this Idempotency-Key was used for another request within "
		    "the last 24 hours: choose a new one");
		break;
	case PV_JOBS_NONE:
		pv_problem_reply(reply, 404, "there is no such job");
		break;
	case PV_JOBS_CONFLICT:
		pv_problem_reply(reply, 409,
		    "the job is in a state in which this cannot be done");
		break;
	case PV_JOBS_FULL:
		pv_reply_header(reply, "Retry-After", "60");
		pv_problem_reply(reply, 429,
		    "as many jobs wait as jobs.queued allows: try again later");
		break;
	case PV_JOBS_MANY:
		pv_reply_header(reply, "Retry-After", "60");
		pv_problem_reply(reply, 429,
		    "as many jobs are yours as jobs.per_token allows: try again "
		    "when one has ended");
		break;
	case PV_JOBS_ENDING:
		pv_reply_header(reply, "Retry-After", "10");
		pv_problem_reply(
		    reply, 503, "the service is ending: try again later");
		break;
	case PV_JOBS_FAULT:
		pv_buf_init(&fault, 500);
		pv_jobs_write_fault(request->service->jobs, &fault);
		pv_problem_reply(reply, 503, "jobs cannot be stored: %s",
		    pv_buf_text(&fault));
		pv_buf_finish(&fault);
		break;
	}
	return false;
}

void pv_route_give_json(struct pv_reply *reply, struct pv_json *value)
{
	reply->type = "application/json";
	pv_json_write(value, false, &reply->body);
	pv_buf_append_char(&reply->body, '\n');
	pv_json_destroy(value);
}

struct pv_json *pv_route_time(int64_t ms)
{
	struct pv_buf text;
	pv_buf_init(&text, 40);
	pv_date_write_stamp(ms, &text);
	struct pv_json *value = pv_json_text(pv_buf_str(&text));
	pv_buf_finish(&text);
	return value;
}
