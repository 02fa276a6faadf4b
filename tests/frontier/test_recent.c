#include "frontier/recent.h"

#include "tap.h"

static struct pv_link link_of(uint64_t fingerprint, uint32_t depth)
{
	return (struct pv_link){
	    .fingerprint = fingerprint,
	    .standing = {.use = PV_PAGE, .depth = depth, .depth_left = 9},
	};
}

static bool is_news(
    struct pv_recent *recent, uint64_t fingerprint, uint32_t depth)
{
	struct pv_link link = link_of(fingerprint, depth);
	return pv_recent_is_news(recent, &link);
}

int main(void)
{
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
