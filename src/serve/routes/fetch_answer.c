#include "serve/routes/fetch_answer.h"

#include "serve/http/problem.h"
#include "serve/routes/answer.h"

bool pv_fetch_answer_is_done(struct pv_request *request,
    enum pv_fetches_answer answer, struct pv_reply *reply)
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
	case PV_FETCHES_DISK:
		pv_problem_reply(reply, 507,
		    "the crawl of this profile takes as much of the disk as "
		    "jobs.disk allows: its owner has to raise that");
		return false;
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
