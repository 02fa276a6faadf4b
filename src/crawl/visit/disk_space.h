#ifndef PAVANE_CRAWL_VISIT_DISK_SPACE_H
#define PAVANE_CRAWL_VISIT_DISK_SPACE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the disk has room for more.
 *
 * A crawl pauses before the disk is full, and goes on when somebody has made
 * room: requests in flight may end, nothing new is released, and both the pause
 * and its end are logged once. It is looked at now and then only, for between
 * two looks no more comes than a line can carry; what does not fit all the same
 * ends the crawl with its state saved.
 */
struct pv_crawl;

struct pv_disk_space {
	/* How much is free and how much there is; false if nobody knows. */
	bool (*measure)(const char *directory, uint64_t *free, uint64_t *all);
	int64_t looked_at;
	bool is_short;
};

void pv_disk_space_init(struct pv_crawl *crawl);

/* Looks, if the last look is old enough. */
void pv_disk_space_step(struct pv_crawl *crawl);

#endif
