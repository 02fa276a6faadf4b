#include "pavane/serve.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/json/json.h"
#include "crawl/patience.h"
#include "random.h"
#include "scratch.h"
#include "serve/http/asking.h"
#include "serve/receiver.h"
#include "server/site.h"
#include "store/database.h"
#include "store/statement.h"
#include "tap.h"

/* The service in a process of its own, which is killed now and then, also between
 * a request and its answer: what it has accepted is done all the same, once, and
 * delivered to a webhook, at least once.
 *
 * The moments follow from a seed: to have them again, "test_kill SEED". */

#define SECONDS 100
#define KILLS 5
#define PAGES 30
#define SITES (KILLS + 1) /* jobs that end by themselves */
#define PAUSED SITES      /* and two that have no end */
#define STOPPED (SITES + 1)
#define JOBS (SITES + 2)
#define REQUESTS_MOST 40 /* of the site, between a start and a kill */
#define QUIET_MS 300     /* or as long as this: all may have ended */
#define TURNS_MOST 3000  /* between a request and a kill */

struct job {
	bool is_sent;
	char id[80];      /* as it was answered first */
	char cursor[200]; /* of the results that were read so far */
	struct pv_buf results;
};

struct scene {
	struct site site;
	struct server *server;
	struct receiver receiver; /* of the webhook */
	struct scratch scratch;
	struct random random;
	pid_t child;
	uint16_t port;
	struct pv_buf reply;
	struct job jobs[JOBS];
	unsigned changed; /* ids that were not the same when asked again */
};

static const char profile[] =
    "version: 1\n"
    "identity: {contact: bot@example.org}\n"
    "rate: {max_rate: 1000}\n"
    "politeness: {delay: 1ms, delay_factor: 0, ip_delay: 0}\n"
    "scope: {hosts: any}\n";

static const char config[] = "directory: service\n"
			     "listen: 127.0.0.1:0\n"
			     "profiles: {default: default.yaml}\n"
			     "private: [127.0.0.0/8]\n"
			     "webhooks:\n";

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

static bool start(struct scene *scene)
{
	int ends[2];
	char file[512], end[16], port[16] = "";
	snprintf(file, sizeof(file), "%s",
	    scratch_file(&scene->scratch, "service.yaml"));
	if (pipe(ends) != 0)
		return false;
	snprintf(end, sizeof(end), "%d", ends[1]);
	fflush(stdout);
	scene->child = fork();
	if (!scene->child) {
		execl("/proc/self/exe", "test_kill", file, end, (char *)NULL);
		_exit(1);
	}
	close(ends[1]);
	ssize_t len = read(ends[0], port, sizeof(port) - 1);
	close(ends[0]);
	scene->port = (uint16_t)strtoul(port, NULL, 10);
	return len > 0;
}

static bool is_whole(const struct scene *scene)
{
	struct pv_database *database =
	    pv_database_open(scratch_file(&scene->scratch, "service/jobs.db"));
	struct pv_statement *statement =
	    pv_statement_create(database, "PRAGMA integrity_check");
	bool is_whole =
	    pv_statement_step(statement) &&
	    pv_str_equal(pv_statement_text(statement, 0), PV_STR("ok"));
	pv_statement_destroy(statement);
	pv_database_close(database);
	return is_whole;
}

static bool strike(struct scene *scene)
{
	int status = 0;
	kill(scene->child, SIGKILL);
	waitpid(scene->child, &status, 0);
	return WIFSIGNALED(status);
}

/* Asking it */

static void write_request(const struct scene *scene, const char *method,
    const char *path, const char *key, const char *body, struct pv_buf *request)
{
	pv_buf_append_format(request,
	    "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n",
	    method, path, (unsigned)scene->port);
	if (*key)
		pv_buf_append_format(request,
		    "Idempotency-Key: %s\r\nContent-Type: application/json\r\n"
		    "Content-Length: %zu\r\n",
		    key, strlen(body));
	pv_buf_append_format(request, "\r\n%s", body);
}

static unsigned send_whole(struct scene *scene, const struct pv_buf *request)
{
	pv_buf_clear(&scene->reply);
	asking(scene->port, pv_buf_str(request), &scene->reply);
	return scene->reply.len > 12
		   ? (unsigned)strtoul(pv_buf_text(&scene->reply) + 9, NULL, 10)
		   : 0;
}

/* The status of the reply, which is kept. */
static unsigned ask(struct scene *scene, const char *method, const char *path)
{
	struct pv_buf request;
	pv_buf_init(&request, 1 << 16);
	write_request(scene, method, path, "", "", &request);
	unsigned status = send_whole(scene, &request);
	pv_buf_finish(&request);
	return status;
}

static const char *body_of(const struct scene *scene)
{
	const char *end = strstr(pv_buf_text(&scene->reply), "\r\n\r\n");
	return end ? end + 4 : "";
}

static void member(const struct scene *scene, const char *name, char value[80])
{
	struct pv_json *body = pv_json_read(pv_str_of(body_of(scene)));
	struct pv_str text = pv_json_get_text(body, name);
	snprintf(value, 80, "%.*s", PV_STR_ARG(text));
	pv_json_destroy(body);
}

static unsigned ask_job(
    struct scene *scene, size_t i, const char *method, const char *what)
{
	char path[400];
	snprintf(path, sizeof(path), "/v1/jobs/%s%s", scene->jobs[i].id, what);
	return ask(scene, method, path);
}

static bool is_in_state(struct scene *scene, size_t i, const char *state)
{
	char found[80];
	ask_job(scene, i, "GET", "");
	member(scene, "state", found);
	if (strcmp(found, "failed") == 0)
		printf("# %s\n", body_of(scene));
	return strcmp(found, state) == 0;
}

static void come_to(struct scene *scene, size_t i, const char *state)
{
	while (!is_in_state(scene, i, state))
		poll(NULL, 0, 1);
}

/* Handing in */

static void write_order(struct scene *scene, size_t i, struct pv_buf *request)
{
	char key[16], body[200];
	snprintf(key, sizeof(key), "key-%zu", i);
	snprintf(body, sizeof(body),
	    "{\"urls\":[\"http://127.0.0.1:%u%s\"],\"labels\":{\"n\":%zu},"
	    "\"webhook\":\"team\"}",
	    (unsigned)server_port(scene->server), i < SITES ? "/" : "/long/",
	    i);
	write_request(scene, "POST", "/v1/jobs", key, body, request);
	scene->jobs[i].is_sent = true;
}

/* False if it was not accepted. */
static bool post(struct scene *scene, size_t i)
{
	struct job *job = &scene->jobs[i];
	struct pv_buf request;
	char id[80];
	pv_buf_init(&request, 1 << 16);
	write_order(scene, i, &request);
	unsigned status = send_whole(scene, &request);
	pv_buf_finish(&request);
	if (status != 202) {
		printf("# %u: %s\n", status, body_of(scene));
		return false;
	}
	member(scene, "id", id);
	scene->changed += *job->id && strcmp(job->id, id) != 0;
	snprintf(job->id, sizeof(job->id), "%s", id);
	return true;
}

static bool post_again(struct scene *scene)
{
	bool are_accepted = true;
	for (size_t i = 0; i < JOBS; i++)
		are_accepted =
		    (!scene->jobs[i].is_sent || post(scene, i)) && are_accepted;
	return are_accepted;
}

/* Nobody waits for the answer. */
static void post_and_strike(struct scene *scene, size_t i)
{
	struct pv_buf request;
	pv_buf_init(&request, 1 << 16);
	write_order(scene, i, &request);
	int fd = asking_connect(scene->port);
	bool is_sent = asking_send(fd, pv_buf_str(&request));
	for (size_t n = random_below(&scene->random, TURNS_MOST); n--;)
		poll(NULL, 0, 1);
	ok(strike(scene) && is_sent, "a service is killed that was asked");
	close(fd);
	pv_buf_finish(&request);
}

/* Results */

/* Appends what came after the cursor; false if that is not known. */
static bool read_on(
    struct scene *scene, size_t i, char cursor[200], struct pv_buf *results)
{
	size_t before;
	do {
		char what[300];
		before = results->len;
		snprintf(what, sizeof(what), "/results%s%s",
		    *cursor ? "?after=" : "", cursor);
		if (ask_job(scene, i, "GET", what) != 200)
			return false;
		const char *next =
		    strstr(pv_buf_text(&scene->reply), "Pavane-Cursor: ");
		if (!next)
			return false;
		next += strlen("Pavane-Cursor: ");
		snprintf(cursor, 200, "%.*s", (int)strcspn(next, "\r"), next);
		pv_buf_append_text(results, body_of(scene));
	} while (results->len > before);
	return true;
}

static bool read_on_all(struct scene *scene)
{
	bool are_known = true;
	for (size_t i = 0; i < SITES; i++) {
		struct job *job = &scene->jobs[i];
		are_known = (!*job->id || read_on(scene, i, job->cursor,
					      &job->results)) &&
			    are_known;
	}
	return are_known;
}

static void count_line(
    const struct scene *scene, struct pv_str text, unsigned counts[PAGES])
{
	char start[100];
	uint32_t page;
	struct pv_json *line = pv_json_read(text);
	struct pv_str url = pv_json_get_text(line, "url");
	snprintf(start, sizeof(start), "http://127.0.0.1:%u",
	    (unsigned)server_port(scene->server));
	if (pv_json_get_bool(line, "final") &&
	    pv_str_starts(url, pv_str_of(start)) &&
	    site_page(&scene->site, pv_str_from(url, strlen(start)), &page))
		counts[page]++;
	pv_json_destroy(line);
}

static bool has_each_once(const struct scene *scene, struct pv_str results)
{
	unsigned counts[PAGES] = {0};
	bool is_right = true;
	while (results.len) {
		size_t len = pv_str_find(results, '\n');
		if (len == PV_NOT_FOUND)
			return false;
		count_line(scene, pv_str_head(results, len), counts);
		results = pv_str_from(results, len + 1);
	}
	for (unsigned i = 0; i < PAGES; i++) {
		if (counts[i] != 1)
			printf("# page %u: %u lines\n", i, counts[i]);
		is_right = is_right && counts[i] == 1;
	}
	return is_right;
}

static void check_results(struct scene *scene)
{
	struct pv_buf whole;
	unsigned complete = 0, alike = 0;
	for (size_t i = 0; i < SITES; i++) {
		char cursor[200] = "";
		pv_buf_init(&whole, 8 << 20);
		read_on(scene, i, cursor, &whole);
		complete += has_each_once(scene, pv_buf_str(&whole));
		alike += pv_str_equal(
		    pv_buf_str(&whole), pv_buf_str(&scene->jobs[i].results));
		pv_buf_finish(&whole);
	}
	ok(complete == SITES,
	    "P3: each page of each job has one final line (%u of %u)", complete,
	    SITES);
	ok(alike == SITES,
	    "P3: who read on by cursors over all kills has the same (%u of %u)",
	    alike, SITES);
}

/* Deliveries */

/* How many pages of a job were delivered. */
static unsigned count_delivered(struct scene *scene, size_t i)
{
	unsigned count = 0;
	for (uint32_t page = 0; page < PAGES; page++) {
		char line[300], path[40] = "/";
		if (page)
			snprintf(path, sizeof(path), "/page/%u", page);
		snprintf(line, sizeof(line), "%s final http://127.0.0.1:%u%s\n",
		    scene->jobs[i].id, (unsigned)server_port(scene->server),
		    path);
		count += receiver_count(&scene->receiver, line) > 0;
	}
	return count;
}

static bool is_end_delivered(struct scene *scene, size_t i)
{
	char line[200];
	snprintf(line, sizeof(line), "%s state finished\n", scene->jobs[i].id);
	return receiver_count(&scene->receiver, line) > 0;
}

/* What never comes ends the test. */
static void check_deliveries(struct scene *scene)
{
	for (size_t i = 0; i < SITES; i++) {
		while (!is_end_delivered(scene, i) ||
		       count_delivered(scene, i) < PAGES)
			poll(NULL, 0, 1);
	}
	ok(true, "P3: the final line of each page and the end of each job "
		 "are delivered, over all kills");
	ok(!scene->receiver.unsigned_count, "each delivery is signed");
	ok(!scene->receiver.changed,
	    "and what is delivered twice under one id is the same");
	printf("# %u deliveries\n", scene->receiver.count);
}

/* The course */

/* For as many requests as chance says. */
static void let_run(struct scene *scene)
{
	size_t until = server_log_count(scene->server) +
		       random_below(&scene->random, REQUESTS_MOST);
	int64_t end = asking_now(NULL) + QUIET_MS;
	while (
	    server_log_count(scene->server) < until && asking_now(NULL) < end)
		poll(NULL, 0, 1);
}

static void pause_and_stop(struct scene *scene)
{
	post(scene, PAUSED);
	post(scene, STOPPED);
	come_to(scene, PAUSED, "running");
	come_to(scene, STOPPED, "running");
	ok(ask_job(scene, PAUSED, "POST", "/pause") == 200 &&
		ask_job(scene, STOPPED, "POST", "/stop") == 200,
	    "one job is paused, and one stopped");
}

static void check_start(struct scene *scene)
{
	if (!ok(start(scene), "a service is started"))
		return;
	ok(post_again(scene) && !scene->changed,
	    "P3: jobs that are asked for again by their keys are the same");
	if (scene->jobs[PAUSED].is_sent)
		ok(is_in_state(scene, PAUSED, "paused") &&
			is_in_state(scene, STOPPED, "stopped"),
		    "P3: what is paused stays so, and what is stopped");
	ok(read_on_all(scene), "P3: cursors from before are known");
}

static void check_end(struct scene *scene)
{
	for (size_t i = 0; i < SITES; i++)
		come_to(scene, i, "finished");
	ok(true, "P3: each job that was accepted comes to its end");
	read_on_all(scene);
	check_results(scene);
	check_deliveries(scene);
	ok(is_in_state(scene, PAUSED, "paused") &&
		ask_job(scene, PAUSED, "POST", "/resume") == 200,
	    "what is paused waits until it is resumed");
	come_to(scene, PAUSED, "running");
	ok(ask_job(scene, PAUSED, "POST", "/stop") == 200, "then it runs on");
	come_to(scene, PAUSED, "stopped");
	strike(scene);
	ok(is_whole(scene), "P3: the jobs' database is whole");
}

static void open_scene(struct scene *scene, const struct server_plan *plan)
{
	scene->server = server_start(plan);
	receiver_open(&scene->receiver);
	scratch_make(&scene->scratch);
	pv_buf_init(&scene->reply, 8 << 20);
	for (size_t i = 0; i < JOBS; i++)
		pv_buf_init(&scene->jobs[i].results, 8 << 20);
	pv_file_replace(scratch_file(&scene->scratch, "default.yaml"),
	    PV_STR(profile), 0600);
	struct pv_buf whole;
	pv_buf_init(&whole, 4096);
	pv_buf_append_text(&whole, config);
	receiver_write_webhook(&scene->receiver, "team", &whole);
	pv_file_replace(scratch_file(&scene->scratch, "service.yaml"),
	    pv_buf_str(&whole), 0600);
	pv_buf_finish(&whole);
}

static void close_scene(struct scene *scene)
{
	for (size_t i = 0; i < JOBS; i++)
		pv_buf_finish(&scene->jobs[i].results);
	pv_buf_finish(&scene->reply);
	scratch_remove(&scene->scratch);
	receiver_close(&scene->receiver);
	server_stop(scene->server);
}

static uint64_t seed_of(const char *text)
{
	uint64_t seed = 0;
	if (text)
		return strtoull(text, NULL, 10);
	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		abort();
	return seed % 1000000000;
}

int main(int argc, char **argv)
{
	static const struct server_route routes[] = {
	    {.path = "/robots.txt", .answer = {.status = 404}},
	    {.path = "/long/*",
		.answer = {.body = "<a href='{n}1'>1</a><a href='{n}2'>2</a>",
		    .is_template = true}},
	};
	struct scene scene = {
	    .site = {.pages = PAGES, .links = 5, .latency_ms = 2}};
	if (argc > 2)
		return serve(argv[1], argv[2]);
	uint64_t seed = seed_of(argc > 1 ? argv[1] : NULL);
	printf("# seed %llu\n", (unsigned long long)seed);
	scene.random = random_of(seed);
	open_scene(&scene, &(struct server_plan){SERVER_ROUTES(routes),
			       .answer = site_answer, .ctx = &scene.site});
	end_after(SECONDS);
	for (size_t i = 0; i < KILLS; i++) {
		check_start(&scene);
		ok(post(&scene, i), "a job is accepted");
		let_run(&scene);
		if (i == 1)
			pause_and_stop(&scene);
		post_and_strike(&scene, i + 1);
	}
	check_start(&scene);
	check_end(&scene);
	end_after(0);
	close_scene(&scene);
	return tap_done();
}
