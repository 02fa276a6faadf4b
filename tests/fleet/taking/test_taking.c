#include "fleet/beats/beats.h"
#include "fleet/cluster.h"
#include "fleet/fleet.h"
#include "fleet/passing/passing.h"
#include "fleet/taking/taking.h"
#include "fleet/worker/worker.h"
#include "frontier/scene.h"
#include "policy/loaded.h"

/* What one worker of a fleet passes on, and another one takes over, with a server
 * between them: all of it, however much that is, and wherever the line is lost. */

#define FLEET_HANG_MS 20000

/* So many addresses of a host, and what each carries: more than is loaded at a
 * time, in number and in bytes, or in one of both. */
#define PAGES 5000
#define FEW_PAGES 3900
#define CARRY_BYTES 10000
#define SMALL_CARRY_BYTES 10

/* More than are looked at in one look. */
#define HOSTS 700

/* More than are loaded at a time, whose copies of robots.txt do not fit either. */
#define SHARING "12000"

struct side {
	struct scene scene;
	uv_loop_t loop;
	struct pv_clock *clock;
	struct loaded loaded;
	struct pv_fleet *fleet;
	struct scratch *scratch; /* used again; NULL */
};

static struct cluster cluster;
static struct side *opening;

static void on_wake(void *ctx)
{
	(void)ctx;
}

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
	(void)is_warning;
	printf("# %s\n", text);
}

static struct pv_frontier *open_frontier(
    struct scene *scene, struct pv_why *why)
{
	struct pv_store *store = scene->store;
	struct side *side = opening;
	struct pv_fleet_options options = {
	    .loop = &side->loop,
	    .url = cluster_url(&cluster),
	    .name = "taking",
	    .directory = side->scene.scratch.path,
	    .policy = PV_STR("version: 1\n"),
	    .as_read = side->loaded.policy,
	    .clock_kind = &pv_real_clock,
	    .clock = side->clock,
	    .random = store->key,
	    .on_lost = on_lost,
	    .use = use,
	    .on_wish = on_wish,
	    .on_figures = on_figures,
	    .on_line = on_line,
	};
	struct pv_frontier *frontier = scene_open_sqlite(scene, why);
	side->fleet = pv_fleet_open(&options, why);
	if (!side->fleet || !pv_fleet_begin(side->fleet, store, frontier, why))
		return NULL;
	return frontier;
}

static void open_side(struct side *side)
{
	*side = (struct side){.scene = {.recent_count = 16,
				  .count_ceiling = 1000,
				  .now = 1000,
				  .open_frontier = open_frontier,
				  .descriptors = descriptors_count()}};
	uv_loop_init(&side->loop);
	side->clock = pv_real_clock.create(&side->loop, on_wake, NULL);
	side->loaded = load_text("version: 1\nname: taking\n"
				 "seeds: [https://x.example/]\n"
				 "identity: {contact: a@example.org}\n");
	opening = side;
	ok(scratch_make(&side->scene.scratch) && scene_open(&side->scene),
	    "a worker joins");
}

static void write_all(struct side *side)
{
	struct pv_writer *writer = &side->scene.store->writer;
	while (writer->count) {
		pv_writer_flush(writer);
		bell_wait(&side->scene.bell);
		pv_writer_receive(writer);
	}
}

static bool await(struct side *side, bool (*is_so)(struct side *side))
{
	uv_update_time(&side->loop);
	int64_t until = (int64_t)uv_now(&side->loop) + FLEET_HANG_MS;
	while (!is_so(side) && (int64_t)uv_now(&side->loop) < until) {
		uv_run(&side->loop, UV_RUN_ONCE);
		write_all(side);
	}
	return is_so(side);
}

static void close_side(struct side *side)
{
	struct pv_store *store = side->scene.store;
	pv_writer_stop(&store->writer);
	pv_fleet_close(side->fleet);
	pv_real_clock.destroy(side->clock);
	uv_run(&side->loop, UV_RUN_DEFAULT);
	uv_loop_close(&side->loop);
	pv_frontier_close(side->scene.frontier);
	pv_store_close(store);
	bell_finish(&side->scene.bell);
	scratch_remove(&side->scene.scratch);
	loaded_finish(&side->loaded);
	descriptors_claim(side->scene.descriptors);
}

/* What a worker knows to be asked of its own hosts. */
static int64_t pending(struct side *side)
{
	return scene_number(&side->scene,
	    "SELECT count(*) FROM addresses JOIN host_states ON "
	    "host_states.id = host WHERE addresses.state = 0 AND "
	    "host_states.state <> -1");
}

static bool has_passed_on(struct side *side)
{
	return pv_passing_is_done(&side->fleet->passing) &&
	       pv_taking_is_done(&side->fleet->taking);
}

static int64_t wanted;

static bool has_wanted(struct side *side)
{
	return has_passed_on(side) && pending(side) >= wanted;
}

static void add_pages(
    struct side *side, const char *host, unsigned count, size_t carry_bytes)
{
	char *carry = pv_alloc(carry_bytes);
	memset(carry, 'c', carry_bytes);
	for (unsigned i = 0; i < count; i++) {
		char url[200];
		struct pv_report *report =
		    scene_report(&side->scene, PV_REPORT_LINKS);
		int len = snprintf(url, sizeof(url), "https://%s/%u", host, i);
		struct pv_str text = {url, (size_t)len};
		pv_link_list_add(&report->links,
		    &(struct pv_link){
			.fingerprint =
			    pv_frontier_fingerprint(side->scene.frontier, text),
			.standing = {.use = PV_PAGE, .kind = 1},
			.url = text,
			.host = pv_str_of(host),
			.carry = {carry, carry_bytes},
		    });
		while (!scene_send(&side->scene, report))
			write_all(side);
		if (i % 100 == 99) {
			write_all(side);
			uv_run(&side->loop, UV_RUN_NOWAIT);
		}
	}
	write_all(side);
	free(carry);
}

static bool is_owning(struct side *side)
{
	return side->fleet->taking.step == PV_TAKING_OWN &&
	       side->fleet->taking.is_under_way;
}

static void write_until_owning(struct side *side)
{
	struct pv_writer *writer = &side->scene.store->writer;
	while (writer->count && !is_owning(side)) {
		pv_writer_flush(writer);
		bell_wait(&side->scene.bell);
		pv_writer_receive(writer);
	}
}

/* The line is lost just while hosts become the worker's own. */
static bool lose_line(struct side *side)
{
	uv_update_time(&side->loop);
	int64_t until = (int64_t)uv_now(&side->loop) + FLEET_HANG_MS;
	while (!is_owning(side) && (int64_t)uv_now(&side->loop) < until) {
		uv_run(&side->loop, UV_RUN_NOWAIT);
		write_until_owning(side);
	}
	bool was_owning = is_owning(side);
	pv_fleet_line_drop(side->fleet->line, "the test says so");
	while (pv_fleet_line_is_up(side->fleet->line))
		uv_run(&side->loop, UV_RUN_NOWAIT);
	write_all(side);
	return was_owning;
}

static void owns_all(struct side *side, int64_t count, const char *claim)
{
	wanted = count;
	bool has_all = await(side, has_wanted);
	ok(has_all, "P3: it has all addresses %s (%lld of %lld)", claim,
	    (long long)pending(side), (long long)count);
}

static void ask(const char *sql)
{
	cluster_ask(&cluster, sql);
}

static void test_much(void)
{
	struct side one, other;
	open_side(&one);
	add_pages(&one, "x.example", PAGES, CARRY_BYTES);
	wanted = PAGES;
	ok(await(&one, has_wanted), "a worker owns what it has found");
	add_pages(&one, "y.example", FEW_PAGES, CARRY_BYTES);
	wanted += FEW_PAGES;
	ok(await(&one, has_wanted), "of another host, too");
	close_side(&one);
	ask("UPDATE pavane.workers SET is_alive = false; UPDATE pavane.clocks SET "
	    "worker = NULL, ready_at = clock_timestamp(), rests_until = NULL, "
	    "has_work = name = 'x.example'");
	open_side(&other);
	ok(lose_line(&other), "another one loses its line as it takes over");
	owns_all(&other, PAGES, "of the host, whatever they take");
	ask("UPDATE pavane.clocks SET has_work = true WHERE name = 'y.example'");
	owns_all(&other, PAGES + FEW_PAGES,
	    "of one that it takes over after that, too");
	close_side(&other);
}

static int64_t pending_of(struct side *side, const char *host)
{
	char sql[200];
	snprintf(sql, sizeof(sql),
	    "SELECT count(*) FROM addresses JOIN host_states ON host_states.id "
	    "= host WHERE addresses.state = 0 AND host_states.name = '%s'",
	    host);
	return scene_number(&side->scene, sql);
}

/* Hosts that are loaded side by side: each gets its own addresses. */
static void test_side_by_side(void)
{
	static const unsigned counts[] = {3, PAGES, 2};
	struct side one, other;
	open_side(&one);
	wanted = 0;
	for (unsigned i = 0; i < 3; i++) {
		char host[40];
		snprintf(host, sizeof(host), "z%u.example", i);
		add_pages(&one, host, counts[i], SMALL_CARRY_BYTES);
		wanted += counts[i];
	}
	ok(await(&one, has_wanted), "a worker owns a long host and two short");
	close_side(&one);
	ask("UPDATE pavane.workers SET is_alive = false; UPDATE pavane.clocks SET "
	    "worker = NULL, ready_at = clock_timestamp(), rests_until = NULL, "
	    "has_work = name LIKE 'z%'");
	open_side(&other);
	owns_all(&other, wanted, "of three hosts that it takes over together");
	for (unsigned i = 0; i < 3; i++) {
		char host[40];
		snprintf(host, sizeof(host), "z%u.example", i);
		ok(pending_of(&other, host) == counts[i],
		    "those of %s are its own (%lld of %u)", host,
		    (long long)pending_of(&other, host), counts[i]);
	}
	close_side(&other);
}

/* Who does not know what it owns takes all of that over, a part at a time. */
static void test_many(void)
{
	struct side one, other;
	open_side(&one);
	for (unsigned i = 0; i < HOSTS; i++) {
		char host[40];
		snprintf(host, sizeof(host), "h%u.example", i);
		add_pages(&one, host, 1, CARRY_BYTES);
	}
	wanted = HOSTS;
	ok(await(&one, has_wanted), "a worker owns many hosts");
	close_side(&one);
	open_side(&other);
	ask("UPDATE pavane.clocks SET has_work = false, worker = (SELECT max(id) "
	    "FROM pavane.workers) WHERE name LIKE 'h%'");
	pv_fleet_doubt(other.fleet);
	owns_all(&other, HOSTS, "of hosts that are its own by now");
	ok(other.fleet->taking.owned == HOSTS, "and knows how many (%zu)",
	    other.fleet->taking.owned);
	close_side(&other);
}

static bool has_taken(struct side *side)
{
	const struct pv_taking *taking = &side->fleet->taking;
	return taking->owned && taking->step == PV_TAKING_NOTHING &&
	       !taking->is_under_way;
}

/* Hosts that share a clock are taken over together, and loaded a part at a time. */
static void test_shared(void)
{
	struct side side;
	open_side(&side);
	ask("INSERT INTO pavane.hosts(crawl, name, clock, row) SELECT crawls.id, "
	    "'s' || i || '.example', 'shared', '' FROM pavane.crawls, "
	    "generate_series(1, " SHARING ") AS i; "
	    "INSERT INTO pavane.robots(crawl, host, authority, row) SELECT "
	    "crawl, name, 'https://' || name, decode(repeat('00', 10000), 'hex') "
	    "FROM pavane.hosts WHERE clock = 'shared'; "
	    "INSERT INTO pavane.clocks(crawl, name, has_work) SELECT id, "
	    "'shared', true FROM pavane.crawls");
	bool is_over = await(&side, has_taken);
	int64_t count = scene_number(&side.scene,
	    "SELECT count(*) FROM host_states WHERE name LIKE 's%' AND "
	    "state >= 0");
	ok(is_over && count == strtoll(SHARING, NULL, 10),
	    "all hosts of a shared clock are the worker's, however many "
	    "(%lld of " SHARING ")",
	    (long long)count);
	close_side(&side);
}

int main(void)
{
	const char *absence = cluster_absence();
	if (absence)
		return tap_skip_all(absence);
	if (!cluster_make(&cluster))
		return tap_skip_all("PostgreSQL cannot be made to run here");
	test_much();
	test_side_by_side();
	test_many();
	test_shared();
	cluster_remove(&cluster);
	return tap_done();
}
