#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "merge/completion.h"
#include "merge/journals.h"
#include "merge/parts.h"
#include "merge/policies.h"
#include "policy/sources/seed_input.h"
#include "store/schema.h"
#include "store/state_file.h"
#include "store/state_look.h"
#include "store/tables/merged_rows.h"
#include "store/tables/note.h"

/* Opening */

static bool is_same_directory(const char *one, const char *other)
{
	struct stat a, b;
	return stat(one, &a) == 0 && stat(other, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool is_named_once(const struct pv_merging *merging, size_t number)
{
	const char *const *names = merging->options->directories;
	for (size_t i = 0; i < number; i++) {
		if (!is_same_directory(names[i], names[number]))
			continue;
		pv_why_add(merging->why,
		    (struct pv_place){.file = names[number]}, PV_STR(""),
		    "is named twice: name each directory once");
		return false;
	}
	return true;
}

/* What of the path is there. */
static void find_above(const char *path, struct pv_buf *above)
{
	struct pv_str rest = pv_str_of(path);
	struct stat facts;
	pv_buf_init(above, SIZE_MAX);
	pv_buf_append(above, rest);
	while (stat(pv_buf_text(above), &facts) != 0 && rest.len) {
		size_t slash = pv_str_find_last(rest, '/');
		rest = pv_str_head(rest, slash == PV_NOT_FOUND ? 0 : slash);
		pv_buf_clear(above);
		pv_buf_append(above, rest);
		if (!rest.len)
			pv_buf_append_text(above, slash ? "." : "/");
	}
}

static bool is_within(const char *path, const char *directory)
{
	struct pv_buf above;
	find_above(path, &above);
	char *inner = realpath(pv_buf_text(&above), NULL);
	char *outer = realpath(directory, NULL);
	size_t len = outer ? strlen(outer) : 0;
	bool is_it = inner && outer && strncmp(inner, outer, len) == 0 &&
		     (inner[len] == '/' || !inner[len]);
	free(inner);
	free(outer);
	pv_buf_finish(&above);
	return is_it;
}

static bool leaves_as_it_is(const struct pv_merging *merging, size_t number)
{
	const char *output = merging->options->output;
	const char *directory = merging->options->directories[number];
	if (!is_within(output, directory))
		return true;
	pv_why_add(merging->why, (struct pv_place){.file = output}, PV_STR(""),
	    "is within %s, which stays as it is: choose an output outside of "
	    "it",
	    directory);
	return false;
}

static bool open_sources(struct pv_merging *merging)
{
	const struct pv_merge_options *options = merging->options;
	int64_t runs = 0;
	merging->sources =
	    pv_alloc_array(options->count + 1, sizeof(*merging->sources));
	for (size_t i = 0; i < options->count; i++) {
		struct pv_merge_source *source = &merging->sources[i];
		if (!is_named_once(merging, i) || !leaves_as_it_is(merging, i))
			return false;
		merging->count++;
		if (!pv_merge_source_open(source, options->directories[i],
			(int64_t)i + 1, merging->why))
			return false;
		source->state.runs_before = runs;
		runs += source->run_count;
		int64_t round = pv_merge_source_last_round(source);
		if (round > merging->last_round)
			merging->last_round = round;
	}
	for (size_t i = 1; i < merging->count; i++)
		pv_merge_policies_fit(
		    &merging->sources[i], &merging->sources[0], merging->why);
	return !pv_why_has_problems(merging->why);
}

/* What is left */

/* What a worker has lost to another it may still hold for pending, and knows
 * nothing of what became of it. So what all of them together have left counts. */
static bool is_fleet(const struct pv_merging *merging)
{
	for (size_t i = 0; i < merging->count; i++) {
		if (!pv_merge_source_is_of_fleet(
			&merging->sources[i], &merging->sources[0]))
			return false;
	}
	return merging->count > 0;
}

/* The key of a crawl is drawn at random. That of a fleet is its workers', whose
 * numbers tell them apart (merge/workers.h). */
static bool is_copy(
    const struct pv_merge_source *one, const struct pv_merge_source *other)
{
	return !other->fleet_crawl && memcmp(&one->state.key, &other->state.key,
					  sizeof(one->state.key)) == 0;
}

static bool is_no_copy(const struct pv_merging *merging, size_t number)
{
	const struct pv_merge_source *source = &merging->sources[number];
	size_t i = 0;
	while (i < number && !is_copy(source, &merging->sources[i]))
		i++;
	if (i == number)
		return true;
	pv_why_add(merging->why, (struct pv_place){.file = source->directory},
	    PV_STR(""),
	    "has the same crawl as %s: one of them is a copy, so merge only "
	    "the one that went on",
	    merging->sources[i].directory);
	return false;
}

static bool are_no_copies(const struct pv_merging *merging)
{
	size_t i = 0;
	while (i < merging->count && is_no_copy(merging, i))
		i++;
	return i == merging->count;
}

static void tell_sources(const struct pv_merging *merging)
{
	if (merging->state.is_of_fleet)
		return;
	for (size_t i = 0; i < merging->count; i++)
		pv_merge_source_tell_unfinished(
		    &merging->sources[i], merging->why);
}

/* The state */

static bool tell_databases(const struct pv_merging *merging)
{
	const struct pv_database *const all[] = {merging->database,
	    merging->lines.database, merging->clocks.database};
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (pv_database_status(all[i]) == PV_STORE_OK)
			continue;
		pv_why_add(merging->why,
		    (struct pv_place){
			.file = pv_buf_text(&merging->target.directory)},
		    PV_STR(""), "cannot be written: %s",
		    pv_database_fault(all[i]));
	}
	for (size_t i = 0; i < merging->count; i++) {
		const struct pv_merge_source *source = &merging->sources[i];
		if (pv_database_status(source->state.look) != PV_STORE_OK)
			pv_state_look_tell(source->state.look,
			    source->directory, merging->why);
	}
	return !pv_why_has_problems(merging->why);
}

static int64_t owner(void *ctx, struct pv_fingerprint fingerprint)
{
	struct pv_merging *merging = ctx;
	return pv_merge_lines_owner(&merging->lines, fingerprint);
}

static int64_t reader(void *ctx, struct pv_fingerprint fingerprint)
{
	struct pv_merging *merging = ctx;
	return pv_merge_lines_reader(&merging->lines, fingerprint);
}

static bool open_state(struct pv_merging *merging)
{
	struct pv_buf path;
	pv_merge_path(
	    pv_buf_text(&merging->target.directory), "state.db", &path);
	bool is_open = pv_state_file_make(pv_buf_text(&path), merging->why);
	merging->database = pv_database_open(pv_buf_text(&path));
	is_open =
	    is_open && pv_schema_apply(pv_state_schema(), merging->database,
			   pv_buf_text(&path), merging->why);
	pv_buf_finish(&path);
	merging->state.owner = owner;
	merging->state.reader = reader;
	merging->state.is_enough = pv_merging_is_enough;
	merging->state.ctx = merging;
	pv_merged_state_open(&merging->state, merging->database);
	pv_merged_answers_open(&merging->answers, merging->database);
	return is_open;
}

static void note_workers(struct pv_merging *merging)
{
	pv_merge_notes_set_count(merging->database, (int64_t)merging->count);
	if (merging->state.is_of_fleet)
		pv_note_set(merging->database, PV_NOTE_FLEET_CRAWL,
		    merging->sources[0].fleet_crawl);
	for (size_t i = 0; i < merging->worker_count; i++)
		pv_merge_notes_add(merging->database, &merging->workers[i]);
}

static bool make_state(struct pv_merging *merging)
{
	struct pv_merged_state *state = &merging->state;
	int64_t runs = 0;
	for (size_t i = 0; i < merging->count; i++) {
		if (!pv_merged_state_announce(
			state, &merging->sources[i].state))
			return false;
		runs += merging->sources[i].run_count;
	}
	pv_merged_state_settle(state);
	for (size_t i = 0; i < merging->count; i++) {
		if (!pv_merged_rows_copy(state, &merging->sources[i].state))
			return false;
	}
	pv_merged_rows_count(state, runs);
	if (state->is_of_fleet)
		pv_merged_answers_count(&merging->answers);
	note_workers(merging);
	pv_merge_completion_judge(merging);
	return tell_databases(merging);
}

/* What else a crawl's directory has */

static bool has_file(const char *directory, const char *name)
{
	struct pv_buf path;
	pv_merge_path(directory, name, &path);
	bool has = access(pv_buf_text(&path), F_OK) == 0;
	pv_buf_finish(&path);
	return has;
}

static bool copy_policy(struct pv_merging *merging)
{
	static const char *const names[] = {"policy.yaml", PV_SEED_COPY};
	const char *directory = merging->sources[0].directory;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (has_file(directory, names[i]) &&
		    !pv_merge_target_copy(
			&merging->target, directory, names[i], merging->why))
			return false;
	}
	return true;
}

static bool work(struct pv_merging *merging)
{
	bool is_made = pv_merge_target_open(&merging->target,
			   merging->options->output, merging->why) &&
		       open_state(merging) && pv_merge_journals_read(merging) &&
		       make_state(merging) && pv_merge_parts_make(merging) &&
		       copy_policy(merging) && tell_databases(merging);
	if (merging->database && is_made)
		pv_merged_state_commit(&merging->state);
	if (merging->database) {
		pv_merged_answers_close(&merging->answers);
		pv_merged_state_close(&merging->state);
	}
	is_made = is_made && tell_databases(merging);
	pv_database_close(merging->database);
	return is_made &&
	       pv_merge_target_finish(&merging->target, merging->why);
}

bool pv_merge_run(const struct pv_merge_options *options,
    struct pv_merge_result *result, struct pv_why *why)
{
	struct pv_merging merging = {
	    .options = options, .result = result, .why = why};
	*result = (struct pv_merge_result){.is_cut = false};
	pv_clock_memory_open(&merging.clocks);
	pv_merge_lines_open(&merging.lines);
	bool is_open = open_sources(&merging);
	if (is_open) {
		merging.state.key = merging.sources[0].state.key;
		merging.state.is_of_fleet = is_fleet(&merging);
		merging.lines.is_of_fleet = merging.state.is_of_fleet;
		tell_sources(&merging);
	}
	bool is_made = is_open && are_no_copies(&merging) && work(&merging);
	if (is_open)
		pv_merge_target_close(&merging.target);
	for (size_t i = 0; i < merging.count; i++)
		pv_merge_source_close(&merging.sources[i]);
	free(merging.sources);
	free(merging.workers);
	pv_merge_lines_close(&merging.lines);
	pv_clock_memory_close(&merging.clocks);
	return is_made || (result->is_cut && !pv_why_has_problems(why));
}
