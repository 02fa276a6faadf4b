#ifndef PAVANE_PROGRESS_H
#define PAVANE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"

/* How far a crawl is: of one that is open here, or of one in a directory. */

#ifdef __cplusplus
extern "C" {
#endif

enum pavane_phase {
	PAVANE_STARTING,
	PAVANE_CRAWLING,
	PAVANE_DRAINING, /* was asked to stop; waits for what is in flight */
	PAVANE_DROPPING, /* was asked twice */
	PAVANE_CLOSING,  /* all is done but the writing down */
	PAVANE_ENDED,
};

/* How many of a sort there are: of refusals by their reason, of hosts by what
 * they wait for. */
struct pavane_tally {
	const char *word;     /* for machines */
	const char *sentence; /* for people */
	uint64_t count;
};

#define PAVANE_TALLIES_MAX 48

struct pavane_tallies {
	struct pavane_tally items[PAVANE_TALLIES_MAX]; /* the largest first */
	size_t count;
};

/* What so many in a hundred stayed under; negative where nothing is known. */
struct pavane_percentiles {
	double p50_ms;
	double p95_ms;
	double p99_ms;
	uint64_t count;
};

/* How long something took, so many times: how many of them took up to each of
 * these times and longer than the one before, and behind the last how many took
 * longer than that. */
#define PAVANE_SPREAD_STEPS 14

struct pavane_spread {
	const int64_t *up_to_ms; /* PAVANE_SPREAD_STEPS of them, always the
				    same; NULL where nothing is known */
	uint64_t counts[PAVANE_SPREAD_STEPS + 1];
	uint64_t count;
	uint64_t sum_us;
};

/* What an update has found out so far. */
struct pavane_changes {
	uint64_t round; /* its number; 1: this is the crawl itself, and the
			   fields below are 0 */
	uint64_t added; /* addresses of which there was no copy */
	uint64_t changed;
	uint64_t gone;
	uint64_t same;
	uint64_t failed; /* could not be fetched again; the copy is kept */
	uint64_t not_reached;

	/* Files of pages that are gone, when this run came to the end. */
	uint64_t moved;     /* from site/ to gone/ */
	uint64_t deleted;   /* for good */
	uint64_t held_back; /* that stay all the same, since they were too many
			       (output.mirror.shrink_alarm) */
};

/* So many addresses that are being fetched are named, and so many of those that
 * could not be. */
#define PAVANE_FETCHING_MAX 3
#define PAVANE_FAILURES_MAX 3

struct pavane_failure {
	const char *address; /* cut if it is very long */
	const char *what;    /* "404", or why there was no answer */
};

/* It grows at its end alone; the structs within it stay as they are. */
struct pavane_progress {
	enum pavane_phase phase;
	enum pavane_end end;   /* once it has ended */
	int64_t elapsed_ms;    /* of this run */
	int64_t drain_left_ms; /* until what is in flight is dropped; negative
				  while nobody has asked to stop */

	/* addresses, over all runs */
	uint64_t known;
	uint64_t pending; /* in flight included */
	uint64_t done;
	uint64_t refused;
	uint64_t failed; /* of those done: no answer, or none that counts */

	/* of this run */
	uint64_t requests; /* robots.txt, redirects and retries included */
	uint64_t pages;    /* answers that were kept or followed: 2xx */
	uint64_t bytes;
	double pages_per_second; /* of late */
	double requests_per_second;
	double bytes_per_second;

	size_t in_flight;
	size_t concurrency;
	size_t open;  /* visits released and not committed */
	size_t hosts; /* with something left, as far as they are in memory */
	size_t hosts_waiting;
	int64_t next_ms; /* until the next request; negative: unknown */
	int64_t left_ms; /* until all is done; negative: unknown */

	struct pavane_tallies waiting;  /* hosts, by what they wait for */
	struct pavane_tallies refusals; /* addresses, over all runs */
	struct pavane_tallies outcomes; /* the same, of those done */
	struct pavane_tallies statuses; /* answers of this run, by status, but
					   for a robots.txt or a sitemap that
					   is not there */

	struct pavane_percentiles name;
	struct pavane_percentiles connect;
	struct pavane_percentiles first_byte;
	struct pavane_percentiles total;
	struct pavane_percentiles pool; /* waiting for a thread */
	int64_t blocked_ms;  /* the longest that the loop was held up, also by
				a processor that others had ... */
	int64_t turn_cpu_ms; /* ... and the most that one round of it took of
				a processor's time */

	struct pavane_changes changes;

	bool has_entry_page; /* it has ended, and index.html in its directory
				is the page by which its mirror is entered */

	const char *note;    /* "docs.example.org rests until 14:03, as its
				Retry-After asks"; "" for none */
	const char *held_by; /* one sentence: the policy, the server, the
				line, this machine or failures */

	double done_share;    /* of all there is to do, up to 1; negative
				 while links of late led to new addresses */
	size_t in_flight_max; /* that the hosts with something left allow at
				 once, within concurrency */
	const char *fetching[PAVANE_FETCHING_MAX]; /* addresses of requests in
						      flight, the latest
						      first; without their
						      middle if very long */
	size_t fetching_count;
	struct pavane_failure failures[PAVANE_FAILURES_MAX]; /* the first of
								this run */
	size_t failure_count;
	const char *waits_for; /* "waits for example.org:8443 until 12:03:10
				  (delay 5s)", the host whose wait ends first;
				  "" for none */
	const char *settings;  /* "rate.max_rate=5": what was set from outside;
				  "" for nothing */
	const char *pauses;    /* "paused since 14:03 until 16:00", or of which
				  hosts that is so; "" or NULL for none */
	const char *proxies;   /* "http://127.0.0.1:3128: 12 requests", a line
				  for each; "" or NULL for none */

	/* of this run */
	struct pavane_spread lateness; /* from when a request might start until
					  it was released: it stood in line
					  for the crawl's own rate, or for its
					  loop */
	struct pavane_spread commit;   /* from when an answer was understood
					  until it was saved */

	/* of a divided crawl */
	int64_t shard;      /* which one this is, from 1 ... */
	int64_t shards;     /* ... of how many; 0: it is not divided */
	uint64_t elsewhere; /* addresses that were written for the others, over
			       all runs */
};

/* The same as one line of JSON. */
PAVANE_API void pavane_progress_write_json(
    const struct pavane_progress *progress, pavane_write_fn write, void *ctx);

/* What is known of the crawl in a directory, running or not. */
struct pavane_status {
	bool is_running;
	int64_t process;  /* that runs it; 0 if none does, or it is unknown */
	int64_t as_of_ms; /* when the progress was written, since 1970 */
	const char *name; /* of the policy; "" for none */
	const struct pavane_progress *progress;
};

/* NULL, with the reason given to on_line, if there is no crawl. To be
 * destroyed. */
PAVANE_API struct pavane_status *pavane_status_read(
    const char *directory, pavane_line_fn on_line, void *ctx);
PAVANE_API void pavane_status_destroy(struct pavane_status *status);

#ifdef __cplusplus
}
#endif

#endif
