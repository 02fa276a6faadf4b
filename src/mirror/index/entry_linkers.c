#include "mirror/index/entry_reader.h"

#include <stdlib.h>

#include "mirror/lookup/link_check.h"
#include "mirror/lookup/page_links.h"
#include "store/tables/state_files.h"

/* The pages that link to what is missing: all documents are read for them,
 * where that takes little time beside what they took to come, or none to speak
 * of. */
#define ADDRESSES_MAX 200000

/* What reading takes at most, about. */
#define FILE_US 10
#define DOCUMENT_US 30
#define BYTES_A_US 200

struct linkers {
	struct pv_entry_reader *reader;
	struct pv_entry_error *errors[PV_ENTRY_ERRORS_MAX]; /* by number */
	uint64_t ids[PV_ENTRY_ERRORS_MAX];
	size_t count;
	struct pv_entry_error *error; /* the one being read for */
};

/* How much there is to read */

static bool are_files_few(struct pv_entry_reader *reader)
{
	uint64_t time_us = pv_entry_time_us(reader->database);
	uint64_t files_max = time_us / FILE_US;
	uint64_t files = 0, takes_us = 0;
	struct pv_state_file_row row;
	struct pv_file_cursor *rows =
	    pv_file_cursor_open(reader->database, PV_FILES_KEPT, files_max);
	while (pv_file_cursor_next(rows, &row)) {
		files++;
		if (pv_page_links_is_document(row.file))
			takes_us += DOCUMENT_US + row.bytes / BYTES_A_US;
	}
	pv_file_cursor_close(rows);
	return files < files_max && takes_us <= time_us;
}

/* What was stopped is not kept waiting. */
static bool is_time(struct pv_entry_reader *reader)
{
	return reader->has_time && reader->facts->finished_wall_ms &&
	       pv_state_addresses_last(reader->database) <= ADDRESSES_MAX &&
	       are_files_few(reader);
}

/* Hearing */

static int by_number(const void *a, const void *b)
{
	const struct pv_entry_error *const *left = a, *const *right = b;
	return ((*left)->id > (*right)->id) - ((*left)->id < (*right)->id);
}

static int by_id(const void *key, const void *item)
{
	const struct pv_entry_error *const *error = item;
	uint64_t id = *(const uint64_t *)key;
	return (id > (*error)->id) - (id < (*error)->id);
}

static void hear_broken(void *ctx, const struct pv_fate *fate)
{
	struct linkers *linkers = ctx;
	struct pv_entry_error **found = bsearch(&fate->id, linkers->errors,
	    linkers->count, sizeof(struct pv_entry_error *), by_id);
	linkers->error = *found;
}

static void hear_page(void *ctx, struct pv_str url, struct pv_str file)
{
	struct linkers *linkers = ctx;
	struct pv_entry_error *error = linkers->error;
	struct pv_arena *arena = &linkers->reader->facts->arena;
	size_t place = error->page_count++;
	if (place >= PV_ENTRY_LINKERS_MAX)
		return;
	if (!error->pages)
		error->pages = pv_arena_give_array(
		    arena, PV_ENTRY_LINKERS_MAX, sizeof(*error->pages));
	error->pages[place] = pv_entry_reader_address(linkers->reader, url);
	error->pages[place].file = pv_arena_copy(arena, file);
}

static void hear_end(void *ctx, const struct pv_fate *fate)
{
	(void)ctx;
	(void)fate;
}

/* Asking */

static void take_errors(struct linkers *linkers)
{
	const struct pv_entry_facts *facts = linkers->reader->facts;
	for (size_t i = 0; i < facts->errors.group_count; i++) {
		const struct pv_entry_group *group = &facts->errors.groups[i];
		for (size_t j = 0; j < group->listed; j++)
			linkers->errors[linkers->count++] = &group->errors[j];
	}
	qsort(linkers->errors, linkers->count, sizeof(struct pv_entry_error *),
	    by_number);
	for (size_t i = 0; i < linkers->count; i++)
		linkers->ids[i] = linkers->errors[i]->id;
}

/* What cannot be read for it is reported by the next reader of the state, or on
 * the page, like what was too much to read. */
static bool check(struct linkers *linkers)
{
	const struct pv_link_check_plan plan = {
	    .ids = linkers->ids,
	    .id_count = linkers->count,
	};
	const struct pv_link_check_hearer hearer = {
	    .on_broken = hear_broken,
	    .on_page = hear_page,
	    .on_end = hear_end,
	    .ctx = linkers,
	};
	struct pv_why why;
	pv_why_init(&why);
	struct pv_link_check *check =
	    pv_link_check_create(&linkers->reader->state, &plan, &why);
	bool is_told = check && pv_link_check_tell(check, &hearer, &why);
	pv_link_check_destroy(check);
	pv_why_finish(&why);
	return is_told;
}

void pv_entry_linkers_read(struct pv_entry_reader *reader)
{
	struct linkers linkers = {.reader = reader};
	take_errors(&linkers);
	reader->facts->errors.has_linkers =
	    linkers.count && is_time(reader) && check(&linkers);
}
