#include "store/tables/state_hosts.h"

#include "store/scratch_store.h"
#include "store/tables/note.h"
#include "tap.h"

/* Hosts as a frontier writes them: one that waits, and one that is held. */
static const char rows[] =
    "INSERT INTO host_states(name, state, left_ms, until_wall_ms, "
    "address_left_ms, failures, saved_ms) VALUES"
    "('a.example', 1, 900, 5000, 0, 4, 10000),"
    "('b.example', 2, 900, 6000, 300, 0, 10000)";

static bool get(struct pv_database *database, const char *name,
    struct pv_host *host, enum pv_holding *holding)
{
	*host = (struct pv_host){.id = 0};
	return pv_state_hosts_get(database, pv_str_of(name), host, holding);
}

static void test_clocks(struct pv_database *database)
{
	struct pv_host host;
	enum pv_holding holding;
	ok(!get(database, "c.example", &host, &holding),
	    "a host that nobody has found is not known");
	ok(get(database, "a.example", &host, &holding) && host.id == 1 &&
		host.state.left_ms == 900 && host.state.until_wall_ms == 5000 &&
		host.state.failures == 4,
	    "a host is found by its name, with its clock");
	ok(holding == PV_HOST_WAITING, "and with who has it");
	ok(pv_state_hosts_left_at(database) < 0,
	    "while a run goes on, or was killed, nothing was left in order");
	ok(get(database, "b.example", &host, &holding) &&
		holding == PV_HOST_HELD && host.state.left_ms == 900,
	    "then a host that is held is");
}

static void test_left(struct pv_database *database)
{
	struct pv_host host;
	enum pv_holding holding;
	pv_note_set(database, PV_HOSTS_LEFT_NOTE, 10500 + 1);
	ok(pv_state_hosts_left_at(database) == 10500,
	    "a run that ends in good order says when");
	ok(get(database, "b.example", &host, &holding) &&
		holding == PV_HOST_IDLE,
	    "P4: then nobody holds a host");
	ok(host.state.left_ms == 400 && host.state.address_left_ms == 0,
	    "P1: and it rests for what was left at the end");
	ok(get(database, "a.example", &host, &holding) &&
		holding == PV_HOST_WAITING && host.state.left_ms == 900,
	    "P1: one that was given back before stands as it was given back");
	pv_note_set(database, PV_HOSTS_LEFT_NOTE, 9000 + 1);
	ok(get(database, "b.example", &host, &holding) &&
		host.state.left_ms == 900,
	    "P1: a rest never grows");
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	pv_database_run(store->database, rows);
	test_clocks(store->database);
	test_left(store->database);
	ok(pv_database_status(store->database) == PV_STORE_OK,
	    "each question is one that the database understands");
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
