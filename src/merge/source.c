#include "merge/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "policy/sources/load.h"
#include "record/journal_name.h"
#include "store/state_look.h"
#include "store/tables/merge_notes.h"
#include "store/tables/note.h"
#include "store/tables/page_rows.h"
#include "store/tables/state_figures.h"

void pv_merge_path(const char *directory, const char *name, struct pv_buf *path)
{
	pv_buf_init(path, SIZE_MAX);
	pv_buf_append_format(path, "%s/%s", directory, name);
}

static bool fail(
    const struct pv_merge_source *source, struct pv_why *why, const char *text)
{
	pv_why_add(why, (struct pv_place){.file = source->directory},
	    PV_STR(""), "%s", text);
	return false;
}

/* Opening */

static bool load_policy(struct pv_merge_source *source, struct pv_why *why)
{
	struct pv_buf path;
	struct pv_why own;
	pv_why_init(&own);
	pv_merge_path(source->directory, "policy.yaml", &path);
	source->policy = pv_policy_load(
	    &(struct pv_sources){
		.file = pv_buf_text(&path),
		.input_of = source->directory,
	    },
	    &own);
	/* What is worth a note was noted when the crawl began. */
	for (size_t i = 0; i < own.problems.kept_count; i++) {
		const struct pv_problem *problem = &own.problems.kept[i];
		pv_why_add(why,
		    (struct pv_place){
			problem->file, problem->line, problem->column},
		    pv_str_of(problem->key), "%s", problem->text);
	}
	bool is_loaded = !pv_why_has_problems(&own);
	pv_buf_finish(&path);
	pv_why_finish(&own);
	return is_loaded;
}

static void note_round(
    void *ctx, int64_t number, int64_t began_wall_ms, int64_t ended_wall_ms)
{
	struct pv_merge_source *source = ctx;
	*PV_ARRAY_PUSH(
	    source->rounds, source->round_count, source->round_size) =
	    (struct pv_merge_round){number, began_wall_ms, ended_wall_ms};
}

void pv_merge_source_tell_unfinished(
    const struct pv_merge_source *source, struct pv_why *why)
{
	uint64_t left = pv_state_figures_left(source->state.look);
	if (left)
		pv_why_note(why, (struct pv_place){.file = source->directory},
		    PV_STR(""),
		    "is not finished: %llu address%s pending, and so "
		    "%s in the merge",
		    (unsigned long long)left, left == 1 ? " is" : "es are",
		    left == 1 ? "it is" : "they are");
}

static bool read_state(struct pv_merge_source *source, struct pv_why *why)
{
	struct pv_database *look = source->state.look;
	if (pv_merge_notes_count(look))
		return fail(source, why,
		    "is a merge itself: name the directories that it was made "
		    "of");
	source->state.key = pv_note_get_key(look);
	source->run_count = pv_note_get(look, PV_STR("runs"), 0);
	source->fleet_crawl = pv_note_get(look, PV_NOTE_FLEET_CRAWL, 0);
	source->finished_at = pv_note_get(look, PV_NOTE_FINISHED, 0);
	source->fleet_worker = pv_note_get(look, PV_NOTE_FLEET_WORKER, 0);
	pv_state_figures_rounds(look, note_round, source);
	pv_audit_parts_find(&source->journal, look, source->directory);
	source->distant_rows = pv_distant_rows_open(look);
	if (pv_database_status(look) == PV_STORE_OK)
		return true;
	pv_state_look_tell(look, source->directory, why);
	return false;
}

/* Nothing is made in what is no crawl's directory. */
static bool has_state(const struct pv_merge_source *source, struct pv_why *why)
{
	struct pv_buf path;
	pv_merge_path(source->directory, "state.db", &path);
	bool has = access(pv_buf_text(&path), R_OK) == 0;
	if (!has)
		pv_why_add(why, (struct pv_place){.file = source->directory},
		    PV_STR(""),
		    "is not a crawl's directory: cannot read its state.db: %s",
		    strerror(errno));
	pv_buf_finish(&path);
	return has;
}

bool pv_merge_source_open(struct pv_merge_source *source, const char *directory,
    int64_t place, struct pv_why *why)
{
	*source = (struct pv_merge_source){
	    .directory = directory, .state = {.place = place}, .file = -1};
	if (!has_state(source, why))
		return false;
	source->is_locked = pv_lock_take(&source->lock, directory, why);
	if (!source->is_locked)
		return false;
	source->state.look = pv_state_look(directory, why);
	return source->state.look && read_state(source, why) &&
	       load_policy(source, why);
}

void pv_merge_source_close(struct pv_merge_source *source)
{
	if (source->directory && source->file >= 0)
		close(source->file);
	pv_policy_destroy(source->policy);
	pv_audit_parts_finish(&source->journal);
	pv_distant_rows_close(source->distant_rows);
	pv_database_close(source->state.look);
	free(source->rounds);
	if (source->is_locked)
		pv_lock_give(&source->lock);
}

bool pv_merge_source_has_distant_rows(
    const struct pv_merge_source *source, struct pv_str url)
{
	return source->distant_rows &&
	       pv_distant_rows_have(source->distant_rows,
		   pv_fingerprint_of(&source->state.key, url));
}

int64_t pv_merge_source_round(
    const struct pv_merge_source *source, int64_t wall_ms)
{
	int64_t number = 1;
	for (size_t i = 0; i < source->round_count &&
			   source->rounds[i].began_wall_ms <= wall_ms;
	     i++)
		number = source->rounds[i].number;
	return number;
}

int64_t pv_merge_source_last_round(const struct pv_merge_source *source)
{
	return pv_merge_source_round(source, INT64_MAX);
}

/* The first round has no row. */
bool pv_merge_source_has_finished(
    const struct pv_merge_source *source, int64_t round)
{
	for (size_t i = 0; i < source->round_count; i++) {
		if (source->rounds[i].number == round)
			return source->rounds[i].ended_wall_ms > 0;
	}
	return round == 1 && source->finished_at > 0;
}

/* The key is drawn once for each crawl of a fleet. */
bool pv_merge_source_is_of_fleet(
    const struct pv_merge_source *source, const struct pv_merge_source *first)
{
	return source->fleet_crawl && first->fleet_crawl &&
	       memcmp(&source->state.key, &first->state.key,
		   sizeof(source->state.key)) == 0;
}

/* Reading its journal */

static bool open_journal(struct pv_merge_source *source, uint64_t generation)
{
	char name[PV_JOURNAL_NAME_MAX];
	struct pv_buf path;
	if (source->file >= 0 && source->generation == generation)
		return true;
	if (source->file >= 0)
		close(source->file);
	pv_journal_name_write(generation, name);
	pv_merge_path(source->directory, name, &path);
	source->file = open(
	    pv_buf_text(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	source->generation = generation;
	pv_buf_finish(&path);
	return source->file >= 0;
}

bool pv_merge_source_read(struct pv_merge_source *source, uint64_t generation,
    uint64_t offset, uint64_t length, struct pv_buf *piece, struct pv_why *why)
{
	pv_buf_clear(piece);
	char *room = pv_buf_reserve(piece, (size_t)length);
	bool is_read = room && open_journal(source, generation) &&
		       pread(source->file, room, (size_t)length,
			   (off_t)offset) == (ssize_t)length;
	if (is_read)
		piece->len += (size_t)length;
	else
		pv_why_add(why, (struct pv_place){.file = source->directory},
		    PV_STR(""), "cannot read its journal: %s",
		    room ? strerror(errno) : "a line is too long");
	return is_read;
}
