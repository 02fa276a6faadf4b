#include "serve/webhooks/sender.h"

#include <uv.h>

#include "policy/loaded.h"
#include "server/server.h"
#include "tap.h"

/* Messages on the wire, to the test's own server. */

struct scene {
	struct server *server;
	struct loaded loaded;
	uv_loop_t loop;
	struct pv_webhook entries[4];
	struct pv_webhook_table table;
	struct pv_webhook_sender *sender;
	char urls[4][100];
	unsigned answered;
	uint16_t status;
	int64_t retry_after_ms;
	char why[400];
};

static const char *local[] = {"127.0.0.0/8"};

static const struct server_route routes[] = {
    {.path = "/created", .answer = {.status = 201}},
    {.path = "/moved", .answer = {.status = 302, .location = "/echo"}},
    {.path = "/large",
	.answer = {.status = 200, .kind = SERVER_PATTERN, .size = 1000000}},
    {.path = "/busy",
	.answer = {.status = 503, .headers = "Retry-After: 120\r\n"}},
    {.path = "/many",
	.answer = {.status = 429, .headers = "Retry-After: 7\r\n"}},
    {.path = "/lost",
	.answer = {.status = 404, .headers = "Retry-After: 120\r\n"}},
    {.path = "/endless", .answer = {.extra_count = SERVER_ENDLESS}},
    {.path = "/broken", .answer = {.raw = {"hello", 5}}},
};

/* Tells what it was asked. */
static char seen[1000];

static bool echo(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	if (!pv_str_equal(request->path, PV_STR("/echo")))
		return false;
	snprintf(seen, sizeof(seen), "%.*s %.*s %.*s %.*s %.*s %.*s",
	    PV_STR_ARG(request->method),
	    PV_STR_ARG(server_header(request->headers, "webhook-id")),
	    PV_STR_ARG(server_header(request->headers, "webhook-timestamp")),
	    PV_STR_ARG(server_header(request->headers, "webhook-signature")),
	    PV_STR_ARG(server_header(request->headers, "Content-Type")),
	    PV_STR_ARG(request->body));
	answer->status = 202;
	return true;
}

static void on_answer(void *ctx, struct pv_webhook_message *message,
    const struct pv_webhook_answer *answer)
{
	struct scene *scene = ctx;
	scene->answered++;
	scene->status = answer->status;
	scene->retry_after_ms = answer->retry_after_ms;
	snprintf(scene->why, sizeof(scene->why), "%s", answer->why);
	pv_webhook_message_destroy(message);
	uv_stop(&scene->loop);
}

static void add(struct scene *scene, const char *path, bool is_allowed)
{
	size_t i = scene->table.count++;
	snprintf(scene->urls[i], sizeof(scene->urls[i]),
	    "http://127.0.0.1:%u%s", (unsigned)server_port(scene->server),
	    path);
	scene->entries[i] =
	    (struct pv_webhook){.name = "team", .url = scene->urls[i]};
	if (is_allowed)
		scene->entries[i].allow = (struct pv_texts){local, 1};
}

/* What the policy says of hosts and headers is for crawls, whom it trusts is for
 * all; NULL: whom the system does. */
static void open_scene_trusting(
    struct scene *scene, struct server *server, const char *authority)
{
	char policy[1000];
	*scene = (struct scene){.server = server};
	snprintf(policy, sizeof(policy),
	    "version: 1\nseeds: [\"http://127.0.0.1/\"]\n"
	    "identity: {contact: bot@example.org}\n"
	    "domains: {\"127.0.0.0/8\": {delay: 1s}}\n"
	    "fetch: {private: all, accept: [text/html], headers: {X-Crawl: "
	    "\"1\"}, tls: {ca: %s}}\n",
	    authority ? authority : "none");
	scene->loaded = load_text(policy);
	is_right(&scene->loaded);
	uv_loop_init(&scene->loop);
	scene->table.items = scene->entries;
}

static void open_scene(struct scene *scene, struct server *server)
{
	open_scene_trusting(scene, server, NULL);
}

static void begin(struct scene *scene)
{
	const struct pv_webhook_sender_plan plan = {
	    .loop = &scene->loop,
	    .table = &scene->table,
	    .policy = scene->loaded.policy,
	    .on_answer = on_answer,
	    .ctx = scene,
	};
	scene->sender = pv_webhook_sender_create(&plan, NULL);
}

static bool close_scene(struct scene *scene)
{
	pv_webhook_sender_close(scene->sender);
	uv_run(&scene->loop, UV_RUN_DEFAULT);
	bool is_empty = uv_loop_close(&scene->loop) == 0;
	pv_webhook_sender_free(scene->sender);
	loaded_finish(&scene->loaded);
	return is_empty;
}

static void start(struct scene *scene, uint32_t receiver)
{
	struct pv_webhook_message *message = pv_webhook_message_create();
	message->receiver = receiver;
	pv_buf_append_text(&message->id, "msg_1");
	pv_buf_append_text(&message->timestamp, "1614265330");
	pv_buf_append_text(&message->signature, "v1,abc");
	pv_buf_append_text(&message->body, "{\"type\":\"job.queued\"}");
	pv_webhook_sender_send(scene->sender, message);
}

static void deliver(struct scene *scene, uint32_t receiver)
{
	unsigned before = scene->answered;
	start(scene, receiver);
	while (scene->answered == before && uv_run(&scene->loop, UV_RUN_ONCE))
		continue;
}

static void test_delivered(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	add(&scene, "/echo", true);
	add(&scene, "/created", true);
	add(&scene, "/large", true);
	begin(&scene);
	deliver(&scene, 0);
	ok(scene.status == 202, "a message is posted, and its answer known");
	is_text(pv_str_of(seen),
	    "POST msg_1 1614265330 v1,abc application/json "
	    "{\"type\":\"job.queued\"}",
	    "with the headers of Standard Webhooks and its body");
	struct server_record record;
	ok(server_log_get(server, server_log_count(server) - 1, &record) &&
		!server_header(record.headers, "X-Crawl").ptr &&
		server_header(record.headers, "User-Agent").len,
	    "P7: and our name, but no header of the pages of crawls");
	deliver(&scene, 1);
	ok(scene.status == 201, "each webhook has its own address");
	deliver(&scene, 2);
	ok(scene.status == 200, "P5: a long answer need not be read");
	ok(close_scene(&scene), "nothing of it stays on the loop");
}

static void test_failed(struct server *server)
{
	struct scene scene;
	size_t before = server_log_count(server);
	open_scene(&scene, server);
	add(&scene, "/moved", true);
	add(&scene, "/echo", false);
	add(&scene, "/broken", true);
	begin(&scene);
	deliver(&scene, 0);
	ok(scene.status == 302 && server_log_count(server) == before + 1,
	    "P7: no redirect is followed");
	is_text(pv_str_of(scene.why), "it answered 302", "which is told");
	deliver(&scene, 1);
	ok(!scene.status && server_log_count(server) == before + 1,
	    "P7: a private address is not asked unless it is allowed, though "
	    "a policy names it");
	is_text(pv_str_of(scene.why),
	    "127.0.0.1 has only addresses on this machine or a private "
	    "network, which its key allow does not name",
	    "which is told as well");
	deliver(&scene, 2);
	ok(!scene.status && *scene.why, "no answer has a reason: %s",
	    scene.why);
	close_scene(&scene);
}

static void test_busy(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	add(&scene, "/busy", true);
	add(&scene, "/many", true);
	add(&scene, "/lost", true);
	add(&scene, "/endless", true);
	begin(&scene);
	deliver(&scene, 0);
	ok(scene.status == 503 && scene.retry_after_ms == 120000,
	    "who is busy says when to come again");
	deliver(&scene, 1);
	ok(scene.status == 429 && scene.retry_after_ms == 7000,
	    "and who has been asked too often");
	deliver(&scene, 2);
	ok(scene.status == 404 && !scene.retry_after_ms, "nobody else does");
	deliver(&scene, 3);
	ok(scene.status == 200, "P5: headers without end are not read");
	close_scene(&scene);
}

/* As when the configuration is read again, with tables of its own each time. */
static void test_changed(struct server *server)
{
	struct scene scene;
	struct pv_webhook first[2], second[2];
	open_scene(&scene, server);
	add(&scene, "/created", true);
	add(&scene, "/echo", true);
	scene.entries[0].name = "a";
	scene.entries[1].name = "b";
	begin(&scene);
	deliver(&scene, 0);
	first[0] = scene.entries[1];
	first[1] = scene.entries[1];
	first[1].name = "c";
	first[1].url = scene.urls[0];
	pv_webhook_sender_change(
	    scene.sender, &(const struct pv_webhook_table){first, 2});
	deliver(&scene, 1);
	ok(scene.status == 202, "what is there still has its number");
	deliver(&scene, 2);
	ok(scene.status == 201, "what is new comes behind");
	second[0] = first[0];
	second[0].allow = (struct pv_texts){NULL, 0};
	second[1] = scene.entries[0];
	second[1].url = scene.urls[1];
	start(&scene, 1);
	pv_webhook_sender_change(
	    scene.sender, &(const struct pv_webhook_table){second, 2});
	unsigned before = scene.answered;
	while (scene.answered == before && uv_run(&scene.loop, UV_RUN_ONCE))
		continue;
	ok(scene.status == 202, "what is under way ends as it has begun");
	deliver(&scene, 1);
	ok(!scene.status && strstr(scene.why, "allow does not name"),
	    "P7: then what it allows holds");
	deliver(&scene, 0);
	ok(scene.status == 202,
	    "one that is there again has its number, and its new address");
	ok(close_scene(&scene), "nothing of them stays on the loop");
}

/* Nobody listens there any more. */
static void test_refused(void)
{
	struct scene scene;
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	open_scene(&scene, server);
	add(&scene, "/created", true);
	begin(&scene);
	server_stop(server);
	deliver(&scene, 0);
	ok(!scene.status && strstr(scene.why, "refused"),
	    "a receiver that is not there is told of: %s", scene.why);
	close_scene(&scene);
}

static void test_closed(void)
{
	static const struct server_route silent[] = {{.path = "/*",
	    .answer = {.fault = {SERVER_STALL, SERVER_BEFORE, 0}}}};
	struct scene scene;
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(silent)});
	open_scene(&scene, server);
	add(&scene, "/", true);
	begin(&scene);
	start(&scene, 0);
	while (!server_log_count(server))
		uv_run(&scene.loop, UV_RUN_NOWAIT);
	start(&scene, 0);
	ok(close_scene(&scene) && !scene.answered,
	    "what is under way is dropped at the end");
	server_stop(server);
}

/* To a server whose certificate is of the test's own authority. */
static void deliver_by_tls(
    struct scene *scene, struct server *server, bool is_trusted)
{
	open_scene_trusting(
	    scene, server, is_trusted ? server_authority_path(server) : NULL);
	add(scene, "/created", true);
	snprintf(scene->urls[0], sizeof(scene->urls[0]),
	    "https://localhost:%u/created", (unsigned)server_tls_port(server));
	begin(scene);
	deliver(scene, 0);
	close_scene(scene);
}

static void test_verified(void)
{
	static const struct server_tls_name names[] = {
	    {"localhost", SERVER_TLS_GOOD}};
	struct scene scene;
	struct server *server = server_start(&(struct server_plan){
	    SERVER_ROUTES(routes), SERVER_TLS_NAMES(names)});
	deliver_by_tls(&scene, server, false);
	ok(!scene.status && *scene.why && !server_log_count(server),
	    "P7: who cannot prove its name is told nothing: %s", scene.why);
	deliver_by_tls(&scene, server, true);
	ok(scene.status == 201, "who can is: %s", scene.why);
	server_stop(server);
}

int main(void)
{
	struct server *server = server_start(
	    &(struct server_plan){SERVER_ROUTES(routes), .answer = echo});
	test_delivered(server);
	test_failed(server);
	test_busy(server);
	test_changed(server);
	server_stop(server);
	test_refused();
	test_closed();
	test_verified();
	return tap_done();
}
