#ifndef PAVANE_TESTS_TORTURE_FAULT_H
#define PAVANE_TESTS_TORTURE_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A disk that fails, for a program that knows nothing of it: interpose.c stands
 * between the program and the C library (LD_PRELOAD), counts its calls, and at
 * one of them does what the environment says.
 *
 *	PAVANE_FAULT_BELOW  a directory, from the root: only files below it
 *	                    count, and the statements of databases there;
 *	                    sockets wherever they lead
 *	PAVANE_FAULT_TALLY  a file in which the calls are counted while they
 *	                    happen (struct fault_tally), made if it is not there
 *	PAVANE_FAULT_DIARY  a file to which is appended what was done to files
 *	                    (diary.h)
 *	PAVANE_FAULT        "SORT N ACTION", such as "sync 3 EIO"; with " on"
 *	                    behind it all calls that follow suffer the same
 *
 * SORT is one of fault_sorts, or "change" for all those that leave a trace
 * on the disk; N counts from 1. ACTION is
 *
 *	EIO, ENOSPC ...  the call does nothing and fails with that
 *	late+EIO ...     the call does its work and fails all the same
 *	short            of what is to be written only the first half is
 *	short+EIO ...    and what is to be written next fails
 *	kill             the program ends before the call,
 *	kill-half        in the midst of it, if it writes,
 *	kill-after       or right behind it
 *
 * A statement fails with IOERR, FULL, NOMEM or BUSY instead.
 */
enum fault_sort {
	FAULT_OPEN,
	FAULT_WRITE,
	FAULT_SYNC,
	FAULT_RENAME,
	FAULT_TRUNCATE,
	FAULT_MAKE, /* a directory */
	FAULT_REMOVE,
	FAULT_CLOSE,
	FAULT_READ,
	FAULT_MAP,
	FAULT_STEP, /* of one of SQLite's statements */
	FAULT_SOCKET,
	FAULT_SORT_COUNT,
};

__attribute__((
    unused)) static const char *const fault_sorts[FAULT_SORT_COUNT] = {
    [FAULT_OPEN] = "open",
    [FAULT_WRITE] = "write",
    [FAULT_SYNC] = "sync",
    [FAULT_RENAME] = "rename",
    [FAULT_TRUNCATE] = "truncate",
    [FAULT_MAKE] = "make",
    [FAULT_REMOVE] = "remove",
    [FAULT_CLOSE] = "close",
    [FAULT_READ] = "read",
    [FAULT_MAP] = "map",
    [FAULT_STEP] = "step",
    [FAULT_SOCKET] = "socket",
};

/* What stands in the file, which outlives any end of the program. */
struct fault_tally {
	_Atomic uint64_t calls[FAULT_SORT_COUNT];
	_Atomic uint64_t changes;
	_Atomic uint64_t strikes;
	char struck[512]; /* the first: its sort and its file */
};

#endif
