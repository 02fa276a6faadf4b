#include "api/crawl/sink_scene.h"

#include "crawl/consumers/consumers.h"
#include "crawl/consumers/program_sink.h"
#include "crawl/patience.h"
#include "tap.h"

/* P3, of a program's own files: what it has of a page is committed with that
 * page, and is in its file once, whatever runs the crawl takes. */

#define SECONDS 60
#define ANSWERS 7 /* of the site */

static const char *const answers[ANSWERS] = {"/", "/a.html", "/b.html",
    "/busy.html", "/moved.html", "/missing.html", "/sitemap.xml"};

/* Whether each address has so many lines that are its last. */
static bool has_each(
    const struct sink_scene *scene, size_t number, unsigned times)
{
	char end[100];
	unsigned wrong = 0;
	for (size_t i = 0; i < ANSWERS; i++) {
		snprintf(end, sizeof(end), " last http://127.0.0.1:%u%s",
		    (unsigned)server_port(scene->server), answers[i]);
		unsigned count = sink_scene_count(scene, number, end);
		if (count != times)
			printf("# %u times:%s\n", count, end);
		wrong += count != times;
	}
	return !wrong;
}

static uint64_t size_of(const struct sink_scene *scene, size_t number)
{
	struct stat facts;
	return stat(scene->sinks[number].path, &facts) == 0
		   ? (uint64_t)facts.st_size
		   : 0;
}

static void test_verbs(void)
{
	struct sink_scene scene;
	sink_scene_open(&scene);
	const struct file_sink *sink = &scene.sinks[0];
	scene.is_busy = true;
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FINISHED,
	    "a program keeps a file of its own");
	ok(sink->recovers == 1 && sink->recovered == 0,
	    "it begins with nothing");
	ok(has_each(&scene, 0, 1), "P3: each final answer is in it once");
	ok(sink->appends == ANSWERS + 1 &&
		sink_scene_count(&scene, 0, "/busy.html") == 2,
	    "one that is tried again has its earlier answer too (%u)",
	    sink->appends);
	ok(!sink_scene_count(&scene, 0, "/secret/") &&
		!sink_scene_count(&scene, 0, "/robots.txt"),
	    "what is refused, and robots.txt, have none");
	ok(atomic_load(&sink->prepares) == ANSWERS + 1 &&
		!atomic_load(&sink->prepares_on_loop),
	    "answers are prepared in the pool (%u)",
	    atomic_load(&sink->prepares));
	ok(!sink->odd,
	    "and appended on the writer's thread, with what was prepared");
	ok(sink->syncs && scene.committed == ANSWERS + 1 && !scene.unsynced,
	    "P3: nothing is committed that is not synced (%u)", scene.unsynced);
	ok(sink_scene_length(&scene, 0) == size_of(&scene, 0),
	    "P3: the state has the length of the file");
	ok(sink->closes == 1, "which is closed once");
	unsigned syncs = sink->syncs;
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FINISHED &&
		sink->recovered == size_of(&scene, 0) && sink->syncs == syncs,
	    "another run has that length, and nothing to sync");
	sink_scene_close(&scene);
}

static void test_going_on(void)
{
	struct sink_scene scene;
	sink_scene_open(&scene);
	struct file_sink *sink = &scene.sinks[0];
	int end = sink_scene_crawl(&scene, "limits.pages=2");
	ok(end == PAVANE_LIMITED && sink->appends && sink->appends < ANSWERS,
	    "a crawl stops in the midst (%u)", sink->appends);
	uint64_t length = sink_scene_length(&scene, 0);
	FILE *file = fopen(sink->path, "a");
	fputs("what was written and not committed\n", file);
	fclose(file);
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FINISHED &&
		sink->recovered == length,
	    "and goes on with the length that was committed");
	ok(has_each(&scene, 0, 1), "P3: each answer is there once");
	ok(!sink_scene_count(&scene, 0, "not committed"),
	    "P3: and nothing else");
	sink_scene_close(&scene);
}

static void test_update(void)
{
	struct sink_scene scene;
	sink_scene_open(&scene);
	sink_scene_crawl(&scene, "version=1");
	scene.is_update = true;
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FINISHED,
	    "a crawl is updated");
	ok(has_each(&scene, 0, 2), "each answer of it is one more");
	scene.is_update = false;
	scene.is_fresh = true;
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FINISHED &&
		scene.sinks[0].recovered == 0 && has_each(&scene, 0, 1),
	    "and one that is begun anew has its answers alone");
	sink_scene_close(&scene);
}

/* The first is left out of the second run, and a second one comes in. */
static void test_coming_and_going(void)
{
	struct sink_scene scene;
	sink_scene_open(&scene);
	sink_scene_crawl(&scene, "limits.pages=2");
	unsigned before = scene.sinks[0].appends;
	uint64_t length = size_of(&scene, 0);
	scene.given[0] = &scene.sinks[1].verbs;
	ok(sink_scene_crawl(&scene, "limits.pages=4") == PAVANE_LIMITED &&
		scene.sinks[1].recovers == 1 && scene.sinks[1].recovered == 0,
	    "a sink that is new begins with nothing");
	unsigned between = scene.sinks[1].appends;
	ok(between && before + between < ANSWERS &&
		scene.sinks[0].appends == before,
	    "and has what comes from then on (%u, %u)", before, between);
	uint64_t other = size_of(&scene, 1);
	scene.count = 2;
	scene.given[0] = &scene.sinks[0].verbs;
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FINISHED &&
		scene.sinks[0].recovered == length &&
		scene.sinks[1].recovered == other,
	    "two have a length each");
	ok(scene.sinks[0].appends + between == ANSWERS &&
		scene.sinks[1].appends + before == ANSWERS,
	    "one that was away has nothing of that run (%u, %u)",
	    scene.sinks[0].appends, scene.sinks[1].appends);
	ok(!scene.sinks[0].odd && !scene.sinks[1].odd, "each by its own verbs");
	sink_scene_close(&scene);
}

static void test_reopening(void)
{
	struct sink_scene scene;
	sink_scene_open(&scene);
	struct file_sink *sink = &scene.sinks[0];
	struct pavane_policy *policy = sink_scene_policy(&scene, "version=1");
	struct pavane_crawl_options options = sink_scene_options(&scene, NULL);
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	memset(&scene.given, 0, sizeof(scene.given));
	pavane_crawl_interrupt(crawl);
	ok(pavane_crawl_run(crawl) == PAVANE_STOPPED,
	    "what names the sinks is needed only until the crawl is open");
	scene.given[0] = &sink->verbs;
	crawl = pavane_crawl_reopen(crawl, policy, &options);
	sink->has_writer = false;
	ok(crawl && sink->recovers == 2 && sink->closes == 1,
	    "a crawl that is opened again opens its sinks again");
	ok(pavane_crawl_run(crawl) == PAVANE_FINISHED && !sink->odd &&
		has_each(&scene, 0, 1),
	    "P3: and each answer is there once");
	pavane_crawl_leave(crawl);
	ok(sink->closes == 2, "they are closed where it is left, too");
	pavane_policy_destroy(policy);
	sink_scene_close(&scene);
}

/* As many as there may be, beside all of ours. */
static void test_many(void)
{
	struct sink_scene scene;
	sink_scene_open(&scene);
	scene.count = PV_PROGRAM_SINKS_MAX;
	ok(pv_sink_kind_count + pv_consumer_kind_count + PV_PROGRAM_SINKS_MAX <=
		PV_PAGE_PARTS_MAX,
	    "a page has a part for each sink that there may be");
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FINISHED &&
		has_each(&scene, 0, 1) && has_each(&scene, 3, 1),
	    "four sinks have each answer");
	sink_scene_close(&scene);
}

int main(void)
{
	end_after(SECONDS);
	test_verbs();
	test_going_on();
	test_update();
	test_coming_and_going();
	test_reopening();
	test_many();
	end_after(0);
	return tap_done();
}
