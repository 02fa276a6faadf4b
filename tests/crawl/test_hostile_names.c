#include "crawl/hostile.h"
#include "server/hole.h"
#include "server/name_server.h"

/* Names that lead nowhere, or to where nobody may go (hostile.md, B1), beside
 * an innocent host. */

#define CALM .ttl_s = 300
#define A20 "aaaaaaaaaaaaaaaaaaaa"
#define LABEL_64 A20 A20 A20 "aaaa"
#define A_60 A20 A20 A20
#define NAME_260 A_60 "." A_60 "." A_60 "." A_60 "." A20 ".test"

static const struct name_server_entry book[] = {
    {"rebinds.test", "A 127.66.3.3", CALM},
    {"inside.test",
	"A 10.0.0.1, A 192.168.0.1, A 100.64.0.1, A 169.254.169.254, "
	"AAAA ::1, AAAA fe80::1, AAAA fc00::1, AAAA ::ffff:127.0.0.1",
	CALM},
    {"nobody.test", "A 0.0.0.0, A 224.0.0.1, A 255.255.255.255", CALM},
    {"under_score.test", "A 127.66.3.3", CALM},
    {"foreign.test", "A 192.0.2.1", CALM},
    {"circles.test", "CNAME circles.test", CALM},
    {"empty.test", NULL, CALM},
    {"denied.test", NULL, .manner = NAME_SERVER_DENIES},
    {"*.wild.test", "A 127.66.4.4", CALM},
};

/* A page that leads to all of them. */
static const char links[] =
    "<a href='http://rebinds.test:{port}/secret'></a>"
    "<a href='http://inside.test/secret'></a>"
    "<a href='http://nobody.test/secret'></a>"
    "<a href='http://under_score.test:{port}/secret'></a>"
    "<a href='http://foreign.test/x'></a>"
    "<a href='http://circles.test/x'></a>"
    "<a href='http://empty.test/x'></a>"
    "<a href='http://denied.test/x'></a>"
    "<a href='http://denied.test/y'></a>"
    "<a href='http://unknown.test/x'></a>"
    "<a href='http://" LABEL_64 ".test/x'></a>"
    "<a href='http://" NAME_260 "/x'></a>"
    "<a href='http://a..test/x'></a>"
    "<a href='http://xn--a/x'></a>"
    "<a href='http://a b.test/x'></a>"
    "<a href='http://2130706433:{port}/secret'></a>"
    "<a href='http://0x7f.1:{port}/secret'></a>"
    "<a href='http://0177.0.0.1:{port}/secret'></a>"
    "<a href='http://127.1:{port}/secret'></a>"
    "<a href='http://leads.test.:{port}/dot'></a>"
    "<a href='http://LEADS.test:{port}/dot'></a>"
    "<a href='http://0.wild.test:{port}/'></a>"
    "<a href='http://1.wild.test:{port}/'></a>"
    "<a href='http://2.wild.test:{port}/'></a>"
    "<a href='http://3.wild.test:{port}/'></a>"
    "<a href='http://4.wild.test:{port}/'></a>";

static const struct misdeed misdeeds[] = {
    {"leads", {.body = links, .is_template = true}, .outcome = "answered",
	.is_kept = true},
};

static const struct server_route routes[] = {
    {.path = "/secret", .answer = {.body = "secret"}},
    {.host = "leads.test*", .path = "/dot", .answer = {.body = "dot"}},
    {.host = "*.wild.test", .path = "/", .answer = {.body = "wild"}},
};

#define PRIVATE "\"reason\":\"private\""
#define NO_NAME "\"outcome\":\"no-name\""

static const struct address_end ends[] = {
    {"http://rebinds.test:PORT/secret", PRIVATE},
    {"http://inside.test/secret", PRIVATE},
    {"http://nobody.test/secret", PRIVATE},
    {"http://under_score.test:PORT/secret", PRIVATE},
    {"http://127.0.0.1:PORT/secret", PRIVATE},
    {"http://foreign.test/x", "\"reason\":\"contact\""},
    {"http://circles.test/x", NO_NAME},
    {"http://empty.test/x", NO_NAME},
    {"http://denied.test/x", NO_NAME},
    {"http://denied.test/y", NO_NAME},
    {"http://unknown.test/x", NO_NAME},
    {"http://" LABEL_64 ".test/x", NO_NAME},
    {"http://" NAME_260 "/x", NO_NAME},
    {"http://a..test/x", NO_NAME},
    {"http://xn--a/x", NO_NAME},
    {"http://0.wild.test:PORT/", "\"status\":200"},
    {"http://4.wild.test:PORT/", "\"status\":200"},
};

static void judge_requests(struct crawl_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	ok(!log_count(&view, NULL, "/secret"),
	    "P7: no name leads to a private address that nobody named");
	log_view_keep(&view, "*.wild.test", NULL);
	struct log_gap gap = log_shortest_gap(&view, LOG_BY_ADDRESS);
	ok(view.count == 10 && gap.us >= 100000,
	    "P1: many names of one address do not make it be asked faster "
	    "(%zu requests, %.1f ms)",
	    view.count, (double)gap.us / 1000);
	log_view_finish(&view);
}

static void test_names(void)
{
	struct name_server *names = name_server_start();
	char fetch[512];
	struct misdeeds all = {
	    MISDEEDS(misdeeds),
	    MORE_ROUTES(routes),
	    .scope = "hosts: any",
	    .policy = "  \"*.wild.test\": {}\n"
		      "  \"127.66.4.0/24\": {ip_delay: 100ms}\n",
	    .fetch = fetch,
	    .status = 0,
	    .more = sizeof(ends) / sizeof(*ends) + 5,
	};
	struct hostile_run run;
	for (size_t i = 0; i < sizeof(book) / sizeof(*book); i++)
		name_server_set(names, &book[i]);
	snprintf(fetch, sizeof(fetch),
	    "  private: named\n  name_servers: [\"%s\"]\n",
	    name_server_address(names));
	if (hostile_open(&run, &all)) {
		hostile_judge_all(&run.scene, &all);
		JUDGE_ENDS(&run.scene, ends);
		judge_requests(&run.scene);
	}
	hostile_close(&run, &all);
	ok(name_server_asked(names, "denied.test") <= 2,
	    "a name that is unknown is asked for once for all its addresses "
	    "(%u)",
	    name_server_asked(names, "denied.test"));
	name_server_stop(names);
}

/* Name servers that are of no use, beside a host that needs none. */
static void write_dead(struct crawl_scene *scene, const char *name_server)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "seeds: [\"http://innocent.test:PORT/\", "
	    "\"http://{silent,fails}.test:PORT/{1..3}\"]\n"
	    "identity: {contact: \"https://me.test/bot\"}\n"
	    "politeness: {delay: %dms, delay_from: start, delay_factor: 0, "
	    "ip_delay: 0, backoff: {failure: 100ms, factor: 100}}\n"
	    "limits: {wait: 2s}\n"
	    "output: {}\n"
	    "stop: {drain_timeout: 1h}\n"
	    "fetch:\n"
	    "  timeout: {connect: 1h}\n"
	    "  name_servers: [\"%s\"]\n"
	    "  resolve: {innocent.test: \"127.66.1.1\"}\n",
	    DELAY_MS, name_server);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static bool open_dead(struct crawl_scene *scene, const char *name_server)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {
	    .addresses = everywhere, .answer = site_answer, .ctx = &innocent};
	if (!ok(crawl_scene_open(scene, &plan), "an innocent host is there"))
		return false;
	write_dead(scene, name_server);
	return true;
}

/* Nobody can say where two hosts are: they wait, for themselves. */
static void test_failing(void)
{
	static const struct name_server_entry fails = {
	    "*", "A 192.0.2.1", .manner = NAME_SERVER_FAILS};
	struct name_server *names = name_server_start();
	struct crawl_scene scene;
	name_server_set(names, &fails);
	if (open_dead(&scene, name_server_address(names))) {
		crawl_scene_ends(&scene, 4,
		    "a crawl of which only hosts are left whose names nobody "
		    "can tell stops, and can go on");
		hostile_judge_innocent(&scene);
		ok(crawl_scene_status(&scene, "\"pending\":") == 6 &&
			crawl_scene_lines(&scene, "fails.test", NULL) == 0,
		    "P3: what they have is neither lost nor failed");
		/* Two look-ups of each, for IPv4 and IPv6, with a try more. */
		ok(name_server_asked(names, NULL) <= 16,
		    "P2: and the name server is not asked again and again "
		    "(%u)",
		    name_server_asked(names, NULL));
	}
	crawl_scene_close(&scene);
	name_server_stop(names);
}

/* The name server says nothing at all: stopping does not wait for it. */
static void test_silent(void)
{
	struct hole hole;
	struct crawl_scene scene;
	char address[32];
	if (!hole_open(&hole, "127.66.2.2"))
		return;
	snprintf(
	    address, sizeof(address), "127.66.2.2:%u", (unsigned)hole.port);
	if (open_dead(&scene, address)) {
		crawl_scene_start(&scene);
		ok(server_wait(scene.server, 3, HANG_MS),
		    "a silent name server holds nobody up whose address is "
		    "known");
		program_signal(scene.program, SIGINT);
		int status = crawl_scene_wait(&scene, HANG_MS);
		ok(status == 3, "P6: nor does a stop wait for it (%d)", status);
	}
	crawl_scene_close(&scene);
	hole_close(&hole);
}

int main(void)
{
	test_names();
	test_failing();
	test_silent();
	return tap_done();
}
