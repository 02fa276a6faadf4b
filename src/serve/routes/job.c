#include "base/json/json.h"
#include "serve/http/problem.h"
#include "serve/routes/deliveries.h"
#include "serve/routes/job_view.h"
#include "serve/routes/answer.h"

/* One job. */

void pv_route_job_get(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_jobs *jobs = request->service->jobs;
	struct pv_job_record job;
	if (pv_route_is_done(request,
		pv_jobs_get(
		    jobs, request->owner, request->id, request->arena, &job),
		reply)) {
		struct pv_json *view = pv_job_view(jobs, &job);
		pv_job_view_add_deliveries(view, request->service, &job);
		pv_route_give_json(reply, view);
	}
}

void pv_route_job_delete(struct pv_request *request, struct pv_reply *reply)
{
	enum pv_jobs_answer answer =
	    pv_jobs_remove(request->service->jobs, request->owner, request->id);
	if (answer == PV_JOBS_CONFLICT)
		pv_problem_reply(reply, 409,
		    "the job runs: stop it first, and remove it when it has "
		    "ended");
	else if (pv_route_is_done(request, answer, reply))
		reply->status = 204;
}

static void ask(struct pv_request *request, enum pv_jobs_wish wish,
    const char *what, struct pv_reply *reply)
{
	enum pv_job_state state;
	enum pv_jobs_answer answer = pv_jobs_ask(
	    request->service->jobs, request->owner, request->id, wish, &state);
	if (answer == PV_JOBS_CONFLICT)
		pv_problem_reply(reply, 409, "a job that is %s cannot be %s",
		    pv_job_state_word(state), what);
	else if (pv_route_is_done(request, answer, reply))
		pv_route_job_get(request, reply);
}

void pv_route_job_pause(struct pv_request *request, struct pv_reply *reply)
{
	ask(request, PV_JOBS_PAUSE, "paused", reply);
}

void pv_route_job_resume(struct pv_request *request, struct pv_reply *reply)
{
	ask(request, PV_JOBS_RESUME, "resumed", reply);
}

void pv_route_job_stop(struct pv_request *request, struct pv_reply *reply)
{
	ask(request, PV_JOBS_STOP, "stopped", reply);
}
