#include "crawl/update/policy_change.h"

#include <inttypes.h>

#include "crawl/conductor.h"
#include "crawl/run/directory.h"
#include "crawl/update/page_kinds.h"
#include "crawl/update/rejudge.h"
#include "policy/overview/difference.h"
#include "policy/secrets/secret.h"
#include "policy/sources/load.h"
#include "store/tables/note.h"

#define POLICY_MAX ((size_t)256 << 20)
#define NOTE_POLICY_RUN PV_STR("policy-run")

/* What a change means, by the key or the section that it is in: the first that
 * fits. */
static const struct {
	const char *beginning;
	const char *meaning;
} meanings[] = {
    {"seeds",
	"new seeds are requested; pending and refused addresses are judged "
	"again"},
    {"identity.", "applies to requests from now on"},
    {"rate.", "applies from now on"},
    {"politeness.shared_clocks", "applies from now on"},
    {"politeness.", "applies from the next request to each host"},
    {"domains", "applies from the next request to each host"},
    {"robots.nofollow",
	"applies to links found from now on; refused addresses are judged "
	"again"},
    {"robots.meta",
	"applies to links found from now on; refused addresses are judged "
	"again"},
    {"robots.", "addresses that robots.txt refused are judged again"},
    {"scope.sort_query", "applies to links found from now on"},
    {"scope.aliases", "applies to links found from now on"},
    {"scope.default_documents", "applies to links found from now on"},
    {"scope.strip_query", "applies to links found from now on"},
    {"scope.sitemap", "applies when a host's robots.txt is read next"},
    {"scope.", "pending and refused addresses are judged again"},
    {"limits.", "all runs of the crawl count towards it"},
    {"fetch.accept", "pending and refused addresses are judged again"},
    {"fetch.redirects", "refused addresses are judged again"},
    {"fetch.", "applies from the next request; saved pages stay as they are"},
    {"output.mirror.gone", "applies when the crawl is complete next"},
    {"output.mirror.shrink_alarm", "applies when the crawl is complete next"},
    {"output.fields.", "applies to rows written from now on"},
    {"output.",
	"applies to pages saved from now on; saved pages stay as they are"},
    {"pages",
	"applies to pages read from now on; for those that are kept: pavane "
	"fields"},
    {"recrawl.", "applies to the next update"},
    {"", "applies from now on"},
};

struct change {
	struct pv_crawl *crawl;
	struct pv_rejudge rejudge;
};

static const char *meaning_of(const char *key)
{
	size_t i = 0;
	while (!pv_str_starts(pv_str_of(key), pv_str_of(meanings[i].beginning)))
		i++;
	return meanings[i].meaning;
}

static void on_difference(void *ctx, const struct pv_difference *difference)
{
	struct change *change = ctx;
	const char *key = difference->option->path;
	const struct pv_log *log = &change->crawl->log;
	if (difference->after.len)
		pv_log(log, PV_LOG_INFO, "%s: now %.*s, was %.*s: %s", key,
		    PV_STR_ARG(difference->after),
		    PV_STR_ARG(difference->before), meaning_of(key));
	else
		pv_log(
		    log, PV_LOG_INFO, "%s: changed: %s", key, meaning_of(key));
	pv_rejudge_note(&change->rejudge, pv_str_of(key));
}

static void tell(
    const struct pv_crawl *crawl, const struct pv_rejudging *rejudging)
{
	if (rejudging->refused)
		pv_log(&crawl->log, PV_LOG_INFO,
		    "changed policy: %" PRIu64 " pending addresses are "
		    "refused now",
		    rejudging->refused);
	if (rejudging->admitted)
		pv_log(&crawl->log, PV_LOG_INFO,
		    "changed policy: %" PRIu64 " refused addresses are "
		    "requested now",
		    rejudging->admitted);
	if (rejudging->left_out)
		pv_log(&crawl->log, PV_LOG_INFO,
		    "changed policy: %" PRIu64 " fetched addresses are out "
		    "of scope now: their files stay, updates skip them",
		    rejudging->left_out);
}

static void judge_anew(struct change *change, const struct pv_policy *before)
{
	struct pv_crawl *crawl = change->crawl;
	struct pv_rejudging rejudging =
	    pv_rejudge_plan(&change->rejudge, before);
	if (!pv_rejudge_is_due(&change->rejudge))
		return;
	pv_frontier_rejudge(crawl->frontier, &rejudging);
	tell(crawl, &rejudging);
}

/* They were kept with all else until they got a file of their own. */
static void tell_of_credentials(
    const struct pv_crawl *crawl, const struct pv_policy *before)
{
	if (pv_seeds_have_credentials(&before->seeds))
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s: an older pavane wrote user names and passwords into "
		    "state.db: don't give that file to others, or start "
		    "again with --fresh",
		    crawl->directory);
}

/* What is no policy any more, as a file that it names is gone, could have said
 * anything. Of both only what is kept is compared: without secrets. Whether
 * what makes a trap has changed. */
static bool compare(
    struct pv_crawl *crawl, struct pv_str before, struct pv_str after)
{
	struct change change = {.crawl = crawl};
	struct pv_why why;
	struct pv_buf name;
	pv_why_init(&why);
	pv_rejudge_init(&change.rejudge, crawl);
	if (crawl->inbound.widened.len)
		pv_rejudge_note_wider(&change.rejudge);
	pv_buf_init(&name, SIZE_MAX);
	pv_buf_append_format(&name, "%s/policy.yaml", crawl->directory);
	struct pv_policy *old =
	    pv_policy_load_text(pv_buf_text(&name), before, &why);
	struct pv_policy *new =
	    pv_policy_load_text(pv_buf_text(&name), after, &why);
	pv_buf_finish(&name);
	bool is_read = !why.problems.count;
	if (is_read) {
		tell_of_credentials(crawl, old);
		pv_policy_compare(old, new, on_difference, &change);
	} else {
		pv_log(&crawl->log, PV_LOG_INFO,
		    "cannot read the policy of the last run: pending and "
		    "refused addresses are judged again");
		pv_rejudge_note_all(&change.rejudge);
	}
	judge_anew(&change, is_read ? old : crawl->policy);
	pv_policy_destroy(old);
	pv_policy_destroy(new);
	pv_why_finish(&why);
	return change.rejudge.has_other_traps;
}

static bool get_last(struct pv_database *database, struct pv_buf *text)
{
	struct pv_buf name;
	pv_buf_init(&name, 64);
	pv_buf_append_format(&name, PV_POLICY_NOTE "%lld",
	    (long long)pv_note_get(database, NOTE_POLICY_RUN, 0));
	bool is_there = pv_note_get_text(database, pv_buf_str(&name), text);
	pv_buf_finish(&name);
	return is_there;
}

static void keep(const struct pv_crawl *crawl, struct pv_str text)
{
	struct pv_database *database = crawl->store->database;
	struct pv_buf name;
	pv_buf_init(&name, 64);
	pv_buf_append_format(
	    &name, PV_POLICY_NOTE "%lld", (long long)crawl->run.number);
	pv_note_set_text(database, pv_buf_str(&name), text);
	pv_note_set(database, NOTE_POLICY_RUN, crawl->run.number);
	pv_buf_finish(&name);
}

static uint64_t ceiling_of(int64_t limit)
{
	return limit == PV_NONE ? UINT64_MAX : (uint64_t)limit;
}

/* Whose links did not all fit, and may now. */
static void read_again(struct pv_crawl *crawl, bool has_other_traps)
{
	const struct pv_limits *limits = &crawl->policy->limits;
	const struct pv_link_ceilings ceilings = {
	    ceiling_of(limits->known), ceiling_of(limits->host_traps)};
	uint64_t count = pv_frontier_set_ceilings(
	    crawl->frontier, &ceilings, has_other_traps);
	if (count)
		pv_log(&crawl->log, PV_LOG_INFO,
		    "%" PRIu64 " pages are read again: some of their links "
		    "were left out at a limit",
		    count);
}

/* That what traps had refused does not count any more, and is not forgotten
 * yet. */
#define NOTE_TRAPS PV_STR("traps-forgotten")

/* The policy is the same, but other shards have named seeds of which nobody knew
 * here (pv_inbound_widen): what was out of scope may not be any more. */
static void judge_wider(struct pv_crawl *crawl)
{
	struct change change = {.crawl = crawl};
	pv_rejudge_init(&change.rejudge, crawl);
	pv_rejudge_note_wider(&change.rejudge);
	judge_anew(&change, crawl->policy);
}

/* By another policy all is judged before anything is changed; that the policy
 * is another is committed with the end of that. What is reckoned from the one
 * before is thus reckoned once, wherever it is cut short. */
static void apply(struct pv_crawl *crawl, struct pv_str now)
{
	struct pv_database *database = crawl->store->database;
	struct pv_buf last;
	pv_buf_init(&last, POLICY_MAX);
	bool has_last = get_last(database, &last);
	if (!pv_str_equal(now, pv_buf_str(&last))) {
		if (has_last && compare(crawl, pv_buf_str(&last), now))
			pv_note_set(database, NOTE_TRAPS, 1);
		keep(crawl, now);
	} else if (crawl->inbound.widened.len) {
		judge_wider(crawl);
	}
	pv_inbound_note_widened(crawl);
	pv_buf_finish(&last);
}

bool pv_policy_change_apply(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_database *database = crawl->store->database;
	struct pv_writer *writer = &crawl->store->writer;
	struct pv_buf now = pv_directory_policy_text(crawl, crawl->policy);
	pv_writer_begin(writer);
	pv_frontier_finish_rejudging(crawl->frontier);
	pv_page_kinds_apply(crawl->frontier, database, &crawl->policy->pages);
	apply(crawl, pv_buf_str(&now));
	pv_frontier_finish_rejudging(crawl->frontier);
	bool forgets_traps = pv_note_get(database, NOTE_TRAPS, 0) != 0;
	if (forgets_traps)
		pv_note_set(database, NOTE_TRAPS, 0);
	read_again(crawl, forgets_traps);
	bool is_kept = pv_writer_commit(writer);
	if (!is_kept)
		pv_store_tell(crawl->store, why);
	pv_buf_finish(&now);
	return is_kept;
}
