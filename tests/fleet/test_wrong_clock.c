#include <unistd.h>

#include "crawl/patience.h"
#include "fleet/scene/claims.h"

/* A worker whose wall clock is an hour ahead, by libfaketime: no wall clock decides
 * who may ask, and when. */

#define HOUR_MS INT64_C(3600000)
#define NEAR_MS 10000

static const char *const libraries[] = {
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/faketime/libfaketimeMT.so.1",
};

static char preload[200];

static const char *const ahead[] = {
    preload, "FAKETIME=+1h", "FAKETIME_DONT_FAKE_MONOTONIC=1", NULL};

/* NULL if all is there. */
static const char *absence_of_faketime(void)
{
	int64_t wall_ms = 0, boot_ms = 0;
	if (IS_SANITIZED)
		return "sanitizers want to be loaded first";
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		if (access(libraries[i], R_OK) == 0)
			snprintf(preload, sizeof(preload), "LD_PRELOAD=%s",
			    libraries[i]);
	}
	if (!*preload)
		return "no libfaketime";
	if (!worker_clocks(ahead, &wall_ms, &boot_ms) ||
	    llabs(wall_ms - HOUR_MS) > NEAR_MS || llabs(boot_ms) > NEAR_MS)
		return "libfaketime here does not set the wall clock alone";
	return NULL;
}

static void test_ahead(struct fleet_scene *scene)
{
	scene->environments[0] = ahead;
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	fleet_scene_kill(scene, 0);
	fleet_scene_start_one(scene, 0);
	fleet_reaches(scene, 50);
	fleet_scene_kill(scene, 0);
	fleet_ends(scene, 2);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {test_ahead, NULL};
	if (worker_is_meant(count, arguments))
		return worker_run(arguments);
	const char *absence = absence_of_faketime();
	return absence ? tap_skip_all(absence)
		       : fleet_main(count, arguments, tests);
}
