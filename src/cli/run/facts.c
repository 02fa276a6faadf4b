#include "cli/run/facts.h"

#include <inttypes.h>
#include <string.h>

#include "cli/terminal/amounts.h"
#include "cli/terminal/phrases.h"

/* Tallies beyond so many are counted together. */
#define TALLIES_SHOWN 12

#define ROW "  %-10s "

/* Of a crawl that could not begin there is nothing to say. */
static void write_addresses(const struct pavane_progress *progress, FILE *file)
{
	if (progress->end == PAVANE_FAILED && !progress->known)
		return;
	fprintf(file, ROW "%s known: %s done", "addresses",
	    pv_amount_of_count(progress->known).text,
	    pv_amount_of_count(progress->done).text);
	if (progress->pending)
		fprintf(file, ", %s pending",
		    pv_amount_of_count(progress->pending).text);
	if (progress->refused)
		fprintf(file, ", %s left out",
		    pv_amount_of_count(progress->refused).text);
	fputc('\n', file);
}

/* Which part of a divided crawl this is. */
static void write_shard(const struct pavane_progress *progress, FILE *file)
{
	if (!progress->shards)
		return;
	fprintf(file, ROW "%" PRId64 " of %" PRId64, "shard", progress->shard,
	    progress->shards);
	if (progress->elsewhere)
		fprintf(file, ": %s %s for others, in outbound/",
		    pv_amount_of_count(progress->elsewhere).text,
		    progress->elsewhere == 1 ? "address" : "addresses");
	fputc('\n', file);
}

/* Of this run, or of the last one. */
static void write_run(const struct pavane_progress *progress, FILE *file)
{
	double seconds = (double)progress->elapsed_ms / 1000;
	if (!progress->requests)
		return;
	fprintf(file, ROW "%s, %s, %s in %s", "run",
	    pv_amount_of_things(progress->pages, "page").text,
	    pv_amount_of_size(progress->bytes).text,
	    pv_amount_of_things(progress->requests, "request").text,
	    pv_amount_of_time(progress->elapsed_ms).text);
	if (seconds > 0)
		fprintf(file, ", %s",
		    pv_amount_of_rate(
			(double)progress->requests / seconds, "requests")
			.text);
	fputc('\n', file);
}

static bool is_any(const struct pavane_tally *tally)
{
	return tally->count > 0;
}

/* An outcome that is no answer, as the journal calls it. */
static bool is_error(const struct pavane_tally *tally)
{
	return tally->count && strcmp(tally->word, "answered") != 0;
}

static void write_tallies(const struct pavane_tallies *tallies,
    bool (*is_meant)(const struct pavane_tally *), FILE *file)
{
	size_t shown = 0;
	uint64_t others = 0;
	for (size_t i = 0; i < tallies->count; i++) {
		const struct pavane_tally *tally = &tallies->items[i];
		if (!is_meant(tally))
			continue;
		if (shown++ < TALLIES_SHOWN)
			fprintf(file, "  %10s  %s\n",
			    pv_amount_of_count(tally->count).text,
			    pv_tally_name(tally));
		else
			others += tally->count;
	}
	if (others)
		fprintf(file, "  %10s  for other reasons\n",
		    pv_amount_of_count(others).text);
}

static void write_answers(const struct pavane_progress *progress, FILE *file)
{
	const struct pavane_tallies *statuses = &progress->statuses;
	if (!statuses->count)
		return;
	fprintf(file, ROW, "answers");
	for (size_t i = 0; i < statuses->count && i < TALLIES_SHOWN; i++)
		fprintf(file, "%s%s: %s", i ? ", " : "",
		    pv_tally_name(&statuses->items[i]),
		    pv_amount_of_count(statuses->items[i].count).text);
	fprintf(file, "%s\n", statuses->count > TALLIES_SHOWN ? ", ..." : "");
}

/* Of what has gone: where its files are. */
static void write_departures(const struct pavane_changes *changes, FILE *file)
{
	if (changes->moved)
		fprintf(file, ROW "%s of deleted pages, now in gone/\n",
		    "moved", pv_amount_of_things(changes->moved, "file").text);
	if (changes->deleted)
		fprintf(file, ROW "%s of deleted pages\n", "deleted",
		    pv_amount_of_things(changes->deleted, "file").text);
	if (changes->held_back)
		fprintf(file,
		    ROW "%s of deleted pages, more than "
			"output.mirror.shrink_alarm allows\n",
		    "kept",
		    pv_amount_of_things(changes->held_back, "file").text);
}

static void write_changes(const struct pavane_changes *changes, FILE *file)
{
	if (changes->round < 2)
		return;
	fprintf(file, ROW "%s new, %s changed, %s gone, %s same", "update",
	    pv_amount_of_count(changes->added).text,
	    pv_amount_of_count(changes->changed).text,
	    pv_amount_of_count(changes->gone).text,
	    pv_amount_of_count(changes->same).text);
	if (changes->failed)
		fprintf(file, ", %s failed (their copies are kept)",
		    pv_amount_of_count(changes->failed).text);
	if (changes->not_reached)
		fprintf(file, ", %s not reached",
		    pv_amount_of_count(changes->not_reached).text);
	fputc('\n', file);
	write_departures(changes, file);
}

static void write_errors(const struct pavane_progress *progress, FILE *file)
{
	if (!progress->failed)
		return;
	fprintf(file, ROW "%s\n", "errors",
	    pv_amount_of_count(progress->failed).text);
	write_tallies(&progress->outcomes, is_error, file);
	for (size_t i = 0; i < progress->failure_count; i++)
		fprintf(file, ROW "%s: %s\n", "", progress->failures[i].address,
		    progress->failures[i].what);
}

/* A line for each. */
static void write_proxies(const char *lines, FILE *file)
{
	while (*lines) {
		size_t len = strcspn(lines, "\n");
		fprintf(file, ROW "%.*s\n", "proxy", (int)len, lines);
		lines += len + (lines[len] == '\n');
	}
}

void pv_facts_write(const struct pavane_progress *progress, FILE *file)
{
	write_addresses(progress, file);
	write_changes(&progress->changes, file);
	write_run(progress, file);
	write_answers(progress, file);
	write_errors(progress, file);
	if (progress->refused) {
		fprintf(file, ROW "%s\n", "left out",
		    pv_amount_of_count(progress->refused).text);
		write_tallies(&progress->refusals, is_any, file);
	}
	write_shard(progress, file);
	write_proxies(progress->proxies ? progress->proxies : "", file);
}

void pv_facts_write_now(const struct pavane_progress *progress, FILE *file)
{
	struct pv_phrase waiting = pv_phrase_of_waiting(progress);
	fprintf(file, ROW, "now");
	if (progress->in_flight_max > 1)
		fprintf(file, "%zu of %zu in flight, ", progress->in_flight,
		    progress->concurrency);
	fprintf(file, "%s",
	    pv_amount_of_rate(progress->requests_per_second, "requests").text);
	if (progress->left_ms >= 0)
		fprintf(file, ", about %s left",
		    pv_amount_of_time(progress->left_ms).text);
	fputc('\n', file);
	if (waiting.text[0])
		fprintf(file, ROW "%s\n", "", waiting.text);
	if (progress->next_ms > 0)
		fprintf(file, ROW "next request in %s\n", "",
		    pv_amount_of_time(progress->next_ms).text);
	if (progress->note[0])
		fprintf(file, ROW "%s\n", "", progress->note);
}

void pv_facts_write_limit(const struct pavane_progress *progress, FILE *file)
{
	if (progress->end == PAVANE_LIMITED && progress->note[0])
		fprintf(file, ROW "%s\n", "limit", progress->note);
}

void pv_facts_write_holder(const struct pavane_progress *progress, FILE *file)
{
	if (progress->held_by[0])
		fprintf(file, ROW "%s\n", "limited by", progress->held_by);
}

static void write_times(
    const char *name, const struct pavane_percentiles *times, FILE *file)
{
	if (!times->count)
		return;
	fprintf(file, "  %-12s %9s %9s %9s %9s\n", name,
	    pv_amount_of_ms(times->p50_ms).text,
	    pv_amount_of_ms(times->p95_ms).text,
	    pv_amount_of_ms(times->p99_ms).text,
	    pv_amount_of_count(times->count).text);
}

void pv_facts_write_times(const struct pavane_progress *progress, FILE *file)
{
	fprintf(file, "  %-12s %9s %9s %9s %9s\n", "times", "p50", "p95", "p99",
	    "of");
	write_times("name", &progress->name, file);
	write_times("connect", &progress->connect, file);
	write_times("first byte", &progress->first_byte, file);
	write_times("total", &progress->total, file);
	write_times("pool", &progress->pool, file);
}

void pv_facts_write_loop(const struct pavane_progress *progress, FILE *file)
{
	fprintf(file,
	    "  event loop: blocked for at most %s, computing for at most %s; %s "
	    "not yet committed\n",
	    pv_amount_of_time(progress->blocked_ms).text,
	    pv_amount_of_time(progress->turn_cpu_ms).text,
	    pv_amount_of_things(progress->open, "visit").text);
}
