#include <string.h>

#include "serve/dashboard/assets.h"
#include "serve/http/problem.h"
#include "serve/routes/route.h"

/* A page for people: what runs, what holds it, and what hosts wait for. It asks the
 * same requests as any other program. */

static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

static void give(const char *name, const char *type, struct pv_reply *reply)
{
	for (size_t i = 0; i < pv_asset_count; i++) {
		if (strcmp(pv_assets[i].name, name) == 0)
			pv_buf_append_text(&reply->body, pv_assets[i].text);
	}
	reply->type = type;
	pv_reply_header(reply, "Content-Security-Policy", policy);
	pv_reply_header(reply, "Referrer-Policy", "no-referrer");
}

void pv_route_dashboard(struct pv_request *request, struct pv_reply *reply)
{
	(void)request;
	give("dashboard.html", "text/html; charset=utf-8", reply);
}

void pv_route_dashboard_style(
    struct pv_request *request, struct pv_reply *reply)
{
	(void)request;
	give("dashboard.css", "text/css; charset=utf-8", reply);
}

void pv_route_dashboard_script(
    struct pv_request *request, struct pv_reply *reply)
{
	(void)request;
	give("dashboard.js", "text/javascript; charset=utf-8", reply);
}
