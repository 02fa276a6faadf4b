#ifndef PAVANE_SERVE_FETCHES_FETCHES_H
#define PAVANE_SERVE_FETCHES_FETCHES_H

#include "base/why.h"
#include "pavane/pavane.h"
#include "store/service/fetch_store.h"

/* Single addresses that callers ask for: each is requested once, as politely as any
 * other, with what it redirects to, and nothing that it links to.
 *
 * A profile has one crawl for all of them, which stays open; the addresses are told
 * to it (pavane_crawl_ask), and what came of them is read in its journal, as far as
 * that is committed. How far it was read is kept with what was found, so that after
 * any end of the process nothing that was accepted is lost, and an answer that came
 * is not asked for again.
 *
 * A thread of its own, the keeper, does all that. All functions may be called from
 * any thread. */
struct pv_fetches;
struct pv_figures;

/* What may change while they run. */
struct pv_fetches_limits {
	int64_t queued;  /* so many may wait */
	int64_t keep_ms; /* for so long after its end; PV_NONE */
	int64_t disk;    /* bytes of each profile's crawl; PV_NONE */
};

struct pv_fetches_plan {
	const char *directory; /* of the service: fetches.db, fetches/N/ */
	struct pv_fetches_limits limits;
	const char
	    *state_dir; /* of all crawls; NULL: as the environment says */
	struct pavane_runtime *runtime; /* that they share with jobs */
	struct pv_figures *figures;     /* get what they count; NULL */

	/* Time and chance, from outside: milliseconds since 1970, and those of
	 * a clock that never jumps; bytes that nobody can guess. In any
	 * thread. */
	int64_t (*now_ms)(void *ctx);
	int64_t (*ticks_ms)(void *ctx);
	void (*random)(void *ctx, void *bytes, size_t size);

	/* Makes the policy of a profile's crawl, whose only seed is that address;
	 * one that cannot be used, with its problems, where it has some. NULL if
	 * there is no such profile any more. On the keeper's thread. */
	struct pavane_policy *(*load)(
	    void *ctx, struct pv_str profile, struct pv_str url);

	void (*on_end)(void *ctx); /* of a fetch, of which somebody may be to be
				      told; on the keeper's thread */
	pavane_line_fn on_line;    /* in any thread */
	void *line_ctx;
	void *ctx;
};

/* NULL, with the reason, if that cannot be done. The plan's texts outlive it. */
struct pv_fetches *pv_fetches_open(
    const struct pv_fetches_plan *plan, struct pv_why *why);

/* Begins to request what waits; false, with the reason, if there is no thread. */
bool pv_fetches_start(struct pv_fetches *fetches, struct pv_why *why);

/* Takes no more and begins nothing; what is in flight ends. A second call does not
 * wait for it. NULL is fine here and below. */
void pv_fetches_drain(struct pv_fetches *fetches);

/* Limits and profiles have changed: crawls end what is in flight, and are opened anew by what
 * these say now, when there is something to be asked for. */
void pv_fetches_renew(
    struct pv_fetches *fetches, const struct pv_fetches_limits *limits);

/* As pv_fetches_drain, and waits until no crawl is open any more. */
void pv_fetches_end(struct pv_fetches *fetches);
void pv_fetches_close(struct pv_fetches *fetches);

/* What came of a request. */
enum pv_fetches_answer {
	PV_FETCHES_DONE,
	PV_FETCHES_BEFORE, /* it was asked for before, by that key */
	PV_FETCHES_OTHER,  /* that key was used for something else */
	PV_FETCHES_NONE,   /* there is none, for this owner */
	PV_FETCHES_FULL,   /* as many wait as may */
	PV_FETCHES_DISK,   /* the profile takes as much of the disk as it may */
	PV_FETCHES_ENDING, /* the service is */
	PV_FETCHES_FAULT,  /* nothing can be written */
};

/* Accepts one: owner, profile, url, webhook, key and digest stand in it, and in
 * not_before_ms how old an answer may be, in milliseconds; all else is filled in.
 * It is on the disk when that is said to be done. */
enum pv_fetches_answer pv_fetches_add(
    struct pv_fetches *fetches, struct pv_fetch *fetch, struct pv_arena *arena);

/* Owners see their own; NULL sees all. */
enum pv_fetches_answer pv_fetches_get(struct pv_fetches *fetches,
    const struct pv_str *owner, struct pv_str id, struct pv_arena *arena,
    struct pv_fetch *fetch);

/* Lists them; DONE or FAULT. */
enum pv_fetches_answer pv_fetches_each_back(struct pv_fetches *fetches,
    const struct pv_fetch_list *list, pv_fetch_fn fn, void *ctx);

/* Waits until one may have ended since the news of that number, but not for longer
 * than so many milliseconds. The number of the last news, 0 being before all. */
uint64_t pv_fetches_wait(
    struct pv_fetches *fetches, uint64_t seen, int64_t most_ms);

/* Whether the keeper goes round and the crawls' loops turn, by a clock that never
 * jumps (as pv_jobs_are_alive). For one thread at a time. */
bool pv_fetches_are_alive(struct pv_fetches *fetches, int64_t now_ms);

/* The directory of the crawl of a profile; false if it has none. */
bool pv_fetches_write_directory(
    struct pv_fetches *fetches, struct pv_str profile, struct pv_buf *path);

/* The rows that the page where it has ended gives now, a line each. */
void pv_fetches_write_rows(struct pv_fetches *fetches,
    const struct pv_fetch *fetch, struct pv_buf *lines);

/* Why nothing can be written. */
void pv_fetches_write_fault(struct pv_fetches *fetches, struct pv_buf *text);

#endif
