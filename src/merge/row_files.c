#include "merge/parts.h"

#include <stdlib.h>

#include "audit/journal.h"
#include "base/array.h"
#include "base/json/json.h"
#include "merge/csv_records.h"
#include "store/tables/length.h"
#include "store/tables/note.h"

/* Files of lines that are about addresses: of an address that several sources
 * have, those of one count. */

#define MODE 0666
#define CHANGES PV_STR("changes.jsonl")

typedef bool (*counts_fn)(struct pv_merging *merging,
    const struct pv_merge_source *source, struct pv_str url);

/* One name, in all sources that have it. */
struct joining {
	struct pv_merging *merging;
	const struct pv_merge_source *source; /* in hand */
	const char *member;                   /* that has the address */
	counts_fn counts;                     /* whose lines they are */
	const char *path;
	struct pv_merge_file file;
	struct pv_buf header;  /* of CSV, that holds in the source ... */
	struct pv_buf written; /* ... and in what is written */
};

static bool add_line(struct joining *joining, struct pv_str line)
{
	pv_buf_append(&joining->file.bytes, line);
	pv_buf_append_char(&joining->file.bytes, '\n');
	return pv_merge_file_flush(&joining->file, joining->merging->why) &&
	       !pv_merging_is_enough(joining->merging);
}

static bool on_json(
    void *ctx, int64_t number, struct pv_str line, struct pv_why *why)
{
	struct joining *joining = ctx;
	struct pv_json *value = pv_json_read(line);
	struct pv_str url = pv_json_get_text(value, joining->member);
	bool is_added = url.len > 0;
	if (!is_added)
		pv_why_add(why,
		    (struct pv_place){
			.file = joining->path, .line = (uint32_t)number},
		    PV_STR(""), "is no line about an address");
	else if (joining->counts(joining->merging, joining->source, url))
		is_added = add_line(joining, line);
	pv_json_destroy(value);
	return is_added;
}

/* A header stands again where the policy has become another one. */
static bool on_record(void *ctx, const struct pv_csv_record *record)
{
	struct joining *joining = ctx;
	struct pv_buf *bytes = &joining->file.bytes;
	if (pv_str_equal(record->first, PV_STR("_url"))) {
		pv_buf_clear(&joining->header);
		return pv_buf_append(&joining->header, record->bytes);
	}
	if (!joining->counts(joining->merging, joining->source, record->first))
		return true;
	struct pv_str header = pv_buf_str(&joining->header);
	if (!pv_str_equal(header, pv_buf_str(&joining->written))) {
		pv_buf_append(bytes, header);
		pv_buf_clear(&joining->written);
		pv_buf_append(&joining->written, header);
	}
	pv_buf_append(bytes, record->bytes);
	return pv_merge_file_flush(&joining->file, joining->merging->why) &&
	       !pv_merging_is_enough(joining->merging);
}

static bool join_source(struct joining *joining, struct pv_str name,
    const struct pv_merge_source *source)
{
	struct pv_why *why = joining->merging->why;
	uint64_t length = pv_length_get(source->state.look, name);
	bool is_csv = pv_str_ends(name, PV_STR(".csv"));
	struct pv_buf path;
	if (!length)
		return true;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(
	    &path, "%s/%.*s", source->directory, PV_STR_ARG(name));
	joining->source = source;
	joining->path = pv_buf_text(&path);
	pv_buf_clear(&joining->header);
	bool is_joined = is_csv ? pv_csv_records_read(joining->path, length,
				      on_record, joining, why)
				: pv_audit_journal_read(joining->path, length,
				      on_json, joining, why);
	pv_buf_finish(&path);
	return is_joined;
}

static bool join(struct pv_merging *merging, struct pv_str name,
    const char *member, counts_fn counts)
{
	struct joining joining = {
	    .merging = merging, .member = member, .counts = counts};
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_append(&text, name);
	pv_buf_init(&joining.header, SIZE_MAX);
	pv_buf_init(&joining.written, SIZE_MAX);
	bool is_joined = pv_merge_file_open(&joining.file, &merging->target,
	    pv_buf_text(&text), MODE, merging->why);
	for (size_t i = 0; is_joined && i < merging->count; i++)
		is_joined = join_source(&joining, name, &merging->sources[i]);
	is_joined =
	    pv_merge_file_close(&joining.file, merging->why) && is_joined;
	pv_length_set(merging->database, name, joining.file.length);
	pv_buf_finish(&joining.header);
	pv_buf_finish(&joining.written);
	pv_buf_finish(&text);
	return is_joined;
}

/* Which files there are */

struct names {
	struct pv_buf *items;
	size_t count;
	size_t size;
};

static bool add_name(void *ctx, struct pv_str file, uint64_t length)
{
	struct names *names = ctx;
	size_t i = 0;
	while (i < names->count &&
	       !pv_str_equal(pv_buf_str(&names->items[i]), file))
		i++;
	if (length && i == names->count) {
		struct pv_buf *name =
		    PV_ARRAY_PUSH(names->items, names->count, names->size);
		pv_buf_init(name, SIZE_MAX);
		pv_buf_append(name, file);
	}
	return true;
}

static bool is_settled(
    const struct pv_merging *merging, const struct pv_merge_source *source)
{
	if (!pv_note_get(source->state.look, PV_STR("fields-new"), 0))
		return true;
	pv_why_add(merging->why, (struct pv_place){.file = source->directory},
	    PV_STR(""),
	    "is in the midst of writing its rows anew: let `pavane fields` or "
	    "`pavane continue` end that first");
	return false;
}

bool pv_merge_row_files(struct pv_merging *merging)
{
	struct names names = {.count = 0};
	bool is_joined = true;
	for (size_t i = 0; is_joined && i < merging->count; i++) {
		is_joined = is_settled(merging, &merging->sources[i]);
		pv_lengths_each(merging->sources[i].state.look,
		    PV_STR("fields/"), add_name, &names);
	}
	for (size_t i = 0; i < names.count; i++) {
		struct pv_str name = pv_buf_str(&names.items[i]);
		bool is_row = !pv_str_ends(name, PV_STR("/problems.jsonl"));
		is_joined =
		    is_joined && join(merging, name, is_row ? "_url" : "url",
				     pv_merging_is_reader);
		pv_buf_finish(&names.items[i]);
	}
	free(names.items);
	return is_joined;
}

bool pv_merge_changes(struct pv_merging *merging)
{
	bool is_there = false;
	for (size_t i = 0; i < merging->count; i++)
		is_there =
		    is_there ||
		    pv_length_get(merging->sources[i].state.look, CHANGES);
	return !is_there || join(merging, CHANGES, "url", pv_merging_is_owner);
}
