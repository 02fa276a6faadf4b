#include "mirror/links/renaming.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tap.h"

/* Enough for several threads. */
#define COUNT 500
#define TEMPORARY PV_STR("site/new")

static char place[] = "renaming.XXXXXX";

static void write_file(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	pv_file_write(file, pv_str_of(text));
	close(file);
}

static bool holds(const char *path, const char *wanted)
{
	struct pv_buf text;
	pv_buf_init(&text, 1000);
	bool is_held = pv_file_read(path, &text) == PV_FILE_READ &&
		       pv_str_equal(pv_buf_str(&text), pv_str_of(wanted));
	pv_buf_finish(&text);
	return is_held;
}

/* Each third one is new, and where each hundredth is to go there is a
 * directory. */
static void make_item(struct pv_renaming *item, size_t i)
{
	char path[80];
	pv_buf_init(&item->file, 100);
	pv_buf_append_format(&item->file, "site/%zu/%zu.html", i % 7, i);
	snprintf(item->name, sizeof(item->name), "%zu", i);
	item->error = 0;
	snprintf(path, sizeof(path), "site/new/%zu", i);
	write_file(path, item->name);
	snprintf(path, sizeof(path), "site/%zu", i % 7);
	mkdir(path, 0777);
	if (i % 100 == 0)
		mkdir(pv_buf_text(&item->file), 0777);
	else if (i % 3)
		write_file(pv_buf_text(&item->file), "old");
}

static void make(struct pv_renaming *items)
{
	if (!mkdtemp(place) || chdir(place) != 0)
		exit(99);
	mkdir("site", 0777);
	mkdir("site/new", 0777);
	for (size_t i = 0; i < COUNT; i++)
		make_item(&items[i], i);
}

/* Each seventh one may not be renamed. */
static bool is_kept(size_t i)
{
	return i % 7 == 3 && i % 100;
}

static void test_items(struct pv_renaming *items, int root)
{
	struct pv_directories *directories = pv_directories_create(root);
	struct pv_spares *spares = pv_spares_create();
	const struct pv_renaming_plan plan = {
	    .directories = directories,
	    .temporary = TEMPORARY,
	    .spares = spares,
	    .items = items,
	    .count = COUNT,
	};
	size_t renamed = 0, kept = 0, failed = 0, spare = 0;
	for (size_t i = 0; i < COUNT; i++)
		items[i].error = is_kept(i) ? EIO : 0;
	pv_renaming_run(&plan);
	for (size_t i = 0; i < COUNT; i++) {
		const char *path = pv_buf_text(&items[i].file);
		renamed += !items[i].error && holds(path, items[i].name);
		kept += items[i].error == EIO &&
			(i % 3 ? holds(path, "old") : access(path, F_OK) != 0);
		failed += items[i].error == EISDIR;
	}
	ok(renamed == 424, "files take their names (%zu)", renamed);
	ok(kept == 71, "those with an error leave what is there (%zu)", kept);
	ok(failed == 5, "a directory in the way is told (%zu)", failed);
	char name[PV_SPARE_NAME_SIZE];
	pv_spares_synced(spares, pv_spares_added(spares));
	while (pv_spares_take(spares, name)) {
		char path[80];
		snprintf(path, sizeof(path), "site/new/%s", name);
		spare += holds(path, "old") && unlink(path) == 0;
	}
	ok(spare == 283, "what had the names is there to be used (%zu)", spare);
	ok(rmdir("site/new") == 0, "and nothing is left over");
	pv_spares_destroy(spares);
	pv_directories_destroy(directories);
}

int main(void)
{
	static struct pv_renaming items[COUNT];
	make(items);
	int root = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	test_items(items, root);
	close(root);
	for (size_t i = 0; i < COUNT; i++)
		pv_buf_finish(&items[i].file);
	char command[64];
	snprintf(command, sizeof(command), "rm -rf '%s'", place);
	return chdir("..") == 0 && system(command) == 0 ? tap_done() : 99;
}
