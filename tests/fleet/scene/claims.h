#ifndef PAVANE_TESTS_FLEET_SCENE_CLAIMS_H
#define PAVANE_TESTS_FLEET_SCENE_CLAIMS_H

#include <stdlib.h>

#include "fleet/scene/fleet_scene.h"
#include "tap.h"

/* What is claimed of a scene with a fleet, whatever has happened to it:
 *
 *	static void test_kill(struct fleet_scene *scene)
 *	{
 *		fleet_scene_start(scene);
 *		fleet_reaches(scene, 30);
 *		fleet_scene_kill(scene, 2);
 *		fleet_ends(scene, 1);
 *	}
 *
 *	int main(int count, char **arguments)
 *	{
 *		static const fleet_test_fn tests[] = {test_kill, NULL};
 *		return fleet_main(count, arguments, tests);
 *	}
 */

/* How far the arrival of a request may be from its departure. */
#define FLEET_TOLERANCE_US 1500

static inline void fleet_reaches(struct fleet_scene *scene, unsigned percent)
{
	if (fleet_scene_reaches(scene, percent))
		return;
	ok(false, "%u of a hundred pages are asked for (%zu requests)", percent,
	    server_log_count(scene->server));
	fleet_scene_show(scene);
}

static inline bool fleet_judge_one_gap(
    const struct log_gap *gap, int64_t delay_ms, const char *what)
{
	if (ok(gap->us >= delay_ms * 1000 - FLEET_TOLERANCE_US,
		"P1: no %s is asked sooner than its delay allows (%.1f ms)",
		what, (double)gap->us / 1000))
		return true;
	printf("# %.*s%.*s from port %u, then %.*s%.*s from port %u\n",
	    PV_STR_ARG(gap->first.host), PV_STR_ARG(gap->first.target),
	    gap->first.peer_port, PV_STR_ARG(gap->second.host),
	    PV_STR_ARG(gap->second.target), gap->second.peer_port);
	return false;
}

static inline bool fleet_judge_gaps(const struct fleet_findings *found)
{
	bool is_good = fleet_judge_one_gap(&found->gap, FLEET_DELAY_MS, "host");
	return fleet_judge_one_gap(
		   &found->address_gap, FLEET_IP_DELAY_MS, "address") &&
	       is_good;
}

/* Repeats are no more than what was in flight, or not passed on yet, when so many
 * workers were lost. */
#define FLEET_REPEATS_MAX ((size_t)2 * FLEET_CONCURRENCY)

static inline bool fleet_judge_repeats(
    const struct fleet_findings *found, unsigned losses)
{
	size_t most = losses * FLEET_REPEATS_MAX;
	bool is_good =
	    ok(found->page_repeats <= most && found->robots_repeats <= most,
		"no more is asked for again than was in flight (%zu pages, %zu "
		"robots.txt; at most %zu)",
		found->page_repeats, found->robots_repeats, most);
	return ok(found->line_repeats <= most,
		   "nor has more than one final line (%zu)",
		   found->line_repeats) &&
	       is_good;
}

/* Of lines that several workers have for an address one counts. */
static inline bool fleet_judge_merged(const struct fleet_merged *merged)
{
	return ok(merged->is_made && merged->addresses > 0 &&
		      merged->final_lines == merged->addresses,
	    "P3: when all is merged each address has one final line (%zu of "
	    "%zu)",
	    merged->final_lines, merged->addresses);
}

/* The fleet comes to its end, and that is as it should be. */
static inline void fleet_ends(struct fleet_scene *scene, unsigned losses)
{
	bool is_good =
	    ok(fleet_scene_ends(scene), "the fleet finishes its crawl");
	struct fleet_findings found = fleet_scene_find(scene);
	is_good = fleet_judge_gaps(&found) && is_good;
	is_good =
	    ok(found.pages == scene->reachable && found.strays == 0,
		"P6: each page that can be reached is asked for, and nothing "
		"else (%zu of %zu)",
		found.pages, scene->reachable) &&
	    is_good;
	is_good = ok(found.lines == scene->reachable,
		      "each of them has a final line in a journal (%zu)",
		      found.lines) &&
		  is_good;
	struct fleet_merged merged = fleet_scene_merge(scene);
	is_good = fleet_judge_merged(&merged) && is_good;
	if (!fleet_judge_repeats(&found, losses) || !is_good)
		fleet_scene_show(scene);
}

/* A scene of its own for each of them, one after the other; the last is NULL. An
 * argument such as 2 chooses the second one alone. */
typedef void (*fleet_test_fn)(struct fleet_scene *scene);

static inline int fleet_main(
    int count, char **arguments, const fleet_test_fn *tests)
{
	struct fleet_scene scene;
	if (worker_is_meant(count, arguments))
		return worker_run(arguments);
	const char *absence = fleet_scene_absence();
	if (absence)
		return tap_skip_all(absence);
	long only = count == 2 ? strtol(arguments[1], NULL, 10) : 0;
	for (long i = 1; *tests; tests++, i++) {
		if (only && i != only)
			continue;
		int64_t begin_ms = fleet_scene_now_ms();
		if (!fleet_scene_open(&scene)) {
			ok(false, "PostgreSQL can be made to run here");
			break;
		}
		(*tests)(&scene);
		fleet_scene_close(&scene);
		printf("# %lld ms\n",
		    (long long)(fleet_scene_now_ms() - begin_ms));
	}
	return tap_done();
}

#endif
