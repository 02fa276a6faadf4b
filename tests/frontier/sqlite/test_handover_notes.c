#include "frontier/sqlite/handover_notes.h"

#include "frontier/sqlite/handover_scene.h"

/* What goes with a host to its next owner beside its rows. */

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

int main(void)
{
	test_notes();
	test_vouchers();
	test_refusals();
	return tap_done();
}
