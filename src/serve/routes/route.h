#ifndef PAVANE_SERVE_ROUTES_ROUTE_H
#define PAVANE_SERVE_ROUTES_ROUTE_H

#include "base/arena.h"
#include "serve/access/access.h"
#include "serve/http/exchange.h"
#include "serve/http/reply.h"
#include "serve/service.h"

/* What the service answers: a table of methods and paths, a file a route. The
 * description for programs (/openapi.json) is made of the same table. */
struct pv_request {
	struct pv_service *service;
	const struct pv_exchange *exchange;
	struct pv_str id;           /* where the path says ID or NAME */
	struct pv_str rest;         /* where it ends with "/..." */
	struct pv_who who;          /* who asks */
	const struct pv_str *owner; /* whose jobs are seen; NULL: all */
	struct pv_arena *arena;     /* until the reply is made */
};

struct pv_route {
	enum pv_http_method method;
	const char *path; /* "/v1/jobs/ID", "/v1/jobs/ID/files/..." */
	unsigned scope;   /* that a token needs; 0: open to everybody */
	void (*answer)(struct pv_request *request, struct pv_reply *reply);
	const char *summary;

	/* What it takes and gives, for /openapi.json: names of schemas there. */
	const char *const *arguments; /* of the query, or of the head, as
					 "header NAME"; ends with NULL; NULL */
	const char *takes;            /* NULL: no body */
	const char *gives;            /* NULL: no JSON */
	unsigned status;              /* of a good answer */
};

extern const struct pv_route pv_routes[];
extern const size_t pv_route_count;

/* Answers any request: finds the route, judges who asks, and lets it answer. */
void pv_routes_answer(struct pv_service *service,
    const struct pv_exchange *exchange, struct pv_reply *reply);

void pv_route_dashboard(struct pv_request *request, struct pv_reply *reply);
void pv_route_dashboard_file(
    struct pv_request *request, struct pv_reply *reply);
void pv_route_healthz(struct pv_request *request, struct pv_reply *reply);
void pv_route_readyz(struct pv_request *request, struct pv_reply *reply);
void pv_route_openapi(struct pv_request *request, struct pv_reply *reply);
void pv_route_metrics(struct pv_request *request, struct pv_reply *reply);
void pv_route_session_get(struct pv_request *request, struct pv_reply *reply);
void pv_route_session_post(struct pv_request *request, struct pv_reply *reply);
void pv_route_session_delete(
    struct pv_request *request, struct pv_reply *reply);
void pv_route_jobs_post(struct pv_request *request, struct pv_reply *reply);
void pv_route_jobs_get(struct pv_request *request, struct pv_reply *reply);
void pv_route_job_get(struct pv_request *request, struct pv_reply *reply);
void pv_route_job_delete(struct pv_request *request, struct pv_reply *reply);
void pv_route_job_pause(struct pv_request *request, struct pv_reply *reply);
void pv_route_job_resume(struct pv_request *request, struct pv_reply *reply);
void pv_route_job_stop(struct pv_request *request, struct pv_reply *reply);
void pv_route_host_get(struct pv_request *request, struct pv_reply *reply);
void pv_route_host_pause(struct pv_request *request, struct pv_reply *reply);
void pv_route_host_resume(struct pv_request *request, struct pv_reply *reply);
void pv_route_job_redeliver(struct pv_request *request, struct pv_reply *reply);
void pv_route_hosts(struct pv_request *request, struct pv_reply *reply);
void pv_route_events(struct pv_request *request, struct pv_reply *reply);
void pv_route_fetches_get(struct pv_request *request, struct pv_reply *reply);
void pv_route_fetches_post(struct pv_request *request, struct pv_reply *reply);
void pv_route_fetch_get(struct pv_request *request, struct pv_reply *reply);
void pv_route_fetch_rows(struct pv_request *request, struct pv_reply *reply);
void pv_route_fetch_body(struct pv_request *request, struct pv_reply *reply);
void pv_route_results(struct pv_request *request, struct pv_reply *reply);
void pv_route_files(struct pv_request *request, struct pv_reply *reply);

#endif
