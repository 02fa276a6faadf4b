#include "mirror/links/twins.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/digest.h"
#include "base/map.h"
#include "store/schema.h"
#include "store/tables/file_moves.h"
#include "store/tables/note.h"
#include "store/tables/state_files.h"

#define BY_NAME "/index^^."
#define OF_DIRECTORY "/index."

struct twin {
	uint64_t address; /* that has the name of the index */
	struct pv_str file;
	struct pv_str shared; /* the file of the directory */
	uint8_t digest[PV_DIGEST_SIZE];
	uint8_t other[PV_DIGEST_SIZE]; /* what the directory has ... */
	bool has_other;                /* ... if it is kept */
};

struct twins {
	struct pv_database *database;
	int root;
	struct pv_arena arena;
	struct twin *items;
	size_t count;
	size_t size;
	struct pv_map places; /* in items, by `shared` */
};

static struct pv_str from_last_slash(struct pv_str text)
{
	return pv_str_from(text, pv_str_find_last(text, '/'));
}

/* The file that the directory has, where that one is of an index. */
static bool find_shared(struct twins *twins,
    const struct pv_state_file_row *row, struct pv_str *shared)
{
	struct pv_str base = from_last_slash(row->file);
	struct pv_buf name;
	if (pv_str_starts(base, PV_STR(OF_DIRECTORY))) {
		*shared = pv_arena_copy(&twins->arena, row->file);
		return true;
	}
	if (!pv_str_starts(base, PV_STR(BY_NAME)))
		return false;
	pv_buf_init(&name, SIZE_MAX);
	pv_buf_append(&name, pv_str_head(row->file, row->file.len - base.len));
	pv_buf_append_text(&name, OF_DIRECTORY);
	pv_buf_append(&name, pv_str_from(base, strlen(BY_NAME)));
	*shared = pv_arena_copy(&twins->arena, pv_buf_str(&name));
	pv_buf_finish(&name);
	return true;
}

static bool is_candidate(const struct pv_state_file_row *row)
{
	return row->digest.len == PV_DIGEST_SIZE &&
	       pv_str_starts(row->file, PV_STR("site/"));
}

static bool is_by_name(const struct pv_state_file_row *row)
{
	return pv_str_starts(from_last_slash(row->url), PV_STR(OF_DIRECTORY));
}

static void add(struct twins *twins, const struct pv_state_file_row *row)
{
	struct pv_str shared;
	if (!is_candidate(row) || !is_by_name(row) ||
	    !find_shared(twins, row, &shared) ||
	    !pv_map_add(&twins->places, shared, (uint32_t)twins->count))
		return;
	struct twin *twin =
	    PV_ARRAY_PUSH(twins->items, twins->count, twins->size);
	*twin = (struct twin){
	    .address = row->address,
	    .file = pv_arena_copy(&twins->arena, row->file),
	    .shared = shared,
	};
	memcpy(twin->digest, row->digest.ptr, PV_DIGEST_SIZE);
}

static void match(struct twins *twins, const struct pv_state_file_row *row)
{
	const uint32_t *place = pv_map_get(&twins->places, row->file);
	if (!place || !is_candidate(row) || is_by_name(row))
		return;
	struct twin *twin = &twins->items[*place];
	memcpy(twin->other, row->digest.ptr, PV_DIGEST_SIZE);
	twin->has_other = true;
}

static void each(struct twins *twins,
    void (*hear)(struct twins *twins, const struct pv_state_file_row *row))
{
	struct pv_file_cursor *files =
	    pv_file_cursor_open(twins->database, PV_FILES_KEPT, 0);
	struct pv_state_file_row row;
	while (pv_file_cursor_next(files, &row))
		hear(twins, &row);
	pv_file_cursor_close(files);
}

/* "index^^.html" for "index.html"; false where there is no such file. */
static bool has_own(
    const struct twins *twins, const struct twin *twin, struct pv_buf *own)
{
	struct pv_str base = from_last_slash(twin->shared);
	pv_buf_clear(own);
	pv_buf_append(
	    own, pv_str_head(twin->shared, twin->shared.len - base.len));
	pv_buf_append_text(own, BY_NAME);
	pv_buf_append(own, pv_str_from(base, strlen(OF_DIRECTORY)));
	return faccessat(twins->root, pv_buf_text(own), F_OK,
		   AT_SYMLINK_NOFOLLOW) == 0;
}

/* Gives the file the directory's name as well, which nothing has. */
static bool name_as_directory(
    const struct twins *twins, const struct twin *twin)
{
	struct pv_buf from, to;
	pv_buf_init(&from, SIZE_MAX);
	pv_buf_init(&to, SIZE_MAX);
	pv_buf_append(&from, twin->file);
	pv_buf_append(&to, twin->shared);
	bool is_named = linkat(twins->root, pv_buf_text(&from), twins->root,
			    pv_buf_text(&to), 0) == 0;
	pv_buf_finish(&from);
	pv_buf_finish(&to);
	return is_named;
}

static void join_one(const struct twins *twins, struct pv_database *database,
    const struct twin *twin)
{
	bool are_equal = twin->has_other &&
			 memcmp(twin->digest, twin->other, PV_DIGEST_SIZE) == 0;
	if (are_equal || (!twin->has_other && name_as_directory(twins, twin)))
		pv_file_moves_share(
		    database, (int64_t)twin->address, twin->shared);
}

static void check_one(const struct twins *twins, struct pv_database *database,
    const struct twin *twin)
{
	struct pv_buf own;
	if (!twin->has_other ||
	    memcmp(twin->digest, twin->other, PV_DIGEST_SIZE) == 0)
		return;
	pv_buf_init(&own, SIZE_MAX);
	if (has_own(twins, twin, &own))
		pv_file_moves_take_back(
		    database, (int64_t)twin->address, pv_buf_str(&own));
	else
		pv_file_moves_read_anew(database, (int64_t)twin->address);
	pv_buf_finish(&own);
}

static void settle(const struct twins *twins, struct pv_database *database,
    const struct twin *twin)
{
	if (pv_str_equal(twin->file, twin->shared))
		check_one(twins, database, twin);
	else
		join_one(twins, database, twin);
}

/* So many in one transaction. */
#define STEP 1000

static bool settle_all(const struct twins *twins, const char *path)
{
	struct pv_database *database = pv_database_open(path);
	pv_database_begin(database);
	pv_file_moves_keep_shared(database);
	for (size_t i = 0; i < twins->count; i++) {
		settle(twins, database, &twins->items[i]);
		if (i % STEP == STEP - 1) {
			pv_database_commit(database);
			pv_database_begin(database);
		}
	}
	bool is_done = pv_database_commit(database);
	pv_database_close(database);
	return is_done;
}

static bool join(struct twins *twins, const char *path, struct pv_why *why)
{
	each(twins, add);
	if (twins->count)
		each(twins, match);
	if (pv_database_status(twins->database) != PV_STORE_OK) {
		pv_schema_tell(twins->database, path, why);
		return false;
	}
	if (!twins->count || settle_all(twins, path))
		return true;
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""),
	    "cannot be written");
	return false;
}

bool pv_twins_join(const char *directory, int root, struct pv_why *why)
{
	struct twins twins = {.root = root};
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/state.db", directory);
	twins.database = pv_database_look(pv_buf_text(&path));
	pv_arena_init(&twins.arena);
	pv_map_init(&twins.places, pv_note_get_key(twins.database));
	bool is_done = join(&twins, pv_buf_text(&path), why);
	pv_map_finish(&twins.places);
	pv_arena_finish(&twins.arena);
	free(twins.items);
	pv_database_close(twins.database);
	pv_buf_finish(&path);
	return is_done;
}
