#ifndef PAVANE_TESTS_TOGETHER_H
#define PAVANE_TESTS_TOGETHER_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

/* Parts of a test that run at the same time, each in a process of its own, since
 * they mostly wait:
 *
 *   struct together all = {0};
 *   together(&all, test_stop(SIGINT));
 *   together(&all, test_stop(SIGKILL));
 *   together_end(&all);
 *
 * Their claims are told in this order, whoever ends first. Parts share nothing
 * that they change, and begin where the process has one thread. */

#define TOGETHER_MAX 8

struct together {
	struct {
		pid_t pid;
		FILE *said;
	} parts[TOGETHER_MAX];
	size_t most; /* at the same time; 0: TOGETHER_MAX */
	size_t begun;
	size_t told;
};

#define together(all, call)                  \
	do {                                 \
		if (together_begin((all))) { \
			call;                \
			together_leave();    \
		}                            \
	} while (0)

/* Tells what a part has said, under the numbers of the whole. Returns whether
 * its last line is that of a part that came to its end. */
static inline bool together_repeat(FILE *said)
{
	char *line = NULL;
	size_t size = 0;
	bool has_ended = false;
	rewind(said);
	while (getline(&line, &size, said) > 0) {
		bool is_failure = strncmp(line, "not ok ", 7) == 0;
		char *claim = strncmp(line, "ok ", 3) == 0 ? line + 3 : NULL;
		if (is_failure)
			claim = line + 7;
		has_ended = strcmp(line, "together_leave\n") == 0;
		if (claim) {
			tap_count();
			tap.failures += is_failure;
			printf("%s %u%s", is_failure ? "not ok" : "ok",
			    tap.claims, claim + strcspn(claim, " "));
		} else if (!has_ended) {
			fputs(line, stdout);
		}
	}
	free(line);
	fclose(said);
	return has_ended;
}

/* Waits for the part that began first of those that are not told yet. */
static inline void together_tell(struct together *all)
{
	size_t number = all->told++;
	int status = -1;
	pid_t pid = all->parts[number % TOGETHER_MAX].pid;
	bool has_ended = waitpid(pid, &status, 0) == pid && status == 0;
	if (!together_repeat(all->parts[number % TOGETHER_MAX].said) ||
	    !has_ended)
		ok(false, "part %zu comes to its end (status %#x)", number + 1,
		    (unsigned)status);
	fflush(stdout);
}

/* Returns whether this is the part. */
static inline bool together_begin(struct together *all)
{
	if (all->begun - all->told == (all->most ? all->most : TOGETHER_MAX))
		together_tell(all);
	FILE *said = tmpfile();
	fflush(stdout);
	pid_t pid = said ? fork() : -1;
	if (pid < 0) {
		perror("together");
		exit(1);
	}
	if (pid == 0) {
		dup2(fileno(said), STDOUT_FILENO);
		tap.claims = tap.failures = 0;
		return true;
	}
	all->parts[all->begun % TOGETHER_MAX].pid = pid;
	all->parts[all->begun++ % TOGETHER_MAX].said = said;
	return false;
}

/* By exit, so that leaks are looked for. */
static inline _Noreturn void together_leave(void)
{
	printf("together_leave\n");
	tap.is_done = true;
	exit(0);
}

static inline void together_end(struct together *all)
{
	while (all->told < all->begun)
		together_tell(all);
}

#endif
