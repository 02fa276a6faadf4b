#ifndef PAVANE_TESTS_TORTURE_TRIAL_H
#define PAVANE_TESTS_TORTURE_TRIAL_H

#include "server/run_program.h"
#include "server/server.h"

/* A crawl of the maze (maze.h) by the program, which a test may cut short as
 * it likes: a home with a policy, in which the crawl's directory is "o", the
 * server, and when its runs were cut short. */
#define TRIAL_ENDS_MAX 256

/* What the program exits with when it has finished: one of the seeds was moved
 * to a host that does not want to be crawled. */
#define TRIAL_SEED_FAILED 5

struct maze;

struct trial {
	struct home home;
	struct server *server;
	struct maze *maze;
	int64_t ends_us[TRIAL_ENDS_MAX];   /* of the monotonic clock */
	int64_t waited_us[TRIAL_ENDS_MAX]; /* for a processor, until then */
	size_t end_count;
};

/* The arguments of the program to crawl the maze, or go on with that; to begin
 * an update; to go on with either. */
extern const char *const trial_crawl[];
extern const char *const trial_update[];
extern const char *const trial_continue[];

/* False, with a line for whoever runs the test, if it cannot be. */
bool trial_open(struct trial *trial);

/* The home stays if it is to be looked at. */
void trial_close(struct trial *trial, bool is_kept);

/* The crawl keeps its clocks to itself, where it would share them with the
 * user's others: what outlives an end is then what its state knows. */
void trial_keep_clocks_apart(struct trial *trial);

/* The site is another from now on (maze.h). */
void trial_set_day(struct trial *trial, int day);

/* Runs the program to its end, with nothing in its way. Its exit status; what
 * it said is appended, if `said` is not NULL. -1 if it was killed, or did not
 * end in time. */
int trial_run(
    struct trial *trial, const char *const *arguments, struct pv_buf *said);

/* To be called when a run is over that did not finish, however it ended, and
 * before the next is started; with what its end says of how long it waited for a
 * processor. */
void trial_note_end(struct trial *trial, int64_t waited_us);

/* Whether `continue` can go on with it: it has a policy. */
bool trial_has_begun(struct trial *trial);

/* Whether it is being updated, or was: then only `continue` goes on with that,
 * since `update` would begin another one if it is complete. */
bool trial_has_update(struct trial *trial);

#endif
