#include "serve/http/problem.h"
#include "serve/routes/answer.h"

void pv_route_healthz(struct pv_request *request, struct pv_reply *reply)
{
	(void)request;
	reply->type = "text/plain; charset=utf-8";
	pv_buf_append_text(&reply->body, "ok\n");
}

void pv_route_readyz(struct pv_request *request, struct pv_reply *reply)
{
	uint64_t counts[PV_JOB_STATE_COUNT];
	enum pv_jobs_answer answer =
	    pv_service_is_draining(request->service)
		? PV_JOBS_ENDING
		: pv_jobs_count(request->service->jobs, counts);
	if (!pv_route_is_done(request, answer, reply))
		return;
	reply->type = "text/plain; charset=utf-8";
	pv_buf_append_text(&reply->body, "ready\n");
}
