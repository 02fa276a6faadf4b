#include "serve/routes/answer_extra.h"

#include <string.h>

static const struct pv_answer_extra extras[] = {
    {PV_GET, "/", NULL, 0, {"text/html"}},
    {PV_GET, "/dashboard/...", NULL, 0,
	{"text/css", "text/html", "text/javascript"}},
    {PV_GET, "/healthz", NULL, 0, {"text/plain"}},
    {PV_GET, "/readyz", NULL, 0, {"text/plain"}},
    {PV_GET, "/metrics", NULL, 0,
	{"text/plain", "application/openmetrics-text"}},
    {PV_POST, "/v1/jobs", "Location", 0, {NULL}},
    {PV_GET, "/v1/jobs/ID/results", "Pavane-Cursor", 0,
	{"application/x-ndjson", "text/event-stream"}},
    {PV_GET, "/v1/jobs/ID/files/...", NULL, 0, {"application/octet-stream"}},
    {PV_GET, "/v1/events", NULL, 0, {"text/event-stream"}},
    {PV_POST, "/v1/fetches", "Location", 200, {NULL}},
    {PV_GET, "/v1/fetches/ID/body", NULL, 0, {"application/octet-stream"}},
    {PV_GET, "/v1/fetches/ID/rows", NULL, 0, {"application/x-ndjson"}},
};

const struct pv_answer_extra *pv_answer_extra_of(const struct pv_route *route)
{
	for (size_t i = 0; i < sizeof(extras) / sizeof(*extras); i++) {
		if (extras[i].method == route->method &&
		    strcmp(extras[i].path, route->path) == 0)
			return &extras[i];
	}
	return NULL;
}
