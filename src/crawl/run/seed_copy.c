#include "crawl/run/seed_copy.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "crawl/conductor.h"
#include "policy/sources/seed_input.h"
#include "store/lock.h"

#define COPY_MODE 0600

static bool fail(const char *path, struct pv_why *why, const char *what)
{
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR("seeds"),
	    "%s: %s", what, strerror(errno));
	return false;
}

/* From its beginning, wherever another reader has left it. */
static bool fill(void *ctx, int file)
{
	FILE *input = ctx;
	return lseek(fileno(input), 0, SEEK_SET) == 0 &&
	       pv_file_copy(fileno(input), file);
}

static bool is_there(const char *path)
{
	struct stat facts;
	return stat(path, &facts) == 0;
}

static bool is_empty(FILE *input)
{
	struct stat facts;
	return fstat(fileno(input), &facts) == 0 && !facts.st_size;
}

/* No other process may be at work in the directory. */
static bool copy_input(const struct pv_crawl *crawl, FILE *input,
    const char *path, struct pv_why *why)
{
	struct pv_lock lock;
	if (is_empty(input) && is_there(path))
		return true;
	if (!pv_lock_take(&lock, crawl->directory, why))
		return false;
	bool is_copied = pv_file_replace_by(path, fill, input, COPY_MODE) ||
			 fail(path, why, "cannot copy the standard input");
	pv_lock_give(&lock);
	return is_copied;
}

/* All else, and the path, outlive it. */
static void put_in_place(struct pv_crawl *crawl, const char *path)
{
	struct pv_seed_copy *copy = &crawl->run.seed_copy;
	size_t count = crawl->policy->seeds.count;
	struct pv_seed *seeds =
	    pv_arena_give_array(&copy->arena, count, sizeof(*seeds));
	memcpy(seeds, crawl->policy->seeds.items, count * sizeof(*seeds));
	for (size_t i = 0; i < count; i++) {
		if (seeds[i].is_input)
			seeds[i].text = path;
		seeds[i].is_input = false;
	}
	copy->policy = *crawl->policy;
	copy->policy.seeds.items = seeds;
	crawl->policy = &copy->policy;
}

bool pv_seed_copy_open(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_arena *arena = &crawl->run.seed_copy.arena;
	FILE *input = crawl->policy->seed_input;
	pv_arena_init(arena);
	if (!input)
		return true;
	const char *path = pv_seed_copy_path(arena, crawl->directory);
	if (!path)
		return fail(crawl->directory, why, "cannot be found");
	put_in_place(crawl, path);
	return copy_input(crawl, input, path, why);
}

void pv_seed_copy_close(struct pv_crawl *crawl)
{
	pv_arena_finish(&crawl->run.seed_copy.arena);
}
