#ifndef PAVANE_BASE_FILE_H
#define PAVANE_BASE_FILE_H

#include <stdint.h>
#include <sys/stat.h>

#include "base/buf.h"

enum pv_file_read {
	PV_FILE_READ,
	PV_FILE_TOO_LARGE, /* for the buffer's ceiling */
	PV_FILE_FAILED,    /* errno says why, and pv_file_fault in words */
};

/* Appends all of a file ("-" is the standard input) to a buffer. It may be a
 * pipe with a name, as of a shell's `<(command)`: if nobody opens it to write
 * within a second, or nobody writes anything, errno is ENXIO. */
enum pv_file_read pv_file_read(const char *path, struct pv_buf *buf);

/* What such an error means, in words. */
const char *pv_file_fault(int error);

/* Of a file that anybody may have put something else in the place of: with what
 * it is. A symbolic link is not followed (ELOOP), and for what is no file
 * nobody waits (EINVAL). */
enum pv_file_read pv_file_read_at(
    int directory, const char *path, struct stat *status, struct pv_buf *buf);

/* The same for one that is open already, from where it stands. */
enum pv_file_read pv_file_read_open(int file, struct pv_buf *buf);

/* Writes all of it, where the file stands, or at a place of it; false if that
 * cannot be done, and errno says why: ENOSPC, too, where nothing does. */
bool pv_file_write(int file, struct pv_str bytes);
bool pv_file_write_at(int file, uint64_t place, struct pv_str bytes);

/* Copies all of one file, from where it stands, to where the other stands; false
 * if one of them fails, and errno says why. */
bool pv_file_copy(int from, int to);

/* Puts the names in a directory on the disk, as a new file's or one that was
 * given anew, for which its own sync does nothing; false if that cannot be
 * done, and errno says why. What we may not look into, and what its file system
 * does not sync, is as good as done. */
bool pv_file_sync_directory(int directory, const char *path);

/* The same of the directory that the path is in. */
bool pv_file_sync_name(const char *path);

/* Puts a file with that text in the place of what is there, in one step and on
 * the disk. It is made with that mode; a file that was there keeps its own.
 * What stands at the path with ".new" behind it goes. False if it cannot be
 * done, and errno says why: ELOOP where a symbolic link is there, which is
 * neither followed nor replaced. */
bool pv_file_replace(const char *path, struct pv_str text, unsigned mode);

/* The same with what a function writes into the new file, which returns false
 * if it cannot. */
typedef bool (*pv_file_fill_fn)(void *ctx, int file);
bool pv_file_replace_by(
    const char *path, pv_file_fill_fn fill, void *ctx, unsigned mode);

/* Makes a directory and those above it, as far as they are not there, on the
 * disk; false if that cannot be done, and errno says why. */
bool pv_file_make_directory(const char *path, unsigned mode);

#endif
