#include "serve/routes/route.h"

#include "base/reader.h"
#include "serve/http/problem.h"

static const char *const list_arguments[] = {
    "state", "order", "after", "limit", NULL};
static const char *const redeliver_arguments[] = {"from", NULL};
static const char *const result_arguments[] = {
    "of", "after", "header Last-Event-ID", NULL};
static const char *const order_arguments[] = {"header Idempotency-Key", NULL};
static const char *const fetch_list_arguments[] = {
    "fetch state", "after", "limit", NULL};
static const char *const fetch_arguments[] = {
    "header Idempotency-Key", "header Prefer", NULL};

/* clang-format off */
const struct pv_route pv_routes[] = {
{PV_GET, "/", 0, pv_route_dashboard,
 "A page for people, which asks these requests.", NULL, NULL, NULL, 200},
{PV_GET, "/dashboard/...", 0, pv_route_dashboard_file,
 "A file of that page: how it looks, or a part of its script.", NULL, NULL,
 NULL, 200},
{PV_GET, "/healthz", 0, pv_route_healthz,
 "Whether the process answers.", NULL, NULL, NULL, 200},
{PV_GET, "/readyz", 0, pv_route_readyz,
 "Whether it takes jobs.", NULL, NULL, NULL, 200},
{PV_GET, "/openapi.json", PV_SCOPE_READ, pv_route_openapi,
 "This description.", NULL, NULL, "object", 200},
{PV_GET, "/metrics", PV_SCOPE_READ, pv_route_metrics,
 "Figures for Prometheus.", NULL, NULL, NULL, 200},
{PV_GET, "/session", 0, pv_route_session_get,
 "Whether tokens are needed, and whose the one of this request is.", NULL,
 NULL, "SessionView", 200},
{PV_POST, "/session", 0, pv_route_session_post,
 "Exchanges a token for a cookie, for browsers.", NULL, "Session", NULL, 204},
{PV_DELETE, "/session", 0, pv_route_session_delete,
 "Ends the session of the cookie.", NULL, NULL, NULL, 204},
{PV_POST, "/v1/jobs", PV_SCOPE_SUBMIT, pv_route_jobs_post,
 "Hands in a job: a crawl.", order_arguments, "JobOrder", "Job", 202},
{PV_GET, "/v1/jobs", PV_SCOPE_READ, pv_route_jobs_get,
 "Lists jobs, in the order in which they were handed in.", list_arguments,
 NULL, "Jobs", 200},
{PV_GET, "/v1/jobs/ID", PV_SCOPE_READ, pv_route_job_get,
 "One job, and how far it is.", NULL, NULL, "Job", 200},
{PV_DELETE, "/v1/jobs/ID", PV_SCOPE_SUBMIT, pv_route_job_delete,
 "Removes a job that does not run, with all that it has stored.", NULL, NULL,
 NULL, 204},
{PV_POST, "/v1/jobs/ID/pause", PV_SCOPE_SUBMIT, pv_route_job_pause,
 "Pauses a job: requests in flight end, and its crawl is closed.", NULL, NULL,
 "Job", 200},
{PV_POST, "/v1/jobs/ID/resume", PV_SCOPE_SUBMIT, pv_route_job_resume,
 "Ends a pause, or has a job that failed go on.", NULL, NULL, "Job", 200},
{PV_POST, "/v1/jobs/ID/stop", PV_SCOPE_SUBMIT, pv_route_job_stop,
 "Stops a job for good: requests in flight end, and all is kept.", NULL, NULL,
 "Job", 200},
{PV_POST, "/v1/jobs/ID/redeliver", PV_SCOPE_SUBMIT, pv_route_job_redeliver,
 "Delivers to its webhook again: what failed, or from=start all of it.",
 redeliver_arguments, NULL, "Job", 200},
{PV_GET, "/v1/jobs/ID/results", PV_SCOPE_READ, pv_route_results,
 "Lines of its journal, or rows of a kind of pages, from a cursor on.",
 result_arguments, NULL, NULL, 200},
{PV_GET, "/v1/events", PV_SCOPE_READ, pv_route_events,
 "What happens to jobs, as server-sent events.", NULL, NULL, NULL, 200},
{PV_POST, "/v1/fetches", PV_SCOPE_SUBMIT, pv_route_fetches_post,
 "Asks for one address: redirects are followed, links are not.",
 fetch_arguments, "FetchOrder", "Fetch", 202},
{PV_GET, "/v1/fetches", PV_SCOPE_READ, pv_route_fetches_get,
 "Lists them from the newest on, without their rows.", fetch_list_arguments, NULL,
 "Fetches", 200},
{PV_GET, "/v1/fetches/ID", PV_SCOPE_READ, pv_route_fetch_get,
 "What came of it.", NULL, NULL, "Fetch", 200},
{PV_GET, "/v1/fetches/ID/body", PV_SCOPE_READ, pv_route_fetch_body,
 "What was stored of it.", NULL, NULL, NULL, 200},
{PV_GET, "/v1/fetches/ID/rows", PV_SCOPE_READ, pv_route_fetch_rows,
 "The rows that its page gives now, where the profile has pages.", NULL, NULL,
 NULL, 200},
{PV_GET, "/v1/hosts", PV_SCOPE_READ, pv_route_hosts,
 "What the hosts of jobs that run wait for.", NULL, NULL, "Hosts", 200},
{PV_GET, "/v1/hosts/NAME", PV_SCOPE_READ, pv_route_host_get,
 "One host in each job that runs: its clocks, robots.txt, what it saw of us.",
 NULL, NULL, "Host", 200},
{PV_POST, "/v1/hosts/NAME/pause", PV_SCOPE_CONTROL, pv_route_host_pause,
 "Pauses a host in all jobs, those that come later as well.", NULL, "HostPause",
 "Host", 200},
{PV_POST, "/v1/hosts/NAME/resume", PV_SCOPE_CONTROL, pv_route_host_resume,
 "Ends that pause.", NULL, NULL, "Host", 200},
{PV_GET, "/v1/jobs/ID/files/...", PV_SCOPE_READ, pv_route_files,
 "A file that it has stored.", NULL, NULL, NULL, 200},
};
/* clang-format on */

const size_t pv_route_count = sizeof(pv_routes) / sizeof(*pv_routes);

/* Whether the path is the route's; fills in what varies. */
static bool fits(const struct pv_route *route, struct pv_str path,
    struct pv_str *id, struct pv_str *rest)
{
	struct pv_reader wanted = pv_reader_of(pv_str_of(route->path));
	struct pv_reader given = pv_reader_of(path);
	while (pv_reader_accept(&wanted, '/')) {
		struct pv_str part = pv_reader_take_until(&wanted, '/');
		if (!pv_reader_accept(&given, '/'))
			return false;
		if (pv_str_equal(part, PV_STR("..."))) {
			*rest = pv_reader_rest(&given);
			return true;
		}
		struct pv_str found = pv_reader_take_until(&given, '/');
		if (pv_str_equal(part, PV_STR("ID")) ||
		    pv_str_equal(part, PV_STR("NAME")))
			*id = found;
		else if (!pv_str_equal(part, found))
			return false;
	}
	return !pv_reader_rest(&given).len;
}

static bool is_method(const struct pv_route *route, enum pv_http_method method)
{
	return route->method == method ||
	       (route->method == PV_GET && method == PV_HEAD);
}

static const char *word_of(enum pv_http_method method)
{
	switch (method) {
	case PV_GET:
		return "GET, HEAD";
	case PV_POST:
		return "POST";
	case PV_DELETE:
		return "DELETE";
	default:
		return "";
	}
}

/* 404, or 405 with what may be asked for there. */
static void tell_missing(
    const struct pv_exchange *exchange, struct pv_reply *reply)
{
	struct pv_buf allowed;
	struct pv_str id, rest;
	pv_buf_init(&allowed, 100);
	for (size_t i = 0; i < pv_route_count; i++) {
		if (!fits(&pv_routes[i], exchange->path, &id, &rest))
			continue;
		pv_buf_append_text(&allowed, allowed.len ? ", " : "");
		pv_buf_append_text(&allowed, word_of(pv_routes[i].method));
	}
	if (allowed.len) {
		pv_reply_header(reply, "Allow", pv_buf_text(&allowed));
		pv_problem_reply(reply, 405,
		    "this path takes no such method, but %s",
		    pv_buf_text(&allowed));
	} else {
		pv_problem_reply(reply, 404,
		    "there is no such path: /openapi.json lists all of them");
	}
	pv_buf_finish(&allowed);
}

static const struct pv_route *find(
    const struct pv_exchange *exchange, struct pv_str *id, struct pv_str *rest)
{
	for (size_t i = 0; i < pv_route_count; i++) {
		if (is_method(&pv_routes[i], exchange->method) &&
		    fits(&pv_routes[i], exchange->path, id, rest))
			return &pv_routes[i];
	}
	return NULL;
}

void pv_routes_answer(struct pv_service *service,
    const struct pv_exchange *exchange, struct pv_reply *reply)
{
	struct pv_arena arena;
	struct pv_request request = {
	    .service = service,
	    .exchange = exchange,
	    .id = PV_STR(""),
	    .rest = PV_STR(""),
	    .arena = &arena,
	};
	const struct pv_route *route =
	    find(exchange, &request.id, &request.rest);
	if (!pv_service_admits(service, exchange, route ? route->scope : 0,
		&request.who, reply))
		return;
	if (!route) {
		tell_missing(exchange, reply);
		return;
	}
	struct pv_str name = pv_str_of(request.who.name);
	if (request.who.name[0] && !(request.who.scopes & PV_SCOPE_CONTROL))
		request.owner = &name;
	pv_arena_init(&arena);
	route->answer(&request, reply);
	pv_arena_finish(&arena);
}
