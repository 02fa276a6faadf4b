#include "serve/routes/answer.h"

/* Figures in the text form of Prometheus (0.0.4). */

void pv_route_metrics(struct pv_request *request, struct pv_reply *reply)
{
	uint64_t counts[PV_JOB_STATE_COUNT];
	if (!pv_route_is_done(
		request, pv_jobs_count(request->service->jobs, counts), reply))
		return;
	reply->type = "text/plain; version=0.0.4; charset=utf-8";
	pv_buf_append_text(&reply->body,
	    "# HELP pavane_jobs Jobs in each state.\n"
	    "# TYPE pavane_jobs gauge\n");
	for (unsigned i = 0; i < PV_JOB_STATE_COUNT; i++)
		pv_buf_append_format(&reply->body,
		    "pavane_jobs{state=\"%s\"} %llu\n",
		    pv_job_state_word((enum pv_job_state)i),
		    (unsigned long long)counts[i]);
	pv_buf_append_format(&reply->body,
	    "# HELP pavane_build_info The version of the program.\n"
	    "# TYPE pavane_build_info gauge\n"
	    "pavane_build_info{version=\"%s\"} 1\n",
	    pavane_version());
}
