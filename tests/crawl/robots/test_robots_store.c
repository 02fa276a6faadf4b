#include "crawl/robots/robots_store.h"

#include "crawl/conductor.h"
#include "crawl/host/host_rest.h"
#include "policy/sources/load.h"
#include "store/scratch_store.h"
#include "tap.h"

/* What is known of a robots.txt from earlier runs: for how long it counts, by
 * the policy and the clock of now (RFC 9309, 2.4; P1). */

#define MINUTE INT64_C(60000)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define NOW INT64_C(1800000000000)
#define RULES "User-agent: *\nDisallow: /x\n"

struct known {
	const char *claim;
	struct pv_saved_robots saved; /* times are since NOW */
	const char *copy;             /* NULL for none */
	int64_t ttl_ms;               /* of the policy; 0: a day */
	enum pv_authority_state state;
	int64_t ask_in;
	int64_t good_in;
};

/* The rest of a failure, of which `failures` were before. */
#define RESPITE(failures) (-1 - (failures))

static const struct known cases[] = {
    {.claim = "a copy counts to three quarters of its ttl",
	.saved = {.state = PV_AUTHORITY_RULES,
	    .asked_wall_ms = -1 * HOUR,
	    .until_wall_ms = 17 * HOUR},
	.copy = RULES,
	.state = PV_AUTHORITY_RULES,
	.ask_in = 17 * HOUR,
	.good_in = 23 * HOUR},
    {.claim = "no longer than by a ttl that is shorter by now",
	.saved = {.state = PV_AUTHORITY_RULES,
	    .asked_wall_ms = -10 * MINUTE,
	    .until_wall_ms = 17 * HOUR},
	.copy = RULES,
	.ttl_ms = HOUR,
	.state = PV_AUTHORITY_RULES,
	.ask_in = 35 * MINUTE,
	.good_in = 24 * HOUR - 10 * MINUTE},
    {.claim = "not at all if it is too old by that",
	.saved = {.state = PV_AUTHORITY_OPEN,
	    .asked_wall_ms = -50 * MINUTE,
	    .until_wall_ms = 17 * HOUR},
	.ttl_ms = HOUR,
	.state = PV_AUTHORITY_OPEN,
	.good_in = 24 * HOUR - 50 * MINUTE},
    {.claim = "nor longer by a ttl that is longer by now",
	.saved = {.state = PV_AUTHORITY_OPEN,
	    .asked_wall_ms = -1 * HOUR,
	    .until_wall_ms = 30 * MINUTE},
	.ttl_ms = 7 * DAY,
	.state = PV_AUTHORITY_OPEN,
	.ask_in = 30 * MINUTE,
	.good_in = 23 * HOUR},
    {.claim = "what was asked for in the future has no age",
	.saved = {.state = PV_AUTHORITY_RULES,
	    .asked_wall_ms = 1,
	    .until_wall_ms = 18 * HOUR},
	.copy = RULES,
	.state = PV_AUTHORITY_RULES},
    {.claim = "a good answer counts for a day",
	.saved = {.state = PV_AUTHORITY_OPEN, .asked_wall_ms = -DAY + 1},
	.state = PV_AUTHORITY_OPEN,
	.good_in = 1},
    {.claim = "and no longer",
	.saved = {.state = PV_AUTHORITY_OPEN, .asked_wall_ms = -DAY},
	.state = PV_AUTHORITY_OPEN},

    /* Failures */
    {.claim = "one that fails is asked for again when it was to be",
	.saved = {.state = PV_AUTHORITY_RULES,
	    .asked_wall_ms = -20 * HOUR,
	    .until_wall_ms = 1000,
	    .failures = 3,
	    .failed_since_wall_ms = -2 * HOUR},
	.copy = RULES,
	.state = PV_AUTHORITY_RULES,
	.ask_in = 1000,
	.good_in = 4 * HOUR},
    {.claim = "and after a rest at most, whatever the clock says",
	.saved = {.state = PV_AUTHORITY_RULES,
	    .asked_wall_ms = -20 * HOUR,
	    .until_wall_ms = 400 * DAY,
	    .failures = 3},
	.copy = RULES,
	.state = PV_AUTHORITY_RULES,
	.ask_in = RESPITE(3),
	.good_in = 4 * HOUR},
    {.claim = "one that could not be had is closed on",
	.saved = {.state = PV_AUTHORITY_CLOSED,
	    .asked_wall_ms = -1000,
	    .until_wall_ms = 1000,
	    .failures = 2},
	.state = PV_AUTHORITY_CLOSED,
	.ask_in = 1000},
    {.claim = "and no longer than its rest where the clock was set back",
	.saved = {.state = PV_AUTHORITY_CLOSED,
	    .asked_wall_ms = 400 * DAY,
	    .until_wall_ms = 400 * DAY,
	    .failures = 2},
	.state = PV_AUTHORITY_CLOSED,
	.ask_in = RESPITE(2)},
    {.claim = "one that was given up is asked for again after its ttl",
	.saved = {.state = PV_AUTHORITY_LOST,
	    .asked_wall_ms = -1 * HOUR,
	    .until_wall_ms = 23 * HOUR,
	    .failures = 9},
	.state = PV_AUTHORITY_LOST,
	.ask_in = 23 * HOUR},
    {.claim = "and no later than by the ttl of now",
	.saved = {.state = PV_AUTHORITY_LOST,
	    .asked_wall_ms = -1 * HOUR,
	    .until_wall_ms = 23 * HOUR,
	    .failures = 9},
	.ttl_ms = HOUR,
	.state = PV_AUTHORITY_LOST,
	.ask_in = HOUR},

    /* What nobody would write */
    {.claim = "rules without a copy are none",
	.saved = {.state = PV_AUTHORITY_RULES, .until_wall_ms = HOUR},
	.state = PV_AUTHORITY_UNKNOWN},
    {.claim = "a task of a run that is over is none",
	.saved = {.state = PV_AUTHORITY_ASKING, .until_wall_ms = HOUR},
	.state = PV_AUTHORITY_UNKNOWN},
    {.claim = "a state of another version is none",
	.saved = {.state = (enum pv_authority_state)77, .until_wall_ms = HOUR},
	.state = PV_AUTHORITY_UNKNOWN},
};

/* A crawl as far as this needs one. */
static struct run {
	struct scratch scratch;
	struct pv_store *store;
	struct pv_policy *policy;
	struct pv_crawl crawl;
	bool has_found;
} run;

static void open_run(void)
{
	struct pv_why why;
	pv_why_init(&why);
	scratch_make(&run.scratch);
	run.store = scratch_store_open(&run.scratch);
	run.policy = pv_policy_load_text("policy.yaml",
	    PV_STR("seeds: [\"http://a.test/\"]\n"
		   "identity: {contact: bot@example.org}\n"),
	    &why);
	run.crawl = (struct pv_crawl){
	    .policy = run.policy,
	    .now = {.monotonic_ms = 5000, .wall_ms = NOW},
	};
	pv_outbox_init(&run.crawl.outbox, NULL, &run.store->writer);
	pv_why_finish(&why);
}

static void close_run(void)
{
	pv_outbox_finish(&run.crawl.outbox);
	pv_store_close(run.store);
	pv_policy_destroy(run.policy);
	scratch_remove(&run.scratch);
}

static void on_found(struct pv_crawl *crawl, struct pv_authority *authority)
{
	(void)crawl;
	(void)authority;
	run.has_found = true;
}

/* What the writer's thread would do, and then the loop. */
static void find(struct pv_authority *authority)
{
	struct pv_writer *writer = &run.store->writer;
	run.has_found = false;
	writer->is_gathering = true;
	pv_robots_store_find(&run.crawl, authority, on_found);
	struct pv_job *job = writer->gathered;
	writer->gathered = NULL;
	writer->gathered_end = &writer->gathered;
	writer->gathered_count = 0;
	writer->count = 0;
	writer->bytes = 0;
	ok(job && authority->is_looked_for && authority->asks == 1,
	    "it is looked for, and not forgotten meanwhile");
	job->run(job, run.store->database);
	job->done(job, PV_STORE_OK);
	ok(run.has_found && !authority->asks && !run.crawl.outbox.under_way,
	    "and found");
}

static void keep(const char *name, const struct known *it)
{
	struct pv_saved_robots saved = it->saved;
	struct pv_buf copy;
	saved.asked_wall_ms += NOW;
	saved.until_wall_ms += NOW;
	pv_buf_init(&copy, 1000);
	if (it->copy)
		pv_buf_append_text(&copy, it->copy);
	pv_robots_table_set(run.store->database, pv_str_of(name), &saved,
	    it->copy ? &copy : NULL);
	pv_buf_finish(&copy);
}

static void judge(const struct known *it, const char *name)
{
	struct pv_authority authority = {.text = pv_str_of(name)};
	const struct pv_policy *policy = run.policy;
	int64_t ask_in = it->ask_in < 0 ? pv_host_rest_ms(&policy->manners,
					      (uint32_t)(-1 - it->ask_in))
					: it->ask_in;
	run.policy->robots.ttl_ms = it->ttl_ms ? it->ttl_ms : DAY;
	keep(name, it);
	find(&authority);
	int64_t now = pv_crawl_now(&run.crawl);
	bool is_right = authority.state == it->state &&
			!authority.rules == !(it->copy && it->state);
	if (is_right && it->state)
		is_right = authority.ask_at == now + ask_in &&
			   authority.good_until == now + it->good_in;
	if (!ok(is_right, "%s", it->claim))
		printf("# state %d, asked for in %lld ms, good for %lld ms\n",
		    authority.state, (long long)(authority.ask_at - now),
		    (long long)(authority.good_until - now));
	pv_robots_rules_release(authority.rules);
}

/* An answer that fails takes nothing of a copy, and adds how it failed. */
static void test_kept_copy(void)
{
	struct pv_saved_robots saved;
	struct pv_buf copy;
	struct pv_str name = PV_STR("http://kept.test");
	const struct known good = {.saved = {.state = PV_AUTHORITY_RULES,
				       .http_status = 200,
				       .is_cut = true},
	    .copy = RULES};
	const struct known failed = {.saved = {.state = PV_AUTHORITY_RULES,
					 .failures = 2,
					 .failed_since_wall_ms = NOW}};
	pv_buf_init(&copy, 1000);
	keep(name.ptr, &good);
	keep(name.ptr, &failed);
	ok(pv_robots_table_get(run.store->database, name, &saved, &copy) &&
		saved.has_copy && saved.is_cut && saved.http_status == 200,
	    "P1: a copy stays where there is no better one");
	is_text(pv_buf_str(&copy), RULES, "to the byte");
	ok(saved.failures == 2 && saved.failed_since_wall_ms == NOW,
	    "and how it fails is known");
	const struct known gone = {
	    .saved = {.state = PV_AUTHORITY_OPEN, .http_status = 404}};
	keep(name.ptr, &gone);
	pv_buf_clear(&copy);
	pv_robots_table_get(run.store->database, name, &saved, &copy);
	ok(saved.state == PV_AUTHORITY_OPEN && saved.http_status == 404 &&
		!saved.failures && !saved.failed_since_wall_ms,
	    "an answer counts, and ends the failures");
	struct pv_authority authority = {.text = name};
	find(&authority);
	ok(authority.state == PV_AUTHORITY_OPEN && !authority.rules &&
		authority.has_answered && authority.is_remembered,
	    "where there are no rules any more, the copy of old ones is none");
	pv_buf_finish(&copy);
}

static void test_unknown(void)
{
	struct pv_authority authority = {.text = PV_STR("http://other.test")};
	find(&authority);
	ok(authority.state == PV_AUTHORITY_UNKNOWN && authority.is_remembered &&
		!authority.is_looked_for && !authority.asks,
	    "of another authority nothing is known");
	struct pv_authority asked = {
	    .text = PV_STR("http://kept.test"), .state = PV_AUTHORITY_ASKING};
	find(&asked);
	ok(asked.state == PV_AUTHORITY_ASKING,
	    "what is asked for meanwhile goes before what was known");
}

int main(void)
{
	open_run();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char name[40];
		snprintf(name, sizeof(name), "http://a%zu.test", i);
		judge(&cases[i], name);
	}
	test_kept_copy();
	test_unknown();
	close_run();
	return tap_done();
}
