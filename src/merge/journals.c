#include "merge/journals.h"

#include "audit/clock_file.h"
#include "audit/entry.h"
#include "audit/journal.h"
#include "merge/line_end.h"
#include "merge/workers.h"
#include "record/change.h"
#include "store/tables/length.h"

#define LINE_MAX_BYTES ((size_t)2 * 1024 * 1024)
#define JOURNAL_MODE 0666

/* Clocks */

/* All of them, one directory after the other; there may be none. */
static bool copy_clocks(struct pv_merging *merging, struct pv_merge_file *file,
    const struct pv_merge_source *source)
{
	struct pv_buf path;
	uint64_t length;
	pv_merge_path(source->directory, PV_CLOCK_EVENTS_FILE, &path);
	bool is_copied =
	    pv_clock_file_length(pv_buf_text(&path), &length, merging->why);
	if (is_copied && length && file->file < 0)
		is_copied = pv_merge_file_open(file, &merging->target,
		    PV_CLOCK_EVENTS_FILE, JOURNAL_MODE, merging->why);
	if (is_copied && length)
		is_copied = pv_merge_file_take(
		    file, pv_buf_text(&path), length, merging->why);
	pv_buf_finish(&path);
	return is_copied;
}

static bool read_clocks(struct pv_merging *merging)
{
	struct pv_merge_file file = {.file = -1};
	bool is_read = true;
	for (size_t i = 0; is_read && i < merging->count; i++)
		is_read = pv_clock_file_read(&merging->clocks,
			      merging->sources[i].directory, merging->why) &&
			  copy_clocks(merging, &file, &merging->sources[i]);
	bool is_there = file.file >= 0;
	return (!is_there || pv_merge_file_close(&file, merging->why)) &&
	       is_read;
}

/* Reading */

struct reading {
	struct pv_merging *merging;
	struct pv_merge_source *source;
	struct pv_audit_part *part;
	const char *path;
	uint64_t offset;
};

/* What counts against the limits of hosts counts anew with each round. */
static void add_answer(struct pv_merging *merging,
    const struct pv_audit_entry *entry, const struct pv_merge_line *line)
{
	const struct pv_ledger_entry *request = &entry->request;
	if (!merging->state.is_of_fleet || !entry->is_asked ||
	    line->round != merging->last_round)
		return;
	const struct pv_merged_answer answer = {
	    .host = entry->host,
	    .fingerprint = line->fingerprint,
	    .is_success = entry->is_success && !request->is_robots,
	    .bytes = request->bytes,
	};
	pv_merged_answers_add(&merging->answers, &answer);
}

/* Where it brings no content, and does not say that there is none any more, the rows
 * of a page stay (record/change.h). */
static enum pv_merge_content content_of(
    const struct pv_merge_source *source, const struct pv_audit_entry *entry)
{
	const struct pv_result answer = {
	    .outcome = PV_OUTCOME_ANSWERED,
	    .http_status = entry->request.http_status,
	};
	if (!entry->is_asked ||
	    (!entry->is_success && !pv_change_is_gone(&answer)))
		return PV_MERGE_NOTHING;
	return pv_merge_source_has_distant_rows(source, entry->url)
		   ? PV_MERGE_ELSEWHERE
		   : PV_MERGE_READ;
}

static bool take_entry(struct reading *reading,
    const struct pv_audit_entry *entry, struct pv_str text)
{
	struct pv_merging *merging = reading->merging;
	struct pv_merge_source *source = reading->source;
	int64_t uncertainty_ms;
	if (!pv_merge_workers_hear(merging, source, entry->worker))
		return false;
	const struct pv_merge_line line = {
	    .source = source->state.place,
	    .generation = reading->part->generation,
	    .offset = reading->offset,
	    .length = text.len,
	    .worker = source->worker,
	    .names_worker = entry->worker >= 0,
	    .at_ms = pv_clock_memory_server_ms(&merging->clocks, source->worker,
		entry->request.wall_ms, &uncertainty_ms),
	    .is_final = entry->is_final,
	    .fingerprint = pv_fingerprint_of(&merging->state.key, entry->url),
	    .round = pv_merge_source_round(source, entry->request.wall_ms),
	    .own_round = entry->round,
	    .is_fetched = entry->is_asked,
	    .content = content_of(source, entry),
	};
	pv_merge_lines_add(&merging->lines, &line);
	add_answer(merging, entry, &line);
	return true;
}

static bool on_line(
    void *ctx, int64_t number, struct pv_str line, struct pv_why *why)
{
	struct reading *reading = ctx;
	struct pv_audit_entry entry;
	bool is_ours = pv_audit_entry_read(&entry, line);
	if (!is_ours) {
		pv_why_add(why,
		    (struct pv_place){
			.file = reading->path, .line = (uint32_t)number},
		    PV_STR(""), "is no line of a journal");
		return false;
	}
	bool is_taken = take_entry(reading, &entry, line);
	pv_audit_entry_finish(&entry);
	reading->offset += line.len + 1;
	return is_taken && !pv_merging_is_enough(reading->merging);
}

static bool read_part(
    struct pv_merging *merging, struct pv_merge_source *source, size_t part)
{
	struct pv_buf path;
	char name[PV_JOURNAL_NAME_MAX];
	struct reading reading = {.merging = merging,
	    .source = source,
	    .part = &source->journal.items[part]};
	pv_journal_name_write(reading.part->generation, name);
	pv_merge_path(source->directory, name, &path);
	reading.path = pv_buf_text(&path);
	bool is_read = pv_audit_journal_read(reading.path, reading.part->length,
	    on_line, &reading, merging->why);
	pv_buf_finish(&path);
	return is_read;
}

static bool read_source(
    struct pv_merging *merging, struct pv_merge_source *source)
{
	if (pv_audit_parts_are_cut(&source->journal))
		pv_why_note(merging->why,
		    (struct pv_place){.file = source->directory}, PV_STR(""),
		    "does not have the beginning of its journal any more: what "
		    "was before is missing in the merge");
	for (size_t i = 0; i < source->journal.count; i++) {
		if (!read_part(merging, source, i))
			return false;
	}
	return true;
}

/* Those that are of a known worker, or the others. */
static bool read_sources(struct pv_merging *merging, bool are_known)
{
	for (size_t i = 0; i < merging->count; i++) {
		struct pv_merge_source *source = &merging->sources[i];
		bool is_known = source->worker >= 0;
		if (is_known == are_known && !read_source(merging, source))
			return false;
	}
	return true;
}

bool pv_merge_journals_read(struct pv_merging *merging)
{
	if (!read_clocks(merging))
		return false;
	pv_merge_workers_begin(merging);
	if (!read_sources(merging, true) || !read_sources(merging, false))
		return false;
	pv_merge_lines_settle(&merging->lines);
	merging->result->stale = merging->lines.stale_count;
	return true;
}

/* Writing */

struct writing {
	struct pv_merging *merging;
	struct pv_merge_file file;
	struct pv_buf line;
};

static bool write_line(void *ctx, const struct pv_merge_line *line)
{
	struct writing *writing = ctx;
	struct pv_merging *merging = writing->merging;
	struct pv_merge_source *source = &merging->sources[line->source - 1];
	const struct pv_merge_line_was was = {
	    line->is_final, line->names_worker};
	const struct pv_merge_line_end end = {
	    .worker = line->worker,
	    .is_final =
		(line->is_final && !line->is_stale) || line->becomes_final,
	    .is_stale = line->is_stale,
	};
	if (!pv_merge_source_read(source, line->generation, line->offset,
		line->length, &writing->line, merging->why))
		return false;
	if (!pv_merge_line_write(
		pv_buf_str(&writing->line), &was, &end, &writing->file.bytes)) {
		pv_why_add(merging->why,
		    (struct pv_place){.file = source->directory}, PV_STR(""),
		    "has a line in its journal that says `final` before its "
		    "end, as no crawl writes it");
		return false;
	}
	merging->result->lines++;
	return pv_merge_file_flush(&writing->file, merging->why) &&
	       !pv_merging_is_enough(merging);
}

bool pv_merge_journals_write(struct pv_merging *merging)
{
	struct writing writing = {.merging = merging};
	pv_buf_init(&writing.line, LINE_MAX_BYTES);
	bool is_written =
	    pv_merge_file_open(&writing.file, &merging->target, "journal.jsonl",
		JOURNAL_MODE, merging->why) &&
	    pv_merge_lines_each(&merging->lines, write_line, &writing);
	is_written =
	    pv_merge_file_close(&writing.file, merging->why) && is_written;
	pv_length_set(
	    merging->database, PV_STR("journal.jsonl"), writing.file.length);
	pv_buf_finish(&writing.line);
	return is_written;
}
