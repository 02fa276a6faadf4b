#ifndef PAVANE_TESTS_SERVER_RUN_PROGRAM_H
#define PAVANE_TESTS_SERVER_RUN_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Our program as a person runs it: with arguments, signals and an end, in a
 * home of the test's own, so that nobody's configuration matters.
 *
 *	struct home home;
 *	home_make(&home);
 *	home_print(&home, "policy.yaml", "version: 1\nseeds: [...:%u/]\n",
 *	    server_port(server));
 *	struct program *program = program_start(&home,
 *	    (const char *[]){"crawl", "policy.yaml", "-o", "crawl", NULL});
 *	server_wait(server, 10, 5000);
 *	program_signal(program, SIGINT);
 *	struct program_end end;
 *	ok(program_wait(program, 5000, &end) && end.status == 3, "...");
 *	program_destroy(program);
 *	home_remove(&home);
 *
 * A home outlives programs, so that one can go on with what another left.
 */

/* A directory in the one where the test runs, with "config" for
 * XDG_CONFIG_HOME in it; "state" is for XDG_STATE_HOME, and made by who needs
 * it. */
struct home {
	char path[512]; /* from the root */
	char file[1024];

	/* More for the environment of programs, "NAME=value", the last NULL;
	 * NULL for none. */
	const char *const *environment;

	/* How many programs there have ended by themselves that had to tell
	 * what they left open (leftovers.h). */
	unsigned watched_ends;
};

bool home_make(struct home *home);

/* With all that is in it. */
void home_remove(struct home *home);

/* The path of what is called so in it, until the next call. */
const char *home_file(struct home *home, const char *name);

/* Writes a file there, and says where, until the next call. */
const char *home_write(struct home *home, const char *name, struct pv_str text);

const char *home_print(struct home *home, const char *name, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

/* Appends what a file there holds; false if it cannot be read. */
bool home_read(struct home *home, const char *name, struct pv_buf *text);

struct program;

struct program_end {
	bool is_killed; /* by a signal, which is its status then */
	int status;     /* what it exited with */
	int64_t wall_ms;
	int64_t cpu_ms;
	int64_t waited_us;   /* its first thread, which conducts, for a
				processor; 0 where the system does not tell */
	size_t memory_bytes; /* resident at most; no less than the test's own
				was at the start */
};

/* Starts what the variable PAVANE names, or ./pavane, with these arguments (the
 * last is NULL), in the home, so that files there need no path. Its environment
 * is PATH, the home's, what sanitizers want to know, what the home has more of
 * it, and nothing else. NULL, with a line for whoever runs the test, if that
 * cannot be. */
struct program *program_start(struct home *home, const char *const *arguments);

/* Waits for its end. False if it did not end within the time: it still runs. */
bool program_wait(
    struct program *program, int timeout_ms, struct program_end *end);

/* Starts a program, waits, and destroys it, of which the output is appended to
 * the buffer, what it said on standard error last; that may be NULL. */
bool program_run(struct home *home, const char *const *arguments,
    struct pv_buf *said, struct program_end *end);

void program_signal(struct program *program, int signal);

/* Whether it is stopped, by SIGSTOP or by itself. */
bool program_is_halted(const struct program *program);

/* Appends what it has said until now on standard output, or on standard
 * error. */
void program_output(struct program *program, struct pv_buf *buf);
void program_errors(struct program *program, struct pv_buf *buf);

/* Waits until it has said that on either; false if it did not within the time,
 * or has ended. */
bool program_says(struct program *program, const char *text, int timeout_ms);

/* Resident memory now and at most until now, and open files; 0 if it has
 * ended. */
size_t program_memory(const struct program *program);
size_t program_memory_peak(const struct program *program);
size_t program_file_count(const struct program *program);

/* The processor's time that its first thread, which conducts, has used, in
 * microseconds; negative if it has ended. */
int64_t program_conductor_us(const struct program *program);

/* The same of all its threads, also when it has ended. */
int64_t program_cpu_us(const struct program *program);

/* Tells, as remarks of the test, what each of its threads is at, and what a crawl
 * says of itself (harness/stacks.sh): of one that does not come to its end. */
void program_tell_stacks(const struct program *program);

/* Kills it, if it still runs. NULL is fine. */
void program_destroy(struct program *program);

#endif
