#include "serve/access/access.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "http/media_type.h"
#include "serve/access/credentials.h"
#include "serve/access/sessions.h"
#include "serve/http/problem.h"

#define COOKIE_MAX 256

struct pv_access {
	struct pv_access_plan plan;
	struct pv_sessions *sessions;
	pthread_rwlock_t lock; /* of the tokens, and of the plan's names */
	struct pv_tokens tokens;
};

/* How a request showed who sends it. */
enum proof {
	NO_PROOF,
	TOKEN,
	SESSION,
	BAD_PROOF,
};

static void take_tokens(struct pv_access *access, struct pv_tokens *tokens)
{
	pv_tokens_init(&access->tokens);
	if (!tokens)
		return;
	access->tokens = *tokens;
	pv_tokens_init(tokens);
}

struct pv_access *pv_access_create(
    const struct pv_access_plan *plan, struct pv_tokens *tokens)
{
	struct pv_access *access = pv_alloc(sizeof(*access));
	access->plan = *plan;
	access->sessions = pv_sessions_create(plan->session_ms);
	pthread_rwlock_init(&access->lock, NULL);
	take_tokens(access, tokens);
	return access;
}

void pv_access_destroy(struct pv_access *access)
{
	if (!access)
		return;
	pv_sessions_destroy(access->sessions);
	pv_tokens_finish(&access->tokens);
	pthread_rwlock_destroy(&access->lock);
	free(access);
}

void pv_access_change(struct pv_access *access,
    const struct pv_host_names *names, struct pv_tokens *tokens)
{
	pthread_rwlock_wrlock(&access->lock);
	access->plan.names = *names;
	pv_tokens_finish(&access->tokens);
	take_tokens(access, tokens);
	pthread_rwlock_unlock(&access->lock);
}

bool pv_access_has_tokens(struct pv_access *access)
{
	pthread_rwlock_rdlock(&access->lock);
	bool has_tokens = access->tokens.count > 0;
	pthread_rwlock_unlock(&access->lock);
	return has_tokens;
}

/* Who it is */

static bool know(
    struct pv_access *access, const uint8_t *digest, struct pv_who *who)
{
	pthread_rwlock_rdlock(&access->lock);
	const struct pv_token *token =
	    pv_tokens_find_digest(&access->tokens, digest);
	if (token) {
		memcpy(who->name, token->name, sizeof(who->name));
		who->scopes = token->scopes;
	}
	pthread_rwlock_unlock(&access->lock);
	return token;
}

static enum proof know_token(
    struct pv_access *access, struct pv_str authorization, struct pv_who *who)
{
	uint8_t digest[PV_DIGEST_SIZE];
	struct pv_str token = pv_bearer_read(authorization);
	if (!token.len)
		return BAD_PROOF;
	pv_digest(token, digest);
	return know(access, digest, who) ? TOKEN : BAD_PROOF;
}

static enum proof know_session(struct pv_access *access, struct pv_str cookie,
    int64_t now, struct pv_who *who)
{
	uint8_t digest[PV_DIGEST_SIZE];
	struct pv_str id = pv_session_read(cookie);
	if (!id.len)
		return NO_PROOF;
	if (!pv_sessions_find(access->sessions, id, now, digest))
		return BAD_PROOF;
	if (know(access, digest, who))
		return SESSION;
	pv_sessions_end(access->sessions, id);
	return BAD_PROOF;
}

/* A token says it, whatever cookies are sent along. */
static enum proof know_who(struct pv_access *access,
    const struct pv_exchange *exchange, int64_t now, struct pv_who *who)
{
	struct pv_str authorization =
	    pv_exchange_header(exchange, "Authorization");
	if (authorization.ptr)
		return know_token(access, authorization, who);
	return know_session(
	    access, pv_exchange_header(exchange, "Cookie"), now, who);
}

/* What it may not */

static bool has_name(struct pv_access *access, struct pv_str host)
{
	pthread_rwlock_rdlock(&access->lock);
	bool has_it = pv_host_names_has(&access->plan.names, host);
	pthread_rwlock_unlock(&access->lock);
	return has_it;
}

static bool has_other_name(struct pv_access *access, struct pv_str host)
{
	pthread_rwlock_rdlock(&access->lock);
	bool has_it = pv_host_names_has_other(&access->plan.names, host);
	pthread_rwlock_unlock(&access->lock);
	return has_it;
}

static bool is_host_ours(struct pv_access *access,
    const struct pv_exchange *exchange, struct pv_reply *reply)
{
	struct pv_str given = pv_exchange_header(exchange, "Host");
	if (has_name(access, pv_host_name_read(given)))
		return true;
	pv_problem_reply(reply, 421,
	    "this service is not called \"%.*s\"; names that it may have are "
	    "listed under hosts in its configuration",
	    PV_STR_ARG(given));
	return false;
}

/* One that is sent for the page that the host in Host shows; or, where a proxy
 * changes that, for one of the names that we were given. */
static bool is_origin_ours(struct pv_access *access,
    const struct pv_exchange *exchange, struct pv_str origin)
{
	struct pv_str authority = pv_origin_read(origin);
	if (!authority.len)
		return false;
	return pv_str_equal_nocase(
		   authority, pv_exchange_header(exchange, "Host")) ||
	       has_other_name(access, pv_host_name_read(authority));
}

static bool is_from_us(struct pv_access *access,
    const struct pv_exchange *exchange, struct pv_reply *reply)
{
	struct pv_str origin = pv_exchange_header(exchange, "Origin");
	struct pv_str site = pv_exchange_header(exchange, "Sec-Fetch-Site");
	bool is_ours =
	    (!origin.ptr || is_origin_ours(access, exchange, origin)) &&
	    (!site.ptr || pv_str_equal(site, PV_STR("same-origin")) ||
		pv_str_equal(site, PV_STR("none")));
	if (!is_ours)
		pv_problem_reply(reply, 403,
		    "a page of another site may change nothing here");
	return is_ours;
}

/* A form of another site can send any body, but not say that it is JSON. */
static bool is_json(const struct pv_exchange *exchange, struct pv_reply *reply)
{
	struct pv_media_type type;
	struct pv_str text = pv_exchange_header(exchange, "Content-Type");
	if (!exchange->body.len && !text.ptr)
		return true;
	if (pv_media_type_read(text, &type) &&
	    pv_media_type_is(&type, PV_STR("application/json")))
		return true;
	pv_problem_reply(reply, 415,
	    "a body has to be JSON, with the header Content-Type: "
	    "application/json");
	return false;
}

static bool is_change(const struct pv_exchange *exchange)
{
	return exchange->method != PV_GET && exchange->method != PV_HEAD;
}

static bool is_known(enum proof proof, struct pv_reply *reply)
{
	if (proof == TOKEN || proof == SESSION)
		return true;
	pv_reply_header(reply, "WWW-Authenticate",
	    proof == NO_PROOF
		? "Bearer realm=\"pavane\""
		: "Bearer realm=\"pavane\", error=\"invalid_token\"");
	pv_problem_reply(reply, 401, "%s",
	    proof == NO_PROOF
		? "a token is needed: Authorization: Bearer TOKEN"
		: "the token is not known, or the session is over");
	return false;
}

static bool has_scope(
    const struct pv_who *who, unsigned scope, struct pv_reply *reply)
{
	if ((who->scopes & PV_SCOPE_CONTROL) || (who->scopes & scope))
		return true;
	pv_problem_reply(reply, 403, "the token %s does not have the scope %s",
	    who->name, pv_scope_name(scope));
	return false;
}

static bool may_do(struct pv_access *access, const struct pv_exchange *exchange,
    enum proof proof, struct pv_reply *reply)
{
	return proof == TOKEN || !is_change(exchange) ||
	       (is_from_us(access, exchange, reply) &&
		   is_json(exchange, reply));
}

struct pv_who pv_access_judge(struct pv_access *access,
    const struct pv_exchange *exchange, unsigned scope, int64_t now,
    struct pv_reply *reply)
{
	struct pv_who who = {0};
	enum proof proof = NO_PROOF;
	bool has_tokens = pv_access_has_tokens(access);
	if (!is_host_ours(access, exchange, reply))
		return who;
	if (has_tokens)
		proof = know_who(access, exchange, now, &who);
	else
		who.scopes = PV_SCOPES_ALL;
	who.may = (!scope || !has_tokens || is_known(proof, reply)) &&
		  may_do(access, exchange, proof, reply) &&
		  (!scope || has_scope(&who, scope, reply));
	return who;
}

/* Sessions */

static void send_cookie(
    struct pv_reply *reply, struct pv_str id, int64_t seconds)
{
	struct pv_buf cookie;
	pv_buf_init(&cookie, COOKIE_MAX);
	pv_session_write(id, seconds, &cookie);
	pv_reply_header(reply, "Set-Cookie", pv_buf_text(&cookie));
	pv_buf_finish(&cookie);
}

bool pv_access_log_in(struct pv_access *access, struct pv_str token,
    int64_t now, struct pv_reply *reply)
{
	uint8_t digest[PV_DIGEST_SIZE];
	char id[PV_SESSION_ID_SIZE];
	struct pv_who who;
	pv_digest(token, digest);
	if (!know(access, digest, &who))
		return is_known(BAD_PROOF, reply);
	if (!pv_sessions_begin(access->sessions, digest, now, id)) {
		pv_problem_reply(
		    reply, 503, "the system has no random bytes now");
		return false;
	}
	send_cookie(reply, pv_str_of(id), access->plan.session_ms / 1000);
	return true;
}

void pv_access_log_out(struct pv_access *access,
    const struct pv_exchange *exchange, struct pv_reply *reply)
{
	struct pv_str id =
	    pv_session_read(pv_exchange_header(exchange, "Cookie"));
	if (id.len)
		pv_sessions_end(access->sessions, id);
	send_cookie(reply, (struct pv_str){0}, 0);
}
