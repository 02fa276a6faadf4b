#include "crawl/host/giving_up.h"

#include "crawl/conductor.h"
#include "tap.h"

/* What was known of a host before, and whether it is still a cause to leave it,
 * by the clock on the wall, which may have been set (P1, P2, P4). */

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define NOW INT64_C(1800000000000)

/* What the policies of all cases say. */
#define PATIENCE (10 * MINUTE)
#define DELAY_MAX (2 * MINUTE)
#define BLOCKS 5

struct recalled {
	const char *claim;
	struct pv_host_state state;
	enum pv_reason reason;   /* for which it is refused, ... */
	enum pv_outcome outcome; /* ... or as what; both none: it is asked */
	bool has_no_bounds;      /* the policy leaves nobody */
};

static const struct recalled cases[] = {
    {.claim = "a host of which nothing is known is asked",
	.state = {.left_ms = 0}},

    /* Names */
    {.claim = "a name that did not exist a minute ago does not exist",
	.state = {.nameless_until_wall_ms = NOW + HOUR - MINUTE},
	.outcome = PV_OUTCOME_NO_NAME},
    {.claim = "nor does one of just now",
	.state = {.nameless_until_wall_ms = NOW + HOUR},
	.outcome = PV_OUTCOME_NO_NAME},
    {.claim = "after an hour it is looked up again",
	.state = {.nameless_until_wall_ms = NOW}},
    {.claim = "and so it is where the clock was set back",
	.state = {.nameless_until_wall_ms = NOW + HOUR + 1}},
    {.claim = "be it by years", .state = {.nameless_until_wall_ms = INT64_MAX}},

    /* Retry-After */
    {.claim = "P2: a Retry-After that is longer than we wait is a cause",
	.state = {.left_reason = PV_REASON_RETRY_AFTER,
	    .wait_ms = HOUR,
	    .until_wall_ms = NOW + PATIENCE + 1},
	.reason = PV_REASON_RETRY_AFTER},
    {.claim = "one of which less is left is waited for",
	.state = {.left_reason = PV_REASON_RETRY_AFTER,
	    .wait_ms = HOUR,
	    .until_wall_ms = NOW + PATIENCE}},
    {.claim = "nor is it one where the policy waits for anything",
	.state = {.left_reason = PV_REASON_RETRY_AFTER,
	    .wait_ms = 10 * HOUR,
	    .until_wall_ms = NOW + HOUR},
	.has_no_bounds = true},
    {.claim = "a wait of another cause is none",
	.state = {.wait_ms = HOUR, .until_wall_ms = NOW + HOUR}},

    /* Crawl-delay */
    {.claim = "P1: a Crawl-delay that is longer than we wait is a cause",
	.state = {.left_reason = PV_REASON_CRAWL_DELAY,
	    .wait_reason = PV_WAIT_CRAWL_DELAY,
	    .wait_ms = DELAY_MAX + 1,
	    .until_wall_ms = NOW + 1},
	.reason = PV_REASON_CRAWL_DELAY},
    {.claim = "as long as it would have to be waited for",
	.state = {.left_reason = PV_REASON_CRAWL_DELAY,
	    .wait_reason = PV_WAIT_CRAWL_DELAY,
	    .wait_ms = DELAY_MAX + 1,
	    .until_wall_ms = NOW}},
    {.claim = "one that the policy waits for is none",
	.state = {.left_reason = PV_REASON_CRAWL_DELAY,
	    .wait_reason = PV_WAIT_CRAWL_DELAY,
	    .wait_ms = DELAY_MAX,
	    .until_wall_ms = NOW + 1}},
    {.claim = "nor is another rest",
	.state = {.left_reason = PV_REASON_CRAWL_DELAY,
	    .wait_reason = PV_WAIT_DELAY,
	    .wait_ms = DELAY_MAX + 1,
	    .until_wall_ms = NOW + 1}},
    {.claim = "nor is any where the policy waits for anything",
	.state = {.left_reason = PV_REASON_CRAWL_DELAY,
	    .wait_reason = PV_WAIT_CRAWL_DELAY,
	    .wait_ms = HOUR,
	    .until_wall_ms = NOW + HOUR},
	.has_no_bounds = true},

    /* Refusals in a row */
    {.claim = "P1: a host that has refused too often is a cause",
	.state = {.left_reason = PV_REASON_BLOCKED, .blocks = BLOCKS},
	.reason = PV_REASON_BLOCKED},
    {.claim = "one less is none",
	.state = {.left_reason = PV_REASON_BLOCKED, .blocks = BLOCKS - 1}},
    {.claim = "nor is it before its robots.txt was read again",
	.state = {.blocks = BLOCKS}},
    {.claim = "nor where the policy minds no refusals",
	.state = {.left_reason = PV_REASON_BLOCKED, .blocks = 1000},
	.has_no_bounds = true},
};

/* A host that came from the state, with nothing to visit. */
static struct pv_live_host *take_host(
    struct pv_crawl *crawl, const struct recalled *it)
{
	const struct pv_host host = {
	    .id = 1, .name = PV_STR("a.test"), .state = it->state};
	struct pv_live_host *live = pv_live_host_create(&host);
	struct pv_manners *manners = &live->manners.manners;
	live->crawl = crawl;
	live->feed.has_more = false;
	manners->retry_after_give_up_ms =
	    it->has_no_bounds ? PV_NONE : PATIENCE;
	manners->crawl_delay_give_up_ms =
	    it->has_no_bounds ? PV_NONE : DELAY_MAX;
	manners->blocked_after = it->has_no_bounds ? PV_NONE : BLOCKS;
	return live;
}

static bool is_as_wanted(
    const struct pv_live_host *host, const struct recalled *it, bool is_refused)
{
	bool is_wanted = it->reason || it->outcome;
	if (is_refused != is_wanted ||
	    is_refused != (host->phase == PV_HOST_REFUSED))
		return false;
	return !is_wanted || (host->reason == it->reason &&
				 host->outcome == it->outcome && host->why);
}

static void judge(struct pv_crawl *crawl, const struct recalled *it)
{
	struct pv_live_host *host = take_host(crawl, it);
	bool is_refused = pv_giving_up_recall(host);
	ok(is_as_wanted(host, it, is_refused), "%s", it->claim);
	ok(host->state.nameless_until_wall_ms ==
		    it->state.nameless_until_wall_ms &&
		host->state.left_reason == (int64_t)it->reason,
	    "which makes no cause last longer than it would have");
	ok(host->is_unsaved || host->state.left_reason == it->state.left_reason,
	    "P3: and is written down where it is another");
	pv_live_host_destroy(host);
}

/* What is left of a wait is no more than the wait, whatever the clock says. */
static void test_set_back(struct pv_crawl *crawl)
{
	const struct recalled long_ago = {
	    .state = {.left_reason = PV_REASON_RETRY_AFTER,
		.wait_ms = HOUR,
		.until_wall_ms = NOW + 365 * 24 * HOUR},
	};
	struct pv_live_host *host = take_host(crawl, &long_ago);
	ok(pv_giving_up_recall(host) &&
		host->state.until_wall_ms == NOW + HOUR && host->is_unsaved,
	    "P2: where the clock was set back by a year, a wait of an hour is "
	    "one of an hour from now on");
	pv_live_host_destroy(host);
}

int main(void)
{
	static struct pv_crawl crawl;
	crawl.hosts.held.count = 1;
	crawl.now.wall_ms = NOW;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		judge(&crawl, &cases[i]);
	test_set_back(&crawl);
	return tap_done();
}
