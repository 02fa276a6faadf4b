#ifndef PAVANE_BASE_SYSTEM_H
#define PAVANE_BASE_SYSTEM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"

/* What the machine gives a process: time, threads, descriptors, and what its
 * disks still owe.
 *
 * Time is a value: the conductor is given a clock (loop/clock.h), all other
 * code gets the time as an argument. Both clocks are read at the same moment,
 * since rests are written down by one of them and kept by the other. */
struct pv_time {
	int64_t monotonic_ms; /* never jumps; counts from anywhere */
	int64_t wall_ms;      /* since 1970, as people and servers tell it */
};

struct pv_time pv_time_now(void);

/* By the clock that counts while the machine sleeps, too, and that nobody sets:
 * what is promised to other machines is counted by it. */
int64_t pv_boot_now_ms(void);

/* Starts a worker thread: it receives no signals, has a name for debuggers, and
 * runs as a batch job, so that on a busy processor it does not interrupt the
 * thread that it works for, and finds several things to do when its turn
 * comes. */
bool pv_thread_start(
    pthread_t *thread, const char *name, void *(*run)(void *), void *ctx);

/* The thread that calls this, and those that it starts from then on, leave the
 * processor to the other threads of the process where both could use it; on systems
 * where threads differ in that. */
void pv_thread_give_way(void);

/* How many more files a process may open, sockets and pipes included.
 *
 * A crawl needs some for itself: the loop's, the state's, the journal's, its
 * threads'. libuv ends the program where it gets none, and with hardly more
 * than those no request could ever be made. */
#define PV_DESCRIPTORS_LEAST 36

/* False, with the reason, if it is fewer than that. It is tried, since what
 * others have handed on counts as well. */
bool pv_descriptors_check(struct pv_why *why);

/* How many files it may have open in all; UINT64_MAX where that is not limited. */
uint64_t pv_descriptors_limit(void);

/* The system may have the memory of whole pages within these bytes, which are the
 * caller's to keep: afterwards they are as before, or 0. */
void pv_memory_return(void *bytes, size_t size);

/* How many bytes all programs have written that are not on the machine's disks
 * yet: what it costs to sync one of them altogether. UINT64_MAX where the
 * system does not say. */
uint64_t pv_unwritten_bytes(void);

/* The same, read from the text of /proc/meminfo. */
uint64_t pv_unwritten_told(const char *status);

#endif
