#include "fleet/clocks/ties.h"

#define MINUTE_MS 60000

static void open_tied(struct pv_tied *tied, struct pv_hash_key key)
{
	pv_map_init(&tied->clocks, key);
	pv_arena_init(&tied->names);
}

static void close_tied(struct pv_tied *tied)
{
	pv_map_finish(&tied->clocks);
	pv_arena_finish(&tied->names);
}

void pv_ties_init(struct pv_ties *ties, struct pv_hash_key key)
{
	ties->since = 0;
	open_tied(&ties->now, key);
	open_tied(&ties->before, key);
}

void pv_ties_finish(struct pv_ties *ties)
{
	close_tied(&ties->now);
	close_tied(&ties->before);
}

static void turn(struct pv_ties *ties, int64_t now)
{
	close_tied(&ties->before);
	ties->before = ties->now;
	open_tied(&ties->now, ties->before.clocks.key);
	ties->since = now;
}

void pv_ties_add(struct pv_ties *ties, struct pv_str clock, int64_t now)
{
	struct pv_tied *tied = &ties->now;
	if (now >= ties->since + MINUTE_MS)
		turn(ties, now);
	if (!pv_map_get(&tied->clocks, clock))
		pv_map_add(
		    &tied->clocks, pv_arena_copy(&tied->names, clock), 0);
}

bool pv_ties_has(const struct pv_ties *ties, struct pv_str clock, int64_t now)
{
	int64_t age_ms = now - ties->since;
	return (age_ms < 2 * MINUTE_MS &&
		   pv_map_get(&ties->now.clocks, clock)) ||
	       (age_ms < MINUTE_MS && pv_map_get(&ties->before.clocks, clock));
}
