#include "mirror/links/spares.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"
#include "tap.h"

static char place[] = "spares.XXXXXX";

static struct {
	struct pv_spares *spares;
	struct pv_directory directory;
	char name[PV_SPARE_NAME_SIZE];
} desk;

static void write_file(const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	pv_file_write(file, PV_STR("old"));
	close(file);
}

static void add(const char *name)
{
	write_file(name);
	pv_spares_add(desk.spares, name, strlen("old"));
}

static bool opens(const char *name)
{
	int file = pv_spares_open(
	    desk.spares, &desk.directory, strlen("new"), desk.name);
	if (file >= 0)
		close(file);
	return name ? file >= 0 && strcmp(desk.name, name) == 0 : file < 0;
}

static void test_order(void)
{
	ok(opens(NULL), "there is none in the beginning");
	add("a");
	uint64_t added = pv_spares_added(desk.spares);
	add("b");
	ok(added == 1 && opens(NULL), "none is to be had before it is synced");
	pv_spares_synced(desk.spares, added);
	ok(opens("a"), "what was added before that is");
	ok(opens(NULL), "once, and not what came later");
	pv_spares_synced(desk.spares, pv_spares_added(desk.spares));
	ok(opens("b"), "until that is synced, too");
}

static void test_others(void)
{
	add("ours");
	add("linked");
	add("read");
	add("written");
	add("marked");
	setxattr("marked", "user.colour", "red", 3, 0);
	(void)!link("linked", "elsewhere");
	int reader = open("read", O_RDONLY);
	int writer = open("written", O_WRONLY);
	pv_spares_synced(desk.spares, pv_spares_added(desk.spares));
	bool has_marks = getxattr("marked", "user.colour", NULL, 0) == 3;
	if (!has_marks)
		ok(opens("marked"), "where there are no marks none counts");
	ok(opens("ours"), "what others have is passed over, or have marked");
	ok(access("linked", F_OK) != 0 && access("read", F_OK) != 0 &&
		access("written", F_OK) != 0,
	    "and let go");
	ok(access("elsewhere", F_OK) == 0, "but for its other name");
	close(reader);
	close(writer);
}

/* As when a large mirror is linked: each is taken some time after it came. */
static void test_many(void)
{
	static bool is_had[100000];
	struct pv_spares *spares = pv_spares_create();
	char name[PV_SPARE_NAME_SIZE];
	unsigned wrong = 0;
	size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
	for (unsigned i = 0; i < 100000; i++) {
		snprintf(name, sizeof(name), "%u", i);
		pv_spares_add(spares, name, i);
		if (i < 1000)
			continue;
		pv_spares_synced(spares, i - 999);
		bool is_there = pv_spares_take(spares, name);
		unsigned number = (unsigned)strtoul(name, NULL, 10);
		wrong += !is_there || number > i - 1000 || is_had[number];
		is_had[number] = true;
	}
	size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
	ok(wrong == 0 && pv_spares_added(spares) == 100000,
	    "each of many is had once it is synced, and once (%u are not)",
	    wrong);
	ok(after - before < (size_t)1 << 20,
	    "P5: and those that are taken need no memory (%zu KiB)",
	    (after - before) / 1024);
	pv_spares_destroy(spares);
}

/* One that had so many bytes is written over with as many of another. */
static bool suits(uint64_t bytes, const char *name)
{
	int file =
	    pv_spares_open(desk.spares, &desk.directory, bytes, desk.name);
	if (file >= 0)
		close(file);
	return file >= 0 && strcmp(desk.name, name) == 0;
}

static void test_sizes(void)
{
	static const struct {
		const char *name;
		uint64_t bytes;
	} had[] = {{"small", 100}, {"page", 4000}, {"two", 8000},
	    {"large", 100000}, {"huge", (uint64_t)1 << 40}};
	for (size_t i = 0; i < sizeof(had) / sizeof(*had); i++) {
		write_file(had[i].name);
		pv_spares_add(desk.spares, had[i].name, had[i].bytes);
	}
	pv_spares_synced(desk.spares, pv_spares_added(desk.spares));
	ok(suits(5000, "two"), "one that takes up as much room is best");
	ok(suits(5000, "page"), "then one that takes up less");
	ok(suits(UINT64_MAX / 2, "huge"), "however large it is");
	ok(suits(90000, "small") && suits(0, "large"),
	    "and one that has to be made smaller if there is no other");
}

static void test_gone(void)
{
	add("there");
	add("gone");
	unlink("gone");
	pv_spares_synced(desk.spares, pv_spares_added(desk.spares));
	ok(opens("there"), "so is what somebody has removed");
	(void)!symlink("elsewhere", "link");
	pv_spares_add(desk.spares, "link", 0);
	pv_spares_synced(desk.spares, pv_spares_added(desk.spares));
	ok(opens(NULL) && access("elsewhere", F_OK) == 0,
	    "and a symbolic link");
}

static void test_taking(void)
{
	add("last");
	ok(!pv_spares_take(desk.spares, desk.name),
	    "in the end those can be taken that are synced");
	pv_spares_synced(desk.spares, pv_spares_added(desk.spares));
	ok(pv_spares_take(desk.spares, desk.name) &&
		strcmp(desk.name, "last") == 0,
	    "all of them");
	ok(!pv_spares_take(desk.spares, desk.name), "until there is none");
}

int main(void)
{
	if (!mkdtemp(place) || chdir(place) != 0)
		return 99;
	desk.directory.file = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	desk.spares = pv_spares_create();
	test_order();
	test_others();
	test_sizes();
	test_many();
	test_gone();
	test_taking();
	pv_spares_destroy(desk.spares);
	close(desk.directory.file);
	char command[64];
	snprintf(command, sizeof(command), "rm -rf '%s'", place);
	return chdir("..") == 0 && system(command) == 0 ? tap_done() : 99;
}
