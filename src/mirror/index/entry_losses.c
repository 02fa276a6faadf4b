#include "mirror/index/entry_reader.h"

#include <stdlib.h>

#include "base/array.h"
#include "mirror/lookup/circles.h"

/* What could not be fetched, though its answer was no error: redirects that
 * lead to nothing, and what an update has found gone. */

/* So many of them are looked at; some may be found twice. */
#define LOSSES_MAX 40000

/* What failed when it was asked for once more, and is lost since, is found by
 * that (entry_errors.c). */
static bool has_failed(
    struct pv_entry_reader *reader, const struct pv_fate *fate)
{
	struct pv_state_address row;
	return pv_state_addresses_get(
		   &reader->fates.addresses, fate->id, &row) &&
	       row.result.outcome != PV_OUTCOME_NOT_ACCEPTED &&
	       pv_state_address_has_failed(&row);
}

static void add_numbers(
    struct pv_circles *losses, struct pv_entry_reader *reader)
{
	const struct pv_address_filter filter = {
	    .choice = PV_ADDRESSES_LOST, .max = LOSSES_MAX};
	struct pv_state_address row;
	struct pv_address_cursor *rows =
	    pv_address_cursor_open(reader->database, &filter);
	while (pv_address_cursor_next(rows, &row))
		*PV_ARRAY_PUSH(losses->ids, losses->count, losses->size) =
		    row.id;
	pv_address_cursor_close(rows);
}

static int by_number(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
	return (left > right) - (left < right);
}

static struct pv_entry_group *group_of(
    struct pv_entry_facts *facts, const struct pv_fate *fate)
{
	struct pv_entry_group *group;
	for (size_t i = 0; i < facts->errors.group_count; i++) {
		group = &facts->errors.groups[i];
		if (group->fate == fate->kind &&
		    group->dead_end == fate->dead_end)
			return group;
	}
	if (facts->errors.group_count == PV_ENTRY_GROUPS_MAX)
		return NULL;
	group = &facts->errors.groups[facts->errors.group_count++];
	*group = (struct pv_entry_group){
	    .fate = fate->kind,
	    .dead_end = fate->dead_end,
	    .ids = pv_arena_give_array(
		&facts->arena, PV_ENTRY_ERRORS_MAX, sizeof(*group->ids)),
	};
	return group;
}

static void take(struct pv_entry_facts *facts, const struct pv_fate *fate)
{
	struct pv_entry_group *group = group_of(facts, fate);
	if (!group || group->count == PV_ENTRY_COUNT_MAX)
		return;
	if (group->count < PV_ENTRY_ERRORS_MAX)
		group->ids[group->count] = fate->id;
	group->count++;
}

/* As a link check judges it (link_check.h); what failed by its answer is found
 * without looking. */
static void look(
    struct pv_entry_reader *reader, struct pv_fate *fate, struct pv_fate *end)
{
	if (fate->kind == PV_FATE_MOVED &&
	    !pv_circles_follow(&reader->fates, fate, end))
		fate->kind = PV_FATE_CIRCLE;
	if (fate->is_linked && pv_fate_is_broken(fate) &&
	    fate->kind != PV_FATE_BROKEN && fate->kind != PV_FATE_REFUSED &&
	    !has_failed(reader, fate))
		take(reader->facts, fate);
}

void pv_entry_losses_read(struct pv_entry_reader *reader)
{
	struct pv_circles losses;
	struct pv_fate fate, end;
	uint64_t last = 0;
	pv_circles_find(&losses, &reader->fates);
	reader->facts->errors.has_too_many_redirects = losses.has_too_many;
	add_numbers(&losses, reader);
	if (losses.count)
		qsort(losses.ids, losses.count, sizeof(*losses.ids), by_number);
	pv_fate_init(&fate);
	pv_fate_init(&end);
	for (size_t i = 0; i < losses.count; i++) {
		if (losses.ids[i] == last)
			continue;
		last = losses.ids[i];
		pv_fates_get(&reader->fates, last, &fate);
		look(reader, &fate, &end);
	}
	pv_fate_finish(&fate);
	pv_fate_finish(&end);
	pv_circles_finish(&losses);
}
