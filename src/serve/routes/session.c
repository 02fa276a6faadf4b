#include "base/json/json.h"
#include "serve/http/problem.h"
#include "serve/routes/route.h"

/* Sessions of browsers: a token is exchanged for a cookie that is none. */

void pv_route_session_post(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_json *body = pv_json_read(request->exchange->body);
	struct pv_str token = pv_json_get_text(body, "token");
	if (!token.len)
		pv_problem_reply(reply, 400,
		    "the body is no JSON object with a token, such as "
		    "{\"token\": \"...\"}");
	else if (pv_service_log_in(request->service, token, reply))
		reply->status = 204;
	pv_json_destroy(body);
}

void pv_route_session_delete(struct pv_request *request, struct pv_reply *reply)
{
	pv_access_log_out(request->service->access, request->exchange, reply);
	reply->status = 204;
}
