#include "base/json/json.h"
#include "serve/http/problem.h"
#include "serve/routes/answer.h"
#include "serve/routes/order_body.h"

/* Sessions of browsers: a token is exchanged for a cookie that is none. */

/* What the scope control includes is named, too. */
static struct pv_json *scopes_of(const struct pv_who *who)
{
	static const enum pv_scope all[] = {
	    PV_SCOPE_READ, PV_SCOPE_SUBMIT, PV_SCOPE_CONTROL};
	struct pv_json *scopes = pv_json_array();
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (who->scopes & (all[i] | PV_SCOPE_CONTROL))
			pv_json_add_text(scopes, pv_scope_name(all[i]));
	}
	return scopes;
}

/* Everybody may ask it, so that a page can tell whether it has to ask for a
 * token. */
void pv_route_session_get(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_json *view = pv_json_object();
	const struct pv_service *service = request->service;
	pv_json_set(view, "tokens",
	    pv_json_bool(pv_access_has_tokens(service->access)));
	if (request->who.name[0])
		pv_json_set_text(view, "name", request->who.name);
	pv_json_set(view, "scopes", scopes_of(&request->who));
	pv_json_set(
	    view, "ending", pv_json_bool(pv_service_is_draining(service)));
	pv_route_give_json(reply, view);
}

static bool read_token(
    const struct pv_json *body, struct pv_str *token, struct pv_reply *reply)
{
	bool is_right = pv_order_text(body, "token", token, reply);
	if (!is_right || token->len)
		return is_right;
	pv_problem_reply(reply, 400,
	    "the body is no JSON object with a token, such as "
	    "{\"token\": \"...\"}");
	return false;
}

void pv_route_session_post(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_json *body = pv_json_read(request->exchange->body);
	struct pv_str token;
	if (read_token(body, &token, reply) &&
	    pv_service_log_in(request->service, token, reply))
		reply->status = 204;
	pv_json_destroy(body);
}

void pv_route_session_delete(struct pv_request *request, struct pv_reply *reply)
{
	pv_access_log_out(request->service->access, request->exchange, reply);
	reply->status = 204;
}
