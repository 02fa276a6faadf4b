#include <stdatomic.h>
#include <sys/wait.h>

#include "random.h"
#include "tap.h"
#include "torture/ordeal.h"

/* The disk that fails (P3): one call after the other, of each sort that reaches
 * files, statements and sockets, in a small crawl, in one that was killed
 * before, and in an update (torture/ordeal.h has what is claimed).
 *
 * A fault is drawn for each call; of sorts with many, so many calls are drawn.
 * PAVANE_FAULTS=every takes each call with one fault, PAVANE_FAULTS=all with
 * each fault, PAVANE_FAULTS="write 17 ENOSPC" that one alone and shows what was
 * said. PAVANE_FAULTS_SEED is where chance begins.
 */
#define DRAWN 2
#define WORKERS 4
#define ACTIONS_MAX 12
#define SHOWN_MAX 10

struct sort_plan {
	enum fault_sort sort;
	const char *actions[ACTIONS_MAX];
};

static const struct sort_plan sorts[] = {
    {FAULT_OPEN, {"EMFILE", "ENOSPC", "EIO", "ENFILE", "EDQUOT", "EACCES"}},
    {FAULT_WRITE, {"ENOSPC", "EIO", "short", "EDQUOT", "short+ENOSPC",
		      "short+EIO", "late+EIO", "EINTR", "ENOSPC on", "EIO on"}},
    {FAULT_SYNC, {"EIO", "ENOSPC", "late+EIO", "EDQUOT", "EIO on"}},
    {FAULT_RENAME, {"EIO", "ENOSPC", "EDQUOT", "EACCES", "late+EIO"}},
    {FAULT_TRUNCATE, {"EIO", "ENOSPC"}},
    {FAULT_MAKE, {"ENOSPC", "EIO", "EDQUOT", "EACCES", "late+EIO"}},
    {FAULT_REMOVE, {"EIO", "EACCES"}},
    {FAULT_CLOSE, {"EIO", "ENOSPC", "EDQUOT"}},
    {FAULT_READ, {"EIO", "short", "EINTR"}},
    {FAULT_MAP, {"ENOMEM", "EIO"}},
    {FAULT_STEP, {"IOERR", "FULL", "BUSY", "NOMEM"}},
    {FAULT_SOCKET, {"EMFILE", "ENFILE", "ENOMEM"}},
};

#define SORTS (sizeof(sorts) / sizeof(*sorts))

/* How many descriptors the program may have: too few to begin, and hardly
 * enough, beside those that it gets from whoever runs the test; and how large
 * its files may get. */
static const char *const limits[] = {"descriptors 16", "descriptors 24",
    "descriptors 31", "descriptors 48", "bytes 5000", "bytes 60000",
    "bytes 150000", "bytes 300000"};

#define LIMITS (sizeof(limits) / sizeof(*limits))

/* What the workers have found, which each of them adds to. */
struct tally {
	_Atomic unsigned tried;
	_Atomic unsigned failed; /* with status 1, and a sentence */
	_Atomic unsigned bad;
};

struct findings {
	struct tally tallies[ORDEAL_KINDS][SORTS];
	struct tally few;
	_Atomic unsigned begun[ORDEAL_KINDS];
};

struct worker {
	struct findings *findings;
	unsigned number;
	struct ordeal ordeal;
	FILE *log; /* that is told in the end */
};

static const char *wish(void)
{
	const char *text = getenv("PAVANE_FAULTS");
	return text ? text : "";
}

static struct random chance(void)
{
	const char *seed = getenv("PAVANE_FAULTS_SEED");
	return random_of(seed ? strtoull(seed, NULL, 10) : 1);
}

static void try_fault(
    struct worker *worker, struct tally *tally, const char *plan)
{
	struct ordeal_end end;
	ordeal_suffer(&worker->ordeal, plan, &end);
	tally->tried++;
	tally->failed += end.status == 1;
	tally->bad += end.faults.len > 0;
	bool is_shown = end.faults.len && tally->bad <= SHOWN_MAX;
	if (is_shown || strcmp(wish(), plan) == 0)
		fprintf(worker->log,
		    "%s, %s (%s), ended with %d after %d ms\n%s%s",
		    worker->ordeal.kind->name, plan,
		    worker->ordeal.faulty.tally->struck, end.status,
		    (int)end.took_ms, pv_buf_text(&end.said),
		    pv_buf_text(&end.faults));
	else if (end.status == 1)
		fprintf(worker->log, "%s: %s", plan, pv_buf_text(&end.said));
	ordeal_end_finish(&end);
}

static void try_call(struct worker *worker, struct tally *tally,
    const struct sort_plan *sort, uint64_t n, size_t drawn)
{
	size_t count = 0;
	while (count < ACTIONS_MAX && sort->actions[count])
		count++;
	for (size_t i = 0; i < count; i++) {
		char plan[64];
		if (i != drawn % count && strcmp(wish(), "all") != 0)
			continue;
		snprintf(plan, sizeof(plan), "%s %d %s",
		    fault_sorts[sort->sort], (int)n, sort->actions[i]);
		try_fault(worker, tally, plan);
	}
}

/* Each worker takes its part of the calls. Where there are too many, one of
 * each so many is drawn. */
static void try_sort(struct worker *worker, struct tally *tally,
    const struct sort_plan *sort, struct random *random)
{
	uint64_t calls = worker->ordeal.calls[sort->sort];
	uint64_t step = wish()[0] ? 1 : 1 + (calls - 1) / DRAWN;
	for (uint64_t n = 0, i = 0; n < calls; n += step, i++) {
		size_t drawn = random_below(random, 1 << 16);
		uint64_t at = n + random_below(random, (size_t)step);
		if (i % WORKERS == worker->number && at < calls)
			try_call(worker, tally, sort, at + 1, drawn);
	}
}

static void try_limits(struct worker *worker)
{
	for (size_t i = worker->number; i < LIMITS; i += WORKERS)
		try_fault(worker, &worker->findings->few, limits[i]);
}

static void try_kind(struct worker *worker, size_t number)
{
	struct tally *tallies = worker->findings->tallies[number];
	struct random random = chance();
	if (!ordeal_begin(&worker->ordeal, &ordeal_kinds[number]))
		return;
	worker->findings->begun[number]++;
	if (strchr(wish(), ' ')) {
		if (worker->number == 0)
			try_fault(worker, &tallies[0], wish());
		return;
	}
	for (size_t i = 0; i < SORTS; i++)
		try_sort(worker, &tallies[i], &sorts[i], &random);
	if (number == 0)
		try_limits(worker);
}

static void work(struct worker *worker)
{
	bool is_open = ordeal_open(&worker->ordeal);
	for (size_t i = 0; is_open && i < ORDEAL_KINDS; i++)
		try_kind(worker, i);
	ordeal_close(&worker->ordeal);
}

static pid_t start(struct worker *worker)
{
	fflush(stdout);
	pid_t pid = fork();
	if (pid != 0)
		return pid;
	work(worker);
	fflush(worker->log);
	fflush(stdout);
	_exit(0);
}

/* Once the same line. */
static void tell(FILE *log)
{
	char line[4096], before[4096] = "";
	rewind(log);
	while (fgets(line, sizeof(line), log)) {
		if (strcmp(line, before) != 0)
			printf("# %s", line);
		memcpy(before, line, sizeof(line));
	}
}

static void judge_sort(
    const char *kind, const char *sort, const struct tally *tally)
{
	char claim[128];
	snprintf(claim, sizeof(claim),
	    "P3: %s comes to the same end whichever %s fails", kind, sort);
	if (tally->tried)
		ok(!tally->bad, "%s (%u tried, %u ended it)", claim,
		    tally->tried, tally->failed);
	else
		tap_skip(claim, "no such call was made, or it was not drawn");
}

static void judge(const struct findings *findings)
{
	if (findings->few.tried)
		ok(!findings->few.bad,
		    "P3: a crawl comes to its end with few descriptors, and "
		    "with small files (%u tried, %u ended it)",
		    findings->few.tried, findings->few.failed);
	for (size_t kind = 0; kind < ORDEAL_KINDS; kind++) {
		const char *name = ordeal_kinds[kind].name;
		ok(findings->begun[kind] == WORKERS,
		    "%s that nothing happens to finishes", name);
		for (size_t i = 0; i < SORTS; i++)
			judge_sort(name, fault_sorts[sorts[i].sort],
			    &findings->tallies[kind][i]);
	}
}

/* Whether the library can be preloaded, and counts. */
static bool can_fail(void)
{
	struct ordeal ordeal;
	bool can = ordeal_open(&ordeal) &&
		   ordeal_begin(&ordeal, &ordeal_kinds[0]) &&
		   ordeal.calls[FAULT_WRITE] && ordeal.calls[FAULT_STEP];
	for (size_t i = 0; can && i < FAULT_SORT_COUNT; i++)
		printf("# %s: %d\n", fault_sorts[i], (int)ordeal.calls[i]);
	ordeal_close(&ordeal);
	return can;
}

int main(void)
{
	struct worker workers[WORKERS];
	pid_t pids[WORKERS];
	struct findings *findings = mmap(NULL, sizeof(*findings),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (findings == MAP_FAILED)
		return 1;
	if (!can_fail())
		return tap_skip_all("no library can be preloaded here");
	for (unsigned i = 0; i < WORKERS; i++) {
		workers[i] = (struct worker){
		    .findings = findings, .number = i, .log = tmpfile()};
		fcntl(fileno(workers[i].log), F_SETFD, FD_CLOEXEC);
		pids[i] = start(&workers[i]);
	}
	for (unsigned i = 0; i < WORKERS; i++) {
		int status = -1;
		waitpid(pids[i], &status, 0);
		ok(status == 0, "what happens to crawls is seen to its end");
		tell(workers[i].log);
		fclose(workers[i].log);
	}
	judge(findings);
	return tap_done();
}
