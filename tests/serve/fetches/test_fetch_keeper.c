#include "serve/fetches/fetches.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>

#include "api/policy_object.h"
#include "base/file.h"
#include "base/system.h"
#include "bell.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "server/server.h"
#include "tap.h"

/* Crawls of profiles that cannot be opened, or not any more: with policies and
 * clocks of the test's. */

#define SECONDS 60
#define MINUTE (INT64_C(60) * 1000)
#define HOUR (60 * MINUTE)

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/slow",
	.answer = {.body = "late", .head_pace = {.delay_ms = 1500}}},
    {.path = "/*", .answer = {.body = "here it is"}},
};

struct scene {
	struct server *server;
	struct scratch scratch;
	struct pv_fetches *fetches;
	struct pv_arena arena;
	atomic_llong ticks_ms;
	atomic_bool is_removed;   /* the profile */
	atomic_bool has_no_first; /* the policy forbids that address */
	atomic_bool has_gate;     /* the keeper waits where it loads policies */
	struct bell is_at_gate;
	struct bell is_gate_open;
	atomic_uint disk_lines; /* of the log */
	atomic_uint put_off;    /* how often the log says so */
};

/* What fetches ask for */

static int64_t now_ms(void *ctx)
{
	(void)ctx;
	return pv_time_now().wall_ms;
}

static int64_t ticks_ms(void *ctx)
{
	struct scene *scene = ctx;
	return atomic_load(&scene->ticks_ms);
}

static void give_chance(void *ctx, void *bytes, size_t size)
{
	(void)ctx;
	if (getrandom(bytes, size, 0) != (ssize_t)size)
		abort();
}

static struct pavane_policy *load(
    void *ctx, struct pv_str profile, struct pv_str url)
{
	static const struct pv_setting settings[] = {
	    {NULL, "identity.contact=bot@example.org"},
	    {NULL, "fetch.private=all"}, {NULL, "scope.depth=0"},
	    {NULL, "politeness.delay=1ms"}, {NULL, "limits.pages=forbidden"}};
	static const char *const names[] = {"set", "set", "set", "set", "set"};
	struct scene *scene = ctx;
	char address[200];
	(void)profile;
	if (atomic_load(&scene->has_gate)) {
		bell_ring(&scene->is_at_gate);
		bell_wait(&scene->is_gate_open);
	}
	if (atomic_load(&scene->is_removed))
		return NULL;
	snprintf(address, sizeof(address), "%.*s", PV_STR_ARG(url));
	bool is_forbidden = atomic_load(&scene->has_no_first) &&
			    pv_str_ends(url, PV_STR("/first"));
	const char *const addresses[] = {address};
	const struct pv_sources sources = {
	    .settings = settings,
	    .setting_count = is_forbidden ? 5 : 4,
	    .setting_names = names,
	    .addresses = addresses,
	    .address_names = names,
	    .address_count = 1,
	    .input_of = "",
	};
	return pv_policy_object_load(&sources);
}

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	struct scene *scene = ctx;
	printf("# %s\n", line);
	(void)level;
	if (strstr(line, "jobs.disk"))
		atomic_fetch_add(&scene->disk_lines, 1);
	if (strncmp(line, "profile ", 8) == 0)
		atomic_fetch_add(&scene->put_off, 1);
}

static void open_scene(struct scene *scene, struct server *server)
{
	struct pv_why why;
	*scene = (struct scene){.server = server};
	scratch_make(&scene->scratch);
	pv_arena_init(&scene->arena);
	bell_init(&scene->is_at_gate);
	bell_init(&scene->is_gate_open);
	const struct pv_fetches_plan plan = {
	    .directory = scene->scratch.path,
	    .limits = {.queued = 1000, .keep_ms = HOUR, .disk = PV_NONE},
	    .state_dir = scene->scratch.path,
	    .now_ms = now_ms,
	    .ticks_ms = ticks_ms,
	    .random = give_chance,
	    .load = load,
	    .on_line = on_line,
	    .line_ctx = scene,
	    .ctx = scene,
	};
	pv_why_init(&why);
	scene->fetches = pv_fetches_open(&plan, &why);
	if (!scene->fetches || !pv_fetches_start(scene->fetches, &why))
		abort();
	pv_why_finish(&why);
}

static void close_scene(struct scene *scene)
{
	pv_fetches_close(scene->fetches);
	bell_finish(&scene->is_at_gate);
	bell_finish(&scene->is_gate_open);
	pv_arena_finish(&scene->arena);
	scratch_remove(&scene->scratch);
}

static struct pv_str add(struct scene *scene, const char *path)
{
	struct pv_fetch fetch = {
	    .owner = PV_STR(""),
	    .profile = PV_STR("news"),
	    .key = PV_STR(""),
	    .url = pv_str_of(
		pv_arena_format(&scene->arena, "http://127.0.0.1:%u%s",
		    (unsigned)server_port(scene->server), path)),
	};
	if (pv_fetches_add(scene->fetches, &fetch, &scene->arena) !=
	    PV_FETCHES_DONE)
		abort();
	return fetch.id;
}

static void renew(struct scene *scene, int64_t disk)
{
	pv_fetches_renew(
	    scene->fetches, &(struct pv_fetches_limits){
				.queued = 1000, .keep_ms = HOUR, .disk = disk});
}

static struct pv_fetch get(struct scene *scene, struct pv_str id)
{
	struct pv_fetch fetch;
	if (pv_fetches_get(scene->fetches, NULL, id, &scene->arena, &fetch) !=
	    PV_FETCHES_DONE)
		abort();
	return fetch;
}

static bool ends_as(
    struct scene *scene, struct pv_str id, enum pv_fetch_state state)
{
	struct pv_fetch fetch;
	do {
		poll(NULL, 0, 1);
		fetch = get(scene, id);
	} while (fetch.state == PV_FETCH_WAITING);
	if (fetch.state != state)
		printf("# %.*s\n", PV_STR_ARG(fetch.answer));
	return fetch.state == state;
}

static bool says(struct scene *scene, struct pv_str id, const char *part)
{
	struct pv_fetch fetch = get(scene, id);
	bool is_there =
	    strstr(pv_arena_text(&scene->arena, fetch.answer), part);
	if (!is_there)
		printf("# %.*s\n", PV_STR_ARG(fetch.answer));
	return is_there;
}

/* Who waits for an answer is woken by ends only. */
static void test_news(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	ok(ends_as(&scene, add(&scene, "/page"), PV_FETCH_DONE),
	    "an address is fetched");
	uint64_t before = pv_fetches_wait(scene.fetches, 0, 0);
	size_t asked = server_log_count(server);
	struct pv_str slow = add(&scene, "/slow");
	while (server_log_count(server) == asked)
		poll(NULL, 0, 1);
	/* The crawl has told its progress meanwhile. */
	ok(get(&scene, slow).state != PV_FETCH_WAITING ||
		pv_fetches_wait(scene.fetches, before, 700) == before,
	    "while nothing ends, nobody is woken");
	ok(ends_as(&scene, slow, PV_FETCH_DONE) &&
		pv_fetches_wait(scene.fetches, before, HANG_MS) == before + 1,
	    "an end is told once");
	close_scene(&scene);
}

/* The first crawl of a service has this directory. */
static void stand_in_the_way(struct scene *scene)
{
	pv_file_replace(
	    scratch_file(&scene->scratch, "fetches/1"), PV_STR("x"), 0600);
}

static void give_way(struct scene *scene)
{
	remove(scratch_file(&scene->scratch, "fetches/1"));
}

static void wait_until_put_off(struct scene *scene, unsigned count)
{
	while (atomic_load(&scene->put_off) < count)
		poll(NULL, 0, 1);
}

static void test_passing_failure(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	stand_in_the_way(&scene);
	struct pv_str id = add(&scene, "/page");
	for (unsigned tries = 1; tries <= 3; tries++) {
		wait_until_put_off(&scene, tries);
		atomic_fetch_add(&scene.ticks_ms, MINUTE);
	}
	ok(get(&scene, id).state == PV_FETCH_WAITING,
	    "P3: where a crawl cannot be opened, what waits for it does so, "
	    "and the log says why");
	give_way(&scene);
	atomic_fetch_add(&scene.ticks_ms, MINUTE);
	ok(ends_as(&scene, id, PV_FETCH_DONE),
	    "P3: and is fetched once that has passed");
	close_scene(&scene);
}

static void test_lasting_failure(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	stand_in_the_way(&scene);
	struct pv_str id = add(&scene, "/page");
	wait_until_put_off(&scene, 1);
	atomic_fetch_add(&scene.ticks_ms, HOUR);
	ok(ends_as(&scene, id, PV_FETCH_FAILED) &&
		says(&scene, id, "\"fetches/1: "),
	    "P4: what does not pass within an hour fails it, with the reason");
	give_way(&scene);
	ok(ends_as(&scene, add(&scene, "/page"), PV_FETCH_DONE),
	    "the next that comes is tried at once");
	close_scene(&scene);
}

/* A crawl is opened anew by an address that still may be asked for. */
static void test_forbidden(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	ok(ends_as(&scene, add(&scene, "/first"), PV_FETCH_DONE),
	    "the first address of a profile is fetched");
	atomic_store(&scene.has_no_first, true);
	renew(&scene, PV_NONE);
	struct pv_str first = add(&scene, "/first");
	struct pv_str second = add(&scene, "/second");
	ok(ends_as(&scene, second, PV_FETCH_DONE),
	    "where the policy forbids it later, others are fetched");
	ok(!ends_as(&scene, first, PV_FETCH_DONE) &&
		says(&scene, first, "limits.pages"),
	    "P4: and it is not, with the reason");
	close_scene(&scene);
}

static void test_removed(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	ok(ends_as(&scene, add(&scene, "/page"), PV_FETCH_DONE),
	    "an address of a profile is fetched");
	atomic_store(&scene.is_removed, true);
	renew(&scene, PV_NONE);
	size_t asked = server_log_count(server);
	struct pv_str one = add(&scene, "/one"), two = add(&scene, "/two");
	ok(ends_as(&scene, one, PV_FETCH_FAILED) &&
		ends_as(&scene, two, PV_FETCH_FAILED) &&
		says(&scene, two, "\\\"news\\\"") &&
		server_log_count(server) == asked,
	    "P4: of a profile that is no more nothing is fetched, and it is "
	    "named");
	close_scene(&scene);
}

static enum pv_fetches_answer try_to_add(struct scene *scene)
{
	struct pv_fetch fetch = {
	    .owner = PV_STR(""),
	    .profile = PV_STR("news"),
	    .key = PV_STR(""),
	    .url = PV_STR("http://127.0.0.1/other"),
	};
	return pv_fetches_add(scene->fetches, &fetch, &scene->arena);
}

/* A disk that is full, under fetches.db and under the crawl, and has room again. */
static void test_full(struct server *server)
{
	struct scene scene;
	struct rlimit before, limit;
	open_scene(&scene, server);
	size_t asked = server_log_count(server);
	struct pv_str id = add(&scene, "/slow");
	while (server_log_count(server) == asked)
		poll(NULL, 0, 1);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = 1000;
	setrlimit(RLIMIT_FSIZE, &limit);
	enum pv_fetches_answer full = try_to_add(&scene);
	enum pv_fetches_answer again = try_to_add(&scene);
	wait_until_put_off(&scene, 1);
	setrlimit(RLIMIT_FSIZE, &before);
	atomic_fetch_add(&scene.ticks_ms, MINUTE);
	ok(full == PV_FETCHES_FAULT && again == PV_FETCHES_FAULT,
	    "P3: what cannot be written is not accepted");
	ok(ends_as(&scene, id, PV_FETCH_DONE),
	    "P3: what was accepted before is done once there is room");
	ok(ends_as(&scene, add(&scene, "/page"), PV_FETCH_DONE),
	    "and so is what comes then");
	close_scene(&scene);
}

static void test_disk(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	ok(ends_as(&scene, add(&scene, "/page"), PV_FETCH_DONE),
	    "an address of a profile is fetched");
	renew(&scene, 1000);
	struct pv_str id = add(&scene, "/slow");
	ok(ends_as(&scene, id, PV_FETCH_FAILED) &&
		says(&scene, id, "more than the 1000 bytes that jobs.disk"),
	    "P5: where its crawl takes too much of the disk what waits fails, "
	    "with the reason");
	ok(try_to_add(&scene) == PV_FETCHES_DISK,
	    "P5: and nothing more is taken");
	while (!atomic_load(&scene.disk_lines))
		poll(NULL, 0, 1);
	ok(atomic_load(&scene.disk_lines) == 1, "P4: the log says so, once");
	renew(&scene, PV_NONE);
	ok(ends_as(&scene, add(&scene, "/page"), PV_FETCH_DONE),
	    "until more is allowed");
	close_scene(&scene);
}

/* By the keeper's rounds, which a look begins. */
static void test_alive(struct server *server)
{
	struct scene scene;
	open_scene(&scene, server);
	ok(ends_as(&scene, add(&scene, "/page"), PV_FETCH_DONE) &&
		pv_fetches_are_alive(scene.fetches, 0),
	    "where a keeper goes round all is well");
	while (!pv_fetches_are_alive(scene.fetches, 2 * HOUR))
		poll(NULL, 0, 1);
	ok(true, "and it does so when it is looked at");
	atomic_store(&scene.has_gate, true);
	renew(&scene, PV_NONE);
	struct pv_str id = add(&scene, "/page");
	bell_wait(&scene.is_at_gate);
	pv_fetches_are_alive(scene.fetches, 3 * HOUR);
	ok(!pv_fetches_are_alive(scene.fetches, 4 * HOUR + 1),
	    "P6: one that stands still for an hour is not alive");
	atomic_store(&scene.has_gate, false);
	bell_ring(&scene.is_gate_open);
	ok(ends_as(&scene, id, PV_FETCH_DONE), "it goes on when it can");
	close_scene(&scene);
}

#define MANY 60

/* Crawls are renewed in the midst of their work. */
static void test_renewal(struct server *server)
{
	struct scene scene;
	struct pv_str ids[MANY];
	char path[20];
	unsigned done = 0;
	size_t asked = server_log_count(server);
	open_scene(&scene, server);
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(path, sizeof(path), "/many-%u", i);
		ids[i] = add(&scene, path);
		if (i % 10 != 9)
			continue;
		/* Something of it is under way by then. */
		while (server_log_count(server) == asked)
			poll(NULL, 0, 1);
		asked = server_log_count(server);
		renew(&scene, PV_NONE);
	}
	for (unsigned i = 0; i < MANY; i++)
		done += ends_as(&scene, ids[i], PV_FETCH_DONE);
	ok(done == MANY,
	    "P3: crawls that are renewed while they work lose nothing (%u)",
	    done);
	close_scene(&scene);
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	test_news(server);
	test_passing_failure(server);
	test_lasting_failure(server);
	test_forbidden(server);
	test_removed(server);
	test_full(server);
	test_disk(server);
	test_alive(server);
	test_renewal(server);
	end_after(0);
	server_stop(server);
	return tap_done();
}
