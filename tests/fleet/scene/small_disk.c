#include "fleet/scene/small_disk.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "server/run_program.h"

#define DISK_MB 100
#define FILLED_MB 50

static const char least_free[] = "{min_free: 60MB}";

const char *small_disk_enter(void)
{
	if (geteuid() != 0)
		return "file systems are mounted by root alone";
	return unshare(CLONE_NEWNS) == 0 &&
		       mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0
		   ? NULL
		   : "a file system of its own is not to be had";
}

bool small_disk_mount(struct home *home, const char *directory)
{
	char size[24];
	const char *path = home_file(home, directory);
	snprintf(size, sizeof(size), "size=%um", DISK_MB);
	return mkdir(path, 0755) == 0 &&
	       mount("none", path, "tmpfs", 0, size) == 0;
}

void small_disk_unmount(struct home *home, const char *directory)
{
	umount2(home_file(home, directory), MNT_DETACH);
}

void small_disk_want_room(struct home *home)
{
	struct pv_buf policy;
	pv_buf_init(&policy, SIZE_MAX);
	home_read(home, "policy.yaml", &policy);
	const char *text = pv_buf_text(&policy);
	const char *place = strstr(text, "{}");
	home_print(home, "policy.yaml", "%.*s%s%s", (int)(place - text), text,
	    least_free, place + strlen("{}"));
	pv_buf_finish(&policy);
}

bool small_disk_fill(struct home *home, const char *directory)
{
	static const char zeros[1 << 20];
	char path[100];
	size_t written = 0;
	snprintf(path, sizeof(path), "%s/other", directory);
	FILE *file = fopen(home_file(home, path), "w");
	while (file && written < FILLED_MB &&
	       fwrite(zeros, sizeof(zeros), 1, file) == 1)
		written++;
	return file && fclose(file) == 0 && written == FILLED_MB;
}
