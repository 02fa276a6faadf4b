#include <time.h>

#include "frontier/sqlite/handover_scene.h"
#include "store/tables/robots_table.h"

/* What a worker of a fleet passes on of its state, and what another one takes
 * over: two states, and parcels between them. */

static const struct pv_result leaf = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200, .bytes = 10};

static void test_links(void)
{
	struct worker worker;
	begin(&worker);
	scene_add_page(&worker.scene, "https://x.example/a", 3);
	is_int(scene_take_host(&worker.scene), 0,
	    "a new host is not ours, and not given out");
	is_int(in_state(&worker, PV_STATE_ELSEWHERE), 1,
	    "its address is another worker's");
	are_passed_on(&worker, "l", "which is told of it");
	are_passed_on(&worker, "", "once");
	scene_add_page(&worker.scene, "https://x.example/a", 3);
	are_passed_on(&worker, "", "also when it is found again");
	scene_add_page(&worker.scene, "https://x.example/a", 1);
	are_passed_on(&worker, "l", "but for a stronger standing");
	scene_add(&worker.scene, "https://x.example/no",
	    (struct pv_standing){
		.use = PV_REFUSED, .verdict = {PV_REASON_DEPTH, 0}});
	are_passed_on(
	    &worker, "f", "and of what is refused, for another policy");
	are_passed_on(&worker, "", "once as well");
	own(&worker, "x.example");
	uint64_t host = scene_take_host(&worker.scene);
	ok(host, "a host that is taken over is given out");
	scene_are_next(
	    &worker.scene, host, 10, "a", "with what was found of it before");
	is_int(in_state(&worker, PV_STATE_ELSEWHERE), 0,
	    "and nothing of it is another's any more");
	end(&worker);
}

static void test_rows(void)
{
	struct worker one, other;
	struct pv_parcels parcels;
	begin(&one);
	begin(&other);
	own(&one, "x.example");
	scene_add_page(&one.scene, "https://x.example/a", 0);
	scene_add_page(&one.scene, "https://x.example/b", 1);
	uint64_t host = scene_take_host(&one.scene);
	are_passed_on(&one, "aa", "addresses of a host that is owned");
	struct pv_visit visit = scene_take_visit(&one.scene, host);
	are_passed_on(&one, "", "that a visit is given out changes nothing");
	scene_end_visit(&one.scene, &visit, leaf);
	take(&one, &parcels);
	ok(parcels.count >= 1, "its outcome is passed on");
	is_int(pv_parcels_get(&parcels, 0).state, PV_STATE_DONE,
	    "as what is done");
	scene_add_page(&other.scene, "https://x.example/b", 0);
	scene_add_page(&other.scene, "https://x.example/c", 2);
	ok(put(&other, &parcels), "the other one takes it over");
	is_int(in_state(&other, PV_STATE_DONE), 1, "and knows it as done");
	pv_parcels_finish(&parcels);
	own(&other, "x.example");
	host = scene_take_host(&other.scene);
	scene_are_next(&other.scene, host, 10, "b c",
	    "what it has found itself is visited, what is done is not");
	end(&other);
	end(&one);
}

/* Its host may go to another worker before it is visited. */
static void test_improved(void)
{
	struct worker worker;
	struct pv_parcels parcels;
	begin(&worker);
	own(&worker, "x.example");
	scene_add_page(&worker.scene, "https://x.example/a", 5);
	uint64_t host = scene_take_host(&worker.scene);
	scene_take_visit(&worker.scene, host);
	are_passed_on(&worker, "a", "an address is passed on");
	scene_add_page(&worker.scene, "https://x.example/a", 5);
	are_passed_on(&worker, "", "a link that adds nothing is not");
	scene_add_page(&worker.scene, "https://x.example/a", 1);
	take(&worker, &parcels);
	ok(parcels.count == 1 &&
		pv_parcels_get(&parcels, 0).state == PV_STATE_PENDING,
	    "P3: what a link adds to an address that is given out is");
	pv_parcels_finish(&parcels);
	end(&worker);
}

/* What is known of the host at its owner, and was found better here. */
static void test_join(void)
{
	struct worker one, other;
	struct pv_parcels parcels;
	begin(&one);
	begin(&other);
	own(&one, "x.example");
	scene_add(&one.scene, "https://x.example/a",
	    (struct pv_standing){
		.use = PV_REFUSED, .verdict = {PV_REASON_DEPTH, 0}});
	take(&one, &parcels);
	is_int(pv_parcels_get(&parcels, 0).state, PV_STATE_REFUSED,
	    "what an owner refuses is passed on as a row");
	scene_add_page(&other.scene, "https://x.example/a", 0);
	ok(put(&other, &parcels), "it is taken over");
	own(&other, "x.example");
	uint64_t host = scene_take_host(&other.scene);
	scene_are_next(&other.scene, host, 10, "a",
	    "and what was found better here is visited after all");
	pv_parcels_finish(&parcels);
	end(&other);
	end(&one);
}

/* A policy that admits what another one has refused. */
static bool admit(
    void *ctx, const struct pv_known *known, struct pv_standing *standing)
{
	(void)ctx;
	(void)known;
	*standing = (struct pv_standing){.use = PV_PAGE, .depth_left = 1};
	return true;
}

static struct pv_rejudging *since(void *ctx, uint64_t policy)
{
	(void)policy;
	return ctx;
}

/* Comes to the host's owner as a link, by the database. */
static void test_refused(void)
{
	bool is_open[PV_REASON_COUNT] = {[PV_REASON_DEPTH] = true};
	struct pv_rejudging rejudging = {.judge = admit, .is_open = is_open};
	struct worker one, other;
	struct pv_parcels parcels, links;
	begin(&one);
	begin(&other);
	scene_add(&one.scene, "https://x.example/a",
	    (struct pv_standing){
		.use = PV_REFUSED, .verdict = {PV_REASON_DEPTH, 0}});
	take(&one, &parcels);
	struct pv_parcel link = pv_parcels_get(&parcels, 0);
	is_int(link.kind, PV_PARCEL_REFUSED,
	    "what is refused at another's host is passed on as that");
	link.kind = PV_PARCEL_LINK;
	pv_parcels_init(&links, 1 << 20);
	pv_parcels_add(&links, &link);
	ok(put(&other, &links) && in_state(&other, PV_STATE_ELSEWHERE) == 0 &&
		in_state(&other, PV_STATE_REFUSED) == 0,
	    "by the same policy nothing becomes of it");
	other.handover.renewal = (struct pv_renewal){
	    .policy = 2, .round = 1, .since = since, .ctx = &rejudging};
	ok(put(&other, &links), "by another one");
	is_int(in_state(&other, PV_STATE_ELSEWHERE), 1,
	    "P3: it is to be visited, if that admits it");
	pv_parcels_finish(&links);
	pv_parcels_finish(&parcels);
	end(&other);
	end(&one);
}

/* The first page was read in that round, and gave rows of that digest. */
static void run_read(struct step *step)
{
	struct pv_handover *handover = &step->worker->handover;
	const struct pv_copy_row copy = {.round = (uint64_t)step->count};
	const struct pv_page_rows rows = {.kind = PV_STR("item"),
	    .count = 1,
	    .items = PV_STR("1"),
	    .digest = pv_str_of(step->text)};
	pv_copy_table_set(&handover->tables->copies, 1, &copy);
	pv_page_rows_table_set(&handover->rows, 1, &rows);
}

static void run_forget(struct step *step)
{
	pv_page_rows_table_remove_distant(&step->worker->handover.rows, 1);
}

static void note_read(struct worker *worker, int64_t round, const char *digest)
{
	do_step(worker,
	    &(struct step){.run = run_read, .count = round, .text = digest});
}

static int64_t count_distant(struct worker *worker)
{
	return scene_number(
	    &worker->scene, "SELECT count(*) FROM distant_rows");
}

/* The page is known to two workers, and comes from the one to the other. */
static void test_page_rows(void)
{
	struct worker one, other;
	struct pv_parcels parcels;
	begin(&one);
	begin(&other);
	own(&one, "x.example");
	scene_add_page(&one.scene, "https://x.example/a", 0);
	scene_add_page(&other.scene, "https://x.example/a", 0);
	uint64_t host = scene_take_host(&one.scene);
	struct pv_visit visit = scene_take_visit(&one.scene, host);
	scene_end_visit(&one.scene, &visit, leaf);
	note_read(&one, 2, "new");
	take(&one, &parcels);
	ok(put(&other, &parcels) && count_distant(&other) == 1,
	    "what rows a page gave goes with its address");
	note_read(&other, 1, "new");
	put(&other, &parcels);
	is_int(count_distant(&other), 0, "but to who has the same");
	note_read(&other, 1, "old");
	put(&other, &parcels);
	is_int(count_distant(&other), 1, "if older ones, it goes");
	do_step(&other, &(struct step){.run = run_forget});
	note_read(&other, 3, "newer");
	put(&other, &parcels);
	is_int(count_distant(&other), 0,
	    "P3: those that were read here since are not another's");
	pv_parcels_finish(&parcels);
	end(&other);
	end(&one);
}

static void run_robots(struct step *step)
{
	struct pv_saved_robots saved = {.is_there = true,
	    .state = 1,
	    .asked_wall_ms = 1000,
	    .until_wall_ms = 5000};
	pv_robots_table_set(step->worker->handover.database,
	    PV_STR("https://x.example"), &saved, NULL);
	saved.http_status = 404;
	pv_robots_table_set(step->worker->handover.database,
	    PV_STR("https://x.example"), &saved, NULL);
}

/* Saved by an upsert, the second time over a change that was not passed on yet. */
static void test_robots(void)
{
	struct worker worker;
	struct step save = {.run = run_robots};
	struct pv_parcels parcels;
	begin(&worker);
	own(&worker, "x.example");
	do_step(&worker, &save);
	is_int(worker.scene.status, PV_STORE_OK,
	    "a robots.txt may change again before it is passed on");
	take(&worker, &parcels);
	size_t count = 0;
	for (size_t i = 0; i < parcels.count; i++)
		count += pv_parcels_get(&parcels, i).kind == PV_PARCEL_ROBOTS;
	is_int(count, 1, "and is passed on once");
	pv_parcels_finish(&parcels);
	do_step(&worker, &save);
	do_step(&worker, &(struct step){.run = run_give_all});
	are_passed_on(&worker, "",
	    "that of a lost host is not: its next owner may have a newer one");
	end(&worker);
}

#define HOUR_MS INT64_C(3600000)

static void run_robots_look(struct step *step)
{
	struct pv_saved_robots saved;
	struct pv_buf copy;
	pv_buf_init(&copy, 100);
	step->is_done = pv_robots_table_get(step->worker->handover.database,
			    PV_STR("https://x.example"), &saved, &copy) &&
			saved.asked_wall_ms == 1200 &&
			saved.until_wall_ms == 5200 &&
			saved.failed_since_wall_ms == 0;
	pv_buf_finish(&copy);
}

/* Each knows how far its own clock is from the server's. */
static void test_robots_time(void)
{
	struct worker one, other;
	struct pv_parcels parcels;
	begin(&one);
	begin(&other);
	one.handover.server_ahead_ms = -HOUR_MS;
	other.handover.server_ahead_ms = -HOUR_MS - 200;
	own(&one, "x.example");
	do_step(&one, &(struct step){.run = run_robots});
	take(&one, &parcels);
	ok(put(&other, &parcels), "a robots.txt goes to another worker");
	ok(do_step(&other, &(struct step){.run = run_robots_look}),
	    "for whom it was asked when it was, by its own clock");
	pv_parcels_finish(&parcels);
	end(&other);
	end(&one);
}

static void test_leaving(void)
{
	struct worker worker;
	struct step leave = {.run = run_leave, .host = PV_STR("x.example")};
	begin(&worker);
	own(&worker, "x.example");
	scene_add_page(&worker.scene, "https://x.example/a", 0);
	scene_add_page(&worker.scene, "https://x.example/b", 1);
	uint64_t host = scene_take_host(&worker.scene);
	ok(!do_step(&worker, &leave), "a host that is held does not leave");
	scene_give_host(
	    &worker.scene, host, (struct pv_host_state){.left_ms = 0});
	ok(do_step(&worker, &leave), "one that was given back does");
	is_int(scene_take_host(&worker.scene), 0, "it is not given out");
	scene_add_page(&worker.scene, "https://x.example/c", 1);
	are_passed_on(&worker, "aaha",
	    "what is found of it until then is passed on as rows");
	do_step(&worker,
	    &(struct step){.run = run_give, .host = PV_STR("x.example")});
	is_int(in_state(&worker, PV_STATE_PENDING), 0,
	    "when it was given away nothing of it is pending here");
	are_passed_on(&worker, "", "that is no news");
	scene_add_page(&worker.scene, "https://x.example/d", 1);
	are_passed_on(&worker, "l", "what is found of it now is a link");
	end(&worker);
}

/* Who takes a host over does not know when it was asked last. */
static void test_delay(void)
{
	struct worker worker;
	begin(&worker);
	do_step(&worker, &(struct step){.run = run_own,
			     .host = PV_STR("x.example"),
			     .owes_delay = true});
	own(&worker, "y.example");
	is_int(scene_number(&worker.scene,
		   "SELECT owes_delay FROM host_states WHERE name = "
		   "'x.example'"),
	    1, "a host that others have owned owes its whole delay");
	is_int(scene_number(&worker.scene,
		   "SELECT owes_delay FROM host_states WHERE name = "
		   "'y.example'"),
	    0, "one that nobody has owned does not");
	end(&worker);
}

struct listing {
	struct step step;
	bool has_long_rests;
	struct pv_buf hosts;
};

static void note_busy(void *ctx, struct pv_str host, enum pv_asked asked)
{
	static const char *const where[] = {[PV_ASKED_NEVER] = "",
	    [PV_ASKED_ELSEWHERE] = " elsewhere",
	    [PV_ASKED_HERE] = " here"};
	pv_buf_append_format(
	    ctx, "%c%s ", host.len ? *host.ptr : '-', where[asked]);
}

static void run_busy(struct step *step)
{
	struct listing *listing = (struct listing *)step;
	pv_handover_each_busy(&step->worker->handover, listing->has_long_rests,
	    note_busy, &listing->hosts);
}

static void are_listed(struct worker *worker, bool has_long_rests,
    const char *wanted, const char *claim)
{
	struct listing listing = {
	    .step = {.run = run_busy}, .has_long_rests = has_long_rests};
	pv_buf_init(&listing.hosts, 1000);
	do_step(worker, &listing.step);
	is_text(pv_buf_str(&listing.hosts), wanted, "%s", claim);
	pv_buf_finish(&listing.hosts);
}

static void are_busy(
    struct worker *worker, const char *wanted, const char *claim)
{
	are_listed(worker, false, wanted, claim);
}

static struct pv_visit take_all(struct worker *worker, uint64_t host)
{
	struct pv_visit visit = scene_take_visit(&worker->scene, host);
	scene_are_next(
	    &worker->scene, host, 1, "", "nothing more is given out");
	return visit;
}

/* The same of a host's own rests: 4 hours of that clock, 3 of the other. */
static void test_host_time(void)
{
	struct worker one, other;
	struct pv_parcels parcels;
	begin(&one);
	begin(&other);
	one.handover.server_ahead_ms = -HOUR_MS;
	other.handover.server_ahead_ms = HOUR_MS;
	own(&one, "x.example");
	scene_add_page(&one.scene, "https://x.example/a", 0);
	uint64_t host = scene_take_host(&one.scene);
	scene_give_host(&one.scene, host,
	    (struct pv_host_state){.rest_until_wall_ms = 4 * HOUR_MS,
		.window_until_wall_ms = 5 * HOUR_MS,
		.nameless_until_wall_ms = 6 * HOUR_MS,
		.name_failed_wall_ms = HOUR_MS});
	take(&one, &parcels);
	ok(put(&other, &parcels), "a host goes to another worker");
	static const struct {
		const char *column;
		int64_t wanted;
	} rows[] = {{"rest_until_wall_ms", 2 * HOUR_MS},
	    {"window_until_wall_ms", 3 * HOUR_MS},
	    {"nameless_until_wall_ms", 4 * HOUR_MS},
	    {"name_failed_wall_ms", 1}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char sql[100];
		snprintf(sql, sizeof(sql),
		    "SELECT %s FROM host_states WHERE name = 'x.example'",
		    rows[i].column);
		is_int(scene_number(&other.scene, sql), rows[i].wanted,
		    "P1: %s is meant by its own clock there", rows[i].column);
	}
	pv_parcels_finish(&parcels);
	end(&other);
	end(&one);
}

static void test_page_time(void)
{
	struct worker one, other;
	struct pv_parcels parcels;
	begin(&one);
	begin(&other);
	one.handover.server_ahead_ms = HOUR_MS;
	own(&one, "x.example");
	scene_add_page(&one.scene, "https://x.example/a", 0);
	uint64_t host = scene_take_host(&one.scene);
	scene_try_again(&one.scene, PV_REPORT_AGAIN,
	    scene_take_visit(&one.scene, host)); /* not before 4711 */
	take(&one, &parcels);
	ok(put(&other, &parcels), "a page that rests goes to another worker");
	is_int(scene_number(
		   &other.scene, "SELECT not_before_wall_ms FROM addresses"),
	    HOUR_MS + 4711, "P1: as long as it did, by its own clock");
	pv_parcels_finish(&parcels);
	end(&other);
	end(&one);
}

/* What a host has asked for is longer than its delay, and ends by the wall clock. */
static void test_wait(void)
{
	static const struct {
		struct pv_host_state state;
		int64_t left_ms;
		const char *claim;
	} rows[] = {
	    {{.left_ms = 500}, 500, "what is left of a delay is passed on"},
	    {{.left_ms = 500,
		 .until_wall_ms = HANDOVER_WALL_MS + 3600000,
		 .wait_ms = 3600000},
		3600000, "P1: and what is left of a Retry-After"},
	    {{.until_wall_ms = HANDOVER_WALL_MS - 1, .wait_ms = 3600000}, 0,
		"nothing of one that is over"},
	    {{.until_wall_ms = INT64_MAX, .wait_ms = 3600000}, 3600000,
		"never more than the whole, whatever the clock says"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct worker worker;
		struct pv_parcels parcels;
		struct pv_parcel found = {.left_ms = -1};
		begin(&worker);
		own(&worker, "x.example");
		scene_add_page(&worker.scene, "https://x.example/a", 0);
		uint64_t host = scene_take_host(&worker.scene);
		struct pv_host_state state = rows[i].state;
		state.saved_ms = worker.scene.now;
		scene_give_host(&worker.scene, host, state);
		take(&worker, &parcels);
		for (size_t j = 0; j < parcels.count; j++) {
			struct pv_parcel parcel = pv_parcels_get(&parcels, j);
			if (parcel.kind == PV_PARCEL_HOST)
				found = parcel;
		}
		is_int(found.left_ms, rows[i].left_ms, "%s", rows[i].claim);
		pv_parcels_finish(&parcels);
		end(&worker);
	}
}

static void lose_with(struct worker *worker, const struct pv_host_state *rest)
{
	begin(worker);
	own(worker, "x.example");
	scene_add_page(&worker->scene, "https://x.example/a", 0);
	uint64_t host = scene_take_host(&worker->scene);
	are_passed_on(worker, "a", "a worker owns a host");
	struct pv_host_state state = *rest;
	state.saved_ms = worker->scene.now;
	scene_give_host(&worker->scene, host, state);
	do_step(worker, &(struct step){.run = run_give_all});
}

static void run_left(struct step *step)
{
	enum pv_holding holding;
	uint64_t id = pv_host_table_find(
	    &step->worker->handover.tables->hosts, step->host, 0, &holding);
	step->count = pv_handover_left(&step->worker->handover, id,
	    (struct pv_time){step->worker->scene.now, HANDOVER_WALL_MS});
}

/* It has asked for an hour, and was lost before that was passed on. */
static void test_lost_rest(void)
{
	struct worker worker;
	struct step left = {.run = run_left, .host = PV_STR("x.example")};
	const struct pv_host_state hour = {
	    .until_wall_ms = HANDOVER_WALL_MS + HOUR_MS, .wait_ms = HOUR_MS};
	lose_with(&worker, &hour);
	are_passed_on(&worker, "w",
	    "P1: what a host has asked for is passed on after it was lost");
	are_passed_on(&worker, "", "once");
	end(&worker);
	lose_with(&worker, &(struct pv_host_state){.wait_ms = HOUR_MS});
	are_passed_on(&worker, "", "but not what is over");
	end(&worker);
	lose_with(&worker, &(struct pv_host_state){.left_ms = 400});
	are_passed_on(&worker, "", "nor a delay that is over in a moment");
	end(&worker);
	lose_with(&worker, &hour);
	struct pv_parcels parcels;
	struct worker other;
	begin(&other);
	own(&other, "x.example");
	scene_add_page(&other.scene, "https://x.example/a", 0);
	scene_give_host(&other.scene, scene_take_host(&other.scene),
	    (struct pv_host_state){.wait_ms = 1000, .left_ms = 1});
	take(&other, &parcels);
	put(&worker, &parcels);
	own(&worker, "x.example");
	do_step(&worker, &left);
	ok(left.count > HOUR_MS / 2,
	    "P1: and counts here, if the host comes back (%lld ms)",
	    (long long)left.count);
	pv_parcels_finish(&parcels);
	end(&other);
	end(&worker);
}

/* A gift that was under way when the run ended. */
static void test_departing(void)
{
	struct worker worker;
	struct step leave = {.run = run_leave, .host = PV_STR("x.example")};
	begin(&worker);
	own(&worker, "x.example");
	scene_add_page(&worker.scene, "https://x.example/a", 0);
	ok(do_step(&worker, &leave), "a host is to go to another worker");
	is_int(scene_take_host(&worker.scene), 0, "so it is not given out");
	pv_writer_stop(&worker.scene.store->writer);
	pv_handover_close(&worker.handover);
	scene_close(&worker.scene);
	ok(scene_open(&worker.scene), "the next run begins");
	ok(scene_take_host(&worker.scene) != 0,
	    "P3: it stays with this worker, and is given out");
	end(&worker);
}

/* Only what has something left can be shared with workers that have nothing. */
static void test_busy(void)
{
	struct worker worker;
	begin(&worker);
	do_step(&worker, &(struct step){.run = run_own,
			     .host = PV_STR("x.example"),
			     .owes_delay = true});
	own(&worker, "y.example");
	own(&worker, "z.example");
	scene_add_page(&worker.scene, "https://x.example/a", 0);
	are_busy(&worker, "x elsewhere ",
	    "a host of others has been asked elsewhere, and one without pages "
	    "is not busy");
	scene_add_page(&worker.scene, "https://y.example/a", 0);
	are_busy(&worker, "x elsewhere y ", "one that is new never has");
	uint64_t first = scene_take_host(&worker.scene);
	uint64_t second = scene_take_host(&worker.scene);
	struct pv_visit visits[] = {
	    take_all(&worker, first), take_all(&worker, second)};
	are_busy(&worker, "x elsewhere y ",
	    "that all was given out of what is left changes nothing");
	scene_end_visit(&worker.scene, &visits[0], leaf);
	scene_end_visit(&worker.scene, &visits[1], leaf);
	are_busy(&worker, "", "what is held with nothing left is not busy");
	scene_give_host(&worker.scene, first,
	    (struct pv_host_state){.took_ms = 5, .wait_ms = 1000});
	scene_give_host(
	    &worker.scene, second, (struct pv_host_state){.wait_ms = 70000});
	scene_add_page(&worker.scene, "https://x.example/b", 0);
	scene_add_page(&worker.scene, "https://y.example/b", 0);
	are_busy(&worker, "x here ",
	    "what was asked here is, and what rests for long is not busy");
	are_listed(
	    &worker, true, "x here y here ", "but it has something left");
	end(&worker);
}

#define MARKS 200
#define WAITING "40000"

static void run_sql(struct step *step)
{
	for (int64_t i = 0; i < step->count; i++)
		pv_database_run(step->worker->handover.database, step->text);
}

static double seconds_of(struct worker *worker, const char *sql)
{
	clock_t before = clock();
	do_step(worker,
	    &(struct step){.run = run_sql, .text = sql, .count = MARKS});
	return (double)(clock() - before) / CLOCKS_PER_SEC;
}

/* A database that is slow, or away, leaves much to be passed on: that must not slow
 * down the crawl, too. */
static void test_many_marks(void)
{
	static const struct {
		const char *sql;
		const char *what;
	} rows[] = {
	    {"UPDATE addresses SET attempt = attempt + 1", "an address"},
	    {"UPDATE host_states SET pages = pages + 1", "a host"},
	    {"UPDATE authorities SET failures = failures + 1", "a robots.txt"},
	    {"UPDATE trap_refusals SET count = count + 1", "refusals"},
	};
	struct worker worker;
	double few[sizeof(rows) / sizeof(*rows)];
	begin(&worker);
	own(&worker, "x.example");
	scene_add_page(&worker.scene, "https://x.example/a", 0);
	do_step(&worker,
	    &(struct step){.run = run_sql,
		.count = 1,
		.text =
		    "INSERT INTO authorities VALUES('https://x.example', 0, "
		    "0, 0, 0, 0, 0, NULL, 0, NULL); "
		    "INSERT INTO trap_refusals VALUES(1, 1)"});
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		few[i] = seconds_of(&worker, rows[i].sql);
	do_step(&worker,
	    &(struct step){.run = run_sql,
		.count = 1,
		.text = "INSERT INTO unsent(kind, key) WITH RECURSIVE "
			"counted(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM "
			"counted WHERE n < " WAITING ") SELECT k.value, iif("
			"k.value = 2, 'a' || n, -n) FROM counted, json_each("
			"'[0, 1, 2, 8]') AS k"});
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		double many = seconds_of(&worker, rows[i].sql);
		ok(many < 20 * few[i],
		    "to mark %s costs the same where " WAITING
		    " others wait to be passed on: %.1f times",
		    rows[i].what, many / few[i]);
	}
	end(&worker);
}

static void test_hostile(void)
{
	static const char *const bytes[] = {"", "\x02",
	    "\xff\xff\xff\xff\xff\xff"
	    "\xff\xff\xff\xff\xff\xff",
	    "\x08http"};
	struct worker worker;
	begin(&worker);
	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++) {
		struct pv_parcels parcels;
		pv_parcels_init(&parcels, 1000);
		pv_parcels_add(
		    &parcels, &(struct pv_parcel){.kind = PV_PARCEL_ADDRESS,
				  .host = PV_STR("x.example"),
				  .bytes = pv_str_of(bytes[i])});
		ok(!put(&worker, &parcels),
		    "bytes that make no sense are refused");
		pv_parcels_finish(&parcels);
	}
	is_int(scene_number(&worker.scene, "SELECT count(*) FROM addresses"), 0,
	    "and change nothing");
	end(&worker);
}

int main(void)
{
	test_links();
	test_rows();
	test_improved();
	test_join();
	test_refused();
	test_page_rows();
	test_robots();
	test_robots_time();
	test_leaving();
	test_delay();
	test_host_time();
	test_page_time();
	test_wait();
	test_lost_rest();
	test_departing();
	test_busy();
	test_many_marks();
	test_hostile();
	return tap_done();
}
