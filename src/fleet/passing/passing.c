#include "fleet/passing/passing.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "fleet/worker/worker.h"
#include "frontier/sqlite/handover_out.h"

/* Rows of a batch, and their texts. */
#define ROWS_MAX 4000
#define TEXTS_MAX ((size_t)8 << 20)

/* After a batch that PostgreSQL did not take. */
#define REST_MS 200

/* A report that waits until it is passed on. */
struct pv_passed_report {
	struct pv_passed_report *next;
	struct pv_fleet *fleet;
	struct pv_report *report;
	void (*done)(struct pv_report *report, enum pv_store_status status);
	uint64_t number;
	bool is_committed; /* in the state */
};

void pv_passing_init(struct pv_passing *passing)
{
	*passing = (struct pv_passing){.has_changes = true};
	passing->last = &passing->first;
}

void pv_passing_finish(struct pv_passing *passing)
{
	while (passing->first) {
		struct pv_passed_report *next = passing->first->next;
		free(passing->first);
		passing->first = next;
	}
	if (passing->is_taking || passing->is_sending)
		pv_parcels_finish(&passing->parcels);
	free(passing->drops);
}

/* Reports */

static void give_back(
    struct pv_passed_report *waiting, enum pv_store_status status)
{
	struct pv_report *report = waiting->report;
	waiting->fleet->passing.waiting--;
	report->done = waiting->done;
	report->done(report, status);
	free(waiting);
}

/* Takes those out of the line that are committed, up to a number. */
static struct pv_passed_report *take_up_to(
    struct pv_passing *passing, uint64_t number)
{
	struct pv_passed_report *taken = NULL, **end = &taken;
	struct pv_passed_report **link = &passing->first;
	while (*link && (*link)->number <= number) {
		struct pv_passed_report *waiting = *link;
		if (!waiting->is_committed) {
			link = &waiting->next;
			continue;
		}
		*link = waiting->next;
		waiting->next = NULL;
		*end = waiting;
		end = &waiting->next;
	}
	passing->last = &passing->first;
	while (*passing->last)
		passing->last = &(*passing->last)->next;
	return taken;
}

static void give_back_up_to(struct pv_passing *passing, uint64_t number)
{
	struct pv_passed_report *waiting = take_up_to(passing, number);
	while (waiting) {
		struct pv_passed_report *next = waiting->next;
		give_back(waiting, PV_STORE_OK);
		waiting = next;
	}
}

static void remove_from_line(
    struct pv_passing *passing, struct pv_passed_report *waiting)
{
	struct pv_passed_report **link = &passing->first;
	while (*link != waiting)
		link = &(*link)->next;
	*link = waiting->next;
	if (!*link)
		passing->last = link;
}

static void on_committed(struct pv_report *report, enum pv_store_status status)
{
	struct pv_passed_report *waiting = report->held;
	struct pv_fleet *fleet = waiting->fleet;
	waiting->is_committed = true;
	if (status != PV_STORE_OK || fleet->passing.is_giving_up) {
		remove_from_line(&fleet->passing, waiting);
		give_back(waiting, status);
		return;
	}
	pv_passing_note_change(fleet);
}

bool pv_passing_report(
    struct pv_fleet *fleet, struct pv_report *report, int64_t now)
{
	struct pv_passing *passing = &fleet->passing;
	struct pv_passed_report *waiting = pv_alloc(sizeof(*waiting));
	*waiting = (struct pv_passed_report){
	    .fleet = fleet,
	    .report = report,
	    .done = report->done,
	    .number = passing->given + 1,
	};
	report->done = on_committed;
	report->held = waiting;
	if (!fleet->inner->report(fleet->frontier, report, now)) {
		report->done = waiting->done;
		free(waiting);
		return false;
	}
	passing->given++;
	passing->waiting++;
	*passing->last = waiting;
	passing->last = &waiting->next;
	return true;
}

/* Batches */

struct columns {
	struct pv_str *hosts, *clocks, *names, *bytes;
	int64_t *host_keys, *name_keys, *states, *left, *rests, *pages, *sizes;
	size_t count;
};

static void make_columns(struct columns *columns, size_t size)
{
	*columns = (struct columns){.count = 0};
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

static void free_columns(struct columns *columns)
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
    struct columns *columns, const struct pv_parcel *parcel)
{
	size_t i = columns->count++;
	columns->hosts[i] = parcel->host;
	if (parcel->kind == PV_PARCEL_HOST || is_message(parcel->kind))
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

#define STEPS_MAX 16
#define VALUES_MAX 7

struct batch {
	struct pv_fleet_step steps[STEPS_MAX];
	struct pv_fleet_value values[STEPS_MAX][VALUES_MAX];
	size_t count;
};

static void add_step(struct batch *batch, enum pv_say statement,
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

static void add_rows(struct batch *batch, const struct pv_fleet *fleet,
    enum pv_parcel_kind kind, const struct columns *rows)
{
	struct pv_fleet_value crawl =
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl);
	struct pv_fleet_value worker =
	    pv_fleet_number(PV_FLEET_INT8, fleet->worker);
	size_t count = rows->count;
	if (!count)
		return;
	switch (kind) {
	case PV_PARCEL_HOST:
		ADD_STEP(batch, PV_SAY_PUT_HOSTS, crawl, worker,
		    texts(rows->hosts, count), texts(rows->clocks, count),
		    bytes(rows->bytes, count), numbers(rows->pages, count),
		    numbers(rows->sizes, count));
		ADD_STEP(batch, PV_SAY_REST_CLOCKS, crawl, worker,
		    texts(rows->clocks, count), numbers(rows->left, count),
		    numbers(rows->rests, count));
		break;
	case PV_PARCEL_ADDRESS:
		ADD_STEP(batch, PV_SAY_PUT_ADDRESSES, crawl,
		    numbers(rows->host_keys, count),
		    numbers(rows->name_keys, count),
		    pv_fleet_numbers(PV_FLEET_INT2S, rows->states, count),
		    bytes(rows->bytes, count));
		break;
	case PV_PARCEL_ROBOTS:
		ADD_STEP(batch, PV_SAY_PUT_ROBOTS, crawl,
		    texts(rows->hosts, count), texts(rows->names, count),
		    bytes(rows->bytes, count));
		break;
	case PV_PARCEL_LINK:
		ADD_STEP(batch, PV_SAY_ADD_LINKS, crawl,
		    texts(rows->clocks, count), texts(rows->hosts, count),
		    pv_fleet_numbers(PV_FLEET_INT2S, rows->states, count),
		    bytes(rows->bytes, count));
		ADD_STEP(batch, PV_SAY_WAKE_CLOCKS, crawl,
		    texts(rows->clocks, count));
		break;
	case PV_PARCEL_REDIRECT:
		ADD_STEP(batch, PV_SAY_ADD_REDIRECTS, crawl,
		    numbers(rows->name_keys, count), texts(rows->names, count));
		break;
	case PV_PARCEL_NOTE:
		ADD_STEP(batch, PV_SAY_PUT_NOTES, crawl,
		    numbers(rows->host_keys, count),
		    pv_fleet_numbers(PV_FLEET_INT2S, rows->states, count),
		    numbers(rows->name_keys, count), bytes(rows->bytes, count));
		break;
	case PV_PARCEL_VOUCHER: /* is among the links */
	case PV_PARCEL_KINDS:
		break;
	}
}

/* All clocks that the batch is about to touch, be they its own or others', are locked
 * first, in the order of their names: two workers that link to each other's hosts
 * would wait for one another else. */
static void lock_clocks(struct batch *batch, const struct pv_fleet *fleet,
    const struct columns *columns)
{
	const struct columns *hosts = &columns[PV_PARCEL_HOST];
	const struct columns *links = &columns[PV_PARCEL_LINK];
	struct pv_fleet_value crawl =
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl);
	if (links->count)
		ADD_STEP(batch, PV_SAY_ADD_CLOCKS, crawl,
		    texts(links->clocks, links->count));
	if (hosts->count || links->count)
		ADD_STEP(batch, PV_SAY_LOCK_CLOCKS, crawl,
		    texts(hosts->clocks, hosts->count),
		    texts(links->clocks, links->count));
}

static void fill_columns(const struct pv_fleet *fleet,
    const struct pv_parcels *parcels, struct columns *columns)
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

static bool ends_round(const struct pv_passing *passing)
{
	const struct pv_parcels *parcels = &passing->parcels;
	return !parcels->newest || parcels->change >= passing->target;
}

/* Links that were taken over go with the last batch of a round. */
static size_t drops_of(const struct pv_passing *passing)
{
	return ends_round(passing) ? passing->covered_drops : 0;
}

static void on_passed(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer);

static void send_batch(struct pv_fleet *fleet)
{
	struct pv_passing *passing = &fleet->passing;
	struct columns columns[PV_PARCEL_KINDS];
	struct batch batch = {.count = 0};
	struct pv_fleet_value worker =
	    pv_fleet_number(PV_FLEET_INT8, fleet->worker);
	fill_columns(fleet, &passing->parcels, columns);
	ADD_STEP(&batch, PV_SAY_FENCE, fleet->fence[0], fleet->fence[1]);
	lock_clocks(&batch, fleet, columns);
	for (size_t kind = 0; kind < PV_PARCEL_KINDS; kind++)
		add_rows(
		    &batch, fleet, (enum pv_parcel_kind)kind, &columns[kind]);
	if (drops_of(passing)) {
		ADD_STEP(&batch, PV_SAY_DROP_LINKS,
		    numbers(passing->drops, drops_of(passing)));
		ADD_STEP(&batch, PV_SAY_BUSY, worker,
		    pv_fleet_number(PV_FLEET_INT8, ++fleet->activity));
	}
	passing->is_sending = true;
	pv_fleet_line_send(fleet->line, pv_fleet_request_create(batch.steps,
					    batch.count, on_passed, fleet));
	for (size_t kind = 0; kind < PV_PARCEL_KINDS; kind++)
		free_columns(&columns[kind]);
}

static void end_round(struct pv_passing *passing)
{
	uint64_t covered = passing->covered;
	passing->is_in_round = false;
	passing->ended = passing->begun;
	passing->drop_count -= passing->covered_drops;
	if (passing->drop_count)
		memmove(passing->drops, passing->drops + passing->covered_drops,
		    passing->drop_count * sizeof(*passing->drops));
	passing->covered_drops = 0;
	give_back_up_to(passing, covered);
}

static void note_passed(struct pv_fleet *fleet)
{
	struct pv_passing *passing = &fleet->passing;
	bool is_end = ends_round(passing);
	/* Where there was no change the next one, which may be on the disk by
	 * now, is not among those that were passed on. */
	passing->passed = passing->parcels.newest ? passing->parcels.change : 0;
	passing->has_changes = passing->has_changes || passing->parcels.count ||
			       !is_end || passing->drop_count;
	pv_parcels_finish(&passing->parcels);
	if (is_end)
		end_round(passing);
}

static void on_passed(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	struct pv_passing *passing = &fleet->passing;
	(void)request;
	passing->is_sending = false;
	if (answer->status == PV_FLEET_OK) {
		note_passed(fleet);
	} else {
		pv_parcels_finish(&passing->parcels);
		passing->has_changes = true;
		passing->rests_until = pv_fleet_now(fleet) + REST_MS;
		if (answer->status == PV_FLEET_REFUSED)
			pv_fleet_hear_refusal(fleet, answer);
	}
	pv_fleet_wake(fleet);
}

/* Taking them out of the state */

static void run_take(struct pv_tables_work *work, struct pv_tables *tables)
{
	struct pv_passing *passing = PV_WHOLE(struct pv_passing, work, work);
	struct pv_fleet *fleet = PV_WHOLE(struct pv_fleet, passing, passing);
	(void)tables;
	if (passing->passed)
		pv_handover_sent(&fleet->handover, passing->passed);
	pv_handover_take(
	    &fleet->handover, ROWS_MAX, passing->now_ms, &passing->parcels);
}

static void on_taken(struct pv_tables_work *work, enum pv_store_status status)
{
	struct pv_passing *passing = PV_WHOLE(struct pv_passing, work, work);
	struct pv_fleet *fleet = PV_WHOLE(struct pv_fleet, passing, passing);
	struct pv_parcels *parcels = &passing->parcels;
	passing->is_taking = false;
	if (status != PV_STORE_OK || !pv_fleet_is_up(fleet)) {
		pv_parcels_finish(parcels);
		passing->has_changes = true;
		return;
	}
	passing->passed = 0;
	if (!passing->is_in_round)
		passing->target = parcels->newest;
	passing->is_in_round = true;
	if (parcels->count || drops_of(passing)) {
		send_batch(fleet);
		return;
	}
	note_passed(fleet);
	pv_fleet_wake(fleet);
}

static void take(struct pv_fleet *fleet)
{
	struct pv_passing *passing = &fleet->passing;
	passing->work = (struct pv_tables_work){
	    .run = run_take,
	    .done = on_taken,
	    .rows = ROWS_MAX / 4,
	};
	pv_parcels_init(&passing->parcels, TEXTS_MAX);
	passing->now_ms = pv_fleet_time(fleet).monotonic_ms;
	if (!pv_sqlite_frontier_work(
		fleet->frontier, &passing->work, passing->now_ms)) {
		pv_parcels_finish(&passing->parcels);
		return;
	}
	if (!passing->is_in_round) {
		passing->begun++;
		passing->covered = passing->given;
		passing->covered_drops = passing->drop_count;
	}
	passing->has_changes = false;
	passing->is_taking = true;
}

void pv_passing_drop_link(struct pv_passing *passing, int64_t number)
{
	*PV_ARRAY_PUSH(
	    passing->drops, passing->drop_count, passing->drop_size) = number;
	passing->has_changes = true;
}

void pv_passing_note_change(struct pv_fleet *fleet)
{
	fleet->passing.has_changes = true;
	pv_passing_step(fleet);
}

void pv_passing_step(struct pv_fleet *fleet)
{
	struct pv_passing *passing = &fleet->passing;
	if (passing->has_changes && !passing->is_taking &&
	    !passing->is_sending && !passing->is_giving_up &&
	    pv_fleet_now(fleet) >= passing->rests_until &&
	    pv_fleet_is_up(fleet))
		take(fleet);
}

bool pv_passing_is_done(const struct pv_passing *passing)
{
	return !passing->has_changes && !passing->is_taking &&
	       !passing->is_sending && !passing->first;
}

void pv_passing_give_up(struct pv_fleet *fleet)
{
	fleet->passing.is_giving_up = true;
	give_back_up_to(&fleet->passing, UINT64_MAX);
}
