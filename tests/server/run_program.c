#include "server/run_program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/reader.h"
#include "scratch.h"
#include "server/leftovers.h"

#define SAID_MAX (16u << 20)
#define STEP_MS 2
#define RUN_TIMEOUT_MS 120000
#define ENVIRONMENT_MAX 24

struct program {
	struct home *home;
	pid_t pid;
	int64_t start_ms;
	bool has_ended;
	bool is_watched; /* it tells what it leaves open */
	struct program_end end;
	int output; /* files without a name */
	int errors;
};

/* Homes */

bool home_make(struct home *home)
{
	char *place = realpath(scratch_place(), NULL);
	if (!place)
		return false;
	snprintf(home->path, sizeof(home->path), "%s/home.XXXXXX", place);
	free(place);
	home->environment = NULL;
	home->watched_ends = 0;
	return mkdtemp(home->path) &&
	       mkdir(home_file(home, "config"), 0700) == 0;
}

static int remove_one(
    const char *path, const struct stat *about, int kind, struct FTW *place)
{
	(void)about;
	(void)place;
	if (kind == FTW_DP)
		return rmdir(path);
	return unlink(path);
}

void home_remove(struct home *home)
{
	nftw(home->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *home_file(struct home *home, const char *name)
{
	snprintf(home->file, sizeof(home->file), "%s/%s", home->path, name);
	return home->file;
}

const char *home_write(struct home *home, const char *name, struct pv_str text)
{
	const char *path = home_file(home, name);
	FILE *file = fopen(path, "w");
	if (!file || fwrite(text.ptr, 1, text.len, file) != text.len ||
	    fclose(file) != 0) {
		perror(path);
		abort();
	}
	return path;
}

const char *home_print(
    struct home *home, const char *name, const char *format, ...)
{
	va_list list;
	struct pv_buf text;
	pv_buf_init(&text, SAID_MAX);
	va_start(list, format);
	pv_buf_append_format_list(&text, format, list);
	va_end(list);
	const char *path = home_write(home, name, pv_buf_str(&text));
	pv_buf_finish(&text);
	return path;
}

bool home_read(struct home *home, const char *name, struct pv_buf *text)
{
	return pv_file_read(home_file(home, name), text) == PV_FILE_READ;
}

/* Starting */

static int64_t now_ms(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static const char *program_path(void)
{
	const char *path = getenv("PAVANE");
	return path ? path : "./pavane";
}

/* NULL ends it. What the test itself is to know of sanitizers, the program is
 * to know too. */
static void make_environment(struct program *program, struct pv_arena *arena,
    const char *environment[ENVIRONMENT_MAX])
{
	static const char *const passed[] = {"PATH", "TMPDIR", "UBSAN_OPTIONS",
	    "LSAN_OPTIONS", "TSAN_OPTIONS", "LD_LIBRARY_PATH"};
	const struct home *home = program->home;
	size_t count = leftovers_watch(home, arena, environment);
	program->is_watched = count > 1;
	for (size_t i = 0; i < sizeof(passed) / sizeof(*passed); i++) {
		const char *value = getenv(passed[i]);
		if (value)
			environment[count++] =
			    pv_arena_format(arena, "%s=%s", passed[i], value);
	}
	environment[count++] = pv_arena_format(arena, "HOME=%s", home->path);
	environment[count++] =
	    pv_arena_format(arena, "XDG_CONFIG_HOME=%s/config", home->path);
	environment[count++] =
	    pv_arena_format(arena, "XDG_STATE_HOME=%s/state", home->path);
	environment[count++] = "LC_ALL=C.UTF-8";
	const char *const *more = home->environment;
	while (more && *more && count < ENVIRONMENT_MAX - 1)
		environment[count++] = *more++;
	environment[count] = NULL;
}

/* For functions that promise to change nothing, but do not say so. */
static char *const *unconst(const char *const *texts)
{
	return (char *const *)(uintptr_t)texts;
}

static int spawn(struct program *program, const char *path,
    const char *const *arguments, const char *const *environment)
{
	sigset_t all;
	sigset_t none;
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_t files;
	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(
	    &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, program->output, 1);
	posix_spawn_file_actions_adddup2(&files, program->errors, 2);
	posix_spawn_file_actions_addchdir_np(&files, program->home->path);
	int error = posix_spawn(&program->pid, path, &files, &attributes,
	    unconst(arguments), unconst(environment));
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return error;
}

static const char **arguments_with_name(
    struct pv_arena *arena, const char *const *arguments)
{
	size_t count = 0;
	while (arguments[count])
		count++;
	const char **all = pv_arena_give_array(arena, count + 2, sizeof(*all));
	all[0] = "pavane";
	memcpy(all + 1, arguments, count * sizeof(*all));
	return all;
}

static int start(struct program *program, const char *const *arguments)
{
	const char *environment[ENVIRONMENT_MAX];
	struct pv_arena arena;
	pv_arena_init(&arena);
	make_environment(program, &arena, environment);
	/* From the root, since it runs in its home. */
	char *path = realpath(program_path(), NULL);
	int error =
	    path ? spawn(program, path, arguments_with_name(&arena, arguments),
		       environment)
		 : errno;
	free(path);
	pv_arena_finish(&arena);
	return error;
}

struct program *program_start(struct home *home, const char *const *arguments)
{
	struct program *program = pv_alloc(sizeof(*program));
	program->home = home;
	program->start_ms = now_ms();
	program->output = memfd_create("output", MFD_CLOEXEC);
	program->errors = memfd_create("errors", MFD_CLOEXEC);
	int error = start(program, arguments);
	if (!error)
		return program;
	fprintf(
	    stderr, "%s cannot start: %s\n", program_path(), strerror(error));
	program->has_ended = true;
	program_destroy(program);
	return NULL;
}

/* Ending */

static int64_t ms_of(struct timeval time)
{
	return time.tv_sec * 1000 + time.tv_usec / 1000;
}

/* What its first thread used of a processor, and how long it waited for one. */
struct turns {
	uint64_t used_ns;
	uint64_t waited_ns;
};

static bool read_turns(const struct program *program, struct turns *turns)
{
	char path[64];
	struct pv_buf text;
	pv_buf_init(&text, 1 << 10);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat",
	    (int)program->pid, (int)program->pid);
	bool is_there = pv_file_read(path, &text) == PV_FILE_READ;
	struct pv_reader reader = pv_reader_of(pv_buf_str(&text));
	is_there = is_there &&
		   pv_reader_take_number(&reader, INT64_MAX, &turns->used_ns) &&
		   pv_reader_accept(&reader, ' ') &&
		   pv_reader_take_number(&reader, INT64_MAX, &turns->waited_ns);
	pv_buf_finish(&text);
	return is_there;
}

/* Whether it has. Once it is waited for, nobody knows its first thread. */
static bool collect(struct program *program)
{
	int status;
	siginfo_t info = {.si_pid = 0};
	struct turns turns = {.waited_ns = 0};
	struct rusage usage;
	if (program->has_ended)
		return true;
	if (waitid(P_PID, (id_t)program->pid, &info,
		WEXITED | WNOHANG | WNOWAIT) != 0 ||
	    info.si_pid != program->pid)
		return false;
	read_turns(program, &turns);
	if (wait4(program->pid, &status, WNOHANG, &usage) != program->pid)
		return false;
	program->has_ended = true;
	program->end = (struct program_end){
	    .is_killed = WIFSIGNALED(status),
	    .status =
		WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
	    .wall_ms = now_ms() - program->start_ms,
	    .cpu_ms = ms_of(usage.ru_utime) + ms_of(usage.ru_stime),
	    .waited_us = (int64_t)(turns.waited_ns / 1000),
	    .memory_bytes = (size_t)usage.ru_maxrss * 1024,
	};
	if (program->is_watched && !program->end.is_killed)
		program->home->watched_ends++;
	return true;
}

static void pause_ms(int ms)
{
	struct timespec time = {.tv_nsec = ms * 1000000L};
	nanosleep(&time, NULL);
}

/* Until it ends or the time is over. Where the system cannot wait for both, we
 * look again and again. */
static void wait_for_end(const struct program *program, int timeout_ms)
{
	struct pollfd wait = {.events = POLLIN};
	wait.fd = (int)syscall(SYS_pidfd_open, program->pid, 0);
	if (wait.fd < 0) {
		pause_ms(timeout_ms < STEP_MS ? timeout_ms : STEP_MS);
		return;
	}
	poll(&wait, 1, timeout_ms);
	close(wait.fd);
}

bool program_wait(
    struct program *program, int timeout_ms, struct program_end *end)
{
	int64_t deadline = now_ms() + timeout_ms;
	while (!collect(program)) {
		int64_t left = deadline - now_ms();
		if (left <= 0)
			return false;
		wait_for_end(program, (int)left);
	}
	*end = program->end;
	return true;
}

void program_signal(struct program *program, int signal)
{
	if (!collect(program))
		kill(program->pid, signal);
}

bool program_is_halted(const struct program *program)
{
	siginfo_t info = {.si_pid = 0};
	return !program->has_ended &&
	       waitid(P_PID, (id_t)program->pid, &info,
		   WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == program->pid;
}

void program_tell_stacks(const struct program *program)
{
	const char *tree = getenv("top_srcdir");
	char script[512], process[16];
	char shell[] = "sh";
	char *const command[] = {shell, script, process, NULL};
	pid_t pid;
	if (program->has_ended)
		return;
	snprintf(script, sizeof(script), "%s/tests/harness/stacks.sh",
	    tree ? tree : ".");
	snprintf(process, sizeof(process), "%d", (int)program->pid);
	fflush(stdout);
	if (posix_spawnp(&pid, "sh", NULL, NULL, command, environ) == 0)
		waitpid(pid, NULL, 0);
}

void program_destroy(struct program *program)
{
	struct program_end end;
	if (!program)
		return;
	program_signal(program, SIGKILL);
	program_wait(program, RUN_TIMEOUT_MS, &end);
	if (program->output >= 0)
		close(program->output);
	if (program->errors >= 0)
		close(program->errors);
	free(program);
}

bool program_run(struct home *home, const char *const *arguments,
    struct pv_buf *said, struct program_end *end)
{
	struct program *program = program_start(home, arguments);
	if (!program)
		return false;
	bool has_ended = program_wait(program, RUN_TIMEOUT_MS, end);
	if (said) {
		program_output(program, said);
		program_errors(program, said);
	}
	program_destroy(program);
	return has_ended;
}

/* Looking */

static void append_all(int fd, struct pv_buf *buf)
{
	char bytes[16384];
	off_t at = 0;
	ssize_t len;
	while ((len = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		pv_buf_append(buf, (struct pv_str){bytes, (size_t)len});
		at += len;
	}
}

void program_output(struct program *program, struct pv_buf *buf)
{
	append_all(program->output, buf);
}

void program_errors(struct program *program, struct pv_buf *buf)
{
	append_all(program->errors, buf);
}

static bool has_said(struct program *program, const char *text)
{
	struct pv_buf said;
	pv_buf_init(&said, SAID_MAX);
	program_output(program, &said);
	pv_buf_append_char(&said, '\0');
	program_errors(program, &said);
	bool is_there =
	    memmem(pv_buf_text(&said), said.len, text, strlen(text));
	pv_buf_finish(&said);
	return is_there;
}

bool program_says(struct program *program, const char *text, int timeout_ms)
{
	int64_t deadline = now_ms() + timeout_ms;
	for (;;) {
		bool is_last = collect(program) || now_ms() >= deadline;
		if (has_said(program, text))
			return true;
		if (is_last)
			return false;
		wait_for_end(program, STEP_MS);
	}
}

/* The number, in kibibytes, of a line in /proc/PID/status. */
static size_t status_bytes(const struct program *program, const char *name)
{
	char path[64];
	uint64_t number = 0;
	struct pv_buf text;
	pv_buf_init(&text, 1 << 16);
	snprintf(path, sizeof(path), "/proc/%d/status", (int)program->pid);
	if (!program->has_ended && pv_file_read(path, &text) == PV_FILE_READ) {
		const char *line = strstr(pv_buf_text(&text), name);
		struct pv_reader reader = pv_reader_of(
		    pv_str_trim(pv_str_of(line ? line + strlen(name) : "")));
		pv_reader_take_number(&reader, UINT64_MAX / 1024, &number);
	}
	pv_buf_finish(&text);
	return (size_t)number * 1024;
}

size_t program_memory(const struct program *program)
{
	return status_bytes(program, "VmRSS:");
}

size_t program_memory_peak(const struct program *program)
{
	return status_bytes(program, "VmHWM:");
}

size_t program_file_count(const struct program *program)
{
	char path[64];
	size_t count = 0;
	const struct dirent *entry;
	snprintf(path, sizeof(path), "/proc/%d/fd", (int)program->pid);
	DIR *directory = program->has_ended ? NULL : opendir(path);
	while (directory && (entry = readdir(directory)))
		count += entry->d_name[0] != '.';
	if (directory)
		closedir(directory);
	return count;
}

int64_t program_conductor_us(const struct program *program)
{
	struct turns turns;
	if (program->has_ended || !read_turns(program, &turns))
		return -1;
	return (int64_t)(turns.used_ns / 1000);
}

int64_t program_cpu_us(const struct program *program)
{
	clockid_t clock;
	struct timespec used;
	if (program->has_ended)
		return program->end.cpu_ms * 1000;
	if (clock_getcpuclockid(program->pid, &clock) != 0 ||
	    clock_gettime(clock, &used) != 0)
		return 0;
	return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}
