#include "crawl/run/crawl.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/system.h"
#include "crawl/conductor.h"
#include "crawl/consumers/program_sink.h"
#include "crawl/host/clock_claims.h"
#include "crawl/host/hosts.h"
#include "crawl/host/refused_hosts.h"
#include "crawl/host/wanted_hosts.h"
#include "crawl/progress/progress.h"
#include "crawl/robots/robots_gate.h"
#include "crawl/robots/robots_store.h"
#include "crawl/rows/new_rows.h"
#include "crawl/runtime.h"
#include "crawl/control/added_seeds.h"
#include "crawl/control/commands.h"
#include "crawl/control/control.h"
#include "crawl/run/crawl_entry.h"
#include "crawl/run/directory.h"
#include "crawl/run/finishing.h"
#include "crawl/run/fleet_worker.h"
#include "crawl/run/seed_copy.h"
#include "crawl/run/ending.h"
#include "crawl/run/program_words.h"
#include "crawl/run/seed_redirect.h"
#include "crawl/run/turn.h"
#include "crawl/run/stopping.h"
#include "crawl/shard/inbound.h"
#include "crawl/shard/kept_shard.h"
#include "crawl/shard/sharing.h"
#include "crawl/update/policy_change.h"
#include "crawl/update/rounds.h"
#include "crawl/visit/flight.h"
#include "crawl/visit/release.h"
#include "crawl/visit/rewrite.h"
#include "fleet/fleet.h"
#include "frontier/sqlite/engine.h"
#include "reading/desk.h"
#include "reading/judge.h"
#include "reading/vouchers.h"
#include "schedule/gates.h"
#include "schedule/scheduler.h"
#include "store/tables/journal_files.h"
#include "store/tables/note.h"

/* Opening */

static void wake(void *ctx)
{
	struct pv_crawl *crawl = ctx;
	pv_wakeup_send(&crawl->wakeup);
}

static void write_line(void *ctx, enum pv_log_level level, struct pv_str line)
{
	struct pv_crawl *crawl = ctx;
	if (pv_ending_keep_line(&crawl->run.ending, level, line))
		return;
	char *text = strndup(pv_str_bytes(line), line.len);
	if (text && crawl->options.on_line)
		crawl->options.on_line(
		    crawl->options.ctx, (enum pavane_level)level, text);
	free(text);
}

static bool begin_loop(struct pv_crawl *crawl, struct pv_why *why)
{
	if (!pv_descriptors_check(why))
		return false;
	int error = uv_loop_init(&crawl->loop);
	if (!error)
		return true;
	pv_why_add(why, (struct pv_place){0}, PV_STR(""),
	    "cannot set up the event loop: %s", uv_strerror(error));
	return false;
}

static bool open_loop(struct pv_crawl *crawl, struct pv_why *why)
{
	uv_prepare_init(&crawl->loop, &crawl->run.turn);
	crawl->run.turn.data = crawl;
	if (pv_wakeup_open(
		&crawl->wakeup, &crawl->loop, pv_turn_on_wakeup, crawl))
		return true;
	pv_why_add(why, (struct pv_place){0}, PV_STR(""),
	    "cannot set up the event loop: %s", strerror(errno));
	return false;
}

static struct pv_hash_key random_key(void)
{
	struct pv_hash_key key;
	if (getentropy(&key, sizeof(key)) != 0)
		abort();
	return key;
}

/* Times of the journal are counted from when the run began, for the clock on
 * the wall may be set. */
static void count_run(struct pv_crawl *crawl)
{
	struct pv_database *database = crawl->store->database;
	crawl->run.began = pv_crawl_now(crawl);
	crawl->run.number = pv_note_get(database, PV_STR("runs"), 0) + 1;
	pv_note_set(database, PV_STR("runs"), crawl->run.number);
}

static const char *wait_word(unsigned reason)
{
	return pv_wait_word((enum pv_wait_reason)reason);
}

/* What the state says of this run from now on. */
static void begin_run(struct pv_crawl *crawl)
{
	struct pv_database *database = crawl->store->database;
	const char *name = crawl->policy->name;
	pv_database_begin(database);
	count_run(crawl);
	pv_kept_shard_keep(crawl);
	pv_store_write_words(database, "wait", wait_word, PV_WAIT_COUNT);
	pv_note_set_text(database, PV_STR("name"), pv_str_of(name ? name : ""));
	pv_note_set(database, PV_NOTE_FOLLOWS_NO_LINKS,
	    crawl->options.follows_no_links);
	pv_database_commit(database);
}

static void on_refused(void *ctx, const struct pv_visit *visit)
{
	struct pv_crawl *crawl = ctx;
	pv_refusals_append(
	    crawl->refusals, visit, false, crawl->store->database);
}

static bool open_store(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_store_options options = {
	    .directory = crawl->directory,
	    .cache_bytes =
		pv_runtime_cache_part(crawl->around.runtime).state_bytes,
	    .count_ceiling = PV_STORE_COUNT_CEILING,
	    .bytes_ceiling = PV_STORE_BYTES_CEILING,
	    .random = crawl->fleet ? crawl->around.fleets->key(crawl->fleet)
				   : random_key(),
	    .wake = wake,
	    .wake_ctx = crawl,
	    .ticks_ns = crawl->around.clock->ticks_ns,
	    .clock = crawl->clock,
	};
	crawl->store = pv_store_open(&options, why);
	if (!crawl->store)
		return false;
	pv_finishing_open(crawl);
	return true;
}

/* The engine of the frontier is chosen here, and known nowhere else. */
static bool open_frontier(struct pv_crawl *crawl, struct pv_why *why)
{
	crawl->frontier =
	    pv_sqlite_frontier_open(crawl->store, PV_FRONTIER_RECENT, why);
	if (!crawl->frontier)
		return false;
	crawl->frontier->on_work = pv_host_visits_on_work;
	crawl->frontier->work_ctx = crawl;
	crawl->frontier->on_wanted = pv_wanted_hosts_give;
	crawl->frontier->wanted_ctx = crawl;
	crawl->frontier->on_refused = on_refused;
	crawl->frontier->refused_ctx = crawl;
	if (!pv_fleet_worker_begin(crawl, why))
		return false;
	pv_rounds_look(crawl);
	return true;
}

static bool open_sinks(struct pv_crawl *crawl, struct pv_why *why)
{
	crawl->reading.vouchers = pv_vouchers_open(crawl->store->database);
	struct pv_sink_plan plan = {
	    .directory = crawl->directory,
	    .policy = crawl->policy,
	    .shard = crawl->reading.shard,
	    .round = crawl->update.round.number,
	    .journal_generation = pv_journal_files_last(crawl->store->database),
	    .journal_turn_ms = crawl->options.journal_turn_ms,
	    .database = crawl->store->database,
	    .vouchers = crawl->reading.vouchers,
	    .linking = &crawl->linking,
	    .program = crawl->reading.program,
	    .untold = &crawl->run.untold,
	    .own_sinks = crawl->options.sinks,
	    .own_sink_count = crawl->options.sink_count,
	};
	if (!pv_new_rows_settle(
		crawl->directory, crawl->store->database, why) ||
	    !pv_sinks_open(&crawl->sinks, &plan, why))
		return false;
	crawl->refusals =
	    pv_refusals_create(&crawl->sinks, crawl->reading.program);
	pv_refusals_tick(crawl->refusals, crawl->now.wall_ms);
	pv_sinks_join(&crawl->sinks, &crawl->store->writer);
	pv_sharing_join(crawl);
	crawl->options.sinks = NULL;
	return true;
}

static void open_notes(struct pv_crawl *crawl)
{
	crawl->reading.traps =
	    pv_traps_create(crawl->policy, crawl->store->key);
	crawl->trap_store =
	    pv_trap_store_open(crawl->reading.traps, &crawl->store->writer);
	if (crawl->fleet)
		pv_trap_store_keep_hosts(
		    crawl->trap_store, crawl->store->database);
	pv_outbox_init(&crawl->outbox, crawl->frontier, &crawl->store->writer);
	pv_rewrite_open(crawl);
	pv_program_words_open(crawl);
	pv_untold_open(crawl);
	begin_run(crawl);
}

static bool open_deciders(struct pv_crawl *crawl, struct pv_why *why)
{
	const struct pv_policy *policy = crawl->policy;
	struct pv_schedule_plan plan = {
	    .rate = &policy->rate,
	    .seed = random_key().word[0],
	    .environment = getenv("TZ"),
	    .places = pv_runtime_places(crawl->around.runtime),
	    .all_crawls = pv_runtime_rate(crawl->around.runtime),
	    .wake = wake,
	    .ctx = crawl,
	};
	crawl->schedule = pv_schedule_create(&plan, pv_crawl_now(crawl));
	crawl->reading.policy = policy;
	crawl->reading.frontier = crawl->frontier;
	crawl->reading.follows_no_links = crawl->options.follows_no_links;
	pv_sameness_init(&crawl->reading.sameness, policy);
	pv_field_readers_init(
	    &crawl->reading.fields, &policy->pages, getenv("TZ"));
	crawl->reading.scope = pv_scope_create(policy);
	pv_scope_add_seeds(crawl->reading.scope);
	crawl->reading.deepest = pv_judge_deepest(policy);
	pv_seed_redirects_restore(crawl);
	pv_added_seeds_restore(crawl);
	pv_origins_init(&crawl->secrets.origins);
	bool has_secrets = pv_secrets_open(crawl, why);
	pv_hosts_init(crawl);
	pv_robots_hops_init(&crawl->hosts.hops, pv_robots_gate_hop);
	crawl->hosts.authorities.is_kept =
	    crawl->fleet || pv_robots_table_has_any(crawl->store->database);
	pv_seeding_init(crawl);
	return has_secrets && pv_proxies_open(crawl, why);
}

static bool open_workers(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_workers *workers = pv_runtime_workers(crawl->around.runtime);
	struct pv_fetch_plan plan = {
	    .loop = &crawl->loop,
	    .policy = crawl->policy,
	    .lease = crawl->around.lease,
	};
	crawl->readers = (struct pv_readers){
	    .context = &crawl->reading,
	    .sinks = &crawl->sinks,
	    .linking = &crawl->linking,
	    .directory = crawl->directory,
	    .is_dropping = &crawl->halt.is_dropping,
	    .clock_kind = crawl->around.clock,
	    .clock = crawl->clock,
	};
	crawl->readers.count = pv_workers_count(workers);
	crawl->readers.desks =
	    pv_reader_desks_create(crawl->policy, crawl->readers.count);
	crawl->readers.pool = pv_pool_create(workers, wake, crawl);
	crawl->names = crawl->around.names->create(
	    &crawl->loop, crawl->policy, crawl->around.clock, crawl->clock);
	pv_added_seeds_name(crawl);
	pv_proxies_name(crawl);
	crawl->fetch = crawl->around.fetch->create(&plan, why);
	return crawl->fetch != NULL;
}

static bool join_runtime(struct pv_crawl *crawl, struct pv_why *why)
{
	if (!crawl->around.runtime) {
		crawl->around.runtime = pv_runtime_create(0, 0);
		crawl->run.own_runtime = crawl->around.runtime;
	}
	if (crawl->around.runtime)
		pv_runtime_join(crawl->around.runtime);
	else
		pv_why_add(why, (struct pv_place){0}, PV_STR(""),
		    "cannot start threads");
	return crawl->around.runtime != NULL;
}

static void leave_runtime(struct pv_crawl *crawl)
{
	if (crawl->around.runtime)
		pv_runtime_leave(crawl->around.runtime);
	pv_runtime_destroy(crawl->run.own_runtime);
}

static bool open_all(struct pv_crawl *crawl, struct pv_why *why)
{
	if (!pv_fleet_worker_suits(crawl, why) || !join_runtime(crawl, why) ||
	    !pv_program_sinks_check(
		crawl->options.sinks, crawl->options.sink_count, why) ||
	    !pv_directory_make(crawl, why) || !pv_seed_copy_open(crawl, why) ||
	    !pv_settings_open(crawl, why) ||
	    !pv_fleet_worker_join(crawl, why) || !open_store(crawl, why) ||
	    !pv_kept_shard_open(crawl, why) || !open_frontier(crawl, why) ||
	    !open_sinks(crawl, why) || !pv_inbound_open(crawl, why))
		return false;
	open_notes(crawl);
	bool has_deciders = open_deciders(crawl, why);
	if (has_deciders)
		pv_inbound_widen(crawl);
	if (!has_deciders || !pv_directory_has_secrets(crawl, why) ||
	    !pv_policy_change_apply(crawl, why))
		return false;
	pv_rounds_begin(crawl);
	pv_part_files_open(crawl);
	pv_clock_claims_open(crawl, crawl->options.state_dir);
	crawl->options.state_dir = NULL;
	pv_kept_shard_warn(crawl);
	return pv_control_open(crawl, why) && open_workers(crawl, why) &&
	       pv_directory_describe(crawl, why);
}

struct pv_crawl *pv_crawl_open(const struct pv_policy *policy,
    const struct pavane_crawl_options *options,
    const struct pv_environment *around, struct pv_why *why)
{
	struct pv_crawl *crawl = pv_alloc(sizeof(*crawl));
	if (!begin_loop(crawl, why)) {
		free(crawl);
		return NULL;
	}
	crawl->around = *around;
	crawl->clock =
	    around->clock->create(&crawl->loop, pv_turn_on_wake, crawl);
	crawl->policy = policy;
	crawl->options = *options;
	crawl->directory = options->directory;
	crawl->flights.spill = options->directory;
	crawl->log = (struct pv_log){
	    .level = (enum pv_log_level)options->level,
	    .write = write_line,
	    .ctx = crawl,
	};
	pv_program_init(&crawl->run.program, options->events, options->ctx);
	crawl->run.program.has_sinks = options->sink_count > 0;
	if (options->events || options->sink_count)
		crawl->reading.program = &crawl->run.program;
	if (crawl->run.program.events.on_committed)
		crawl->run.untold.program = &crawl->run.program;
	pv_commands_init(crawl);
	pv_crawl_look_at_clock(crawl);
	pv_counters_init(&crawl->counters, pv_crawl_now(crawl));
	pv_disk_space_init(crawl);
	if (open_loop(crawl, why) && open_all(crawl, why)) {
		crawl->counters.all_pages = crawl->frontier->totals.pages;
		crawl->counters.all_bytes = crawl->frontier->totals.bytes;
		return crawl;
	}
	pv_crawl_close(crawl);
	return NULL;
}

/* Closing */

static void close_handles(struct pv_crawl *crawl)
{
	pv_wakeup_close(&crawl->wakeup);
	crawl->around.clock->destroy(crawl->clock);
	uv_close((uv_handle_t *)&crawl->run.turn, NULL);
}

static void close_deciders(struct pv_crawl *crawl)
{
	if (!crawl->schedule)
		return;
	pv_hosts_finish(crawl);
	pv_seeding_finish(crawl);
	pv_origins_finish(&crawl->secrets.origins);
	pv_secrets_close(crawl);
	pv_proxies_close(&crawl->hosts.proxies);
	pv_schedule_destroy(crawl->schedule);
	pv_scope_destroy(crawl->reading.scope);
	pv_sameness_finish(&crawl->reading.sameness);
	pv_field_readers_finish(&crawl->reading.fields);
}

/* What is still open after a failure is let go. */
static void drop_opens(struct pv_crawl *crawl)
{
	pv_release_drop_all(crawl);
}

static void end_threads(struct pv_crawl *crawl)
{
	drop_opens(crawl);
	pv_pool_destroy(crawl->readers.pool);
	if (crawl->store)
		pv_writer_stop(&crawl->store->writer);
	pv_fleet_worker_close(crawl);
	pv_part_files_close(crawl);
}

static void close_files(struct pv_crawl *crawl)
{
	pv_clock_claims_close(crawl);
	pv_control_close(&crawl->control);
	pv_host_events_finish(&crawl->progress.host_events);
	pv_seed_copy_close(crawl);
	pv_inbound_finish(crawl);
	pv_outbox_finish(&crawl->outbox);
	pv_frontier_close(crawl->frontier);
	pv_refusals_destroy(crawl->refusals);
	pv_sinks_close(&crawl->sinks);
	pv_vouchers_close(crawl->reading.vouchers);
	pv_trap_store_close(crawl->trap_store);
	pv_rewrite_close(crawl);
	pv_untold_close(crawl);
	pv_store_close(crawl->store);
}

void pv_crawl_close(struct pv_crawl *crawl)
{
	if (!crawl)
		return;
	pv_commands_leave(crawl);
	pv_ending_give_up(crawl);
	end_threads(crawl);
	pv_commands_finish(crawl);
	close_deciders(crawl);
	crawl->around.names->destroy(crawl->names);
	crawl->around.fetch->destroy(crawl->fetch);
	close_handles(crawl);
	uv_run(&crawl->loop, UV_RUN_DEFAULT);
	uv_loop_close(&crawl->loop);
	pv_flights_drop_spare(&crawl->flights);
	close_files(crawl);
	pv_traps_destroy(crawl->reading.traps);
	pv_reader_desks_destroy(crawl->readers.desks, crawl->readers.count);
	pv_settings_close(crawl);
	pv_program_finish(&crawl->run.program);
	leave_runtime(crawl);
	free(crawl);
}

void pv_crawl_leave(struct pv_crawl *crawl)
{
	pv_commands_leave(crawl);
	pv_ending_give_up(crawl);
	end_threads(crawl);
	pv_commands_finish(crawl);
	crawl->around.fetch->leave(crawl->fetch);
	close_files(crawl);
	leave_runtime(crawl);
}

/* From one opening to the next */

struct pv_crawl_course pv_crawl_course_of(const struct pv_crawl *crawl)
{
	return (struct pv_crawl_course){
	    .scheduler = crawl->schedule->scheduler,
	    .counters = crawl->counters,
	    .paused_ms = crawl->control.spent_ms,
	    .run = crawl->run.number,
	    .wish = pv_fleet_worker_wish(crawl),
	};
}

/* Of pages the limits know by the state. */
void pv_crawl_go_on(
    struct pv_crawl *crawl, const struct pv_crawl_course *course)
{
	uint64_t pages = crawl->counters.all_pages;
	uint64_t bytes = crawl->counters.all_bytes;
	crawl->counters = course->counters;
	crawl->counters.all_pages = pages;
	crawl->counters.all_bytes = bytes;
	crawl->control.spent_ms += course->paused_ms;
	pv_scheduler_go_on(&crawl->schedule->scheduler, &course->scheduler,
	    pv_crawl_now(crawl));
}

bool pv_crawl_has_changed(const struct pv_crawl *crawl)
{
	return crawl->control.settings.has_changed || crawl->run.has_lost_fleet;
}
