#include "crawl/shard/kept_shard.h"

#include "crawl/conductor.h"
#include "store/tables/note.h"

static void refuse(const struct pv_crawl *crawl, struct pv_why *why,
    const struct pv_shard *kept, const struct pv_shard *given)
{
	struct pv_place place = {.file = crawl->directory};
	if (kept->count)
		pv_why_add(why, place, PV_STR("--shard"),
		    "this crawl was begun as shard %u/%u and cannot go on as "
		    "%u/%u: leave --shard out to continue it, or give %u/%u a "
		    "directory of its own with -o",
		    (unsigned)kept->number, (unsigned)kept->count,
		    (unsigned)given->number, (unsigned)given->count,
		    (unsigned)given->number, (unsigned)given->count);
	else
		pv_why_add(why, place, PV_STR("--shard"),
		    "this crawl was begun without --shard, so it has requested "
		    "hosts of all shards: give %u/%u a directory of its own "
		    "with -o, or start again with --fresh",
		    (unsigned)given->number, (unsigned)given->count);
}

static bool read_given(
    const struct pv_crawl *crawl, struct pv_shard *given, struct pv_why *why)
{
	const char *text = crawl->options.shard;
	if (!text || pv_shard_read(pv_str_of(text), given))
		return true;
	pv_shard_tell(text, why);
	return false;
}

struct pv_shard pv_kept_shard_read(struct pv_database *database)
{
	int64_t number = pv_note_get(database, PV_NOTE_SHARD, 0);
	int64_t count = pv_note_get(database, PV_NOTE_SHARDS, 0);
	if (number < 1 || number > count || count > PV_SHARDS_MAX)
		return (struct pv_shard){0};
	return (struct pv_shard){(uint32_t)number, (uint32_t)count};
}

static bool is_same(const struct pv_shard *a, const struct pv_shard *b)
{
	return a->number == b->number && a->count == b->count;
}

bool pv_kept_shard_open(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_database *database = crawl->store->database;
	struct pv_shard given = {.count = 0};
	struct pv_shard kept = pv_kept_shard_read(database);
	bool was_begun = pv_note_get(database, PV_STR("runs"), 0) > 0;
	if (!read_given(crawl, &given, why))
		return false;
	if (was_begun && given.count && !is_same(&kept, &given)) {
		refuse(crawl, why, &kept, &given);
		return false;
	}
	crawl->reading.shard = was_begun ? kept : given;
	if (crawl->options.inbound_count && !crawl->reading.shard.count) {
		pv_why_add(why, (struct pv_place){.file = crawl->directory},
		    PV_STR("--inbound"),
		    "this crawl is not divided, so no other shard has found "
		    "anything for it: say which shard it is with --shard, such "
		    "as --shard 2/4");
		return false;
	}
	return true;
}

void pv_kept_shard_keep(const struct pv_crawl *crawl)
{
	struct pv_database *database = crawl->store->database;
	const struct pv_shard *shard = &crawl->reading.shard;
	if (!shard->count)
		return;
	pv_note_set(database, PV_NOTE_SHARD, shard->number);
	pv_note_set(database, PV_NOTE_SHARDS, shard->count);
}

void pv_kept_shard_warn(const struct pv_crawl *crawl)
{
	const struct pv_shard *shard = &crawl->reading.shard;
	if (shard->count > 1 && crawl->policy->manners.ip_delay_ms > 0)
		pv_log(&crawl->log, PV_LOG_INFO,
		    "shard %u of %u: politeness.ip_delay holds within this "
		    "shard only: hosts at one IP address may be requested by "
		    "other shards at the same time",
		    (unsigned)shard->number, (unsigned)shard->count);
}
