#include "api/problems.h"
#include "base/json/json.h"
#include "base/reader.h"
#include "base/system.h"
#include "crawl/progress/saved_progress.h"
#include "pavane/pavane.h"

#define LINE_MAX_BYTES ((size_t)1 << 20)

/* Progress as it stands in a crawl's state, and as a line of JSON. */

static const char *word_of_phase(enum pavane_phase phase)
{
	static const char *const words[] = {
	    [PAVANE_STARTING] = "starting",
	    [PAVANE_CRAWLING] = "crawling",
	    [PAVANE_DRAINING] = "draining",
	    [PAVANE_DROPPING] = "dropping",
	    [PAVANE_CLOSING] = "closing",
	    [PAVANE_ENDED] = "ended",
	};
	return words[phase];
}

static const char *word_of_end(enum pavane_end end)
{
	static const char *const words[] = {
	    [PAVANE_FINISHED] = "finished",
	    [PAVANE_FAILED] = "failed",
	    [PAVANE_STOPPED] = "stopped",
	    [PAVANE_LIMITED] = "limited",
	    [PAVANE_NOT_BEGUN] = "not-begun",
	};
	return words[end];
}

static void set_number(struct pv_json *object, const char *name, uint64_t value)
{
	pv_json_set(object, name, pv_json_integer((int64_t)value));
}

/* Left out where it is not known. */
static void set_known(struct pv_json *object, const char *name, int64_t value)
{
	if (value >= 0)
		pv_json_set(object, name, pv_json_integer(value));
}

static void set_tallies(struct pv_json *object, const char *name,
    const struct pavane_tallies *tallies)
{
	struct pv_json *value = pv_json_object();
	for (size_t i = 0; i < tallies->count; i++)
		set_number(
		    value, tallies->items[i].word, tallies->items[i].count);
	pv_json_set(object, name, value);
}

static void set_percentiles(struct pv_json *object, const char *name,
    const struct pavane_percentiles *percentiles)
{
	struct pv_json *value = pv_json_object();
	if (percentiles->count) {
		pv_json_set(
		    value, "p50_ms", pv_json_number(percentiles->p50_ms));
		pv_json_set(
		    value, "p95_ms", pv_json_number(percentiles->p95_ms));
		pv_json_set(
		    value, "p99_ms", pv_json_number(percentiles->p99_ms));
	}
	set_number(value, "count", percentiles->count);
	pv_json_set(object, name, value);
}

static void set_addresses(
    struct pv_json *object, const struct pavane_progress *progress)
{
	set_number(object, "known", progress->known);
	set_number(object, "pending", progress->pending);
	set_number(object, "done", progress->done);
	set_number(object, "refused", progress->refused);
	set_number(object, "failed", progress->failed);
}

static void set_run(
    struct pv_json *object, const struct pavane_progress *progress)
{
	set_number(object, "requests", progress->requests);
	set_number(object, "pages", progress->pages);
	set_number(object, "bytes", progress->bytes);
	pv_json_set(object, "pages_per_second",
	    pv_json_number(progress->pages_per_second));
	pv_json_set(object, "requests_per_second",
	    pv_json_number(progress->requests_per_second));
	pv_json_set(object, "bytes_per_second",
	    pv_json_number(progress->bytes_per_second));
	set_number(object, "in_flight", progress->in_flight);
	set_number(object, "concurrency", progress->concurrency);
	set_number(object, "open", progress->open);
	set_number(object, "hosts", progress->hosts);
	set_number(object, "hosts_waiting", progress->hosts_waiting);
	set_known(object, "next_ms", progress->next_ms);
	set_known(object, "left_ms", progress->left_ms);
	set_known(object, "drain_left_ms", progress->drain_left_ms);
	set_known(object, "blocked_ms", progress->blocked_ms);
	set_known(object, "turn_cpu_ms", progress->turn_cpu_ms);
}

static void set_shard(
    struct pv_json *object, const struct pavane_progress *progress)
{
	if (!progress->shards)
		return;
	set_known(object, "shard", progress->shard);
	set_known(object, "shards", progress->shards);
	set_number(object, "elsewhere", progress->elsewhere);
}

static void set_failures(
    struct pv_json *object, const struct pavane_progress *progress)
{
	struct pv_json *failures = pv_json_array();
	for (size_t i = 0; i < progress->failure_count; i++) {
		const struct pavane_failure *failure = &progress->failures[i];
		struct pv_json *value = pv_json_object();
		pv_json_set_text(value, "address", failure->address);
		pv_json_set_text(value, "what", failure->what);
		pv_json_add(failures, value);
	}
	pv_json_set(object, "failures", failures);
}

/* What it does now. */
static void set_moment(
    struct pv_json *object, const struct pavane_progress *progress)
{
	struct pv_json *fetching = pv_json_array();
	for (size_t i = 0; i < progress->fetching_count; i++)
		pv_json_add_text(fetching, progress->fetching[i]);
	if (progress->done_share >= 0)
		pv_json_set(
		    object, "done_share", pv_json_number(progress->done_share));
	set_number(object, "in_flight_max", progress->in_flight_max);
	pv_json_set(object, "fetching", fetching);
	pv_json_set_text(object, "waits_for", progress->waits_for);
}

/* An item for each line. */
static void set_proxies(struct pv_json *object, struct pv_str lines)
{
	struct pv_json *list = pv_json_array();
	struct pv_reader reader = pv_reader_of(lines);
	struct pv_buf line;
	pv_buf_init(&line, SIZE_MAX);
	while (!pv_reader_is_end(&reader)) {
		pv_buf_clear(&line);
		pv_buf_append(&line, pv_reader_take_line(&reader));
		pv_json_add_text(list, pv_buf_text(&line));
	}
	pv_json_set(object, "proxies", list);
	pv_buf_finish(&line);
}

static void set_changes(
    struct pv_json *object, const struct pavane_changes *changes)
{
	struct pv_json *value;
	if (changes->round < 2)
		return;
	value = pv_json_object();
	set_number(value, "round", changes->round);
	set_number(value, "new", changes->added);
	set_number(value, "changed", changes->changed);
	set_number(value, "gone", changes->gone);
	set_number(value, "same", changes->same);
	set_number(value, "failed", changes->failed);
	set_number(value, "not_reached", changes->not_reached);
	set_number(value, "moved", changes->moved);
	set_number(value, "deleted", changes->deleted);
	set_number(value, "held_back", changes->held_back);
	pv_json_set(object, "changes", value);
}

void pavane_progress_write_json(
    const struct pavane_progress *progress, pavane_write_fn write, void *ctx)
{
	struct pv_json *object = pv_json_object();
	struct pv_buf line;
	pv_buf_init(&line, LINE_MAX_BYTES);
	pv_json_set_text(object, "phase", word_of_phase(progress->phase));
	if (progress->phase == PAVANE_ENDED)
		pv_json_set_text(object, "end", word_of_end(progress->end));
	pv_json_set(
	    object, "elapsed_ms", pv_json_integer(progress->elapsed_ms));
	set_addresses(object, progress);
	set_shard(object, progress);
	set_run(object, progress);
	set_changes(object, &progress->changes);
	set_tallies(object, "waiting", &progress->waiting);
	set_tallies(object, "refusals", &progress->refusals);
	set_tallies(object, "outcomes", &progress->outcomes);
	set_tallies(object, "statuses", &progress->statuses);
	set_percentiles(object, "name", &progress->name);
	set_percentiles(object, "connect", &progress->connect);
	set_percentiles(object, "first_byte", &progress->first_byte);
	set_percentiles(object, "total", &progress->total);
	set_percentiles(object, "pool", &progress->pool);
	pv_json_set_text(object, "note", progress->note);
	pv_json_set_text(object, "held_by", progress->held_by);
	if (progress->settings && progress->settings[0])
		pv_json_set_text(object, "settings", progress->settings);
	if (progress->pauses && progress->pauses[0])
		pv_json_set_text(object, "pauses", progress->pauses);
	if (progress->proxies && progress->proxies[0])
		set_proxies(object, pv_str_of(progress->proxies));
	set_failures(object, progress);
	set_moment(object, progress);
	pv_json_write(object, false, &line);
	pv_buf_append_char(&line, '\n');
	pv_json_destroy(object);
	write(ctx, pv_buf_text(&line), line.len);
	pv_buf_finish(&line);
}

/* What a crawl has come to */

struct pavane_status *pavane_status_read(
    const char *directory, pavane_line_fn on_line, void *ctx)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pavane_status *status =
	    pv_saved_progress_read(directory, pv_time_now().wall_ms, &why);
	if (!status)
		pv_problems_tell(&why, on_line, ctx);
	pv_why_finish(&why);
	return status;
}

void pavane_status_destroy(struct pavane_status *status)
{
	pv_saved_progress_destroy(status);
}
