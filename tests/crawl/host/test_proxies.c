#include "crawl/scene.h"
#include "crawl/search_directory.h"
#include "server/hole.h"

/* Crawls that go by proxies, held against the proxies' logs: which goes by
 * which, how one that is lost is borne, and what is never lost, nor hurried,
 * nor told. The servers answer in the place of hosts that nobody has. */

#define SECRET "secret-c2VjcmV0"

/* "anna:secret-c2VjcmV0" */
#define LOGIN "Basic YW5uYTpzZWNyZXQtYzJWamNtVjA="

static const struct server_route routes[] = {
    {.path = "*/p-*",
	.answer = {.body = "<a href=/p-{n+1}></a>", .is_template = true}},
    {.path = "*/out",
	.answer = {.body = "<a href='http://10.1.2.3/'></a>"
			   "<a href='http://127.0.0.9/'></a>"
			   "<a href='http://[::1]/'></a>"
			   "<a href='http://other.example/p-9'></a>"
			   "<a href='http://listed.test/p-9'></a>"
			   "<a href='http://direct.test:{port}/p-9'></a>",
	    .is_template = true}},
};

static const struct server_plan plan = {SERVER_ROUTES(routes)};

/* One that lets nobody in without a name and a password. */
static const struct server_route closed_routes[] = {
    {.path = "*",
	.header = "Proxy-Authorization: " LOGIN,
	.answer = {.body = "let in"}},
    {.path = "*",
	.answer = {.status = 407,
	    .headers = "Proxy-Authenticate: Basic realm=x\r\n"}},
};

struct proxies {
	struct crawl_scene scene;
	struct server *other;
	uint16_t other_port;
	struct shut_port gone; /* the port of one that does not come back */
};

static bool open_proxies(struct proxies *proxies, const char *claim)
{
	bool is_open = crawl_scene_open(&proxies->scene, &plan);
	proxies->gone.socket = -1;
	proxies->other = is_open ? server_start(&plan) : NULL;
	proxies->other_port = proxies->other ? server_port(proxies->other) : 0;
	return ok(proxies->other != NULL, "%s", claim);
}

static void close_proxies(struct proxies *proxies)
{
	server_stop(proxies->other);
	shut_port_close(&proxies->gone);
	crawl_scene_close(&proxies->scene);
}

/* OTHER stands for the second proxy's port, as PORT for the first's. */
static void write_policy(struct proxies *proxies, const char *text)
{
	struct pv_buf whole;
	pv_buf_init(&whole, 1 << 16);
	for (; *text; text++) {
		bool is_it = strncmp(text, "OTHER", 5) == 0;
		if (is_it)
			pv_buf_append_format(
			    &whole, "%u", (unsigned)proxies->other_port);
		else
			pv_buf_append_char(&whole, *text);
		text += is_it ? 4 : 0;
	}
	crawl_scene_policy(&proxies->scene, pv_buf_text(&whole));
	pv_buf_finish(&whole);
}

#define HEAD                                             \
	"version: 1\n"                                   \
	"identity: {contact: \"https://me.example/\"}\n" \
	"output: {}\n"

/* Requests of all servers, by when they began. */
struct times {
	int64_t begin_us[400];
	int64_t end_us[400];
	size_t count;
};

static void add_times(struct times *times, struct server *server)
{
	struct log_view view = log_view_of(server);
	for (size_t i = 0; i < view.count && times->count < 400; i++) {
		times->begin_us[times->count] = view.records[i].begin_us;
		times->end_us[times->count++] = view.records[i].end_us;
	}
	log_view_finish(&view);
}

/* From the end of each to the beginning of the next. */
static int64_t least_rest_us(const struct times *times)
{
	int64_t least = INT64_MAX;
	for (size_t i = 0; i < times->count; i++) {
		int64_t next = INT64_MAX;
		for (size_t j = 0; j < times->count; j++) {
			int64_t begin = times->begin_us[j];
			if (begin > times->begin_us[i] && begin < next)
				next = begin;
		}
		if (next != INT64_MAX && next - times->end_us[i] < least)
			least = next - times->end_us[i];
	}
	return least;
}

/* How many pages of the chain servers were asked for. */
static void count_pages(struct server *server, unsigned counts[40])
{
	struct log_view view = log_view_of(server);
	for (size_t i = 0; i < view.count; i++) {
		struct pv_str target = view.records[i].target;
		size_t dash = pv_str_find_last(target, '-');
		if (dash == PV_NOT_FOUND)
			continue;
		int number = atoi(target.ptr + dash + 1);
		if (number >= 0 && number < 40)
			counts[number]++;
	}
	log_view_finish(&view);
}

static bool has_asked(const struct pv_buf *said, const char *part)
{
	return strstr(pv_buf_text(said), part) != NULL;
}

/* What the program has said. */
static const char *told_by(struct crawl_scene *scene, struct pv_buf *said)
{
	pv_buf_clear(said);
	program_errors(scene->program, said);
	return pv_buf_text(said);
}

static void status_of(struct crawl_scene *scene, struct pv_buf *said)
{
	static const char *const arguments[] = {"status", "o", NULL};
	struct program_end end;
	pv_buf_clear(said);
	program_run(&scene->home, arguments, said, &end);
}

/* A proxy killed and brought back in the midst of a crawl. */

static void kill_and_bring_back(
    struct proxies *proxies, struct times *times, unsigned counts[40])
{
	struct server_plan same = plan;
	struct shut_port shut;
	server_wait(proxies->other, 5, 20000);
	add_times(times, proxies->other);
	count_pages(proxies->other, counts);
	server_stop(proxies->other);
	shut_port_keep(&shut, proxies->other_port);
	same.port = proxies->other_port;
	ok(server_wait(proxies->scene.server, 3, 20000),
	    "where a proxy is killed, its host goes by the other");
	proxies->other = server_start(&same);
	shut_port_close(&shut);
	add_times(times, proxies->scene.server);
	count_pages(proxies->scene.server, counts);
	same.port = server_port(proxies->scene.server);
	server_stop(proxies->scene.server);
	shut_port_keep(&proxies->gone, same.port);
	same.port = 0;
	ok(proxies->other && server_wait(proxies->other, 3, 20000),
	    "one that comes back is used again");
	proxies->scene.server = server_start(&same);
}

static void test_lost(void)
{
	struct proxies proxies;
	struct times times = {.count = 0};
	unsigned counts[40] = {0};
	size_t asked = 0, twice = 0;
	if (!open_proxies(&proxies, "two proxies are there"))
		return;
	/* This host's first proxy is the second of the two. */
	write_policy(&proxies,
	    HEAD "seeds: [\"http://far.example/p-0\"]\n"
		 "scope: {depth: 29}\n"
		 "politeness: {delay: 100ms, delay_factor: 0, ip_delay: 0, "
		 "backoff: {failure: 300ms}}\n"
		 "fetch: {proxy: [\"http://127.0.0.1:OTHER\", "
		 "\"http://127.0.0.1:PORT\"]}\n");
	if (crawl_scene_start(&proxies.scene)) {
		kill_and_bring_back(&proxies, &times, counts);
		ok(crawl_scene_wait(&proxies.scene, 60000) == 0,
		    "the crawl finishes");
		add_times(&times, proxies.other);
		count_pages(proxies.other, counts);
	}
	for (size_t i = 0; i < 30; i++) {
		asked += counts[i] > 0;
		twice += counts[i] > 1;
	}
	ok(asked == 30 && !counts[30], "P3: no page is lost (%zu of 30)",
	    asked);
	ok(twice <= 2, "and none asked for again that was answered (%zu)",
	    twice);
	int64_t rest_us = least_rest_us(&times);
	ok(rest_us >= 100000,
	    "P1: no gap is under the delay, whatever the way (%lld us)",
	    (long long)rest_us);
	close_proxies(&proxies);
}

/* All of them are dead. */
static void test_dead(void)
{
	struct proxies proxies;
	struct pv_buf said;
	if (!open_proxies(&proxies, "two proxies that will be dead"))
		return;
	pv_buf_init(&said, 1 << 16);
	write_policy(&proxies,
	    HEAD "seeds: [\"http://far.example/p-0\"]\n"
		 "politeness: {delay: 50ms, delay_factor: 0, ip_delay: 0, "
		 "backoff: {failure: 200ms, factor: 4}}\n"
		 "scope: {depth: 30}\n"
		 "limits: {wait: 2s}\n"
		 "fetch: {proxy: [\"http://127.0.0.1:OTHER\", "
		 "\"http://127.0.0.1:PORT\"]}\n");
	if (crawl_scene_start(&proxies.scene)) {
		struct server_plan same = plan;
		struct shut_port shut, other_shut;
		server_wait(proxies.other, 3, 20000);
		same.port = server_port(proxies.scene.server);
		server_stop(proxies.other);
		proxies.other = NULL;
		server_stop(proxies.scene.server);
		ok(shut_port_keep(&shut, same.port) &&
			shut_port_keep(&other_shut, proxies.other_port),
		    "both are dead");
		ok(crawl_scene_wait(&proxies.scene, 60000) == 4,
		    "where all are dead the crawl waits, and ends by "
		    "limits.wait");
		proxies.scene.server = server_start(&same);
		shut_port_close(&shut);
		shut_port_close(&other_shut);
	}
	status_of(&proxies.scene, &said);
	ok(has_asked(&said, "for a proxy: none can be reached"),
	    "P4: it says so");
	if (!ok(has_asked(&said, "failed") &&
		    has_asked(&said, "(connection refused)"),
		"status shows how each is"))
		printf("# %s\n", pv_buf_text(&said));
	crawl_scene_ends(
	    &proxies.scene, 0, "with one that is back it goes on to the end");
	pv_buf_finish(&said);
	close_proxies(&proxies);
}

/* Who goes by which. */
static void test_ways(void)
{
	struct proxies proxies;
	if (!open_proxies(&proxies, "two proxies for different hosts"))
		return;
	write_policy(&proxies,
	    HEAD "seeds: [\"http://far.example/out\"]\n"
		 "scope: {hosts: any, depth: 1}\n"
		 "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
		 "domains:\n"
		 "  other.example: {proxy: \"http://127.0.0.1:OTHER\"}\n"
		 "  direct.test: {proxy: none}\n"
		 "fetch: {proxy: \"http://127.0.0.1:PORT\", "
		 "resolve: {\"*.test\": 127.0.0.1}}\n");
	crawl_scene_ends(&proxies.scene, 0, "a crawl by two proxies finishes");
	struct log_view view = log_view_of(proxies.scene.server);
	struct log_view other = log_view_of(proxies.other);
	size_t named = 0, whole = 0;
	for (size_t i = 0; i < view.count; i++)
		named += pv_str_starts(
		    server_header(view.records[i].headers, "user-agent"),
		    PV_STR("pavane/"));
	for (size_t i = 0; i < other.count; i++)
		whole += pv_str_starts(
		    other.records[i].target, PV_STR("http://other.example/"));
	ok(log_count(&view, "far.example", "http://far.example/out") == 1,
	    "a host goes by the policy's proxy");
	ok(other.count >= 2 && whole == other.count &&
		log_count(
		    &other, "other.example", "http://other.example/p-9") == 1,
	    "one of the domain table by its own");
	ok(log_count(&view, "direct.test", "/p-9") == 1,
	    "and one that has none without");
	ok(log_count(&view, "listed.test", "http://listed.test/p-9") == 1,
	    "one whose address is known goes by the proxy all the same");
	ok(named == view.count, "P7: our name stays on every request");
	log_view_finish(&other);
	log_view_finish(&view);
	ok(crawl_scene_lines(&proxies.scene, "http://10.1.2.3/",
	       "\"reason\":\"private\"", "\"final\":true", NULL) == 1 &&
		crawl_scene_lines(&proxies.scene, "http://127.0.0.9/",
		    "\"reason\":\"private\"", "\"final\":true", NULL) == 1 &&
		crawl_scene_lines(&proxies.scene, "http://[::1]/",
		    "\"reason\":\"private\"", "\"final\":true", NULL) == 1,
	    "P7: addresses on private networks are refused by a proxy, too");
	close_proxies(&proxies);
}

/* Nobody knows whose a host is that a proxy looks up. */
static void test_contact(void)
{
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a proxy, and no contact"))
		return;
	crawl_scene_policy(&scene,
	    "version: 1\n"
	    "output: {}\n"
	    "seeds: [\"http://mine.test/out\"]\n"
	    "scope: {hosts: any, depth: 1}\n"
	    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
	    "fetch: {proxy: \"http://127.0.0.1:PORT\", "
	    "resolve: {\"*.test\": 127.0.0.1}}\n");
	crawl_scene_ends(&scene, 0, "a crawl of one's own host finishes");
	struct log_view view = log_view_of(scene.server);
	ok(log_count(&view, "listed.test", "http://listed.test/p-9") == 1 &&
		log_count(&view, "other.example", "http://other.example/p-9") ==
		    0,
	    "P7: hosts of others are not asked by a proxy without a contact");
	log_view_finish(&view);
	ok(crawl_scene_lines(&scene, "http://other.example/p-9",
	       "\"reason\":\"contact\"", NULL) >= 1,
	    "P4: and the journal says why");
	crawl_scene_close(&scene);
}

/* Hosts that go by one proxy share its address, as far as anybody knows. */
static void test_shared_address(void)
{
	struct proxies proxies;
	struct times times = {.count = 0};
	int64_t least_us = INT64_MAX;
	if (!open_proxies(&proxies, "one proxy for two hosts"))
		return;
	write_policy(&proxies,
	    HEAD "seeds: [\"http://far.example/p-0\", "
		 "\"http://other.example/p-0\"]\n"
		 "scope: {depth: 3}\n"
		 "politeness: {delay: 0, delay_factor: 0, ip_delay: 120ms}\n"
		 "fetch: {proxy: \"http://127.0.0.1:PORT\"}\n");
	crawl_scene_ends(&proxies.scene, 0, "a crawl of two hosts finishes");
	add_times(&times, proxies.scene.server);
	for (size_t i = 1; i < times.count; i++) {
		int64_t gap_us = times.begin_us[i] - times.begin_us[i - 1];
		if (gap_us < least_us)
			least_us = gap_us;
	}
	ok(times.count == 10 && least_us >= 120000,
	    "P1: ip_delay is kept for the proxy (%lld us)",
	    (long long)least_us);
	close_proxies(&proxies);
}

/* A host that the proxy cannot reach is that host's trouble alone. */
static const struct server_route dead_routes[] = {
    {.path = "dead.example:443", .answer = {.status = 502}},
    {.path = "*/p-*",
	.answer = {.body = "<a href=/p-{n+1}></a>", .is_template = true}},
};

static void test_dead_host(void)
{
	static const struct server_plan half = {SERVER_ROUTES(dead_routes)};
	struct crawl_scene scene;
	struct pv_buf said;
	if (!ok(crawl_scene_open(&scene, &half),
		"a proxy that cannot reach one host"))
		return;
	pv_buf_init(&said, 1 << 16);
	crawl_scene_policy(&scene,
	    HEAD "seeds: [\"https://dead.example/\", "
		 "\"http://far.example/p-0\"]\n"
		 "scope: {depth: 9}\n"
		 "politeness: {delay: 50ms, delay_factor: 0, ip_delay: 0, "
		 "backoff: {failure: 60s}}\n"
		 "limits: {wait: 5s}\n"
		 "fetch: {proxy: \"http://127.0.0.1:PORT\"}\n");
	crawl_scene_ends(&scene, 4, "the crawl ends by limits.wait");
	struct log_view view = log_view_of(scene.server);
	ok(log_count(&view, "far.example", "http://far.example/p-9") == 1,
	    "P2: all other hosts are asked to the end meanwhile");
	log_view_finish(&view);
	status_of(&scene, &said);
	ok(!has_asked(&said, "failed"), "and the proxy has not failed");
	pv_buf_finish(&said);
	crawl_scene_close(&scene);
}

/* A proxy that takes requests and never says anything. */
static const struct server_route silent_routes[] = {
    {.path = "*", .answer = {.fault = {SERVER_STALL, SERVER_BEFORE, 0}}},
};

static void test_silent(void)
{
	static const struct server_plan silent = {SERVER_ROUTES(silent_routes)};
	static const char *const anew[] = {
	    "crawl", "policy.yaml", "-o", "p", "-q", NULL};
	struct proxies proxies;
	struct program_end end;
	struct pv_buf said;
	if (!open_proxies(&proxies, "two proxies, of which one is silent"))
		return;
	pv_buf_init(&said, 1 << 16);
	server_stop(proxies.other);
	proxies.other = server_start(&silent);
	proxies.other_port = server_port(proxies.other);
	write_policy(&proxies,
	    HEAD "seeds: [\"http://far.example/p-0\"]\n"
		 "scope: {depth: 5}\n"
		 "politeness: {delay: 50ms, delay_factor: 0, ip_delay: 0, "
		 "backoff: {failure: 100ms}}\n"
		 "fetch: {timeout: {first_byte: 300ms}, "
		 "proxy: [\"http://127.0.0.1:OTHER\", "
		 "\"http://127.0.0.1:PORT\"]}\n");
	crawl_scene_ends(&proxies.scene, 0,
	    "a host that does not answer by one proxy is asked by the next");
	struct log_view view = log_view_of(proxies.other);
	struct log_view other = log_view_of(proxies.scene.server);
	ok(view.count == 1 &&
		log_count(&other, "far.example", "http://far.example/p-5") == 1,
	    "and stays with that (%zu in vain)", view.count);
	log_view_finish(&other);
	log_view_finish(&view);
	write_policy(&proxies,
	    HEAD "seeds: [\"http://far.example/p-0\"]\n"
		 "politeness: {delay: 50ms, delay_factor: 0, ip_delay: 0, "
		 "backoff: {failure: 3s}}\n"
		 "limits: {wait: 1s}\n"
		 "fetch: {timeout: {first_byte: 300ms}, "
		 "proxy: \"http://127.0.0.1:OTHER\"}\n");
	program_run(&proxies.scene.home, anew, &said, &end);
	view = log_view_of(proxies.other);
	ok(end.status == 4 && view.count == 2,
	    "one that has no other is borne with (%d, %zu)", end.status,
	    view.count);
	log_view_finish(&view);
	pv_buf_finish(&said);
	close_proxies(&proxies);
}

/* A proxy that is spoken to over TLS. */
static void test_tls(void)
{
	static const struct server_plan secured = {
	    .has_tls = true, SERVER_ROUTES(routes)};
	static const char *const anew[] = {
	    "crawl", "policy.yaml", "-o", "p", "-q", NULL};
	struct crawl_scene scene;
	struct program_end end;
	struct pv_buf text, said;
	if (!ok(crawl_scene_open(&scene, &secured), "a proxy with TLS"))
		return;
	pv_buf_init(&text, 1 << 16);
	pv_buf_init(&said, 1 << 16);
	pv_buf_append_format(&text,
	    HEAD "seeds: [\"http://far.example/p-0\"]\n"
		 "scope: {depth: 1}\n"
		 "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
		 "limits: {wait: 1s}\n"
		 "fetch: {proxy: \"https://p.test:%u\", "
		 "resolve: {p.test: 127.0.0.1}, tls: {ca: \"%s\"}}\n",
	    server_tls_port(scene.server), server_authority_path(scene.server));
	crawl_scene_policy(&scene, pv_buf_text(&text));
	crawl_scene_ends(&scene, 0, "a crawl by it finishes");
	struct log_view view = log_view_of(scene.server);
	size_t secret = 0;
	for (size_t i = 0; i < view.count; i++)
		secret += view.records[i].is_tls;
	ok(view.count == 3 && secret == 3,
	    "P7: all that it is told is told over TLS");
	log_view_finish(&view);
	pv_buf_cut(&text, text.len - strlen("}\n"));
	while (text.len && !pv_str_ends(pv_buf_str(&text), PV_STR(", tls:")))
		pv_buf_cut(&text, text.len - 1);
	pv_buf_cut(&text, text.len - strlen(", tls:"));
	pv_buf_append_text(&text, "}\n");
	crawl_scene_policy(&scene, pv_buf_text(&text));
	program_run(&scene.home, anew, &said, &end);
	view = log_view_of(scene.server);
	ok(end.status == 4 && view.count == 3,
	    "P7: to one whose authority nobody knows nothing is told (%d)",
	    end.status);
	log_view_finish(&view);
	pv_buf_finish(&said);
	pv_buf_finish(&text);
	crawl_scene_close(&scene);
}

/* Logins */

static const char closed_policy[] =
    HEAD "seeds: [\"http://far.example/\"]\n"
	 "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
	 "limits: {wait: 1s}\n"
	 "fetch: {proxy: \"http://${PROXY_LOGIN}@127.0.0.1:PORT\"}\n";

static void test_login(void)
{
	static const char *const right[] = {"PROXY_LOGIN=anna:" SECRET, NULL};
	static const char *const wrong[] = {"PROXY_LOGIN=anna:wrong", NULL};
	static const struct server_plan closed = {SERVER_ROUTES(closed_routes)};
	static const char *const go_on[] = {"update", "o", "-q", NULL};
	static const char *const secrets[] = {SECRET, NULL};
	struct crawl_scene scene;
	struct program_end end;
	struct pv_buf said;
	if (!ok(crawl_scene_open(&scene, &closed), "a proxy with a login"))
		return;
	pv_buf_init(&said, 1 << 16);
	crawl_scene_policy(&scene, closed_policy);
	crawl_scene_ends(&scene, 1, "without the variable nothing begins");
	ok(strstr(told_by(&scene, &said), "PROXY_LOGIN is not set"),
	    "and it says which");
	scene.home.environment = wrong;
	crawl_scene_ends(
	    &scene, 4, "a proxy that lets nobody in is waited for");
	status_of(&scene, &said);
	if (!ok(has_asked(&said, "asks for a name and a password (407)"),
		"P4: and it says why"))
		printf("# %s\n", pv_buf_text(&said));
	scene.home.environment = right;
	crawl_scene_ends(&scene, 0, "with the right one the crawl finishes");
	ok(!strstr(told_by(&scene, &said), SECRET) &&
		directory_lacks(home_file(&scene.home, "o"), secrets),
	    "P7: no file and no line has the password");
	program_run(&scene.home, go_on, &said, &end);
	ok(end.status == 0, "an update has it from the environment");
	pv_buf_finish(&said);
	crawl_scene_close(&scene);
}

int main(void)
{
	test_ways();
	test_contact();
	test_shared_address();
	test_dead_host();
	test_silent();
	test_tls();
	test_login();
	test_dead();
	test_lost();
	return tap_done();
}
