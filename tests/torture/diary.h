#ifndef PAVANE_TESTS_TORTURE_DIARY_H
#define PAVANE_TESTS_TORTURE_DIARY_H

#include <stdbool.h>
#include <stddef.h>

/* What a program did to files, in its order, in the file that
 * PAVANE_FAULT_DIARY names (fault.h), where it is set. A line each:
 *
 *	write 120 /home/o/file    so many bytes are to be written
 *	make /home/o/file         a file or a directory is to be made
 *	remove /home/o/file       or removed
 *	name /home/o/#7 (deleted)	/home/o/file
 *	                          a file is to get a name, a tab before it,
 *	replace /home/o/new	/home/o/file
 *	                          or the name of another
 *	sync /home/o/file         a file or a directory is on the disk
 *	syncfs /home/o            and all that is there
 *	row INSERT INTO ...       a statement that changes a database, with its
 *	                          values, as far as there is room
 *	commit                    what a database was told is to be kept
 *
 * What changes something is noted before it is done, and what keeps it
 * afterwards: so in an order that is wrong nothing looks kept that is not. */
#define DIARY_PATH_MAX ((size_t)8192)

bool diary_is_kept(void);
void diary_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A file's path from the root; relative to a directory's descriptor, or
 * AT_FDCWD; of a link to a descriptor, what that is. */
void diary_path(int directory, const char *path, char text[DIARY_PATH_MAX]);

#endif
