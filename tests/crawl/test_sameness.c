#include "policy/sameness.h"

#include "crawl/scene.h"

/* What a policy takes for the same is asked for once, and what it does not take
 * is not asked for, as the server has it: hosts with two names, directories
 * with documents, redirects between the two, and images of a crawl that keeps
 * pages. */

#define MANNERS                                                          \
	"version: 1\n"                                                   \
	"politeness: {delay: 10ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0}\n"                                                 \
	"fetch: {resolve: {\"*.test\": \"127.0.0.1\"}"

static bool open_and_crawl(struct crawl_scene *scene,
    const struct server_route *routes, size_t count, const char *policy,
    const char *claim)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {
	    .addresses = everywhere, .routes = routes, .route_count = count};
	if (!ok(crawl_scene_open(scene, &plan), "the hosts are there"))
		return false;
	crawl_scene_policy(scene, policy);
	return crawl_scene_ends(scene, 0, claim);
}

#define OPEN_AND_CRAWL(scene, routes, policy, claim)                          \
	open_and_crawl((scene), (routes), sizeof(routes) / sizeof(*(routes)), \
	    (policy), (claim))

static size_t asked(
    struct crawl_scene *scene, const char *host, const char *target)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = log_count(&view, host, target);
	log_view_finish(&view);
	return count;
}

/* Whether a request for this carried what is for named origins. */
static bool has_secret(struct crawl_scene *scene, const char *target)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, NULL, target);
	bool has =
	    view.count > 0 &&
	    pv_str_equal(server_header(view.records[0].headers, "X-Api-Key"),
		PV_STR("secret"));
	log_view_finish(&view);
	return has;
}

#define WWW "http://www.a.test:{port}"

static const struct server_route same_routes[] = {
    {.host = "www.a.test", .path = "*", .answer = {.body = "asked"}},
    {.path = "/",
	.answer = {.body = "<a href=/x/index.html><a href=/x/>"
			   "<a href=" WWW "/y><a href=/y>"
			   "<a href='/p?b=1&amp;a=2'><a href='/p?a=2&amp;b=1'>"
			   "<a href=/host><a href=/document/>"
			   "<a href=/session><a href=/order?a&amp;b>"
			   "<a href=/both/><a href=/to><a href=/itself>"}},
    {.path = "/x/", .answer = {.body = "x"}},
    {.path = "/y", .answer = {.body = "y"}},
    {.path = "/p?*", .answer = {.body = "p"}},
    /* circles by what is taken for the same */
    {.path = "/host", .answer = {.status = 301, .location = WWW "/host"}},
    {.path = "/document/",
	.answer = {.status = 301, .location = "/document/index.html"}},
    {.path = "/session",
	.answer = {.status = 302, .location = "/session?sid=1#here"}},
    {.path = "/order?*", .answer = {.status = 302, .location = "/order?b&a"}},
    {.path = "/both/",
	.answer = {.status = 302, .location = WWW "/both/index.html?sid"}},
    /* a longer way round */
    {.path = "/to", .answer = {.status = 302, .location = WWW "/fro"}},
    {.path = "/fro", .answer = {.status = 302, .location = WWW "/to"}},
    /* a plain one */
    {.path = "/itself", .answer = {.status = 302, .location = "/itself"}},
};

#define BY(keys) "redirects to itself by " keys "\""

static const struct address_end same_ends[] = {
    {"http://a.test:PORT/", "\"status\":200"},
    {"http://a.test:PORT/x/", "\"status\":200"},
    {"http://a.test:PORT/y", "\"status\":200"},
    {"http://a.test:PORT/p?a=2&b=1", "\"status\":200"},
    {"http://a.test:PORT/host", BY("scope.aliases")},
    {"http://a.test:PORT/document/", BY("scope.default_documents")},
    {"http://a.test:PORT/session", BY("scope.strip_query")},
    {"http://a.test:PORT/order?a&b", BY("scope.sort_query")},
    {"http://a.test:PORT/both/",
	BY("scope.aliases, scope.default_documents and scope.strip_query")},
    {"http://a.test:PORT/to", "\"status\":302"},
    {"http://a.test:PORT/fro", "\"status\":302"},
    {"http://a.test:PORT/itself", "redirects to itself\""},
};

static void test_same(void)
{
	struct crawl_scene scene;
	static const char policy[] =
	    MANNERS ", headers: {X-Api-Key: secret}}\n"
		    "output: {}\n"
		    "seeds: [\"http://www.a.test:PORT/index.html\"]\n"
		    "scope: {aliases: {\"www.*\": \"*\"}, sort_query: true, "
		    "default_documents: [index.html]}\n"
		    "domains: {a.test: {strip_query: [sid]}}\n";
	if (OPEN_AND_CRAWL(&scene, same_routes, policy,
		"a crawl of hosts with two names finishes")) {
		size_t count = sizeof(same_ends) / sizeof(*same_ends);
		JUDGE_ENDS(&scene, same_ends);
		ok(asked(&scene, "www.a.test", "*") == 0,
		    "an alias is asked for nothing, a seed's either, nor for "
		    "its robots.txt");
		ok(asked(&scene, "a.test", "*") == count + 1,
		    "its name once for each address, and for robots.txt");
		ok(has_secret(&scene, "/"),
		    "P7: what is for the origins of seeds is for that name");
		ok(crawl_scene_lines(&scene, "\"final\":true", NULL) == count,
		    "P3: each address has one end, and there is no other");
		ok(crawl_scene_run(&scene, HANG_MS) == 0 &&
			asked(&scene, "a.test", "*") == count + 1,
		    "and another run asks for nothing");
	}
	crawl_scene_close(&scene);
}

static const struct server_route type_routes[] = {
    {.path = "/",
	.answer = {.body = "<img src=/a.png><img src=/b?c.png>"
			   "<link rel=stylesheet href=/a.css>"
			   "<script src=/a.js></script><a href=/File:a.png>"
			   "<img src=/c.gif>"}},
    {.path = "/a.css",
	.answer = {.type = "text/css", .body = "a{b:url(x.woff2)}"}},
    {.path = "/File:a.png", .answer = {.body = "a page"}},
    {.path = "/b?c.png", .answer = {.type = "image/png", .body = "png"}},
    {.path = "/c.gif", .answer = {.type = "image/gif", .body = "GIF89a"}},
};

#define REFUSED "\"reason\":\"type\""

static const struct address_end type_ends[] = {
    {"http://a.test:PORT/", "\"status\":200"},
    {"http://a.test:PORT/a.css", "\"status\":200"},
    {"http://a.test:PORT/a.png", REFUSED},
    {"http://a.test:PORT/a.js", REFUSED},
    {"http://a.test:PORT/x.woff2", REFUSED},
    {"http://a.test:PORT/File:a.png", "\"status\":200"},
    {"http://a.test:PORT/b?c.png", "\"outcome\":\"not-accepted\""},
    {"http://a.test:PORT/c.gif", "\"status\":200"},
};

static void test_types(void)
{
	struct crawl_scene scene;
	static const char policy[] =
	    MANNERS ", accept: [text/html, text/css, image/gif]}\n"
		    "seeds: [\"http://a.test:PORT/\"]\n"
		    "output: {}\n";
	if (OPEN_AND_CRAWL(&scene, type_routes, policy,
		"a crawl that keeps some types finishes")) {
		JUDGE_ENDS(&scene, type_ends);
		ok(asked(&scene, NULL, "/a.png") == 0 &&
			asked(&scene, NULL, "/a.js") == 0 &&
			asked(&scene, NULL, "/x.woff2") == 0,
		    "parts whose names tell another type are never asked for");
		ok(asked(&scene, NULL, "/b?c.png") == 1,
		    "and what tells none is");
		ok(crawl_scene_status(&scene, "\"type\":") == 3,
		    "P4: status counts them under their reason");
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	test_same();
	test_types();
	return tap_done();
}
