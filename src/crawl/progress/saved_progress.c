#include "crawl/progress/saved_progress.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "crawl/conductor.h"
#include "crawl/control/pause_text.h"
#include "crawl/progress/saved_pauses.h"
#include "crawl/progress/tally.h"
#include "store/schema.h"
#include "store/tables/note.h"
#include "store/tables/pause_notes.h"
#include "store/tables/state_figures.h"

#define TEXT_MAX ((size_t)64 * 1024)
#define THOUSAND 1000

/* The numbers that are kept, and where they stand. What is a fraction is kept
 * in thousandths. */
enum kind { WHOLE, SIZE, FRACTION, PHASE, END };

#define FIELD(name, kind)                                           \
	{                                                           \
#name, offsetof(struct pavane_progress, name), kind \
	}
#define PERCENTILES(name)                                           \
	FIELD(name.p50_ms, FRACTION), FIELD(name.p95_ms, FRACTION), \
	    FIELD(name.p99_ms, FRACTION), FIELD(name.count, WHOLE)

static const struct field {
	const char *name;
	size_t offset;
	enum kind kind;
} fields[] = {
    FIELD(phase, PHASE),
    FIELD(end, END),
    FIELD(elapsed_ms, WHOLE),
    FIELD(failed, WHOLE),
    FIELD(requests, WHOLE),
    FIELD(pages, WHOLE),
    FIELD(bytes, WHOLE),
    FIELD(pages_per_second, FRACTION),
    FIELD(requests_per_second, FRACTION),
    FIELD(bytes_per_second, FRACTION),
    FIELD(in_flight, SIZE),
    FIELD(concurrency, SIZE),
    FIELD(in_flight_max, SIZE),
    FIELD(open, SIZE),
    FIELD(hosts, SIZE),
    FIELD(hosts_waiting, SIZE),
    FIELD(next_ms, WHOLE),
    FIELD(left_ms, WHOLE),
    FIELD(blocked_ms, WHOLE),
    FIELD(turn_cpu_ms, WHOLE),
    FIELD(shard, WHOLE),
    FIELD(shards, WHOLE),
    FIELD(elsewhere, WHOLE),
    FIELD(changes.round, WHOLE),
    FIELD(changes.added, WHOLE),
    FIELD(changes.changed, WHOLE),
    FIELD(changes.gone, WHOLE),
    FIELD(changes.same, WHOLE),
    FIELD(changes.failed, WHOLE),
    FIELD(changes.not_reached, WHOLE),
    FIELD(changes.moved, WHOLE),
    FIELD(changes.deleted, WHOLE),
    FIELD(changes.held_back, WHOLE),
    PERCENTILES(name),
    PERCENTILES(connect),
    PERCENTILES(first_byte),
    PERCENTILES(total),
    PERCENTILES(pool),
};

#define FIELD_COUNT (sizeof(fields) / sizeof(*fields))

static int64_t get(
    const struct pavane_progress *progress, const struct field *field)
{
	const char *at = (const char *)progress + field->offset;
	switch (field->kind) {
	case WHOLE:
		return *(const int64_t *)at;
	case SIZE:
		return (int64_t) * (const size_t *)at;
	case FRACTION:
		return (int64_t)(*(const double *)at * THOUSAND);
	case PHASE:
		return *(const enum pavane_phase *)at;
	case END:
		return *(const enum pavane_end *)at;
	}
	return 0;
}

static void set(
    struct pavane_progress *progress, const struct field *field, int64_t number)
{
	char *at = (char *)progress + field->offset;
	switch (field->kind) {
	case WHOLE:
		*(int64_t *)at = number;
		break;
	case SIZE:
		*(size_t *)at = (size_t)number;
		break;
	case FRACTION:
		*(double *)at = (double)number / THOUSAND;
		break;
	case PHASE:
		*(enum pavane_phase *)at = (enum pavane_phase)number;
		break;
	case END:
		*(enum pavane_end *)at = (enum pavane_end)number;
		break;
	}
}

static struct pv_str name_of(const struct field *field, struct pv_buf *buf)
{
	pv_buf_clear(buf);
	pv_buf_append_format(buf, "status.%s", field->name);
	return pv_buf_str(buf);
}

/* Writing */

struct keeping {
	struct pv_job job;
	struct pv_crawl *crawl;
	struct pavane_progress progress;
	struct pv_buf note;
	struct pv_buf held_by;
	struct pv_buf statuses;
	struct pv_buf waiting;
	struct pv_buf proxies;
	struct pv_buf pauses; /* shared ones; empty: as they were noted */
	int64_t run;
	int64_t wall_ms;
};

static struct keeping *keeping_of(struct pv_job *job)
{
	return (struct keeping *)((char *)job - offsetof(struct keeping, job));
}

static void write_notes(struct pv_job *job, struct pv_database *database)
{
	const struct keeping *keeping = keeping_of(job);
	struct pv_buf name;
	pv_buf_init(&name, 64);
	for (size_t i = 0; i < FIELD_COUNT; i++)
		pv_note_set(database, name_of(&fields[i], &name),
		    get(&keeping->progress, &fields[i]));
	pv_note_set(database, PV_STR("status.as-of"), keeping->wall_ms);
	pv_note_set_text(
	    database, PV_STR("status.note"), pv_buf_str(&keeping->note));
	pv_note_set_text(
	    database, PV_STR("status.held-by"), pv_buf_str(&keeping->held_by));
	pv_note_set_text(database, PV_STR("status.statuses"),
	    pv_buf_str(&keeping->statuses));
	pv_note_set_text(
	    database, PV_STR("status.waiting"), pv_buf_str(&keeping->waiting));
	pv_note_set_text(
	    database, PV_STR("status.proxies"), pv_buf_str(&keeping->proxies));
	if (keeping->pauses.len)
		pv_pause_notes_set(
		    database, keeping->run, pv_buf_str(&keeping->pauses));
	pv_buf_finish(&name);
}

static void on_written(struct pv_job *job, enum pv_store_status status)
{
	struct keeping *keeping = keeping_of(job);
	(void)status;
	pv_outbox_came_back(&keeping->crawl->outbox);
	pv_buf_finish(&keeping->note);
	pv_buf_finish(&keeping->held_by);
	pv_buf_finish(&keeping->statuses);
	pv_buf_finish(&keeping->waiting);
	pv_buf_finish(&keeping->proxies);
	pv_buf_finish(&keeping->pauses);
	free(keeping);
}

static void write_tallies(
    struct pv_buf *buf, const struct pavane_tallies *tallies)
{
	pv_buf_init(buf, TEXT_MAX);
	for (size_t i = 0; i < tallies->count; i++)
		pv_buf_append_format(buf, "%s %llu\n", tallies->items[i].word,
		    (unsigned long long)tallies->items[i].count);
}

static void copy_text(struct pv_buf *buf, const char *text)
{
	pv_buf_init(buf, TEXT_MAX);
	pv_buf_append_text(buf, text ? text : "");
}

static void copy_pauses(struct keeping *keeping, struct pv_crawl *crawl)
{
	pv_buf_init(&keeping->pauses, SIZE_MAX);
	keeping->run = crawl->run.number;
	if (pv_saved_progress_has_pauses(crawl))
		return;
	pv_orders_write(&crawl->control.shared, &keeping->pauses);
	crawl->progress.kept_pauses = crawl->control.shared_version;
}

bool pv_saved_progress_has_pauses(const struct pv_crawl *crawl)
{
	return crawl->progress.kept_pauses == crawl->control.shared_version;
}

void pv_saved_progress_keep(struct pv_crawl *crawl)
{
	struct keeping *keeping = pv_alloc(sizeof(*keeping));
	keeping->crawl = crawl;
	keeping->progress = crawl->progress.figures;
	keeping->wall_ms = crawl->now.wall_ms;
	copy_text(&keeping->note, crawl->progress.figures.note);
	copy_text(&keeping->held_by, crawl->progress.figures.held_by);
	copy_text(&keeping->proxies, crawl->progress.figures.proxies);
	write_tallies(&keeping->statuses, &crawl->progress.figures.statuses);
	write_tallies(&keeping->waiting, &crawl->progress.figures.waiting);
	copy_pauses(keeping, crawl);
	keeping->job = (struct pv_job){.run = write_notes,
	    .done = on_written,
	    .rows = FIELD_COUNT,
	    .bytes = sizeof(*keeping)};
	pv_outbox_give(
	    &crawl->outbox, PV_PAPER_JOBS, &keeping->job, pv_crawl_now(crawl));
}

/* Reading */

struct whole {
	struct pavane_status status; /* the first: what is given out */
	struct pavane_progress progress;
	struct pv_buf name;
	struct pv_buf note;
	struct pv_buf held_by;
	struct pv_buf statuses;
	struct pv_buf waiting;
	struct pv_buf pauses;
	struct pv_buf settings;
	struct pv_buf proxies;
};

static const char *sentence_of_wait(const char *word)
{
	for (unsigned i = 0; i < PV_WAIT_COUNT; i++) {
		if (strcmp(word, pv_wait_word((enum pv_wait_reason)i)) == 0)
			return pv_wait_text((enum pv_wait_reason)i);
	}
	return "";
}

/* Words stay where they are, and are ended there. */
static void read_tallies(struct pv_buf *buf, struct pavane_tallies *tallies)
{
	struct pv_reader reader = pv_reader_of(pv_buf_str(buf));
	while (!pv_reader_is_end(&reader)) {
		struct pv_str word = pv_reader_take_until(&reader, ' ');
		uint64_t count = 0;
		pv_reader_next(&reader);
		if (!pv_reader_take_number(&reader, UINT64_MAX, &count))
			break;
		pv_reader_next(&reader);
		char *end = buf->ptr + (word.ptr + word.len - buf->ptr);
		*end = '\0';
		pv_tally_add(
		    tallies, word.ptr, sentence_of_wait(word.ptr), count);
	}
}

static void read_counts(
    struct pv_database *database, struct pavane_progress *progress)
{
	struct pv_counts counts;
	pv_state_figures_counts(database, &counts);
	progress->pending =
	    counts.states[PV_STATE_PENDING] + counts.states[PV_STATE_IN_FLIGHT];
	progress->done = counts.states[PV_STATE_DONE];
	progress->refused = counts.states[PV_STATE_REFUSED];
	progress->known =
	    progress->pending + progress->done + progress->refused;
	pv_tally_reasons(&progress->refusals, &counts);
	pv_tally_outcomes(&progress->outcomes, &counts);
}

static void read_text(
    struct pv_database *database, const char *name, struct pv_buf *buf)
{
	pv_buf_init(buf, TEXT_MAX);
	pv_note_get_text(database, pv_str_of(name), buf);
}

static void read_all(struct pv_database *database, struct whole *whole)
{
	struct pavane_progress *progress = &whole->progress;
	struct pv_buf name;
	pv_buf_init(&name, 64);
	for (size_t i = 0; i < FIELD_COUNT; i++)
		set(progress, &fields[i],
		    pv_note_get(database, name_of(&fields[i], &name), 0));
	pv_buf_finish(&name);
	whole->status.as_of_ms =
	    pv_note_get(database, PV_STR("status.as-of"), 0);
	read_text(database, "name", &whole->name);
	read_text(database, "status.note", &whole->note);
	read_text(database, "status.held-by", &whole->held_by);
	read_text(database, "status.statuses", &whole->statuses);
	read_text(database, "status.waiting", &whole->waiting);
	read_text(database, "status.proxies", &whole->proxies);
	read_tallies(&whole->statuses, &progress->statuses);
	read_tallies(&whole->waiting, &progress->waiting);
	read_counts(database, progress);
	progress->note = pv_buf_text(&whole->note);
	progress->held_by = pv_buf_text(&whole->held_by);
	progress->proxies = pv_buf_text(&whole->proxies);
	progress->waits_for = "";
	progress->done_share = -1;
	progress->drain_left_ms = -1;
	whole->status.name = pv_buf_text(&whole->name);
	whole->status.progress = progress;
}

/* The file says it, whether a crawl has read it yet or not. */
static void read_orders(
    const char *directory, int64_t wall_ms, struct whole *whole)
{
	struct pv_orders orders;
	struct pv_buf text;
	struct pv_why why;
	pv_why_init(&why);
	pv_buf_init(&whole->pauses, TEXT_MAX);
	pv_buf_init(&whole->settings, SIZE_MAX);
	if (pv_orders_load(directory, &text, &orders, &why)) {
		pv_pause_text_write(&orders, wall_ms, "", &whole->pauses);
		pv_orders_write_settings(&orders, &whole->settings);
	}
	whole->progress.settings = pv_buf_text(&whole->settings);
	pv_orders_finish(&orders);
	pv_buf_finish(&text);
	pv_why_finish(&why);
}

struct pavane_status *pv_saved_progress_read(
    const char *directory, int64_t wall_ms, struct pv_why *why)
{
	struct pv_buf path;
	struct whole *whole = NULL;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/state.db", directory);
	struct pv_database *database = pv_database_look(pv_buf_text(&path));
	if (pv_database_status(database) == PV_STORE_OK) {
		int64_t process = pv_lock_holder(directory);
		whole = pv_alloc(sizeof(*whole));
		whole->status.is_running = process != 0;
		whole->status.process = process > 0 ? process : 0;
		read_all(database, whole);
		read_orders(directory, wall_ms, whole);
		if (whole->status.is_running)
			pv_saved_pauses_write(
			    database, wall_ms, &whole->pauses);
		whole->progress.pauses = pv_buf_text(&whole->pauses);
	}
	if (pv_database_status(database) != PV_STORE_OK) {
		pv_saved_progress_destroy(whole ? &whole->status : NULL);
		whole = NULL;
		bool is_there = access(pv_buf_text(&path), F_OK) == 0;
		pv_why_add(why, (struct pv_place){.file = directory},
		    PV_STR(""),
		    "is not a crawl's directory: cannot read its state.db: %s",
		    is_there ? pv_database_fault(database) : strerror(errno));
	}
	pv_database_close(database);
	pv_buf_finish(&path);
	return whole ? &whole->status : NULL;
}

void pv_saved_progress_destroy(struct pavane_status *status)
{
	struct whole *whole = (struct whole *)status;
	if (!whole)
		return;
	pv_buf_finish(&whole->name);
	pv_buf_finish(&whole->note);
	pv_buf_finish(&whole->held_by);
	pv_buf_finish(&whole->statuses);
	pv_buf_finish(&whole->waiting);
	pv_buf_finish(&whole->pauses);
	pv_buf_finish(&whole->settings);
	pv_buf_finish(&whole->proxies);
	free(whole);
}
