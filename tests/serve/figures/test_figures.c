#include "serve/figures/figures.h"

#include <stdlib.h>

#include "crawl/progress/spread.h"
#include "random.h"
#include "tap.h"

/* What is shown: sums, and the figures of one job. */

struct shown {
	const char *wanted;
	const char *without; /* in the sum of the rest; NULL */
	size_t jobs;
	bool has_wanted;
	struct pv_job_figures job;
	uint64_t requests; /* of all together */
	uint64_t in_flight;
	uint64_t lateness;
	bool has_other;
	uint64_t other;
};

static bool note(void *ctx, const struct pv_job_figures *figures)
{
	struct shown *shown = ctx;
	shown->jobs++;
	shown->requests += figures->counted.requests;
	shown->lateness += figures->counted.lateness.count;
	shown->in_flight += figures->now.in_flight;
	if (pv_str_equal(figures->job, PV_STR("other"))) {
		shown->has_other = true;
		shown->other = figures->counted.requests;
	}
	if (pv_str_equal(figures->job, pv_str_of(shown->wanted))) {
		shown->has_wanted = true;
		shown->job = *figures;
	}
	return true;
}

static struct shown show(
    struct pv_figures *figures, const char *job, const char *owner)
{
	struct shown shown = {.wanted = job};
	struct pv_str name = pv_str_of(owner ? owner : "");
	pv_figures_each(figures, owner ? &name : NULL, note, &shown);
	return shown;
}

static struct pv_run_figures *begin(
    struct pv_figures *figures, const char *job, const char *owner)
{
	return pv_figures_begin(figures, pv_str_of(job), pv_str_of(owner));
}

/* So many requests, half of them answered by 200 and half by 404, three in
 * flight. */
static void hear(struct pv_run_figures *run, uint64_t requests)
{
	struct pavane_progress progress = {
	    .requests = requests,
	    .pages = requests / 2,
	    .bytes = 100 * requests,
	    .in_flight = 3,
	    .statuses = {.items = {{"200", "", requests / 2},
			     {"404", "", requests / 2}, {"999", "", 1}},
		.count = 3},
	    .waiting = {.items = {{"delay", "", 4}}, .count = 1},
	};
	pv_spread_init(&progress.lateness);
	for (uint64_t i = 0; i < requests; i++)
		pv_spread_add(&progress.lateness, 2000);
	pv_figures_hear(run, &progress);
}

static void run_once(
    struct pv_figures *figures, const char *job, uint64_t requests)
{
	struct pv_run_figures *run = begin(figures, job, "");
	hear(run, requests);
	pv_figures_end(run);
}

static void test_job(void)
{
	struct pv_figures *figures = pv_figures_create();
	struct pv_run_figures *run = begin(figures, "a", "me");
	hear(run, 10);
	struct shown shown = show(figures, "a", NULL);
	ok(shown.jobs == 1 && shown.job.counted.requests == 10 &&
		shown.job.counted.classes[2] == 5 &&
		shown.job.counted.classes[4] == 5 &&
		shown.job.counted.classes[0] == 1 &&
		shown.job.counted.lateness.count == 10 &&
		shown.job.now.in_flight == 3 &&
		shown.job.now.waiting.count == 1,
	    "a job that runs has its figures");
	hear(run, 8);
	shown = show(figures, "a", NULL);
	ok(shown.job.counted.requests == 10 &&
		shown.job.counted.classes[2] == 5 &&
		shown.job.counted.lateness.count == 10,
	    "nothing becomes less");
	pv_figures_end(run);
	shown = show(figures, "a", NULL);
	ok(shown.job.counted.requests == 10 && !shown.job.now.in_flight &&
		!shown.job.now.waiting.count,
	    "one that has none keeps what it has counted, and nothing else");
	run = begin(figures, "a", "me");
	shown = show(figures, "a", NULL);
	ok(shown.job.counted.requests == 10,
	    "when it goes on, nothing begins anew");
	hear(run, 5);
	shown = show(figures, "a", NULL);
	ok(shown.job.counted.requests == 15 &&
		shown.job.counted.lateness.count == 15 && shown.jobs == 1,
	    "what the next run counts comes on top");
	pv_figures_end(run);
	pv_figures_settle(figures, PV_STR("a"));
	pv_figures_forget(figures, PV_STR("a"));
	shown = show(figures, "a", NULL);
	ok(!shown.has_wanted && shown.other == 15 && shown.requests == 15,
	    "what was removed is counted among the others");
	pv_figures_destroy(figures);
}

static void test_owners(void)
{
	struct pv_figures *figures = pv_figures_create();
	struct pv_run_figures *mine = begin(figures, "a", "me");
	struct pv_run_figures *yours = begin(figures, "b", "you");
	hear(mine, 10);
	hear(yours, 20);
	struct shown shown = show(figures, "b", "me");
	ok(!shown.has_wanted && shown.other == 20 && shown.requests == 30 &&
		shown.in_flight == 6,
	    "P7: jobs of somebody else are among the others");
	shown = show(figures, "b", NULL);
	ok(shown.has_wanted && !shown.has_other,
	    "but for who may see all of them");
	pv_figures_end(mine);
	pv_figures_end(yours);
	pv_figures_destroy(figures);
}

static void name_of(unsigned number, char name[20])
{
	snprintf(name, 20, "job%u", number);
}

static void test_room(void)
{
	struct pv_figures *figures = pv_figures_create();
	char name[20];
	for (unsigned i = 0; i < PV_FIGURES_JOBS_MAX; i++) {
		name_of(i, name);
		run_once(figures, name, 1);
	}
	struct shown shown = show(figures, "job0", NULL);
	ok(shown.jobs == PV_FIGURES_JOBS_MAX && !shown.has_other,
	    "so many jobs have figures of their own");
	struct pv_run_figures *run = begin(figures, "late", "");
	hear(run, 7);
	shown = show(figures, "late", NULL);
	ok(!shown.has_wanted && shown.other == 7 && shown.in_flight == 3 &&
		shown.jobs == PV_FIGURES_JOBS_MAX + 1,
	    "P5: a further one has not, while they may go on");
	pv_figures_settle(figures, PV_STR("job5"));
	pv_figures_settle(figures, PV_STR("job3"));
	hear(run, 9);
	shown = show(figures, "late", NULL);
	ok(!shown.has_wanted && shown.other == 9,
	    "nor has it in midst of its run, when there is room");
	pv_figures_end(run);
	run_once(figures, "next", 4);
	shown = show(figures, "next", NULL);
	ok(shown.has_wanted && shown.job.counted.requests == 4 &&
		shown.other == 10,
	    "the next one has: in the place of one that has ended");
	shown = show(figures, "job5", NULL);
	ok(!shown.has_wanted, "of that which ended first");
	shown = show(figures, "job3", NULL);
	ok(shown.has_wanted, "and not of one that ended later");
	ok(shown.jobs == PV_FIGURES_JOBS_MAX + 1 &&
		shown.requests == PV_FIGURES_JOBS_MAX + 9 + 4 &&
		shown.lateness == shown.requests,
	    "and nothing is lost");
	pv_figures_destroy(figures);
}

/* Whatever happens, neither the sum nor the others become less. */
static void test_random(uint64_t seed)
{
	struct pv_figures *figures = pv_figures_create();
	struct random random = random_of(seed);
	struct pv_run_figures *runs[160] = {NULL};
	uint64_t told[160] = {0}, all = 0, wrong = 0;
	struct shown before = {.jobs = 0};
	for (unsigned step = 0; step < 4000; step++) {
		unsigned which = (unsigned)random_below(&random, 160);
		char name[20];
		name_of(which, name);
		switch (random_below(&random, 5)) {
		case 0:
			if (!runs[which]) {
				runs[which] = begin(figures, name, "");
				told[which] = 0;
			}
			break;
		case 1:
		case 2:
			if (runs[which]) {
				uint64_t more = random_below(&random, 9);
				told[which] += more;
				all += more;
				hear(runs[which], told[which]);
			}
			break;
		case 3:
			pv_figures_end(runs[which]);
			runs[which] = NULL;
			break;
		default:
			if (!runs[which] && random_below(&random, 2))
				pv_figures_settle(figures, pv_str_of(name));
			else if (!runs[which])
				pv_figures_forget(figures, pv_str_of(name));
			break;
		}
		struct shown shown = show(figures, "", NULL);
		wrong += shown.requests != all || shown.other < before.other ||
			 shown.jobs > PV_FIGURES_JOBS_MAX + 1 ||
			 (before.has_other && !shown.has_other);
		before = shown;
	}
	for (unsigned i = 0; i < 160; i++)
		pv_figures_end(runs[i]);
	if (!ok(!wrong && all, "nothing is counted twice or lost"))
		printf("# seed %llu\n", (unsigned long long)seed);
	pv_figures_destroy(figures);
}

static void test_none(void)
{
	struct pv_run_figures *run =
	    pv_figures_begin(NULL, PV_STR("a"), PV_STR(""));
	hear(run, 5);
	pv_figures_end(run);
	pv_figures_settle(NULL, PV_STR("a"));
	pv_figures_forget(NULL, PV_STR("a"));
	ok(!run, "where nobody counts, nothing is");
}

int main(void)
{
	test_job();
	test_owners();
	test_room();
	for (uint64_t seed = 1; seed <= 3; seed++)
		test_random(seed);
	test_none();
	return tap_done();
}
