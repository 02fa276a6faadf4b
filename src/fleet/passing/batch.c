#include "fleet/passing/batch.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "fleet/worker/worker.h"

/* Columns */

static void make_columns(struct pv_batch_columns *columns, size_t size)
{
	*columns = (struct pv_batch_columns){.count = 0};
	columns->hosts = pv_alloc_array(size, sizeof(*columns->hosts));
	columns->clocks = pv_alloc_array(size, sizeof(*columns->clocks));
	columns->names = pv_alloc_array(size, sizeof(*columns->names));
	columns->bytes = pv_alloc_array(size, sizeof(*columns->bytes));
	columns->host_keys = pv_alloc_array(size, sizeof(int64_t));
	columns->name_keys = pv_alloc_array(size, sizeof(int64_t));
	columns->states = pv_alloc_array(size, sizeof(int64_t));
	columns->left = pv_alloc_array(size, sizeof(int64_t));
	columns->rests = pv_alloc_array(size, sizeof(int64_t));
	columns->pages = pv_alloc_array(size, sizeof(int64_t));
	columns->sizes = pv_alloc_array(size, sizeof(int64_t));
}

static void free_columns(struct pv_batch_columns *columns)
{
	free(columns->hosts);
	free(columns->clocks);
	free(columns->names);
	free(columns->bytes);
	free(columns->host_keys);
	free(columns->name_keys);
	free(columns->states);
	free(columns->left);
	free(columns->rests);
	free(columns->pages);
	free(columns->sizes);
}

/* To the owner of a host. */
static bool is_message(enum pv_parcel_kind kind)
{
	return kind == PV_PARCEL_LINK || kind == PV_PARCEL_VOUCHER;
}

static void add_to_columns(const struct pv_fleet *fleet,
    struct pv_batch_columns *columns, const struct pv_parcel *parcel)
{
	size_t i = columns->count++;
	columns->hosts[i] = parcel->host;
	if (parcel->kind == PV_PARCEL_HOST || parcel->kind == PV_PARCEL_REST ||
	    parcel->kind == PV_PARCEL_REFUSED || is_message(parcel->kind))
		columns->clocks[i] = pv_fleet_clock_of(fleet, parcel->host);
	columns->names[i] = parcel->name;
	columns->bytes[i] = parcel->bytes;
	columns->host_keys[i] = (int64_t)pv_hash(&fleet->key, parcel->host);
	columns->name_keys[i] =
	    (int64_t)pv_fingerprint_of(&fleet->key, parcel->name).address;
	columns->states[i] = parcel->state;
	columns->left[i] = parcel->left_ms;
	columns->rests[i] = parcel->rest_ms;
	if (is_message(parcel->kind))
		columns->states[i] = parcel->kind == PV_PARCEL_VOUCHER;
	if (parcel->kind == PV_PARCEL_NOTE) {
		columns->host_keys[i] = parcel->owner;
		columns->name_keys[i] = parcel->key;
	}
	columns->pages[i] = parcel->answered_pages;
	columns->sizes[i] = parcel->answered_bytes;
}

/* Steps */

static void add_step(struct pv_batch *batch, enum pv_say statement,
    const struct pv_fleet_value *values, size_t count)
{
	memcpy(batch->values[batch->count], values, count * sizeof(*values));
	batch->steps[batch->count] = (struct pv_fleet_step){
	    .statement = statement,
	    .values = batch->values[batch->count],
	    .count = count,
	};
	batch->count++;
}

#define ADD_STEP(batch, statement, ...)                                    \
	add_step(batch, statement, (struct pv_fleet_value[]){__VA_ARGS__}, \
	    sizeof((struct pv_fleet_value[]){__VA_ARGS__}) /               \
		sizeof(struct pv_fleet_value))

static struct pv_fleet_value texts(const struct pv_str *items, size_t count)
{
	return pv_fleet_texts(PV_FLEET_TEXTS, items, count);
}

static struct pv_fleet_value bytes(const struct pv_str *items, size_t count)
{
	return pv_fleet_texts(PV_FLEET_BYTEAS, items, count);
}

static struct pv_fleet_value numbers(const int64_t *items, size_t count)
{
	return pv_fleet_numbers(PV_FLEET_INT8S, items, count);
}

static void add_addresses(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_batch_columns *rows)
{
	size_t count = rows->count;
	ADD_STEP(batch, PV_SAY_PUT_ADDRESSES,
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
	    numbers(rows->host_keys, count), numbers(rows->name_keys, count),
	    pv_fleet_numbers(PV_FLEET_INT2S, rows->states, count),
	    bytes(rows->bytes, count));
}

static void add_robots(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_batch_columns *rows)
{
	ADD_STEP(batch, PV_SAY_PUT_ROBOTS,
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
	    texts(rows->hosts, rows->count), texts(rows->names, rows->count),
	    bytes(rows->bytes, rows->count));
}

static void add_hosts(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_batch_columns *rows)
{
	struct pv_fleet_value crawl =
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl);
	struct pv_fleet_value worker =
	    pv_fleet_number(PV_FLEET_INT8, fleet->worker);
	size_t count = rows->count;
	ADD_STEP(batch, PV_SAY_PUT_HOSTS, crawl, worker,
	    texts(rows->hosts, count), texts(rows->clocks, count),
	    bytes(rows->bytes, count), numbers(rows->pages, count),
	    numbers(rows->sizes, count));
	ADD_STEP(batch, PV_SAY_REST_CLOCKS, crawl, worker,
	    texts(rows->clocks, count), numbers(rows->left, count),
	    numbers(rows->rests, count));
}

static void add_refused(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_batch_columns *rows)
{
	struct pv_fleet_value crawl =
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl);
	struct pv_fleet_value worker =
	    pv_fleet_number(PV_FLEET_INT8, fleet->worker);
	size_t count = rows->count;
	ADD_STEP(batch, PV_SAY_PUT_REFUSED, crawl, worker,
	    pv_fleet_number(PV_FLEET_INT8, fleet->terms.policy),
	    numbers(rows->name_keys, count),
	    pv_fleet_numbers(PV_FLEET_INT2S, rows->states, count),
	    texts(rows->clocks, count), texts(rows->hosts, count),
	    bytes(rows->bytes, count));
}

static void add_redirects(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_batch_columns *rows)
{
	ADD_STEP(batch, PV_SAY_ADD_REDIRECTS,
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
	    numbers(rows->name_keys, rows->count),
	    texts(rows->names, rows->count));
}

static void add_notes(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_batch_columns *rows)
{
	size_t count = rows->count;
	ADD_STEP(batch, PV_SAY_PUT_NOTES,
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
	    numbers(rows->host_keys, count),
	    pv_fleet_numbers(PV_FLEET_INT2S, rows->states, count),
	    numbers(rows->name_keys, count), bytes(rows->bytes, count));
}

static void add_links(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_batch_columns *rows)
{
	struct pv_fleet_value crawl =
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl);
	struct pv_fleet_value clocks = texts(rows->clocks, rows->count);
	ADD_STEP(batch, PV_SAY_ADD_CLOCKS, crawl, clocks);
	batch->links_step = batch->count;
	ADD_STEP(batch, PV_SAY_ADD_LINKS, crawl, clocks,
	    texts(rows->hosts, rows->count),
	    pv_fleet_numbers(PV_FLEET_INT2S, rows->states, rows->count),
	    bytes(rows->bytes, rows->count));
	ADD_STEP(batch, PV_SAY_WAKE_CLOCKS, crawl, clocks);
}

static void add_lost(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_batch_columns *rows)
{
	ADD_STEP(batch, PV_SAY_REST_LOST,
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
	    pv_fleet_number(PV_FLEET_INT8, fleet->worker),
	    texts(rows->clocks, rows->count), numbers(rows->left, rows->count));
}

/* The clocks that are changed are locked at once, in the order of their names: two
 * workers that have lost some to each other would wait for one another else. */
static void lock_clocks(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_batch_columns *hosts, const struct pv_batch_columns *lost)
{
	if (hosts->count || lost->count)
		ADD_STEP(batch, PV_SAY_LOCK_CLOCKS,
		    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
		    texts(hosts->clocks, hosts->count),
		    texts(lost->clocks, lost->count));
}

static void look_again(struct pv_batch *batch, const struct pv_fleet *fleet)
{
	const struct pv_linked *linked = &fleet->passing.linked;
	if (linked->count)
		ADD_STEP(batch, PV_SAY_MEND_LINKS,
		    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
		    texts(linked->clocks, linked->count),
		    numbers(linked->owners, linked->count),
		    pv_fleet_number(PV_FLEET_INT8, linked->first));
}

static void drop_links(
    struct pv_batch *batch, const struct pv_batch_drops *drops)
{
	if (drops->count)
		ADD_STEP(batch, PV_SAY_DROP_LINKS,
		    numbers(drops->links, drops->count));
}

static void be_busy(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_batch_drops *drops)
{
	if (drops->count)
		ADD_STEP(batch, PV_SAY_BUSY,
		    pv_fleet_number(PV_FLEET_INT8, fleet->worker),
		    pv_fleet_number(PV_FLEET_INT8, drops->activity));
}

/* With its hosts a worker changes its own row, for which its beats wait: so they come
 * behind all that may have to wait for others. */
static void add_rows(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_batch_drops *drops)
{
	static const struct {
		enum pv_parcel_kind kind;
		void (*add)(struct pv_batch *batch,
		    const struct pv_fleet *fleet,
		    const struct pv_batch_columns *rows);
	} order[] = {
	    {PV_PARCEL_ADDRESS, add_addresses},
	    {PV_PARCEL_ROBOTS, add_robots},
	    {PV_PARCEL_NOTE, add_notes},
	    {PV_PARCEL_REFUSED, add_refused},
	    {PV_PARCEL_REDIRECT, add_redirects},
	    {PV_PARCEL_LINK, add_links}, /* and vouchers */
	    {PV_PARCEL_HOST, add_hosts},
	    {PV_PARCEL_REST, add_lost},
	};
	const struct pv_batch_columns *columns = batch->columns;
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (order[i].kind == PV_PARCEL_HOST) {
			look_again(batch, fleet);
			drop_links(batch, drops);
			lock_clocks(batch, fleet, &columns[PV_PARCEL_HOST],
			    &columns[PV_PARCEL_REST]);
		}
		if (columns[order[i].kind].count)
			order[i].add(batch, fleet, &columns[order[i].kind]);
	}
}

static void fill_columns(const struct pv_fleet *fleet,
    const struct pv_parcels *parcels, struct pv_batch_columns *columns)
{
	for (size_t kind = 0; kind < PV_PARCEL_KINDS; kind++)
		make_columns(&columns[kind], parcels->count + 1);
	for (size_t i = 0; i < parcels->count; i++) {
		struct pv_parcel parcel = pv_parcels_get(parcels, i);
		enum pv_parcel_kind kind =
		    is_message(parcel.kind) ? PV_PARCEL_LINK : parcel.kind;
		add_to_columns(fleet, &columns[kind], &parcel);
	}
}

void pv_batch_init(struct pv_batch *batch, const struct pv_fleet *fleet,
    const struct pv_parcels *parcels, const struct pv_batch_drops *drops)
{
	*batch = (struct pv_batch){.count = 0};
	fill_columns(fleet, parcels, batch->columns);
	ADD_STEP(batch, PV_SAY_FENCE, fleet->fence[0], fleet->fence[1]);
	add_rows(batch, fleet, drops);
	be_busy(batch, fleet, drops);
}

void pv_batch_finish(struct pv_batch *batch)
{
	for (size_t kind = 0; kind < PV_PARCEL_KINDS; kind++)
		free_columns(&batch->columns[kind]);
}
