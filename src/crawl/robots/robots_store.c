#include "crawl/robots/robots_store.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/host/host_rest.h"
#include "crawl/run/halt.h"
#include "policy/identity.h"
#include "robots/access.h"
#include "store/tables/robots_table.h"

struct search {
	struct pv_job job;
	struct pv_crawl *crawl;
	struct pv_authority *authority;
	pv_robots_found_fn then;
	struct pv_saved_robots saved;
	struct pv_robots_rules *rules;
};

static struct search *search_of(struct pv_job *job)
{
	return (struct search *)((char *)job - offsetof(struct search, job));
}

/* In the writer's thread, where a large file's rules may be read at leisure. */
static void find(struct pv_job *job, struct pv_database *database)
{
	struct search *search = search_of(job);
	const struct pv_policy *policy = search->crawl->policy;
	struct pv_saved_robots *saved = &search->saved;
	struct pv_buf copy;
	pv_buf_init(&copy, SIZE_MAX);
	if (pv_robots_table_get(
		database, search->authority->text, saved, &copy) &&
	    saved->has_copy)
		search->rules =
		    pv_robots_rules_create(pv_buf_str(&copy), saved->is_cut,
			pv_identity_product(&policy->identity), NULL);
	pv_buf_finish(&copy);
}

static bool is_answer(const struct pv_saved_robots *saved)
{
	return saved->state == PV_AUTHORITY_RULES ||
	       saved->state == PV_AUTHORITY_OPEN;
}

/* What was asked for in the future has no age. */
static bool is_sensible(const struct search *search)
{
	return search->saved.asked_wall_ms <= search->crawl->now.wall_ms;
}

/* When it is to be asked for again, by the policy of now. */
static int64_t due_wall_ms(const struct search *search)
{
	const struct pv_saved_robots *saved = &search->saved;
	int64_t ttl_ms = search->crawl->policy->robots.ttl_ms;
	if (!is_answer(saved) || saved->failures || !is_sensible(search))
		return saved->until_wall_ms;
	int64_t due_ms = saved->asked_wall_ms + pv_robots_refresh_ms(ttl_ms);
	return due_ms < saved->until_wall_ms ? due_ms : saved->until_wall_ms;
}

/* How long until then: no longer than if it had been asked for now. */
static int64_t time_left(const struct search *search)
{
	const struct pv_crawl *crawl = search->crawl;
	const struct pv_saved_robots *saved = &search->saved;
	bool is_closed = saved->state == PV_AUTHORITY_CLOSED;
	bool is_failed = is_closed || (is_answer(saved) && saved->failures);
	int64_t most_ms = is_failed ? pv_host_rest_ms(&crawl->policy->manners,
					  saved->failures)
				    : crawl->policy->robots.ttl_ms;
	int64_t left_ms = due_wall_ms(search) - crawl->now.wall_ms;
	if (left_ms <= 0 || (!is_closed && !is_sensible(search)))
		return 0;
	return left_ms < most_ms ? left_ms : most_ms;
}

/* How long a good answer is valid if no other can be fetched. */
static int64_t good_left(const struct search *search)
{
	const struct pv_saved_robots *saved = &search->saved;
	int64_t oldest_ms = search->crawl->now.wall_ms - PV_ROBOTS_GOOD_MS;
	bool is_good = is_answer(saved) && is_sensible(search) &&
		       saved->asked_wall_ms > oldest_ms;
	return is_good ? saved->asked_wall_ms - oldest_ms : 0;
}

/* What stands in a file may be of another version, or damaged. */
static bool is_known(const struct search *search)
{
	switch (search->saved.state) {
	case PV_AUTHORITY_OPEN:
	case PV_AUTHORITY_CLOSED:
	case PV_AUTHORITY_LOST:
		return search->saved.is_there;
	case PV_AUTHORITY_RULES:
		return search->rules != NULL;
	default:
		return false;
	}
}

static void restore(struct search *search)
{
	struct pv_authority *authority = search->authority;
	if (authority->state != PV_AUTHORITY_UNKNOWN || !is_known(search))
		return;
	int64_t now = pv_crawl_now(search->crawl);
	authority->state = (enum pv_authority_state)search->saved.state;
	if (authority->state != PV_AUTHORITY_OPEN) {
		pv_authorities_set_rules(&search->crawl->hosts.authorities,
		    authority, search->rules);
		search->rules = NULL;
	}
	authority->failures = search->saved.failures;
	authority->has_answered = search->saved.http_status != 0;
	authority->failed_since_wall_ms = search->saved.failed_since_wall_ms;
	authority->ask_at = now + time_left(search);
	authority->good_until = now + good_left(search);
}

static void on_found(struct pv_job *job, enum pv_store_status status)
{
	struct search *search = search_of(job);
	struct pv_crawl *crawl = search->crawl;
	struct pv_authority *authority = search->authority;
	pv_outbox_came_back(&crawl->outbox);
	pv_authority_let_go(authority);
	authority->is_looked_for = false;
	authority->is_remembered = true;
	if (status == PV_STORE_OK)
		restore(search);
	search->then(crawl, authority);
	pv_robots_rules_release(search->rules);
	free(search);
	pv_halt_note_status(crawl, status);
}

void pv_robots_store_find(struct pv_crawl *crawl,
    struct pv_authority *authority, pv_robots_found_fn then)
{
	struct search *search = pv_alloc(sizeof(*search));
	search->crawl = crawl;
	search->authority = authority;
	search->then = then;
	search->job = (struct pv_job){.run = find,
	    .done = on_found,
	    .bytes = sizeof(*search),
	    .is_answered_at_once = true};
	pv_authority_hold(authority);
	authority->is_looked_for = true;
	pv_outbox_give(
	    &crawl->outbox, PV_PAPER_JOBS, &search->job, pv_crawl_now(crawl));
}
