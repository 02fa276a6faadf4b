#include "bench/numbers.h"
#include "server/floods/beside.h"

/* The longest that one host waits for its next request beside another that
 * floods whoever asks it, each way that there is; on an idle machine it may be
 * its delay and 250 ms more.
 *
 *   bench_floods [PAGES [ROUNDS [FLOOD]]]
 *
 * What a flood costs is seen in what the conductor uses of the processor: as
 * much as where nobody floods.
 */
#define BUDGET_MS (DELAY_MS + 250.0)
#define RUN_MAX_MS 15000

struct figures {
	double gap_ms;
	double conductor_ms;
	double took_ms;
	size_t requests;
	bool is_over; /* by itself */
};

/* The longest time between two requests to the host that does not flood, from
 * when its first page was asked for; to the crawl's end, where not all came. */
static double longest_gap_ms(struct beside *beside)
{
	struct log_view view = log_view_of(beside->scene.server);
	bool has_all = view.count > beside->site.pages;
	int64_t longest_us = 0;
	int64_t last_us = view.count ? view.records[view.count - 1].begin_us
				     : beside->began_ms * 1000;
	for (size_t i = 2; i < view.count; i++) {
		int64_t gap_us =
		    view.records[i].begin_us - view.records[i - 1].begin_us;
		if (gap_us > longest_us)
			longest_us = gap_us;
	}
	if (!has_all && beside->ended_ms * 1000 - last_us > longest_us)
		longest_us = beside->ended_ms * 1000 - last_us;
	log_view_finish(&view);
	return (double)longest_us / 1e3;
}

static struct figures run(const struct flood *flood, unsigned pages)
{
	struct beside_plan plan = {
	    .flood = flood, .pages = pages, .retries = 1};
	struct beside beside;
	if (!beside_open(&beside, &plan)) {
		printf("floods: no server\n");
		exit(1);
	}
	bool is_over = beside_wait(&beside, RUN_MAX_MS + 2 * pages * DELAY_MS);
	struct figures figures = {
	    .gap_ms = longest_gap_ms(&beside),
	    .conductor_ms = (double)beside.conductor_us / 1e3,
	    .took_ms = (double)(beside.ended_ms - beside.began_ms),
	    .requests = beside_good_requests(&beside),
	    .is_over = is_over,
	};
	beside_close(&beside);
	return figures;
}

/* Of several rounds the one with the shortest gap: a busy machine only adds to
 * it. */
static struct figures best(
    const struct flood *flood, unsigned pages, unsigned rounds)
{
	struct figures best = run(flood, pages);
	for (unsigned i = 1; i < rounds; i++) {
		struct figures other = run(flood, pages);
		if (other.gap_ms < best.gap_ms)
			best = other;
	}
	return best;
}

static void tell(const char *name, const struct figures *figures,
    const struct figures *calm, unsigned pages)
{
	printf("floods: %-20s gap %6.0f ms, ratio %6.2f; conductor %5.0f ms, "
	       "ratio %5.2f; %zu of %u requests in %.1f s%s\n",
	    name, figures->gap_ms, figures->gap_ms / BUDGET_MS,
	    figures->conductor_ms, figures->conductor_ms / calm->conductor_ms,
	    figures->requests, pages + 1, figures->took_ms / 1e3,
	    figures->is_over ? "" : ", and not over");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	unsigned pages = numbers_argument(argc, argv, 1, 40);
	unsigned rounds = numbers_argument(argc, argv, 2, 1);
	struct figures calm = best(NULL, pages, rounds);
	double worst_ms = 0;
	tell("none", &calm, &calm, pages);
	for (size_t i = 0; i < flood_count; i++) {
		const struct flood *flood = &floods[i];
		if (argc > 3 && strcmp(argv[3], flood->name) != 0)
			continue;
		struct figures figures = best(flood, pages, rounds);
		tell(flood->name, &figures, &calm, pages);
		if (figures.gap_ms > worst_ms)
			worst_ms = figures.gap_ms;
	}
	printf("floods: ratio %.2f of the %.0f ms that a host may wait\n",
	    worst_ms / BUDGET_MS, BUDGET_MS);
	return 0;
}
