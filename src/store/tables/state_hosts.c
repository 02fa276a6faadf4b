#include "store/tables/state_hosts.h"

#include "store/statement.h"
#include "store/tables/note.h"

/* Behind the columns of a host. */
#define HOLDING 25

struct pv_host pv_state_host_read(const struct pv_statement *row)
{
	return (struct pv_host){
	    .id = (uint64_t)pv_statement_number(row, 0),
	    .name = pv_statement_text(row, 1),
	    .owes_delay = pv_statement_number(row, 2) != 0,
	    .state =
		{
		    .left_ms = pv_statement_number(row, 3),
		    .until_wall_ms = pv_statement_number(row, 4),
		    .wait_ms = pv_statement_number(row, 5),
		    .wait_reason = pv_statement_number(row, 6),
		    .took_ms = pv_statement_number(row, 7),
		    .rest_ms = pv_statement_number(row, 8),
		    .rest_until_wall_ms = pv_statement_number(row, 9),
		    .window_until_wall_ms = pv_statement_number(row, 10),
		    .window_count = pv_statement_number(row, 11),
		    .blocks = pv_statement_number(row, 12),
		    .pages = pv_statement_number(row, 13),
		    .bytes = pv_statement_number(row, 14),
		    .address_left_ms = pv_statement_number(row, 15),
		    .address_until_wall_ms = pv_statement_number(row, 16),
		    .address_wait_ms = pv_statement_number(row, 17),
		    .failures = pv_statement_number(row, 18),
		    .nameless_until_wall_ms = pv_statement_number(row, 19),
		    .left_reason = pv_statement_number(row, 20),
		    .retry_debt = pv_statement_number(row, 21),
		    .saved_ms = pv_statement_number(row, 22),
		    .name_failures = pv_statement_number(row, 23),
		    .name_failed_wall_ms = pv_statement_number(row, 24),
		},
	};
}

int64_t pv_state_hosts_left_at(struct pv_database *database)
{
	return pv_note_get(database, PV_HOSTS_LEFT_NOTE, 0) - 1;
}

/* What was left then is less so much later. */
static void let_pass(struct pv_host_state *state, int64_t passed_ms)
{
	int64_t *left_ms[] = {&state->left_ms, &state->address_left_ms};
	for (size_t i = 0; i < 2 && passed_ms > 0; i++)
		*left_ms[i] =
		    *left_ms[i] > passed_ms ? *left_ms[i] - passed_ms : 0;
}

bool pv_state_hosts_get(struct pv_database *database, struct pv_str name,
    struct pv_host *host, enum pv_holding *holding)
{
	struct pv_statement *row = pv_statement_create(database,
	    "SELECT " PV_STATE_HOST_COLUMNS ", state FROM host_states "
	    "WHERE name = ?1");
	int64_t left_at_ms = pv_state_hosts_left_at(database);
	pv_statement_bind_text(row, 1, name);
	bool is_there = pv_statement_step(row);
	if (is_there) {
		*host = pv_state_host_read(row);
		*holding = (enum pv_holding)pv_statement_number(row, HOLDING);
		host->name = (struct pv_str){NULL, 0};
	}
	pv_statement_destroy(row);
	if (is_there && *holding >= PV_HOST_HELD && left_at_ms >= 0) {
		*holding = PV_HOST_IDLE;
		let_pass(&host->state, left_at_ms - host->state.saved_ms);
	}
	return is_there;
}
