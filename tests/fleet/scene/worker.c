#include "fleet/scene/worker.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pavane/pavane.h"

enum argument {
	PROGRAM,
	WORD,
	DIRECTORY,
	STATE,
	POLICY,
	URL,
	TTL,
	UPDATE,
	COUNT
};

static const char worker_word[] = "a-worker-of-a-fleet";
static const char clocks_word[] = "clocks";
static const char update_word[] = "update";

static int64_t clock_ms(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The worker's own process */

struct course {
	pthread_mutex_t mutex;
	struct pavane_crawl *crawl;
	atomic_bool is_stopping;
	bool was_enough;
};

static void say(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	fprintf(
	    stderr, "%lld %s\n", (long long)clock_ms(CLOCK_MONOTONIC), line);
}

static void *wait_for_signals(void *ctx)
{
	struct course *course = ctx;
	sigset_t set;
	int number;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	while (sigwait(&set, &number) == 0) {
		atomic_store(&course->is_stopping, true);
		pthread_mutex_lock(&course->mutex);
		if (course->crawl)
			pavane_crawl_stop(course->crawl);
		pthread_mutex_unlock(&course->mutex);
	}
	return NULL;
}

static bool begin(struct course *course)
{
	pthread_t thread;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	signal(SIGPIPE, SIG_IGN);
	pthread_mutex_init(&course->mutex, NULL);
	return pthread_sigmask(SIG_BLOCK, &set, NULL) == 0 &&
	       pthread_create(&thread, NULL, wait_for_signals, course) == 0 &&
	       pthread_detach(thread) == 0;
}

static bool is_enough(void *ctx)
{
	struct course *course = ctx;
	return atomic_load(&course->is_stopping);
}

/* Opens it, the second time again. */
static bool open_crawl(
    struct course *course, const struct pavane_policy *policy, char **arguments)
{
	struct pavane_crawl_options options =
	    PAVANE_INIT(struct pavane_crawl_options);
	options.directory = arguments[DIRECTORY];
	options.state_dir = arguments[STATE];
	options.fleet = arguments[URL];
	options.fleet_ttl_ms = strtoll(arguments[TTL], NULL, 10);
	options.is_update =
	    !course->crawl && strcmp(arguments[UPDATE], update_word) == 0;
	options.level = PAVANE_INFO;
	options.on_line = say;
	options.is_enough = is_enough;
	options.was_enough = &course->was_enough;
	options.ctx = course;
	pthread_mutex_lock(&course->mutex);
	course->crawl =
	    course->crawl ? pavane_crawl_reopen(course->crawl, policy, &options)
			  : pavane_crawl_open(policy, &options);
	bool is_open = course->crawl != NULL;
	if (is_open && course->is_stopping)
		pavane_crawl_stop(course->crawl);
	pthread_mutex_unlock(&course->mutex);
	return is_open;
}

static bool is_good(const struct pavane_policy *policy)
{
	struct pavane_problem problem = PAVANE_INIT(struct pavane_problem);
	if (!pavane_policy_problem_count(policy))
		return true;
	if (pavane_policy_problem(policy, 0, &problem))
		fprintf(stderr, "%s\n", problem.sentence);
	return false;
}

int worker_run(char **arguments)
{
	struct course course = {.crawl = NULL};
	struct pavane_sources sources = PAVANE_INIT(struct pavane_sources);
	enum pavane_end end;
	if (strcmp(arguments[WORD], clocks_word) == 0) {
		printf("%lld %lld\n", (long long)clock_ms(CLOCK_REALTIME),
		    (long long)clock_ms(CLOCK_BOOTTIME));
		return 0;
	}
	sources.file = arguments[POLICY];
	sources.is_for_fleet = true;
	struct pavane_policy *policy = pavane_policy_load(&sources);
	if (!is_good(policy) || !begin(&course))
		return 100;
	do {
		if (!open_crawl(&course, policy, arguments)) {
			pavane_policy_destroy(policy);
			return course.was_enough ? (int)PAVANE_STOPPED : 101;
		}
		end = pavane_crawl_run(course.crawl);
	} while (pavane_crawl_has_changed(course.crawl) &&
		 end != PAVANE_FAILED && !course.is_stopping);
	pthread_mutex_lock(&course.mutex);
	pavane_crawl_close(course.crawl);
	course.crawl = NULL;
	pthread_mutex_unlock(&course.mutex);
	pavane_policy_destroy(policy);
	return (int)end;
}

bool worker_is_meant(int count, char **arguments)
{
	return (count == COUNT && strcmp(arguments[WORD], worker_word) == 0) ||
	       (count == WORD + 1 && strcmp(arguments[WORD], clocks_word) == 0);
}

/* The test's process */

/* Becomes this program once more; the last argument is NULL. */
_Noreturn static void become(char *const *arguments,
    const char *const *environment, int output, pid_t parent)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	dup2(nothing, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(126);
	for (; environment && *environment; environment++)
		putenv((char *)(uintptr_t)*environment);
	execv("/proc/self/exe", arguments);
	_exit(127);
}

pid_t worker_start(const struct worker_plan *plan)
{
	char state[300], log[300], ttl[24];
	snprintf(state, sizeof(state), "%s.state", plan->directory);
	snprintf(log, sizeof(log), "%s.log", plan->directory);
	snprintf(ttl, sizeof(ttl), "%lld", (long long)plan->ttl_ms);
	const char *arguments[] = {"worker", worker_word, plan->directory,
	    state, plan->policy, plan->url, ttl,
	    plan->is_update ? update_word : "crawl", NULL};
	int output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	pid_t parent = getpid();
	fflush(NULL);
	pid_t pid = output < 0 ? -1 : fork();
	if (pid == 0)
		become((char *const *)(uintptr_t)arguments, plan->environment,
		    output, parent);
	if (output >= 0)
		close(output);
	return pid;
}

int worker_wait(pid_t pid, int64_t timeout_ms)
{
	int64_t until = clock_ms(CLOCK_MONOTONIC) + timeout_ms;
	int status;
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (clock_ms(CLOCK_MONOTONIC) >= until)
			return -1;
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	}
	return status;
}

bool worker_clocks(
    const char *const *environment, int64_t *wall_ms, int64_t *boot_ms)
{
	const char *arguments[] = {"worker", clocks_word, NULL};
	long long wall = 0, boot = 0;
	int pair[2];
	pid_t parent = getpid();
	if (pipe(pair) != 0)
		return false;
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		become((char *const *)(uintptr_t)arguments, environment,
		    pair[1], parent);
	close(pair[1]);
	char text[100] = "", *end = text;
	ssize_t len = read(pair[0], text, sizeof(text) - 1);
	close(pair[0]);
	bool is_known = waitpid(pid, NULL, 0) == pid && len > 0;
	wall = strtoll(text, &end, 10);
	boot = strtoll(end, NULL, 10);
	*wall_ms = wall - clock_ms(CLOCK_REALTIME);
	*boot_ms = boot - clock_ms(CLOCK_BOOTTIME);
	return is_known && boot > 0;
}
