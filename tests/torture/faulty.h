#ifndef PAVANE_TESTS_TORTURE_FAULTY_H
#define PAVANE_TESTS_TORTURE_FAULTY_H

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/run_program.h"
#include "torture/fault.h"

/* A home in which programs run on a disk that fails as the test says (fault.h).
 *
 *	struct faulty faulty;
 *	if (!faulty_open(&faulty, &home, "o"))
 *		tap_skip(...);
 *	faulty_plan(&faulty, "write %u ENOSPC", 7);
 *	program_run(&home, ...);
 *	... faulty.tally->struck ...
 *	faulty_close(&faulty);
 *
 * Between faulty_plan and faulty_plan the tally begins anew; NULL is for a disk
 * that does well and is counted.
 */
struct faulty {
	struct home *home;
	struct fault_tally *tally; /* what the program did */
	char preload[1024];
	char below[1024];
	char tally_path[1024];
	char plan[256];
	const char *environment[5];
};

/* Where the library lies once it is built. */
#define FAULTY_LIBRARY "tests/torture/.libs/interpose.so"

static inline void faulty_plan(struct faulty *faulty, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline void faulty_plan(struct faulty *faulty, const char *format, ...)
{
	va_list list;
	int len = snprintf(faulty->plan, sizeof(faulty->plan), "PAVANE_FAULT=");
	faulty->environment[3] = NULL;
	memset(faulty->tally, 0, sizeof(*faulty->tally));
	faulty->home->environment = faulty->environment;
	if (!format)
		return;
	va_start(list, format);
	vsnprintf(faulty->plan + len, sizeof(faulty->plan) - (size_t)len,
	    format, list);
	va_end(list);
	faulty->environment[3] = faulty->plan;
}

/* From now on programs run as everywhere. */
static inline void faulty_rest(struct faulty *faulty)
{
	faulty->home->environment = NULL;
}

/* From now on files below that directory of the home are to fail. */
static inline void faulty_choose(struct faulty *faulty, const char *below)
{
	snprintf(faulty->below, sizeof(faulty->below), "PAVANE_FAULT_BELOW=%s",
	    home_file(faulty->home, below));
}

/* Files below that directory of the home are to fail. False if the library was
 * not built. */
static inline bool faulty_open(
    struct faulty *faulty, struct home *home, const char *below)
{
	char *library = realpath(FAULTY_LIBRARY, NULL);
	*faulty = (struct faulty){.home = home};
	snprintf(faulty->preload, sizeof(faulty->preload), "LD_PRELOAD=%s",
	    library ? library : "");
	free(library);
	faulty_choose(faulty, below);
	snprintf(faulty->tally_path, sizeof(faulty->tally_path),
	    "PAVANE_FAULT_TALLY=%s", home_file(home, "tally"));
	faulty->environment[0] = faulty->preload;
	faulty->environment[1] = faulty->below;
	faulty->environment[2] = faulty->tally_path;
	int fd =
	    open(home_file(home, "tally"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	void *place = MAP_FAILED;
	if (fd >= 0 && ftruncate(fd, sizeof(struct fault_tally)) == 0)
		place = mmap(NULL, sizeof(struct fault_tally),
		    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	if (place == MAP_FAILED)
		return false;
	faulty->tally = place;
	faulty_plan(faulty, NULL);
	return faulty->preload[strlen("LD_PRELOAD=")] != '\0';
}

static inline void faulty_close(struct faulty *faulty)
{
	faulty_rest(faulty);
	if (faulty->tally)
		munmap(faulty->tally, sizeof(*faulty->tally));
}

static inline uint64_t faulty_calls(
    const struct faulty *faulty, enum fault_sort sort)
{
	return faulty->tally->calls[sort];
}

#endif
