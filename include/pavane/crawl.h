#ifndef PAVANE_CRAWL_H
#define PAVANE_CRAWL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"
#include "pavane/events.h"
#include "pavane/policy.h"
#include "pavane/progress.h"
#include "pavane/runtime.h"
#include "pavane/sink.h"

/* Crawls: open one, run it, stop it, close it. */

#ifdef __cplusplus
extern "C" {
#endif

struct pavane_crawl;

typedef void (*pavane_progress_fn)(
    void *ctx, const struct pavane_progress *progress);

struct pavane_crawl_options {
	size_t size;
	const char *directory;   /* NULL: as the policy suggests */
	bool is_fresh;           /* a crawl that is there is deleted */
	bool is_update;          /* requests the pages of a finished crawl once
				  more, and stores what has changed */
	enum pavane_level level; /* up to which lines are given */
	pavane_line_fn on_line;
	pavane_progress_fn on_progress; /* NULL for none */
	unsigned progress_ms;           /* how often, about */
	void *ctx;
	const char *state_dir; /* where what all crawls of a user share is
				  kept; NULL: as the environment says */
	bool is_attended;      /* a person waits for it: if nothing has
				  answered, and each host has been asked in
				  vain, it ends at once as PAVANE_NOT_BEGUN
				  and can be continued */
	const struct pavane_events *events;     /* copied; NULL for none */
	struct pavane_runtime *runtime;         /* that it shares with others
					       (runtime.h); NULL for none */
	const struct pavane_sink *const *sinks; /* copied; sink_count of them */
	size_t sink_count;                      /* at most 4 */
	bool stays_open;       /* it does not end because nothing is left to do,
			    since more may be added (command.h), until it is
			    stopped or pavane_crawl_finish is called */
	bool follows_no_links; /* only seeds are requested, what is added, and
				  what these redirect to; links are not even
				  noted */
	int64_t journal_turn_ms; /* its journal goes on in a new file after so
				    long, journal-0001.jsonl and so on, and
				    those before may be removed by whoever has
				    read them; 0: never */
	const char *fleet;       /* "postgresql://...": it is worked by several
				   machines, which meet in that database; NULL for
				   none */
	const char *fleet_name; /* of the crawl there; NULL: as the policy calls
				   it */
	int64_t fleet_ttl_ms; /* after so long without a sign of life a machine
				   has lost its hosts to the others; 0: 30 s. The
				   same for all machines of a fleet */
	const char *shard; /* "2/4": only the hosts of that shard are requested;
			      links to others are written to outbound/ in the
			      directory. NULL: all, or as it was begun */
	const char *const *inbound; /* files of other shards for this one, or
				       directories of crawls that have such:
				       their links are added. inbound_count of
				       them, needed only for the call */
	size_t inbound_count;
	bool (*is_enough)(void *ctx); /* whether to give up: asked now and then
					 while opening waits for the fleet's
					 database, or for a sign of life of its
					 workers; NULL: no */
	bool *was_enough; /* becomes true where that was so, or somebody has
			     ordered the crawl to stop (order.h) meanwhile;
			     NULL for none */
	bool leaves_out_seeds; /* the policy's seeds only say what is in scope:
				  nothing is requested but what is added */
};

/* Makes or opens the crawl's directory; NULL, with the reason given to on_line,
 * if that cannot be done, as by a policy that has problems. The policy outlives
 * the crawl. */
PAVANE_API struct pavane_crawl *pavane_crawl_open(
    const struct pavane_policy *policy,
    const struct pavane_crawl_options *options);

/* Crawls until the end. Signals are the caller's business, who ignores
 * SIGPIPE. */
PAVANE_API enum pavane_end pavane_crawl_run(struct pavane_crawl *crawl);

/* The same by a loop of the caller's (epoll, GLib, libevent, a game): starts,
 * then steps each time that the descriptor is readable or the time-out is over,
 * until a step says that it was the last; the progress has the end. False, with
 * the reason given to on_line, if it cannot be started.
 *
 * A step never waits, and never takes the descriptor's place: the callbacks are
 * called in it, on its thread. Work that takes long is done by threads of the
 * crawl's, also what is left to do when the last request has ended. All four are
 * one thread's. */
PAVANE_API bool pavane_crawl_start(struct pavane_crawl *crawl);
PAVANE_API bool pavane_crawl_step(struct pavane_crawl *crawl);
PAVANE_API int pavane_crawl_fd(const struct pavane_crawl *crawl);

/* In milliseconds, as for poll: 0 for at once, -1 for as long as it takes. To be
 * asked for after each step. */
PAVANE_API int pavane_crawl_timeout_ms(const struct pavane_crawl *crawl);

/* Or on a thread of its own, on which the callbacks are called then; false if
 * there can be none. It must be joined, which waits for the end, before the
 * crawl is closed. */
PAVANE_API bool pavane_crawl_spawn(struct pavane_crawl *crawl);
PAVANE_API enum pavane_end pavane_crawl_join(struct pavane_crawl *crawl);

/* The first call asks to stop: nothing more is started, and what is in flight
 * may end; the second call does not wait for it. May be called from a signal
 * handler and from any thread, until the crawl is closed. */
PAVANE_API void pavane_crawl_stop(struct pavane_crawl *crawl);

/* Asks to stop as the first call does, for a program that opens it again at
 * once: the end is PAVANE_STOPPED, and calls of pavane_crawl_stop count by
 * themselves. */
PAVANE_API void pavane_crawl_interrupt(struct pavane_crawl *crawl);

/* Whether it has ended since keys of its policy were set from outside
 * (pavane_order_set): then it is to be opened again at once. */
PAVANE_API bool pavane_crawl_has_changed(const struct pavane_crawl *crawl);

/* Closes it, and opens it again by that policy, which may be the same, and with
 * what was set from outside: its run goes on, so that neither the rate nor
 * limits.time begin anew. NULL as for pavane_crawl_open. A worker of a fleet waits
 * for its database as long as it is away; NULL, too, if that was enough
 * (pavane_crawl_options), and then the crawl has ended as one that was stopped. */
PAVANE_API struct pavane_crawl *pavane_crawl_reopen(struct pavane_crawl *crawl,
    const struct pavane_policy *policy,
    const struct pavane_crawl_options *options);

/* How far it is, for the thread that runs it; valid until the next call for this
 * crawl. NULL in a callback of the pool or the writer. */
PAVANE_API const struct pavane_progress *pavane_crawl_progress(
    struct pavane_crawl *crawl);
PAVANE_API const char *pavane_crawl_directory(const struct pavane_crawl *crawl);
PAVANE_API void pavane_crawl_close(struct pavane_crawl *crawl);

/* Instead of closing it, for a program that now ends: all is written and its
 * files are closed, but memory and connections, of which a crawl of many hosts
 * has thousands, are left to the system, which takes them back sooner. */
PAVANE_API void pavane_crawl_leave(struct pavane_crawl *crawl);

#ifdef __cplusplus
}
#endif

#endif
