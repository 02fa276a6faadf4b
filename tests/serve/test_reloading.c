#include "serve/reloading.h"

#include <stdatomic.h>

#include "crawl/patience.h"
#include "serve/asked_service.h"
#include "serve/receiver.h"

/* A configuration that is read again while the service runs. */

#define SECONDS 100
#define ROUNDS 30
#define THREADS 3

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/short/", .answer = {.body = "<p>1"}},
    {.path = "/long/*",
	.answer = {.body = "<a href='{n}1'>1</a><a href='{n}2'>2</a>",
	    .is_template = true}},
};

#define COMMON "directory: service\nlisten: 127.0.0.1:0\n"
#define PRIVATE "private: [127.0.0.0/8]\nprofiles: {default: default.yaml}\n"

/* Digests of "abc" and of "xyz". */
static const char one_token[] =
    "a ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad "
    "read,submit\n";
static const char other_token[] =
    "b 3608bca1e44ea6c4d268eb6db02260269892c0b42b86bbf1e77a6fa16c3c9282 "
    "read\n";

static bool reload(struct asked_service *scene, const char *config)
{
	scene->said[0] = '\0';
	if (config)
		asked_service_write(scene, "service.yaml", config);
	return pavane_service_reload(scene->service, &scene->options);
}

static unsigned list(struct asked_service *scene, const char *headers)
{
	return asked_service_ask(scene, "GET /v1/jobs", headers, NULL);
}

static void test_changes(struct server *site)
{
	struct asked_service scene;
	char id[200], request[300];
	asked_service_make(&scene, site, COMMON PRIVATE);
	if (!ok(asked_service_open(&scene), "a service is open"))
		return;
	ok(list(&scene, "Host: crawls.example.org\r\n") == 421,
	    "it has no other name");
	asked_service_write(&scene, "tokens", one_token);
	ok(reload(&scene, COMMON PRIVATE "tokens_file: tokens\n"
					 "hosts: [crawls.example.org]\n"
					 "jobs: {queued: 0}\n") &&
		strstr(scene.said, "was read again"),
	    "its configuration is read again");
	ok(list(&scene, "") == 401, "then a token is needed");
	ok(list(&scene, "Authorization: Bearer abc\r\n"
			"Host: crawls.example.org\r\n") == 200,
	    "which is known, and so is a further name");
	asked_service_write(&scene, "tokens", other_token);
	ok(reload(&scene, NULL) &&
		list(&scene, "Authorization: Bearer abc\r\n") == 401 &&
		list(&scene, "Authorization: Bearer xyz\r\n") == 200,
	    "tokens are read again, too");
	ok(reload(&scene, COMMON PRIVATE "jobs: {queued: 0}\n") &&
		list(&scene, "") == 200,
	    "or not needed any more");
	ok(asked_service_submit(&scene, "/short/", "", id) == 429,
	    "limits hold: there is no place to wait");
	ok(reload(&scene, COMMON PRIVATE) &&
		asked_service_submit(&scene, "/short/", "", id) == 202 &&
		asked_service_ends(&scene, id, "finished"),
	    "until there is");
	asked_service_write(&scene, "slow.yaml",
	    "version: 1\nidentity: {contact: bot@example.org}\n"
	    "politeness: {delay: 60s}\nscope: {hosts: any}\n");
	ok(asked_service_submit(
	       &scene, "/long/1", ",\"profile\":\"slow\"", id) == 422,
	    "a profile that there is not is not found");
	ok(reload(&scene, COMMON PRIVATE "profiles: {slow: slow.yaml}\n") ==
		false,
	    "a key is written once");
	ok(reload(&scene, COMMON "private: [127.0.0.0/8]\n"
				 "profiles: {slow: slow.yaml}\n") &&
		asked_service_submit(
		    &scene, "/long/1", ",\"profile\":\"slow\"", id) == 202,
	    "and is there once it was added");
	asked_service_wait(&scene, id, "running");
	ok(reload(&scene, COMMON "private: []\n"),
	    "it can go while a job runs by it");
	snprintf(request, sizeof(request), "POST /v1/jobs/%s/stop", id);
	ok(asked_service_ask(&scene, request, "", NULL) == 200 &&
		asked_service_ends(&scene, id, "stopped"),
	    "which keeps what it began with");
	size_t before = server_log_count(site);
	asked_service_submit(&scene, "/short/", "", id);
	asked_service_ends(&scene, id, "finished");
	ok(server_log_count(site) == before,
	    "P7: an address that is private again is not asked");
	asked_service_close(&scene);
}

/* Webhooks */

static void write_webhooks(struct asked_service *scene,
    const struct receiver *team, const struct receiver *other)
{
	struct pv_buf config;
	pv_buf_init(&config, 4096);
	pv_buf_append_text(&config, COMMON PRIVATE);
	if (team || other)
		pv_buf_append_text(&config, "webhooks:\n");
	if (team)
		receiver_write_webhook(team, "team", &config);
	if (other)
		receiver_write_webhook(other, "other", &config);
	asked_service_write(scene, "service.yaml", pv_buf_text(&config));
	pv_buf_finish(&config);
}

static void await_state(
    struct receiver *receiver, const char *id, const char *state)
{
	char line[300];
	snprintf(line, sizeof(line), "%s state %s\n", id, state);
	while (!receiver_count(receiver, line))
		poll(NULL, 0, 1);
}

static void await_failure(struct asked_service *scene, const char *id)
{
	char request[300];
	snprintf(request, sizeof(request), "GET /v1/jobs/%s", id);
	do
		asked_service_ask(scene, request, "", NULL);
	while (!strstr(pv_buf_text(&scene->reply), "\"tries\":1"));
}

static void test_webhooks(struct server *site)
{
	struct asked_service scene;
	struct receiver one, two;
	char id[200], later[200], request[300];
	receiver_open(&one);
	receiver_open(&two);
	asked_service_make(&scene, site, COMMON PRIVATE);
	asked_service_open(&scene);
	ok(asked_service_submit(
	       &scene, "/short/", ",\"webhook\":\"team\"", id) == 422,
	    "a webhook that there is not is not found");
	write_webhooks(&scene, &one, NULL);
	ok(reload(&scene, NULL) && asked_service_submit(&scene, "/short/",
				       ",\"webhook\":\"team\"", id) == 202,
	    "once it was added a job can name it");
	await_state(&one, id, "finished");
	ok(true, "and it is told of that job");
	receiver_set_status(&one, 500);
	asked_service_submit(&scene, "/short/", ",\"webhook\":\"team\"", id);
	await_failure(&scene, id);
	write_webhooks(&scene, NULL, &two);
	ok(reload(&scene, NULL), "it is removed, and another one added");
	ok(asked_service_submit(
	       &scene, "/short/", ",\"webhook\":\"other\"", later) == 202,
	    "which a job can name");
	await_state(&two, later, "finished");
	ok(asked_service_ask(&scene, "POST /v1/fetches", "",
	       "{\"url\":\"http://b.test/\",\"webhook\":\"other\"}") == 202,
	    "and a fetch");
	unsigned count = receiver_asked(&one);
	ok(asked_service_submit(
	       &scene, "/short/", ",\"webhook\":\"team\"", later) == 422,
	    "the one that was removed no job can name");
	snprintf(request, sizeof(request), "POST /v1/jobs/%s/redeliver", id);
	ok(asked_service_ask(&scene, request, "", NULL) == 409 &&
		asked_service_says(&scene, "the configuration does not have"),
	    "nor is it told of those that have");
	ok(asked_service_ask(&scene, "GET /metrics", "", NULL) == 200 &&
		asked_service_says(&scene, "webhook=\"other\"") &&
		!strstr(pv_buf_text(&scene.reply), "webhook=\"team\""),
	    "the figures are those of the others");
	write_webhooks(&scene, &two, NULL);
	ok(reload(&scene, NULL) &&
		asked_service_ask(&scene, request, "", NULL) == 200,
	    "it is there again, with another address");
	await_state(&two, id, "finished");
	ok(receiver_asked(&one) == count,
	    "which is told what was left of that job, and the old one nothing");
	asked_service_close(&scene);
	receiver_close(&one);
	receiver_close(&two);
}

static void test_what_stays(struct server *site)
{
	struct asked_service scene;
	asked_service_make(&scene, site, COMMON);
	asked_service_open(&scene);
	ok(reload(&scene, "directory: other\nlisten: 127.0.0.1:1\n"
			  "jobs: {queued: 0}\n") &&
		strstr(scene.said, "directory: it stays ") &&
		strstr(scene.said, "/other") &&
		strstr(scene.said, "listen: it stays 127.0.0.1:0 until the "
				   "service is started anew"),
	    "the directory and the address stay, and that is said");
	ok(list(&scene, "") == 200 &&
		access(scratch_file(&scene.scratch, "other"), F_OK) != 0,
	    "the service goes on where it was");
	asked_service_close(&scene);
}

/* Each changes nothing. */
static void test_mistakes(struct server *site)
{
	static const struct {
		const char *config;
		const char *part;
		const char *claim;
	} cases[] = {
	    {"directory: d\njobs: {runing: 3}\n", "jobs.runing: unknown key",
		"a mistake is told as at the start"},
	    {"", "this file is empty", "so is an empty file"},
	    {COMMON "tokens_file: open\n", "chmod 600",
		"tokens that others can read are refused"},
	    {COMMON "tokens_file: empty\n", "there is no token in this file",
		"P7: a file without a token does not let everybody in"},
	    {COMMON "profiles: {a: absent.yaml}\n", "absent.yaml",
		"a profile that cannot be read is told"},
	};
	struct asked_service scene;
	asked_service_make(&scene, site, COMMON "tokens_file: tokens\n");
	asked_service_write(&scene, "tokens", one_token);
	asked_service_write(&scene, "open", one_token);
	asked_service_write(&scene, "empty", "# nobody\n");
	chmod(scratch_file(&scene.scratch, "open"), 0644);
	asked_service_open(&scene);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(!reload(&scene, cases[i].config) &&
			strstr(scene.said, cases[i].part) &&
			strstr(scene.said, "stays as it was") &&
			list(&scene, "") == 401 &&
			list(&scene, "Authorization: Bearer abc\r\n") == 200,
		    "%s", cases[i].claim);
	scene.options.file = "-";
	ok(!reload(&scene, NULL) && strstr(scene.said, "cannot be read again"),
	    "what was piped in is gone");
	asked_service_close(&scene);
}

/* On a socket that was handed on. */
static int listen_at(uint32_t address)
{
	struct sockaddr_in end = {
	    .sin_family = AF_INET, .sin_addr = {htonl(address)}};
	int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(file, (struct sockaddr *)&end, sizeof(end)) != 0 ||
	    listen(file, 10) != 0)
		abort();
	return file;
}

static void test_sockets(struct server *site)
{
	struct asked_service scene;
	asked_service_make(&scene, site, COMMON);
	scene.options.socket = listen_at(INADDR_ANY);
	ok(!asked_service_open(&scene) &&
		strstr(scene.said, "others can reach"),
	    "P7: a socket that others reach needs tokens");
	close(scene.options.socket);
	asked_service_write(&scene, "empty", "");
	asked_service_write(
	    &scene, "service.yaml", COMMON "tokens_file: empty\n");
	scene.options.socket = -1;
	ok(!asked_service_open(&scene) && strstr(scene.said, "no token"),
	    "P7: and a file of tokens has one");
	asked_service_write(&scene, "tokens", one_token);
	asked_service_write(&scene, "service.yaml",
	    "directory: service\nlisten: 0.0.0.0:0\ntokens_file: tokens\n");
	ok(asked_service_open(&scene), "with tokens others may reach it");
	ok(!reload(&scene, COMMON) && strstr(scene.said, "others can reach") &&
		list(&scene, "") == 401,
	    "P7: and they stay, though the file says another address");
	asked_service_close(&scene);
	asked_service_make(&scene, site, COMMON);
	scene.options.socket = listen_at(INADDR_LOOPBACK);
	ok(asked_service_open(&scene), "one of this machine needs none");
	asked_service_close(&scene);
}

/* Many ask while others take the place of what they read. */

struct asking_thread {
	pthread_t thread;
	const struct asked_service *scene;
	atomic_bool *is_over;
	unsigned wrong;
	unsigned asked;
};

static void *ask_on(void *ctx)
{
	struct asking_thread *asker = ctx;
	struct asked_service own = {
	    .site = asker->scene->site, .port = asker->scene->port};
	char id[200];
	pv_buf_init(&own.reply, 8 << 20);
	do {
		unsigned status = asked_service_submit(&own, "/short/", "", id);
		if (status != 202 && status != 429)
			printf("# %u: %s\n", status, pv_buf_text(&own.reply));
		asker->wrong += status != 202 && status != 429;
		asker->wrong += list(&own, "") != 200;
		asker->asked++;
	} while (!atomic_load(asker->is_over));
	pv_buf_finish(&own.reply);
	return NULL;
}

static void test_threads(struct server *site)
{
	struct asked_service scene;
	struct asking_thread askers[THREADS];
	atomic_bool is_over = false;
	unsigned wrong = 0, asked = 0;
	bool is_read = true;
	asked_service_make(&scene, site, COMMON PRIVATE);
	asked_service_open(&scene);
	for (size_t i = 0; i < THREADS; i++) {
		askers[i] = (struct asking_thread){
		    .scene = &scene, .is_over = &is_over};
		pthread_create(&askers[i].thread, NULL, ask_on, &askers[i]);
	}
	for (size_t i = 0; i < ROUNDS; i++)
		is_read =
		    reload(&scene, i % 2 ? COMMON PRIVATE
					 : COMMON PRIVATE
				       "hosts: [a.test]\njobs: {queued: 2}\n"
				       "trusted_proxies: [127.0.0.0/8]\n") &&
		    is_read;
	atomic_store(&is_over, true);
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(askers[i].thread, NULL);
		wrong += askers[i].wrong;
		asked += askers[i].asked;
	}
	if (!ok(is_read && !wrong && asked,
		"those who ask meanwhile get one or the other"))
		printf("# %u of %u\n", wrong, asked);
	asked_service_close(&scene);
}

int main(void)
{
	struct server *site =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	test_changes(site);
	test_webhooks(site);
	test_what_stays(site);
	test_mistakes(site);
	test_sockets(site);
	test_threads(site);
	end_after(0);
	server_stop(site);
	return tap_done();
}
