#include "mirror/entry_reader.h"

#include <stdlib.h>

#include "store/failed.h"

/* By the index of what failed: a sort after the other, without those between,
 * however many of one there are. (One comparison of both columns would pass by
 * each of them.) */
#define NEXT(which)                                                      \
	"SELECT * FROM (SELECT outcome, http_status FROM addresses "     \
	"INDEXED BY addresses_failed WHERE " PV_FAILED_SQL " AND " which \
	" ORDER BY outcome, http_status LIMIT 1)"

static const char next_sql[] =
    NEXT("outcome = ?1 AND http_status > ?2") " UNION ALL " NEXT(
	"outcome > ?1") " LIMIT 1";

static const char count_sql[] =
    "SELECT count(*) FROM (SELECT 1 FROM addresses INDEXED BY "
    "addresses_failed WHERE " PV_FAILED_SQL
    " AND outcome = ?1 AND http_status = ?2 LIMIT ?3)";

static const char list_sql[] =
    "SELECT id, url, via, (SELECT url FROM addresses WHERE id = failed.via) "
    "FROM addresses AS failed INDEXED BY addresses_failed WHERE " PV_FAILED_SQL
    " AND outcome = ?1 AND http_status = ?2 ORDER BY id LIMIT ?3";

static void bind_group(struct pv_statement *statement,
    const struct pv_entry_group *group, int64_t third)
{
	pv_statement_bind(statement, 1, group->outcome);
	pv_statement_bind(statement, 2, group->http_status);
	if (third >= 0)
		pv_statement_bind(statement, 3, third);
}

/* Sorts */

static void count(struct pv_entry_reader *reader, struct pv_entry_group *group)
{
	struct pv_statement *statement =
	    pv_statement_create(reader->database, count_sql);
	bind_group(statement, group, PV_ENTRY_COUNT_MAX);
	if (pv_statement_step(statement))
		group->count = (size_t)pv_statement_number(statement, 0);
	pv_statement_destroy(statement);
}

/* What is not wanted by its type is left out by the policy, and no error. */
static void read_groups(struct pv_entry_reader *reader)
{
	struct pv_entry_facts *facts = reader->facts;
	struct pv_entry_group last = {.outcome = 0};
	struct pv_statement *next =
	    pv_statement_create(reader->database, next_sql);
	while (facts->group_count < PV_ENTRY_ANSWERS_MAX) {
		bind_group(next, &last, -1);
		if (!pv_statement_step(next))
			break;
		last.outcome = (unsigned)pv_statement_number(next, 0);
		last.http_status = (unsigned)pv_statement_number(next, 1);
		pv_statement_reset(next);
		if (last.outcome == PV_OUTCOME_NOT_ACCEPTED)
			continue;
		facts->groups[facts->group_count] = last;
		count(reader, &facts->groups[facts->group_count++]);
	}
	pv_statement_destroy(next);
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
	size_t count = facts->group_count;
	for (size_t i = 0; i < count; i++)
		order[i] = &facts->groups[i];
	qsort(order, count, sizeof(*order), by_count);
	for (size_t i = 0; i < count; i++) {
		size_t share = room / (count - i);
		if (share > order[i]->count)
			share = order[i]->count;
		order[i]->listed = share;
		room -= share;
	}
}

static void add_files(struct pv_entry_reader *reader,
    struct pv_entry_error *error, uint64_t id, uint64_t via)
{
	error->id = id;
	error->address.file = pv_entry_reader_file(reader, id);
	if (via)
		error->via.file = pv_entry_reader_file(reader, via);
}

static void add_error(struct pv_entry_reader *reader,
    struct pv_entry_group *group, const struct pv_statement *row)
{
	struct pv_entry_error *error = &group->errors[group->listed++];
	error->address =
	    pv_entry_reader_address(reader, pv_statement_text(row, 1));
	error->via = pv_entry_reader_address(reader, pv_statement_text(row, 3));
	add_files(reader, error, (uint64_t)pv_statement_number(row, 0),
	    (uint64_t)pv_statement_number(row, 2));
}

static void list_failed(
    struct pv_entry_reader *reader, struct pv_entry_group *group)
{
	struct pv_statement *row =
	    pv_statement_create(reader->database, list_sql);
	size_t max = group->listed;
	group->listed = 0;
	bind_group(row, group, (int64_t)max);
	while (group->listed < max && pv_statement_step(row))
		add_error(reader, group, row);
	pv_statement_destroy(row);
}

static void add_loss(struct pv_entry_reader *reader,
    struct pv_entry_error *error, const struct pv_fate *fate)
{
	error->address =
	    pv_entry_reader_address(reader, pv_buf_str(&fate->url));
	error->via = pv_entry_reader_address(reader, pv_buf_str(&fate->via));
	error->location =
	    pv_entry_reader_address(reader, pv_buf_str(&fate->location)).url;
	add_files(reader, error, fate->id, fate->via_id);
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
	for (size_t i = 0; i < facts->group_count; i++)
		list(reader, &facts->groups[i]);
}
