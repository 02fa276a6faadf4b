#include "torture/diary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* -1: none is kept. */
static int diary = -1;

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("PAVANE_FAULT_DIARY");
	if (path)
		diary = (int)syscall(SYS_openat, AT_FDCWD, path,
		    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

bool diary_is_kept(void)
{
	return diary >= 0;
}

/* In one call, so that threads do not mix their lines. */
void diary_note(const char *format, ...)
{
	char line[2 * DIARY_PATH_MAX + 64];
	va_list list;
	int saved = errno;
	if (diary < 0)
		return;
	va_start(list, format);
	int len = vsnprintf(line, sizeof(line) - 1, format, list);
	va_end(list);
	if (len < 0 || (size_t)len >= sizeof(line) - 1)
		return;
	line[len++] = '\n';
	(void)syscall(SYS_write, diary, line, (size_t)len);
	errno = saved;
}

void diary_path(int directory, const char *path, char text[DIARY_PATH_MAX])
{
	static const char links[] = "/proc/self/fd/";
	char link[64];
	ssize_t len;
	if (strncmp(path, links, strlen(links)) == 0) {
		len = readlink(path, text, DIARY_PATH_MAX - 1);
		text[len > 0 ? len : 0] = '\0';
		return;
	}
	snprintf(link, sizeof(link), "%s%d", links, directory);
	if (directory == AT_FDCWD)
		snprintf(link, sizeof(link), "/proc/self/cwd");
	len = path[0] == '/' ? 0 : readlink(link, text, DIARY_PATH_MAX / 2);
	if (len < 0)
		len = 0;
	snprintf(text + len, DIARY_PATH_MAX - (size_t)len, "%s%s",
	    path[0] == '/' ? "" : "/", path);
}
