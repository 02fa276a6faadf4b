#include "frontier/sqlite/handover_in.h"

#include "base/least.h"
#include "frontier/sqlite/handover.h"
#include "frontier/sqlite/handover_out.h"
#include "frontier/sqlite/readmission.h"
#include "frontier/sqlite/rejudging.h"
#include "store/statement.h"

enum {
	UNMARK,
	ADD_DISTANT,
	FIND_DISTANT,
};

static const char *const sql[PV_HANDOVER_IN] = {
    [UNMARK] = "DELETE FROM unsent WHERE kind = 0 AND key = ?1",
    [ADD_DISTANT] = "INSERT OR IGNORE INTO distant_pages(url) VALUES(?1)",
    [FIND_DISTANT] = "SELECT id FROM distant_pages WHERE url = ?1",
};

void pv_handover_in_open(struct pv_handover *handover)
{
	pv_statements_create(
	    handover->in, handover->database, sql, PV_HANDOVER_IN);
}

void pv_handover_in_close(struct pv_handover *handover)
{
	pv_statements_destroy(handover->in, PV_HANDOVER_IN);
}

static uint64_t distant_page(struct pv_handover *handover, struct pv_str url)
{
	struct pv_statement *find = handover->in[FIND_DISTANT];
	struct pv_statement *add = handover->in[ADD_DISTANT];
	int64_t id = 0;
	if (!url.len)
		return 0;
	pv_statement_bind_text(add, 1, url);
	pv_statement_run(add);
	pv_statement_bind_text(find, 1, url);
	if (pv_statement_step(find))
		id = pv_statement_number(find, 0);
	pv_statement_reset(find);
	return (uint64_t)-id;
}

static struct pv_link link_of(struct pv_handover *handover,
    const struct pv_packed_address *address, struct pv_str host)
{
	return (struct pv_link){
	    .fingerprint = pv_fingerprint_of(&handover->key, address->url),
	    .via = distant_page(handover, address->via),
	    .standing = address->row.standing,
	    .url = address->url,
	    .host = host,
	    .tag = address->tag,
	    .carry = address->carry,
	    .lastmod_wall_ms = address->row.lastmod_wall_ms,
	};
}

static bool are_same_rows(
    const struct pv_page_rows *one, const struct pv_page_rows *other)
{
	return pv_str_equal(one->digest, other->digest) &&
	       pv_str_equal(one->kind, other->kind) &&
	       one->problems == other->problems;
}

/* Whether the page was read here in a later round than what comes says: that was not
 * passed on before the host was lost. */
static bool is_read_since(struct pv_handover *handover, uint64_t id,
    const struct pv_packed_address *address)
{
	struct pv_copy_row own;
	return pv_copy_table_get(&handover->tables->copies, id, &own) &&
	       own.round > address->copy.round;
}

/* What its page has given to another worker that has read it since. One that was never
 * read says nothing of it. */
static void put_rows(struct pv_handover *handover, uint64_t id,
    const struct pv_packed_address *address)
{
	static const struct pv_page_rows none = {.count = 0};
	struct pv_page_rows own;
	handover->has_rows |= address->has_rows;
	if (!handover->has_rows || !address->has_copy ||
	    is_read_since(handover, id, address))
		return;
	bool has_own = pv_page_rows_table_get(
	    &handover->rows, id, &handover->row_texts, &own);
	if (address->has_rows &&
	    !(has_own && are_same_rows(&own, &address->rows)))
		pv_page_rows_table_set_distant(
		    &handover->rows, id, &address->rows);
	else if (has_own && !address->has_rows)
		pv_page_rows_table_set_distant(&handover->rows, id, &none);
	else
		pv_page_rows_table_remove_distant(&handover->rows, id);
}

/* What was not renewed is in the database as it is here. */
static void write_row(struct pv_handover *handover, uint64_t id,
    const struct pv_packed_address *address, bool is_renewed)
{
	struct pv_tables *tables = handover->tables;
	pv_address_table_set(&tables->addresses, id, &address->row);
	put_rows(handover, id, address);
	if (address->has_copy)
		pv_copy_table_set(&tables->copies, id, &address->copy);
	pv_carry_table_set(&tables->carries, id, address->carry);
	if (is_renewed)
		return;
	pv_statement_bind(handover->in[UNMARK], 1, (int64_t)id);
	pv_statement_run(handover->in[UNMARK]);
}

static uint64_t add_row(struct pv_handover *handover,
    const struct pv_packed_address *address, const struct pv_link *link,
    bool is_renewed)
{
	struct pv_tables *tables = handover->tables;
	uint64_t id = tables->batch.next_id++;
	pv_address_table_add_seen(&tables->addresses, link->fingerprint, id);
	pv_address_table_add(&tables->addresses, id, address->row.host_id,
	    address->row.state, link);
	pv_count_table_add(
	    &tables->counts, pv_address_row_cause(&address->row), 1);
	write_row(handover, id, address, is_renewed);
	return id;
}

/* The owner's row takes the place of ours; what was found here joins it. */
static void replace_row(struct pv_handover *handover, uint64_t id,
    const struct pv_packed_address *address, struct pv_link *link,
    bool is_renewed)
{
	struct pv_tables *tables = handover->tables;
	struct pv_address_row before;
	if (!pv_address_table_get(&tables->addresses, id, &before))
		return;
	pv_count_table_move(&tables->counts, pv_address_row_cause(&before),
	    pv_address_row_cause(&address->row));
	write_row(handover, id, address, is_renewed);
	link->standing = before.standing;
	link->carry = PV_STR("");
	pv_link_batch_push(&tables->batch, link);
}

/* What its owner before has refused may be in scope by now. */
static void readmit(
    struct pv_handover *handover, struct pv_packed_address *address)
{
	struct pv_known known = {
	    .url = address->url,
	    .was_found = address->via.len > 0,
	    .via_hops = address->via.len ? PV_HOPS_MAX : 0,
	};
	if (handover->readmits)
		pv_readmission_judge(handover->readmits, &known, &address->row);
}

/* What the owner knows of its own host is newer. */
static bool put_address(struct pv_handover *handover,
    const struct pv_parcel *parcel, int64_t now_wall_ms)
{
	struct pv_tables *tables = handover->tables;
	struct pv_packed_address address;
	enum pv_holding holding;
	if (!pv_address_unpack(parcel->bytes, &address))
		return false;
	if (address.row.state == PV_STATE_ELSEWHERE ||
	    address.row.state == PV_STATE_IN_FLIGHT)
		address.row.state = PV_STATE_PENDING;
	pv_address_shift(&address.row, -handover->server_ahead_ms);
	readmit(handover, &address);
	address.row.host_id = pv_host_table_find(
	    &tables->hosts, parcel->host, now_wall_ms, &holding);
	if (holding != PV_HOST_AWAY)
		return true;
	bool was_refused = address.row.state == PV_STATE_REFUSED;
	bool is_renewed = pv_renewal_renew(&handover->renewal, &address);
	struct pv_link link = link_of(handover, &address, parcel->host);
	uint64_t id =
	    pv_address_table_find(&tables->addresses, link.fingerprint);
	if (id)
		replace_row(handover, id, &address, &link, is_renewed);
	else
		id = add_row(handover, &address, &link, is_renewed);
	if (address.row.state == PV_STATE_REFUSED && !was_refused)
		pv_rejudging_tell_refused(
		    tables->frontier, &tables->addresses, id);
	return true;
}

/* What its finder had refused under an earlier policy, or in a narrower scope, comes as
 * a link, and is dropped unless those of today admit it. */
static bool put_link(
    struct pv_handover *handover, const struct pv_parcel *parcel)
{
	struct pv_packed_address address;
	if (!pv_address_unpack(parcel->bytes, &address))
		return false;
	bool was_refused = address.row.state == PV_STATE_REFUSED;
	if (!was_refused)
		address.row.state = PV_STATE_PENDING;
	pv_renewal_renew(&handover->renewal, &address);
	if (was_refused)
		readmit(handover, &address);
	if (was_refused && address.row.state == PV_STATE_REFUSED)
		return true;
	struct pv_link link = link_of(handover, &address, parcel->host);
	pv_link_batch_push(&handover->tables->batch, &link);
	return true;
}

/* Its clock passes from now on. What it has asked for while it was owned here before
 * may not have been passed on. */
static bool put_host(struct pv_handover *handover,
    const struct pv_parcel *parcel, struct pv_time now)
{
	struct pv_host_table *hosts = &handover->tables->hosts;
	struct pv_host_state state;
	enum pv_holding holding;
	uint64_t round;
	if (!pv_host_unpack(parcel->bytes, &state, &round))
		return false;
	pv_host_shift(&state, -handover->server_ahead_ms);
	pv_renewal_renew_host(&handover->renewal, round, &state);
	uint64_t id =
	    pv_host_table_find(hosts, parcel->host, now.wall_ms, &holding);
	if (holding != PV_HOST_AWAY)
		return true;
	state.left_ms =
	    pv_larger(parcel->left_ms, pv_handover_left(handover, id, now));
	state.until_wall_ms = now.wall_ms + state.left_ms;
	state.wait_ms = pv_larger(state.wait_ms, state.left_ms);
	state.saved_ms = now.monotonic_ms;
	pv_host_table_save(hosts, id, &state);
	pv_host_table_forget_held(hosts, id);
	return true;
}

static bool put_robots(
    struct pv_handover *handover, const struct pv_parcel *parcel)
{
	struct pv_saved_robots robots;
	struct pv_str text;
	struct pv_buf copy;
	if (!pv_robots_unpack(parcel->bytes, &robots, &text))
		return false;
	pv_robots_shift(&robots, -handover->server_ahead_ms);
	pv_buf_init(&copy, SIZE_MAX);
	pv_buf_append(&copy, text);
	pv_robots_table_set(handover->database, parcel->name, &robots,
	    robots.has_copy ? &copy : NULL);
	pv_buf_finish(&copy);
	return true;
}

bool pv_handover_put(struct pv_handover *handover,
    const struct pv_parcel *parcel, struct pv_time now)
{
	switch (parcel->kind) {
	case PV_PARCEL_ADDRESS:
		return put_address(handover, parcel, now.wall_ms);
	case PV_PARCEL_LINK:
		return put_link(handover, parcel);
	case PV_PARCEL_HOST:
		return put_host(handover, parcel, now);
	case PV_PARCEL_ROBOTS:
		return put_robots(handover, parcel);
	case PV_PARCEL_REFUSED: /* these are not the tables' */
	case PV_PARCEL_REDIRECT:
	case PV_PARCEL_NOTE:
	case PV_PARCEL_REST:
	case PV_PARCEL_VOUCHER:
	case PV_PARCEL_KINDS:
		break;
	}
	return false;
}
