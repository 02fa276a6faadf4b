#include "traps/trap_store.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "store/writer.h"

/* A slot as it is to be written. */
struct row {
	int64_t number;
	struct pv_same_body_slot slot;
};

struct pv_trap_store {
	struct pv_traps *traps;
	struct pv_trap_table table;
	struct row *rows;
	size_t row_count;
	size_t row_size;
	struct pv_quota_entry *sessions;
	size_t session_count;
	struct pv_quota_entry *hosts; /* of sites */
	size_t host_count;
};

/* Writing */

/* Slots of patterns have the numbers behind those of pages. */
static void gather_slots(
    struct pv_trap_store *store, struct pv_same_body *table, int64_t first)
{
	struct pv_same_body_slot slot;
	uint32_t number;
	while (pv_same_body_take_changed(table, &slot, &number))
		*PV_ARRAY_PUSH(store->rows, store->row_count, store->row_size) =
		    (struct row){first + number, slot};
}

/* To be freed. */
static struct pv_quota_entry *take_added(struct pv_quota *quota, size_t *count)
{
	struct pv_quota_entry *added = quota->added;
	*count = quota->added_count;
	quota->added = NULL;
	quota->added_count = quota->added_size = 0;
	return added;
}

static void gather(struct pv_trap_store *store)
{
	struct pv_trap_counts *counts = pv_traps_lock(store->traps);
	gather_slots(store, &counts->pages, 0);
	gather_slots(store, &counts->patterns, PV_SAME_BODY_SLOTS);
	store->sessions = take_added(&counts->sessions, &store->session_count);
	store->hosts = take_added(&counts->hosts, &store->host_count);
	pv_traps_unlock(store->traps);
}

static void write_row(struct pv_trap_store *store, const struct row *row)
{
	const struct pv_trap_body body = {
	    .slot = row->number,
	    .key = row->slot.key,
	    .body = row->slot.body,
	    .count = row->slot.count,
	    .host = row->slot.owner,
	};
	if (body.count > 1)
		pv_trap_table_set_body(&store->table, &body);
	else
		pv_trap_table_unset_body(&store->table, body.slot);
}

static void write_session(
    struct pv_trap_store *store, const struct pv_quota_entry *session)
{
	const struct pv_trap_session row = {session->member, session->owner};
	pv_trap_table_add_session(&store->table, &row);
}

static void write_host(
    struct pv_trap_store *store, const struct pv_quota_entry *host)
{
	const struct pv_trap_host row = {host->member, host->owner};
	pv_trap_table_add_host(&store->table, &row);
}

static void before_commit(void *ctx, struct pv_database *database)
{
	struct pv_trap_store *store = ctx;
	(void)database;
	gather(store);
	for (size_t i = 0; i < store->row_count; i++)
		write_row(store, &store->rows[i]);
	for (size_t i = 0; i < store->session_count; i++)
		write_session(store, &store->sessions[i]);
	for (size_t i = 0; i < store->host_count; i++)
		write_host(store, &store->hosts[i]);
	free(store->sessions);
	free(store->hosts);
	store->sessions = store->hosts = NULL;
	store->row_count = store->session_count = store->host_count = 0;
}

/* Reading */

static struct pv_same_body *table_of(
    struct pv_trap_counts *counts, const struct pv_trap_body *body)
{
	bool is_page = body->slot < (int64_t)PV_SAME_BODY_SLOTS;
	return is_page ? &counts->pages : &counts->patterns;
}

static void add_body(void *ctx, const struct pv_trap_body *body)
{
	pv_same_body_restore(table_of(ctx, body), body->key, body->body,
	    body->host, body->count);
}

static void add_session(void *ctx, const struct pv_trap_session *session)
{
	struct pv_trap_counts *counts = ctx;
	pv_quota_add(&counts->sessions, session->host, session->id);
}

static void add_host(void *ctx, struct pv_str name)
{
	pv_traps_add_host(ctx, name);
}

static void read_all(struct pv_traps *traps, struct pv_trap_counts *counts,
    struct pv_database *database)
{
	pv_trap_table_each_body(
	    database, 2 * (uint64_t)PV_SAME_BODY_SLOTS, add_body, counts);
	pv_trap_table_each_session(
	    database, PV_QUOTA_CEILING, add_session, counts);
	counts->sessions.is_gathering = true;
	if (pv_quota_is_on(&counts->hosts))
		pv_trap_table_each_visited_host(
		    database, PV_QUOTA_CEILING, add_host, traps);
}

struct pv_trap_store *pv_trap_store_open(
    struct pv_traps *traps, struct pv_writer *writer)
{
	struct pv_trap_store *store = pv_alloc(sizeof(*store));
	struct pv_trap_counts *counts = pv_traps_lock(traps);
	store->traps = traps;
	read_all(traps, counts, writer->database);
	pv_traps_unlock(traps);
	pv_trap_table_init(&store->table, writer->database);
	pv_writer_before_commit(writer, before_commit, store);
	return store;
}

/* Of other workers */

void pv_trap_store_forget(
    struct pv_trap_store *store, const uint64_t *hosts, size_t count)
{
	struct pv_trap_counts *counts = pv_traps_lock(store->traps);
	pv_same_body_forget(&counts->pages, hosts, count);
	pv_same_body_forget(&counts->patterns, hosts, count);
	pv_traps_unlock(store->traps);
}

void pv_trap_store_put_body(
    struct pv_trap_store *store, const struct pv_trap_body *body)
{
	struct pv_trap_counts *counts = pv_traps_lock(store->traps);
	pv_same_body_put(table_of(counts, body), body->key, body->body,
	    body->host, body->count);
	pv_traps_unlock(store->traps);
}

void pv_trap_store_put_session(
    struct pv_trap_store *store, const struct pv_trap_session *session)
{
	struct pv_trap_counts *counts = pv_traps_lock(store->traps);
	pv_quota_add(&counts->sessions, session->host, session->id);
	pv_traps_unlock(store->traps);
}

static void add_site_host(void *ctx, const struct pv_trap_host *host)
{
	struct pv_trap_counts *counts = ctx;
	pv_quota_add(&counts->hosts, host->site, host->id);
}

void pv_trap_store_keep_hosts(
    struct pv_trap_store *store, struct pv_database *database)
{
	struct pv_trap_counts *counts = pv_traps_lock(store->traps);
	pv_trap_table_each_host(
	    database, PV_QUOTA_CEILING, add_site_host, counts);
	counts->hosts.is_gathering = true;
	pv_traps_unlock(store->traps);
}

void pv_trap_store_put_host(
    struct pv_trap_store *store, const struct pv_trap_host *host)
{
	add_site_host(pv_traps_lock(store->traps), host);
	pv_traps_unlock(store->traps);
}

void pv_trap_store_close(struct pv_trap_store *store)
{
	if (!store)
		return;
	pv_trap_table_finish(&store->table);
	free(store->rows);
	free(store->sessions);
	free(store->hosts);
	free(store);
}
