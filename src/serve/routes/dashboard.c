#include <string.h>

#include "serve/dashboard/assets.h"
#include "serve/http/problem.h"
#include "serve/routes/route.h"

/* A page for people: what runs, what holds it, and what hosts wait for. It asks the
 * same requests as any other program. */

static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

static const struct {
	const char *extension;
	const char *type;
} types[] = {
    {".css", "text/css; charset=utf-8"},
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
};

static const char *type_of(struct pv_str name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (pv_str_ends(name, pv_str_of(types[i].extension)))
			return types[i].type;
	}
	return "application/octet-stream";
}

static void give(struct pv_str name, struct pv_reply *reply)
{
	for (size_t i = 0; i < pv_asset_count; i++) {
		if (!pv_str_equal(name, pv_str_of(pv_assets[i].name)))
			continue;
		pv_buf_append_text(&reply->body, pv_assets[i].text);
		reply->type = type_of(name);
		pv_reply_header(reply, "Content-Security-Policy", policy);
		pv_reply_header(reply, "Referrer-Policy", "no-referrer");
		return;
	}
	pv_problem_reply(reply, 404, "the page has no such file");
}

void pv_route_dashboard(struct pv_request *request, struct pv_reply *reply)
{
	(void)request;
	give(PV_STR("dashboard.html"), reply);
}

void pv_route_dashboard_file(struct pv_request *request, struct pv_reply *reply)
{
	give(request->rest, reply);
}
