#include "mirror/index/entry_reader.h"

#include <stdlib.h>

/* Sorts */

static struct pv_address_filter filter_of(
    const struct pv_entry_group *group, uint64_t max)
{
	return (struct pv_address_filter){
	    .choice = PV_ADDRESSES_FAILED,
	    .max = max,
	    .outcome = (enum pv_outcome)group->outcome,
	    .http_status = (uint16_t)group->http_status,
	};
}

/* What is not wanted by its type is left out by the policy, and no error. */
static void read_groups(struct pv_entry_reader *reader)
{
	struct pv_entry_facts *facts = reader->facts;
	struct pv_address_filter filter = {
	    .choice = PV_ADDRESSES_FAILED, .max = PV_ENTRY_COUNT_MAX};
	while (facts->errors.group_count < PV_ENTRY_ANSWERS_MAX &&
	       pv_state_addresses_next_failure(reader->database, &filter)) {
		if (filter.outcome == PV_OUTCOME_NOT_ACCEPTED)
			continue;
		facts->errors.groups[facts->errors.group_count++] =
		    (struct pv_entry_group){
			.outcome = filter.outcome,
			.http_status = filter.http_status,
			.count =
			    pv_state_addresses_count(reader->database, &filter),
		    };
	}
}

/* Which of them are listed */

static int by_count(const void *a, const void *b)
{
	const struct pv_entry_group *const *left = a, *const *right = b;
	return ((*left)->count > (*right)->count) -
	       ((*left)->count < (*right)->count);
}

/* What small sorts leave goes to larger ones, so that no sort is left out for
 * another, and as many are listed as there is room for. */
static void share_room(struct pv_entry_facts *facts)
{
	struct pv_entry_group *order[PV_ENTRY_GROUPS_MAX];
	size_t room = PV_ENTRY_ERRORS_MAX;
	size_t count = facts->errors.group_count;
	for (size_t i = 0; i < count; i++)
		order[i] = &facts->errors.groups[i];
	qsort(order, count, sizeof(*order), by_count);
	for (size_t i = 0; i < count; i++) {
		size_t share = room / (count - i);
		if (share > order[i]->count)
			share = order[i]->count;
		order[i]->listed = share;
		room -= share;
	}
}

static void list_failed(
    struct pv_entry_reader *reader, struct pv_entry_group *group)
{
	size_t max = group->listed;
	const struct pv_address_filter filter = filter_of(group, max);
	struct pv_state_address row;
	if (!max)
		return;
	struct pv_address_cursor *rows =
	    pv_address_cursor_open(reader->database, &filter);
	group->listed = 0;
	while (group->listed < max && pv_address_cursor_next(rows, &row)) {
		struct pv_entry_error *error = &group->errors[group->listed++];
		*error = (struct pv_entry_error){
		    .id = row.id,
		    .address = pv_entry_reader_kept(reader, row.url, row.id),
		    .via = pv_entry_reader_kept(reader, row.via, row.via_id),
		};
	}
	pv_address_cursor_close(rows);
}

static void add_loss(struct pv_entry_reader *reader,
    struct pv_entry_error *error, const struct pv_fate *fate)
{
	struct pv_str location = pv_buf_str(&fate->location);
	*error = (struct pv_entry_error){
	    .id = fate->id,
	    .address =
		pv_entry_reader_kept(reader, pv_buf_str(&fate->url), fate->id),
	    .via = pv_entry_reader_kept(
		reader, pv_buf_str(&fate->via), fate->via_id),
	    .location = pv_entry_reader_address(reader, location).url,
	};
}

static void list_losses(
    struct pv_entry_reader *reader, struct pv_entry_group *group)
{
	struct pv_fate fate;
	pv_fate_init(&fate);
	for (size_t i = 0; i < group->listed; i++) {
		pv_fates_get(&reader->fates, group->ids[i], &fate);
		add_loss(reader, &group->errors[i], &fate);
	}
	pv_fate_finish(&fate);
}

static void list(struct pv_entry_reader *reader, struct pv_entry_group *group)
{
	group->errors = pv_arena_give_array(
	    &reader->facts->arena, group->listed + 1, sizeof(*group->errors));
	if (group->fate == PV_FATE_UNSEEN)
		list_failed(reader, group);
	else
		list_losses(reader, group);
}

void pv_entry_errors_read(struct pv_entry_reader *reader)
{
	struct pv_entry_facts *facts = reader->facts;
	read_groups(reader);
	pv_entry_losses_read(reader);
	share_room(facts);
	for (size_t i = 0; i < facts->errors.group_count; i++)
		list(reader, &facts->errors.groups[i]);
}
