#include "serve/access/access.h"

#include "serve/access/sessions.h"
#include "tap.h"

#define FIELDS_MAX 5
#define HOST                             \
	{                                \
		"Host", "localhost:7117" \
	}
#define READER                                         \
	{                                              \
		"Authorization", "Bearer reader-token" \
	}
#define JSON                                                      \
	{                                                         \
		"Content-Type", "application/json; charset=utf-8" \
	}

/* A request, and what is said to it: 200 where it may. */
struct request {
	const char *claim;
	bool has_tokens;
	enum pv_http_method method;
	unsigned scope;
	unsigned status;
	const char *body;
	struct {
		const char *name, *value;
	} fields[FIELDS_MAX];
};

static const struct request requests[] = {
    {"without tokens everybody reads", false, PV_GET, PV_SCOPE_READ, 200, "",
	{HOST}},
    {"and changes", false, PV_POST, PV_SCOPE_CONTROL, 200, "{}", {HOST, JSON}},
    {"another name is refused", false, PV_GET, PV_SCOPE_READ, 421, "",
	{{"Host", "evil.example"}}},
    {"for what everybody may, too", true, PV_GET, 0, 421, "",
	{{"Host", "evil.example:7117"}}},
    {"and no name", false, PV_GET, PV_SCOPE_READ, 421, "", {{NULL, NULL}}},
    {"a name of the plan is ours", false, PV_GET, PV_SCOPE_READ, 200, "",
	{{"Host", "crawler.example"}}},
    {"where there are tokens one is needed", true, PV_GET, PV_SCOPE_READ, 401,
	"", {HOST}},
    {"but for what everybody may", true, PV_GET, 0, 200, "", {HOST}},
    {"one with the scope may", true, PV_GET, PV_SCOPE_READ, 200, "",
	{HOST, READER}},
    {"one that is not known may not", true, PV_GET, PV_SCOPE_READ, 401, "",
	{HOST, {"Authorization", "Bearer other"}}},
    {"nor may a password", true, PV_GET, PV_SCOPE_READ, 401, "",
	{HOST, {"Authorization", "Basic cmVhZGVyLXRva2Vu"}}},
    {"one without the scope may not", true, PV_POST, PV_SCOPE_SUBMIT, 403, "{}",
	{HOST, READER, JSON}},
    {"control has all scopes", true, PV_POST, PV_SCOPE_SUBMIT, 200, "{}",
	{HOST, {"Authorization", "Bearer control-token"}}},
    {"without tokens a body is JSON", false, PV_POST, PV_SCOPE_SUBMIT, 415,
	"a=b", {HOST, {"Content-Type", "application/x-www-form-urlencoded"}}},
    {"and says so", false, PV_POST, PV_SCOPE_SUBMIT, 415, "{}", {HOST}},
    {"one without a body may say nothing", false, PV_DELETE, PV_SCOPE_SUBMIT,
	200, "", {HOST}},
    {"another site changes nothing", false, PV_POST, PV_SCOPE_SUBMIT, 403, "{}",
	{HOST, JSON, {"Origin", "http://evil.example"}}},
    {"nor does another port", false, PV_POST, PV_SCOPE_SUBMIT, 403, "{}",
	{HOST, JSON, {"Origin", "http://localhost:3000"}}},
    {"nor does a page without an origin", false, PV_POST, PV_SCOPE_SUBMIT, 403,
	"{}", {HOST, JSON, {"Origin", "null"}}},
    {"our own page does", false, PV_POST, PV_SCOPE_SUBMIT, 200, "{}",
	{HOST, JSON, {"Origin", "http://localhost:7117"},
	    {"Sec-Fetch-Site", "same-origin"}}},
    {"and one that a proxy has under our name", false, PV_POST, PV_SCOPE_SUBMIT,
	200, "{}", {HOST, JSON, {"Origin", "https://crawler.example"}}},
    {"what a browser calls cross-site does not", false, PV_DELETE,
	PV_SCOPE_SUBMIT, 403, "", {HOST, {"Sec-Fetch-Site", "cross-site"}}},
    {"nor same-site", false, PV_DELETE, PV_SCOPE_SUBMIT, 403, "",
	{HOST, {"Sec-Fetch-Site", "same-site"}}},
    {"a person does", false, PV_DELETE, PV_SCOPE_SUBMIT, 200, "",
	{HOST, {"Sec-Fetch-Site", "none"}}},
    {"another method counts as a change", false, PV_OTHER_METHOD, PV_SCOPE_READ,
	403, "", {HOST, {"Origin", "http://evil.example"}}},
    {"other sites may read what everybody may", false, PV_GET, PV_SCOPE_READ,
	200, "", {HOST, {"Sec-Fetch-Site", "cross-site"}}},
    {"a token is enough from anywhere", true, PV_POST, PV_SCOPE_SUBMIT, 200,
	"a=b",
	{HOST, {"Authorization", "Bearer control-token"},
	    {"Origin", "http://evil.example"}}},
    {"a form cannot log in", true, PV_POST, 0, 415, "a=b",
	{HOST, {"Content-Type", "text/plain"}}},
    {"nor can another site", true, PV_POST, 0, 403, "{}",
	{HOST, JSON, {"Origin", "http://evil.example"}}},
};

/* Adds a token whose name is known as NAME-token. */
static void add_token(struct pv_buf *file, const char *name, const char *scopes)
{
	uint8_t digest[PV_DIGEST_SIZE];
	struct pv_buf token;
	pv_buf_init(&token, 64);
	pv_buf_append_format(&token, "%s-token", name);
	pv_digest(pv_buf_str(&token), digest);
	pv_buf_append_format(file, "%s ", name);
	pv_digest_write(digest, file);
	pv_buf_append_format(file, " %s\n", scopes);
	pv_buf_finish(&token);
}

static void read_tokens(struct pv_tokens *tokens)
{
	struct pv_buf file;
	struct pv_why why;
	pv_why_init(&why);
	pv_buf_init(&file, 4096);
	add_token(&file, "reader", "read");
	add_token(&file, "control", "control");
	pv_tokens_init(tokens);
	pv_tokens_read(tokens, pv_buf_str(&file), "file", &why);
	pv_buf_finish(&file);
	pv_why_finish(&why);
}

static struct pv_access *create(bool has_tokens)
{
	static const char *const others[] = {"crawler.example"};
	static const struct pv_access_plan plan = {
	    .names = {.listen = "127.0.0.1:7117",
		.others = others,
		.other_count = 1},
	    .session_ms = 1000,
	};
	struct pv_tokens tokens;
	read_tokens(&tokens);
	struct pv_access *access =
	    pv_access_create(&plan, has_tokens ? &tokens : NULL);
	pv_tokens_finish(&tokens);
	return access;
}

/* The fields live as long as the array. */
static struct pv_exchange exchange_of(
    const struct request *request, struct pv_head_field fields[FIELDS_MAX])
{
	struct pv_exchange exchange = {
	    .method = request->method,
	    .body = pv_str_of(request->body),
	    .head = {.fields = fields},
	};
	size_t *count = &exchange.head.field_count;
	while (*count < FIELDS_MAX && request->fields[*count].name) {
		fields[*count].name = pv_str_of(request->fields[*count].name);
		fields[*count].value = pv_str_of(request->fields[*count].value);
		++*count;
	}
	return exchange;
}

static void test_request(const struct request *request)
{
	struct pv_head_field fields[FIELDS_MAX];
	struct pv_exchange exchange = exchange_of(request, fields);
	struct pv_access *access = create(request->has_tokens);
	struct pv_reply reply;
	pv_reply_init(&reply);
	struct pv_who who =
	    pv_access_judge(access, &exchange, request->scope, 0, &reply);
	if (!ok(reply.status == request->status &&
		    who.may == (request->status == 200),
		"%s", request->claim))
		printf("# %u %s\n", reply.status, pv_buf_text(&reply.body));
	pv_reply_finish(&reply);
	pv_access_destroy(access);
}

static struct pv_who ask(struct pv_access *access, const char *cookie,
    const char *origin, int64_t now, struct pv_reply *reply)
{
	struct pv_head_field fields[FIELDS_MAX];
	struct request request = {.method = origin ? PV_DELETE : PV_GET,
	    .body = "",
	    .fields = {
		HOST, {"Cookie", cookie}, {origin ? "Origin" : NULL, origin}}};
	struct pv_exchange exchange = exchange_of(&request, fields);
	return pv_access_judge(access, &exchange, PV_SCOPE_READ, now, reply);
}

/* The cookie that a reply gives, as a browser sends it back. */
static const char *cookie_of(const struct pv_reply *reply)
{
	static char cookie[100];
	const char *given = pv_reply_header_get(reply, "Set-Cookie");
	snprintf(cookie, sizeof(cookie), "%.*s",
	    given ? (int)strcspn(given, ";") : 0, given ? given : "");
	return cookie;
}

static void log_out(
    struct pv_access *access, const char *cookie, struct pv_reply *reply)
{
	struct pv_head_field fields[FIELDS_MAX];
	struct request request = {
	    .body = "", .fields = {HOST, {"Cookie", cookie}}};
	struct pv_exchange exchange = exchange_of(&request, fields);
	pv_access_log_out(access, &exchange, reply);
}

static void test_sessions(struct pv_access *access, struct pv_reply *reply)
{
	ok(!pv_access_log_in(access, PV_STR("other"), 0, reply) &&
		reply->status == 401,
	    "a token that is not known begins no session");
	pv_reply_reset(reply);
	ok(pv_access_log_in(access, PV_STR("reader-token"), 0, reply) &&
		!strstr(pv_reply_header_get(reply, "Set-Cookie"), "token"),
	    "one that is does, and is not in the cookie");
	const char *cookie = cookie_of(reply);
	pv_reply_reset(reply);
	struct pv_who who = ask(access, cookie, NULL, 999, reply);
	ok(who.may && strcmp(who.name, "reader") == 0 &&
		who.scopes == PV_SCOPE_READ,
	    "the session is who began it");
	ok(!ask(access, cookie, "http://evil.example", 999, reply).may &&
		reply->status == 403,
	    "another site cannot use it");
	ok(ask(access, cookie, "http://localhost:7117", 999, reply).may,
	    "our own page can");
	pv_reply_reset(reply);
	ok(!ask(access, cookie, NULL, 1000, reply).may &&
		reply->status == 401 &&
		strstr(pv_reply_header_get(reply, "WWW-Authenticate"),
		    "invalid_token"),
	    "it ends after its time");
}

static void test_ends(struct pv_access *access, struct pv_reply *reply)
{
	struct pv_host_names names = {.listen = "127.0.0.1:7117"};
	struct pv_tokens none;
	struct pv_tokens tokens;
	pv_reply_reset(reply);
	pv_access_log_in(access, PV_STR("reader-token"), 0, reply);
	const char *cookie = cookie_of(reply);
	pv_reply_reset(reply);
	log_out(access, cookie, reply);
	ok(strstr(pv_reply_header_get(reply, "Set-Cookie"), "=; Max-Age=0;"),
	    "the cookie is taken back");
	ok(!ask(access, cookie, NULL, 0, reply).may, "the session is over");
	pv_reply_reset(reply);
	pv_access_log_in(access, PV_STR("reader-token"), 0, reply);
	cookie = cookie_of(reply);
	read_tokens(&tokens);
	tokens.items[0] = tokens.items[1];
	tokens.count = 1;
	pv_access_change(access, &names, &tokens);
	ok(!ask(access, cookie, NULL, 0, reply).may,
	    "a session ends with the token that began it");
	pv_tokens_init(&none);
	pv_access_change(access, &names, &none);
	ok(!pv_access_has_tokens(access) &&
		ask(access, cookie, NULL, 0, reply).may,
	    "without tokens none is needed");
	names.listen = "192.0.2.1:80";
	pv_tokens_init(&none);
	pv_access_change(access, &names, &none);
	ok(!ask(access, cookie, NULL, 0, reply).may,
	    "a name that it has no longer is none");
}

int main(void)
{
	struct pv_reply reply;
	struct pv_access *access = create(true);
	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
		test_request(&requests[i]);
	pv_reply_init(&reply);
	test_sessions(access, &reply);
	test_ends(access, &reply);
	pv_reply_finish(&reply);
	pv_access_destroy(access);
	pv_access_destroy(NULL);
	return tap_done();
}
