#include "frontier/sqlite/readmission.h"
#include "frontier/scene.h"

/* What was refused is judged again while a crawl runs. */

struct judging {
	struct pv_tables_work work;
	struct pv_readmission readmission;
	bool has_more;
};

static bool is_open[PV_REASON_COUNT];

/* All but what has "no" in its address is in scope now. */
static bool judge(
    void *ctx, const struct pv_known *known, struct pv_standing *standing)
{
	(void)ctx;
	if (memmem(known->url.ptr, known->url.len, "/no", 3))
		return false;
	standing->use = PV_PAGE;
	standing->verdict = (struct pv_verdict){PV_REASON_NONE, 0};
	return true;
}

static void run(struct pv_tables_work *work, struct pv_tables *tables)
{
	struct judging *judging = (struct judging *)work;
	judging->has_more = pv_readmission_step(&judging->readmission, tables);
}

static void done(struct pv_tables_work *work, enum pv_store_status status)
{
	(void)work;
	(void)status;
}

static bool step(struct scene *scene, struct judging *judging)
{
	judging->work =
	    (struct pv_tables_work){.run = run, .done = done, .rows = 1};
	pv_sqlite_frontier_work(scene->frontier, &judging->work, scene->now);
	scene_settle(scene);
	return judging->has_more;
}

static void refuse(struct scene *scene, const char *url, enum pv_reason reason)
{
	scene_add(scene, url,
	    (struct pv_standing){.use = PV_REFUSED,
		.found_as = PV_FOUND_AS_PAGE,
		.verdict = {reason, 0}});
}

static struct judging judging_of(void)
{
	is_open[PV_REASON_HOST] = true;
	return (struct judging){
	    .readmission.rejudging = {.judge = judge, .is_open = is_open}};
}

static void test_admitted(struct scene *scene)
{
	struct judging judging = judging_of();
	refuse(scene, "https://x.example/a", PV_REASON_HOST);
	refuse(scene, "https://x.example/no", PV_REASON_HOST);
	refuse(scene, "https://x.example/b", PV_REASON_DEPTH);
	ok(scene_take_host(scene) == 0, "what is refused is not visited");
	ok(!step(scene, &judging), "a few addresses are judged in one step");
	ok(judging.readmission.rejudging.admitted == 1, "one is admitted");
	uint64_t host = scene_take_host(scene);
	ok(host, "its host wakes");
	scene_are_next(scene, host, 10, "a",
	    "it is visited, and neither what is still out of scope nor what was "
	    "refused for another reason");
}

/* A crawl that finds new addresses all the time. */
static void test_end(struct scene *scene)
{
	struct judging judging = judging_of();
	unsigned steps = 0;
	bool has_more = true;
	for (; has_more && steps < 20; steps++) {
		char url[100];
		snprintf(url, sizeof(url), "https://y.example/%u", steps);
		scene_add_page(scene, url, 0);
		has_more = step(scene, &judging);
	}
	ok(!has_more, "judging comes to its end while new addresses come");
}

int main(void)
{
	struct scene scene = {.recent_count = 1024,
	    .count_ceiling = 1000,
	    .now = 1000,
	    .descriptors = descriptors_count()};
	ok(scratch_make(&scene.scratch) && scene_open(&scene),
	    "a state is opened");
	test_admitted(&scene);
	test_end(&scene);
	pv_writer_stop(&scene.store->writer);
	scene_finish(&scene);
	return tap_done();
}
