#include "frontier/rejudging.h"

#include "frontier/scene.h"

/* Only what a changed policy can say anything about is asked about (P3, P4). */

struct asked {
	bool is_open[PV_REASON_COUNT];
	bool is_of_all;
	unsigned pending;
	unsigned reasons[PV_REASON_COUNT];
};

static struct asked asked;

static bool judge(
    void *ctx, const struct pv_known *known, struct pv_standing *standing)
{
	struct asked *told = ctx;
	(void)standing;
	if (known->state == PV_STATE_REFUSED)
		told->reasons[known->reason]++;
	else
		told->pending++;
	return false;
}

static void rejudge(struct scene *scene)
{
	struct pv_rejudging rejudging = {
	    .judge = judge,
	    .ctx = &asked,
	    .is_open = asked.is_open,
	    .is_of_all = asked.is_of_all,
	};
	pv_frontier_rejudge(scene->frontier, &rejudging);
}

static void add_refused(
    struct scene *scene, const char *url, enum pv_reason reason)
{
	scene_add(scene, url,
	    (struct pv_standing){
		.use = PV_REFUSED, .verdict = {.reason = reason}});
}

static void test_asked(bool is_of_all, enum pv_reason open)
{
	struct scene scene;
	asked = (struct asked){.is_of_all = is_of_all};
	asked.is_open[open] = true;
	if (!ok(scene_init(&scene, 100), "a frontier opens"))
		return;
	scene_add_page(&scene, "https://a.test/", 0);
	add_refused(&scene, "https://a.test/robots", PV_REASON_ROBOTS);
	add_refused(&scene, "https://a.test/deep", PV_REASON_DEPTH);
	scene_close(&scene);
	scene.before_start = rejudge;
	ok(scene_open(&scene), "and once more, to judge what it knows");
	ok(asked.pending == is_of_all,
	    "P3: what waits is asked about only where all is: %u",
	    asked.pending);
	ok(asked.reasons[PV_REASON_ROBOTS] ==
		(is_of_all || open == PV_REASON_ROBOTS),
	    "P4: what was refused by robots.txt %s",
	    asked.reasons[PV_REASON_ROBOTS] ? "is asked about"
					    : "is left as it is");
	scene_finish(&scene);
}

static bool admit(
    void *ctx, const struct pv_known *known, struct pv_standing *standing)
{
	(void)ctx;
	(void)known;
	*standing = (struct pv_standing){.use = PV_PAGE, .depth = 1};
	return true;
}

static void rejudge_all(struct scene *scene)
{
	static const bool is_open[PV_REASON_COUNT];
	struct pv_rejudging rejudging = {
	    .judge = admit, .is_open = is_open, .is_of_all = true};
	pv_writer_begin(&scene->store->writer);
	pv_frontier_rejudge(scene->frontier, &rejudging);
	pv_frontier_finish_rejudging(scene->frontier);
	pv_writer_commit(&scene->store->writer);
}

/* What became of it by the policy that there was says nothing of this one. */
static void test_admitted(void)
{
	struct scene scene;
	scene_init(&scene, 100);
	scene_add_page(&scene, "https://a.test/", 0);
	struct pv_visit visit =
	    scene_take_tried(&scene, scene_take_host(&scene));
	struct pv_report *report = scene_report(&scene, PV_REPORT_REFUSED);
	report->visit = visit;
	report->verdict.reason = PV_REASON_ROBOTS;
	scene_send(&scene, report);
	scene_settle(&scene);
	ok(scene_tried(&scene) == 1 &&
		scene_count(&scene).states[PV_STATE_REFUSED] == 1,
	    "an address was tried before it was refused");
	scene_close(&scene);
	scene.before_start = rejudge_all;
	scene_open(&scene);
	ok(scene_count(&scene).states[PV_STATE_PENDING] == 1 &&
		scene_tried(&scene) == 0,
	    "P3: where it is admitted it has all its tries before it");
	scene_finish(&scene);
}

static void test_woken(void)
{
	struct scene scene;
	scene_init(&scene, 100);
	add_refused(&scene, "https://a.test/", PV_REASON_RULE);
	ok(!scene_take_host(&scene), "a host with nothing to ask is idle");
	scene_close(&scene);
	scene.before_start = rejudge_all;
	scene_open(&scene);
	uint64_t host = scene_take_host(&scene);
	ok(host && scene_take_visit(&scene, host).id,
	    "P3: what is admitted makes it wait for its turn");
	scene_finish(&scene);
}

static void keep_nonsense(struct scene *scene)
{
	struct pv_database *database = scene->store->database;
	static const bool is_open[PV_REASON_COUNT];
	struct pv_rejudging rejudging = {
	    .judge = admit, .is_open = is_open, .is_of_all = true};
	pv_writer_begin(&scene->store->writer);
	pv_frontier_rejudge(scene->frontier, &rejudging);
	pv_database_run(database, "UPDATE rejudged SET state = 77");
	pv_frontier_finish_rejudging(scene->frontier);
	ok(pv_database_status(database) == PV_STORE_DAMAGED,
	    "P3: a state that does not exist is a damaged file");
	ok(!pv_writer_commit(&scene->store->writer),
	    "of which nothing is committed");
}

static void test_damaged(void)
{
	struct scene scene;
	scene_init(&scene, 100);
	add_refused(&scene, "https://a.test/", PV_REASON_RULE);
	scene_close(&scene);
	scene.before_start = keep_nonsense;
	scene_open(&scene);
	ok(scene_number(
	       &scene, "SELECT count(*) FROM addresses WHERE state = 3") == 1,
	    "and the address stays as it was");
	scene_finish(&scene);
}

int main(void)
{
	test_asked(true, PV_REASON_LIMIT);
	test_asked(false, PV_REASON_ROBOTS);
	test_asked(false, PV_REASON_LIMIT);
	test_admitted();
	test_woken();
	test_damaged();
	return tap_done();
}
