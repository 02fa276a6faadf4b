#include "fleet/joining/terms.h"

#include "base/array.h"
#include "fleet/joining/agreement.h"
#include "fleet/joining/joining.h"
#include "fleet/joining/silent_workers.h"
#include "fleet/worker/worker.h"
#include "frontier/sqlite/handover_owners.h"
#include "policy/policy.h"

/* So often a worker tries that meets others who change the terms, too. */
#define TRIES_MAX 10

/* Clocks that are woken in one request, and refused addresses that become links. */
#define WOKEN_MAX 20000
#define REFUSED_MAX 1000

/* More than there are reasons: a policy's number and a reason are one number. */
#define REASONS_MAX 1000

/* Policies that came before today's; rows that were judged by still older ones are
 * judged as if anything could have changed. */
#define POLICIES_MAX 100

static struct pv_fleet_value int8(int64_t number)
{
	return pv_fleet_number(PV_FLEET_INT8, number);
}

static struct pv_fleet_value crawl_of(const struct pv_fleet *fleet)
{
	return pv_fleet_number(PV_FLEET_INT4, fleet->crawl);
}

static void hear_nothing(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	(void)fleet;
	(void)results;
}

/* Policies */

static void hear_others(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	fleet->others = pv_fleet_results_number(results, 0, 0, 0);
}

static bool count_others(struct pv_fleet *fleet, int64_t own)
{
	struct pv_fleet_value values[] = {crawl_of(fleet), int8(own)};
	const struct pv_fleet_step step = {PV_SAY_OTHERS, values, 2};
	return pv_joining_ask(fleet, &step, 1, hear_others);
}

/* One that lives may have brought what this one is about to bring: then it is
 * settled. Who was killed is reaped, if nobody else is there to do it. */
static bool find_others(struct pv_fleet *fleet, int64_t own,
    bool (*is_settled)(const struct pv_fleet *fleet), struct pv_why *why)
{
	if (!count_others(fleet, own))
		return pv_joining_tell(fleet, why);
	if (!fleet->others)
		return true;
	if (!pv_joining_find_crawl(fleet, why))
		return false;
	if (is_settled(fleet))
		return true;
	if (!pv_silent_workers_reap(fleet, own, &fleet->others))
		return pv_joining_tell(fleet, why);
	return !fleet->others || pv_joining_find_crawl(fleet, why);
}

/* Unless somebody else was faster, which is seen when the crawl is found again. */
static bool set_policy(struct pv_fleet *fleet, int64_t own, bool decides)
{
	struct pv_fleet_value crawl = crawl_of(fleet);
	struct pv_fleet_value values[] = {crawl, int8(own),
	    pv_fleet_text(pv_buf_str(&fleet->own_policy)),
	    int8(fleet->terms.policy), pv_fleet_bool(decides)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_LOCK_CRAWL, &crawl, 1}, {PV_SAY_SET_POLICY, values, 5}};
	fleet->options.on_line(fleet->options.ctx, false,
	    decides ? "no worker lives: this policy takes the place of the one "
		      "in the database, and what is known is judged by it when "
		      "it is loaded"
		    : "no worker lives: this policy takes the place of the one "
		      "in the database");
	return pv_joining_ask(fleet, steps, 2, hear_nothing);
}

static bool is_agreed(const struct pv_fleet *fleet)
{
	struct pv_str theirs = pv_buf_str(&fleet->policy);
	struct pv_str ours = pv_buf_str(&fleet->own_policy);
	return pv_str_equal(theirs, ours) || pv_agreement_is_same(theirs, ours);
}

static bool change_policy(
    struct pv_fleet *fleet, int64_t own, struct pv_why *why)
{
	if (!find_others(fleet, own, is_agreed, why))
		return false;
	if (is_agreed(fleet))
		return true;
	bool decides = pv_agreement_check(pv_buf_str(&fleet->policy),
	    pv_buf_str(&fleet->own_policy), fleet->others > 0,
	    (struct pv_place){.file = fleet->options.directory}, why);
	if (pv_why_has_problems(why))
		return false;
	if (!set_policy(fleet, own, decides))
		return pv_joining_tell(fleet, why);
	return pv_joining_find_crawl(fleet, why);
}

static bool agree_on_policy(
    struct pv_fleet *fleet, int64_t own, struct pv_why *why)
{
	for (int i = 0; i < TRIES_MAX; i++) {
		if (is_agreed(fleet))
			return true;
		if (!change_policy(fleet, own, why))
			return false;
	}
	pv_why_add(why, (struct pv_place){.file = fleet->options.directory},
	    PV_STR(""),
	    "other workers with other policies come at the same time: start it "
	    "again when they have come");
	return false;
}

/* Rounds */

static void hear_round(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	fleet->terms.begins_round = pv_fleet_results_rows(results, 1) > 0;
}

static bool ask_for_round(struct pv_fleet *fleet, int64_t own)
{
	struct pv_fleet_value crawl = crawl_of(fleet);
	struct pv_fleet_value values[] = {crawl, int8(own),
	    int8(pv_fleet_time(fleet).wall_ms),
	    int8(fleet->options.as_read->recrawl.after_ms)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_LOCK_CRAWL, &crawl, 1}, {PV_SAY_BEGIN_ROUND, values, 4}};
	return pv_joining_ask(fleet, steps, 2, hear_round);
}

/* Its hosts may be owned still, with rows that nobody would load. */
static bool leave(struct pv_fleet *fleet, int64_t *own)
{
	struct pv_fleet_value number = int8(*own);
	const struct pv_fleet_step step = {PV_SAY_LEAVE, &number, 1};
	if (!*own)
		return true;
	*own = 0;
	return pv_joining_ask(fleet, &step, 1, hear_nothing);
}

static bool has_round(const struct pv_fleet *fleet)
{
	return !fleet->is_finished;
}

static bool begin_round(
    struct pv_fleet *fleet, int64_t *own, struct pv_why *why)
{
	if (!fleet->options.is_update || !fleet->is_finished)
		return true;
	if (!find_others(fleet, *own, has_round, why))
		return false;
	if (has_round(fleet))
		return true;
	if (!ask_for_round(fleet, *own))
		return pv_joining_tell(fleet, why);
	if (fleet->terms.begins_round && !leave(fleet, own))
		return pv_joining_tell(fleet, why);
	if (!pv_joining_find_crawl(fleet, why))
		return false;
	if (!fleet->is_finished)
		return true;
	pv_why_add(why, (struct pv_place){.file = fleet->options.directory},
	    PV_STR(""),
	    "the crawl is finished, but some of its workers have not ended "
	    "yet: update it when `pavane status --fleet` shows none");
	return false;
}

/* Earlier policies */

/* For which reasons what was refused under that policy may be admitted now. */
static void note_open(struct pv_fleet *fleet, int64_t number)
{
	const struct pv_fleet_options *options = &fleet->options;
	struct pv_refused *refused = &fleet->refused;
	const struct pv_rejudging *since =
	    options->since ? options->since(options->ctx, (uint64_t)number)
			   : NULL;
	refused->oldest = number;
	for (int64_t i = 0; since && i < PV_REASON_COUNT; i++)
		if (since->is_open[i])
			*PV_ARRAY_PUSH(refused->open, refused->open_count,
			    refused->open_size) = number * REASONS_MAX + i;
}

/* The latest comes first. */
static void hear_policies(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	fleet->refused.open_count = 0;
	for (size_t i = 0; i < pv_fleet_results_rows(results, 0); i++) {
		int64_t number = pv_fleet_results_number(results, 0, i, 0);
		fleet->options.on_earlier_policy(fleet->options.ctx,
		    (uint64_t)number, pv_fleet_results_text(results, 0, i, 1));
		note_open(fleet, number);
	}
}

static bool find_policies(struct pv_fleet *fleet)
{
	struct pv_fleet_value values[] = {crawl_of(fleet), int8(POLICIES_MAX)};
	const struct pv_fleet_step step = {PV_SAY_POLICIES, values, 2};
	return fleet->terms.policy < 2 || !fleet->options.on_earlier_policy ||
	       pv_joining_ask(fleet, &step, 1, hear_policies);
}

/* Clocks */

static void hear_woken(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	pv_buf_clear(&fleet->woken);
	pv_buf_append(&fleet->woken, pv_fleet_results_text(results, 0, 0, 0));
	fleet->terms.is_waking = fleet->woken.len > 0;
}

static bool wake_some(struct pv_fleet *fleet)
{
	struct pv_fleet_value values[] = {crawl_of(fleet),
	    pv_fleet_text(pv_buf_str(&fleet->woken)), int8(WOKEN_MAX)};
	const struct pv_fleet_step step = {PV_SAY_WAKE_SOME, values, 3};
	return pv_joining_ask(fleet, &step, 1, hear_woken);
}

static void hear_refused(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	enum { LINKS = 2 };
	struct pv_refused *refused = &fleet->refused;
	refused->has_more = pv_fleet_results_rows(results, LINKS) > 0;
	refused->fingerprint = pv_fleet_results_number(results, LINKS, 0, 0);
	refused->worker = pv_fleet_results_number(results, LINKS, 0, 1);
}

/* What workers have refused at hosts of others, and today's policy may admit, goes to
 * these as links, which they judge. */
static bool send_refused(struct pv_fleet *fleet)
{
	struct pv_refused *refused = &fleet->refused;
	refused->fingerprint = INT64_MIN;
	refused->worker = 0;
	refused->has_more = fleet->terms.sent_policy < fleet->terms.policy;
	while (refused->has_more) {
		struct pv_fleet_value values[] = {crawl_of(fleet),
		    int8(fleet->terms.policy), int8(refused->fingerprint),
		    int8(refused->worker), int8(REFUSED_MAX),
		    int8(refused->oldest),
		    pv_fleet_numbers(
			PV_FLEET_INT8S, refused->open, refused->open_count),
		    int8(REASONS_MAX)};
		const struct pv_fleet_step steps[] = {
		    {PV_SAY_TAKE_TIME, NULL, 0},
		    {PV_SAY_REFUSED_CLOCKS, values, 8},
		    {PV_SAY_REFUSED_LINKS, values, 8}};
		if (!pv_joining_ask(fleet, steps, 3, hear_refused))
			return false;
	}
	return true;
}

static bool wake_clocks(struct pv_fleet *fleet)
{
	struct pv_fleet_value values[] = {
	    crawl_of(fleet), int8(fleet->terms.policy)};
	const struct pv_fleet_step end = {PV_SAY_END_WAKING, values, 2};
	if (!fleet->terms.is_waking)
		return true;
	if (!send_refused(fleet))
		return false;
	pv_buf_clear(&fleet->woken);
	while (fleet->terms.is_waking) {
		if (!wake_some(fleet))
			return false;
	}
	return pv_joining_ask(fleet, &end, 1, hear_nothing);
}

bool pv_terms_agree(struct pv_fleet *fleet, int64_t *own, struct pv_why *why)
{
	if (!agree_on_policy(fleet, *own, why) || !begin_round(fleet, own, why))
		return false;
	return (find_policies(fleet) && wake_clocks(fleet)) ||
	       pv_joining_tell(fleet, why);
}

/* Going by them */

static void join_round(struct pv_fleet *fleet)
{
	uint64_t number = (uint64_t)fleet->terms.round;
	if (fleet->frontier->round.number >= number)
		return;
	pv_writer_begin(&fleet->store->writer);
	pv_handover_join_round(&fleet->handover, number, fleet->terms.began_ms);
	pv_writer_commit(&fleet->store->writer);
	fleet->frontier->round = (struct pv_round){.number = number};
	fleet->frontier->totals = (struct pv_totals){.pages = 0};
}

void pv_terms_begin(struct pv_fleet *fleet)
{
	const struct pv_fleet_terms *terms = &fleet->terms;
	fleet->handover.renewal = (struct pv_renewal){
	    .policy = (uint64_t)terms->policy,
	    .round = (uint64_t)terms->round,
	    .began_wall_ms = terms->began_ms,
	    .before_wall_ms = terms->before_ms,
	    .takes_failed = terms->takes_failed,
	    .since = fleet->options.since,
	    .ctx = fleet->options.ctx,
	};
	join_round(fleet);
}
