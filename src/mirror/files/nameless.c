#include "mirror/files/nameless.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define PROBE "probe"

int pv_nameless_open(int directory)
{
	return openat(directory, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
}

/* By this way anybody may. */
bool pv_nameless_name(int file, int directory, const char *name)
{
	char path[40];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW) == 0;
}

bool pv_nameless_can_be(int directory)
{
	int file = pv_nameless_open(directory);
	bool is_named = file >= 0 && pv_nameless_name(file, directory, PROBE);
	if (is_named)
		unlinkat(directory, PROBE, 0);
	if (file >= 0)
		close(file);
	return is_named;
}
