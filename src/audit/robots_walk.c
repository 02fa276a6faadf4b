#include "audit/walks.h"

#include "audit/evidence.h"
#include "base/digest.h"
#include "policy/identity.h"
#include "robots/access.h"
#include "robots/matcher.h"
#include "store/tables/robots_table.h"

/* What robots.txt of each authority says, and when it was known.
 *
 * The state keeps the text of the last one. The digest in the journal, which
 * has one for each that was fetched, shows whether it was in force for a
 * request; by others that came before it nothing can be judged any more.
 *
 * If it could not be fetched again, the last good answer is valid for a day. */
#define DIGEST_TEXT_MAX 128

/* What reading an answer may take, from when on it counts. */
#define READING_MS 60000

struct robots_walk {
	struct pv_audit *audit;
	bool has_begun;
	uint32_t authority;
	struct pv_robots_matcher *kept; /* of the one in the state; or NULL */
	struct pv_buf digest;           /* of that one */

	bool is_known;    /* robots.txt has answered, be it that it is none */
	bool is_in_force; /* the one that is kept is */
	bool is_failing;  /* it could not be fetched since then: */
	int64_t good_run; /* when it answered */
	int64_t good_end;
	int64_t good_wall_ms;
	unsigned redirects;

	/* the last that was asked for, until it is over */
	bool is_open;
	int64_t open_run;
	int64_t open_end;
	int64_t open_wall_ms;
	bool will_be_good;
	bool will_be_failing;
	bool will_be_known;
	bool will_be_in_force;
};

static void read_rules(struct robots_walk *walk, struct pv_str text,
    bool is_cut, struct pv_str agent)
{
	struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	uint8_t digest[PV_DIGEST_SIZE];
	struct pv_robots *robots =
	    pv_robots_create(text, is_cut, &ceilings, NULL);
	walk->kept = pv_robots_matcher_create(robots, agent);
	pv_robots_destroy(robots);
	pv_digest(text, digest);
	pv_buf_append_text(&walk->digest, "sha256:");
	pv_digest_write(digest, &walk->digest);
}

static void read_kept(struct robots_walk *walk, struct pv_str authority,
    const struct pv_policy *policy)
{
	struct pv_saved_robots saved;
	struct pv_buf copy;
	pv_buf_init(&copy, SIZE_MAX);
	if (pv_robots_table_get(walk->audit->state, authority, &saved, &copy) &&
	    policy && copy.len)
		read_rules(walk, pv_buf_str(&copy), saved.is_cut,
		    pv_identity_product(&policy->identity));
	pv_buf_finish(&copy);
}

static void begin(
    struct robots_walk *walk, const struct pv_audit_request *request)
{
	struct pv_audit *audit = walk->audit;
	const struct pv_policy *policy = pv_audit_terms_policy(
	    &audit->terms, request->facts.pacing.run, audit->why);
	pv_robots_matcher_destroy(walk->kept);
	pv_buf_clear(&walk->digest);
	walk->kept = NULL;
	walk->has_begun = true;
	walk->authority = request->authority;
	walk->is_known = walk->is_in_force = walk->is_open = false;
	walk->is_failing = false;
	/* What is not kept any more may have told it, just before, or another
	 * worker. */
	if (pv_audit_parts_are_cut(&audit->parts) ||
	    audit->workers.is_part_of_fleet) {
		walk->is_known = true;
		walk->good_run = 0;
		walk->good_wall_ms = audit->first_wall_ms;
	}
	walk->redirects = 0;
	read_kept(walk, audit->authorities.items[request->authority], policy);
}

/* What was asked for before is over, if it is. */
static void hear(
    struct robots_walk *walk, const struct pv_audit_request *request)
{
	const struct pv_pacing *pacing = &request->facts.pacing;
	bool is_over =
	    walk->is_open && (walk->open_run != pacing->run ||
				 walk->open_end <= pacing->released_ms);
	if (!is_over)
		return;
	walk->is_known = walk->will_be_known;
	walk->is_in_force = walk->will_be_in_force;
	walk->is_failing = walk->will_be_failing;
	walk->is_open = false;
	if (!walk->will_be_good)
		return;
	walk->good_run = walk->open_run;
	walk->good_end = walk->open_end;
	walk->good_wall_ms = walk->open_wall_ms;
}

static void become_good(struct robots_walk *walk)
{
	walk->will_be_known = walk->will_be_good = true;
	walk->will_be_failing = false;
}

static void ask(
    struct robots_walk *walk, const struct pv_audit_request *request)
{
	int status = request->is_answered ? request->facts.http_status : 0;
	if (!request->is_hop)
		walk->redirects = 0;
	walk->is_open = true;
	walk->open_run = request->facts.pacing.run;
	walk->open_end = request->facts.pacing.end_ms;
	walk->open_wall_ms = request->facts.wall_ms +
			     (walk->open_end - pv_audit_counted_start(request));
	walk->will_be_good = false;
	walk->will_be_failing = walk->is_failing;
	walk->will_be_known = walk->is_known;
	walk->will_be_in_force = walk->is_in_force;
	switch (pv_robots_access(status, walk->redirects)) {
	case PV_ROBOTS_READ_IT:
		become_good(walk);
		walk->will_be_in_force =
		    walk->kept &&
		    pv_str_equal(pv_buf_str(&walk->digest), request->text);
		break;
	case PV_ROBOTS_ELSEWHERE:
		walk->redirects++;
		break;
	case PV_ROBOTS_ALL_ALLOWED:
		become_good(walk);
		walk->will_be_in_force = false;
		break;
	case PV_ROBOTS_ALL_FORBIDDEN:
		walk->will_be_failing = true;
		break;
	}
}

static void judge_hours(
    struct robots_walk *walk, const struct pv_audit_request *request)
{
	int64_t wall_ms = pv_audit_release_wall(request);
	int64_t least_ms = INT64_MAX;
	int64_t unsure_ms = pv_audit_wall_slack(request);
	for (int64_t off = -unsure_ms; off <= unsure_ms; off += unsure_ms) {
		int64_t wait_ms =
		    pv_robots_visit_wait_ms(walk->kept, wall_ms + off);
		if (wait_ms < least_ms)
			least_ms = wait_ms;
	}
	if (least_ms > 0)
		pv_audit_find(
		    walk->audit, request, PV_AUDIT_VISIT_TIME, least_ms, 0);
}

/* Within a run by the clock that is never set. Another worker may have asked since. */
static bool is_too_old(
    const struct robots_walk *walk, const struct pv_audit_request *request)
{
	const struct pv_pacing *pacing = &request->facts.pacing;
	int64_t age_ms =
	    pacing->run == walk->good_run
		? pacing->released_ms - walk->good_end
		: pv_audit_release_wall(request) - walk->good_wall_ms;
	return !walk->audit->workers.is_part_of_fleet && walk->is_failing &&
	       age_ms > PV_ROBOTS_GOOD_MS + READING_MS;
}

static void judge(
    struct robots_walk *walk, const struct pv_audit_request *request)
{
	if (!walk->is_known || is_too_old(walk, request)) {
		pv_audit_find(
		    walk->audit, request, PV_AUDIT_ROBOTS_FIRST, 0, 0);
		return;
	}
	if (!walk->is_in_force)
		return;
	struct pv_robots_decision decision =
	    pv_robots_decide(walk->kept, request->text);
	if (!decision.is_allowed)
		pv_audit_find(
		    walk->audit, request, PV_AUDIT_ROBOTS, decision.number, 0);
	judge_hours(walk, request);
	int64_t asked_ms = pv_robots_delay_ms(walk->kept);
	if (asked_ms)
		pv_audit_memory_ask(
		    &walk->audit->memory, request->line, asked_ms);
}

static void on_request(void *ctx, const struct pv_audit_request *request)
{
	struct robots_walk *walk = ctx;
	const struct pv_audit_promise *promise =
	    pv_audit_promise_of(walk->audit, request);
	if (!walk->has_begun || walk->authority != request->authority)
		begin(walk, request);
	hear(walk, request);
	if (request->facts.is_robots)
		ask(walk, request);
	else if (!promise->is_robots_ignored)
		judge(walk, request);
}

void pv_audit_walk_robots(struct pv_audit *audit)
{
	struct robots_walk walk = {.audit = audit};
	pv_buf_init(&walk.digest, DIGEST_TEXT_MAX);
	pv_audit_memory_walk(
	    &audit->memory, PV_AUDIT_BY_AUTHORITY, on_request, &walk);
	pv_robots_matcher_destroy(walk.kept);
	pv_buf_finish(&walk.digest);
}
