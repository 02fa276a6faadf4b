#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

#define MS_NS 1000000

/* Two looks that lie no further apart are as good as one; where they do, the
 * thread was held up between them, which does not go on for ever. */
#define TOGETHER_NS 50000
#define TRIES_MAX 10

/* Such a thread gets a third of what another one gets. */
#define WAY_GIVEN 5

static int64_t read_ns(clockid_t id)
{
	struct timespec time;
	clock_gettime(id, &time);
	return (int64_t)time.tv_sec * 1000 * MS_NS + time.tv_nsec;
}

struct pv_time pv_time_now(void)
{
	int64_t before_ns = read_ns(CLOCK_MONOTONIC);
	int64_t wall_ns = read_ns(CLOCK_REALTIME);
	int64_t after_ns = read_ns(CLOCK_MONOTONIC);
	for (int i = 1; i < TRIES_MAX && after_ns - before_ns > TOGETHER_NS;
	     i++) {
		before_ns = after_ns;
		wall_ns = read_ns(CLOCK_REALTIME);
		after_ns = read_ns(CLOCK_MONOTONIC);
	}
	return (struct pv_time){
	    .monotonic_ms = before_ns / MS_NS,
	    .wall_ms = wall_ns / MS_NS,
	};
}

int64_t pv_boot_now_ms(void)
{
	return read_ns(CLOCK_BOOTTIME) / MS_NS;
}

bool pv_thread_start(
    pthread_t *thread, const char *name, void *(*run)(void *), void *ctx)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool is_started = pthread_create(thread, NULL, run, ctx) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!is_started)
		return false;
	pthread_setname_np(*thread, name);
#ifdef SCHED_BATCH
	struct sched_param none = {0};
	pthread_setschedparam(*thread, SCHED_BATCH, &none);
#endif
	return true;
}

/* On Linux 0 is the thread. Where a process has one priority, it keeps it. */
void pv_thread_give_way(void)
{
#ifdef __linux__
	setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + WAY_GIVEN);
#endif
}

bool pv_descriptors_check(struct pv_why *why)
{
	int files[PV_DESCRIPTORS_LEAST];
	unsigned count = 0;
	while (count < PV_DESCRIPTORS_LEAST &&
	       (files[count] = open("/", O_PATH | O_CLOEXEC)) >= 0)
		count++;
	int error = errno;
	for (unsigned i = 0; i < count; i++)
		close(files[i]);
	if (count == PV_DESCRIPTORS_LEAST)
		return true;
	pv_why_add(why, (struct pv_place){.file = "this machine"}, PV_STR(""),
	    "at most %u files can be open (%s), and a crawl needs %u: raise "
	    "the limit (ulimit -n)",
	    count, strerror(error), (unsigned)PV_DESCRIPTORS_LEAST);
	return false;
}

uint64_t pv_descriptors_limit(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
	    limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return limit.rlim_cur;
}

void pv_memory_return(void *bytes, size_t size)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = ((uintptr_t)bytes + page - 1) / page * page;
	uintptr_t end = ((uintptr_t)bytes + size) / page * page;
	if (begin < end)
		madvise((void *)begin, end - begin, MADV_DONTNEED);
}

#define STATUS "/proc/meminfo"
#define STATUS_MAX ((size_t)64 << 10)

/* Of a line like "Dirty:   1200 kB"; false if there is none. */
static bool add(const char *status, const char *name, uint64_t *bytes)
{
	const char *line = strstr(status, name);
	if (!line)
		return false;
	*bytes += strtoull(line + strlen(name), NULL, 10) * 1024;
	return true;
}

uint64_t pv_unwritten_told(const char *status)
{
	uint64_t bytes = 0;
	bool is_told = add(status, "\nDirty:", &bytes) &&
		       add(status, "\nWriteback:", &bytes);
	return is_told ? bytes : UINT64_MAX;
}

uint64_t pv_unwritten_bytes(void)
{
	struct pv_buf status;
	pv_buf_init(&status, STATUS_MAX);
	bool is_read = pv_file_read(STATUS, &status) == PV_FILE_READ;
	uint64_t bytes =
	    is_read ? pv_unwritten_told(pv_buf_text(&status)) : UINT64_MAX;
	pv_buf_finish(&status);
	return bytes;
}
