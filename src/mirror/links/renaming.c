#include "mirror/links/renaming.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.h"

/* Some file systems wait for the disk whenever a file goes: where that is so for
 * each, and there are enough of them, it is done by several at a time. */
#define THREADS_MAX 6
#define ITEMS_EACH 16

struct work {
	const struct pv_renaming_plan *plan;
	int from;
	atomic_size_t next;
};

static struct pv_directory *take_parent(
    const struct pv_renaming_plan *plan, struct pv_str file)
{
	size_t reached;
	return pv_directories_take(plan->directories,
	    pv_str_head(file, pv_str_find_last(file, '/')), &reached);
}

/* The old file is held meanwhile, and let go of afterwards: else that would be
 * done under a lock that all renaming in the file system takes. */
static int rename_over(int from, const char *name, int to, const char *place)
{
	int old = openat(to, place, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	int error = renameat(from, name, to, place) == 0 ? 0 : errno;
	if (old >= 0)
		close(old);
	return error;
}

static bool is_file(int directory, const char *name, struct stat *status)
{
	return fstatat(directory, name, status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(status->st_mode);
}

static int rename_to(const struct pv_renaming_plan *plan, int from, int to,
    const struct pv_renaming *item)
{
	const char *place = strrchr(pv_buf_text(&item->file), '/') + 1;
	struct stat old;
	if (is_file(to, place, &old) &&
	    renameat2(from, item->name, to, place, RENAME_EXCHANGE) == 0) {
		pv_spares_add(plan->spares, item->name, (uint64_t)old.st_size);
		return 0;
	}
	return rename_over(from, item->name, to, place);
}

static void rename_item(
    const struct pv_renaming_plan *plan, int from, struct pv_renaming *item)
{
	struct pv_directory *to =
	    item->error ? NULL : take_parent(plan, pv_buf_str(&item->file));
	if (to)
		item->error = rename_to(plan, from, to->file, item);
	else if (!item->error)
		item->error = errno;
	if (item->error)
		unlinkat(from, item->name, 0);
	if (to)
		pv_directories_give(plan->directories, to);
}

static bool rename_next(struct work *work)
{
	const struct pv_renaming_plan *plan = work->plan;
	size_t next = atomic_fetch_add(&work->next, 1);
	if (next < plan->count)
		rename_item(plan, work->from, &plan->items[next]);
	return next < plan->count;
}

static void *rename_all(void *ctx)
{
	while (rename_next(ctx))
		;
	return NULL;
}

static size_t start_threads(struct work *work, pthread_t threads[THREADS_MAX])
{
	size_t started = 0;
	while (started < THREADS_MAX &&
	       started < work->plan->count / ITEMS_EACH &&
	       pv_thread_start(&threads[started], "renaming", rename_all, work))
		started++;
	return started;
}

/* If the first could be exchanged, so can the others, and none goes. */
static void run(struct work *work)
{
	pthread_t threads[THREADS_MAX];
	uint64_t spares = pv_spares_added(work->plan->spares);
	rename_next(work);
	bool is_quick = pv_spares_added(work->plan->spares) > spares;
	size_t started = is_quick ? 0 : start_threads(work, threads);
	rename_all(work);
	while (started)
		pthread_join(threads[--started], NULL);
}

void pv_renaming_run(const struct pv_renaming_plan *plan)
{
	size_t reached;
	struct pv_directory *from =
	    pv_directories_take(plan->directories, plan->temporary, &reached);
	int error = errno;
	for (size_t i = 0; !from && i < plan->count; i++)
		plan->items[i].error = error;
	if (!from)
		return;
	struct work work = {.plan = plan, .from = from->file};
	run(&work);
	pv_directories_give(plan->directories, from);
}
