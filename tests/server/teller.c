#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a program leaves open when it ends by itself, for who started it
 * (leftovers.h). To be preloaded.
 *
 * PAVANE_LEFTOVERS names a file, to which the program's last act appends what
 * stands behind each descriptor that it did not have when it began, a line
 * each, and a line with a dot. By then all that libraries do at an end is done.
 */
#define DESCRIPTORS_MAX 4096
#define PATH_BYTES 1024

static struct {
	bool is_inherited[DESCRIPTORS_MAX];
	char record[PATH_BYTES];
} leftovers;

typedef void (*descriptor_fn)(int fd, int record);

static void each_descriptor(descriptor_fn on_descriptor, int record)
{
	const struct dirent *entry;
	DIR *directory = opendir("/proc/self/fd");
	while (directory && (entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		int fd = (int)strtol(entry->d_name, NULL, 10);
		if (fd != dirfd(directory) && fd != record)
			on_descriptor(fd, record);
	}
	if (directory)
		closedir(directory);
}

static void note_inherited(int fd, int record)
{
	(void)record;
	if (fd < DESCRIPTORS_MAX)
		leftovers.is_inherited[fd] = true;
}

static void write_left(int fd, int record)
{
	char link[64];
	char path[PATH_BYTES];
	if (fd < DESCRIPTORS_MAX && leftovers.is_inherited[fd])
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, path, sizeof(path) - 1);
	dprintf(record, "%.*s\n", len > 0 ? (int)len : 1, len > 0 ? path : "?");
}

static void on_end(int status, void *ctx)
{
	(void)status;
	(void)ctx;
	int record = open(
	    leftovers.record, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (record < 0)
		return;
	each_descriptor(write_left, record);
	dprintf(record, ".\n");
	close(record);
}

/* What is registered before the program begins, and belongs to no library in
 * particular, is called when all libraries have ended. */
__attribute__((constructor)) static void begin(void)
{
	const char *record = getenv("PAVANE_LEFTOVERS");
	if (!record || strlen(record) >= sizeof(leftovers.record))
		return;
	snprintf(leftovers.record, sizeof(leftovers.record), "%s", record);
	each_descriptor(note_inherited, -1);
	on_exit(on_end, NULL);
}
