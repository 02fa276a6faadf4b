#include "mirror/index/entry_file.h"

#include <sys/stat.h>

#include "base/file.h"
#include "mirror/index/entry_page.h"
#include "scratch.h"
#include "synced_names.h"
#include "tap.h"

#define PAGE "<!DOCTYPE html>\n" PV_ENTRY_GENERATOR "1.0\">\nours"
#define NEWER "<!DOCTYPE html>\n" PV_ENTRY_GENERATOR "1.1\">\nnewer"

static void put(
    const struct scratch *scratch, const char *name, const char *text)
{
	FILE *file = fopen(scratch_file(scratch, name), "w");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

static void has(const struct scratch *scratch, const char *name,
    const char *wanted, const char *claim)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 16);
	pv_file_read(scratch_file(scratch, name), &text);
	is_text(pv_buf_str(&text), wanted, "%s", claim);
	pv_buf_finish(&text);
}

/* Whether it was written; else why not. */
static bool write_page(
    const struct scratch *scratch, const char *page, struct pv_buf *fault)
{
	pv_buf_clear(fault);
	return pv_entry_file_write(scratch->path, pv_str_of(page), fault);
}

static size_t count_files(const struct scratch *scratch)
{
	size_t count = 0;
	DIR *directory = opendir(scratch->path);
	while (directory && readdir(directory))
		count++;
	if (directory)
		closedir(directory);
	return count - 2;
}

static void test_ours(const struct scratch *scratch, struct pv_buf *fault)
{
	ok(write_page(scratch, PAGE, fault), "a page is written");
	has(scratch, "index.html", PAGE, "as it is");
	ok(write_page(scratch, NEWER, fault), "and once more");
	has(scratch, "index.html", NEWER, "in the place of the older one");
	ok(count_files(scratch) == 1, "and nothing else is left");
	pv_entry_file_remove(scratch->path);
	ok(count_files(scratch) == 0, "it is taken away, since it is ours");
}

static void test_leftover(const struct scratch *scratch, struct pv_buf *fault)
{
	put(scratch, ".index.html.pavane", "half a pa");
	ok(write_page(scratch, PAGE, fault) && count_files(scratch) == 1,
	    "what a sudden end has left is in nobody's way");
	unlink(scratch_file(scratch, "index.html"));
	put(scratch, "victim", "precious");
	ok(symlink("victim", scratch_file(scratch, ".index.html.pavane")) == 0,
	    "there is a link where the page is made");
	ok(write_page(scratch, PAGE, fault), "it is written all the same");
	has(scratch, "victim", "precious", "and not through the link");
	unlink(scratch_file(scratch, "victim"));
	unlink(scratch_file(scratch, "index.html"));
}

static void test_foreign(const struct scratch *scratch, struct pv_buf *fault)
{
	put(scratch, "index.html", "<!DOCTYPE html><title>mine</title>");
	ok(!write_page(scratch, PAGE, fault),
	    "a page that is not ours is not overwritten");
	is_text(pv_buf_str(fault),
	    "it was not written by pavane, so it is not replaced",
	    "P4: and the reason is told");
	pv_entry_file_remove(scratch->path);
	has(scratch, "index.html", "<!DOCTYPE html><title>mine</title>",
	    "nor taken away");
	put(scratch, "index.html", "");
	ok(!write_page(scratch, PAGE, fault), "be it empty");
	unlink(scratch_file(scratch, "index.html"));
}

static void test_link(const struct scratch *scratch, struct pv_buf *fault)
{
	put(scratch, "victim", PAGE "precious");
	ok(symlink("victim", scratch_file(scratch, "index.html")) == 0,
	    "there is a link to what looks like a page of ours");
	ok(!write_page(scratch, NEWER, fault), "nothing is written there");
	is_text(pv_buf_str(fault),
	    "it is a symbolic link, which is not followed",
	    "P4: and the reason is told");
	has(scratch, "victim", PAGE "precious", "nor through it");
	pv_entry_file_remove(scratch->path);
	ok(count_files(scratch) == 2, "it stays where it is");
	unlink(scratch_file(scratch, "index.html"));
	unlink(scratch_file(scratch, "victim"));
}

static void test_others(const struct scratch *scratch, struct pv_buf *fault)
{
	mkdir(scratch_file(scratch, "index.html"), 0777);
	ok(!write_page(scratch, PAGE, fault) &&
		strstr(pv_buf_text(fault), "directory"),
	    "a directory there is told");
	rmdir(scratch_file(scratch, "index.html"));
	mkfifo(scratch_file(scratch, "index.html"), 0666);
	ok(!write_page(scratch, PAGE, fault) && fault->len > 0,
	    "and a pipe, for which nobody waits");
	unlink(scratch_file(scratch, "index.html"));
	ok(count_files(scratch) == 0, "nothing of that leaves anything");
	ok(!pv_entry_file_write("/no such place", PV_STR(PAGE), fault),
	    "where there is no directory there is no page");
}

static void test_power_cut(const struct scratch *scratch, struct pv_buf *fault)
{
	unsigned before = synced_names.syncs;
	ok(write_page(scratch, PAGE, fault) && synced_names.syncs == before + 1,
	    "its name is put on the disk");
	synced_names.error = EIO;
	ok(!write_page(scratch, NEWER, fault) && fault->len,
	    "that this fails is told");
	synced_names.error = 0;
	pv_entry_file_remove(scratch->path);
}

int main(void)
{
	struct scratch scratch;
	struct pv_buf fault;
	pv_buf_init(&fault, 4096);
	ok(scratch_make(&scratch), "there is a directory");
	test_ours(&scratch, &fault);
	test_leftover(&scratch, &fault);
	test_foreign(&scratch, &fault);
	test_link(&scratch, &fault);
	test_others(&scratch, &fault);
	test_power_cut(&scratch, &fault);
	scratch_remove(&scratch);
	pv_buf_finish(&fault);
	return tap_done();
}
