#include "crawl/scene.h"
#include "crawl/search_directory.h"

/* What the domain table says in confidence, held against the servers' logs (P7):
 * it goes to its hosts where a person could mean it to, over redirects to other
 * hosts, ports and schemes, and is written nowhere. */

#define TOKEN "bearer-c2VjcmV0"
#define KEY "key-c2VjcmV0"
#define COOKIE "cookie-c2VjcmV0"

/* "anna:word-c2VjcmV0" */
#define WORD "word-c2VjcmV0"
#define LOGIN "Basic YW5uYTp3b3JkLWMyVmpjbVYw"

static const char *const everywhere[] = {"127.0.0.0/8", NULL};

static const struct server_route routes[] = {
    {.host = "www.mine.test",
	.path = "/",
	.answer = {.body = "<a href='http://api.mine.test:{port}/page'></a>"
			   "<a href='http://api.mine.test:{port}/host'></a>"
			   "<a href='http://api.mine.test:{port}/scheme'></a>"
			   "<a href='http://files.test:{port}/page'></a>"
			   "<a href=/port></a>"
			   "<a href='http://yours.test:{port}/page'></a>",
	    .is_template = true}},
    {.path = "/host",
	.answer = {.status = 302, .location = "http://yours.test:{port}/x"}},
    {.path = "/scheme",
	.answer = {.status = 302,
	    .location = "https://api.mine.test:{tls_port}/tls"}},
    {.path = "/port",
	.answer = {.status = 302,
	    .location = "https://www.mine.test:{tls_port}/tls"}},
    {.path = "/x", .answer = {.body = "x"}},
    {.path = "/tls", .answer = {.body = "tls"}},
    {.path = "/page", .answer = {.body = "page"}},
};

static bool open_scene(struct crawl_scene *scene)
{
	static const char *const environment[] = {
	    "API_TOKEN=" TOKEN, NULL};
	static const struct server_plan plan = {
	    .addresses = everywhere, .has_tls = true, SERVER_ROUTES(routes)};
	struct pv_buf text;
	if (!ok(crawl_scene_open(scene, &plan), "several hosts are there"))
		return false;
	scene->home.environment = environment;
	home_write(&scene->home, "logins",
	    PV_STR("machine files.test login anna password " WORD "\n"));
	home_write(&scene->home, "cookies.txt",
	    PV_STR("# Netscape HTTP Cookie File\n"
		   ".mine.test\tTRUE\t/\tFALSE\t0\tone\t" COOKIE "\n"
		   "www.mine.test\tFALSE\t/\tTRUE\t0\ttwo\t" COOKIE "\n"));
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "seeds: [\"http://www.mine.test:PORT/\"]\n"
	    "scope: {hosts: any}\n"
	    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
	    "output: {mirror: {}}\n"
	    "domains:\n"
	    "  \"*.mine.test\": {headers: {X-Member: " KEY
	    ", Accept-Language: fr}}\n"
	    "  api.mine.test: {user: \"bearer ${API_TOKEN}\"}\n"
	    "  files.test: {user: netrc ./logins}\n"
	    "fetch:\n"
	    "  headers: {Accept-Language: en}\n"
	    "  cookie_file: cookies.txt\n"
	    "  tls: {ca: \"%s\"}\n"
	    "  resolve: {\"*.test\": \"127.71.0.2\"}\n",
	    server_authority_path(scene->server));
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
	return true;
}

static bool says(const struct server_record *record, const char *name,
    const char *value)
{
	return pv_str_equal(
	    server_header(record->headers, name), pv_str_of(value));
}

static bool is_at(const struct server_record *record, const char *host)
{
	return pv_str_equal(record->host, pv_str_of(host)) && !record->is_tls;
}

/* Of a cookie the domain, the path and the scheme decide, and no port
 * (RFC 6265, 5.4). */
static bool has_right_cookies(const struct server_record *record)
{
	bool is_www = pv_str_equal(record->host, PV_STR("www.mine.test"));
	bool is_api = pv_str_equal(record->host, PV_STR("api.mine.test"));
	if (is_www && record->is_tls)
		return says(record, "cookie",
			   "one=" COOKIE "; two=" COOKIE) ||
		       says(record, "cookie", "two=" COOKIE "; one=" COOKIE);
	return says(
	    record, "cookie", is_www || is_api ? "one=" COOKIE : "");
}

/* Whether a request said all that it should, and nothing else. */
static bool is_right(const struct server_record *record)
{
	bool is_mine = is_at(record, "www.mine.test") ||
		       is_at(record, "api.mine.test");
	const char *login = is_at(record, "api.mine.test") ? "Bearer " TOKEN
			    : is_at(record, "files.test")  ? LOGIN
							   : "";
	return says(record, "authorization", login) &&
	       has_right_cookies(record) &&
	       says(record, "x-member", is_mine ? KEY : "") &&
	       says(record, "accept-language", is_mine ? "fr" : "en");
}

static void judge_requests(struct crawl_scene *scene, const char *claim)
{
	struct log_view view = log_view_of(scene->server);
	size_t right = 0;
	for (size_t i = 0; i < view.count; i++) {
		const struct server_record *record = &view.records[i];
		if (is_right(record))
			right++;
		else
			printf("# %.*s %.*s %s\n%.*s\n",
			    PV_STR_ARG(record->host),
			    PV_STR_ARG(record->target),
			    record->is_tls ? "tls" : "",
			    PV_STR_ARG(record->headers));
	}
	ok(log_count(&view, "api.mine.test", "/page") >= 1 &&
		log_count(&view, "files.test", "/page") >= 1 &&
		log_count(&view, "yours.test", "/x") >= 1 &&
		log_count(&view, "api.mine.test", "/tls") >= 1 &&
		log_count(&view, "www.mine.test", "/tls") >= 1,
	    "other hosts, ports and schemes are asked, too");
	ok(right == view.count, "P7: %s (%zu of %zu)", claim, right,
	    view.count);
	log_view_finish(&view);
}

static bool holds(const struct pv_buf *text, const char *secret)
{
	return memmem(
	    pv_buf_text(text), text->len, secret, strlen(secret)) != NULL;
}

static const char *const secrets[] = {
    TOKEN, KEY, WORD, COOKIE, "YW5uYTp3b3Jk", NULL};

static int program(struct crawl_scene *scene, const char *const *arguments,
    struct pv_buf *said)
{
	struct program_end end;
	pv_buf_clear(said);
	program_run(&scene->home, arguments, said, &end);
	ok(!holds(said, TOKEN) && !holds(said, KEY) && !holds(said, WORD) &&
		!holds(said, COOKIE),
	    "P7: %s prints no secret", arguments[0]);
	return end.status;
}

static void test_crawl(void)
{
	static const char *const check[] = {"check", "policy.yaml", NULL};
	static const char *const effective[] = {
	    "check", "policy.yaml", "--effective", NULL};
	static const char *const go_on[] = {"continue", "o", "-vv", NULL};
	struct crawl_scene scene;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	if (open_scene(&scene)) {
		ok(program(&scene, check, &said) == 0 &&
			strstr(pv_buf_text(&said),
			    "X-Member, Accept-Language to *.mine.test alone") &&
			strstr(pv_buf_text(&said),
			    "a token of ${API_TOKEN} to api.mine.test alone") &&
			strstr(pv_buf_text(&said), "the logins of a netrc of"),
		    "check tells by name what goes where");
		ok(program(&scene, effective, &said) == 0 &&
			strstr(pv_buf_text(&said), "bearer ${API_TOKEN}"),
		    "and what the policy amounts to");
		crawl_scene_ends(&scene, 0, "the crawl finishes");
		judge_requests(&scene,
		    "what a domain says in confidence goes where it may and "
		    "nowhere else");
		ok(directory_lacks(home_file(&scene.home, "o"), secrets),
		    "P7: nothing of it is in the crawl's directory");
		ok(program(&scene, go_on, &said) == 1 &&
			strstr(pv_buf_text(&said), "domains"),
		    "without the headers it does not go on, and says why");
		crawl_scene_ends(
		    &scene, 0, "with the policy that has them it does");
		scene.home.environment = NULL;
		crawl_scene_ends(&scene, 1,
		    "without the variable it does not begin");
	}
	pv_buf_finish(&said);
	crawl_scene_close(&scene);
}

/* A seed over TLS: the same host without it gets nothing. */
static const struct server_route down_routes[] = {
    {.path = "/",
	.answer = {.body = "<a href=/down></a>"
			   "<a href='http://mine.test:{port}/plain'></a>",
	    .is_template = true}},
    {.path = "/down",
	.answer = {.status = 302, .location = "http://mine.test:{port}/x"}},
    {.path = "/x", .answer = {.body = "x"}},
    {.path = "/plain", .answer = {.body = "plain"}},
};

static void test_downgrade(void)
{
	static const struct server_plan plan = {.addresses = everywhere,
	    .has_tls = true,
	    SERVER_ROUTES(down_routes)};
	struct crawl_scene scene;
	struct pv_buf text;
	size_t told = 0, right = 0;
	if (!ok(crawl_scene_open(&scene, &plan), "a host with TLS"))
		return;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "seeds: [\"https://mine.test:%u/\"]\n"
	    "scope: {hosts: any}\n"
	    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
	    "output: {}\n"
	    "domains: {mine.test: {user: \"anna:" WORD "\"}}\n"
	    "fetch: {tls: {ca: \"%s\"}, resolve: {\"*.test\": 127.71.0.3}}\n",
	    server_tls_port(scene.server), server_authority_path(scene.server));
	crawl_scene_policy(&scene, pv_buf_text(&text));
	crawl_scene_ends(&scene, 0, "a crawl over TLS finishes");
	struct log_view view = log_view_of(scene.server);
	for (size_t i = 0; i < view.count; i++) {
		bool is_told =
		    says(&view.records[i], "authorization", LOGIN);
		told += is_told;
		right += is_told == view.records[i].is_tls;
	}
	ok(told >= 3 && right == view.count && view.count > told,
	    "P7: a login goes over TLS alone where the seed does (%zu of %zu)",
	    right, view.count);
	log_view_finish(&view);
	ok(directory_lacks(home_file(&scene.home, "o"), secrets),
	    "P7: and is not in the crawl's directory");
	pv_buf_finish(&text);
	crawl_scene_close(&scene);
}

int main(void)
{
	test_crawl();
	test_downgrade();
	return tap_done();
}
