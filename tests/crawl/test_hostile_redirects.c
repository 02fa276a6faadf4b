#include "crawl/hostile.h"

/* Hosts that send us round in circles, or to where we must not go (hostile.md,
 * B1 and B4), each beside an innocent one. */

#define TO(where)                                  \
	{                                          \
		.status = 302, .location = (where) \
	}
#define ONCE .outcome = "answered", .line = "\"status\":302"
#define NOWHERE                \
	.outcome = "answered", \
	.line = "redirects to something that is not a web address"

static const struct misdeed misdeeds[] = {
    /* 50, 51 */
    {"self", TO("/"), ONCE},
    {"loop", TO("/b"), ONCE},
    {"schemes", TO("https://schemes.test:{tls_port}/b"), ONCE},
    {"endless", TO("/hop-1"), ONCE},
    /* 52 */
    {"file", TO("file:///etc/passwd"), NOWHERE},
    {"ftp", TO("ftp://127.0.0.1/"), NOWHERE},
    {"gopher", TO("gopher://127.0.0.1:{port}/_GET%20/"), NOWHERE},
    {"data", TO("data:text/html,<a href=/x>"), NOWHERE},
    {"script", TO("javascript:alert(1)"), NOWHERE},
    {"scp", TO("scp://127.0.0.1/etc/passwd"), NOWHERE},
    {"dict", TO("dict://127.0.0.1:{port}/d:x"), NOWHERE},
    {"bad-port", TO("http://127.0.0.1:99999/"), NOWHERE},
    {"no-location", {.status = 302}, NOWHERE},
    /* 53, and 3 and 6 of B1 */
    {"to-10", TO("http://10.0.0.1/"), ONCE},
    {"to-metadata", TO("http://169.254.169.254/latest/meta-data/"), ONCE},
    {"to-loopback", TO("http://127.66.3.3:{port}/secret"), ONCE},
    {"to-number", TO("http://2130706433:{port}/secret"), ONCE},
    {"to-short", TO("http://0x7f.1:{port}/hidden"), ONCE},
    {"to-any", TO("http://0.0.0.0:{port}/secret"), ONCE},
    {"to-v6", TO("http://[::1]:{port}/secret"), ONCE},
    {"to-mapped", TO("http://[::ffff:127.0.0.1]:{port}/secret"), ONCE},
    {"to-localhost", TO("http://localhost:{port}/secret"), ONCE},
    /* 54 */
    {"to-forbidden", TO("/forbidden"), ONCE},
    {"to-denied", TO("/denied"), ONCE},
    {"to-secrets", TO("http://me:you@to-secrets.test:{port}/x"), ONCE},
    {"to-long", TO("/{path}long"), ONCE},
};

static char long_path[3000];

static const struct server_route routes[] = {
    {.host = "loop.test", .path = "/b", .answer = TO("/")},
    {.host = "schemes.test",
	.path = "/b",
	.answer = TO("http://schemes.test:{port}/")},
    {.host = "endless.test", .path = "/hop-*", .answer = TO("/hop-{n+1}")},
    {.host = "to-forbidden.test",
	.path = "/robots.txt",
	.answer = {.type = "text/plain",
	    .body = "User-agent: *\nDisallow: /forbidden\n"}},
    {.host = "to-long.test",
	.path = "/",
	.answer = {.status = 302, .location = long_path}},
    {.path = "/secret", .answer = {.body = "secret"}},
    {.path = "/hidden", .answer = {.body = "secret"}},
};

/* Where they lead, and why nobody went there. */
static const struct address_end ends[] = {
    {"http://loop.test:PORT/b", "\"status\":302"},
    {"https://schemes.test:TLS/b", "\"status\":302"},
    {"http://endless.test:PORT/hop-1", "\"status\":302"},
    {"http://endless.test:PORT/hop-5", "\"status\":302"},
    {"http://endless.test:PORT/hop-6", "\"reason\":\"redirects\""},
    {"http://10.0.0.1/", "\"reason\":\"private\""},
    {"http://169.254.169.254/latest/meta-data/", "\"reason\":\"private\""},
    {"http://127.66.3.3:PORT/secret", "\"reason\":\"private\""},
    {"http://127.0.0.1:PORT/secret", "\"reason\":\"private\""},
    {"http://127.0.0.1:PORT/hidden", "\"reason\":\"private\""},
    {"http://0.0.0.0:PORT/secret", "\"reason\":\"private\""},
    {"http://[::1]:PORT/secret", "\"reason\":\"private\""},
    {"http://[::ffff:7f00:1]:PORT/secret", "\"reason\":\"private\""},
    {"http://localhost:PORT/secret", "\"reason\":\"private\""},
    {"http://to-forbidden.test:PORT/forbidden",
	"\"reason\":\"robots\",\"line\":2"},
    {"http://to-denied.test:PORT/denied", "\"reason\":\"rule\",\"line\":1"},
    {"http://to-secrets.test:PORT/x", "\"reason\":\"credentials\""},
};

#define MORE_ENDS                       \
	(sizeof(ends) / sizeof(*ends) + \
	    4) /* hop-2 to hop-4, and the long one */

static void judge_requests(struct crawl_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	ok(log_count(&view, "endless.test", "/hop-*") == 5,
	    "a chain without end is followed as far as the policy says (%zu)",
	    log_count(&view, "endless.test", "/hop-*"));
	ok(!log_count(&view, NULL, "/secret") &&
		!log_count(&view, NULL, "/hidden") &&
		!log_count(&view, NULL, "/forbidden") &&
		!log_count(&view, NULL, "/denied"),
	    "P7: nobody is led to a private address, or to what is forbidden");
	log_view_finish(&view);
}

int main(void)
{
	struct misdeeds all = {
	    MISDEEDS(misdeeds),
	    MORE_ROUTES(routes),
	    .plan = {.has_tls = true},
	    .scope = "hosts: any, rules: [{deny: {path: /denied}}]",
	    .policy = "identity: {contact: \"https://me.test/bot\"}\n",
	    .status = 5,
	    .more = MORE_ENDS,
	};
	struct hostile_run run;
	snprintf(long_path, sizeof(long_path), "/long%02500d", 1);
	if (hostile_open(&run, &all)) {
		hostile_judge_all(&run.scene, &all);
		JUDGE_ENDS(&run.scene, ends);
		judge_requests(&run.scene);
		ok(crawl_scene_lines(&run.scene, "to-long.test",
		       "\"reason\":\"too-long\"", "\"final\":true", NULL) == 1,
		    "nor to an address that is longer than any is");
	}
	hostile_close(&run, &all);
	return tap_done();
}
