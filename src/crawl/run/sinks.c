#include "crawl/run/sinks.h"

#include <errno.h>
#include <stdio.h>

#include "crawl/consumers/consumers.h"
#include "store/schema.h"
#include "store/tables/length.h"

static void fail(struct pv_database *database, const char *name)
{
	char text[160];
	bool is_full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
	snprintf(text, sizeof(text), "cannot write the %s: %s", name,
	    strerror(errno));
	pv_database_fail(
	    database, is_full ? PV_STORE_FULL : PV_STORE_FAILED, text);
}

static void keep_lengths(const struct pv_sink_kind *kind,
    const uint64_t *lengths, struct pv_database *database)
{
	for (size_t i = 0; kind->files && kind->files[i]; i++)
		pv_length_set(database, pv_str_of(kind->files[i]), lengths[i]);
}

static void sync_all(void *ctx, struct pv_database *database)
{
	const struct pv_sinks *sinks = ctx;
	for (size_t i = 0; i < sinks->count; i++) {
		const struct pv_sink_kind *kind = sinks->items[i].kind;
		uint64_t lengths[PV_SINK_FILES_MAX] = {0};
		if (!kind->sync)
			continue;
		if (!kind->sync(sinks->items[i].sink, lengths))
			fail(database, kind->name);
		else
			keep_lengths(kind, lengths, database);
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

static bool open_one(struct pv_sinks *sinks, const struct pv_sink_kind *kind,
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	uint64_t lengths[PV_SINK_FILES_MAX] = {0};
	struct pv_sink *sink = kind->open(plan, why);
	if (!sink)
		return false;
	sinks->items[sinks->count].kind = kind;
	sinks->items[sinks->count++].sink = sink;
	for (size_t i = 0; kind->files && kind->files[i]; i++)
		lengths[i] =
		    pv_length_get(plan->database, pv_str_of(kind->files[i]));
	if (kind->files && !can_trust(plan->database, plan, why))
		return false;
	return !kind->recover || kind->recover(sink, lengths, why);
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

bool pv_sinks_open(
    struct pv_sinks *sinks, const struct pv_sink_plan *plan, struct pv_why *why)
{
	*sinks = (struct pv_sinks){.count = 0};
	return open_all(sinks, pv_sink_kinds, pv_sink_kind_count, plan, why) &&
	       open_all(
		   sinks, pv_consumer_kinds, pv_consumer_kind_count, plan, why);
}

void pv_sinks_join(struct pv_sinks *sinks, struct pv_writer *writer)
{
	pv_writer_before_commit(writer, sync_all, sinks);
}

void pv_sinks_close(struct pv_sinks *sinks)
{
	while (sinks->count) {
		sinks->count--;
		sinks->items[sinks->count].kind->close(
		    sinks->items[sinks->count].sink);
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
			fail(entry->database, kind->name);
	}
}
