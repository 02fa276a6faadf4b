#include "pavane/serve.h"

#include <sys/resource.h>

#include "crawl/patience.h"
#include "serve/service_scene.h"
#include "tap.h"

/* The service as other programs see it: by its configuration and by HTTP. */

#define SECONDS 100
#define JOBS 12

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/short/", .answer = {.body = "<a href=two>2</a>"}},
    {.path = "/short/two", .answer = {.body = "<script>alert(1)</script>"}},
    {.path = "/long/*",
	.answer = {.body = "<a href='{n}1'>1</a><a href='{n}2'>2</a>",
	    .is_template = true}},
};

static void test_job(struct server *server)
{
	struct scene scene;
	char path[100], other[120];
	open_scene(&scene, server);
	if (!ok(open_service(&scene, NULL, 0), "a service is open"))
		return;
	ok(ask(&scene, "GET", "/healthz", NULL) == 200 &&
		ask(&scene, "GET", "/readyz", NULL) == 200,
	    "it is alive and ready");
	ok(submit(&scene, "/short/", ",\"labels\":{\"for\":\"us\"}", path) ==
		    202 &&
		says(&scene, "Location: /v1/jobs/"),
	    "a job is handed in");
	ok(comes_to(&scene, path, "finished"), "it runs to its end");
	ok(says(&scene, "\"labels\":{\"for\":\"us\"}") &&
		says(&scene, "\"progress\":{") && says(&scene, "\"ended\":\""),
	    "and is described");
	ok(ask(&scene, "GET", "/v1/jobs?state=finished", NULL) == 200 &&
		says(&scene, "\"jobs\":[{\"id\":"),
	    "it is listed");
	snprintf(other, sizeof(other), "%s/results", path);
	ok(ask(&scene, "GET", other, NULL) == 200 &&
		says(&scene, "/short/two") &&
		says(&scene, "Pavane-Cursor: journal:0:"),
	    "its journal is given");
	const char *cursor =
	    strstr(pv_buf_text(&scene.reply), "Pavane-Cursor: ");
	char after[200];
	snprintf(after, sizeof(after), "%s/results?after=%.*s", path,
	    (int)strcspn(cursor + 15, "\r"), cursor + 15);
	ok(ask(&scene, "GET", after, NULL) == 200 && !*body_of(&scene),
	    "and from its cursor on, what is new: nothing");
	snprintf(
	    after, sizeof(after), "%s/results?after=journal:0:99999999", path);
	ok(ask(&scene, "GET", after, NULL) == 410,
	    "a cursor beyond it is gone");
	snprintf(after, sizeof(after), "%s/results?of=../state", path);
	ok(ask(&scene, "GET", after, NULL) == 400,
	    "what is no name of results is refused");
	snprintf(after, sizeof(after), "%s/results?of=news", path);
	ok(ask(&scene, "GET", after, NULL) == 404 &&
		says(&scene, "no kind of pages called"),
	    "and a kind that the job's policy does not describe is not there");
	ok(ask(&scene, "POST", other, "{}") == 405 &&
		says(&scene, "Allow: GET"),
	    "what may not be asked there is so");
	snprintf(other, sizeof(other), "%s/stop", path);
	ok(ask(&scene, "POST", other, NULL) == 409 &&
		says(&scene, "a job that is finished cannot be stopped"),
	    "nor is one that has ended stopped");
	ok(ask(&scene, "DELETE", path, NULL) == 204 &&
		ask(&scene, "GET", path, NULL) == 404,
	    "it is removed");
	ok(ask(&scene, "GET", "/openapi.json", NULL) == 200 &&
		says(&scene, "\"/v1/jobs/{id}/files/{path}\""),
	    "all requests are described");
	ok(ask(&scene, "GET", "/metrics", NULL) == 200 &&
		says(&scene, "pavane_jobs{state=\"running\"} 0"),
	    "figures are given");
	close_scene(&scene);
}

/* The next event: its id, or the end of the text. */
static const char *event_of(const char *text)
{
	const char *event = strstr(text, "id: ");
	return event ? event : "id: none";
}

/* Events until the job has ended, as a browser gets them. */
static void test_stream(struct server *server)
{
	struct scene scene;
	char path[100], results[120], all[40];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	submit(&scene, "/short/", "", path);
	snprintf(results, sizeof(results), "%s/results", path);
	ok(ask_with(&scene, "GET", results, "Accept: text/event-stream\r\n",
	       NULL) == 200 &&
		says(&scene, "text/event-stream"),
	    "results come as events while the job runs");
	ok(says(&scene, "/short/two") && says(&scene, "event: end\n"),
	    "all of them, and then the end");
	const char *first = event_of(pv_buf_text(&scene.reply));
	const char *second = event_of(first + 1);
	char header[100], rest[40];
	snprintf(header, sizeof(header),
	    "Accept: text/event-stream\r\nLast-Event-ID: %.*s\r\n",
	    (int)strcspn(first + 4, "\n"), first + 4);
	snprintf(
	    rest, sizeof(rest), "%.*s", (int)strcspn(second, "\n"), second);
	snprintf(all, sizeof(all), "%.*s", (int)strcspn(first, "\n"), first);
	ask_with(&scene, "GET", results, header, NULL);
	ok(says(&scene, rest) && !strstr(pv_buf_text(&scene.reply), all),
	    "who comes again goes on behind the last one");
	close_scene(&scene);
}

/* A reader that stays, and jobs meanwhile. */
static void test_events(struct server *server)
{
	struct scene scene;
	struct pv_buf request, events;
	char path[100];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	pv_buf_init(&request, SIZE_MAX);
	pv_buf_init(&events, SIZE_MAX);
	pv_buf_append_format(&request,
	    "GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n",
	    (unsigned)scene.port);
	int fd = asking_connect(scene.port);
	asking_send(fd, pv_buf_str(&request));
	ok(asking_receive_until(fd, "event: progress\n", &events) &&
		strstr(pv_buf_text(&events), "text/event-stream"),
	    "what happens to jobs comes as events");
	submit(&scene, "/short/", "", path);
	ok(asking_receive_until(fd, "\"state\":\"finished\"", &events),
	    "each state that a job comes to");
	const char *queued =
	    strstr(pv_buf_text(&events), "\"state\":\"queued\"");
	const char *running =
	    strstr(pv_buf_text(&events), "\"state\":\"running\"");
	ok(queued && running > queued &&
		strstr(pv_buf_text(&events), strrchr(path, '/') + 1),
	    "in their order");
	close(fd);
	pv_buf_finish(&events);
	pv_buf_finish(&request);
	close_scene(&scene);
}

static void test_waits(struct server *server)
{
	struct scene scene;
	char path[100], stop[120];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	ok(submit(&scene, "/long/1", ",\"set\":[\"politeness.delay=60s\"]",
	       path) == 202 &&
		comes_to(&scene, path, "running"),
	    "a job may rest for longer than its profile");
	do
		ask(&scene, "GET", "/v1/hosts", NULL);
	while (!strstr(pv_buf_text(&scene.reply), "\"waits_for\":"));
	ok(says(&scene, "\"host\":\"127.0.0.1\"") &&
		says(&scene, "\"why\":\"for ") && says(&scene, "\"until\":\"2"),
	    "P4: what hosts wait for is said, and until when");
	ok(ask(&scene, "GET", "/v1/jobs?order=newest", NULL) == 200 &&
		says(&scene, "\"progress\":{"),
	    "a list has how far a job is that runs");
	snprintf(stop, sizeof(stop), "%s/stop", path);
	ask(&scene, "POST", stop, NULL);
	ok(comes_to(&scene, path, "stopped") &&
		ask(&scene, "GET", "/v1/hosts", NULL) == 200 &&
		says(&scene, "\"hosts\":[]"),
	    "and no more once it has ended");
	close_scene(&scene);
}

static void test_files(struct server *server)
{
	struct scene scene;
	char path[100], file[300];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	submit(&scene, "/short/", "", path);
	comes_to(&scene, path, "finished");
	snprintf(file, sizeof(file),
	    "%s/files/site/127.0.0.1%%5e%u/short/two%%5e.html", path,
	    (unsigned)server_port(server));
	bool is_there = ask(&scene, "GET", file, NULL) == 200;
	ok(is_there && says(&scene, "Content-Security-Policy: sandbox") &&
		says(&scene, "Content-Disposition: attachment") &&
		says(&scene, "X-Content-Type-Options: nosniff"),
	    "P7: what strangers wrote runs in no browser");
	snprintf(file, sizeof(file),
	    "%s/files/site%%2F127.0.0.1%%5e%u%%2fshort%%2Ftwo%%5e.html", path,
	    (unsigned)server_port(server));
	ok(ask(&scene, "GET", file, NULL) == 200,
	    "a path may be sent as one parameter, its slashes encoded");
	static const char *const others[] = {"state.db", "policy.yaml",
	    "site/../state.db", "site/%2e%2e/state.db", "..%2f..%2fjobs.db", "",
	    "site", "/etc/passwd", "journal.jsonl/x", "site%2f..%2fstate.db",
	    "site%2f%2e%2e%2fstate.db", "%2fetc%2fpasswd", "site%00/x"};
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		snprintf(file, sizeof(file), "%s/files/%s", path, others[i]);
		ok(ask(&scene, "GET", file, NULL) == 404,
		    "P7: no other file is given: %s", others[i]);
	}
	close_scene(&scene);
}

static void test_refusals(struct server *server)
{
	static const struct {
		const char *body;
		unsigned status;
		const char *part;
		const char *claim;
	} cases[] = {
	    {"[]", 400, "no JSON object", "a body is an object"},
	    {"{", 400, "no JSON object", "that is whole"},
	    {"{\"url\":\"x\"}", 400, "did you mean urls",
		"a wrong member is named"},
	    {"{\"urls\":\"x\"}", 400, "urls: expected a list", "so is a type"},
	    {"{\"urls\":[\"x\\ny\"]}", 400, "urls: expected",
		"an address is one line"},
	    {"{\"urls\":[\"ftp://a.test/\"]}", 422,
		"urls:", "a wrong address is so"},
	    {"{}", 422, "\"policy: seeds: there is no address",
		"P7: a job has an address, and no path of the owner's is said"},
	    {"{\"urls\":[]}", 400, "at least one", "a list is not empty"},
	    {"{\"policy\":\"rate: {max_rat: 1}\"}", 422, "rate.max_rate",
		"mistakes of a policy are told as by check"},
	    {"{\"urls\":[\"http://a.test/\"],\"profile\":\"none\"}", 422,
		"profile: there is none", "a profile must be there"},
	    {"{\"urls\":[\"http://a.test/\"],\"set\":[\"rate.max_rate=2000\"]}",
		403, "2000 is laxer than 1000",
		"P1: nothing laxer than the profile is taken"},
	    {"{\"urls\":[\"http://a.test/\"],\"policy\":\"fetch: {private: "
	     "all}\"}",
		403, "fetch.private", "P7: what is the owner's is refused"},
	    {"{\"urls\":[\"http://a.test/\"],\"labels\":[]}", 400, "labels",
		"labels are an object"},
	};
	struct scene scene;
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		unsigned status =
		    ask(&scene, "POST", "/v1/jobs", cases[i].body);
		if (!ok(status == cases[i].status &&
			    says(&scene, cases[i].part) &&
			    says(&scene, "application/problem+json"),
			"%s", cases[i].claim))
			printf("# %u\n", status);
	}
	ok(ask(&scene, "GET", "/v1/jobs", NULL) == 200 &&
		says(&scene, "{\"jobs\":[]}"),
	    "none of them is a job");
	ok(ask(&scene, "GET", "/v1/job", NULL) == 404, "a wrong path is so");
	ok(ask(&scene, "GET", "/v1/jobs?limit=x", NULL) == 400 &&
		ask(&scene, "GET", "/v1/jobs?state=x", NULL) == 400,
	    "so are arguments");
	ok(ask_with(&scene, "POST", "/v1/jobs", "Origin: http://evil.test\r\n",
	       "{}") == 403,
	    "P7: another site's page may not ask");
	close_scene(&scene);
}

/* With the profile that is built in. */
static void test_no_profile(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	write_file(&scene, "service.yaml",
	    "directory: service\nlisten: 127.0.0.1:0\n", 0600);
	write_file(&scene, "config.yaml",
	    "identity: {contact: bot@example.org}\n", 0600);
	open_service(&scene, NULL, 0);
	ok(ask(&scene, "POST", "/v1/jobs", "{}") == 422 &&
		says(&scene, "policy: seeds: there is no address"),
	    "a job without an address is refused where there are no profiles, "
	    "too");
	close_scene(&scene);
}

static void test_paused(struct server *server)
{
	struct scene scene;
	char path[100], other[120];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	submit(&scene, "/long/1", "", path);
	comes_to(&scene, path, "running");
	snprintf(other, sizeof(other), "%s/pause", path);
	ok(ask(&scene, "POST", other, NULL) == 200 &&
		comes_to(&scene, path, "paused"),
	    "a job is paused");
	do
		ask(&scene, "GET", path, NULL);
	while (!strstr(body_of(&scene), "\"phase\":\"ended\""));
	ok(!strstr(body_of(&scene), "a stop was requested"),
	    "and has no end then");
	close_scene(&scene);
}

static void test_private(struct server *server)
{
	static const char *const settings[] = {"private=[]"};
	struct scene scene;
	char path[100];
	open_scene(&scene, server);
	open_service(&scene, settings, 1);
	size_t before = server_log_count(server);
	submit(&scene, "/short/", "", path);
	comes_to(&scene, path, "finished");
	ok(server_log_count(server) == before,
	    "P7: a private address that the owner does not name is not asked");
	ok(says(&scene, "\"end\":\"a seed could not be fetched: ") &&
		says(&scene, "private"),
	    "P4: and it is said why the job has nothing");
	close_scene(&scene);
}

static void test_tokens(struct server *server)
{
	/* The digest of "mine". */
	static const char tokens[] =
	    "me 3fd30542fe3f61b14bd4a4b2dc0b6fb30fa6f63ebce52dd1778aaa8c4"
	    "dc02cff read,submit\n";
	struct scene scene;
	char file[300];
	open_scene(&scene, server);
	snprintf(file, sizeof(file), "tokens_file=%s",
	    scratch_file(&scene.scratch, "tokens"));
	const char *const settings[] = {file};
	write_file(&scene, "tokens", tokens, 0644);
	ok(!open_service(&scene, settings, 1) && strstr(scene.said, "chmod"),
	    "tokens that others can read are refused");
	write_file(&scene, "tokens", tokens, 0600);
	ok(open_service(&scene, settings, 1), "and else taken");
	ok(ask(&scene, "GET", "/healthz", NULL) == 200,
	    "whether it is alive everybody may ask");
	ok(ask(&scene, "GET", "/v1/jobs", NULL) == 401,
	    "all else needs a token");
	scene.headers = "Authorization: Bearer wrong\r\n";
	ok(ask(&scene, "GET", "/v1/jobs", NULL) == 401, "that there is");
	ok(ask(&scene, "GET", "/session", NULL) == 200 &&
		says(&scene, "{\"tokens\":true,\"scopes\":[],"),
	    "who has none may do nothing, and can tell so");
	scene.headers = "Authorization: Bearer mine\r\n";
	ok(ask(&scene, "GET", "/session", NULL) == 200 &&
		says(
		    &scene, "\"name\":\"me\",\"scopes\":[\"read\",\"submit\"]"),
	    "who has one is told its name and scopes");
	close_scene(&scene);
}

static void test_keys(struct server *server)
{
	struct scene scene;
	char first[100], second[100];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	scene.headers = "Idempotency-Key: k1\r\n";
	submit(&scene, "/short/", "", first);
	ok(submit(&scene, "/short/", "", second) == 202 &&
		strcmp(first, second) == 0,
	    "who asks twice gets one job");
	ok(submit(&scene, "/short/two", "", second) == 422,
	    "but no other by that key");
	close_scene(&scene);
}

static void test_restart(struct server *server)
{
	struct scene scene;
	char path[100], stop[120];
	open_scene(&scene, server);
	open_service(&scene, NULL, 0);
	submit(&scene, "/long/1", "", path);
	comes_to(&scene, path, "running");
	struct scene second = {.server = server, .scratch = scene.scratch};
	ok(!open_service(&second, NULL, 0) && strstr(second.said, "process"),
	    "one service has the directory");
	pavane_service_drain(scene.service);
	ok(ask(&scene, "GET", "/readyz", NULL) == 503,
	    "one that ends is not ready");
	pavane_service_close(scene.service);
	ok(open_service(&scene, NULL, 0) && comes_to(&scene, path, "running"),
	    "P3: the next one goes on with its jobs");
	snprintf(stop, sizeof(stop), "%s/stop", path);
	ok(ask(&scene, "POST", stop, NULL) == 200 &&
		comes_to(&scene, path, "stopped"),
	    "until they are stopped");
	close_scene(&scene);
}

/* A job that could not open its files would have failed. */
static void test_few_files(struct server *server)
{
	static const char *const settings[] = {"jobs.running=100"};
	struct rlimit before;
	struct scene scene;
	char paths[JOBS][100];
	bool is_begun = true, is_done = true;
	open_scene(&scene, server);
	getrlimit(RLIMIT_NOFILE, &before);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){300, before.rlim_max});
	ok(open_service(&scene, settings, 1) &&
		strstr(scene.said,
		    "jobs.running: at most 3 jobs run at once, not 100"),
	    "where few files can be open, fewer jobs run, and it says so");
	for (unsigned i = 0; i < JOBS; i++)
		is_begun =
		    is_begun && submit(&scene, "/short/", "", paths[i]) == 202;
	for (unsigned i = 0; i < JOBS; i++)
		is_done = is_done && comes_to(&scene, paths[i], "finished");
	ok(is_begun && is_done,
	    "P3: the others wait for their turn: none fails");
	close_scene(&scene);
	setrlimit(RLIMIT_NOFILE, &before);
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	test_job(server);
	test_stream(server);
	test_events(server);
	test_waits(server);
	test_files(server);
	test_refusals(server);
	test_no_profile(server);
	test_paused(server);
	test_private(server);
	test_tokens(server);
	test_keys(server);
	test_restart(server);
	test_few_files(server);
	end_after(0);
	server_stop(server);
	return tap_done();
}
