#include "crawl/visit/disk_space.h"

#include "crawl/conductor.h"
#include "crawl/world.h"

/* A disk on which as much is free as the test says. */
#define MIB ((uint64_t)1 << 20)

static struct {
	uint64_t all;
	uint64_t free;
	unsigned looks;
	unsigned short_looks; /* then somebody makes room */
} disk;

static bool measure(const char *directory, uint64_t *free, uint64_t *all)
{
	(void)directory;
	bool is_short = disk.looks++ < disk.short_looks;
	*free = is_short ? disk.free : disk.all;
	*all = disk.all;
	return true;
}

static void use_disk(struct pv_crawl *crawl)
{
	crawl->backpressure.disk.measure = measure;
}

static struct reply answer(const char *url, unsigned nth)
{
	(void)nth;
	if (strcmp(url, "http://a.test/") == 0)
		return (struct reply){.body = "<a href=b>"};
	return (struct reply){.http_status = 404};
}

/* How often nothing was asked for because of a disk with so much left. */
static void run(uint64_t free, const char *policy, unsigned short_looks)
{
	disk.all = 1000 * MIB;
	disk.free = free;
	disk.looks = 0;
	disk.short_looks = short_looks;
	world_open(answer, policy);
	world.before_run = use_disk;
	world_run();
}

static void test_pause(void)
{
	run(99 * MIB,
	    "seeds: [\"http://a.test/\"]\noutput: {min_free: 100MiB}\n", 2);
	ok(world.end == PAVANE_FINISHED && world_is_settled() && disk.looks > 2,
	    "a crawl pauses while the disk is nearly full, and goes on when "
	    "there is room");
	ok(world.levels[PAVANE_WARNING] == 1, "P4: it says so, once");
	world_close();
	run(100 * MIB,
	    "seeds: [\"http://a.test/\"]\noutput: {min_free: 100MiB}\n", 2);
	ok(world.end == PAVANE_FINISHED && world.levels[PAVANE_WARNING] == 0,
	    "as much as the policy wants is enough");
	world_close();
}

static void test_default(void)
{
	run(10 * MIB, "seeds: [\"http://a.test/\"]\n", 2);
	ok(world.levels[PAVANE_WARNING] == 0,
	    "where nobody says how much, a hundredth of a small disk is "
	    "enough");
	world_close();
	run(10 * MIB - 1, "seeds: [\"http://a.test/\"]\n", 2);
	ok(world.levels[PAVANE_WARNING] == 1, "and less is not");
	world_close();
	run(0, "seeds: [\"http://a.test/\"]\noutput: {min_free: none}\n", 2);
	ok(world.levels[PAVANE_WARNING] == 0 && disk.looks == 0,
	    "none looks at nothing");
	world_close();
}

/* Somebody who waits may stop it. */
static void stop_soon(struct pv_crawl *crawl)
{
	use_disk(crawl);
	pv_crawl_stop(crawl);
}

static void test_stop(void)
{
	disk.all = 1000 * MIB;
	disk.free = disk.looks = 0;
	disk.short_looks = UINT32_MAX;
	world_open(answer, "seeds: [\"http://a.test/\"]\n");
	world.before_run = stop_soon;
	ok(world_run() == PAVANE_STOPPED && !world.request_count,
	    "P6: it may be stopped while it waits for room");
	world_close();
}

int main(void)
{
	test_pause();
	test_default();
	test_stop();
	return tap_done();
}
