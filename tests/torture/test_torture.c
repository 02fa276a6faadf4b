#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "random.h"
#include "server/log_check.h"
#include "tap.h"
#include "torture/faulty.h"
#include "torture/judge.h"

/* P3: whatever ends the process, the next run goes on, and nothing is lost or
 * done twice. In each round the maze is crawled and then updated, both killed
 * time and again and gone on with, and what is left is judged by what is left
 * where nobody interferes. Half of the kills come at some instant, the others
 * before, after or in the midst of one of the calls that reach files (fault.h),
 * so that none of the short moments between two of them is left to luck.
 *
 * PAVANE_TORTURE_ROUNDS says how many rounds, and PAVANE_TORTURE_SEED what the
 * instants of the first are drawn by; each further round has the next number,
 * which is told, so that it can be repeated alone. The directory of a round
 * that fails is kept, with what the server saw in requests.txt and how it was
 * killed in kills.txt.
 */
#define ROUNDS 2
#define KILLS_MAX 6
#define EARLY_MS 200
#define LATE_MS 400
#define LATE_REQUESTS 8
#define STOP_MS 100

/* As the program exits then. */
#define STOPPED 3

#define RUN_TIMEOUT_MS 120000

/* What nobody disturbs. */
struct stage {
	const char *name;
	const char *const *begin;
	int day;
	struct portrait wanted;
	int status; /* that it exits with */
	int64_t length_ms;
	struct fault_tally tally;
};

struct round {
	struct trial trial;
	struct faulty faulty;
	bool is_faulty; /* kills at calls can be had */
	struct random random;
	uint64_t seed;
	size_t kills;
	struct pv_buf told; /* a line for each run that was to be killed */
};

/* All rounds together. */
struct sum {
	size_t kills;
	size_t repeats;
	size_t in_flight;
	size_t failures;
};

static size_t setting(const char *name, size_t otherwise)
{
	const char *value = getenv(name);
	return value ? strtoull(value, NULL, 10) : otherwise;
}

static int64_t now_ms(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Kills */

enum moment {
	EARLY, /* while it starts */
	MIDST, /* anywhere */
	LATE,  /* when nearly all has been asked for */
	MOMENTS,
};

/* Waits until it is to be killed, at most until it has ended. */
static void wait_for_moment(
    struct round *round, const struct stage *stage, struct program *program)
{
	struct program_end end;
	struct timespec rest = {.tv_nsec = 0};
	size_t half = (size_t)(stage->length_ms / 2);
	size_t delay_ms = 0;
	enum moment moment = random_below(&round->random, MOMENTS);
	switch (moment) {
	case EARLY:
		delay_ms = random_below(&round->random, EARLY_MS);
		break;
	case LATE:
		server_wait(round->trial.server,
		    stage->wanted.asked.count -
			random_below(&round->random, LATE_REQUESTS),
		    (int)stage->length_ms);
		delay_ms = random_below(&round->random, LATE_MS);
		break;
	case MIDST:
	case MOMENTS:
		delay_ms = random_below(&round->random, half);
		break;
	}
	rest.tv_nsec = (long)random_below(&round->random, 1000000);
	pv_buf_append_format(&round->told, "%s: after %zu ms, moment %d\n",
	    stage->name, delay_ms, (int)moment);
	if (!program_wait(program, (int)delay_ms, &end))
		nanosleep(&rest, NULL);
}

/* Any of the calls that nobody disturbs makes, the first ones rather than the
 * last, since what was done is not done again. */
static void plan_call(struct round *round, const struct stage *stage)
{
	static const enum fault_sort sorts[] = {FAULT_OPEN, FAULT_WRITE,
	    FAULT_WRITE, FAULT_SYNC, FAULT_RENAME, FAULT_TRUNCATE, FAULT_MAKE,
	    FAULT_REMOVE, FAULT_CLOSE, FAULT_STEP, FAULT_STEP};
	static const char *const actions[] = {
	    "kill", "kill-half", "kill-after"};
	size_t sort_count = sizeof(sorts) / sizeof(*sorts);
	enum fault_sort sort = sorts[random_below(&round->random, sort_count)];
	const char *action = actions[random_below(&round->random, 3)];
	uint64_t most = stage->tally.calls[sort];
	most >>= random_below(&round->random, 8);
	unsigned number =
	    1 + (unsigned)random_below(&round->random, (size_t)most + 1);
	faulty_plan(
	    &round->faulty, "%s %u %s", fault_sorts[sort], number, action);
	pv_buf_append_format(&round->told, "%s: at %s %u of %llu, %s\n",
	    stage->name, fault_sorts[sort], number,
	    (unsigned long long)stage->tally.calls[sort], action);
}

/* A crawl is gone on with as it was begun, or by `continue`. */
static const char *const *arguments_of(
    struct round *round, const struct stage *stage)
{
	bool is_other = random_below(&round->random, 2);
	bool is_begun = stage->begin == trial_update
			    ? trial_has_update(&round->trial)
			    : is_other && trial_has_begun(&round->trial);
	return is_begun ? trial_continue : stage->begin;
}

/* One in four is stopped first, once or twice, so that it is killed while it
 * ends, or ends. */
static void stop(struct round *round, struct program *program)
{
	static const int signals[] = {SIGINT, SIGTERM};
	struct program_end end;
	size_t count = random_below(&round->random, 8);
	for (size_t i = 6; i <= count; i++) {
		size_t delay_ms = random_below(&round->random, STOP_MS);
		pv_buf_append_format(
		    &round->told, "  stopped, for %zu ms\n", delay_ms);
		program_signal(
		    program, signals[random_below(&round->random, 2)]);
		program_wait(program, (int)delay_ms, &end);
	}
}

/* False if it ended by itself, and not well. */
static bool run_and_kill(struct round *round, const struct stage *stage)
{
	struct program_end end = {.status = -1};
	bool is_call = round->is_faulty && random_below(&round->random, 2);
	const char *const *arguments = arguments_of(round, stage);
	if (is_call)
		plan_call(round, stage);
	struct program *program = program_start(&round->trial.home, arguments);
	faulty_rest(&round->faulty);
	if (!program)
		return false;
	if (is_call)
		program_wait(program, RUN_TIMEOUT_MS, &end);
	else
		wait_for_moment(round, stage, program);
	if (!is_call)
		stop(round, program);
	program_signal(program, SIGKILL);
	program_wait(program, RUN_TIMEOUT_MS, &end);
	pv_buf_append_format(&round->told, "  %s: %s\n",
	    end.is_killed ? "killed" : "ended by itself",
	    is_call ? round->faulty.tally->struck : "");
	if (end.is_killed || end.status == STOPPED)
		trial_note_end(&round->trial, end.waited_us);
	round->kills += end.is_killed;
	program_destroy(program);
	return end.is_killed || end.status == stage->status ||
	       end.status == STOPPED;
}

/* Judging */

/* The server's log, for who looks into what went wrong. */
static void keep_requests(struct trial *trial)
{
	struct pv_buf text;
	struct log_view view = log_view_of(trial->server);
	pv_buf_init(&text, 64u << 20);
	for (size_t i = 0; i < view.count; i++) {
		const struct server_record *record = &view.records[i];
		pv_buf_append_format(&text, "%lld %lld %d %.*s %.*s\n",
		    (long long)record->begin_us, (long long)record->end_us,
		    record->status, PV_STR_ARG(record->host),
		    PV_STR_ARG(record->target));
	}
	for (size_t i = 0; i < trial->end_count; i++)
		pv_buf_append_format(
		    &text, "%lld killed\n", (long long)trial->ends_us[i]);
	home_write(&trial->home, "requests.txt", pv_buf_str(&text));
	pv_buf_finish(&text);
	log_view_finish(&view);
}

static void show(struct trial *trial, const char *faults)
{
	keep_requests(trial);
	printf("# kept in %s\n# ", trial->home.path);
	for (; *faults; faults++)
		printf(*faults == '\n' && faults[1] ? "\n# " : "%c", *faults);
	fflush(stdout);
}

static bool judge_stage(
    struct round *round, const struct stage *stage, struct sum *sum)
{
	struct judgement judgement;
	judge(&judgement, &round->trial, &stage->wanted);
	bool is_well = ok(judgement.fault_count == 0,
	    "P3: %s %llu: %zu kills, %zu requests again of %zu in flight",
	    stage->name, (unsigned long long)round->seed, round->kills,
	    judgement.repeats, judgement.in_flight);
	if (!is_well)
		show(&round->trial, pv_buf_text(&judgement.faults));
	sum->repeats += judgement.repeats;
	sum->in_flight += judgement.in_flight;
	judgement_finish(&judgement);
	return is_well;
}

/* Rounds */

/* Whether all is well. */
static bool go_through(
    struct round *round, const struct stage *stage, struct sum *sum)
{
	struct pv_buf said;
	bool is_well = true;
	size_t kills = 1 + random_below(&round->random, KILLS_MAX);
	trial_set_day(&round->trial, stage->day);
	for (size_t i = 0; i < kills && is_well; i++)
		is_well = run_and_kill(round, stage);
	pv_buf_init(&said, 1 << 20);
	int status =
	    trial_run(&round->trial, arguments_of(round, stage), &said);
	if (!is_well || status != stage->status) {
		ok(false, "%s %llu: it goes on to its end (%d)", stage->name,
		    (unsigned long long)round->seed, status);
		show(&round->trial, pv_buf_text(&said));
		is_well = false;
	}
	pv_buf_finish(&said);
	return is_well && judge_stage(round, stage, sum);
}

static void run_round(
    uint64_t seed, const struct stage *stages, size_t count, struct sum *sum)
{
	bool is_well = true;
	struct round round = {.random = random_of(seed), .seed = seed};
	if (!trial_open(&round.trial)) {
		ok(false, "a maze is there");
		return;
	}
	if (seed % 2)
		trial_keep_clocks_apart(&round.trial);
	round.is_faulty = faulty_open(&round.faulty, &round.trial.home, "o") &&
			  stages[0].tally.changes;
	faulty_rest(&round.faulty);
	pv_buf_init(&round.told, 1 << 20);
	for (size_t i = 0; i < count && is_well; i++)
		is_well = go_through(&round, &stages[i], sum);
	home_write(&round.trial.home, "kills.txt", pv_buf_str(&round.told));
	faulty_close(&round.faulty);
	pv_buf_finish(&round.told);
	sum->kills += round.kills;
	sum->failures += !is_well;
	trial_close(&round.trial, !is_well);
}

/* Whether the program runs with the library: where sanitizers want to be loaded
 * first it does not. */
static bool can_strike(struct faulty *faulty, struct trial *trial)
{
	static const char *const version[] = {"--version", NULL};
	struct program_end end;
	bool can = faulty_open(faulty, &trial->home, "o") &&
		   program_run(&trial->home, version, NULL, &end) &&
		   !end.is_killed && end.status == 0;
	if (!can)
		puts("# kills come at instants only: no library can be "
		     "preloaded here");
	faulty_rest(faulty);
	return can;
}

/* What there is to compare with; it is judged, too. */
static bool run_undisturbed(struct stage *stages, size_t count)
{
	struct judgement judgement;
	struct trial trial;
	struct faulty faulty;
	if (!trial_open(&trial))
		return false;
	bool is_well = true;
	bool is_faulty = can_strike(&faulty, &trial);
	for (size_t i = 0; i < count && is_well; i++) {
		int64_t start_ms = now_ms();
		trial_set_day(&trial, stages[i].day);
		if (is_faulty)
			faulty_plan(&faulty, NULL);
		stages[i].status = trial_run(&trial, stages[i].begin, NULL);
		faulty_rest(&faulty);
		if (is_faulty)
			stages[i].tally = *faulty.tally;
		stages[i].length_ms = now_ms() - start_ms;
		server_wait_idle(trial.server, 0, RUN_TIMEOUT_MS);
		portrait_take(&stages[i].wanted, &trial);
		judge(&judgement, &trial, &stages[i].wanted);
		is_well = ok((stages[i].status == 0 ||
				 stages[i].status == TRIAL_SEED_FAILED) &&
				 judgement.fault_count == 0,
		    "%s that nobody disturbs is as it should be (%lld ms)",
		    stages[i].name, (long long)stages[i].length_ms);
		if (!is_well)
			show(&trial, pv_buf_text(&judgement.faults));
		judgement_finish(&judgement);
	}
	faulty_close(&faulty);
	trial_close(&trial, !is_well);
	return is_well;
}

int main(void)
{
	struct stage stages[] = {
	    {.name = "a crawl", .begin = trial_crawl, .day = 1},
	    {.name = "an update", .begin = trial_update, .day = 2},
	};
	size_t stage_count = sizeof(stages) / sizeof(*stages);
	size_t rounds = setting("PAVANE_TORTURE_ROUNDS", ROUNDS);
	uint64_t seed = setting("PAVANE_TORTURE_SEED", 1);
	struct sum sum = {.kills = 0};
	if (run_undisturbed(stages, stage_count)) {
		for (size_t i = 0; i < rounds; i++)
			run_round(seed + i, stages, stage_count, &sum);
		printf("# %zu rounds from PAVANE_TORTURE_SEED=%llu, %zu kills, "
		       "%zu requests again of %zu in flight, %zu failures\n",
		    rounds, (unsigned long long)seed, sum.kills, sum.repeats,
		    sum.in_flight, sum.failures);
	}
	for (size_t i = 0; i < stage_count; i++)
		portrait_finish(&stages[i].wanted);
	return tap_done();
}
