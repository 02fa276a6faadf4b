#ifndef PAVANE_TESTS_FLEET_SCENE_WORKER_H
#define PAVANE_TESTS_FLEET_SCENE_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A worker of a fleet in a process of its own, as if on a machine of its own: its
 * directory and what crawls of one machine share are its own. It is the test's
 * program once more, which crawls by the public functions, and opens the crawl again
 * where it has lost its place. SIGTERM asks it to stop, as for the program.
 *
 * main begins with
 *
 *	if (worker_is_meant(argc, argv))
 *		return worker_run(argv);
 */
struct worker_plan {
	const char *directory; /* its files are DIRECTORY, DIRECTORY.log and
				  DIRECTORY.state */
	const char *policy;    /* a file */
	const char *url;
	int64_t ttl_ms;
	bool is_update;
	const char *const
	    *environment; /* "NAME=value", the last NULL; or NULL */
};

bool worker_is_meant(int count, char **arguments);
int worker_run(char **arguments);

/* It ends with the test, however that ends. Negative if there can be none. */
pid_t worker_start(const struct worker_plan *plan);

/* Waits for its end: what waitpid says; negative if it did not come within the time:
 * it still runs. */
int worker_wait(pid_t pid, int64_t timeout_ms);

/* By how much the wall clock of a process with such an environment is off, and its
 * CLOCK_BOOTTIME, in milliseconds; false if that cannot be known. */
bool worker_clocks(
    const char *const *environment, int64_t *wall_ms, int64_t *boot_ms);

#endif
