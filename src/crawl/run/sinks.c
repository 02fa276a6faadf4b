#include "crawl/run/sinks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/consumers/consumers.h"
#include "crawl/consumers/program_sink.h"
#include "store/schema.h"
#include "store/tables/journal_files.h"
#include "store/tables/length.h"

void pv_sinks_fail(struct pv_database *database, const char *name)
{
	char text[160];
	bool is_full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
	snprintf(text, sizeof(text), "cannot write the %s: %s", name,
	    strerror(errno));
	pv_database_fail(
	    database, is_full ? PV_STORE_FULL : PV_STORE_FAILED, text);
}

/* Only those that have changed, of what may be hundreds. */
static void keep_lengths(
    struct pv_sink_item *item, struct pv_database *database)
{
	for (size_t i = 0; i < item->file_count; i++) {
		if (item->has_kept && item->kept[i] == item->lengths[i])
			continue;
		item->kept[i] = item->lengths[i];
		pv_length_set(
		    database, pv_str_of(item->files[i]), item->lengths[i]);
	}
	item->has_kept = true;
}

/* With the lengths that the last ones have come to: an end of the process finds
 * either both or neither. */
static void begin_files(struct pv_sink_item *item, struct pv_database *database)
{
	for (size_t i = 0; i < item->file_count; i++) {
		item->lengths[i] = item->kept[i] = 0;
		pv_length_set(database, pv_str_of(item->files[i]), 0);
	}
}

static void sync_one(struct pv_sinks *sinks, struct pv_sink_item *item,
    struct pv_database *database)
{
	if (!item->kind->sync(item->sink, item->lengths)) {
		pv_sinks_fail(database, item->kind->name);
		return;
	}
	keep_lengths(item, database);
	if (item->kind->turn && item->kind->turn(item->sink)) {
		begin_files(item, database);
		pv_journal_files_forget(database, sinks->directory);
	}
}

static void sync_all(void *ctx, struct pv_database *database)
{
	struct pv_sinks *sinks = ctx;
	for (size_t i = 0; i < sinks->count; i++) {
		if (sinks->items[i].kind->sync)
			sync_one(sinks, &sinks->items[i], database);
	}
}

/* Whether it is certain what the state says: by a length that could not be read
 * all would be cut that was ever written. */
static bool can_trust(const struct pv_database *database,
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	struct pv_buf path;
	if (pv_database_status(database) == PV_STORE_OK)
		return true;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/state.db", plan->directory);
	pv_schema_tell(database, pv_buf_text(&path), why);
	pv_buf_finish(&path);
	return false;
}

/* One more than there are, so that there is always an array. */
static void list_files(struct pv_sink_item *item, struct pv_database *database)
{
	item->files = item->kind->files ? item->kind->files(item->sink) : NULL;
	while (item->files && item->files[item->file_count])
		item->file_count++;
	item->lengths =
	    pv_alloc_array(item->file_count + 1, sizeof(*item->lengths));
	item->kept = pv_alloc_array(item->file_count + 1, sizeof(*item->kept));
	for (size_t i = 0; i < item->file_count; i++)
		item->lengths[i] =
		    pv_length_get(database, pv_str_of(item->files[i]));
}

static bool has_room(const struct pv_sinks *sinks, struct pv_why *why)
{
	if (sinks->count < PV_SINKS_MAX)
		return true;
	pv_why_add(why, (struct pv_place){0}, PV_STR(""),
	    "the crawl would have more than %d sinks", PV_SINKS_MAX);
	return false;
}

static bool open_one(struct pv_sinks *sinks, const struct pv_sink_kind *kind,
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	struct pv_sink *sink =
	    has_room(sinks, why) ? kind->open(plan, why) : NULL;
	if (!sink)
		return false;
	struct pv_sink_item *item = &sinks->items[sinks->count++];
	*item = (struct pv_sink_item){.kind = kind, .sink = sink};
	list_files(item, plan->database);
	if (item->files && !can_trust(plan->database, plan, why))
		return false;
	return !kind->recover || kind->recover(sink, item->lengths, why);
}

static bool open_all(struct pv_sinks *sinks,
    const struct pv_sink_kind *const *kinds, size_t count,
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	for (size_t i = 0; i < count; i++) {
		const struct pv_sink_kind *kind = kinds[i];
		if ((!kind->is_wanted || kind->is_wanted(plan)) &&
		    !open_one(sinks, kind, plan, why))
			return false;
	}
	return true;
}

/* The program's are all of one kind. */
static bool open_own(
    struct pv_sinks *sinks, const struct pv_sink_plan *plan, struct pv_why *why)
{
	struct pv_sink_plan own = *plan;
	for (size_t i = 0; i < plan->own_sink_count; i++) {
		own.own_sink = plan->own_sinks[i];
		if (!open_one(sinks, &pv_consumer_program_sink, &own, why))
			return false;
	}
	return true;
}

bool pv_sinks_open(
    struct pv_sinks *sinks, const struct pv_sink_plan *plan, struct pv_why *why)
{
	*sinks = (struct pv_sinks){.directory = plan->directory};
	return open_all(sinks, pv_sink_kinds, pv_sink_kind_count, plan, why) &&
	       open_all(sinks, pv_consumer_kinds, pv_consumer_kind_count, plan,
		   why) &&
	       open_own(sinks, plan, why);
}

struct pv_sink *pv_sinks_find(
    const struct pv_sinks *sinks, const struct pv_sink_kind *kind)
{
	for (size_t i = 0; i < sinks->count; i++) {
		if (sinks->items[i].kind == kind)
			return sinks->items[i].sink;
	}
	return NULL;
}

void pv_sinks_join(struct pv_sinks *sinks, struct pv_writer *writer)
{
	pv_writer_before_commit(writer, sync_all, sinks);
}

void pv_sinks_close(struct pv_sinks *sinks)
{
	while (sinks->count) {
		struct pv_sink_item *item = &sinks->items[--sinks->count];
		item->kind->close(item->sink);
		free(item->lengths);
		free(item->kept);
	}
}

bool pv_sinks_prepare(const struct pv_sinks *sinks, struct pv_page *page)
{
	for (size_t i = 0; i < sinks->count; i++) {
		const struct pv_sink_kind *kind = sinks->items[i].kind;
		if (kind->prepare &&
		    !kind->prepare(sinks->items[i].sink, page, &page->parts[i]))
			return false;
	}
	return true;
}

void pv_sinks_append(
    const struct pv_sinks *sinks, const struct pv_sink_entry *entry)
{
	struct pv_sink_entry own = *entry;
	for (size_t i = 0; i < sinks->count; i++) {
		const struct pv_sink_kind *kind = sinks->items[i].kind;
		own.part = &entry->page->parts[i];
		if (kind->append && !kind->append(sinks->items[i].sink, &own))
			pv_sinks_fail(entry->database, kind->name);
	}
}
