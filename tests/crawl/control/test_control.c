#include "crawl/control/control.h"

#include "crawl/simulation.h"

/* Pauses, and stopping from outside, in simulated time: whole crawls whose file
 * `control` is written while they run. */

#define SECOND 1000
#define LONG (600 * SECOND)

/* From an order until nothing new goes out: until the file is read, and what
 * was released has connected. */
#define HEEDED_MS 600

#define STEPS_MAX 8

enum what {
	NOTHING,
	PAUSE,
	RESUME,
	STOP,
	SPOIL,  /* the file */
	REMOVE, /* the file */
};

/* What a person does, so long after the crawl began. */
struct step {
	int64_t at;
	enum what what;
	const char *host; /* "": all */
	int64_t until_ms; /* since the crawl began; 0: it is resumed */
};

static struct {
	struct step steps[STEPS_MAX];
	unsigned done;
	unsigned refused; /* changes of the file that failed */
	unsigned notes;   /* progress that tells of a pause */
	int64_t quiet_from;
	int64_t quiet_until;
	unsigned in_quiet; /* requests of then */
	unsigned look_ups; /* when quiet began, and how many more when over */
	unsigned more_look_ups;
	int64_t busy_from; /* requests within a second of then */
	unsigned in_busy;
	unsigned most_in_second;
} script;

static int64_t since_begin(void)
{
	return simulated.now_ms - simulation.began_at;
}

static bool change(void *ctx, struct pv_orders *orders)
{
	const struct step *step = ctx;
	struct pv_str host = pv_str_of(step->host ? step->host : "");
	int64_t now = simulation.crawl->now.wall_ms;
	switch (step->what) {
	case PAUSE:
		return pv_orders_pause(orders, host, now,
		    step->until_ms ? now + step->until_ms - step->at
				   : INT64_MAX);
	case RESUME:
		return pv_orders_resume(orders, host);
	case STOP:
		orders->stop_run = simulation.crawl->run.number;
		return true;
	default:
		return false;
	}
}

static void write_rubbish(void)
{
	char path[300];
	snprintf(path, sizeof(path), "%s/control", simulation.crawl->directory);
	FILE *file = fopen(path, "w");
	fputs("rubbish\n", file);
	fclose(file);
}

static void take_step(struct step *step)
{
	char path[300];
	struct pv_why why;
	const char *directory = simulation.crawl->directory;
	pv_why_init(&why);
	snprintf(path, sizeof(path), "%s/control", directory);
	if (step->what == SPOIL)
		write_rubbish();
	else if (step->what == REMOVE)
		unlink(path);
	else
		script.refused +=
		    !pv_orders_change(directory, change, step, &why);
	pv_why_finish(&why);
}

static unsigned look_ups(void)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < simulation.plan.hosts; i++)
		sum += simulation.hosts[i].look_ups;
	return sum;
}

static void on_progress(void *ctx, const struct pavane_progress *progress)
{
	(void)ctx;
	int64_t now = since_begin();
	script.notes += strstr(progress->pauses, "paused since") != NULL;
	if (now <= script.quiet_from)
		script.look_ups = look_ups();
	else if (now <= script.quiet_until)
		script.more_look_ups = look_ups() - script.look_ups;
	while (script.done < STEPS_MAX && script.steps[script.done].what &&
	       script.steps[script.done].at <= now)
		take_step(&script.steps[script.done++]);
}

static void on_request(bool is_robots, int64_t at)
{
	(void)is_robots;
	script.in_quiet += at >= script.quiet_from && at < script.quiet_until;
	script.in_busy +=
	    at >= script.busy_from && at < script.busy_from + 1 * SECOND;
}

static void run(const struct simulation_plan *plan, const struct step *steps,
    int64_t quiet_from, int64_t quiet_until)
{
	struct simulation_plan scripted = *plan;
	memset(&script, 0, sizeof(script));
	memcpy(script.steps, steps, sizeof(script.steps));
	script.quiet_from = quiet_from;
	script.quiet_until = quiet_until;
	script.busy_from = quiet_until;
	scripted.on_progress = on_progress;
	scripted.on_request = on_request;
	scripted.progress_ms = 250;
	if (!scripted.patience_ms)
		scripted.patience_ms = 100 * (int64_t)LONG;
	simulation_run(&scripted);
}

static bool is_complete(void)
{
	unsigned wrong = 0;
	for (unsigned i = 0; i < simulation.plan.hosts; i++) {
		const struct simulated_host *host = &simulation.hosts[i];
		wrong += host->requests - host->twice != simulation.pages ||
			 host->twice || host->astray;
	}
	return !wrong && simulation.end == PAVANE_FINISHED;
}

static bool is_polite(void)
{
	const struct simulation_plan *plan = &simulation.plan;
	unsigned wrong = 0;
	for (unsigned i = 0; i < plan->hosts; i++)
		wrong += simulation.hosts[i].least_gap <
			 plan->delay_ms + plan->latency_ms;
	return !wrong;
}

/* Twenty hosts of 11 pages, a second from one to the next. */
static const struct simulation_plan twenty = {
    .hosts = 20,
    .chains = 2,
    .length = 5,
    .delay_ms = 1 * SECOND,
    .latency_ms = 100,
};

static void test_pause(void)
{
	static const struct step steps[STEPS_MAX] = {
	    {.at = 5 * SECOND, .what = PAUSE}, {.at = LONG, .what = RESUME}};
	run(&twenty, steps, 5 * SECOND + HEEDED_MS, LONG);
	ok(!script.in_quiet && !script.more_look_ups,
	    "P6: while the crawl is paused nothing is requested, and no name "
	    "looked up");
	ok(script.notes > 2000, "progress says so");
	ok(is_complete() && simulation.runs == 1,
	    "the crawl stays open, and resumed it leaves nothing out");
	ok(is_polite(), "P1: the delay of each host is kept");
	ok(script.in_busy <= 20,
	    "P2: and after the pause each host is asked once a second");
	simulation_finish();
}

static void test_burst(void)
{
	static const struct step steps[STEPS_MAX] = {
	    {.at = 5 * SECOND, .what = PAUSE}, {.at = LONG, .what = RESUME}};
	struct simulation_plan plan = twenty;
	plan.rate = 5;
	run(&plan, steps, 5 * SECOND + HEEDED_MS, LONG);
	ok(is_complete() && script.in_busy <= 10,
	    "P2: a long pause saves up no more than rate.burst: %u "
	    "requests in the first second",
	    script.in_busy);
	simulation_finish();
}

static void test_until(void)
{
	static const struct step steps[STEPS_MAX] = {
	    {.at = 5 * SECOND, .what = PAUSE, .host = "", .until_ms = LONG}};
	run(&twenty, steps, 5 * SECOND + HEEDED_MS, LONG);
	ok(!script.in_quiet && is_complete() && script.in_busy,
	    "a pause with an end is over then, without anybody's help");
	simulation_finish();
}

static void test_from_the_start(void)
{
	static const struct step steps[STEPS_MAX] = {
	    {.at = 0, .what = PAUSE}, {.at = LONG, .what = RESUME}};
	struct simulation_plan plan = twenty;
	plan.hosts = 500;
	plan.places = 10;
	plan.rate = 10;
	run(&plan, steps, HEEDED_MS, LONG);
	ok(!script.in_quiet && !script.more_look_ups && is_complete(),
	    "a crawl that has hardly begun is paused with all hosts that it "
	    "has not seen");
	simulation_finish();
}

static void test_host(void)
{
	static const struct step steps[STEPS_MAX] = {
	    {.at = 3 * SECOND, .what = PAUSE, .host = "h7.test"},
	    {.at = 3 * SECOND, .what = PAUSE, .host = "h9.test"},
	    {.at = LONG, .what = RESUME, .host = "h9.test"},
	    {.at = 2 * LONG, .what = RESUME, .host = "h7.test"}};
	struct simulation_plan plan = twenty;
	plan.policy = "limits: {wait: 10s}\n";
	run(&plan, steps, 20 * SECOND, LONG);
	ok(!script.in_quiet && is_complete() && is_polite(),
	    "hosts that are paused are left alone, and keep the crawl open "
	    "past limits.wait");
	ok(simulation.hosts[6].most_gap >= 2 * LONG - 5 * SECOND &&
		simulation.hosts[8].most_gap >= LONG - 5 * SECOND &&
		simulation.hosts[8].most_gap < LONG + SECOND &&
		simulation.hosts[5].most_gap < 3 * SECOND,
	    "each for as long as it is paused itself, and no other");
	simulation_finish();
}

/* More hosts than the crawl has places for. */
static void test_host_without_place(void)
{
	static const struct step steps[STEPS_MAX] = {
	    {.at = 0, .what = PAUSE, .host = "h150.test"},
	    {.at = 0, .what = PAUSE, .host = "h3.test"},
	    {.at = LONG, .what = RESUME, .host = "h3.test"},
	    {.at = 2 * LONG, .what = RESUME, .host = "h150.test"}};
	struct simulation_plan plan = twenty;
	plan.hosts = 200;
	plan.places = 10;
	run(&plan, steps, 300 * SECOND, LONG);
	ok(!script.in_quiet && is_complete() && is_polite(),
	    "of more hosts than there are places the paused ones alone wait");
	ok(simulation.hosts[149].first_at - simulation.began_at >= 2 * LONG,
	    "and one that was not seen before is not");
	simulation_finish();
}

static void test_restart(void)
{
	static const struct step steps[STEPS_MAX] = {
	    {.at = 5 * SECOND, .what = PAUSE},
	    {.at = 20 * SECOND, .what = STOP},
	    {.at = 40 * SECOND, .what = STOP}, {.at = LONG, .what = RESUME}};
	run(&twenty, steps, 5 * SECOND + HEEDED_MS, LONG);
	ok(simulation.runs == 3, "a crawl that is paused can be stopped");
	ok(!script.in_quiet && !script.more_look_ups,
	    "and is paused when it is continued, from its first moment");
	ok(is_complete() && is_polite(), "until it is resumed");
	simulation_finish();
}

/* Orders that come while it is ending. */
static void test_while_stopping(void)
{
	static const struct step steps[STEPS_MAX] = {
	    {.at = 5 * SECOND, .what = STOP}, {.at = 5 * SECOND, .what = PAUSE},
	    {.at = 5 * SECOND, .what = RESUME},
	    {.at = 5 * SECOND, .what = PAUSE}, {.at = LONG, .what = RESUME}};
	run(&twenty, steps, 5 * SECOND + HEEDED_MS, LONG);
	ok(simulation.runs == 2 && !script.in_quiet && is_complete(),
	    "a pause while the crawl stops does not keep it from that, and "
	    "holds in its next run");
	simulation_finish();
}

static void test_limits(void)
{
	static const struct step steps[STEPS_MAX] = {
	    {.at = 2 * SECOND, .what = PAUSE}, {.at = LONG, .what = RESUME}};
	struct simulation_plan plan = twenty;
	plan.policy = "limits: {time: 5s, wait: 5s}\n";
	run(&plan, steps, 2 * SECOND + HEEDED_MS, LONG);
	int64_t took_ms = simulation.ended_at - simulation.began_at;
	ok(simulation.end == PAVANE_LIMITED && !script.in_quiet &&
		took_ms >= LONG + 3 * SECOND - HEEDED_MS &&
		took_ms <= LONG + 4 * SECOND,
	    "limits.time does not count the time of a pause, and limits.wait "
	    "ends no crawl that is paused");
	simulation_finish();
}

static void test_spoilt(void)
{
	static const struct step steps[STEPS_MAX] = {
	    {.at = 5 * SECOND, .what = PAUSE},
	    {.at = 9 * SECOND, .what = SPOIL},
	    {.at = 10 * SECOND, .what = RESUME}, {.at = LONG, .what = REMOVE}};
	run(&twenty, steps, 5 * SECOND + HEEDED_MS, LONG);
	ok(!script.in_quiet && script.refused == 1,
	    "a file that cannot be read ends no pause, nor is it written over");
	ok(is_complete(), "and without a file there is none");
	simulation_finish();
}

int main(void)
{
	test_pause();
	test_burst();
	test_until();
	test_from_the_start();
	test_host();
	test_host_without_place();
	test_restart();
	test_while_stopping();
	test_limits();
	test_spoilt();
	return tap_done();
}
