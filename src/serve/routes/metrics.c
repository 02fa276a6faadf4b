#include "serve/routes/answer.h"

/* Figures in the text form of Prometheus (0.0.4). */

/* One figure of each webhook. */
struct column {
	struct pv_buf *body;
	const char *name;
	uint64_t (*of)(const struct pv_webhook_figures *figures);
};

static uint64_t waiting_of(const struct pv_webhook_figures *figures)
{
	return figures->waiting;
}

static uint64_t delivered_of(const struct pv_webhook_figures *figures)
{
	return figures->delivered;
}

static uint64_t failed_of(const struct pv_webhook_figures *figures)
{
	return figures->failed;
}

static uint64_t ended_of(const struct pv_webhook_figures *figures)
{
	return figures->ended;
}

static void write_figure(void *ctx, const struct pv_webhook_figures *figures)
{
	const struct column *column = ctx;
	pv_buf_append_format(column->body, "%s{webhook=\"%s\"} %llu\n",
	    column->name, figures->name,
	    (unsigned long long)column->of(figures));
}

static void write_webhooks(struct pv_service *service, struct pv_buf *body)
{
	static const struct {
		const char *name;
		const char *type;
		const char *help;
		uint64_t (*of)(const struct pv_webhook_figures *figures);
	} rows[] = {
	    {"pavane_webhook_backlog", "gauge",
		"Parts of jobs with something to be delivered.", waiting_of},
	    {"pavane_webhook_deliveries_total", "counter",
		"Deliveries that arrived.", delivered_of},
	    {"pavane_webhook_failures_total", "counter",
		"Tries of deliveries that failed.", failed_of},
	    {"pavane_webhook_abandoned_total", "counter",
		"Parts of jobs of which nothing more is delivered.", ended_of},
	};
	if (!service->deliveries)
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct column column = {body, rows[i].name, rows[i].of};
		pv_buf_append_format(body, "# HELP %s %s\n# TYPE %s %s\n",
		    rows[i].name, rows[i].help, rows[i].name, rows[i].type);
		pv_webhooks_each_figures(
		    pv_delivery_thread_webhooks(service->deliveries),
		    write_figure, &column);
	}
}

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
	write_webhooks(request->service, &reply->body);
	pv_buf_append_format(&reply->body,
	    "# HELP pavane_build_info The version of the program.\n"
	    "# TYPE pavane_build_info gauge\n"
	    "pavane_build_info{version=\"%s\"} 1\n",
	    pavane_version());
}
