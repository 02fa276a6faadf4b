#include "robots/robots_rules.h"

#include <pthread.h>

#include "tap.h"

static bool is_allowed(const struct pv_robots_rules *rules, const char *target)
{
	return pv_robots_decide(rules->matcher, pv_str_of(target)).is_allowed;
}

static struct pv_robots_rules *create(const char *text, bool is_cut)
{
	return pv_robots_rules_create(
	    pv_str_of(text), is_cut, PV_STR("examplebot"), NULL);
}

static void test_reading(void)
{
	char text[] = "User-agent: examplebot\nDisallow: /private\n";
	struct pv_robots_rules *rules = create(text, false);
	memset(text, 'x', sizeof(text) - 1);
	ok(is_allowed(rules, "/") && !is_allowed(rules, "/private/a"),
	    "rules are read for our token, and need the text no more");
	pv_robots_rules_release(rules);
	rules = create("User-agent: otherbot\nDisallow: /\n", false);
	ok(is_allowed(rules, "/a"), "what is for others is not for us");
	pv_robots_rules_release(rules);
	rules = create("User-agent: *\nDisallow: /a\nAllow: /a/b", true);
	ok(!is_allowed(rules, "/a/b/c"),
	    "P4: a rule that was cut counts on the strict side");
	pv_robots_rules_release(rules);
	rules = create("", false);
	ok(is_allowed(rules, "/a"), "an empty file forbids nothing");
	pv_robots_rules_release(rules);
}

static void test_owners(void)
{
	struct pv_robots_rules *rules =
	    create("User-agent: *\nDisallow: /a\n", false);
	struct pv_robots_rules *shared = pv_robots_rules_share(rules);
	ok(shared == rules, "an owner more has the same rules");
	pv_robots_rules_release(rules);
	ok(!is_allowed(shared, "/a"), "they live as long as the last of them");
	pv_robots_rules_release(shared);
	ok(pv_robots_rules_share(NULL) == NULL, "no rules can be shared");
	pv_robots_rules_release(NULL);
}

/* The last owner may be any thread: the loop lets go while pages are still
 * being judged. */

#define THREADS 4
#define ROUNDS 2000

static void *judge(void *ctx)
{
	struct pv_robots_rules *rules = ctx;
	uintptr_t faults = 0;
	for (int i = 0; i < ROUNDS; i++) {
		struct pv_robots_rules *mine = pv_robots_rules_share(rules);
		faults += is_allowed(mine, "/a/b");
		faults += !is_allowed(mine, "/b");
		pv_robots_rules_release(mine);
	}
	pv_robots_rules_release(rules);
	return (void *)faults;
}

static void test_threads(void)
{
	pthread_t threads[THREADS];
	uintptr_t faults = 0;
	struct pv_robots_rules *rules =
	    create("User-agent: *\nDisallow: /a\n", false);
	for (int i = 0; i < THREADS; i++)
		pthread_create(
		    &threads[i], NULL, judge, pv_robots_rules_share(rules));
	pv_robots_rules_release(rules);
	for (int i = 0; i < THREADS; i++) {
		void *result;
		pthread_join(threads[i], &result);
		faults += (uintptr_t)result;
	}
	ok(faults == 0, "threads may judge by them and let go as they like");
}

int main(void)
{
	test_reading();
	test_owners();
	test_threads();
	return tap_done();
}
