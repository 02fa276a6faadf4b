#include "crawl/host/host_limits.h"

#include "crawl/conductor.h"
#include "policy/policy.h"
#include "tap.h"

struct scene {
	struct pv_policy policy;
	struct pv_crawl crawl;
	struct pv_live_host host;
};

static void open_scene(struct scene *scene, int64_t pages, int64_t bytes)
{
	*scene = (struct scene){
	    .policy.limits = {.host_pages = pages, .host_bytes = bytes}};
	scene->crawl.policy = &scene->policy;
	scene->host.crawl = &scene->crawl;
}

static void test_pages(void)
{
	struct scene scene;
	struct pv_live_host *host = &scene.host;
	open_scene(&scene, 2, PV_NONE);
	ok(!pv_host_limits_are_reached(host) &&
		!pv_host_limits_may_be_reached(host),
	    "a host of which nothing has come may be asked");
	pv_host_limits_begin(host, true);
	ok(!pv_host_limits_may_be_reached(host),
	    "and once more while a first page is on its way");
	pv_host_limits_begin(host, false);
	ok(!pv_host_limits_may_be_reached(host), "a robots.txt is no page");
	pv_host_limits_begin(host, true);
	ok(pv_host_limits_may_be_reached(host) &&
		!pv_host_limits_are_reached(host),
	    "as many pages on their way as there may be could reach the limit");
	pv_host_limits_end(host, true);
	pv_host_limits_count(host, 10, false);
	ok(!pv_host_limits_may_be_reached(host),
	    "one that was none makes room for another");
	pv_host_limits_end(host, false);
	pv_host_limits_end(host, true);
	pv_host_limits_count(host, 10, true);
	ok(host->state.pages == 1 && !pv_host_limits_are_reached(host) &&
		!pv_host_limits_may_be_reached(host),
	    "one page counts as one");
	pv_host_limits_count(host, 10, true);
	ok(pv_host_limits_are_reached(host), "and two are all");
}

static void test_bytes(void)
{
	struct scene scene;
	struct pv_live_host *host = &scene.host;
	open_scene(&scene, PV_NONE, 100);
	pv_host_limits_count(host, 99, true);
	ok(!pv_host_limits_are_reached(host), "99 of 100 bytes leave room");
	pv_host_limits_count(host, 1, false);
	ok(host->state.bytes == 100 && pv_host_limits_are_reached(host),
	    "bytes of anything count, and 100 are all");
	ok(!pv_host_limits_may_be_reached(host),
	    "requests in flight are held against pages only");
}

static void test_none(void)
{
	struct scene scene;
	open_scene(&scene, PV_NONE, PV_NONE);
	pv_host_limits_count(&scene.host, INT64_MAX, true);
	ok(!pv_host_limits_are_reached(&scene.host) &&
		!pv_host_limits_may_be_reached(&scene.host),
	    "without limits a host may be asked for ever");
}

int main(void)
{
	test_pages();
	test_bytes();
	test_none();
	return tap_done();
}
