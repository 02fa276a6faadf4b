#ifndef PAVANE_SERVE_JOBS_JOB_RUN_H
#define PAVANE_SERVE_JOBS_JOB_RUN_H

#include <pthread.h>
#include <stdbool.h>

#include "base/buf.h"
#include "pavane/pavane.h"
#include "serve/figures/figures.h"
#include "serve/jobs/pulse.h"
#include "serve/jobs/waiting_hosts.h"

/* A job whose crawl is open, on a thread of its own (pavane_crawl_spawn).
 *
 * Threads that answer requests read its progress, which the crawl's thread writes
 * down now and then; nobody but the owner touches the crawl itself. */
struct pv_job_run;

struct pv_job_run_plan {
	struct pv_str id;
	struct pv_str owner;
	const char *directory;        /* of the crawl */
	struct pavane_policy *policy; /* owned from then on */
	struct pavane_runtime *runtime;
	const char *state_dir;      /* NULL: as the environment says */
	struct pv_hash_key key;     /* that nobody can guess */
	struct pv_figures *figures; /* gets what it counts; NULL */
	bool is_standing;        /* it stays open, and requests only what it is
				       told */
	int64_t journal_turn_ms; /* as of pavane_crawl_options */

	int64_t (*now_ms)(void *ctx); /* since 1970 */

	/* On the crawl's thread: it has ended, and is to be joined; it may have
	 * saved more; a line of its log. */
	void (*on_end)(void *ctx);
	void (*on_news)(void *ctx, struct pv_str id);
	void (*on_line)(void *ctx, struct pv_str id, enum pavane_level level,
	    const char *line);
	void *ctx;
};

/* NULL, with the reason, if the crawl cannot be opened or started. */
struct pv_job_run *pv_job_run_start(
    const struct pv_job_run_plan *plan, struct pv_buf *why);

struct pv_str pv_job_run_id(const struct pv_job_run *run);
struct pv_str pv_job_run_owner(const struct pv_job_run *run);

/* Asks the crawl to end, in any thread: what is in flight may do so; the second
 * call does not wait for it. */
void pv_job_run_stop(struct pv_job_run *run);

/* Whether the crawl has come to its end; in any thread, and at once. */
bool pv_job_run_has_ended(struct pv_job_run *run);

/* Whether the crawl has told its progress within a minute, by the time of a clock
 * that never jumps; what it does before its first and behind its last request may
 * take longer. For one thread at a time. */
bool pv_job_run_is_alive(struct pv_job_run *run, int64_t now_ms);

/* How it ended: why, in words, and whether it is to be opened again at once, since
 * keys of its policy were set from outside. */
struct pv_job_end {
	enum pavane_end end;
	bool has_changed;
	char reason[200];
};

/* Waits for the end of the crawl, also for on_end, which may wait for locks that
 * the caller must not hold; and closes it. Nothing is in its directory then that is
 * still written to. Once. */
void pv_job_run_end(struct pv_job_run *run, struct pv_job_end *end);

/* Ends it first, if that was not done; NULL is fine. */
void pv_job_run_destroy(struct pv_job_run *run);

/* While it is held, also by a thread that is not its owner's, it is neither closed
 * nor destroyed: who does that waits. */
void pv_job_run_hold(struct pv_job_run *run);
void pv_job_run_let_go(struct pv_job_run *run);

/* How a host is, asked of the crawl itself: false if it is none of its hosts, or
 * the crawl does not answer within a second. Of one that is held. */
struct pavane_host_look;
bool pv_job_run_look_host(
    struct pv_job_run *run, const char *host, struct pavane_host_look *look);

/* Since when, in milliseconds since 1970, that host waits for what it does; 0 if
 * that is not known. */
int64_t pv_job_run_waits_since(struct pv_job_run *run, const char *host);

/* Asks for an address (pavane_crawl_ask), by its owner. */
struct pavane_asking;
enum pavane_answer pv_job_run_ask(struct pv_job_run *run, const char *address,
    const struct pavane_asking *asking);

/* Its policy, as long as it is held. */
const struct pavane_policy *pv_job_run_policy(const struct pv_job_run *run);

/* Appends its progress as a JSON object; nothing where none is known yet. */
void pv_job_run_write_progress(struct pv_job_run *run, struct pv_buf *json);

/* Each host that waits, until the function returns false; in any thread. */
typedef bool (*pv_waiting_host_fn)(
    void *ctx, const struct pv_waiting_host *host);
void pv_job_run_each_host(
    struct pv_job_run *run, pv_waiting_host_fn fn, void *ctx);

#endif
