#ifndef PAVANE_TESTS_DESCRIPTORS_H
#define PAVANE_TESTS_DESCRIPTORS_H

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>
#include <uv.h>

#include "tap.h"

/* The descriptors that the test's process has open: counted before a scene is
 * opened and held against those that are open when it was closed. */

/* With a process's first loop libuv opens a pipe for signals, which it keeps. */
static inline void descriptors_settle(void)
{
	uv_loop_t loop;
	if (uv_loop_init(&loop) == 0)
		uv_loop_close(&loop);
}

static inline unsigned descriptors_count(void)
{
	descriptors_settle();
	DIR *directory = opendir("/proc/self/fd");
	unsigned count = 0;
	while (directory && readdir(directory))
		count++;
	if (directory)
		closedir(directory);
	return count;
}

static inline void descriptors_show(void)
{
	char link[64], path[256];
	for (int fd = 3; fd < 256; fd++) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		ssize_t len = readlink(link, path, sizeof(path));
		if (len > 0)
			printf("# %d is %.*s\n", fd, (int)len, path);
	}
}

/* Claims that as many are open as were before. */
static inline void descriptors_claim(unsigned before)
{
	unsigned now = descriptors_count();
	if (!ok(now == before, "no descriptor is left open")) {
		printf("# %u more\n", now - before);
		descriptors_show();
	}
}

#endif
