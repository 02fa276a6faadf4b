#include "serve/jobs/jobs.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "api/policy_object.h"
#include "base/file.h"
#include "base/system.h"
#include "bell.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "serve/jobs/job_policy.h"
#include "server/server.h"
#include "tap.h"

/* Jobs that run, by real sockets: a site whose pages have no end, and one that
 * has two. */

#define SECONDS 100

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/short/", .answer = {.body = "<a href=two>2</a>"}},
    {.path = "/short/two", .answer = {.body = "<a href=/short/>1</a>"}},
    {.path = "/long/*",
	.answer = {.body = "<a href='{n}1'>1</a><a href='{n}2'>2</a>",
	    .is_template = true}},
};

struct scene {
	struct server *server;
	struct scratch scratch;
	struct pv_jobs_plan plan;
	struct pv_jobs *jobs;
	struct pv_arena arena;
	struct pv_policy *owner;
	char owner_file[300];
	struct pv_private_list lent;
	atomic_llong now_ms;
	atomic_bool has_lost_state; /* so a line said */

	/* The keeper waits where it reads a policy, until it may go on. */
	atomic_bool has_gate;
	struct bell is_at_gate;
	struct bell is_gate_open;
};

static int64_t now_ms(void *ctx)
{
	return atomic_load(&((struct scene *)ctx)->now_ms);
}

static int64_t ticks_ms(void *ctx)
{
	(void)ctx;
	return pv_time_now().monotonic_ms;
}

static void give_chance(void *ctx, void *bytes, size_t size)
{
	(void)ctx;
	if (getrandom(bytes, size, 0) != (ssize_t)size)
		abort();
}

static struct pavane_policy *load(void *ctx, const struct pv_job_record *job)
{
	struct scene *scene = ctx;
	const struct pv_job_profile profile = {.file = scene->owner_file,
	    .policy = scene->owner,
	    .lent = &scene->lent};
	if (atomic_load(&scene->has_gate)) {
		bell_ring(&scene->is_at_gate);
		bell_wait(&scene->is_gate_open);
	}
	return pv_job_policy_load(&profile, job);
}

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	struct scene *scene = ctx;
	(void)level;
	printf("# %s\n", line);
	if (strstr(line, "jobs.db cannot be written"))
		atomic_store(&scene->has_lost_state, true);
}

static void make_owner(struct scene *scene)
{
	static const char text[] =
	    "version: 1\n"
	    "identity: {contact: bot@example.org}\n"
	    "rate: {max_rate: 1000}\n"
	    "politeness: {delay: 1ms, delay_factor: 0, ip_delay: 0}\n"
	    "output: {}\n";
	struct pv_why why;
	pv_why_init(&why);
	scene->owner = pv_policy_load_text("owner", PV_STR(text), &why);
	pv_why_finish(&why);
	snprintf(scene->owner_file, sizeof(scene->owner_file), "%s",
	    scratch_file(&scene->scratch, "owner.yaml"));
	pv_file_replace(scene->owner_file, PV_STR(text), 0600);
	pv_private_list_init(&scene->lent);
	pv_private_list_add(&scene->lent, PV_STR("127.0.0.0/8"));
}

static void open_jobs(struct scene *scene)
{
	struct pv_why why;
	pv_why_init(&why);
	scene->jobs = pv_jobs_open(&scene->plan, &why);
	if (!ok(scene->jobs && pv_jobs_start(scene->jobs, &why),
		"jobs are open"))
		printf("# %s\n", why.problems.kept[0].text);
	pv_why_finish(&why);
}

static void open_scene(struct scene *scene, struct server *server)
{
	*scene = (struct scene){.server = server, .now_ms = 1000000};
	scratch_make(&scene->scratch);
	pv_arena_init(&scene->arena);
	bell_init(&scene->is_at_gate);
	bell_init(&scene->is_gate_open);
	make_owner(scene);
	scene->plan = (struct pv_jobs_plan){
	    .directory = scene->scratch.path,
	    .running = 2,
	    .queued = 5,
	    .per_token = 4,
	    .keep_ms = 10000,
	    .disk = PV_NONE,
	    .state_dir = scene->scratch.path,
	    .now_ms = now_ms,
	    .ticks_ms = ticks_ms,
	    .random = give_chance,
	    .load = load,
	    .on_line = on_line,
	    .line_ctx = scene,
	    .ctx = scene,
	};
	open_jobs(scene);
}

static void close_scene(struct scene *scene)
{
	pv_jobs_close(scene->jobs);
	pv_arena_finish(&scene->arena);
	pv_private_list_finish(&scene->lent);
	pv_policy_destroy(scene->owner);
	bell_finish(&scene->is_gate_open);
	bell_finish(&scene->is_at_gate);
	scratch_remove(&scene->scratch);
}

static enum pv_jobs_answer add_slow(struct scene *scene, const char *owner,
    const char *path, const char *delay, struct pv_str *id)
{
	char url[100];
	const struct pv_job_key none = {.key = {"", 0}};
	snprintf(url, sizeof(url), "http://127.0.0.1:%u%s",
	    (unsigned)server_port(scene->server), path);
	struct pv_job_record job = {
	    .owner = pv_str_of(owner),
	    .profile = PV_STR(""),
	    .policy = PV_STR("scope: {hosts: any}\n"),
	    .urls = pv_str_of(url),
	    .settings = pv_str_of(delay),
	    .labels = PV_STR("{}"),
	};
	enum pv_jobs_answer answer =
	    pv_jobs_add(scene->jobs, &job, &none, &scene->arena);
	*id = job.id;
	return answer;
}

static enum pv_jobs_answer add(
    struct scene *scene, const char *owner, const char *path, struct pv_str *id)
{
	return add_slow(scene, owner, path, "", id);
}

static struct pv_job_record get(struct scene *scene, struct pv_str id)
{
	struct pv_job_record job = {.state = PV_JOB_STATE_COUNT};
	pv_jobs_get(scene->jobs, NULL, id, &scene->arena, &job);
	return job;
}

/* Real work, which is waited for. */
static bool comes_to(
    struct scene *scene, struct pv_str id, enum pv_job_state state)
{
	struct pv_arena arena;
	struct pv_job_record job = {.state = PV_JOB_STATE_COUNT};
	bool is_there = false;
	while (!is_there) {
		pv_arena_init(&arena);
		pv_jobs_get(scene->jobs, NULL, id, &arena, &job);
		is_there = job.state == state;
		bool is_over = !is_there && pv_job_state_is_end(job.state);
		if (is_over)
			printf("# %s: %.*s\n", pv_job_state_word(job.state),
			    PV_STR_ARG(job.reason));
		pv_arena_finish(&arena);
		if (is_over)
			return false;
		poll(NULL, 0, 1);
	}
	return true;
}

static size_t count_requests(const struct scene *scene, const char *start)
{
	struct server_record record;
	size_t count = 0;
	for (size_t i = 0; server_log_get(scene->server, i, &record); i++)
		count += pv_str_starts(record.target, pv_str_of(start));
	return count;
}

static void wait_for_request(
    const struct scene *scene, const char *start, size_t more_than)
{
	while (count_requests(scene, start) <= more_than)
		poll(NULL, 0, 1);
}

static enum pv_jobs_answer ask(
    struct scene *scene, struct pv_str id, enum pv_jobs_wish wish)
{
	enum pv_job_state state;
	return pv_jobs_ask(scene->jobs, NULL, id, wish, &state);
}

static void test_one(struct server *server)
{
	struct scene scene;
	struct pv_str id, other = PV_STR("you"), own = PV_STR("me");
	struct pv_job_record job;
	struct pv_buf path;
	open_scene(&scene, server);
	ok(add(&scene, "me", "/short/", &id) == PV_JOBS_DONE &&
		id.len == PV_JOB_ID_LEN,
	    "a job is accepted");
	ok(comes_to(&scene, id, PV_JOB_FINISHED), "it runs to its end");
	ok(count_requests(&scene, "/short/two") == 1, "its pages are fetched");
	job = get(&scene, id);
	ok(job.created_ms == 1000000 && job.started_ms && job.ended_ms,
	    "with its times");
	ok(pv_jobs_get(scene.jobs, &other, id, &scene.arena, &job) ==
		    PV_JOBS_NONE &&
		pv_jobs_get(scene.jobs, &own, id, &scene.arena, &job) ==
		    PV_JOBS_DONE,
	    "only its owner sees it");
	ok(ask(&scene, id, PV_JOBS_STOP) == PV_JOBS_CONFLICT &&
		ask(&scene, id, PV_JOBS_PAUSE) == PV_JOBS_CONFLICT &&
		ask(&scene, id, PV_JOBS_RESUME) == PV_JOBS_CONFLICT,
	    "one that has ended is not stopped, paused or resumed");
	pv_buf_init(&path, 1000);
	pv_jobs_write_directory(scene.jobs, id, &path);
	ok(access(pv_buf_text(&path), F_OK) == 0, "it has a directory");
	ok(pv_jobs_remove(scene.jobs, &other, id) == PV_JOBS_NONE,
	    "nobody else removes it");
	ok(pv_jobs_remove(scene.jobs, &own, id) == PV_JOBS_DONE &&
		access(pv_buf_text(&path), F_OK) != 0,
	    "its owner does, with its files");
	pv_buf_finish(&path);
	close_scene(&scene);
}

static void test_wishes(struct server *server)
{
	struct scene scene;
	struct pv_str id;
	struct pv_buf json;
	open_scene(&scene, server);
	pv_buf_init(&json, 1 << 20);
	add(&scene, "me", "/long/1", &id);
	wait_for_request(&scene, "/long/1", 0);
	ok(pv_jobs_remove(scene.jobs, NULL, id) == PV_JOBS_CONFLICT,
	    "one that runs is not removed");
	while (!json.len)
		pv_jobs_write_progress(scene.jobs, id, &json);
	ok(strstr(pv_buf_text(&json), "\"known\""), "its progress is seen");
	ok(ask(&scene, id, PV_JOBS_PAUSE) == PV_JOBS_DONE &&
		get(&scene, id).state == PV_JOB_PAUSED,
	    "it is paused");
	ok(ask(&scene, id, PV_JOBS_PAUSE) == PV_JOBS_CONFLICT, "once");
	ok(ask(&scene, id, PV_JOBS_RESUME) == PV_JOBS_DONE,
	    "and resumed, though it may not have ended yet");
	wait_for_request(&scene, "/long/", count_requests(&scene, "/long/"));
	ok(comes_to(&scene, id, PV_JOB_RUNNING), "then it runs on");
	ok(ask(&scene, id, PV_JOBS_STOP) == PV_JOBS_DONE &&
		comes_to(&scene, id, PV_JOB_STOPPED),
	    "it is stopped");
	pv_buf_finish(&json);
	close_scene(&scene);
}

/* What is asked for while the keeper opens the crawl. */
static void test_opening(struct server *server)
{
	struct scene scene;
	struct pv_str id;
	open_scene(&scene, server);
	atomic_store(&scene.has_gate, true);
	add(&scene, "me", "/long/1", &id);
	bell_wait(&scene.is_at_gate);
	ok(ask(&scene, id, PV_JOBS_PAUSE) == PV_JOBS_DONE &&
		ask(&scene, id, PV_JOBS_RESUME) == PV_JOBS_DONE &&
		get(&scene, id).state == PV_JOB_RUNNING,
	    "one that is being opened is paused and resumed");
	ok(ask(&scene, id, PV_JOBS_PAUSE) == PV_JOBS_DONE &&
		ask(&scene, id, PV_JOBS_STOP) == PV_JOBS_DONE &&
		get(&scene, id).state == PV_JOB_STOPPING,
	    "paused again, and stopped, it has still to end");
	ok(ask(&scene, id, PV_JOBS_STOP) == PV_JOBS_DONE &&
		get(&scene, id).state == PV_JOB_STOPPING,
	    "also when it is asked twice");
	bell_ring(&scene.is_gate_open);
	ok(comes_to(&scene, id, PV_JOB_STOPPED), "as it does");
	close_scene(&scene);
}

static void test_queue(struct server *server)
{
	struct scene scene;
	struct pv_str ids[7], id;
	uint64_t counts[PV_JOB_STATE_COUNT];
	open_scene(&scene, server);
	add(&scene, "me", "/long/1", &ids[0]);
	add(&scene, "me", "/long/1", &ids[1]);
	comes_to(&scene, ids[0], PV_JOB_RUNNING);
	comes_to(&scene, ids[1], PV_JOB_RUNNING);
	for (size_t i = 2; i < 4; i++)
		ok(add(&scene, "me", "/short/", &ids[i]) == PV_JOBS_DONE,
		    "a job waits while as many run as may");
	ok(add(&scene, "me", "/short/", &id) == PV_JOBS_MANY,
	    "one owner has no more than so many");
	for (size_t i = 4; i < 7; i++)
		ok(add(&scene, "you", "/short/", &ids[i]) == PV_JOBS_DONE,
		    "another has");
	ok(add(&scene, "she", "/short/", &id) == PV_JOBS_FULL,
	    "until the queue is full");
	ok(pv_jobs_count(scene.jobs, counts) == PV_JOBS_DONE &&
		counts[PV_JOB_RUNNING] == 2 && counts[PV_JOB_QUEUED] == 5,
	    "they are counted");
	ok(ask(&scene, ids[6], PV_JOBS_STOP) == PV_JOBS_DONE &&
		get(&scene, ids[6]).state == PV_JOB_STOPPED,
	    "one that waits is stopped at once");
	ask(&scene, ids[5], PV_JOBS_PAUSE);
	ask(&scene, ids[0], PV_JOBS_STOP);
	ask(&scene, ids[1], PV_JOBS_PAUSE);
	ok(comes_to(&scene, ids[2], PV_JOB_FINISHED) &&
		comes_to(&scene, ids[3], PV_JOB_FINISHED) &&
		comes_to(&scene, ids[4], PV_JOB_FINISHED),
	    "those that wait have their turn");
	ok(get(&scene, ids[5]).state == PV_JOB_PAUSED,
	    "but for one that is paused");
	close_scene(&scene);
}

static void test_restart(struct server *server)
{
	struct scene scene;
	struct pv_str runs, waits, paused, stopped, bad;
	open_scene(&scene, server);
	scene.plan.running = 1;
	pv_jobs_close(scene.jobs);
	open_jobs(&scene);
	add(&scene, "me", "/long/1", &runs);
	comes_to(&scene, runs, PV_JOB_RUNNING);
	add(&scene, "me", "/short/", &waits);
	add(&scene, "me", "/short/", &paused);
	ask(&scene, paused, PV_JOBS_PAUSE);
	wait_for_request(&scene, "/long/1", 0);
	pv_jobs_close(scene.jobs);
	size_t before = count_requests(&scene, "/long/");
	open_jobs(&scene);
	ok(comes_to(&scene, runs, PV_JOB_RUNNING),
	    "P3: what ran when the service ended runs on in the next one");
	wait_for_request(&scene, "/long/", before);
	ask(&scene, runs, PV_JOBS_STOP);
	ok(comes_to(&scene, waits, PV_JOB_FINISHED),
	    "P3: what waited has its turn");
	ok(get(&scene, paused).state == PV_JOB_PAUSED, "what was paused is so");
	ok(ask(&scene, paused, PV_JOBS_RESUME) == PV_JOBS_DONE &&
		comes_to(&scene, paused, PV_JOB_FINISHED),
	    "until it is resumed");
	ok(get(&scene, runs).state == PV_JOB_STOPPED,
	    "what was stopped stays so");
	pv_jobs_drain(scene.jobs);
	ok(add(&scene, "me", "/short/", &stopped) == PV_JOBS_ENDING,
	    "a service that ends takes no job");
	pv_jobs_close(scene.jobs);
	atomic_store(&scene.now_ms, 2000000);
	open_jobs(&scene);
	add(&scene, "me", "ftp", &bad);
	comes_to(&scene, bad, PV_JOB_FINISHED);
	struct pv_job_record job = get(&scene, bad);
	ok(job.state == PV_JOB_FAILED && job.reason.len,
	    "P4: a job whose policy is wrong fails, and says why: %.*s",
	    PV_STR_ARG(job.reason));
	ok(get(&scene, waits).state == PV_JOB_STATE_COUNT,
	    "what ended too long ago is removed");
	close_scene(&scene);
}

static void write_path(const struct scene *scene, const char *before,
    struct pv_str id, struct pv_buf *path)
{
	pv_buf_append_format(path, "%s/jobs/%s%.*s", scene->scratch.path,
	    before, PV_STR_ARG(id));
}

/* The process ended after files were set aside, before the list was changed. */
static void test_removal(struct server *server)
{
	struct scene scene;
	struct pv_str id;
	struct pv_buf from, to;
	open_scene(&scene, server);
	pv_buf_init(&from, 1000);
	pv_buf_init(&to, 1000);
	add(&scene, "me", "/short/", &id);
	comes_to(&scene, id, PV_JOB_FINISHED);
	pv_jobs_close(scene.jobs);
	write_path(&scene, "", id, &from);
	write_path(&scene, "removed-", id, &to);
	ok(rename(pv_buf_text(&from), pv_buf_text(&to)) == 0,
	    "files of a job are set aside");
	open_jobs(&scene);
	ok(get(&scene, id).state == PV_JOB_STATE_COUNT &&
		access(pv_buf_text(&to), F_OK) != 0,
	    "P3: a removal that was broken off is finished at the next start");
	pv_buf_finish(&from);
	pv_buf_finish(&to);
	close_scene(&scene);
}

static void test_keys(struct server *server)
{
	struct scene scene;
	struct pv_job_key key = {
	    .owner = PV_STR("me"), .key = PV_STR("k"), .digest = {1}};
	struct pv_job_record job = {
	    .owner = PV_STR("me"), .labels = PV_STR("{}")};
	open_scene(&scene, server);
	pv_jobs_add(scene.jobs, &job, &key, &scene.arena);
	struct pv_str id = job.id;
	job.id = PV_STR("");
	ok(pv_jobs_add(scene.jobs, &job, &key, &scene.arena) ==
		    PV_JOBS_BEFORE &&
		pv_str_equal(job.id, id),
	    "who asks twice by one key gets one job");
	key.digest[0] = 2;
	ok(pv_jobs_add(scene.jobs, &job, &key, &scene.arena) == PV_JOBS_OTHER,
	    "but not for something else");
	atomic_fetch_add(&scene.now_ms, INT64_C(24) * 3600 * 1000 + 1);
	ok(pv_jobs_add(scene.jobs, &job, &key, &scene.arena) == PV_JOBS_DONE,
	    "nor after a day");
	close_scene(&scene);
}

/* A disk that is full, and has room again. */
static void test_full(struct server *server)
{
	struct scene scene;
	struct pv_str id;
	struct rlimit before, limit;
	open_scene(&scene, server);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = 1000;
	setrlimit(RLIMIT_FSIZE, &limit);
	enum pv_jobs_answer full = add(&scene, "me", "/short/", &id);
	enum pv_jobs_answer again = add(&scene, "me", "/short/", &id);
	setrlimit(RLIMIT_FSIZE, &before);
	ok(full == PV_JOBS_FAULT && again == PV_JOBS_FAULT,
	    "P3: what cannot be written is not accepted");
	ok(add(&scene, "me", "/short/", &id) == PV_JOBS_DONE &&
		comes_to(&scene, id, PV_JOB_FINISHED),
	    "and once it can be, it is");
	close_scene(&scene);
}

/* One that fails since the disk is full, which then cannot be written either. */
static void test_full_while_running(struct server *server)
{
	struct scene scene;
	struct pv_str id;
	struct rlimit before, limit;
	enum pv_job_state state;
	open_scene(&scene, server);
	size_t asked = count_requests(&scene, "/long/5");
	add(&scene, "me", "/long/5", &id);
	wait_for_request(&scene, "/long/5", asked);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = 1000;
	setrlimit(RLIMIT_FSIZE, &limit);
	while (!atomic_load(&scene.has_lost_state))
		poll(NULL, 0, 1);
	setrlimit(RLIMIT_FSIZE, &before);
	while (!pv_job_state_is_end(get(&scene, id).state))
		poll(NULL, 0, 1);
	ok(get(&scene, id).state == PV_JOB_FAILED,
	    "P3: how a job ended is written once it can be");
	ok(pv_jobs_ask(scene.jobs, NULL, id, PV_JOBS_RESUME, &state) ==
		    PV_JOBS_DONE &&
		comes_to(&scene, id, PV_JOB_RUNNING) &&
		get(&scene, id).ended_ms == 0,
	    "a job that has failed may be resumed, and goes on");
	close_scene(&scene);
}

/* While the list is gone through, as when it is written, it is locked. */
static bool hear_crawl(void *ctx, const struct pv_job_record *job)
{
	struct scene *scene = ctx;
	uint64_t seen = pv_jobs_wait(scene->jobs, 0, 0);
	(void)job;
	ok(pv_jobs_wait(scene->jobs, seen, SECONDS * 1000) > seen,
	    "a crawl tells its news while the list of jobs is busy");
	return false;
}

static void test_news(struct server *server)
{
	struct scene scene;
	struct pv_str id;
	open_scene(&scene, server);
	size_t before = count_requests(&scene, "/long/1");
	add_slow(&scene, "me", "/long/1", "politeness.delay=10s", &id);
	wait_for_request(&scene, "/long/1", before);
	ok(pv_jobs_each(scene.jobs, NULL, 0, hear_crawl, &scene) ==
		PV_JOBS_DONE,
	    "and the list goes on");
	close_scene(&scene);
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	test_one(server);
	test_wishes(server);
	test_news(server);
	test_opening(server);
	test_queue(server);
	test_restart(server);
	test_removal(server);
	test_keys(server);
	test_full(server);
	test_full_while_running(server);
	end_after(0);
	server_stop(server);
	return tap_done();
}
