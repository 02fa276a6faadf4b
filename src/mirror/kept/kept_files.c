#include "mirror/kept/kept_files.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/hash.h"
#include "store/tables/note.h"
#include "store/tables/state_files.h"

struct kept {
	uint64_t hash;
	int64_t entry; /* twice the address, and one if it is going */
};

struct pv_kept_files {
	struct pv_hash_key key;
	struct kept *items; /* by their hashes */
	size_t count;
	size_t size;
};

static int compare(const void *left, const void *right)
{
	const struct kept *a = left;
	const struct kept *b = right;
	return a->hash < b->hash ? -1 : a->hash > b->hash;
}

struct pv_kept_files *pv_kept_files_read(struct pv_database *database)
{
	struct pv_kept_files *kept = pv_alloc(sizeof(*kept));
	struct pv_file_cursor *cursor =
	    pv_file_cursor_open(database, PV_FILES_NAMES, 0);
	struct pv_state_file_row row;
	kept->key = pv_note_get_key(database);
	while (pv_file_cursor_next(cursor, &row))
		*PV_ARRAY_PUSH(kept->items, kept->count, kept->size) =
		    (struct kept){pv_hash(&kept->key, row.file),
			(int64_t)row.address * 2 + row.is_going};
	pv_file_cursor_close(cursor);
	if (kept->count)
		qsort(kept->items, kept->count, sizeof(*kept->items), compare);
	return kept;
}

size_t pv_kept_files_count(const struct pv_kept_files *kept)
{
	return kept->count;
}

void pv_kept_files_destroy(struct pv_kept_files *kept)
{
	if (!kept)
		return;
	free(kept->items);
	free(kept);
}

static const struct kept *find(
    const struct pv_kept_files *kept, struct pv_str file)
{
	const struct kept wanted = {.hash = pv_hash(&kept->key, file)};
	return kept->count ? bsearch(&wanted, kept->items, kept->count,
				 sizeof(wanted), compare)
			   : NULL;
}

/* The entry of a file; 0 if there is none. */
static int64_t entry_of(const struct pv_kept_files *kept, struct pv_str file)
{
	const struct kept *found = find(kept, file);
	return found ? found->entry : 0;
}

/* Those with the same hash stand together. */
bool pv_kept_files_is_shared(
    const struct pv_kept_files *kept, struct pv_str file)
{
	const struct kept *found = find(kept, file);
	const struct kept *end = kept->items + kept->count;
	return found &&
	       ((found > kept->items && found[-1].hash == found->hash) ||
		   (found + 1 < end && found[1].hash == found->hash));
}

int64_t pv_kept_files_get(const struct pv_kept_files *kept, struct pv_str file)
{
	return entry_of(kept, file) / 2;
}

bool pv_kept_files_is_going(
    const struct pv_kept_files *kept, struct pv_str file)
{
	return entry_of(kept, file) % 2;
}

int64_t pv_kept_files_find(const struct pv_kept_files *kept, struct pv_str file)
{
	struct pv_buf moved;
	int64_t address = pv_kept_files_get(kept, file);
	if (address || !pv_str_starts(file, PV_STR("site/")))
		return address;
	pv_buf_init(&moved, SIZE_MAX);
	pv_buf_append_text(&moved, "gone/");
	pv_buf_append(&moved, pv_str_from(file, strlen("site/")));
	address = pv_kept_files_get(kept, pv_buf_str(&moved));
	pv_buf_finish(&moved);
	return address;
}
