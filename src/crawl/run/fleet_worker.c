#include "crawl/run/fleet_worker.h"

#include "crawl/conductor.h"
#include "crawl/control/control.h"
#include "crawl/run/directory.h"
#include "crawl/run/fleet_notes.h"
#include "crawl/run/seed_redirect.h"
#include "fleet/beats/beats.h"
#include "fleet/fleet.h"
#include "fleet/shares/allowance.h"
#include "policy/option.h"
#include "schedule/schedule.h"
#include "store/lock.h"
#include "store/tables/note.h"

static void on_lost(void *ctx, const char *why)
{
	struct pv_crawl *crawl = ctx;
	pv_log(&crawl->log, PV_LOG_WARNING, "%s: %s: it joins the fleet again",
	    crawl->directory, why);
	crawl->run.has_lost_fleet = true;
	atomic_store(&crawl->halt.is_dropping, true);
	pv_halt_interrupt(&crawl->halt);
}

static void on_gone(void *ctx, const char *why)
{
	struct pv_crawl *crawl = ctx;
	pv_halt_fail(crawl, why);
}

static void on_line(void *ctx, bool is_warning, const char *text)
{
	struct pv_crawl *crawl = ctx;
	pv_log(&crawl->log, is_warning ? PV_LOG_WARNING : PV_LOG_INFO,
	    "fleet: %s", text);
}

static bool use(void *ctx, const struct pv_fleet_part *part)
{
	struct pv_crawl *crawl = ctx;
	if (!crawl->schedule)
		return true; /* nothing is asked yet: there is no lease */
	const struct pv_schedule_part own = {
	    .max_rate = part->max_rate,
	    .interval_ms = part->interval_ms,
	    .burst = part->burst,
	    .concurrency = part->concurrency,
	};
	pv_schedule_set_part(crawl->schedule, &own, pv_crawl_now(crawl));
	if (crawl->fetch && part->bandwidth != PV_NONE)
		crawl->around.fetch->set_bandwidth(
		    crawl->fetch, part->bandwidth);
	return (int64_t)pv_schedule_in_flight(crawl->schedule) <=
	       part->concurrency;
}

/* So long before it is, the fleet is asked whether it may be: that takes a while. */
#define SOON_MS 1000

static bool is_due_soon(const struct pv_crawl *crawl)
{
	return crawl->schedule && pv_schedule_first_due(crawl->schedule) <=
				      pv_crawl_now(crawl) + SOON_MS;
}

static void on_figures(void *ctx, struct pv_fleet_figures *figures)
{
	const struct pv_crawl *crawl = ctx;
	figures->pages = (int64_t)crawl->counters.all_pages;
	figures->bytes = (int64_t)crawl->counters.all_bytes;
	figures->requests = (int64_t)crawl->counters.requests;
	figures->begun = (int64_t)crawl->flights.fetching;
	figures->is_halted = crawl->backpressure.disk.is_short;
	figures->is_due = is_due_soon(crawl) && !figures->is_halted;
	figures->is_drained = pv_drain_event_is_set(&crawl->flights.drained);
}

static void on_earlier_policy(void *ctx, uint64_t number, struct pv_str text)
{
	pv_earlier_policies_add(ctx, number, text);
}

static struct pv_rejudging *since(void *ctx, uint64_t number)
{
	return pv_earlier_policies_since(ctx, number);
}

/* The scope */

static void init_rejudge(struct pv_fleet_rejudge *again, struct pv_crawl *crawl)
{
	pv_rejudge_init(&again->rejudge, crawl);
	pv_rejudge_note_wider(&again->rejudge);
	again->rejudging = (struct pv_rejudging){
	    .judge = pv_rejudge_judge,
	    .ctx = &again->rejudge,
	    .is_open = again->rejudge.is_open,
	    .depth_before = PV_DEPTH_MAX,
	    .depth_now = PV_DEPTH_MAX,
	};
}

static bool on_redirect(void *ctx, struct pv_str url)
{
	return pv_seed_redirect_hear(ctx, url);
}

static void keep_redirect(
    void *ctx, struct pv_database *database, struct pv_str url)
{
	(void)ctx;
	pv_seed_redirect_keep(database, url);
}

/* Orders */

/* All but to stop, which its own directory may have been told already. */
static bool take_over(void *ctx, struct pv_orders *orders)
{
	struct pv_orders *wished = ctx, before = *orders;
	struct pv_buf old, new;
	if (!wished->stop_run)
		wished->stop_run = orders->stop_run;
	pv_buf_init(&old, SIZE_MAX);
	pv_buf_init(&new, SIZE_MAX);
	pv_orders_write(orders, &old);
	pv_orders_write(wished, &new);
	bool is_other = !pv_str_equal(pv_buf_str(&old), pv_buf_str(&new));
	*orders = *wished;
	*wished = before;
	pv_buf_finish(&old);
	pv_buf_finish(&new);
	return is_other;
}

static void tell_unwritten(struct pv_crawl *crawl, const struct pv_why *why)
{
	struct pv_buf line;
	pv_buf_init(&line, SIZE_MAX);
	pv_problem_write(&why->problems.kept[0], &line);
	pv_log(&crawl->log, PV_LOG_WARNING,
	    "%s: orders to the fleet are not heeded yet", pv_buf_text(&line));
	pv_buf_finish(&line);
}

/* They become those of the worker's directory, which hold as always. */
static bool on_wish(void *ctx, struct pv_str text, bool is_to_stop)
{
	struct pv_crawl *crawl = ctx;
	struct pv_orders wished;
	struct pv_why why;
	if (!crawl->schedule)
		return false;
	pv_orders_init(&wished);
	pv_orders_read(&wished, text);
	wished.stop_run = is_to_stop ? crawl->run.number : 0;
	pv_why_init(&why);
	bool is_written =
	    pv_orders_change(crawl->directory, take_over, &wished, &why);
	if (is_written)
		pv_control_look(crawl);
	else
		tell_unwritten(crawl, &why);
	pv_why_finish(&why);
	pv_orders_finish(&wished);
	return is_written;
}

/* Opening again */

/* An order to stop is to the run that goes on: the next one has no number yet. */
static bool is_stop_ordered(const struct pv_crawl *crawl)
{
	struct pv_orders orders;
	struct pv_buf text;
	struct pv_why why;
	pv_why_init(&why);
	bool is_ordered =
	    pv_orders_load(crawl->directory, &text, &orders, &why) &&
	    orders.stop_run == crawl->around.run_before;
	pv_orders_finish(&orders);
	pv_buf_finish(&text);
	pv_why_finish(&why);
	return is_ordered;
}

static bool is_enough(void *ctx)
{
	const struct pv_crawl *crawl = ctx;
	const struct pavane_crawl_options *options = &crawl->options;
	return (options->is_enough && options->is_enough(options->ctx)) ||
	       (crawl->around.run_before && is_stop_ordered(crawl));
}

/* All workers call the crawl by the same name. */
static const char *name_of(const struct pv_crawl *crawl)
{
	if (crawl->options.fleet_name)
		return crawl->options.fleet_name;
	return crawl->policy->name;
}

static bool refuse(const struct pv_crawl *crawl, struct pv_why *why,
    const char *key, const char *sentence)
{
	pv_why_add(why, (struct pv_place){.file = crawl->directory},
	    pv_str_of(key), "%s", sentence);
	return false;
}

/* Whether the policy asks for a mirror, or says something about one. */
static bool speaks_of_mirror(const struct pv_policy *policy)
{
	static const char prefix[] = "output.mirror.";
	const struct pv_names *names = &pv_names_of_policy;
	bool speaks = policy->output.has_mirror;
	for (size_t i = 0; i < names->count && !speaks; i++) {
		struct pv_str path = pv_str_of(names->options[i].path);
		speaks = pv_str_starts(path, PV_STR(prefix)) &&
			 pv_policy_is_given(policy, names->options[i].path);
	}
	return speaks;
}

/* What a fleet cannot do is refused before anything is changed. */
bool pv_fleet_worker_suits(const struct pv_crawl *crawl, struct pv_why *why)
{
	const struct pv_fleet_kind *kind = crawl->around.fleets;
	if (!crawl->options.fleet)
		return true;
	if (!kind || !kind->open)
		return refuse(crawl, why, "",
		    "this pavane was built without PostgreSQL, which a fleet "
		    "needs: install libpq-dev and build it again");
	if (crawl->options.shard)
		return refuse(crawl, why, "",
		    "--fleet and --shard are two ways to divide a crawl: use "
		    "one of them");
	if (crawl->options.inbound_count)
		return refuse(crawl, why, "",
		    "--inbound is for shards: the workers of a fleet pass "
		    "links on by its database");
	if (crawl->options.is_fresh)
		return refuse(crawl, why, "",
		    "--fresh would delete one worker's part of the fleet's "
		    "crawl: to start again, give the crawl another name");
	if (!name_of(crawl))
		return refuse(crawl, why, "name",
		    "a fleet's crawl needs a name, by which its workers find "
		    "it: write name: in the policy");
	if (speaks_of_mirror(crawl->policy))
		return refuse(crawl, why, "output.mirror",
		    "the workers of a fleet do not share one directory, so "
		    "none of them can make a mirror: write output: {} for the "
		    "journal alone, or output: {fields: {}}");
	return true;
}

/* While it waits nobody else begins in its directory, and whoever wants it to stop
 * finds it there. The store takes the lock again. */
static struct pv_fleet *open_locked(const struct pv_crawl *crawl,
    const struct pv_fleet_options *options, struct pv_why *why)
{
	struct pv_lock lock;
	if (!pv_lock_take(&lock, crawl->directory, why))
		return NULL;
	struct pv_fleet *fleet = crawl->around.fleets->open(options, why);
	if (!fleet)
		pv_directory_unmake(crawl);
	pv_lock_give(&lock);
	return fleet;
}

bool pv_fleet_worker_join(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_hash_key random;
	if (!crawl->options.fleet)
		return true;
	init_rejudge(&crawl->fleet_rejudge, crawl);
	if (getentropy(&random, sizeof(random)) != 0)
		abort();
	struct pv_buf text =
	    pv_directory_policy_text(crawl, crawl->control.settings.given);
	struct pv_fleet_options options = {
	    .loop = &crawl->loop,
	    .url = crawl->options.fleet,
	    .name = name_of(crawl),
	    .directory = crawl->directory,
	    .policy = pv_buf_str(&text),
	    .as_read = crawl->policy,
	    .clock_kind = crawl->around.clock,
	    .clock = crawl->clock,
	    .random = random,
	    .is_update = crawl->options.is_update,
	    .on_earlier_policy = on_earlier_policy,
	    .since = since,
	    .on_lost = on_lost,
	    .on_gone = on_gone,
	    .use = use,
	    .on_wish = on_wish,
	    .on_figures = on_figures,
	    .on_redirect = on_redirect,
	    .keep_redirect = keep_redirect,
	    .rejudging = &crawl->fleet_rejudge.rejudging,
	    .forget_counts = pv_fleet_notes_forget,
	    .put_bodies = pv_fleet_notes_put_bodies,
	    .put_session = pv_fleet_notes_put_session,
	    .wants_site = pv_fleet_notes_wants_site,
	    .put_host = pv_fleet_notes_put_host,
	    .put_voucher = pv_fleet_notes_put_voucher,
	    .ttl_ms = crawl->options.fleet_ttl_ms,
	    .is_enough = is_enough,
	    .was_part = crawl->around.run_before > 0,
	    .wish_before = crawl->around.wish_before,
	    .on_line = on_line,
	    .ctx = crawl,
	};
	crawl->fleet = open_locked(crawl, &options, why);
	if (crawl->fleet) {
		crawl->around.lease = crawl->around.fleets->lease(crawl->fleet);
		crawl->around.allowance =
		    crawl->around.fleets->allowance(crawl->fleet);
	}
	pv_buf_finish(&text);
	return crawl->fleet != NULL;
}

/* Its hosts are those of the fleet, which others may ask meanwhile. */
static bool is_by_itself(struct pv_crawl *crawl, struct pv_why *why)
{
	return !pv_note_get(crawl->store->database, PV_NOTE_FLEET_CRAWL, 0) ||
	       refuse(crawl, why, "",
		   "this directory is a fleet's worker, whose hosts "
		   "others may be asking: run it with --fleet URL, or begin in "
		   "another directory");
}

bool pv_fleet_worker_begin(struct pv_crawl *crawl, struct pv_why *why)
{
	if (!crawl->fleet)
		return is_by_itself(crawl, why);
	return crawl->around.fleets->begin(
	    crawl->fleet, crawl->store, crawl->frontier, why);
}

bool pv_fleet_worker_begins_round(const struct pv_crawl *crawl)
{
	return crawl->fleet && crawl->around.fleets->begins_round(crawl->fleet);
}

bool pv_fleet_worker_is_finished(const struct pv_crawl *crawl)
{
	return crawl->fleet && crawl->around.fleets->is_finished(crawl->fleet);
}

/* It has asked whether that was all, and the fleet holds the answer back. */
bool pv_fleet_worker_is_idle(const struct pv_crawl *crawl)
{
	return crawl->fleet && crawl->finishing.is_counting &&
	       !crawl->halt.is_ending;
}

int64_t pv_fleet_worker_wish(const struct pv_crawl *crawl)
{
	return crawl->fleet ? crawl->around.fleets->wish(crawl->fleet) : 0;
}

int64_t pv_fleet_worker_number(const struct pv_crawl *crawl)
{
	return crawl->fleet ? crawl->around.fleets->number(crawl->fleet) : 0;
}

void pv_fleet_worker_close(struct pv_crawl *crawl)
{
	if (crawl->fleet)
		crawl->around.fleets->close(crawl->fleet);
	pv_earlier_policies_finish(&crawl->update.earlier);
	crawl->fleet = NULL;
}
