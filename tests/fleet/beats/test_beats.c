#include "fleet/beats/beats.h"

#include "base/system.h"
#include "fleet/cluster.h"
#include "fleet/tables/schema.h"
#include "fleet/tables/statements.h"
#include "names/scene.h"
#include "policy/policy.h"

/* Workers of a fleet, each with a line and beats of its own, on one loop with a
 * server of the test's. One is frozen by stopping its timer: then it neither beats
 * nor hears anything. */

#define TTL_MS 1500
#define CREW_MAX 4
#define TICK_MS 10
#define PATIENCE_MS 90000

/* One more than a worker has: it holds what it has locked for long. */
enum { SLEEP = PV_SAY_COUNT, STATEMENTS };

struct crewman {
	struct pv_fleet_line *line;
	struct pv_fleet_beats beats;
	struct pv_lease lease;
	struct pv_fleet_part part;
	int64_t id;
	bool is_begun;
	bool is_frozen;
	bool is_busy; /* more is under way than its part */
	unsigned news;
	unsigned lost;
	unsigned failovers;
	unsigned refusals;
	unsigned downs;
	unsigned reaped; /* by it */
	int64_t reaped_id;
	int64_t reaped_ms;
	size_t known; /* workers */
	char sqlstate[6];
	unsigned answers; /* of requests of its own */
};

static struct {
	struct scene names;
	struct cluster cluster;
	struct pv_fleet_statement statements[STATEMENTS];
	struct pv_rate whole;
	struct crewman crew[CREW_MAX];
	uv_timer_t patience;
	unsigned exceeded; /* how often all together had more than the whole */
} fleet;

/* Waiting */

static void on_tick(uv_timer_t *timer)
{
	(void)timer;
}

/* Runs the loop until it is so; false if it never is. */
static bool await(bool (*is_so)(void))
{
	int64_t until_ms = pv_boot_now_ms() + PATIENCE_MS;
	uv_timer_start(&fleet.patience, on_tick, TICK_MS, TICK_MS);
	while (!is_so() && pv_boot_now_ms() < until_ms)
		uv_run(&fleet.names.loop, UV_RUN_ONCE);
	uv_timer_stop(&fleet.patience);
	return is_so();
}

static int64_t ask_number(const char *sql)
{
	const char *answer = cluster_ask(&fleet.cluster, sql);
	return answer ? strtoll(answer, NULL, 10) : -1;
}

/* Beats */

static void check_shares(void)
{
	struct pv_fleet_share used[CREW_MAX];
	size_t count = 0;
	for (int i = 0; i < CREW_MAX; i++) {
		const struct crewman *man = &fleet.crew[i];
		if (man->is_begun && man->beats.used.of &&
		    !pv_lease_is_over(&man->lease, pv_boot_now_ms()))
			used[count++] = man->beats.used;
	}
	fleet.exceeded += count && !pv_fleet_share_fits(used[0], used + 1,
				       count - 1, &fleet.whole);
}

static bool use(void *ctx, const struct pv_fleet_part *part)
{
	struct crewman *man = ctx;
	man->part = *part;
	check_shares();
	return !man->is_busy;
}

static void on_news(void *ctx, const struct pv_fleet_news *news)
{
	struct crewman *man = ctx;
	man->news++;
	man->known = news->workers;
}

static void on_lost(void *ctx, bool is_failover)
{
	struct crewman *man = ctx;
	man->lost++;
	man->failovers += is_failover;
}

static void on_reaped(void *ctx, int64_t worker)
{
	struct crewman *man = ctx;
	man->reaped++;
	man->reaped_id = worker;
	man->reaped_ms = pv_boot_now_ms();
}

static void on_refusal(void *ctx, const struct pv_fleet_answer *answer)
{
	struct crewman *man = ctx;
	man->refusals++;
	printf("# refused: %s %s\n", answer->sqlstate, answer->message);
}

static void begin(struct crewman *man)
{
	const struct pv_fleet_beats_options options = {
	    .loop = &fleet.names.loop,
	    .line = man->line,
	    .long_line = man->line,
	    .crawl = 1,
	    .worker = man->id,
	    .ttl_ms = TTL_MS,
	    .whole = &fleet.whole,
	    .lease = &man->lease,
	    .use = use,
	    .on_news = on_news,
	    .on_lost = on_lost,
	    .on_reaped = on_reaped,
	    .on_refusal = on_refusal,
	    .ctx = man,
	};
	pv_fleet_beats_init(&man->beats, &options);
	man->is_begun = true;
}

/* The line */

static void on_schema(
    void *ctx, const struct pv_fleet_answer *answer, const char *first)
{
	struct crewman *man = ctx;
	(void)first;
	if (answer->status == PV_FLEET_REFUSED)
		printf("# schema: %s\n", answer->message);
	pv_fleet_line_prepare(man->line);
}

static void on_checked(void *ctx, const struct pv_fleet_server *server)
{
	struct crewman *man = ctx;
	(void)server;
	pv_fleet_line_exec(man->line, pv_fleet_schema, on_schema, man);
}

static void enter(struct crewman *man)
{
	cluster_ask(&fleet.cluster,
	    "INSERT INTO pavane.crawls(name, policy, key, state_version) "
	    "VALUES('crawl', '', '', 1) ON CONFLICT DO NOTHING");
	man->id = ask_number("INSERT INTO pavane.workers(crawl, place) "
			     "VALUES(1, 'here:there') RETURNING id");
	begin(man);
	/* As a schedule that is made after that. */
	man->part.max_rate = fleet.whole.max_rate;
}

static void on_up(void *ctx, const struct pv_fleet_server *server)
{
	struct crewman *man = ctx;
	if (!man->is_begun)
		enter(man);
	if (!man->is_frozen)
		pv_fleet_beats_up(&man->beats, server);
}

static void on_down(void *ctx, const char *why)
{
	struct crewman *man = ctx;
	(void)why;
	man->downs++;
	if (man->is_begun)
		pv_fleet_beats_down(&man->beats);
}

static void on_line_refused(void *ctx, const char *why)
{
	(void)ctx;
	printf("# the line is refused: %s\n", why);
}

static void join(struct crewman *man)
{
	const struct pv_fleet_line_options options = {
	    .loop = &fleet.names.loop,
	    .url = cluster_url(&fleet.cluster),
	    .names = fleet.names.names,
	    .random = 1,
	    .statements = fleet.statements,
	    .statement_count = STATEMENTS,
	    .on_checked = on_checked,
	    .on_up = on_up,
	    .on_down = on_down,
	    .on_refused = on_line_refused,
	    .ctx = man,
	};
	*man = (struct crewman){.is_begun = false};
	pv_lease_init(&man->lease);
	man->line = pv_fleet_line_open(&options);
}

/* As a process that ends without a word. */
static void vanish(struct crewman *man)
{
	pv_fleet_line_close(man->line);
	if (man->is_begun)
		pv_fleet_beats_stop(&man->beats);
	for (int i = 0; i < 10; i++)
		uv_run(&fleet.names.loop, UV_RUN_NOWAIT);
	if (man->is_begun)
		pv_fleet_beats_finish(&man->beats);
	*man = (struct crewman){.is_begun = false};
}

/* As one that leaves in order. */
static void leave(struct crewman *man)
{
	char sql[100];
	snprintf(sql, sizeof(sql),
	    "UPDATE pavane.workers SET is_alive = false WHERE id = %lld",
	    (long long)man->id);
	vanish(man);
	cluster_ask(&fleet.cluster, sql);
}

static void freeze(struct crewman *man)
{
	man->is_frozen = true;
	uv_timer_stop(&man->beats.timer);
}

static void thaw(struct crewman *man)
{
	man->is_frozen = false;
	uv_timer_again(&man->beats.timer);
}

static bool may_begin(const struct crewman *man)
{
	return pv_lease_may_begin(&man->lease, pv_boot_now_ms());
}

/* Shares of three */

static bool all_have_thirds(void)
{
	for (int i = 0; i < 3; i++)
		if (fleet.crew[i].beats.used.of != 3 ||
		    fleet.crew[i].beats.used.rank == 3)
			return false;
	return true;
}

static bool first_has_all(void)
{
	return fleet.crew[0].beats.used.of == 1 && may_begin(&fleet.crew[0]);
}

static bool second_has_beaten(void)
{
	return fleet.crew[1].news >= 4;
}

static bool are_halves(void)
{
	return fleet.crew[0].beats.used.of == 2 &&
	       fleet.crew[1].beats.used.of == 2;
}

static void test_joining(void)
{
	fleet.whole = (struct pv_rate){.max_rate = 10,
	    .interval_ms = 1000,
	    .burst = 10,
	    .concurrency = 20};
	join(&fleet.crew[0]);
	ok(!may_begin(&fleet.crew[0]),
	    "P1: before its first beat a worker has no lease");
	ok(await(first_has_all), "a worker alone has a lease, and all");
	fleet.crew[0].is_busy = true;
	join(&fleet.crew[1]);
	ok(await(second_has_beaten) && fleet.crew[1].part.max_rate == 0 &&
		fleet.crew[1].part.concurrency == 0,
	    "P1: who joins has nothing while more is under way at another one "
	    "than that is to keep");
	fleet.crew[0].is_busy = false;
	ok(await(are_halves), "and a half once that has ended");
	join(&fleet.crew[2]);
	ok(await(all_have_thirds), "then a third joins");
	ok(fleet.crew[0].part.max_rate == 4 &&
		fleet.crew[1].part.max_rate == 3 &&
		fleet.crew[2].part.max_rate == 3,
	    "of ten requests a second they have 4, 3 and 3");
	ok(fleet.crew[0].part.concurrency == 7 &&
		fleet.crew[1].part.concurrency == 7 &&
		fleet.crew[2].part.concurrency == 6,
	    "and of 20 places 7, 7 and 6");
}

/* The one in the midst has nothing to do */

static void set_second_idle(bool is_idle)
{
	struct pv_buf sql;
	pv_buf_init(&sql, SIZE_MAX);
	pv_buf_append_format(&sql,
	    "UPDATE pavane.workers SET is_idle = %s WHERE id = %lld RETURNING 1",
	    is_idle ? "true" : "false", (long long)fleet.crew[1].id);
	ask_number(pv_buf_text(&sql));
	pv_buf_finish(&sql);
}

static bool others_have_halves(void)
{
	return fleet.crew[0].beats.used.of == 2 &&
	       !fleet.crew[1].part.max_rate && fleet.crew[2].beats.used.of == 2;
}

static void test_resting(void)
{
	set_second_idle(true);
	ok(await(others_have_halves),
	    "the share of who has nothing to do is the others' after a while");
	unsigned news = fleet.crew[1].news;
	int64_t until_ms = pv_boot_now_ms() + TTL_MS;
	uv_timer_start(&fleet.patience, on_tick, TICK_MS, TICK_MS);
	while (pv_boot_now_ms() < until_ms)
		uv_run(&fleet.names.loop, UV_RUN_ONCE);
	uv_timer_stop(&fleet.patience);
	ok(fleet.crew[1].news - news <= 4,
	    "it beats no more often than others do");
	set_second_idle(false);
	pv_fleet_beats_hurry(&fleet.crew[1].beats);
	ok(await(all_have_thirds), "when it has, all have thirds again");
}

/* One that is called */

#define SPACE_MS 320 /* after a beat the next one waits a moment */

static int64_t called_ms;

static bool first_may_beat(void)
{
	const struct pv_fleet_beats *beats = &fleet.crew[0].beats;
	return !beats->is_beating &&
	       pv_boot_now_ms() - beats->sent_ms >= SPACE_MS;
}

static bool first_has_beaten_again(void)
{
	const struct pv_fleet_beats *beats = &fleet.crew[0].beats;
	return beats->sent_ms > called_ms && !beats->is_hurried;
}

static void test_calls(void)
{
	struct pv_fleet_beats *beats = &fleet.crew[0].beats;
	bool may_beat = await(first_may_beat);
	pv_fleet_beats_hurry(beats);
	called_ms = beats->sent_ms;
	ok(may_beat && beats->is_beating, "who is called beats at once");
	pv_fleet_beats_hurry(beats);
	ok(await(first_has_beaten_again),
	    "and once more, if it is called before that was answered");
}

/* The one in the midst is frozen */

static bool second_is_reaped(void)
{
	return fleet.crew[0].reaped + fleet.crew[2].reaped > 0;
}

static bool second_is_lost(void)
{
	return fleet.crew[1].lost > 0;
}

static void claim_clocks(void)
{
	ok(ask_number("SELECT count(*) FROM pavane.clocks WHERE worker IS NULL "
		      "AND has_work AND ready_at > clock_timestamp() + "
		      "interval '20 minutes' AND name = 'slow.test'") == 1,
	    "P1: its clocks are free, and owe their whole rest");
	ok(ask_number("SELECT count(*) FROM pavane.clocks WHERE worker IS NULL "
		      "AND ready_at > clock_timestamp() + interval '5 hours' "
		      "AND name = 'later.test'") == 1,
	    "and a Retry-After is not shortened");
	ok(ask_number("SELECT count(*) FROM pavane.net_addresses WHERE "
		      "worker IS NULL AND ready_at > clock_timestamp() + "
		      "interval '20 minutes'") == 1,
	    "as its addresses do");
	ok(ask_number("SELECT count(*) FROM pavane.links WHERE "
		      "worker IS NULL") == 1,
	    "links that were for it wait for the next owner");
}

static void give_clocks(const struct crewman *man)
{
	char sql[800];
	long long id = (long long)man->id;
	snprintf(sql, sizeof(sql),
	    "INSERT INTO pavane.clocks(crawl, name, worker, rest_ms, rests_until) "
	    "VALUES(1, 'slow.test', %lld, 1800000, clock_timestamp()), "
	    "(1, 'later.test', %lld, 1000, clock_timestamp() + interval "
	    "'6 hours'); INSERT INTO pavane.net_addresses(crawl, address, "
	    "worker, rest_ms) VALUES(1, '192.0.2.1', %lld, 1800000); "
	    "INSERT INTO pavane.links(crawl, clock, host, worker, row) "
	    "VALUES(1, 'slow.test', 'slow.test', %lld, '')",
	    id, id, id, id);
	cluster_ask(&fleet.cluster, sql);
}

static void test_reaping(void)
{
	struct crewman *frozen = &fleet.crew[1];
	give_clocks(frozen);
	freeze(frozen);
	int64_t last_ms = frozen->beats.sent_ms;
	ok(await(second_is_reaped), "a worker that does not beat is reaped");
	const struct crewman *reaper =
	    &fleet.crew[fleet.crew[0].reaped ? 0 : 2];
	ok(reaper->reaped_id == frozen->id &&
		fleet.crew[0].reaped + fleet.crew[2].reaped == 1,
	    "by one of the others, once");
	ok(reaper->reaped_ms - last_ms >= TTL_MS &&
		pv_lease_is_over(&frozen->lease, reaper->reaped_ms),
	    "P1: not before its own lease is over (%lld ms after its beat)",
	    (long long)(reaper->reaped_ms - last_ms));
	claim_clocks();
	const char *reaped = cluster_ask(&fleet.cluster,
	    "SELECT string_agg(id::text, ' ') FROM pavane.workers WHERE "
	    "was_reaped");
	ok(reaped && strtoll(reaped, NULL, 10) == frozen->id &&
		!strchr(reaped, ' '),
	    "which is known of it alone from then on");
	ok(!frozen->lost, "of which it knows nothing yet");
}

static void on_fenced(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct crewman *man = ctx;
	(void)request;
	snprintf(man->sqlstate, sizeof(man->sqlstate), "%s", answer->sqlstate);
	man->answers++;
}

static bool second_has_answer(void)
{
	return fleet.crew[1].answers > 0;
}

static void test_waking(void)
{
	struct crewman *frozen = &fleet.crew[1];
	const struct pv_fleet_value fence[] = {
	    pv_fleet_number(PV_FLEET_INT8, frozen->id),
	    pv_fleet_number(PV_FLEET_INT8, 0)};
	const struct pv_fleet_value crawl[] = {
	    pv_fleet_number(PV_FLEET_INT4, 1),
	    pv_fleet_number(PV_FLEET_INT8, frozen->id),
	    pv_fleet_text(PV_STR("another policy")),
	    pv_fleet_number(PV_FLEET_INT8, 1), pv_fleet_bool(false)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_FENCE, fence, 2}, {PV_SAY_SET_POLICY, crawl, 5}};
	pv_fleet_line_send(
	    frozen->line, pv_fleet_request_create(steps, 2, on_fenced, frozen));
	ok(await(second_has_answer) && strcmp(frozen->sqlstate, "PVFEN") == 0,
	    "what it writes behind the fence is refused (%s)",
	    frozen->sqlstate);
	ok(ask_number("SELECT count(*) FROM pavane.crawls WHERE "
		      "policy = ''") == 1,
	    "and nothing of it is done");
	thaw(frozen);
	ok(await(second_is_lost) && !frozen->failovers,
	    "when it beats again it hears that it was reaped");
	ok(pv_lease_is_over(&frozen->lease, pv_boot_now_ms()) &&
		frozen->news > 0,
	    "P1: and its lease is over");
	vanish(frozen);
}

static bool two_have_halves(void)
{
	return fleet.crew[0].beats.used.of == 2 &&
	       fleet.crew[2].beats.used.of == 2 &&
	       fleet.crew[2].beats.used.rank == 1;
}

static bool first_is_alone(void)
{
	return fleet.crew[0].beats.used.of == 1;
}

/* One that is stopped in the midst of a transaction holds its row. */

static bool third_is_reaped(void)
{
	return fleet.crew[0].reaped > 0;
}

static bool third_is_lost(void)
{
	return fleet.crew[2].lost > 0;
}

static void test_holding(void)
{
	struct crewman *holder = &fleet.crew[2];
	const struct pv_fleet_value fence[] = {
	    pv_fleet_number(PV_FLEET_INT8, holder->id),
	    pv_fleet_number(PV_FLEET_INT8, 0)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_FENCE, fence, 2}, {SLEEP, NULL, 0}};
	fleet.crew[0].reaped = 0;
	pv_fleet_line_send(
	    holder->line, pv_fleet_request_create(steps, 2, on_fenced, holder));
	freeze(holder);
	int64_t last_ms = holder->beats.sent_ms;
	ok(await(third_is_reaped) && fleet.crew[0].reaped_id == holder->id,
	    "one that holds its row is reaped all the same");
	ok(fleet.crew[0].reaped_ms - last_ms >= 2 * TTL_MS,
	    "P3: but what it is writing gets a ttl more (%lld ms)",
	    (long long)(fleet.crew[0].reaped_ms - last_ms));
	thaw(holder);
	ok(await(third_is_lost) && holder->downs > 0,
	    "its connection was ended, and it hears that it was reaped");
	ok(fleet.crew[0].downs == 0, "nobody else's was");
	vanish(holder);
	ok(await(first_is_alone), "what it had is the other's then");
}

/* The server is gone for a while. */

static bool all_leases_are_over(void)
{
	return pv_lease_is_over(&fleet.crew[0].lease, pv_boot_now_ms()) &&
	       pv_lease_is_over(&fleet.crew[1].lease, pv_boot_now_ms());
}

static bool all_leases_hold(void)
{
	return may_begin(&fleet.crew[0]) && may_begin(&fleet.crew[1]);
}

static int64_t beaten_from;

static bool have_beaten_for_ttl(void)
{
	return fleet.crew[0].news > beaten_from + 5 && all_leases_hold();
}

static void test_absence(void)
{
	join(&fleet.crew[1]);
	ok(await(are_halves), "another one joins");
	cluster_kill(&fleet.cluster);
	ok(await(all_leases_are_over),
	    "P1: while the server is gone all leases run out");
	ok(fleet.crew[0].downs && fleet.crew[1].downs, "the lines are down");
	fleet.crew[0].reaped = fleet.crew[1].reaped = 0;
	cluster_start(&fleet.cluster);
	ok(await(all_leases_hold), "when it is back they hold again");
	beaten_from = fleet.crew[0].news;
	ok(await(have_beaten_for_ttl) && !fleet.crew[0].reaped &&
		!fleet.crew[1].reaped && !fleet.crew[0].lost &&
		!fleet.crew[1].lost,
	    "and nobody was reaped who could not beat");
	ok(await(are_halves), "nor have their shares changed");
}

/* It answers nothing, and is there all the same. */
static void test_silence(void)
{
	unsigned downs = fleet.crew[0].downs;
	cluster_freeze(&fleet.cluster);
	ok(await(all_leases_are_over),
	    "P1: while the server stands still all leases run out");
	cluster_thaw(&fleet.cluster);
	ok(await(all_leases_hold) && fleet.crew[0].downs >= downs,
	    "when it goes on they hold again");
	beaten_from = fleet.crew[0].news;
	ok(await(have_beaten_for_ttl) && !fleet.crew[0].reaped &&
		!fleet.crew[1].reaped && !fleet.crew[0].lost,
	    "and nobody was reaped");
}

static void test_leaving(void)
{
	leave(&fleet.crew[1]);
	ok(await(first_is_alone) && fleet.crew[0].reaped == 0,
	    "who leaves in order is not reaped, and what it had is free");
}

static bool third_has_beaten(void)
{
	return fleet.crew[2].news >= 2;
}

static bool last_two_have_shares(void)
{
	return fleet.crew[1].beats.used.of == 2 &&
	       fleet.crew[2].beats.used.of == 2;
}

/* There are fewer tokens in an interval than workers. */
static void test_low_rates(void)
{
	leave(&fleet.crew[0]);
	fleet.whole = (struct pv_rate){
	    .max_rate = 2, .interval_ms = 1000, .burst = 2, .concurrency = 9};
	join(&fleet.crew[0]);
	join(&fleet.crew[1]);
	ok(await(are_halves), "at two requests a second two have one each");
	join(&fleet.crew[2]);
	ok(await(third_has_beaten) && are_halves() &&
		!fleet.crew[2].part.max_rate,
	    "and a third has none");
	leave(&fleet.crew[0]);
	ok(await(last_two_have_shares), "until one of them has left");
	for (int j = 1; j < 3; j++)
		leave(&fleet.crew[j]);
}

static void test_failover(void)
{
	const struct pv_fleet_server promoted = {.timeline = 2};
	join(&fleet.crew[0]);
	ok(await(first_has_all), "a worker has a lease");
	pv_fleet_beats_up(&fleet.crew[0].beats, &promoted);
	ok(fleet.crew[0].failovers == 1 &&
		pv_lease_is_over(&fleet.crew[0].lease, pv_boot_now_ms()),
	    "P1: where another server has taken the place of the old one its "
	    "lease is over at once");
	leave(&fleet.crew[0]);
}

static void open_fleet(void)
{
	memset(&fleet.crew, 0, sizeof(fleet.crew));
	scene_init(&fleet.names);
	scene_open(&fleet.names, "", "");
	uv_timer_init(&fleet.names.loop, &fleet.patience);
	for (int i = 0; i < PV_SAY_COUNT; i++)
		fleet.statements[i] = pv_fleet_statements[i];
	fleet.statements[SLEEP] = (struct pv_fleet_statement){
	    .name = "sleep", .text = "SELECT pg_sleep(100)"};
}

int main(void)
{
	const char *absence = cluster_absence();
	if (absence)
		return tap_skip_all(absence);
	if (!cluster_make(&fleet.cluster))
		return tap_skip_all("PostgreSQL cannot be made to run here");
	open_fleet();
	test_joining();
	test_resting();
	test_calls();
	test_reaping();
	test_waking();
	ok(await(two_have_halves), "what it had is free for the others");
	test_holding();
	test_absence();
	test_silence();
	test_leaving();
	test_low_rates();
	test_failover();
	ok(fleet.exceeded == 0,
	    "P1: at no time had all together more than the whole (%u)",
	    fleet.exceeded);
	uv_close((uv_handle_t *)&fleet.patience, NULL);
	/* A server that was started later has what the name server was. */
	cluster_remove(&fleet.cluster);
	scene_finish(&fleet.names);
	return tap_done();
}
