#include "mirror/renaming.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"

/* Some file systems wait for the disk whenever a file goes, and renaming over
 * one is the end of it: that is done by several at a time, where there are
 * enough of them. */
#define THREADS_MAX 6
#define ITEMS_EACH 16

struct work {
	struct pv_directories *directories;
	struct pv_str temporary;
	struct pv_renaming *items;
	size_t count;
	atomic_size_t next;
};

static struct pv_directory *take_parent(
    const struct work *work, struct pv_str file)
{
	size_t reached;
	return pv_directories_take(work->directories,
	    pv_str_head(file, pv_str_find_last(file, '/')), &reached);
}

/* The old file is held meanwhile, and let go of afterwards: else that would be
 * done under a lock that all renaming in the file system takes. */
static int rename_to(int from, int to, const struct pv_renaming *item)
{
	const char *name = strrchr(pv_buf_text(&item->file), '/') + 1;
	int old = openat(to, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	int error = renameat(from, item->name, to, name) == 0 ? 0 : errno;
	if (old >= 0)
		close(old);
	return error;
}

static void rename_item(
    const struct work *work, int from, struct pv_renaming *item)
{
	struct pv_directory *to = NULL;
	if (!item->error) {
		to = take_parent(work, pv_buf_str(&item->file));
		item->error = to ? rename_to(from, to->file, item) : errno;
	}
	if (item->error)
		unlinkat(from, item->name, 0);
	if (to)
		pv_directories_give(work->directories, to);
}

static void *rename_items(void *ctx)
{
	struct work *work = ctx;
	size_t reached;
	struct pv_directory *from =
	    pv_directories_take(work->directories, work->temporary, &reached);
	int error = from ? 0 : errno;
	size_t i;
	while ((i = atomic_fetch_add(&work->next, 1)) < work->count) {
		if (from)
			rename_item(work, from->file, &work->items[i]);
		else
			work->items[i].error = error;
	}
	if (from)
		pv_directories_give(work->directories, from);
	return NULL;
}

void pv_renaming_run(struct pv_directories *directories,
    struct pv_str temporary, struct pv_renaming *items, size_t count)
{
	struct work work = {
	    .directories = directories,
	    .temporary = temporary,
	    .items = items,
	    .count = count,
	};
	pthread_t threads[THREADS_MAX];
	size_t started = 0;
	while (
	    started < THREADS_MAX && started < count / ITEMS_EACH &&
	    pv_thread_start(&threads[started], "renaming", rename_items, &work))
		started++;
	rename_items(&work);
	while (started)
		pthread_join(threads[--started], NULL);
}
