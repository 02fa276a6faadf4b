#ifndef PAVANE_TESTS_FRONTIER_ENGINES_H
#define PAVANE_TESTS_FRONTIER_ENGINES_H

#include "frontier/scene.h"

/* The engines that are held to the contract of a frontier (frontier/frontier.h):
 * another engine is another row. The tests of the contract are test_engine,
 * test_engine_kinds, test_engine_reports and test_engine_starts; they look at
 * nothing behind the table of functions. */
static const struct engine_row {
	const char *name;
	scene_open_fn *open;
} engines[] = {{"sqlite", pv_sqlite_frontier_open}};

#define ENGINE_COUNT (sizeof(engines) / sizeof(*engines))

#endif
