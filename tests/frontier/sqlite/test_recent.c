#include "frontier/sqlite/recent.h"

#include <pthread.h>
#include <stdatomic.h>

#include "tap.h"

static struct pv_link link_of(uint64_t fingerprint, uint32_t depth)
{
	return (struct pv_link){
	    .fingerprint = {.address = fingerprint},
	    .standing = {.use = PV_PAGE, .depth = depth, .depth_left = 9},
	};
}

static bool is_news(
    struct pv_recent *recent, uint64_t fingerprint, uint32_t depth)
{
	struct pv_link link = link_of(fingerprint, depth);
	return pv_recent_is_news(recent, &link);
}

static bool is_known(
    const struct pv_recent *recent, uint64_t fingerprint, uint32_t depth)
{
	struct pv_link link = link_of(fingerprint, depth);
	return pv_recent_is_known(recent, link.fingerprint, &link.standing);
}

static void test_looking_on(void)
{
	struct pv_recent recent;
	pv_recent_init(&recent, 16);
	ok(!is_known(&recent, 7, 5) && !is_known(&recent, 0, 5),
	    "what was never seen is not known");
	ok(is_news(&recent, 7, 5), "and is news after it was asked about");
	ok(is_known(&recent, 7, 5) && is_known(&recent, 7, 6),
	    "what was said, and what says less, is known");
	ok(!is_known(&recent, 7, 4), "what says more is not");
	ok(!is_known(&recent, 23, 5), "nor what would have the same place");
	struct pv_link far = link_of(8, 5);
	far.standing.hops = 1;
	pv_recent_is_news(&recent, &far);
	ok(!is_known(&recent, 8, 5),
	    "nor what was found off scope, if it may lie in it");
	struct pv_link refused = link_of(9, 5);
	refused.standing.use = PV_REFUSED;
	pv_recent_is_news(&recent, &refused);
	ok(!is_known(&recent, 9, 5),
	    "nor what was refused, if it may be admitted");
	struct pv_link list = link_of(10, 5);
	list.standing.listing = PV_LISTS_ALL;
	ok(is_news(&recent, 10, 5) && pv_recent_is_news(&recent, &list) &&
		!pv_recent_is_news(&recent, &list) && is_known(&recent, 10, 5),
	    "that a page is a sitemap is news once");
	list.lastmod_wall_ms = 1;
	ok(pv_recent_is_news(&recent, &list),
	    "and always when it was changed, which is not remembered");
	pv_recent_finish(&recent);
}

/* More and more of them, each of which is known from then on. */
static void test_growing(void)
{
	struct pv_recent recent;
	unsigned forgotten = 0;
	pv_recent_init(&recent, 1 << 16);
	for (uint64_t i = 0; i < 30000; i++) {
		is_news(&recent, i * 2 + 1, (uint32_t)(i % 100));
		forgotten += !is_known(&recent, i * 2 + 1, 100);
		forgotten += !is_known(&recent, i / 2 * 2 + 1, 100);
	}
	ok(!forgotten, "what was said is not forgotten as it takes more room");
	ok(!is_known(&recent, 2, 100) && !is_known(&recent, 59998, 100),
	    "and nothing else is known");
	pv_recent_finish(&recent);
}

/* Told of all up to that one; how many of them are known then. */
static unsigned known_of(struct pv_recent *recent, uint64_t count)
{
	unsigned known = 0;
	for (uint64_t i = 0; i < count; i++)
		is_news(recent, i * 2 + 1, 5);
	for (uint64_t i = 0; i < count; i++)
		known += is_known(recent, i * 2 + 1, 5);
	return known;
}

static void test_limit(void)
{
	struct pv_recent recent;
	pv_recent_init(&recent, 1 << 16);
	unsigned all = known_of(&recent, 30000);
	ok(all > 20000, "most have their places (%u)", all);
	pv_recent_limit(&recent, 16 << 13);
	ok(known_of(&recent, 30000) <= 1 << 13,
	    "P5: under a limit no more than fit into it are known");
	ok(!is_known(&recent, 2, 5) && !is_known(&recent, 59998, 5),
	    "and nothing that was never said");
	pv_recent_limit(&recent, 1);
	ok(known_of(&recent, 1000) > 900, "for a few there is always room");
	pv_recent_limit(&recent, SIZE_MAX);
	all = known_of(&recent, 30000);
	ok(all > 20000, "without it most have their places again (%u)", all);
	pv_recent_finish(&recent);
}

/* Two links in turn at one place, of which neither is ever said to lie less
 * deep than 5. */
#define TURNS 200000

struct looking {
	struct pv_recent recent;
	atomic_bool is_over;
	unsigned wrong;
};

static void *look_on(void *ctx)
{
	struct looking *looking = ctx;
	while (!atomic_load(&looking->is_over)) {
		looking->wrong += is_known(&looking->recent, 3, 4);
		looking->wrong += is_known(&looking->recent, 19, 4);
		looking->wrong += is_known(&looking->recent, 35, 9);
	}
	return NULL;
}

static void test_threads(void)
{
	struct looking looking = {.wrong = 0};
	pthread_t thread;
	pv_recent_init(&looking.recent, 16);
	pthread_create(&thread, NULL, look_on, &looking);
	for (unsigned i = 0; i < TURNS; i++) {
		is_news(&looking.recent, i % 2 ? 3 : 19, 5 + i % 3);
		if (i % 1000 == 0)
			pv_recent_limit(&looking.recent, i % 2000 ? 1 : 256);
	}
	atomic_store(&looking.is_over, true);
	pthread_join(thread, NULL);
	ok(!looking.wrong,
	    "P3: who looks on while it changes takes nothing for known that "
	    "is not");
	pv_recent_finish(&looking.recent);
}

int main(void)
{
	test_looking_on();
	test_growing();
	test_limit();
	test_threads();
	struct pv_recent recent;
	pv_recent_init(&recent, 16);
	ok(is_news(&recent, 0, 5), "what was never seen is news");
	ok(!is_news(&recent, 0, 5), "the same again is not");
	ok(!is_news(&recent, 0, 6), "nor what is deeper");
	ok(is_news(&recent, 0, 4), "but what is less deep is");
	ok(!is_news(&recent, 0, 5), "and the best is remembered");
	ok(is_news(&recent, 1, 5) && !is_news(&recent, 0, 5),
	    "two addresses are told apart");
	ok(is_news(&recent, 16, 5) && is_news(&recent, 0, 5),
	    "P5: there is no more room than there is, and what is forgotten "
	    "is news again");
	struct pv_link refused = link_of(2, 5);
	refused.standing.use = PV_REFUSED;
	refused.standing.verdict.reason = PV_REASON_DEPTH;
	ok(pv_recent_is_news(&recent, &refused) &&
		!pv_recent_is_news(&recent, &refused),
	    "a refusal is remembered");
	ok(is_news(&recent, 2, 5), "and an admission is news after it");
	struct pv_link far = link_of(3, PV_DEPTH_MAX);
	far.standing.hops = PV_HOPS_MAX;
	far.standing.redirects = PV_REDIRECTS_MAX;
	far.standing.depth_left = 0;
	pv_recent_is_news(&recent, &far);
	far.standing.depth_left = PV_DEPTH_MAX;
	ok(pv_recent_is_news(&recent, &far) &&
		!pv_recent_is_news(&recent, &far),
	    "the largest numbers are told apart");
	pv_recent_finish(&recent);
	return tap_done();
}
