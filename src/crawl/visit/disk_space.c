#include "crawl/visit/disk_space.h"

#include <sys/statvfs.h>

#include "crawl/conductor.h"

#define LOOK_MS 500

/* Where nobody has said how much is to be left, so much of the disk is
 * enough. */
#define PART 100

static bool measure(const char *directory, uint64_t *free, uint64_t *all)
{
	struct statvfs disk;
	if (statvfs(directory, &disk) != 0)
		return false;
	*free = (uint64_t)disk.f_bavail * disk.f_frsize;
	*all = (uint64_t)disk.f_blocks * disk.f_frsize;
	return true;
}

void pv_disk_space_init(struct pv_crawl *crawl)
{
	crawl->backpressure.disk = (struct pv_disk_space){
	    .measure = measure,
	    .looked_at = pv_crawl_now(crawl) - LOOK_MS,
	};
}

static uint64_t least_of(const struct pv_crawl *crawl, uint64_t all)
{
	uint64_t least = (uint64_t)crawl->policy->output.min_free;
	bool is_given = pv_policy_is_given(crawl->policy, "output.min_free");
	return is_given || least < all / PART ? least : all / PART;
}

static void tell(const struct pv_crawl *crawl, uint64_t free, uint64_t least)
{
	if (crawl->backpressure.disk.is_short)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s: paused: the disk has %llu MiB free, and "
		    "output.min_free is %llu MiB; the crawl continues when "
		    "there is room",
		    crawl->directory, (unsigned long long)(free >> 20),
		    (unsigned long long)(least >> 20));
	else
		pv_log(&crawl->log, PV_LOG_INFO,
		    "%s: continuing: the disk has %llu MiB free",
		    crawl->directory, (unsigned long long)(free >> 20));
}

void pv_disk_space_step(struct pv_crawl *crawl)
{
	struct pv_disk_space *room = &crawl->backpressure.disk;
	uint64_t free, all;
	if (crawl->policy->output.min_free == PV_NONE ||
	    crawl->halt.is_ending ||
	    pv_crawl_now(crawl) - room->looked_at < LOOK_MS)
		return;
	room->looked_at = pv_crawl_now(crawl);
	if (!room->measure(crawl->directory, &free, &all))
		return;
	uint64_t least = least_of(crawl, all);
	bool is_short = free < least;
	if (is_short == room->is_short)
		return;
	room->is_short = is_short;
	tell(crawl, free, least);
}
