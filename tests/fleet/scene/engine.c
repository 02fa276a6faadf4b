#include "fleet/scene/engine.h"

#include "fleet/cluster.h"
#include "fleet/fleet.h"
#include "fleet/giving/giving.h"
#include "fleet/passing/passing.h"
#include "fleet/taking/taking.h"
#include "fleet/worker/worker.h"
#include "policy/loaded.h"

#define HANG_MS 20000

/* The worker, beneath a scene. */
struct engine {
	uv_loop_t loop;
	struct loaded loaded;
	struct pv_fleet *fleet;
	bool has_all; /* clocks that were free at its start */
};

static struct {
	struct cluster cluster;
	bool is_made;
	struct fleet_engine_wish wish;
} server;

const char *fleet_engine_absence(void)
{
	const char *absence = cluster_absence();
	if (absence || server.is_made)
		return absence;
	server.is_made = cluster_make(&server.cluster);
	return server.is_made ? NULL : "PostgreSQL cannot be made to run here";
}

void fleet_engine_finish(void)
{
	if (server.is_made)
		cluster_remove(&server.cluster);
	server.is_made = false;
}

void fleet_engine_wish(const struct fleet_engine_wish *wish)
{
	server.wish = *wish;
}

const char *fleet_engine_ask(const char *sql)
{
	return cluster_ask(&server.cluster, sql);
}

static bool is_held(void)
{
	const char *answer = fleet_engine_ask(
	    "SELECT count(*) FROM pg_stat_activity WHERE wait_event = "
	    "'PgSleep'");
	return answer && strcmp(answer, "0") != 0;
}

bool fleet_engine_hold(const char *sql)
{
	int64_t until = pv_boot_now_ms() + HANG_MS;
	pid_t child = fork();
	if (child == 0) {
		fleet_engine_ask(sql);
		_exit(0);
	}
	while (child > 0 && !is_held() && pv_boot_now_ms() < until)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	return is_held();
}

/* What a worker asks of its crawl */

static void on_lost(void *ctx, const char *why)
{
	(void)ctx;
	printf("# lost: %s\n", why);
}

static bool use(void *ctx, const struct pv_fleet_part *part)
{
	(void)ctx;
	(void)part;
	return true;
}

static void on_figures(void *ctx, struct pv_fleet_figures *figures)
{
	(void)ctx;
	(void)figures;
}

static bool on_wish(void *ctx, struct pv_str orders, bool is_to_stop)
{
	(void)ctx;
	(void)orders;
	(void)is_to_stop;
	return true;
}

static void on_line(void *ctx, bool is_warning, const char *text)
{
	(void)ctx;
	if (!is_warning || !strstr(text, "synchronous_standby_names"))
		printf("# %s\n", text);
}

/* The crawl's clock is the scene's, which stands still unless the test sets it. */
static struct pv_time now_of(const struct pv_clock *clock)
{
	const struct scene *scene = (const void *)clock;
	return (struct pv_time){
	    .monotonic_ms = scene->now, .wall_ms = scene->now};
}

static const struct pv_clock_kind scene_clock = {.now = now_of};

/* Settling */

static const char *name_of(const struct scene *scene)
{
	return server.wish.crawl ? server.wish.crawl : scene->scratch.path;
}

static int64_t ask_number(const struct scene *scene, const char *sql)
{
	char text[500];
	snprintf(text, sizeof(text),
	    "%s WHERE crawl = (SELECT id FROM pavane.crawls WHERE name = '%s')",
	    sql, name_of(scene));
	const char *answer = cluster_ask(&server.cluster, text);
	return answer ? strtoll(answer, NULL, 10) : -1;
}

static bool is_quiet(const struct scene *scene, const struct pv_fleet *fleet)
{
	return !scene->store->writer.count && !fleet->held_count &&
	       !fleet->naming.first && !fleet->leaving &&
	       (fleet->is_lost || fleet->has_given_all ||
		   (pv_passing_is_done(&fleet->passing) &&
		       pv_taking_is_done(&fleet->taking) &&
		       pv_giving_is_done(&fleet->giving)));
}

/* Runs the loop, and the writer, until nothing is under way. */
static bool wait_for_quiet(struct scene *scene, struct engine *engine)
{
	struct pv_writer *writer = &scene->store->writer;
	int64_t until = pv_boot_now_ms() + HANG_MS;
	while (!is_quiet(scene, engine->fleet) && pv_boot_now_ms() < until) {
		while (writer->count) {
			pv_writer_flush(writer);
			bell_wait(&scene->bell);
			pv_writer_receive(writer);
		}
		if (!is_quiet(scene, engine->fleet))
			uv_run(&engine->loop, UV_RUN_ONCE);
	}
	return is_quiet(scene, engine->fleet);
}

void fleet_engine_turn(struct scene *scene)
{
	struct engine *engine = scene->beneath;
	struct pv_writer *writer = &scene->store->writer;
	while (writer->count && !is_quiet(scene, engine->fleet)) {
		pv_writer_flush(writer);
		bell_wait(&scene->bell);
		pv_writer_receive(writer);
	}
	uv_run(&engine->loop, UV_RUN_NOWAIT);
}

/* All changes are passed on, and the worker looks for links and clocks, now. */
static void look(struct pv_fleet *fleet)
{
	fleet->passing.has_changes = true;
	fleet->taking.has_found = true;
	fleet->taking.look_at = 0;
	pv_fleet_wake(fleet);
}

/* At a start clocks may be free that still rest. */
static bool has_all(struct scene *scene, struct engine *engine)
{
	engine->has_all =
	    engine->has_all ||
	    ask_number(scene,
		"SELECT count(*) FILTER (WHERE worker IS NULL AND "
		"has_work) FROM pavane.clocks") == 0;
	return engine->has_all;
}

static bool settle(struct scene *scene)
{
	struct engine *engine = scene->beneath;
	int64_t until = pv_boot_now_ms() + HANG_MS;
	bool is_settled;
	do {
		is_settled = wait_for_quiet(scene, engine);
		look(engine->fleet);
		is_settled = is_settled && wait_for_quiet(scene, engine);
	} while (
	    is_settled && !has_all(scene, engine) && pv_boot_now_ms() < until);
	return is_settled;
}

/* Life */

static void close_fleet(struct engine *engine)
{
	pv_fleet_close(engine->fleet);
	uv_run(&engine->loop, UV_RUN_DEFAULT);
	uv_loop_close(&engine->loop);
	loaded_finish(&engine->loaded);
	free(engine);
}

/* How many addresses are in that state is the same here and there. */
static bool is_same(struct scene *scene, unsigned state)
{
	char sql[300];
	snprintf(sql, sizeof(sql),
	    "SELECT count(*) FROM addresses JOIN host_states ON host_states.id = "
	    "host WHERE host_states.state <> -1 AND addresses.state IN (%u, %d)",
	    state,
	    state == PV_STATE_PENDING ? (int)PV_STATE_IN_FLIGHT : (int)state);
	int64_t here = scene_number(scene, sql);
	snprintf(sql, sizeof(sql),
	    "SELECT count(*) FILTER (WHERE state = %u) FROM pavane.addresses",
	    state);
	int64_t there = ask_number(scene, sql);
	if (here < there || (here > there && state != PV_STATE_REFUSED))
		printf("# %s: %lld here, %lld there\n", pv_state_word(state),
		    (long long)here, (long long)there);
	/* What was refused of a host before it was its own a worker keeps for
	 * itself. */
	return state == PV_STATE_REFUSED ? here >= there : here == there;
}

static bool close_scene(struct scene *scene)
{
	const struct engine *engine = scene->beneath;
	bool is_whole = server.wish.crawl || /* it is others', too */
			!is_quiet(scene, engine->fleet) ||
			(is_same(scene, PV_STATE_PENDING) &&
			    is_same(scene, PV_STATE_DONE) &&
			    is_same(scene, PV_STATE_REFUSED));
	close_fleet(scene->beneath);
	scene->beneath = NULL;
	return is_whole;
}

/* Another worker's directory is empty. */
static void empty_directory(struct scene *scene)
{
	DIR *directory = opendir(scene->scratch.path);
	const struct dirent *entry;
	while (directory && (entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			unlink(scratch_file(&scene->scratch, entry->d_name));
	if (directory)
		closedir(directory);
}

static bool close_for_other(struct scene *scene)
{
	bool is_whole = close_scene(scene);
	empty_directory(scene);
	cluster_ask(&server.cluster,
	    "UPDATE pavane.workers SET is_alive = false; UPDATE pavane.clocks "
	    "SET worker = NULL, has_work = true, ready_at = clock_timestamp(), "
	    "rests_until = NULL");
	return is_whole;
}

static struct engine *create(struct scene *scene, struct pv_why *why)
{
	struct engine *engine = pv_alloc(sizeof(*engine));
	uv_loop_init(&engine->loop);
	engine->loaded = load_text("version: 1\nname: contract\n"
				   "seeds: [https://x.example/]\n"
				   "identity: {contact: a@example.org}\n");
	struct pv_fleet_options options = {
	    .loop = &engine->loop,
	    .url = cluster_url(&server.cluster),
	    .name = name_of(scene),
	    .ttl_ms = server.wish.ttl_ms,
	    .directory = scene->scratch.path,
	    .policy = PV_STR("version: 1\n"),
	    .as_read = engine->loaded.policy,
	    .clock_kind = &scene_clock,
	    .clock = (const void *)scene,
	    .random = scene->store->key,
	    .on_lost = on_lost,
	    .use = use,
	    .on_wish = on_wish,
	    .on_figures = on_figures,
	    .on_line = on_line,
	};
	engine->fleet = pv_fleet_open(&options, why);
	if (engine->fleet)
		return engine;
	close_fleet(engine);
	return NULL;
}

struct pv_frontier *fleet_engine_open(struct scene *scene, struct pv_why *why)
{
	struct pv_frontier *frontier =
	    pv_sqlite_frontier_open(scene->store, scene->recent_count, why);
	struct engine *engine = frontier ? create(scene, why) : NULL;
	if (!engine)
		return NULL;
	scene->beneath = engine;
	scene->settle = settle;
	scene->close = close_scene;
	frontier->on_work = scene_work;
	frontier->work_ctx = scene;
	if (pv_fleet_begin(engine->fleet, scene->store, frontier, why))
		return frontier;
	close_scene(scene);
	return NULL;
}

struct pv_frontier *fleet_engine_open_other(
    struct scene *scene, struct pv_why *why)
{
	struct pv_frontier *frontier = fleet_engine_open(scene, why);
	if (frontier)
		scene->close = close_for_other;
	return frontier;
}
