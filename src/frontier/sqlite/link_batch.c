#include "frontier/sqlite/link_batch.h"

#include <stdlib.h>

#include "base/array.h"

struct pv_link_entry {
	struct pv_link link;
	uint64_t id; /* if it is new: in the order of arrival */
	uint64_t host_id;
	enum pv_address_state state;
	bool is_left; /* not dealt with yet */
};

void pv_link_batch_init(struct pv_link_batch *batch)
{
	batch->next_id = pv_address_table_last(batch->addresses) + 1;
	pv_buf_init(&batch->via_url, SIZE_MAX);
}

void pv_link_batch_finish(struct pv_link_batch *batch)
{
	free(batch->entries);
	free(batch->woken);
	pv_buf_finish(&batch->via_url);
}

void pv_link_batch_add(struct pv_link_batch *batch,
    const struct pv_link_list *links, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		struct pv_link link = pv_link_list_get(links, i);
		pv_link_batch_push(batch, &link);
	}
}

void pv_link_batch_push(struct pv_link_batch *batch, const struct pv_link *link)
{
	*PV_ARRAY_PUSH(batch->entries, batch->count, batch->size) =
	    (struct pv_link_entry){
		.link = *link,
		.id = batch->next_id++,
		.is_left = true,
	    };
}

static int by_fingerprint(const void *left, const void *right)
{
	const struct pv_link_entry *a = left, *b = right;
	int order =
	    pv_fingerprint_compare(&a->link.fingerprint, &b->link.fingerprint);
	if (order)
		return order;
	return a->id < b->id ? -1 : 1;
}

static int by_host(const void *left, const void *right)
{
	const struct pv_link_entry *a = left, *b = right;
	if (a->is_left != b->is_left)
		return a->is_left ? -1 : 1;
	int order = pv_str_compare(a->link.host, b->link.host);
	if (order)
		return order;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int by_id(const void *left, const void *right)
{
	const struct pv_link_entry *a = left, *b = right;
	return a->id < b->id ? -1 : a->id > b->id;
}

void pv_link_batch_wake(
    struct pv_link_batch *batch, uint64_t host_id, enum pv_holding holding)
{
	if (holding == PV_HOST_IDLE) {
		batch->has_waiting_hosts = true;
		pv_host_table_set_holding(
		    batch->hosts, host_id, PV_HOST_WAITING);
	} else if (holding == PV_HOST_DRAINED) {
		*PV_ARRAY_PUSH(batch->woken, batch->woken_count,
		    batch->woken_size) = host_id;
		pv_host_table_set_holding(batch->hosts, host_id, PV_HOST_HELD);
	}
}

/* What is known */

/* What waits to be visited does so where its host is owned. */
static enum pv_address_state waiting_at(enum pv_holding holding)
{
	return holding == PV_HOST_AWAY ? PV_STATE_ELSEWHERE : PV_STATE_PENDING;
}

static void leave_to_owner(
    struct pv_link_batch *batch, struct pv_address_row *row)
{
	if (row->state == PV_STATE_PENDING && batch->hosts->finds_away)
		row->state = waiting_at(
		    pv_host_table_holding(batch->hosts, row->host_id));
}

/* A stronger standing: what was refused, or answered in a way that leaves
 * something to follow or to read, is to be visited after all. */
static void readmit(struct pv_address_row *row, bool is_earlier_kind)
{
	row->verdict = row->standing.verdict;
	if (!pv_standing_is_admitted(&row->standing))
		return;
	if (row->state == PV_STATE_REFUSED ||
	    (row->state == PV_STATE_DONE &&
		(row->result.may_lead_further || is_earlier_kind)))
		pv_address_row_ask_anew(row);
}

/* That it is as it was would not do: it is to be read from where it stands
 * now. */
static void read_again(struct pv_link_batch *batch, uint64_t id,
    const struct pv_address_row *row, bool is_earlier_kind)
{
	if (row->result.outcome != PV_OUTCOME_NONE &&
	    (row->result.may_lead_further || is_earlier_kind))
		pv_copy_table_set_must_be_read(batch->copies, id);
}

/* Whether the link makes the page one of an earlier kind than by what named it
 * before, and by its address. What it carries comes with the kind. */
static bool takes_kind(struct pv_link_batch *batch, uint64_t id,
    unsigned kind_before, const struct pv_link *link)
{
	unsigned kind = link->standing.kind;
	if (!kind || (kind_before && kind_before <= kind))
		return false;
	pv_carry_table_set(batch->carries, id, link->carry);
	unsigned was = pv_page_kind_first(kind_before, link->matched);
	return !was || kind < was;
}

/* By itself, in a round of its own; what waits already is asked for in any
 * case. What its host has refused may be allowed now. */
static void ask_anew(
    struct pv_link_batch *batch, uint64_t id, struct pv_address_row *row)
{
	bool was_refused = row->state == PV_STATE_REFUSED &&
			   pv_standing_is_admitted(&row->standing);
	if (row->state != PV_STATE_DONE && !was_refused)
		return;
	pv_own_rounds_begin(batch->own_rounds, id);
	pv_address_row_ask_anew(row);
}

/* Those of a page follow one another. */
static struct pv_str via_of(struct pv_link_batch *batch, uint64_t via)
{
	if (batch->via != via) {
		pv_buf_clear(&batch->via_url);
		pv_address_table_url(batch->addresses, via, &batch->via_url);
	}
	batch->via = via;
	return pv_buf_str(&batch->via_url);
}

/* What another shard is to ask for, and as what. */
static void tell_elsewhere(
    struct pv_link_batch *batch, const struct pv_link *link)
{
	const struct pv_frontier *frontier = batch->frontier;
	if (pv_standing_is_elsewhere(&link->standing) && frontier &&
	    frontier->on_elsewhere)
		frontier->on_elsewhere(
		    frontier->elsewhere_ctx, link, via_of(batch, link->via));
}

static void improve(
    struct pv_link_batch *batch, uint64_t id, const struct pv_link *link)
{
	struct pv_address_row row;
	if (!pv_address_table_get(batch->addresses, id, &row))
		return;
	unsigned kind_before = row.standing.kind;
	bool is_stronger = pv_standing_join(&row.standing, &link->standing);
	bool is_newer = link->lastmod_wall_ms > row.lastmod_wall_ms;
	if (link->lastmod_wall_ms && *batch->round > 1)
		pv_copy_table_set_listed(batch->copies, id, *batch->round);
	if (!is_stronger && !is_newer && !link->asks_anew)
		return;
	if (is_stronger || is_newer)
		tell_elsewhere(batch, link);
	struct pv_cause before = pv_address_row_cause(&row);
	if (is_newer)
		row.lastmod_wall_ms = link->lastmod_wall_ms;
	if (is_stronger) {
		bool is_earlier = takes_kind(batch, id, kind_before, link);
		row.is_left_out = false;
		readmit(&row, is_earlier);
		read_again(batch, id, &row, is_earlier);
	}
	if (link->asks_anew)
		ask_anew(batch, id, &row);
	leave_to_owner(batch, &row);
	pv_address_table_set(batch->addresses, id, &row);
	pv_count_table_move(batch->counts, before, pv_address_row_cause(&row));
	if (row.state == PV_STATE_PENDING && before.state != PV_STATE_PENDING)
		pv_link_batch_wake(batch, row.host_id,
		    pv_host_table_holding(batch->hosts, row.host_id));
}

/* Entries of one address, from `first` on: they become one, the first of them,
 * as strong as all; the number after the last. */
static size_t merge(struct pv_link_batch *batch, size_t first)
{
	struct pv_link_entry *entry = &batch->entries[first];
	size_t i = first + 1;
	for (; i < batch->count; i++) {
		struct pv_link_entry *other = &batch->entries[i];
		if (other->link.fingerprint.address !=
		    entry->link.fingerprint.address)
			break;
		if (other->link.standing.kind &&
		    pv_page_kind_first(entry->link.standing.kind,
			other->link.standing.kind) != entry->link.standing.kind)
			entry->link.carry = other->link.carry;
		pv_standing_join(&entry->link.standing, &other->link.standing);
		if (other->link.lastmod_wall_ms > entry->link.lastmod_wall_ms)
			entry->link.lastmod_wall_ms =
			    other->link.lastmod_wall_ms;
		entry->link.asks_anew |= other->link.asks_anew;
		other->is_left = false;
	}
	return i;
}

/* What is known needs no room. */
static bool fits(struct pv_link_batch *batch, const struct pv_link *link)
{
	return !pv_link_room_is_tight(batch->room, link) ||
	       pv_address_table_find(batch->addresses, link->fingerprint) ||
	       pv_link_room_take(batch->room, link);
}

static void look_up(struct pv_link_batch *batch)
{
	qsort(batch->entries, batch->count, sizeof(*batch->entries),
	    by_fingerprint);
	for (size_t i = 0; i < batch->count;) {
		struct pv_link_entry *entry = &batch->entries[i];
		struct pv_fingerprint fingerprint = entry->link.fingerprint;
		i = merge(batch, i);
		entry->is_left = fits(batch, &entry->link);
		if (!entry->is_left)
			continue;
		if (pv_address_table_add_seen(
			batch->addresses, fingerprint, entry->id)) {
			batch->room->known++;
			continue;
		}
		entry->is_left = false;
		improve(batch,
		    pv_address_table_find(batch->addresses, fingerprint),
		    &entry->link);
	}
}

/* What is new */

static void add_to_host(struct pv_link_batch *batch, size_t first, size_t end)
{
	enum pv_holding holding;
	uint64_t host_id = pv_host_table_find(batch->hosts,
	    batch->entries[first].link.host, batch->wall_ms, &holding);
	bool has_pending = false;
	for (size_t i = first; i < end; i++) {
		const struct pv_link *link = &batch->entries[i].link;
		bool is_refused = !pv_standing_is_admitted(&link->standing);
		struct pv_cause cause = {
		    .state =
			is_refused ? PV_STATE_REFUSED : waiting_at(holding),
		    .cause = is_refused ? link->standing.verdict.reason : 0,
		};
		batch->entries[i].host_id = host_id;
		batch->entries[i].state = cause.state;
		pv_count_table_add(batch->counts, cause, 1);
		has_pending = has_pending || !is_refused;
	}
	if (has_pending)
		pv_link_batch_wake(batch, host_id, holding);
}

/* New addresses come first now; how many there are. */
static size_t find_hosts(struct pv_link_batch *batch)
{
	size_t first = 0;
	qsort(batch->entries, batch->count, sizeof(*batch->entries), by_host);
	while (first < batch->count && batch->entries[first].is_left) {
		size_t end = first + 1;
		while (end < batch->count && batch->entries[end].is_left &&
		       pv_str_equal(batch->entries[first].link.host,
			   batch->entries[end].link.host))
			end++;
		add_to_host(batch, first, end);
		first = end;
	}
	return first;
}

static void tell_refused(
    struct pv_link_batch *batch, const struct pv_link_entry *entry)
{
	const struct pv_frontier *frontier = batch->frontier;
	const struct pv_link *link = &entry->link;
	if (pv_standing_is_admitted(&link->standing) || !frontier ||
	    !frontier->on_refused)
		return;
	const struct pv_visit visit = {
	    .id = entry->id,
	    .host_id = entry->host_id,
	    .standing = link->standing,
	    .url = link->url,
	    .via = via_of(batch, link->via),
	    .tag = link->tag,
	};
	frontier->on_refused(frontier->refused_ctx, &visit);
}

void pv_link_batch_apply(struct pv_link_batch *batch)
{
	if (!batch->count)
		return;
	look_up(batch);
	size_t count = find_hosts(batch);
	qsort(batch->entries, count, sizeof(*batch->entries), by_id);
	for (size_t i = 0; i < count; i++) {
		const struct pv_link_entry *entry = &batch->entries[i];
		pv_address_table_add(batch->addresses, entry->id,
		    entry->host_id, entry->state, &entry->link);
		if (entry->link.carry.len)
			pv_carry_table_set(
			    batch->carries, entry->id, entry->link.carry);
		tell_elsewhere(batch, &entry->link);
		tell_refused(batch, entry);
	}
	batch->count = 0;
}
