#include "pavane/serve.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json/json.h"
#include "crawl/patience.h"
#include "random.h"
#include "scratch.h"
#include "serve/http/asking.h"
#include "serve/receiver.h"
#include "server/server.h"
#include "tap.h"

/* Single addresses, asked for of a service in a process of its own that is killed
 * now and then: what it has accepted is answered all the same, and is asked for no
 * more often than kills can explain.
 *
 * The moments follow from a seed: to have them again, "test_fetches_kill SEED". */

#define SECONDS 100
#define KILLS 5
#define EACH 12 /* fetches between two kills */
#define FETCHES (EACH * (KILLS + 1))
#define REQUESTS_MOST 20 /* of the site, between the last fetch and a kill */
#define QUIET_MS 200     /* or as long as this: all may have ended */

/* A third of the addresses redirect to the next one. */
#define MOVES(i) ((i) % 3 == 0)

struct scene {
	struct server *server;
	struct receiver receiver; /* of the webhook */
	struct scratch scratch;
	struct random random;
	pid_t child;
	uint16_t port;
	struct pv_buf reply;
	char ids[FETCHES][80];
	unsigned changed; /* ids that were not the same when asked again */
};

static bool answer(
    void *ctx, const struct server_request *request, struct server_answer *made)
{
	unsigned long number = 0;
	(void)ctx;
	if (!pv_str_starts(request->path, PV_STR("/n"))) {
		made->status = 404;
		return true;
	}
	number = strtoul(request->path.ptr + 2, NULL, 10);
	if (MOVES(number) && pv_str_find(request->path, 'v') == PV_NOT_FOUND) {
		made->status = 301;
		made->headers = "Location: moved\r\n";
	}
	made->body = "here it is";
	made->head_pace.delay_ms = 2;
	return true;
}

/* The process that is killed */

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	printf("# %s\n", line);
	fflush(stdout);
}

static int serve(const char *file, const char *pipe)
{
	struct pavane_serve_options options = {
	    .file = file, .socket = -1, .on_line = on_line};
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	struct pavane_service *service = pavane_service_open(&options);
	if (!service)
		return 1;
	dprintf((int)strtoul(pipe, NULL, 10), "%s\n",
	    strrchr(pavane_service_address(service), ':') + 1);
	for (;;)
		pause();
}

static void start(struct scene *scene)
{
	int ends[2];
	char file[512], end[16], port[16] = "";
	snprintf(file, sizeof(file), "%s",
	    scratch_file(&scene->scratch, "service.yaml"));
	if (pipe(ends) != 0)
		return;
	snprintf(end, sizeof(end), "%d", ends[1]);
	fflush(stdout);
	scene->child = fork();
	if (!scene->child) {
		execl("/proc/self/exe", "test_fetches_kill", file, end,
		    (char *)NULL);
		_exit(1);
	}
	close(ends[1]);
	ssize_t len = read(ends[0], port, sizeof(port) - 1);
	close(ends[0]);
	scene->port = (uint16_t)strtoul(port, NULL, 10);
	ok(len > 0, "P3: a service starts where there was one before");
}

static void strike(struct scene *scene)
{
	int status = 0;
	kill(scene->child, SIGKILL);
	waitpid(scene->child, &status, 0);
	ok(WIFSIGNALED(status), "it is killed");
}

/* Asking it */

static unsigned ask(struct scene *scene, const char *method, const char *path,
    const char *key, const char *body)
{
	struct pv_buf request;
	pv_buf_init(&request, 1 << 16);
	pv_buf_append_format(&request,
	    "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n",
	    method, path, (unsigned)scene->port);
	if (*body)
		pv_buf_append_format(&request,
		    "Idempotency-Key: %s\r\nContent-Type: application/json\r\n"
		    "Content-Length: %zu\r\n",
		    key, strlen(body));
	pv_buf_append_format(&request, "\r\n%s", body);
	pv_buf_clear(&scene->reply);
	asking(scene->port, pv_buf_str(&request), &scene->reply);
	pv_buf_finish(&request);
	return scene->reply.len > 12
		   ? (unsigned)strtoul(pv_buf_text(&scene->reply) + 9, NULL, 10)
		   : 0;
}

static void member(const struct scene *scene, const char *name, char value[80])
{
	const char *end = strstr(pv_buf_text(&scene->reply), "\r\n\r\n");
	struct pv_json *body = pv_json_read(pv_str_of(end ? end + 4 : ""));
	struct pv_str text = pv_json_get_text(body, name);
	snprintf(value, 80, "%.*s", PV_STR_ARG(text));
	pv_json_destroy(body);
}

static bool post(struct scene *scene, unsigned i)
{
	char key[16], body[200], id[80];
	snprintf(key, sizeof(key), "key-%u", i);
	snprintf(body, sizeof(body),
	    "{\"url\":\"http://127.0.0.1:%u/n%u/\",\"max_age\":\"1h\","
	    "\"webhook\":\"team\"}",
	    (unsigned)server_port(scene->server), i);
	unsigned status = ask(scene, "POST", "/v1/fetches", key, body);
	if (status != 202 && status != 200) {
		printf("# %u\n", status);
		return false;
	}
	member(scene, "id", id);
	scene->changed += *scene->ids[i] && strcmp(scene->ids[i], id) != 0;
	snprintf(scene->ids[i], sizeof(scene->ids[i]), "%s", id);
	return true;
}

static void let_run(struct scene *scene)
{
	size_t until = server_log_count(scene->server) +
		       random_below(&scene->random, REQUESTS_MOST);
	int64_t end = asking_now(NULL) + QUIET_MS;
	while (
	    server_log_count(scene->server) < until && asking_now(NULL) < end)
		poll(NULL, 0, 1);
}

static bool is_done(struct scene *scene, unsigned i)
{
	char path[120], state[80];
	snprintf(path, sizeof(path), "/v1/fetches/%s", scene->ids[i]);
	do {
		poll(NULL, 0, 1);
		ask(scene, "GET", path, "", "");
		member(scene, "state", state);
	} while (strcmp(state, "waiting") == 0);
	bool is_right =
	    strcmp(state, "done") == 0 &&
	    strstr(pv_buf_text(&scene->reply), "\"status\":200") &&
	    (!MOVES(i) || strstr(pv_buf_text(&scene->reply), "/moved\""));
	if (!is_right)
		printf("# %u: %s\n", i,
		    strstr(pv_buf_text(&scene->reply), "\r\n\r\n"));
	return is_right;
}

/* What never comes ends the test. */
static bool is_told(struct scene *scene, unsigned i)
{
	char line[120];
	snprintf(line, sizeof(line), "%s state done\n", scene->ids[i]);
	while (!receiver_count(&scene->receiver, line))
		poll(NULL, 0, 1);
	return true;
}

/* The most that any address was asked for. */
static unsigned most_requests(const struct scene *scene)
{
	struct server_record record;
	unsigned counts[FETCHES][2] = {{0}};
	unsigned most = 0;
	for (size_t i = 0; server_log_get(scene->server, i, &record); i++) {
		if (!pv_str_starts(record.target, PV_STR("/n")))
			continue;
		unsigned long n = strtoul(record.target.ptr + 2, NULL, 10);
		bool is_moved = pv_str_find(record.target, 'v') != PV_NOT_FOUND;
		if (n < FETCHES && ++counts[n][is_moved] > most)
			most = counts[n][is_moved];
	}
	return most;
}

static void open_scene(struct scene *scene, uint64_t seed)
{
	struct pv_buf config;
	char file[300];
	scene->random = random_of(seed);
	scene->server = server_start(&(struct server_plan){.answer = answer});
	scratch_make(&scene->scratch);
	pv_buf_init(&scene->reply, 1 << 20);
	snprintf(file, sizeof(file), "%s",
	    scratch_file(&scene->scratch, "default.yaml"));
	pv_file_replace(file,
	    PV_STR("version: 1\n"
		   "identity: {contact: bot@example.org}\n"
		   "rate: {max_rate: 1000}\n"
		   "politeness: {delay: 1ms, delay_factor: 0, ip_delay: 0}\n"),
	    0600);
	snprintf(file, sizeof(file), "%s",
	    scratch_file(&scene->scratch, "service.yaml"));
	receiver_open(&scene->receiver);
	pv_buf_init(&config, 4096);
	pv_buf_append_text(&config, "directory: service\n"
				    "listen: 127.0.0.1:0\n"
				    "profiles: {default: default.yaml}\n"
				    "private: [127.0.0.0/8]\n"
				    "webhooks:\n");
	receiver_write_webhook(&scene->receiver, "team", &config);
	pv_file_replace(file, pv_buf_str(&config), 0600);
	pv_buf_finish(&config);
}

static uint64_t seed_of(const char *text)
{
	uint64_t seed = 0;
	if (text)
		return strtoull(text, NULL, 10);
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = 1;
	return seed % 1000000;
}

static void run(struct scene *scene)
{
	unsigned accepted = 0, done = 0;
	for (unsigned round = 0; round <= KILLS; round++) {
		start(scene);
		for (unsigned i = round * EACH; i < (round + 1) * EACH; i++)
			accepted += post(scene, i);
		if (round == KILLS)
			break;
		let_run(scene);
		strike(scene);
	}
	for (unsigned i = 0; i < FETCHES; i++)
		post(scene, i);
	ok(accepted == FETCHES && !scene->changed,
	    "each is accepted, and is the same when it is asked for again");
	for (unsigned i = 0; i < FETCHES; i++)
		done += is_done(scene, i);
	ok(done == FETCHES, "P3: each that was accepted is answered (%u)",
	    done);
	unsigned told = 0;
	for (unsigned i = 0; i < FETCHES; i++)
		told += is_told(scene, i);
	ok(told == FETCHES && !scene->receiver.unsigned_count &&
		!scene->receiver.changed,
	    "P3: of each the webhook is told at least once, signed, and with "
	    "the same body by the same id (%u)",
	    told);
	unsigned most = most_requests(scene);
	ok(most <= KILLS + 1,
	    "P1: no address is requested more often than kills explain (%u)",
	    most);
	strike(scene);
}

int main(int argc, char **argv)
{
	static struct scene scene;
	if (argc > 2)
		return serve(argv[1], argv[2]);
	uint64_t seed = seed_of(argc > 1 ? argv[1] : NULL);
	printf("# seed %llu\n", (unsigned long long)seed);
	open_scene(&scene, seed);
	end_after(SECONDS);
	run(&scene);
	end_after(0);
	server_stop(scene.server);
	receiver_close(&scene.receiver);
	pv_buf_finish(&scene.reply);
	scratch_remove(&scene.scratch);
	return tap_done();
}
