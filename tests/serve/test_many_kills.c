#include "pavane/look.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/file.h"
#include "base/json/json.h"
#include "crawl/patience.h"
#include "random.h"
#include "scratch.h"
#include "serve/killed_service.h"
#include "serve/receiver.h"
#include "serve/stream_reader.h"
#include "server/site.h"
#include "tap.h"

/* A service that runs fifty jobs side by side, each read as a stream and delivered to
 * a webhook, is killed at any moment, while it starts as well: each job that it has
 * accepted ends, each final line comes by the stream once and by the webhook at least
 * once, none is missing, and each job has kept its promises.
 *
 * PAVANE_TORTURE_KILLS (5) says how often. The moments follow from a seed: to have
 * them again, PAVANE_TORTURE_SEED. */

#define SECONDS 280
#define JOBS 50
#define KILLS_USUAL 5
#define PAGES_LEAST 12
#define PAGES_MOST 1000
#define REQUESTS_MOST 400 /* of the sites, between a start and a kill */
#define QUIET_MS 2000     /* or as long as this: all may have ended */
#define START_MS_MOST 60  /* of a start, until a kill */

struct scene {
	struct site site;
	struct server *server;
	struct receiver receiver;
	struct scratch scratch;
	char config[512];
	struct random random;
	unsigned kills;
	struct killed_service service;
	struct pv_buf reply;
	struct stream_reader readers[JOBS]; /* of the jobs that were accepted */
	unsigned changed;    /* ids that were not the same when asked again */
	unsigned early;      /* kills before the service answered */
	unsigned not_posted; /* times that a job was not accepted */
};

static const char profile[] =
    "version: 1\n"
    "identity: {contact: bot@example.org}\n"
    "rate: {max_rate: 1000}\n"
    "politeness: {delay: 5ms, delay_factor: 0, ip_delay: 0}\n";

static const char config[] = "directory: service\n"
			     "listen: 127.0.0.1:0\n"
			     "profiles: {default: default.yaml}\n"
			     "private: [127.0.0.0/8]\n"
			     "jobs: {running: 50}\n"
			     "webhooks:\n";

/* Asking it */

static unsigned send_whole(struct scene *scene, const struct pv_buf *request)
{
	pv_buf_clear(&scene->reply);
	asking(scene->service.port, pv_buf_str(request), &scene->reply);
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

/* Each job has a host of its own. */
static void write_order(struct scene *scene, size_t i, struct pv_buf *request)
{
	char body[200];
	snprintf(body, sizeof(body),
	    "{\"urls\":[\"http://127.0.1.%zu:%u/\"],\"webhook\":\"team\"}",
	    i + 1, (unsigned)server_port(scene->server));
	pv_buf_append_format(request,
	    "POST /v1/jobs HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
	    "Connection: close\r\nIdempotency-Key: key-%zu\r\n"
	    "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
	    (unsigned)scene->service.port, i, strlen(body), body);
}

static bool post(struct scene *scene, size_t i)
{
	struct stream_reader *reader = &scene->readers[i];
	struct pv_buf request;
	char id[80];
	pv_buf_init(&request, 4096);
	write_order(scene, i, &request);
	bool is_accepted = send_whole(scene, &request) == 202;
	pv_buf_finish(&request);
	if (!is_accepted) {
		printf("# %s\n", pv_buf_text(&scene->reply));
		return false;
	}
	member(scene, "id", id);
	scene->changed += *reader->id && strcmp(reader->id, id) != 0;
	snprintf(reader->id, sizeof(reader->id), "%s", id);
	return true;
}

/* The same requests after each start: what was accepted is not accepted twice. */
static void post_all(struct scene *scene)
{
	for (size_t i = 0; i < JOBS; i++)
		scene->not_posted += !post(scene, i);
}

/* Nobody waits for the answer to the last one. */
static void post_some(struct scene *scene)
{
	size_t count = random_below(&scene->random, JOBS);
	for (size_t i = 0; i < count; i++)
		scene->not_posted += !post(scene, i);
	struct pv_buf request;
	pv_buf_init(&request, 4096);
	write_order(scene, count, &request);
	int fd = asking_connect(scene->service.port);
	asking_send(fd, pv_buf_str(&request));
	for (size_t n = random_below(&scene->random, 3000); n--;)
		poll(NULL, 0, 1);
	killed_service_strike(&scene->service);
	close(fd);
	pv_buf_finish(&request);
}

/* Streams */

static void connect_all(struct scene *scene)
{
	for (size_t i = 0; i < JOBS; i++) {
		if (!scene->readers[i].has_ended)
			stream_reader_connect(
			    &scene->readers[i], scene->service.port);
	}
}

static size_t count_ended(const struct scene *scene)
{
	size_t count = 0;
	for (size_t i = 0; i < JOBS; i++)
		count += scene->readers[i].has_ended;
	return count;
}

static void drop_all(struct scene *scene)
{
	for (size_t i = 0; i < JOBS; i++)
		stream_reader_drop(&scene->readers[i]);
}

/* For as many requests as chance says. */
static void let_run(struct scene *scene)
{
	size_t until = server_log_count(scene->server) +
		       random_below(&scene->random, REQUESTS_MOST);
	int64_t end = asking_now(NULL) + QUIET_MS;
	while (
	    server_log_count(scene->server) < until && asking_now(NULL) < end)
		stream_readers_wait(scene->readers, JOBS, 5);
}

/* Kills */

/* One in four comes while the service starts. */
static void kill_once(struct scene *scene)
{
	killed_service_start(&scene->service, scene->config);
	if (!random_below(&scene->random, 4)) {
		struct pollfd said = {
		    .fd = scene->service.said, .events = POLLIN};
		int ms = (int)random_below(&scene->random, START_MS_MOST);
		scene->early += poll(&said, 1, ms) == 0;
		killed_service_strike(&scene->service);
		return;
	}
	if (!ok(killed_service_await(&scene->service), "a service is started"))
		return;
	post_all(scene);
	connect_all(scene);
	let_run(scene);
	ok(killed_service_strike(&scene->service),
	    "P3: it is killed when %zu of %d streams have ended",
	    count_ended(scene), JOBS);
	drop_all(scene);
}

static void run_to_the_end(struct scene *scene)
{
	ok(killed_service_start(&scene->service, scene->config) &&
		killed_service_await(&scene->service),
	    "the last service is started");
	post_all(scene);
	connect_all(scene);
	while (count_ended(scene) < JOBS)
		stream_readers_wait(scene->readers, JOBS, 100);
}

/* What came of it */

struct pages {
	unsigned counts[JOBS]
		       [PAGES_MOST]; /* of final lines; robots.txt is none */
};

static void count_final(struct scene *scene, struct pages *pages,
    const struct stream_reader *of, struct pv_str url)
{
	size_t job = (size_t)(of - scene->readers);
	char start[100];
	uint32_t page;
	snprintf(start, sizeof(start), "http://127.0.1.%zu:%u", job + 1,
	    (unsigned)server_port(scene->server));
	if (pv_str_starts(url, pv_str_of(start)) &&
	    site_page(&scene->site, pv_str_from(url, strlen(start)), &page))
		pages->counts[job][page]++;
}

static void count_streamed(struct scene *scene, struct pages *pages)
{
	for (size_t i = 0; i < JOBS; i++) {
		struct pv_reader lines =
		    pv_reader_of(pv_buf_str(&scene->readers[i].lines));
		while (!pv_reader_is_end(&lines)) {
			struct pv_json *line =
			    pv_json_read(pv_reader_take_line(&lines));
			if (pv_json_get_bool(line, "final"))
				count_final(scene, pages, &scene->readers[i],
				    pv_json_get_text(line, "url"));
			pv_json_destroy(line);
		}
	}
}

static const struct stream_reader *find_reader(
    const struct scene *scene, struct pv_str id)
{
	for (size_t i = 0; i < JOBS; i++) {
		if (pv_str_equal(pv_str_of(scene->readers[i].id), id))
			return &scene->readers[i];
	}
	return NULL;
}

/* "JOB final URL"; how many jobs were told to have finished. */
static size_t count_delivered(struct scene *scene, struct pages *pages)
{
	bool has_finished[JOBS] = {false};
	size_t count = 0;
	pthread_mutex_lock(&scene->receiver.mutex);
	struct pv_reader lines =
	    pv_reader_of(pv_buf_str(&scene->receiver.told));
	while (!pv_reader_is_end(&lines)) {
		struct pv_reader line =
		    pv_reader_of(pv_reader_take_line(&lines));
		const struct stream_reader *reader =
		    find_reader(scene, pv_reader_take_until(&line, ' '));
		if (reader && pv_reader_accept_str(&line, PV_STR(" final ")))
			count_final(
			    scene, pages, reader, pv_reader_rest(&line));
		else if (reader && pv_str_equal(pv_reader_rest(&line),
				       PV_STR(" state finished")))
			has_finished[reader - scene->readers] = true;
	}
	pthread_mutex_unlock(&scene->receiver.mutex);
	for (size_t i = 0; i < JOBS; i++)
		count += has_finished[i];
	return count;
}

/* How many pages have at least so many final lines, and at most so many. */
static size_t count_pages(const struct scene *scene, const struct pages *pages,
    unsigned least, unsigned most)
{
	size_t count = 0;
	for (size_t i = 0; i < JOBS; i++) {
		for (size_t page = 0; page < scene->site.pages; page++) {
			unsigned lines = pages->counts[i][page];
			count += lines >= least && lines <= most;
		}
	}
	return count;
}

static void check_streams(struct scene *scene, struct pages *pages)
{
	size_t all = JOBS * scene->site.pages;
	unsigned refused = 0;
	memset(pages, 0, sizeof(*pages));
	count_streamed(scene, pages);
	for (size_t i = 0; i < JOBS; i++)
		refused += scene->readers[i].refused;
	ok(!refused, "P3: each stream goes on at its cursor");
	ok(count_pages(scene, pages, 1, 1) == all,
	    "P3: each page's final line is streamed once (%zu of %zu)",
	    count_pages(scene, pages, 1, 1), all);
}

/* What never comes ends the test. */
static void check_deliveries(struct scene *scene, struct pages *pages)
{
	size_t all = JOBS * scene->site.pages, finished, delivered;
	do {
		struct timespec rest = {.tv_nsec = 50000000};
		nanosleep(&rest, NULL);
		memset(pages, 0, sizeof(*pages));
		finished = count_delivered(scene, pages);
		delivered = count_pages(scene, pages, 1, UINT_MAX);
	} while (finished < JOBS || delivered < all);
	ok(true,
	    "P3: and delivered at least once, as is each job's end (%zu once, "
	    "%zu more often)",
	    count_pages(scene, pages, 1, 1),
	    count_pages(scene, pages, 2, UINT_MAX));
	ok(!scene->receiver.unsigned_count, "each delivery is signed");
	ok(!scene->receiver.changed,
	    "and what is delivered twice under one id is the same");
	printf("# %u deliveries\n", scene->receiver.count);
}

static void keep_text(void *ctx, const char *text, size_t len)
{
	pv_buf_append(ctx, (struct pv_str){text, len});
}

/* What is streamed is what stands on the disk, to the byte. */
static bool is_journal(struct scene *scene, size_t i)
{
	char name[200];
	struct pv_buf journal;
	pv_buf_init(&journal, SIZE_MAX);
	snprintf(name, sizeof(name), "service/jobs/%s/journal.jsonl",
	    scene->readers[i].id);
	bool is_same = pv_file_read(scratch_file(&scene->scratch, name),
			   &journal) == PV_FILE_READ &&
		       pv_str_equal(pv_buf_str(&journal),
			   pv_buf_str(&scene->readers[i].lines));
	pv_buf_finish(&journal);
	return is_same;
}

static bool has_kept(struct scene *scene, size_t i)
{
	char directory[600];
	struct pv_buf said;
	pv_buf_init(&said, SIZE_MAX);
	snprintf(directory, sizeof(directory), "%s/service/jobs/%s",
	    scene->scratch.path, scene->readers[i].id);
	const struct pavane_audit_options options = {
	    .size = sizeof(options),
	    .directory = directory,
	    .write = keep_text,
	    .on_line = killed_service_on_line,
	    .ctx = &said,
	};
	bool has_kept = pavane_audit(&options) == PAVANE_KEPT;
	if (!has_kept)
		printf("# %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
	return has_kept;
}

static void check_directories(struct scene *scene)
{
	size_t alike = 0, kept = 0;
	for (size_t i = 0; i < JOBS; i++) {
		alike += is_journal(scene, i);
		kept += has_kept(scene, i);
	}
	ok(alike == JOBS, "P3: a stream is its job's journal (%zu of %d)",
	    alike, JOBS);
	ok(kept == JOBS, "P1: the audit of each job says kept (%zu of %d)",
	    kept, JOBS);
}

/* The course */

static uint64_t number_of(const char *name, uint64_t usual)
{
	const char *text = getenv(name);
	return text && *text ? strtoull(text, NULL, 10) : usual;
}

static uint64_t seed_of_chance(void)
{
	uint64_t seed = 0;
	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		abort();
	return seed % 1000000000;
}

static void write_files(struct scene *scene)
{
	struct pv_buf whole;
	pv_buf_init(&whole, 4096);
	pv_file_replace(scratch_file(&scene->scratch, "default.yaml"),
	    PV_STR(profile), 0600);
	pv_buf_append_text(&whole, config);
	receiver_write_webhook(&scene->receiver, "team", &whole);
	snprintf(scene->config, sizeof(scene->config), "%s",
	    scratch_file(&scene->scratch, "service.yaml"));
	pv_file_replace(scene->config, pv_buf_str(&whole), 0600);
	pv_buf_finish(&whole);
}

static void open_scene(struct scene *scene)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	uint64_t seed = number_of("PAVANE_TORTURE_SEED", seed_of_chance());
	scene->kills = (unsigned)number_of("PAVANE_TORTURE_KILLS", KILLS_USUAL);
	uint32_t pages = 2 * scene->kills;
	scene->site =
	    (struct site){.pages = pages, .links = 5, .latency_ms = 2};
	if (pages < PAGES_LEAST || pages > PAGES_MOST)
		scene->site.pages =
		    pages < PAGES_LEAST ? PAGES_LEAST : PAGES_MOST;
	printf("# seed %llu, %u kills, %u pages a job\n",
	    (unsigned long long)seed, scene->kills,
	    (unsigned)scene->site.pages);
	scene->random = random_of(seed);
	scene->server =
	    server_start(&(struct server_plan){.addresses = everywhere,
		.answer = site_answer,
		.ctx = &scene->site});
	receiver_open(&scene->receiver);
	scene->receiver.delay_ms = 30;
	scratch_make(&scene->scratch);
	pv_buf_init(&scene->reply, 8 << 20);
	for (size_t i = 0; i < JOBS; i++)
		stream_reader_init(&scene->readers[i]);
	write_files(scene);
}

static void close_scene(struct scene *scene)
{
	for (size_t i = 0; i < JOBS; i++)
		stream_reader_finish(&scene->readers[i]);
	pv_buf_finish(&scene->reply);
	scratch_remove(&scene->scratch);
	receiver_close(&scene->receiver);
	server_stop(scene->server);
}

int main(int argc, char **argv)
{
	struct scene scene = {.kills = 0};
	if (argc > 2)
		return killed_service_serve(argv[1], argv[2]);
	struct pages *pages = calloc(1, sizeof(*pages));
	open_scene(&scene);
	end_after(SECONDS + 10 * scene.kills);
	ok(killed_service_start(&scene.service, scene.config) &&
		killed_service_await(&scene.service),
	    "the first service is started");
	post_some(&scene);
	for (unsigned i = 1; i < scene.kills; i++)
		kill_once(&scene);
	run_to_the_end(&scene);
	ok(true, "P3: each job that was accepted comes to its end");
	ok(!scene.changed && !scene.not_posted,
	    "P3: jobs that are asked for again by their keys are the same");
	check_streams(&scene, pages);
	check_deliveries(&scene, pages);
	killed_service_strike(&scene.service);
	check_directories(&scene);
	printf("# %u kills while the service started\n", scene.early);
	end_after(0);
	close_scene(&scene);
	free(pages);
	return tap_done();
}
