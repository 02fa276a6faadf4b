#include "cli/run/running.h"

#include <stdlib.h>

#include "cli/fake_progress.h"
#include "cli/run/command.h"
#include "cli/run/reporter.h"
#include "cli/run/signals.h"
#include "scratch.h"
#include "tap.h"

/* From a directory's name to the exit status, and what SIGHUP changes on the
 * way. Crawls, signals and whoever is told are the test's own. */

#define WEAK __attribute__((weak))

/* How a run of a crawl goes. */
struct turn {
	enum pavane_end end;
	bool has_hangup;
	bool has_stop;
	bool is_changed; /* something was set meanwhile */
};

struct opened {
	const struct pavane_policy *policy;
	bool is_fresh;
	bool is_update;
};

static struct {
	const struct turn *turns;
	bool cannot_open;
	bool is_unheard;

	struct opened opened[4];
	unsigned opens;
	unsigned closes;
	unsigned interrupts;
	unsigned attached; /* while a crawl is closed */
	unsigned errors;   /* lines */
	bool has_hangup;
	bool has_stop;
} play;

struct pavane_crawl {
	struct pavane_crawl_options options;
	struct pavane_progress progress;
	bool is_attached;
};

static struct pavane_crawl crawl;

/* Signals */

struct pv_signals *pv_signals_start(void)
{
	return (struct pv_signals *)&play;
}

void pv_signals_attach(struct pv_signals *signals, struct pavane_crawl *asked)
{
	(void)signals;
	crawl.is_attached = asked != NULL;
}

bool pv_signals_take_reload(struct pv_signals *signals)
{
	bool has_hangup = play.has_hangup;
	(void)signals;
	play.has_hangup = false;
	return has_hangup;
}

bool pv_signals_has_stop(struct pv_signals *signals)
{
	(void)signals;
	return play.has_stop;
}

bool pv_signals_take_question(struct pv_signals *signals)
{
	(void)signals;
	return false;
}

bool pv_signals_take_return(struct pv_signals *signals)
{
	(void)signals;
	return false;
}

void pv_signals_stop(struct pv_signals *signals)
{
	(void)signals;
}

/* Who is told */

struct pv_reporter *pv_reporter_create(
    const struct pv_options *options, struct pv_signals *signals)
{
	(void)options;
	return (struct pv_reporter *)signals;
}

bool pv_reporter_is_heard(struct pv_reporter *reporter)
{
	(void)reporter;
	return !play.is_unheard;
}

void pv_reporter_destroy(struct pv_reporter *reporter)
{
	(void)reporter;
}

enum pavane_level pv_reporter_level(const struct pv_options *options)
{
	(void)options;
	return PAVANE_INFO;
}

void pv_reporter_on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)line;
	play.errors += level == PAVANE_ERROR;
}

void pv_reporter_on_progress(void *ctx, const struct pavane_progress *progress)
{
	(void)ctx;
	(void)progress;
}

void pv_reporter_say(struct pv_reporter *reporter, const char *text)
{
	(void)reporter;
	(void)text;
}

void pv_reporter_end(struct pv_reporter *reporter,
    const struct pavane_progress *progress, const char *summary)
{
	(void)reporter;
	(void)progress;
	(void)summary;
}

/* Crawls; the library's own stand beside these */

WEAK struct pavane_crawl *pavane_crawl_open(const struct pavane_policy *policy,
    const struct pavane_crawl_options *options)
{
	if (play.cannot_open || play.opens == 4)
		return NULL;
	play.opened[play.opens++] =
	    (struct opened){policy, options->is_fresh, options->is_update};
	crawl.options = *options;
	fake_progress(&crawl.progress);
	return &crawl;
}

WEAK enum pavane_end pavane_crawl_run(struct pavane_crawl *run)
{
	const struct turn *turn = &play.turns[play.opens - 1];
	play.has_hangup = turn->has_hangup;
	play.has_stop = turn->has_stop;
	run->options.on_progress(run->options.ctx, &run->progress);
	run->progress.end = turn->end;
	return turn->end;
}

WEAK void pavane_crawl_stop(struct pavane_crawl *run)
{
	(void)run;
}

WEAK void pavane_crawl_interrupt(struct pavane_crawl *run)
{
	(void)run;
	play.interrupts++;
}

WEAK bool pavane_crawl_has_changed(const struct pavane_crawl *run)
{
	(void)run;
	return play.turns[play.opens - 1].is_changed;
}

WEAK struct pavane_crawl *pavane_crawl_reopen(struct pavane_crawl *run,
    const struct pavane_policy *policy,
    const struct pavane_crawl_options *options)
{
	pavane_crawl_close(run);
	return pavane_crawl_open(policy, options);
}

WEAK const struct pavane_progress *pavane_crawl_progress(
    struct pavane_crawl *run)
{
	return &run->progress;
}

WEAK const char *pavane_crawl_directory(const struct pavane_crawl *run)
{
	(void)run;
	return "nowhere";
}

WEAK void pavane_crawl_close(struct pavane_crawl *run)
{
	play.closes++;
	play.attached += run->is_attached;
}

WEAK void pavane_crawl_leave(struct pavane_crawl *run)
{
	play.attached += run->is_attached;
}

WEAK struct pavane_status *pavane_status_read(
    const char *directory, pavane_line_fn on_line, void *ctx)
{
	(void)directory;
	(void)on_line;
	(void)ctx;
	return NULL;
}

WEAK void pavane_status_destroy(struct pavane_status *status)
{
	(void)status;
}

WEAK const char *pavane_policy_directory(const struct pavane_policy *policy)
{
	(void)policy;
	return "nowhere";
}

/* Playing */

static void write_policy(const struct scratch *scratch, const char *text)
{
	FILE *file = fopen(scratch_file(scratch, "policy.yaml"), "w");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

static int run(const char *policy, const struct pv_run *plan)
{
	struct scratch scratch;
	scratch_make(&scratch);
	write_policy(&scratch, policy);
	struct pavane_sources sources = {.size = sizeof(struct pavane_sources),
	    .file = scratch_file(&scratch, "policy.yaml")};
	struct pv_run run = *plan;
	run.sources = &sources;
	run.directory = "nowhere";
	int status = pv_run_crawl(&run);
	scratch_remove(&scratch);
	return status;
}

static int play_turns(
    const char *policy, const struct turn *turns, const struct pv_run *plan)
{
	play.turns = turns;
	play.opens = play.closes = play.interrupts = play.attached =
	    play.errors = 0;
	return run(policy, plan);
}

#define GOOD "seeds: [\"http://localhost/\"]\n"
#define WRONG "seeds: [\"http://localhost/\"]\nsedes: x\n"

static const struct pv_options fresh = {
    .program = "pavane", .is_fresh = true, .is_agreed = true};
static const struct pv_options usual = {.program = "pavane"};

/* Reading again */

static void test_hangup(const struct pavane_policy *policy)
{
	static const struct turn turns[] = {
	    {PAVANE_STOPPED, true, false, false},
	    {PAVANE_STOPPED, true, false, false},
	    {PAVANE_LIMITED, false, false, false}};
	const struct pv_run plan = {
	    .options = &fresh, .policy = policy, .is_update = true};
	ok(play_turns(GOOD, turns, &plan) == EXIT_LIMITED && play.opens == 3 &&
		play.interrupts == 2,
	    "each SIGHUP interrupts the crawl, which is opened again: its last "
	    "end is told");
	ok(play.opened[0].is_fresh && play.opened[0].is_update &&
		play.opened[0].policy == policy,
	    "at first as the command line says");
	ok(!play.opened[1].is_fresh && !play.opened[2].is_fresh,
	    "P3: then what was begun is gone on with, and never thrown away");
	ok(!play.opened[1].is_update && !play.opened[2].is_update,
	    "nor does another update begin");
	ok(play.opened[1].policy != policy && play.opened[2].policy != policy,
	    "by the policy that was read again");
	ok(play.closes == 2 && !play.attached,
	    "what is closed is closed once, and nobody asks it to stop then");
}

static void test_wrong(const struct pavane_policy *policy)
{
	static const struct turn turns[] = {
	    {PAVANE_FINISHED, true, false, false}};
	const struct pv_run plan = {.options = &usual, .policy = policy};
	ok(play_turns(WRONG, turns, &plan) == EXIT_FINISHED &&
		play.opens == 1 && !play.interrupts && play.errors >= 2,
	    "P4: a policy that is wrong by now is told, and changes nothing");
}

static void test_not_on(const struct pavane_policy *policy)
{
	static const struct turn failed[] = {
	    {PAVANE_FAILED, true, false, false},
	    {PAVANE_FINISHED, false, false, false}};
	static const struct turn stopped[] = {
	    {PAVANE_STOPPED, true, true, false},
	    {PAVANE_FINISHED, false, false, false}};
	const struct pv_run plan = {.options = &usual, .policy = policy};
	ok(play_turns(GOOD, failed, &plan) == EXIT_FAILED && play.opens == 1,
	    "P3: after a failure no crawl goes on, whatever is to be read "
	    "again");
	ok(play_turns(GOOD, stopped, &plan) == EXIT_STOPPED && play.opens == 1,
	    "P6: nor where somebody has asked to stop");
}

static void test_set(const struct pavane_policy *policy)
{
	static const struct turn turns[] = {
	    {PAVANE_STOPPED, false, false, true},
	    {PAVANE_STOPPED, true, false, true},
	    {PAVANE_FINISHED, false, false, false}};
	static const struct turn stopped[] = {
	    {PAVANE_STOPPED, false, true, true}};
	const struct pv_run plan = {
	    .options = &fresh, .policy = policy, .is_update = true};
	ok(play_turns(GOOD, turns, &plan) == EXIT_FINISHED && play.opens == 3 &&
		play.closes == 2 && !play.attached,
	    "where keys were set the crawl is opened again");
	ok(play.opened[1].policy == policy && !play.opened[1].is_fresh &&
		!play.opened[1].is_update,
	    "P3: by the same policy, and goes on");
	ok(play.opened[2].policy != policy,
	    "or by the one that was read again at the same time");
	ok(play_turns(GOOD, stopped, &plan) == EXIT_STOPPED && play.opens == 1,
	    "P6: but not where somebody has asked to stop");
}

/* Ends */

static void test_ends(const struct pavane_policy *policy)
{
	static const struct {
		enum pavane_end end;
		int status;
	} ends[] = {{PAVANE_FINISHED, EXIT_FINISHED},
	    {PAVANE_FAILED, EXIT_FAILED}, {PAVANE_STOPPED, EXIT_STOPPED},
	    {PAVANE_LIMITED, EXIT_LIMITED}, {PAVANE_NOT_BEGUN, EXIT_NOT_BEGUN}};
	const struct pv_run plan = {.options = &usual, .policy = policy};
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const struct turn turn = {ends[i].end, false, false, false};
		ok(play_turns(GOOD, &turn, &plan) == ends[i].status &&
			play.opens == 1 && !play.closes && !play.attached,
		    "an end has the status %d, and is left once",
		    ends[i].status);
	}
}

static void test_faults(const struct pavane_policy *policy)
{
	static const struct turn turn = {PAVANE_FINISHED, false, false, false};
	const struct pv_run plan = {.options = &usual, .policy = policy};
	play.cannot_open = true;
	ok(play_turns(GOOD, &turn, &plan) == EXIT_FAILED,
	    "what cannot be opened is a failure");
	play.cannot_open = false;
	play.is_unheard = true;
	ok(play_turns(GOOD, &turn, &plan) == EXIT_FAILED,
	    "so is a standard output that does not take everything");
	play.is_unheard = false;
}

static int examine(
    void *ctx, const struct pavane_progress *progress, FILE *file)
{
	(void)file;
	*(enum pavane_end *)ctx = progress->end;
	return 42;
}

static void test_examining(const struct pavane_policy *policy)
{
	static const struct turn turn = {PAVANE_LIMITED, false, false, false};
	enum pavane_end seen = PAVANE_FINISHED;
	const struct pv_run plan = {.options = &usual,
	    .policy = policy,
	    .examine = examine,
	    .ctx = &seen};
	ok(play_turns(GOOD, &turn, &plan) == 42 && seen == PAVANE_LIMITED,
	    "whoever looks at a crawl in the end says its status");
}

int main(void)
{
	static const char *const addresses[] = {"http://localhost/"};
	const struct pavane_sources sources = {
	    .size = sizeof(struct pavane_sources),
	    .addresses = addresses,
	    .address_count = 1};
	setenv("XDG_CONFIG_HOME", "/nowhere", 1);
	struct pavane_policy *policy = pavane_policy_load(&sources);
	test_hangup(policy);
	test_wrong(policy);
	test_not_on(policy);
	test_set(policy);
	test_ends(policy);
	test_faults(policy);
	test_examining(policy);
	pavane_policy_destroy(policy);
	return tap_done();
}
