#ifndef PAVANE_TESTS_SYNCED_NAMES_H
#define PAVANE_TESTS_SYNCED_NAMES_H

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A fsync of the test's own in the place of the C library's, which counts the
 * directories, and fails for them if the test says so: what becomes of a name in
 * a power cut cannot be tried. To be included in one file of a program. */
static struct {
	unsigned syncs;
	unsigned files; /* others that were synced */
	int error;      /* 0: none */
} synced_names;

int synced_names_fsync(int fd) __asm__("fsync") __attribute__((used));
int synced_names_fsync(int fd)
{
	struct stat facts;
	bool is_directory = fstat(fd, &facts) == 0 && S_ISDIR(facts.st_mode);
	synced_names.syncs += is_directory;
	synced_names.files += !is_directory;
	errno = synced_names.error;
	if (is_directory && synced_names.error)
		return -1;
	return (int)syscall(SYS_fsync, fd);
}

#endif
