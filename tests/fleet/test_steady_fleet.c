#include "fleet/scene/claims.h"

/* Four workers crawl together, and nothing goes wrong: what none of them sees alone
 * holds for all. */

static void test_steady(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_ends(scene, 0);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {test_steady, NULL};
	return fleet_main(count, arguments, tests);
}
