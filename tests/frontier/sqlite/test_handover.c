#include "frontier/scene.h"

#include "frontier/sqlite/handover.h"
#include "frontier/sqlite/handover_in.h"
#include "frontier/sqlite/handover_notes.h"
#include "frontier/sqlite/handover_out.h"
#include "frontier/sqlite/handover_owners.h"
#include "store/tables/robots_table.h"

/* What a worker of a fleet passes on of its state, and what another one takes
 * over: two states, and parcels between them. */

#define is_int(found, wanted, ...) \
	ok((int64_t)(found) == (int64_t)(wanted), __VA_ARGS__)

static const struct pv_result leaf = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200, .bytes = 10};

struct worker {
	struct scene scene;
	struct pv_handover handover;
};

/* One thing that is done to a worker's tables. */
struct step {
	struct pv_tables_work work;
	struct worker *worker;
	void (*run)(struct step *step);
	struct pv_parcels *parcels;
	struct pv_str host;
	bool owes_delay;
	const char *text;
	int64_t count;
	bool is_done;
};

static void run_step(struct pv_tables_work *work, struct pv_tables *tables)
{
	struct step *step = (struct step *)work;
	(void)tables;
	step->run(step);
}

static void end_step(struct pv_tables_work *work, enum pv_store_status status)
{
	struct step *step = (struct step *)work;
	step->worker->scene.status = status;
}

static bool do_step(struct worker *worker, struct step *step)
{
	step->work = (struct pv_tables_work){
	    .run = run_step, .done = end_step, .rows = 1};
	step->worker = worker;
	pv_sqlite_frontier_work(
	    worker->scene.frontier, &step->work, worker->scene.now);
	scene_settle(&worker->scene);
	return step->is_done;
}

static void run_take(struct step *step)
{
	pv_handover_take(&step->worker->handover, 1000, step->worker->scene.now,
	    step->parcels);
}

static void run_sent(struct step *step)
{
	pv_handover_sent(&step->worker->handover, step->parcels->change);
}

static void run_put(struct step *step)
{
	step->is_done = true;
	for (size_t i = 0; i < step->parcels->count; i++) {
		struct pv_parcel parcel = pv_parcels_get(step->parcels, i);
		step->is_done = pv_handover_put(&step->worker->handover,
				    &parcel, (struct pv_time){1000, 5000}) &&
				step->is_done;
	}
}

static void run_own(struct step *step)
{
	pv_handover_own(&step->worker->handover, step->host, step->owes_delay);
}

static void run_leave(struct step *step)
{
	step->is_done = pv_handover_leave(&step->worker->handover, step->host);
}

static void run_give(struct step *step)
{
	pv_handover_give(&step->worker->handover, step->host);
}

static void run_give_all(struct step *step)
{
	pv_handover_give_all(&step->worker->handover);
}

static void before_start(struct scene *scene)
{
	struct worker *worker = (struct worker *)scene;
	pv_handover_open(&worker->handover,
	    pv_sqlite_frontier_tables(scene->frontier), &scene->frontier->key);
}

static void begin(struct worker *worker)
{
	worker->scene = (struct scene){.recent_count = 1024,
	    .count_ceiling = 1000,
	    .now = 1000,
	    .before_start = before_start,
	    .descriptors = descriptors_count()};
	ok(scratch_make(&worker->scene.scratch) && scene_open(&worker->scene),
	    "a worker opens its state");
}

static void end(struct worker *worker)
{
	pv_writer_stop(&worker->scene.store->writer);
	pv_handover_close(&worker->handover);
	scene_finish(&worker->scene);
}

static void own(struct worker *worker, const char *host)
{
	do_step(
	    worker, &(struct step){.run = run_own, .host = pv_str_of(host)});
}

static void take(struct worker *worker, struct pv_parcels *parcels)
{
	pv_parcels_init(parcels, 1 << 20);
	do_step(worker, &(struct step){.run = run_take, .parcels = parcels});
	do_step(worker, &(struct step){.run = run_sent, .parcels = parcels});
}

static bool put(struct worker *worker, struct pv_parcels *parcels)
{
	return do_step(
	    worker, &(struct step){.run = run_put, .parcels = parcels});
}

/* "address link host": the kinds of what is passed on, by their first
 * letters. */
static void are_passed_on(
    struct worker *worker, const char *wanted, const char *claim)
{
	static const char letters[] = "alhrsnv";
	struct pv_parcels parcels;
	struct pv_buf kinds;
	pv_buf_init(&kinds, 100);
	take(worker, &parcels);
	for (size_t i = 0; i < parcels.count; i++)
		pv_buf_append_char(
		    &kinds, letters[pv_parcels_get(&parcels, i).kind]);
	is_text(pv_buf_str(&kinds), wanted, "%s", claim);
	pv_parcels_finish(&parcels);
	pv_buf_finish(&kinds);
}

static int64_t in_state(struct worker *worker, enum pv_address_state state)
{
	return (int64_t)scene_count(&worker->scene).states[state];
}

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
	are_passed_on(&worker, "", "what is refused is nobody else's business");
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

static void run_robots(struct step *step)
{
	struct pv_saved_robots saved = {.is_there = true, .state = 1};
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

static void set_bodies(
    struct worker *worker, int64_t slot, const char *host, int64_t count)
{
	struct pv_trap_table table;
	const struct pv_trap_body body = {
	    .slot = slot,
	    .key = (uint64_t)slot + 1,
	    .body = 2,
	    .count = count,
	    .host =
		pv_handover_notes_owner(&worker->handover.key, pv_str_of(host)),
	};
	pv_trap_table_init(&table, worker->handover.database);
	if (count > 1)
		pv_trap_table_set_body(&table, &body);
	else
		pv_trap_table_unset_body(&table, slot);
	pv_trap_table_finish(&table);
}

static void run_bodies(struct step *step)
{
	set_bodies(step->worker, 3, step->text, step->count);
}

static void run_session(struct step *step)
{
	struct pv_trap_table table;
	pv_trap_table_init(&table, step->worker->handover.database);
	pv_trap_table_add_session(&table, &(struct pv_trap_session){7, 8});
	pv_trap_table_finish(&table);
}

static void count_bodies(struct worker *worker, const char *host, int64_t count)
{
	do_step(worker,
	    &(struct step){.run = run_bodies, .text = host, .count = count});
}

/* What is passed on next is one note of that count; 0: its row is no more. */
static void is_counted(struct worker *worker, int64_t count, const char *claim)
{
	struct pv_parcels parcels;
	struct pv_trap_body body = {.count = -1};
	take(worker, &parcels);
	bool is_one = parcels.count == 1;
	struct pv_parcel parcel = {.kind = PV_PARCEL_KINDS};
	if (is_one)
		parcel = pv_parcels_get(&parcels, 0);
	bool is_read = is_one && pv_handover_notes_read(parcel.bytes, &body);
	ok(is_one && parcel.kind == PV_PARCEL_NOTE && parcel.key == 3 &&
		(count ? is_read && body.count == count && body.key == 4
		       : !parcel.bytes.len),
	    "%s", claim);
	pv_parcels_finish(&parcels);
}

/* What is counted beside a host's rows. */
static void test_notes(void)
{
	struct worker worker;
	struct step session = {.run = run_session};
	begin(&worker);
	own(&worker, "x.example");
	own(&worker, "y.example");
	count_bodies(&worker, "z.example", 5);
	are_passed_on(&worker, "",
	    "what is counted of another worker's host is its business");
	count_bodies(&worker, "x.example", 5);
	count_bodies(&worker, "x.example", 6);
	is_counted(&worker, 6, "of an own host a count is passed on, once");
	count_bodies(&worker, "y.example", 2);
	are_passed_on(&worker, "nn",
	    "where a slot becomes another host's, that it is no more the "
	    "first one's as well");
	count_bodies(&worker, "y.example", 1);
	is_counted(&worker, 0, "that a count has ended is passed on");
	do_step(&worker,
	    &(struct step){.run = run_leave, .host = PV_STR("x.example")});
	do_step(&worker,
	    &(struct step){.run = run_give, .host = PV_STR("x.example")});
	count_bodies(&worker, "x.example", 9);
	are_passed_on(
	    &worker, "", "when the host was given away nothing of it is");
	own(&worker, "x.example");
	count_bodies(&worker, "x.example", 12);
	do_step(&worker, &(struct step){.run = run_give_all});
	are_passed_on(&worker, "",
	    "what was not passed on of a lost host stays behind: its next "
	    "owner has counted on");
	do_step(&worker, &session);
	are_passed_on(&worker, "n", "a session identifier is in any case");
	do_step(&worker, &session);
	are_passed_on(&worker, "", "once");
	end(&worker);
}

static void run_voucher(struct step *step)
{
	pv_voucher_table_add(step->worker->handover.database,
	    &(struct pv_voucher){
		(uint64_t)-5, PV_STR("a.example"), step->host});
}

static void vouch(struct worker *worker, const char *at)
{
	do_step(
	    worker, &(struct step){.run = run_voucher, .host = pv_str_of(at)});
}

static void run_refusals(struct step *step)
{
	int64_t count = 0;
	struct pv_parcel parcel = pv_parcels_get(step->parcels, 0);
	step->is_done = parcel.state == PV_NOTE_REFUSALS &&
			pv_numbers_unpack(parcel.bytes, &count, 1) &&
			count == 2 &&
			pv_handover_notes_put_refusals(&step->worker->handover,
			    PV_STR("x.example"), parcel.bytes) &&
			!pv_handover_notes_put_refusals(&step->worker->handover,
			    PV_STR("x.example"), PV_STR("1 2"));
}

static void run_trap(struct step *step)
{
	pv_database_run(step->worker->handover.database,
	    "INSERT INTO trap_refusals(host, count) SELECT id, 1 FROM "
	    "host_states WHERE name = 'x.example' ON CONFLICT(host) DO UPDATE "
	    "SET count = count + 1");
}

/* How many addresses traps have refused on a host's pages. */
static void test_refusals(void)
{
	struct worker one, other;
	struct pv_parcels parcels;
	struct step trap = {.run = run_trap};
	begin(&one);
	begin(&other);
	own(&one, "x.example");
	own(&other, "x.example");
	do_step(&one, &trap);
	do_step(&one, &trap);
	take(&one, &parcels);
	is_int(parcels.count, 1, "a count of refusals is passed on, once");
	ok(do_step(&other,
	       &(struct step){.run = run_refusals, .parcels = &parcels}),
	    "another worker reads it");
	is_int(scene_number(&other.scene, "SELECT count FROM trap_refusals"), 2,
	    "and counts on from there");
	pv_parcels_finish(&parcels);
	do_step(&one,
	    &(struct step){.run = run_leave, .host = PV_STR("x.example")});
	do_step(
	    &one, &(struct step){.run = run_give, .host = PV_STR("x.example")});
	do_step(&one, &trap);
	are_passed_on(&one, "", "when the host was given away it is not");
	end(&other);
	end(&one);
}

/* A host vouches for a sitemap of another one. */
static void test_vouchers(void)
{
	struct worker one, other;
	struct pv_parcels parcels;
	struct pv_voucher voucher = {.sitemap = 0};
	begin(&one);
	begin(&other);
	own(&one, "own.example");
	vouch(&other, "own.example");
	take(&other, &parcels);
	ok(parcels.count == 2 &&
		pv_parcels_get(&parcels, 0).kind == PV_PARCEL_NOTE &&
		pv_parcels_get(&parcels, 1).kind == PV_PARCEL_VOUCHER,
	    "a voucher for a sitemap of another worker's host is kept for "
	    "all, and told to that one");
	ok(pv_handover_notes_read_voucher(
	       pv_parcels_get(&parcels, 1).bytes, &voucher),
	    "it can be read there");
	is_int(voucher.sitemap, -5, "which sitemap it is");
	is_text(voucher.host, "a.example", "for which host");
	is_text(voucher.at, "own.example", "and where");
	pv_parcels_finish(&parcels);
	vouch(&other, "own.example");
	are_passed_on(&other, "", "it is passed on once");
	vouch(&one, "own.example");
	are_passed_on(&one, "n", "one for an own host is only kept");
	ok(!pv_handover_notes_read_voucher(PV_STR("1 a"), &voucher) &&
		!pv_handover_notes_read_voucher(PV_STR("x a\nb"), &voucher) &&
		!pv_handover_notes_read_voucher(PV_STR(""), &voucher) &&
		!pv_handover_notes_read_voucher(PV_STR("1 \n"), &voucher),
	    "what makes no sense is none");
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
	test_join();
	test_robots();
	test_notes();
	test_vouchers();
	test_refusals();
	test_leaving();
	test_delay();
	test_hostile();
	return tap_done();
}
