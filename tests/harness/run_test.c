/* run_test COMMAND...: runs a test as `make check` runs each; the last word is
 * the test's path.
 *
 * What the test prints is passed on. Signals that are ignored here are not by
 * the test. It has a time limit, after which it is killed, and so is every
 * process that it started; none of them outlives it in any case. Where more
 * programs run than there are processors, the limit is up to four times as
 * long, unless the environment sets it. It makes at least as many claims as
 * tests/claims has for it, so that a loop that never runs and a return that
 * comes too early are found. The last line says how long it took.
 *
 * Its files are in memory, where that has room, and gone when it has ended. In
 * the environment, PAVANE_SCRATCH is another place for them: a directory, or
 * nothing for the one where it runs. */

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "crawl/patience.h"

#define USUAL_LIMIT_S 300
#define SLOWER_SANITIZED 2
#define CROWD_MAX 4
#define MEMORY_MIN ((fsblkcnt_t)4 << 30)

/* What tests/claims says of a test. */
struct expected {
	unsigned claims; /* at least */
	unsigned limit_s;
	bool is_strict; /* the limit, however busy the machine is */
};

/* What a test has printed. */
struct printed {
	char line[8]; /* the beginning of the current line */
	size_t len;   /* of the current line */
	unsigned claims;
	bool has_begun;  /* anything but remarks and empty lines */
	bool is_skipped; /* as a whole, which only its beginning can say */
};

struct run {
	char *test; /* its path in the tree, without an ending */
	struct expected expected;
	struct printed printed;
	int64_t began_ms;
	pid_t pid;
	int output;  /* what the test prints */
	int signals; /* what happens to it, and to us */
	int status;  /* as of waitpid */
	int stopped_by;
	bool has_ended;
	bool is_too_slow;
	int64_t limit_ms; /* as of the last look */
};

static _Noreturn void fail(const char *what)
{
	printf("Bail out! run_test: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* From "../source/tests/cli/test_links.sh", what stands from "tests" on, as far
 * as the ending. The caller frees it. */
static char *name_of(const char *path)
{
	const char *found = path, *next = path;
	while ((next = strstr(next, "tests/")))
		found = next++;
	size_t len = strlen(found);
	if (len > 3 && strcmp(found + len - 3, ".sh") == 0)
		len -= 3;
	return strndup(found, len);
}

/* From the test's row in the table, "NAME CLAIMS [LIMIT]". */
static struct expected expected_of(const char *test)
{
	struct expected expected = {0, USUAL_LIMIT_S, false};
	const char *tree = getenv("top_srcdir"), *limit = NULL;
	char path[4096], row[4096], name[4096];
	snprintf(path, sizeof(path), "%s/tests/claims", tree ? tree : ".");
	FILE *table = fopen(path, "r");
	if (!table)
		fail(path);
	while (fgets(row, sizeof(row), table)) {
		struct expected found = {0, USUAL_LIMIT_S, false};
		if (sscanf(row, "%4095s %u %u", name, &found.claims,
			&found.limit_s) >= 2 &&
		    strcmp(name, test) == 0)
			expected = found;
	}
	fclose(table);
	if (IS_SANITIZED)
		expected.limit_s *= SLOWER_SANITIZED;
	if ((limit = getenv("PAVANE_TEST_LIMIT"))) {
		expected.limit_s = (unsigned)strtoul(limit, NULL, 10);
		expected.is_strict = true;
	}
	return expected;
}

/* The directory in memory that holds the test's files, or an empty text. */
static char memory[] = "/dev/shm/pavane-test.XXXXXX";

static void choose_scratch(void)
{
	struct statvfs room = {0};
	bool has_room = statvfs("/dev/shm", &room) == 0 &&
			room.f_bavail * room.f_frsize >= MEMORY_MIN;
	if (getenv("PAVANE_SCRATCH") || !has_room || !mkdtemp(memory)) {
		memory[0] = '\0';
		return;
	}
	setenv("PAVANE_SCRATCH", memory, 1);
	setenv("TMPDIR", memory, 1);
}

static int remove_one(
    const char *path, const struct stat *about, int kind, struct FTW *place)
{
	(void)about;
	(void)kind;
	(void)place;
	return remove(path) != 0 && errno != ENOENT;
}

static void remove_scratch(void)
{
	if (memory[0])
		nftw(memory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Programs leave alone what is ignored where they begin, as by nohup; and tests
 * send them these. */
static void heed_signals(void)
{
	static const int numbers[] = {
	    SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGTSTP};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		signal(numbers[i], SIG_DFL);
}

/* Who is started by the test and forsaken becomes our child, so that it can be
 * found. */
static void start(struct run *run, char **command)
{
	int ends[2];
	sigset_t watched, former;
	sigemptyset(&watched);
	sigaddset(&watched, SIGCHLD);
	sigaddset(&watched, SIGHUP);
	sigaddset(&watched, SIGINT);
	sigaddset(&watched, SIGTERM);
	sigprocmask(SIG_BLOCK, &watched, &former);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	run->signals = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
	if (run->signals < 0 || pipe2(ends, O_CLOEXEC) != 0)
		fail("pipe");
	run->began_ms = now_ms();
	run->pid = fork();
	if (run->pid < 0)
		fail("fork");
	if (run->pid == 0) {
		setpgid(0, 0);
		heed_signals();
		sigprocmask(SIG_SETMASK, &former, NULL);
		dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	setpgid(run->pid, run->pid);
	close(ends[1]);
	run->output = ends[0];
	fcntl(run->output, F_SETFL, O_NONBLOCK);
}

static bool begins(const struct printed *printed, const char *text)
{
	return strncmp(printed->line, text, strlen(text)) == 0;
}

static void read_byte(struct printed *printed, char byte)
{
	if (byte != '\n') {
		if (printed->len < sizeof(printed->line) - 1)
			printed->line[printed->len] = byte;
		printed->len++;
		return;
	}
	if (begins(printed, "ok ") || begins(printed, "not ok "))
		printed->claims++;
	if (begins(printed, "1..0 #") && !printed->has_begun)
		printed->is_skipped = true;
	printed->has_begun |= printed->len && printed->line[0] != '#';
	printed->len = 0;
	memset(printed->line, 0, sizeof(printed->line));
}

/* Passes on what the test has printed. Returns whether its end is reached. */
static bool pass_on(struct run *run)
{
	char bytes[65536];
	ssize_t len;
	while ((len = read(run->output, bytes, sizeof(bytes))) > 0) {
		for (ssize_t i = 0; i < len; i++)
			read_byte(&run->printed, bytes[i]);
		fwrite(bytes, 1, (size_t)len, stdout);
		fflush(stdout);
	}
	return len == 0;
}

static void read_signals(struct run *run)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;
	while (read(run->signals, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			run->stopped_by = (int)info.ssi_signo;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == run->pid) {
			run->has_ended = true;
			run->status = status;
		}
}

/* How many programs there are for each processor that want one, within bounds:
 * a test that hangs and works is one of them. */
static double find_crowd(void)
{
	double load = 0;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	if (getloadavg(&load, 1) != 1 || cores < 1 || load < (double)cores)
		return 1;
	double crowd = load / (double)cores;
	return crowd < CROWD_MAX ? crowd : CROWD_MAX;
}

/* The limit as things are now. */
static int64_t find_limit_ms(const struct run *run)
{
	double times = run->expected.is_strict ? 1 : find_crowd();
	return (int64_t)(run->expected.limit_s * 1000 * times);
}

/* Until the test ends, has taken too long, or we are to stop. */
static void attend(struct run *run)
{
	bool is_open = true;
	while (!run->has_ended && !run->stopped_by && !run->is_too_slow) {
		int64_t limit_ms = find_limit_ms(run);
		int64_t left_ms = run->began_ms + limit_ms - now_ms();
		struct pollfd waiting[] = {{run->signals, POLLIN, 0},
		    {is_open ? run->output : -1, POLLIN, 0}};
		run->is_too_slow = left_ms <= 0;
		run->limit_ms = limit_ms;
		if (left_ms > 0)
			poll(waiting, 2, (int)left_ms);
		if (is_open)
			is_open = !pass_on(run);
		read_signals(run);
	}
	pass_on(run);
}

/* Kills our children, to whom those of the test belong once their parents have
 * ended. Returns how many there were. */
static unsigned kill_children(void)
{
	char path[64];
	unsigned count = 0;
	int pid;
	snprintf(
	    path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	FILE *list = fopen(path, "r");
	while (list && fscanf(list, "%d", &pid) == 1) {
		kill(pid, SIGKILL);
		count++;
	}
	if (list)
		fclose(list);
	return count;
}

/* What a test waits for that is to be killed: it and all that it started. */
static void tell_stacks(const struct run *run)
{
	const char *tree = getenv("top_srcdir");
	char script[512], process[16];
	snprintf(script, sizeof(script), "%s/tests/harness/stacks.sh",
	    tree ? tree : ".");
	snprintf(process, sizeof(process), "%d", (int)run->pid);
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		sigset_t none;
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		execlp("sh", "sh", script, process, (char *)NULL);
		_exit(127);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void clear(struct run *run)
{
	unsigned left = run->has_ended ? kill_children() : 0;
	if (left)
		printf("# left %u processes running\n", left);
	kill(-run->pid, SIGKILL);
	while (kill_children())
		waitpid(-1, NULL, 0);
	pass_on(run);
}

static int status_of(const struct run *run)
{
	if (run->stopped_by)
		return 128 + run->stopped_by;
	if (run->is_too_slow)
		return 1;
	return WIFSIGNALED(run->status) ? 128 + WTERMSIG(run->status)
					: WEXITSTATUS(run->status);
}

/* Says what the test itself cannot. Returns the exit status. */
static int judge(const struct run *run)
{
	const struct printed *printed = &run->printed;
	struct rusage used;
	getrusage(RUSAGE_CHILDREN, &used);
	double taken_s = (double)(now_ms() - run->began_ms) / 1e3;
	double used_s =
	    (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	    (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
	bool is_short = !run->stopped_by && !printed->is_skipped &&
			printed->claims < run->expected.claims;
	if (printed->len)
		printf("\n");
	if (run->stopped_by)
		fprintf(stderr, "run_test: %s was stopped after %.0f s\n",
		    run->test, taken_s);
	printf("# took %.1f s, %.1f s of processor time, for %u claims\n",
	    taken_s, used_s, printed->claims);
	if (run->is_too_slow)
		printf(
		    "Bail out! %s was killed: it had not ended after %lld s\n",
		    run->test, (long long)run->limit_ms / 1000);
	else if (is_short)
		printf("Bail out! %s made %u claims, and tests/claims has %u\n",
		    run->test, printed->claims, run->expected.claims);
	return is_short ? 1 : status_of(run);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: run_test COMMAND...\n");
		return 2;
	}
	struct run run = {.test = name_of(argv[argc - 1])};
	run.expected = expected_of(run.test);
	choose_scratch();
	start(&run, argv + 1);
	attend(&run);
	if (run.is_too_slow)
		tell_stacks(&run);
	clear(&run);
	remove_scratch();
	int status = judge(&run);
	free(run.test);
	return status;
}
