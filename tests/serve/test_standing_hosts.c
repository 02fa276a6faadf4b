#include <dirent.h>
#include <stdlib.h>

#include "crawl/patience.h"
#include "serve/service_scene.h"
#include "server/hole.h"
#include "server/name_server.h"
#include "tap.h"

/* Single addresses of hosts that are not there, or do not want to be asked: each
 * fetch ends, and says why, as soon as the policy lets it. */

#define SECONDS 100

static const char *const everywhere[] = {"127.0.0.0/8", NULL};

static const struct server_route routes[] = {
    {.host = "127.0.1.1", .path = "/robots.txt", .answer = {.status = 503}},
    {.host = "127.0.1.2", .path = "/page", .answer = {.status = 500}},
    {.host = "127.0.1.3",
	.path = "/page",
	.answer = {.fault = {SERVER_STALL, SERVER_BEFORE, 0}}},
    {.host = "127.0.1.4",
	.path = "/page",
	.answer = {.status = 503, .headers = "Retry-After: 7200\r\n"}},
    {.host = "127.0.1.5", .path = "/page", .answer = {.status = 403}},
    {.host = "127.0.1.6",
	.path = "/robots.txt",
	.answer = {.body = "User-agent: *\nCrawl-delay: 900\n"}},
    {.path = "/page", .answer = {.body = "a page"}},
};

static const struct name_server_entry book[] = {
    {"denied.test", NULL, .manner = NAME_SERVER_DENIES},
    {"fails.test", NULL, .manner = NAME_SERVER_FAILS},
    {"silent.test", NULL, .manner = NAME_SERVER_IS_SILENT},
};

struct stage {
	struct scene scene;
	struct name_server *names;
	struct hole hole;
	struct shut_port shut;
};

static void write_profile(struct stage *stage)
{
	struct pv_buf text;
	pv_buf_init(&text, 4096);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "identity: {contact: bot@example.org}\n"
	    "rate: {max_rate: 1000}\n"
	    "politeness: {delay: 1ms, delay_factor: 0, ip_delay: 0, "
	    "backoff: {failure: 200ms, overload: 200ms, factor: 1}, "
	    "retry_after: {give_up_over: 1h}, "
	    "crawl_delay: {give_up_over: 10m}, blocked: {after: 2}, "
	    "shared_clocks: false}\n"
	    "robots: {give_up_silent: 1s}\n"
	    "fetch: {name_servers: [\"%s\"], retries: 2, "
	    "timeout: {connect: 200ms, first_byte: 200ms}}\n"
	    "scope: {hosts: any}\n",
	    name_server_address(stage->names));
	write_file(&stage->scene, "default.yaml", pv_buf_text(&text), 0600);
	pv_buf_finish(&text);
}

static void open_stage(struct stage *stage, struct server *server)
{
	open_scene(&stage->scene, server);
	stage->names = name_server_start();
	for (size_t i = 0; i < sizeof(book) / sizeof(*book); i++)
		name_server_set(stage->names, &book[i]);
	hole_open(&stage->hole, "127.0.2.1");
	shut_port_open(&stage->shut);
	write_profile(stage);
	open_service(&stage->scene, NULL, 0);
}

static void close_stage(struct stage *stage)
{
	close_scene(&stage->scene);
	shut_port_close(&stage->shut);
	hole_close(&stage->hole);
	name_server_stop(stage->names);
}

static void post(struct stage *stage, const char *host, uint16_t port,
    const char *site_path, char path[100])
{
	char body[300], id[80];
	snprintf(body, sizeof(body), "{\"url\":\"http://%s:%u%s\"}", host,
	    (unsigned)port, site_path);
	ask(&stage->scene, "POST", "/v1/fetches", body);
	member(&stage->scene, "id", id);
	snprintf(path, 100, "/v1/fetches/%s", id);
}

static void wait_for(struct stage *stage, const char *path)
{
	char state[80];
	do {
		poll(NULL, 0, 1);
		ask(&stage->scene, "GET", path, NULL);
		member(&stage->scene, "state", state);
	} while (strcmp(state, "waiting") == 0);
}

enum where { SITE, HOLE, SHUT };

static const struct {
	const char *what;
	const char *host;
	enum where where;
	const char *says;
	bool has_why; /* more than a word or a status */
} cases[] = {
    {"a host that is well", "127.0.1.9", SITE, "\"status\":200", false},
    {"a host whose name does not exist", "denied.test", SITE,
	"\"outcome\":\"no-name\"", true},
    {"a host whose name nobody can tell", "fails.test", SITE,
	"\"outcome\":\"no-name\"", true},
    {"a host whose name's servers are silent", "silent.test", SITE,
	"\"outcome\":\"no-name\"", true},
    {"a host where nobody listens", "127.0.1.8", SHUT,
	"\"reason\":\"robots-unreachable\"", true},
    {"a host that swallows who knocks", "127.0.2.1", HOLE,
	"\"reason\":\"robots-unreachable\"", true},
    {"a host whose pages are errors", "127.0.1.2", SITE, "\"status\":500",
	false},
    {"a host that never answers", "127.0.1.3", SITE, "\"outcome\":\"timeout\"",
	true},
    {"a host that wants a long wait", "127.0.1.4", SITE,
	"\"reason\":\"retry-after\"", true},
    {"a host that does not want us", "127.0.1.5", SITE, "\"status\":403",
	false},
    {"a host that wants to be asked seldom", "127.0.1.6", SITE,
	"\"reason\":\"crawl-delay\"", true},
};

#define CASES (sizeof(cases) / sizeof(*cases))

static void test_ends(struct server *server)
{
	struct stage stage;
	char paths[CASES][100];
	open_stage(&stage, server);
	const uint16_t ports[] = {
	    [SITE] = server_port(server),
	    [HOLE] = stage.hole.port,
	    [SHUT] = stage.shut.port,
	};
	for (size_t i = 0; i < CASES; i++)
		post(&stage, cases[i].host, ports[cases[i].where], "/page",
		    paths[i]);
	for (size_t i = 0; i < CASES; i++) {
		wait_for(&stage, paths[i]);
		ok(says(&stage.scene, cases[i].says) &&
			(!cases[i].has_why || says(&stage.scene, "\"why\":\"")),
		    "P4: of %s a fetch ends, and says why", cases[i].what);
	}
	close_stage(&stage);
}

int main(void)
{
	struct server *server = server_start(&(struct server_plan){
	    .addresses = everywhere, SERVER_ROUTES(routes)});
	end_after(SECONDS);
	test_ends(server);
	end_after(0);
	server_stop(server);
	return tap_done();
}
