#ifndef PAVANE_TESTS_FRONTIER_ENGINES_H
#define PAVANE_TESTS_FRONTIER_ENGINES_H

#include "fleet/scene/engine.h"
#include "frontier/scene.h"

/* The engines that are held to the contract of a frontier (frontier/frontier.h):
 * another engine is another row. The tests of the contract are test_engine,
 * test_engine_kinds, test_engine_reports and test_engine_starts; they look at
 * nothing behind the table of functions. */
static const struct engine_row {
	const char *name;
	scene_open_fn *open;
	const char *(*absence)(void); /* why it cannot be tried here, or NULL;
					 NULL: it always can */
	void (*finish)(void);         /* NULL: there is nothing to end */
	bool is_shared; /* with other workers, one of whom may have asked the
			   hosts that it takes */
	bool is_moved;  /* who opens it again is another worker: what a start
			   knows and does is not the same then */
} engines[] = {
    {.name = "sqlite", .open = scene_open_sqlite},
    {.name = "fleet",
	.open = fleet_engine_open,
	.absence = fleet_engine_absence,
	.is_shared = true},
    {.name = "fleet",
	.open = fleet_engine_open_other,
	.absence = fleet_engine_absence,
	.finish = fleet_engine_finish,
	.is_shared = true,
	.is_moved = true},
};

#define ENGINE_COUNT (sizeof(engines) / sizeof(*engines))

/* Tries the contract with each engine that there is. */
static void engines_each(
    void (*try)(scene_open_fn *open, const struct engine_row *engine))
{
	for (size_t i = 0; i < ENGINE_COUNT; i++) {
		const struct engine_row *engine = &engines[i];
		const char *absence =
		    engine->absence ? engine->absence() : NULL;
		printf("# the engine: %s%s\n", engine->name,
		    engine->is_moved ? ", taken over" : "");
		if (absence)
			tap_skip(engine->name, absence);
		else
			try(engine->open, engine);
		if (engine->finish)
			engine->finish();
	}
}

#endif
