#include "pavane/serve.h"

#include <poll.h>

#include "base/file.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "serve/http/asking.h"
#include "serve/receiver.h"
#include "tap.h"

/* Webhooks of a whole service: by its configuration, its requests, and what is
 * delivered. */

#define SECONDS 100

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/", .answer = {.body = "<a href=two>2</a>"}},
    {.path = "/two", .answer = {.body = "two"}},
};

static const char profile[] =
    "version: 1\n"
    "identity: {contact: bot@example.org}\n"
    "rate: {max_rate: 1000}\n"
    "politeness: {delay: 1ms, delay_factor: 0, ip_delay: 0}\n"
    "scope: {hosts: any}\n";

struct scene {
	struct server *server; /* of the site */
	struct receiver receiver;
	struct scratch scratch;
	struct pavane_service *service;
	uint16_t port;
	struct pv_buf reply;
};

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	printf("# %s\n", line);
}

static void write_config(struct scene *scene)
{
	struct pv_buf config;
	pv_buf_init(&config, 4096);
	pv_buf_append_text(&config,
	    "directory: service\nlisten: 127.0.0.1:0\n"
	    "profiles: {default: default.yaml}\nprivate: [127.0.0.0/8]\n"
	    "webhooks:\n");
	receiver_write_webhook(&scene->receiver, "team", &config);
	pv_buf_append_text(&config,
	    "  deaf: {url: \"https://example.org/\", secrets: [" RECEIVER_SECRET
	    "], events: [states]}\n");
	pv_file_replace(scratch_file(&scene->scratch, "service.yaml"),
	    pv_buf_str(&config), 0600);
	pv_buf_finish(&config);
}

static void open_scene(struct scene *scene)
{
	char file[300];
	*scene = (struct scene){.server = server_start(&(struct server_plan){
				    SERVER_ROUTES(routes)})};
	receiver_open(&scene->receiver);
	scratch_make(&scene->scratch);
	pv_buf_init(&scene->reply, 8 << 20);
	pv_file_replace(scratch_file(&scene->scratch, "default.yaml"),
	    PV_STR(profile), 0600);
	write_config(scene);
	snprintf(file, sizeof(file), "%s",
	    scratch_file(&scene->scratch, "service.yaml"));
	const struct pavane_serve_options options = {
	    .file = file, .socket = -1, .on_line = on_line};
	scene->service = pavane_service_open(&options);
	const char *address = pavane_service_address(scene->service);
	scene->port = (uint16_t)strtoul(strrchr(address, ':') + 1, NULL, 10);
}

static void close_scene(struct scene *scene)
{
	pavane_service_close(scene->service);
	receiver_close(&scene->receiver);
	pv_buf_finish(&scene->reply);
	scratch_remove(&scene->scratch);
	server_stop(scene->server);
}

/* The status of the reply, which is kept. */
static unsigned ask(
    struct scene *scene, const char *method, const char *path, const char *body)
{
	struct pv_buf request;
	pv_buf_init(&request, 1 << 20);
	pv_buf_append_format(&request,
	    "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n",
	    method, path, (unsigned)scene->port);
	if (body)
		pv_buf_append_format(&request,
		    "Content-Type: application/json\r\nContent-Length: %zu\r\n",
		    strlen(body));
	pv_buf_append_format(&request, "\r\n%s", body ? body : "");
	pv_buf_clear(&scene->reply);
	asking(scene->port, pv_buf_str(&request), &scene->reply);
	pv_buf_finish(&request);
	return scene->reply.len > 12
		   ? (unsigned)strtoul(pv_buf_text(&scene->reply) + 9, NULL, 10)
		   : 0;
}

static bool says(const struct scene *scene, const char *part)
{
	bool is_there = strstr(pv_buf_text(&scene->reply), part);
	if (!is_there)
		printf("# %s\n", pv_buf_text(&scene->reply));
	return is_there;
}

/* Its status; the id of the job. */
static unsigned submit(struct scene *scene, const char *webhook, char id[80])
{
	char body[300];
	snprintf(body, sizeof(body),
	    "{\"urls\":[\"http://127.0.0.1:%u/\"],\"labels\":{\"a\":1}%s%s%s}",
	    (unsigned)server_port(scene->server),
	    *webhook ? ",\"webhook\":\"" : "", webhook, *webhook ? "\"" : "");
	unsigned status = ask(scene, "POST", "/v1/jobs", body);
	const char *end = strstr(pv_buf_text(&scene->reply), "\r\n\r\n");
	struct pv_json *job = pv_json_read(pv_str_of(end ? end + 4 : ""));
	snprintf(id, 80, "%.*s", PV_STR_ARG(pv_json_get_text(job, "id")));
	pv_json_destroy(job);
	return status;
}

static unsigned ask_job(
    struct scene *scene, const char *method, const char *id, const char *what)
{
	char path[200];
	snprintf(path, sizeof(path), "/v1/jobs/%s%s", id, what);
	return ask(scene, method, path, NULL);
}

/* How often that was told of the job. */
static unsigned count(struct scene *scene, const char *id, const char *what)
{
	char line[200];
	snprintf(line, sizeof(line), "%s %s", id, what);
	return receiver_count(&scene->receiver, line);
}

/* What never comes ends the test. */
static void await(
    struct scene *scene, const char *id, const char *what, unsigned times)
{
	while (count(scene, id, what) < times)
		poll(NULL, 0, 1);
}

/* Of the two pages: how often they were told, the one less often. */
static unsigned count_pages(struct scene *scene, const char *id)
{
	static const char *const paths[] = {"", "two"};
	unsigned counts[2];
	for (size_t i = 0; i < 2; i++) {
		char page[100];
		snprintf(page, sizeof(page), "final http://127.0.0.1:%u/%s\n",
		    (unsigned)server_port(scene->server), paths[i]);
		counts[i] = count(scene, id, page);
	}
	return counts[0] < counts[1] ? counts[0] : counts[1];
}

static void await_all(struct scene *scene, const char *id, unsigned times)
{
	await(scene, id, "state finished", times);
	while (count_pages(scene, id) < times)
		poll(NULL, 0, 1);
}

static void test_delivered(struct scene *scene)
{
	char id[80];
	ok(submit(scene, "team", id) == 202 &&
		says(scene, "\"webhook\":\"team\""),
	    "a job names the webhook that is told of it");
	await_all(scene, id, 1);
	ok(count(scene, id, "state queued") == 1 &&
		count(scene, id, "state running") == 1 &&
		count(scene, id, "state finished") == 1,
	    "it is told of each state once");
	ok(count_pages(scene, id) == 1, "and of each page");
	ok(!scene->receiver.unsigned_count, "signed with its secret");
	/* The last answer may not be written down yet. */
	do
		ask_job(scene, "GET", id, "");
	while (!strstr(pv_buf_text(&scene->reply), "{\"of\":\"states\"}"));
	ok(says(scene, "\"deliveries\":[{\"of\":\"journal\",\"cursor\":"
		       "\"journal:0:") &&
		says(scene, "{\"of\":\"states\"}"),
	    "how far that is can be asked");
	ok(ask(scene, "GET", "/metrics", NULL) == 200 &&
		says(scene, "pavane_webhook_backlog{webhook=\"team\"} ") &&
		says(scene, "# TYPE pavane_webhook_deliveries_total counter"),
	    "and how much waits");
	ok(ask_job(scene, "POST", id, "/redeliver?from=start") == 200 &&
		says(scene, "\"state\":\"finished\""),
	    "all of it may be asked for again");
	await_all(scene, id, 2);
	ok(!scene->receiver.changed, "which comes under new ids");
	ok(ask_job(scene, "POST", id, "/redeliver") == 200,
	    "or what has failed, which is nothing");
	ok(ask_job(scene, "POST", id, "/redeliver?from=end") == 400 &&
		says(scene, "from: expected \\\"start\\\""),
	    "but from nowhere else");
}

static void test_gone(struct scene *scene)
{
	char id[80];
	receiver_set_status(&scene->receiver, 410);
	submit(scene, "team", id);
	do
		ask_job(scene, "GET", id, "");
	while (!strstr(pv_buf_text(&scene->reply), "answered 410"));
	ok(says(scene, "\"ended\":\"the receiver answered 410 (gone)\""),
	    "P4: that nothing more is delivered is told, and why");
	receiver_set_status(&scene->receiver, 0);
	ok(ask_job(scene, "POST", id, "/redeliver") == 200,
	    "until it is asked for again");
	await_all(scene, id, 1);
	ok(true, "then all that was missed arrives");
}

static void test_refused(struct scene *scene)
{
	char id[80];
	ok(submit(scene, "nobody", id) == 422 &&
		says(scene, "webhook: there is none named \\\"nobody\\\""),
	    "a job names a webhook of the configuration");
	ok(submit(scene, "http://127.0.0.1/", id) == 422, "P7: and no address");
	ok(ask(scene, "POST", "/v1/jobs", "{\"webhook\":5}") == 400 &&
		says(scene, "webhook: expected a text"),
	    "by a text");
	ok(submit(scene, "", id) == 202 &&
		ask_job(scene, "POST", id, "/redeliver") == 409 &&
		says(scene, "the job names no webhook"),
	    "without one there is nothing to deliver");
	ok(ask_job(scene, "POST", "none", "/redeliver") == 404,
	    "nor of a job that is not there");
	ok(ask(scene, "GET", "/openapi.json", NULL) == 200 &&
		says(scene, "/v1/jobs/{id}/redeliver") &&
		says(scene, "\"Delivery\":{"),
	    "all of that is described");
}

/* Its status; the id of the fetch. */
static unsigned fetch(struct scene *scene, const char *webhook, char id[80])
{
	char body[300];
	snprintf(body, sizeof(body),
	    "{\"url\":\"http://127.0.0.1:%u/two\",\"webhook\":\"%s\"}",
	    (unsigned)server_port(scene->server), webhook);
	unsigned status = ask(scene, "POST", "/v1/fetches", body);
	const char *end = strstr(pv_buf_text(&scene->reply), "\r\n\r\n");
	struct pv_json *said = pv_json_read(pv_str_of(end ? end + 4 : ""));
	snprintf(id, 80, "%.*s", PV_STR_ARG(pv_json_get_text(said, "id")));
	pv_json_destroy(said);
	return status;
}

static void test_fetch(struct scene *scene)
{
	char id[80], other[80];
	ok(fetch(scene, "team", id) == 202 &&
		says(scene, "\"webhook\":\"team\""),
	    "a fetch names a webhook as well");
	await(scene, id, "state done", 1);
	ok(!scene->receiver.unsigned_count && !scene->receiver.changed,
	    "which is told of its end, signed");
	ok(fetch(scene, "nobody", other) == 422 &&
		says(scene, "webhook: there is none named \\\"nobody\\\""),
	    "if there is one of that name");
	ok(fetch(scene, "deaf", other) == 422 &&
		says(scene, "hears of no fetches"),
	    "P4: and it hears of fetches");
	ok(count(scene, id, "state done") == 1, "it is told once");
}

int main(void)
{
	struct scene scene;
	open_scene(&scene);
	end_after(SECONDS);
	test_delivered(&scene);
	test_gone(&scene);
	test_refused(&scene);
	test_fetch(&scene);
	end_after(0);
	close_scene(&scene);
	return tap_done();
}
