#include "torture/strike.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FDS_MAX 65536

/* Calls that only look, or let go of something, change nothing. */
#define LAST_CHANGE FAULT_REMOVE

#define ALL_SORTS FAULT_SORT_COUNT

struct plan {
	bool is_on; /* calls are counted */
	bool is_lasting;
	bool is_followed; /* the error comes after the short write */
	unsigned sort;    /* or ALL_SORTS, of those that change something */
	uint64_t number;  /* 0 for none */
	struct strike strike;
	const char *below;
	size_t below_len;
};

static struct plan plan;
static struct fault_tally unkept;
static struct fault_tally *tally = &unkept;
static _Atomic uint8_t marks[FDS_MAX];

/* Of errno, and of SQLite, whose numbers are part of its interface. */
static const struct {
	const char *name;
	int number;
} errors[] = {
    {"EACCES", EACCES},
    {"EDQUOT", EDQUOT},
    {"EINTR", EINTR},
    {"EIO", EIO},
    {"EMFILE", EMFILE},
    {"ENFILE", ENFILE},
    {"ENOMEM", ENOMEM},
    {"ENOSPC", ENOSPC},
    {"EROFS", EROFS},
    {"BUSY", 5},
    {"FULL", 13},
    {"IOERR", 10},
    {"NOMEM", 7},
};

/* The plan */

/* A test that is misunderstood would be one that finds nothing. */
static _Noreturn void refuse(const char *text)
{
	fprintf(stderr, "PAVANE_FAULT: what is \"%s\"?\n", text);
	_exit(99);
}

static unsigned sort_of(const char *name)
{
	if (strcmp(name, "change") == 0)
		return ALL_SORTS;
	for (unsigned i = 0; i < FAULT_SORT_COUNT; i++) {
		if (strcmp(name, fault_sorts[i]) == 0)
			return i;
	}
	refuse(name);
}

static int error_of(const char *name)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		if (strcmp(name, errors[i].name) == 0)
			return errors[i].number;
	}
	refuse(name);
}

static struct strike strike_of(const char *action)
{
	struct strike strike = {.is_struck = true};
	strike.is_kill = strncmp(action, "kill", 4) == 0;
	strike.is_late = strncmp(action, "late+", 5) == 0 ||
			 strcmp(action, "kill-after") == 0;
	strike.is_short = strncmp(action, "short", 5) == 0 ||
			  strcmp(action, "kill-half") == 0;
	const char *error = strchr(action, '+');
	if (error)
		strike.error = error_of(error + 1);
	else if (!strike.is_kill && !strike.is_short)
		strike.error = error_of(action);
	return strike;
}

static void read_plan(const char *text)
{
	char sort[32], action[32], rest[32] = "";
	unsigned long long number;
	if (sscanf(text, "%31s %llu %31s %31s", sort, &number, action, rest) <
	    3)
		refuse(text);
	plan.sort = sort_of(sort);
	plan.number = number;
	plan.is_lasting = strcmp(rest, "on") == 0;
	plan.strike = strike_of(action);
	plan.is_followed = plan.strike.is_short && plan.strike.error;
}

static void open_tally(const char *path)
{
	int fd = (int)syscall(
	    SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	void *place = MAP_FAILED;
	if (fd >= 0 && syscall(SYS_ftruncate, fd, sizeof(*tally)) == 0)
		place = (void *)syscall(SYS_mmap, NULL, sizeof(*tally),
		    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		syscall(SYS_close, fd);
	if (place == MAP_FAILED)
		refuse(path);
	tally = place;
}

__attribute__((constructor)) static void begin(void)
{
	const char *below = getenv("PAVANE_FAULT_BELOW");
	const char *path = getenv("PAVANE_FAULT_TALLY");
	const char *text = getenv("PAVANE_FAULT");
	if (!below)
		return;
	plan.below = below;
	plan.below_len = strlen(below);
	if (path)
		open_tally(path);
	if (text)
		read_plan(text);
	plan.is_on = true;
}

/* Files */

static bool is_prefixed(const char *path)
{
	return strncmp(path, plan.below, plan.below_len) == 0 &&
	       (path[plan.below_len] == '/' || path[plan.below_len] == '\0');
}

bool strike_is_marked(int fd)
{
	return plan.is_on && fd >= 0 && fd < FDS_MAX && marks[fd];
}

void strike_mark(int fd, bool is_below)
{
	if (fd >= 0 && fd < FDS_MAX)
		marks[fd] = is_below;
}

bool strike_is_below(int directory, const char *path)
{
	char whole[8192];
	if (!plan.is_on)
		return false;
	if (path[0] == '/')
		return is_prefixed(path);
	if (directory != AT_FDCWD)
		return strike_is_marked(directory);
	if (!getcwd(whole, sizeof(whole) / 2))
		return false;
	size_t len = strlen(whole);
	snprintf(whole + len, sizeof(whole) - len, "/%s", path);
	return is_prefixed(whole);
}

/* Calls */

static bool is_struck(uint64_t number)
{
	if (number < plan.number || !plan.number)
		return false;
	return number == plan.number || plan.is_lasting ||
	       (plan.is_followed && number == plan.number + 1);
}

struct strike strike_call(enum fault_sort sort, const char *about)
{
	if (!plan.is_on)
		return (struct strike){.error = 0};
	uint64_t number = 1 + atomic_fetch_add(&tally->calls[sort], 1);
	uint64_t change = 0;
	if (sort <= LAST_CHANGE)
		change = 1 + atomic_fetch_add(&tally->changes, 1);
	bool is_ours = plan.sort == sort
			   ? is_struck(number)
			   : plan.sort == ALL_SORTS && is_struck(change);
	if (!is_ours)
		return (struct strike){.error = 0};
	if (atomic_fetch_add(&tally->strikes, 1) == 0)
		snprintf(tally->struck, sizeof(tally->struck), "%s %.480s",
		    fault_sorts[sort], about ? about : "");
	struct strike strike = plan.strike;
	bool is_first = (plan.sort == sort ? number : change) == plan.number;
	if (plan.is_followed && !is_first)
		strike.is_short = false;
	else if (plan.is_followed)
		strike.error = 0;
	return strike;
}

_Noreturn void strike_dead(void)
{
	kill(getpid(), SIGKILL);
	for (;;)
		pause();
}
