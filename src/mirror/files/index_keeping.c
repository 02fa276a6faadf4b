#include "mirror/files/index_keeping.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE 16384

static int open_file(int directory, const char *name, struct stat *status)
{
	int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (file >= 0 &&
	    (fstat(file, status) != 0 || !S_ISREG(status->st_mode))) {
		close(file);
		return -1;
	}
	return file;
}

/* The next piece, which is shorter only at the end of the file; negative if it
 * cannot be read. */
static ssize_t read_piece(int file, char piece[PIECE])
{
	size_t len = 0;
	while (len < PIECE) {
		ssize_t got = read(file, piece + len, PIECE - len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return got;
		if (got == 0)
			break;
		len += (size_t)got;
	}
	return (ssize_t)len;
}

static bool have_same_bytes(int a, int b)
{
	char ours[PIECE], theirs[PIECE];
	ssize_t got;
	do {
		got = read_piece(a, ours);
		if (got < 0 || read_piece(b, theirs) != got ||
		    memcmp(ours, theirs, (size_t)got) != 0)
			return false;
	} while (got > 0);
	return true;
}

/* A run that was cut short has left the same page there. */
static bool is_other(
    int directory, const char *name, int temporary, const char *begun)
{
	struct stat before, now;
	int had = open_file(directory, name, &before);
	int has = had < 0 ? -1 : open_file(temporary, begun, &now);
	bool is_other = has >= 0 && (before.st_size != now.st_size ||
					!have_same_bytes(had, has));
	if (had >= 0)
		close(had);
	if (has >= 0)
		close(has);
	return is_other;
}

void pv_index_keep(
    int directory, const char *name, int temporary, const char *begun)
{
	static const char index[] = "index.";
	char own[NAME_MAX + 1];
	if (strncmp(name, index, strlen(index)) != 0 ||
	    !is_other(directory, name, temporary, begun))
		return;
	int len =
	    snprintf(own, sizeof(own), "index^^.%s", name + strlen(index));
	bool is_kept = len > 0 && (size_t)len < sizeof(own) &&
		       linkat(directory, name, directory, own, 0) == 0;
	(void)is_kept;
}
