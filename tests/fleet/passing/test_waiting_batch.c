#include <signal.h>

#include "base/system.h"
#include "fleet/fleet.h"
#include "fleet/passing/passing.h"
#include "fleet/scene/engine.h"
#include "fleet/worker/worker.h"

/* A worker whose batch waits for a lock in PostgreSQL, and another one that would take
 * over what it owns. That the batch waits says nothing of who has sent it. */

#define TTL_MS 1500
#define HOLD_MS (4 * TTL_MS)
#define PATIENCE_MS 20000

#define HOLD "SELECT pg_sleep(6)"

/* For what takes the half of that, and on a busy machine longer. */
#define LONG_MS (2 * HOLD_MS)
#define LONG_HOLD "SELECT pg_sleep(12)"

static const struct fleet_engine_wish wish = {
    .crawl = "waiting", .ttl_ms = TTL_MS};

static const struct pv_result leaf = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200, .bytes = 10};

static struct scene one, other;

static struct pv_fleet *fleet_of(const struct scene *scene)
{
	return scene->frontier->fleet;
}

static bool may_ask(const struct scene *scene)
{
	return pv_lease_may_begin(
	    pv_fleet_lease(fleet_of(scene)), pv_boot_now_ms());
}

/* Both go on for a moment. */
static void turn(void)
{
	fleet_engine_turn(&one);
	fleet_engine_turn(&other);
	nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static bool await(bool (*is_so)(void))
{
	int64_t until = pv_boot_now_ms() + PATIENCE_MS;
	while (!is_so() && pv_boot_now_ms() < until)
		turn();
	return is_so();
}

static bool both_may_ask(void)
{
	return may_ask(&one) && may_ask(&other);
}

static bool is_passed_on(void)
{
	return fleet_of(&one)->passing.waiting == 0;
}

static int64_t ask_number(const char *sql)
{
	const char *answer = fleet_engine_ask(sql);
	return answer ? strtoll(answer, NULL, 10) : -1;
}

static bool lives(const struct scene *scene)
{
	char sql[100];
	snprintf(sql, sizeof(sql),
	    "SELECT count(*) FROM pavane.workers WHERE is_alive AND id = %lld",
	    (long long)fleet_of(scene)->worker);
	return ask_number(sql) == 1;
}

static void begin(void)
{
	fleet_engine_wish(&wish);
	ok(scene_init_engine(&one, fleet_engine_open, 16) &&
		scene_init_engine(&other, fleet_engine_open, 16),
	    "two workers join a crawl");
	ok(await(both_may_ask), "both have a lease");
}

/* A page of a host of its own comes to an end, and is not passed on yet. */
static void send_page(struct scene *scene, uint64_t host, const char *url)
{
	struct pv_report *report = scene_report(scene, PV_REPORT_DONE);
	report->visit = scene_take_visit(scene, host);
	report->visit.host_id = host;
	report->result = leaf;
	report->host = (struct pv_host_state){.pages = 1, .wait_ms = 5};
	scene_link(scene, report, url, (struct pv_standing){.use = PV_PAGE});
	scene_send(scene, report);
}

static int64_t count_frozen(int64_t for_ms)
{
	int64_t until = pv_boot_now_ms() + for_ms, count = 0;
	while (pv_boot_now_ms() < until) {
		turn();
		count += !may_ask(&one);
	}
	return count;
}

/* Rows of clocks are locked by somebody else. */
static void test_lock(void)
{
	scene_add_page(&one, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&one);
	ok(host && fleet_engine_hold(
		       "SELECT 1 FROM pavane.clocks FOR UPDATE; " HOLD),
	    "somebody locks the clocks for long");
	send_page(&one, host, "https://x.example/b");
	int64_t frozen = count_frozen(HOLD_MS * 2 / 3);
	ok(fleet_of(&one)->passing.waiting == 1, "what is passed on waits");
	ok(!frozen && lives(&one),
	    "P1: while it waits the worker goes on living: its lease holds, "
	    "and nobody reaps it (%lld)",
	    (long long)frozen);
	ok(await(is_passed_on) &&
		ask_number("SELECT count(*) FROM pavane.addresses WHERE "
			   "state = 2") == 1,
	    "P3: when the lock is gone it is passed on");
	ok(!fleet_of(&one)->is_lost && !fleet_of(&other)->is_lost,
	    "and nobody has lost his place");
}

/* A clock goes from one owner to the next while links to it are on their way. */

static int64_t owner_of_links(void)
{
	return ask_number("SELECT coalesce(max(worker), 0) FROM pavane.links "
			  "WHERE clock = 'far.example'");
}

static bool is_mended(void)
{
	return owner_of_links() == 78;
}

static bool is_all_passed(void)
{
	return pv_passing_is_done(&fleet_of(&one)->passing);
}

static void test_moved_clock(void)
{
	fleet_engine_ask("INSERT INTO pavane.clocks(crawl, name, worker) "
			 "SELECT id, 'far.example', 77 FROM pavane.crawls");
	scene_add_page(&one, "https://w.example/a", 1);
	uint64_t host = scene_take_host(&one);
	ok(host && await(is_passed_on) &&
		fleet_engine_hold(
		    "LOCK TABLE pavane.hosts IN SHARE MODE; " HOLD),
	    "somebody locks the hosts");
	send_page(&one, host, "https://far.example/b");
	count_frozen(HOLD_MS / 3);
	ok(fleet_of(&one)->passing.is_sending && !owner_of_links(),
	    "a batch with a link to another's host waits");
	fleet_engine_ask("UPDATE pavane.clocks SET worker = 78 WHERE "
			 "name = 'far.example'");
	ok(await(is_passed_on) && await(is_mended),
	    "P3: where that host changes hands meanwhile the link is its new "
	    "owner's");
	ok(await(is_all_passed), "and then all is passed on");
	fleet_engine_ask("DELETE FROM pavane.links; DELETE FROM pavane.clocks "
			 "WHERE name = 'far.example'");
}

/* Either line is lost for itself. */

static bool is_up(void)
{
	return pv_fleet_is_up(fleet_of(&one)) && fleet_of(&one)->are_beats_up &&
	       may_ask(&one);
}

static void end_backend(const char *column)
{
	char sql[200];
	snprintf(sql, sizeof(sql),
	    "SELECT pg_terminate_backend(%s, 1000) FROM pavane.workers WHERE "
	    "id = %lld",
	    column, (long long)fleet_of(&one)->worker);
	fleet_engine_ask(sql);
}

static void test_lost_lines(void)
{
	static const char *const columns[] = {"backend", "beats_backend"};
	for (size_t i = 0; i < 2; i++) {
		end_backend(columns[i]);
		int64_t frozen = count_frozen(TTL_MS);
		ok(await(is_up) && !fleet_of(&one)->is_lost,
		    "a worker that loses its %s comes back as the same",
		    columns[i]);
		ok(!frozen, "P1: before its lease is over (%lld)",
		    (long long)frozen);
	}
}

/* The process behind the line stands still, and nothing else does. */

static int64_t session;

static bool has_new_session(void)
{
	return is_up() && fleet_of(&one)->fence[1].number != session;
}

static void test_silence(void)
{
	char sql[100];
	snprintf(sql, sizeof(sql),
	    "SELECT backend FROM pavane.workers WHERE id = %lld",
	    (long long)fleet_of(&one)->worker);
	pid_t backend = (pid_t)ask_number(sql);
	session = fleet_of(&one)->fence[1].number;
	kill(backend, SIGSTOP);
	int64_t frozen = count_frozen(TTL_MS);
	ok(await(has_new_session) && !frozen && !fleet_of(&one)->is_lost,
	    "where what is passed on is not answered at all, another connection "
	    "takes its place");
	kill(backend, SIGCONT);
}

/* The other one is stopped while its batch waits, and holds its row by that. */

static int64_t stopped;

static bool is_reaped(void)
{
	char sql[100];
	snprintf(sql, sizeof(sql),
	    "SELECT count(*) FROM pavane.workers WHERE NOT is_alive AND id = "
	    "%lld",
	    (long long)stopped);
	return ask_number(sql) == 1;
}

static void test_stopped(void)
{
	scene_add_page(&other, "https://y.example/a", 1);
	uint64_t host = scene_take_host(&other);
	stopped = fleet_of(&other)->worker;
	ok(host && fleet_engine_hold(
		       "SELECT 1 FROM pavane.hosts FOR UPDATE; " LONG_HOLD),
	    "somebody locks the hosts for long");
	send_page(&other, host, "https://y.example/b");
	for (int i = 0; i < 100; i++)
		turn();
	ok(fleet_of(&other)->passing.is_sending, "the other's batch waits");
	int64_t until = pv_boot_now_ms() + LONG_MS - 500;
	while (pv_boot_now_ms() < until && !is_reaped()) {
		fleet_engine_turn(&one);
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
	ok(is_reaped(),
	    "P1: where it is stopped then, it is reaped all the same: its "
	    "connection, by which its row is held, is ended");
	ok(may_ask(&one) && !may_ask(&other),
	    "and its lease was over before that");
}

/* It comes back, and is gone while somebody has locked what it owns. */

static int64_t count_frozen_alone(int64_t for_ms)
{
	int64_t until = pv_boot_now_ms() + for_ms, count = 0;
	while (pv_boot_now_ms() < until) {
		fleet_engine_turn(&one);
		count += !may_ask(&one);
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	}
	return count;
}

static void test_locked(void)
{
	count_frozen_alone(LONG_MS); /* until that lock is gone */
	pv_passing_give_up(fleet_of(&other));
	scene_close(&other);
	ok(scene_open(&other) && await(both_may_ask), "it joins again");
	scene_add_page(&other, "https://z.example/a", 1);
	stopped = fleet_of(&other)->worker;
	ok(fleet_engine_hold("SELECT 1 FROM pavane.clocks FOR UPDATE; " HOLD),
	    "somebody locks its clocks for long");
	int64_t frozen = count_frozen_alone(HOLD_MS - 1000);
	ok(!frozen && !is_reaped(),
	    "P1: who would reap it, and has to wait, keeps its own lease "
	    "(%lld)",
	    (long long)frozen);
	for (int i = 0; i < 200 && !is_reaped(); i++)
		count_frozen_alone(50);
	ok(is_reaped(), "and reaps it when the lock is gone");
}

static void end(struct scene *scene)
{
	scene_close(scene);
	scratch_remove(&scene->scratch);
}

int main(void)
{
	const char *absence = fleet_engine_absence();
	if (absence)
		return tap_skip_all(absence);
	begin();
	test_lock();
	test_moved_clock();
	test_lost_lines();
	test_silence();
	test_stopped();
	test_locked();
	end(&one);
	end(&other);
	fleet_engine_finish();
	return tap_done();
}
