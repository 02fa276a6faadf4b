#include "fleet/granting.h"

#include "fleet/passing/passing.h"
#include "fleet/worker/worker.h"
#include "policy/policy.h"

/* A slice of bytes is no smaller: pages are often larger than what is left is
 * divided into. */
#define LEAST_BYTES (INT64_C(4) << 20)

/* Who has nothing left looks again after so long. */
#define LOOK_MS 1000

/* What was not used for so long goes back. */
#define UNUSED_MS 10000

void pv_granting_init(struct pv_fleet *fleet)
{
	const struct pv_limits *limits = &fleet->options.as_read->limits;
	struct pv_fleet_allowance *allowance = &fleet->granting.allowance;
	pv_fleet_quota_init(&allowance->pages, limits->pages);
	pv_fleet_quota_init(&allowance->bytes, limits->bytes);
}

static bool is_limited(const struct pv_fleet_allowance *allowance)
{
	return allowance->pages.limit != PV_NONE ||
	       allowance->bytes.limit != PV_NONE;
}

/* Each request in flight may bring a page. */
static int64_t pages_to_be(const struct pv_fleet_figures *figures)
{
	return figures->pages + figures->begun;
}

static struct pv_fleet_value int4(int64_t number)
{
	return pv_fleet_number(PV_FLEET_INT4, number);
}

static struct pv_fleet_value int8(int64_t number)
{
	return pv_fleet_number(PV_FLEET_INT8, number);
}

/* Answers */

static void hear(
    struct pv_fleet *fleet, const struct pv_fleet_results *results, size_t step)
{
	struct pv_granting *granting = &fleet->granting;
	int64_t numbers[6];
	for (size_t i = 0; i < 6; i++)
		numbers[i] = pv_fleet_results_number(results, step, 0, i);
	pv_fleet_quota_hear(&granting->allowance.pages, granting->asked_pages,
	    &(struct pv_fleet_grant){numbers[0], numbers[1], numbers[4]});
	pv_fleet_quota_hear(&granting->allowance.bytes, granting->asked_bytes,
	    &(struct pv_fleet_grant){numbers[2], numbers[3], numbers[5]});
}

static void on_answer(
    struct pv_fleet *fleet, const struct pv_fleet_answer *answer, size_t step)
{
	fleet->granting.is_asking = false;
	if (answer->status == PV_FLEET_REFUSED)
		pv_fleet_hear_refusal(fleet, answer);
	if (answer->status == PV_FLEET_OK &&
	    pv_fleet_results_rows(answer->results, step))
		hear(fleet, answer->results, step);
}

static bool has_spent(
    const struct pv_granting *granting, const struct pv_fleet_figures *figures)
{
	const struct pv_fleet_allowance *allowance = &granting->allowance;
	return pv_fleet_quota_left(&allowance->pages, pages_to_be(figures)) <=
		   0 ||
	       pv_fleet_quota_left(&allowance->bytes, figures->bytes) <= 0;
}

/* Asking */

enum { FENCE, LOCK, KEEP, GRANT, GRANTED, STEPS };

static void on_granted(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	struct pv_granting *granting = &fleet->granting;
	const struct pv_fleet_allowance before = granting->allowance;
	(void)request;
	on_answer(fleet, answer, GRANTED);
	bool has_more = granting->allowance.pages.until > before.pages.until ||
			granting->allowance.bytes.until > before.bytes.until;
	if (has_more)
		granting->grown_at = pv_fleet_now(fleet);
	granting->ask_at = pv_fleet_now(fleet) + (has_more ? 0 : LOOK_MS);
}

/* Whether all that it has brought is passed on, so that the database's count of it
 * is whole: where that is so, a worker begins anew. What was granted to it in an
 * earlier run, by another policy, or for what then was none, goes back. */
static bool is_even(const struct pv_fleet *fleet,
    const struct pv_fleet_figures *figures, bool has_none)
{
	const struct pv_fleet_allowance *allowance = &fleet->granting.allowance;
	bool is_first =
	    !allowance->pages.is_known && !allowance->bytes.is_known;
	return is_first || (has_none && figures->is_drained &&
			       pv_passing_is_done(&fleet->passing));
}

static void ask(
    struct pv_fleet *fleet, const struct pv_fleet_figures *figures, bool is_due)
{
	struct pv_granting *granting = &fleet->granting;
	struct pv_fleet_quota *pages = &granting->allowance.pages;
	struct pv_fleet_quota *bytes = &granting->allowance.bytes;
	bool is_anew = is_even(fleet, figures, has_spent(granting, figures));
	int64_t kept = is_anew ? 0 : INT64_MAX;
	if (is_anew)
		pages->is_known = bytes->is_known = false;
	const struct pv_fleet_value crawl[] = {int4(fleet->crawl)};
	const struct pv_fleet_value keep[] = {
	    int8(fleet->worker), int8(kept), int8(kept)};
	const struct pv_fleet_value grant[] = {int8(fleet->worker), crawl[0],
	    int8(pages->limit), int8(bytes->limit),
	    pv_fleet_bool(
		is_due && pv_fleet_quota_is_low(pages, pages_to_be(figures))),
	    pv_fleet_bool(
		is_due && pv_fleet_quota_is_low(bytes, figures->bytes)),
	    int8(LEAST_BYTES)};
	const struct pv_fleet_value granted[] = {int8(fleet->worker), crawl[0]};
	const struct pv_fleet_step steps[STEPS] = {
	    [FENCE] = {PV_SAY_FENCE, fleet->fence, 2},
	    [LOCK] = {PV_SAY_LOCK_CRAWL, crawl, 1},
	    [KEEP] = {PV_SAY_KEEP_GRANT, keep, 3},
	    [GRANT] = {PV_SAY_GRANT, grant, 7},
	    [GRANTED] = {PV_SAY_GRANTED, granted, 2},
	};
	granting->is_asking = true;
	granting->has_wanted = is_due;
	granting->asked_pages = figures->pages;
	granting->asked_bytes = figures->bytes;
	pv_fleet_line_send(fleet->line,
	    pv_fleet_request_create(steps, STEPS, on_granted, fleet));
}

/* Giving back */

enum { KEPT_FENCE, KEPT_KEEP, KEPT_STEPS };

static void on_kept(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	(void)request;
	fleet->granting.is_asking = false;
	if (answer->status == PV_FLEET_REFUSED)
		pv_fleet_hear_refusal(fleet, answer);
}

static void give_back(
    struct pv_fleet *fleet, const struct pv_fleet_figures *figures)
{
	struct pv_fleet_allowance *allowance = &fleet->granting.allowance;
	const struct pv_fleet_value keep[] = {int8(fleet->worker),
	    int8(pv_fleet_quota_keep(&allowance->pages, figures->pages)),
	    int8(pv_fleet_quota_keep(&allowance->bytes, figures->bytes))};
	const struct pv_fleet_step steps[KEPT_STEPS] = {
	    [KEPT_FENCE] = {PV_SAY_FENCE, fleet->fence, 2},
	    [KEPT_KEEP] = {PV_SAY_KEEP_GRANT, keep, 3},
	};
	fleet->granting.is_asking = true;
	pv_fleet_line_send(fleet->line,
	    pv_fleet_request_create(steps, KEPT_STEPS, on_kept, fleet));
}

static bool has_any(const struct pv_fleet_quota *quota, const int64_t count)
{
	return quota->limit != PV_NONE && pv_fleet_quota_left(quota, count) > 0;
}

/* Nothing is under way, and nothing was brought for a while, or is to be. */
static bool is_unused(
    const struct pv_fleet *fleet, const struct pv_fleet_figures *figures)
{
	const struct pv_granting *granting = &fleet->granting;
	if (figures->begun ||
	    (!has_any(&granting->allowance.pages, figures->pages) &&
		!has_any(&granting->allowance.bytes, figures->bytes)))
		return false;
	return fleet->is_counted ||
	       pv_fleet_now(fleet) - granting->grown_at >= UNUSED_MS;
}

static void note_growth(
    struct pv_fleet *fleet, const struct pv_fleet_figures *figures)
{
	struct pv_granting *granting = &fleet->granting;
	if (figures->begun || figures->pages != granting->seen_pages ||
	    figures->bytes != granting->seen_bytes)
		granting->grown_at = pv_fleet_now(fleet);
	granting->seen_pages = figures->pages;
	granting->seen_bytes = figures->bytes;
}

static bool may_ask(const struct pv_fleet *fleet)
{
	return is_limited(&fleet->granting.allowance) &&
	       !fleet->granting.is_asking && pv_fleet_is_up(fleet) &&
	       !fleet->is_hurried && !fleet->leaving && fleet->passing.ended;
}

/* What has something to do now need not wait for the next look. */
static bool must_ask(
    const struct pv_fleet *fleet, const struct pv_fleet_figures *figures)
{
	const struct pv_granting *granting = &fleet->granting;
	const struct pv_fleet_allowance *allowance = &granting->allowance;
	bool is_low =
	    pv_fleet_quota_is_low(&allowance->pages, pages_to_be(figures)) ||
	    pv_fleet_quota_is_low(&allowance->bytes, figures->bytes);
	bool is_time = pv_fleet_now(fleet) >= granting->ask_at ||
		       (figures->is_due && !granting->has_wanted);
	return is_time && !fleet->is_counted &&
	       ((is_low && figures->is_due) || has_spent(granting, figures));
}

void pv_granting_step(struct pv_fleet *fleet)
{
	struct pv_fleet_figures figures = {0};
	if (!may_ask(fleet))
		return;
	pv_fleet_figures(fleet, &figures);
	note_growth(fleet, &figures);
	if (is_unused(fleet, &figures))
		give_back(fleet, &figures);
	else if (must_ask(fleet, &figures))
		ask(fleet, &figures, figures.is_due);
}
