#include "audit/terms.h"

#include "scratch.h"
#include "store/scratch_store.h"
#include "store/tables/note.h"
#include "tap.h"

#define HEAD                                        \
	"version: 1\nseeds: [\"http://a.test/\"]\n" \
	"identity: {contact: somebody@a.test}\n"

/* In the directory, and in the notes of runs. */
#define FIRST                                  \
	HEAD "politeness: {delay: 1s}\n"       \
	     "domains:\n"                      \
	     "  slow.test: {delay: 7s}\n"      \
	     "  free.test: {robots: ignore}\n" \
	     "  \"*.farm.test\": {share: true}\n"
#define THIRD HEAD "politeness: {delay: 3s}\n"
#define BY_PROXY HEAD "fetch: {proxy: \"http://127.0.0.1:1\"}\n"

struct scene {
	struct scratch scratch;
	struct pv_store *store;
	struct pv_audit_terms terms;
	struct pv_why why;
};

static void note(struct scene *scene, const char *name, const char *policy)
{
	pv_note_set_text(
	    scene->store->database, pv_str_of(name), pv_str_of(policy));
}

static bool scene_open(struct scene *scene, const char *policy)
{
	if (!scratch_make(&scene->scratch))
		return false;
	scene->store = scratch_store_open(&scene->scratch);
	FILE *file = fopen(scratch_file(&scene->scratch, "policy.yaml"), "w");
	fputs(policy, file);
	fclose(file);
	pv_why_init(&scene->why);
	pv_audit_terms_init(
	    &scene->terms, scene->store->database, scene->scratch.path, "UTC");
	return true;
}

static void scene_close(struct scene *scene)
{
	pv_audit_terms_finish(&scene->terms);
	pv_why_finish(&scene->why);
	pv_store_close(scene->store);
	scratch_remove(&scene->scratch);
}

static const struct pv_audit_promise *promise_to(
    struct scene *scene, const char *host, const char *ip)
{
	uint32_t place = pv_audit_terms_of(
	    &scene->terms, pv_str_of(host), pv_str_of(ip), 80);
	return &scene->terms.promises[place];
}

/* The delay of the policy by which that run went; -1 if there is none. */
static int64_t delay_in(struct scene *scene, int64_t run)
{
	const struct pv_policy *policy =
	    pv_audit_terms_policy(&scene->terms, run, &scene->why);
	return policy ? policy->manners.delay_ms : -1;
}

/* Policies */

static void test_runs(void)
{
	struct scene scene;
	if (!ok(scene_open(&scene, FIRST), "a directory is there"))
		return;
	note(&scene, PV_POLICY_NOTE "3", THIRD);
	ok(delay_in(&scene, 1) == 1000 && delay_in(&scene, 2) == 1000,
	    "runs without a policy of their own went by the directory's");
	ok(delay_in(&scene, 3) == 3000, "one with its own by that");
	ok(delay_in(&scene, 4) == 3000 && delay_in(&scene, 9) == 3000,
	    "and so did those after it");
	ok(delay_in(&scene, 2) == 1000 && delay_in(&scene, 0) == 1000,
	    "an earlier run is asked for after a later one");
	ok(scene.terms.policy_count == 2, "each policy is read once");
	ok(!pv_why_has_problems(&scene.why), "none of this is a problem");
	scene_close(&scene);
}

static void test_wrong(void)
{
	struct scene scene;
	if (!scene_open(&scene, "version: 1\nrats: {}\n"))
		return;
	note(&scene, PV_POLICY_NOTE "2", THIRD);
	ok(delay_in(&scene, 2) == 3000, "a policy that is right is read");
	ok(delay_in(&scene, 1) == -1 && pv_why_has_problems(&scene.why),
	    "one that is wrong is told, and is none");
	ok(scene.terms.policy_count == 1, "nor kept");
	scene_close(&scene);
}

/* Promises */

static void test_hosts(struct scene *scene)
{
	uint32_t first =
	    pv_audit_terms_of(&scene->terms, PV_STR("a.test"), PV_STR(""), 80);
	ok(promise_to(scene, "a.test", "")->pace->delay_ms == 1000 &&
		promise_to(scene, "slow.test", "")->pace->delay_ms == 7000,
	    "to a host is promised what the policy says of it");
	ok(promise_to(scene, "free.test", "")->is_robots_ignored &&
		!promise_to(scene, "a.test", "")->is_robots_ignored,
	    "so it is with its robots.txt");
	ok(pv_audit_terms_of(&scene->terms, PV_STR("a.test"), PV_STR(""), 80) ==
		first,
	    "what was promised once is not reckoned again");
	ok(promise_to(scene, "x.farm.test", "")->clock ==
		    promise_to(scene, "y.farm.test", "")->clock &&
		promise_to(scene, "x.farm.test", "")->host !=
		    promise_to(scene, "y.farm.test", "")->host,
	    "hosts that share a clock are told apart as hosts");
	ok(promise_to(scene, "a.test", "")->clock !=
		promise_to(scene, "slow.test", "")->clock,
	    "all others have clocks of their own");
}

static void test_addresses(struct scene *scene)
{
	ok(!promise_to(scene, "a.test", "")->has_address &&
		!promise_to(scene, "a.test", "no address")->has_address,
	    "an address may not be known");
	ok(promise_to(scene, "a.test", "192.0.2.1")->has_address &&
		promise_to(scene, "a.test", "192.0.2.1")->address ==
		    promise_to(scene, "b.test", "192.0.2.1")->address,
	    "hosts may have the same");
	ok(promise_to(scene, "a.test", "192.0.2.1")->address !=
		    promise_to(scene, "a.test", "2001:db8::1")->address &&
		promise_to(scene, "a.test", "192.0.2.1")->host ==
		    promise_to(scene, "a.test", "2001:db8::1")->host,
	    "and a host several");
	ok(pv_audit_terms_of(&scene->terms, PV_STR("a.test"),
	       PV_STR("127.0.0.1"),
	       80) != pv_audit_terms_of(&scene->terms, PV_STR("a.test"),
			  PV_STR("127.0.0.1"), 81) &&
		pv_audit_terms_of(&scene->terms, PV_STR("a.test"),
		    PV_STR("192.0.2.1"),
		    80) == pv_audit_terms_of(&scene->terms, PV_STR("a.test"),
			       PV_STR("192.0.2.1"), 81),
	    "of this machine's own each port is another server");
}

static void test_promises(void)
{
	struct scene scene;
	if (!scene_open(&scene, FIRST))
		return;
	note(&scene, PV_POLICY_NOTE "2", THIRD);
	note(&scene, PV_POLICY_NOTE "3", BY_PROXY);
	delay_in(&scene, 1);
	test_hosts(&scene);
	test_addresses(&scene);
	uint32_t host = promise_to(&scene, "slow.test", "")->host;
	delay_in(&scene, 2);
	ok(promise_to(&scene, "slow.test", "")->pace->delay_ms == 3000 &&
		promise_to(&scene, "slow.test", "")->host == host,
	    "to the same host another run promised something else");
	delay_in(&scene, 3);
	ok(!promise_to(&scene, "a.test", "192.0.2.1")->has_address,
	    "behind a proxy the address is not the host's");
	scene_close(&scene);
}

int main(void)
{
	test_runs();
	test_wrong();
	test_promises();
	return tap_done();
}
