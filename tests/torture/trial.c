#include "torture/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "store/database.h"
#include "torture/maze.h"

#define RUN_TIMEOUT_MS 120000
#define SAID_MAX (1u << 20)

const char *const trial_crawl[] = {
    "crawl", "policy.yaml", "-o", "o", "-q", NULL};
const char *const trial_update[] = {"update", "o", "-q", NULL};
const char *const trial_continue[] = {"continue", "o", "-q", NULL};

static void write_policy(struct trial *trial, bool has_shared_clocks)
{
	struct pv_buf policy;
	pv_buf_init(&policy, SAID_MAX);
	maze_write_policy(
	    server_port(trial->server), has_shared_clocks, &policy);
	home_write(&trial->home, "policy.yaml", pv_buf_str(&policy));
	pv_buf_finish(&policy);
}

bool trial_open(struct trial *trial)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	*trial = (struct trial){.maze = pv_alloc(sizeof(*trial->maze))};
	trial_set_day(trial, 1);
	trial->server = server_start(&(struct server_plan){
	    .addresses = everywhere,
	    .answer = maze_answer,
	    .ctx = trial->maze,
	});
	if (!trial->server || !home_make(&trial->home))
		return false;
	write_policy(trial, true);
	return true;
}

void trial_keep_clocks_apart(struct trial *trial)
{
	write_policy(trial, false);
}

void trial_close(struct trial *trial, bool is_kept)
{
	server_stop(trial->server);
	if (!is_kept)
		home_remove(&trial->home);
	free(trial->maze);
}

void trial_set_day(struct trial *trial, int day)
{
	atomic_store(&trial->maze->day, day);
}

int trial_run(
    struct trial *trial, const char *const *arguments, struct pv_buf *said)
{
	struct program_end end;
	struct program *program = program_start(&trial->home, arguments);
	if (!program)
		return -1;
	bool has_ended = program_wait(program, RUN_TIMEOUT_MS, &end);
	if (said)
		program_errors(program, said);
	program_destroy(program);
	return has_ended && !end.is_killed ? end.status : -1;
}

void trial_note_end(struct trial *trial, int64_t waited_us)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	if (trial->end_count == TRIAL_ENDS_MAX)
		abort();
	trial->waited_us[trial->end_count] = waited_us;
	trial->ends_us[trial->end_count++] =
	    time.tv_sec * INT64_C(1000000) + time.tv_nsec / 1000;
}

bool trial_has_begun(struct trial *trial)
{
	return access(home_file(&trial->home, "o/policy.yaml"), F_OK) == 0;
}

bool trial_has_update(struct trial *trial)
{
	struct pv_database *database =
	    pv_database_look(home_file(&trial->home, "o/state.db"));
	int64_t round =
	    pv_database_number(database, "SELECT max(number) FROM rounds");
	pv_database_close(database);
	return round > 1;
}
