#include "frontier/sqlite/rejudging.h"

#include "frontier/scene.h"
#include "frontier/sqlite/round_table.h"

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

/* scope.depth, as it was and as it is */

static const struct depth_case {
	const char *claim;
	struct pv_standing before;
	uint32_t depth_before;
	uint32_t depth_now;
	int64_t left;
} depths[] = {
    {"what is left of a longer depth is more",
	{.use = PV_PAGE, .depth = 1, .depth_left = 2}, 3, 5, 4},
    {"of a shorter one less", {.use = PV_PAGE, .depth = 1, .depth_left = 2}, 3,
	2, 1},
    {"and never less than nothing", {.use = PV_PAGE, .depth = 3}, 3, 2, 0},
    {"without a depth there is no end",
	{.use = PV_PAGE, .depth = 1, .depth_left = 2}, 3, PV_DEPTH_MAX,
	PV_DEPTH_MAX},
    {"a seed's own depth stays as it is",
	{.use = PV_PAGE, .depth = 1, .depth_left = 1}, 3, 5, 1},
    {"what lay one link too deep lies within a longer one",
	{.use = PV_REFUSED,
	    .depth = 4,
	    .found_as = PV_FOUND_AS_PAGE,
	    .verdict = {.reason = PV_REASON_DEPTH}},
	3, 5, 1},
    {"a part of a page has no depth of its own",
	{.use = PV_RESOURCE, .depth = 1, .depth_left = 2}, 3, 5, 2},
};

static const struct depth_case *depth_case;

static void change_depth(struct scene *scene)
{
	static const bool is_open[PV_REASON_COUNT];
	struct pv_rejudging rejudging = {
	    .judge = judge,
	    .ctx = &asked,
	    .is_open = is_open,
	    .is_of_all = true,
	    .depth_before = depth_case->depth_before,
	    .depth_now = depth_case->depth_now,
	};
	pv_writer_begin(&scene->store->writer);
	pv_frontier_rejudge(scene->frontier, &rejudging);
	pv_frontier_finish_rejudging(scene->frontier);
	pv_writer_commit(&scene->store->writer);
}

static void test_depths(void)
{
	for (size_t i = 0; i < sizeof(depths) / sizeof(*depths); i++) {
		struct scene scene;
		depth_case = &depths[i];
		scene_init(&scene, 100);
		scene_add(&scene, "https://a.test/x", depth_case->before);
		scene_close(&scene);
		scene.before_start = change_depth;
		scene_open(&scene);
		ok(scene_number(&scene, "SELECT depth_left FROM addresses") ==
			depth_case->left,
		    "P3: %s", depth_case->claim);
		scene_finish(&scene);
	}
}

/* What was answered in an earlier round, and is out of scope now */

static struct pv_rejudging last;

static bool refuse(
    void *ctx, const struct pv_known *known, struct pv_standing *standing)
{
	(void)ctx;
	(void)known;
	standing->use = PV_REFUSED;
	standing->verdict.reason = PV_REASON_RULE;
	return true;
}

static void refuse_all(struct scene *scene)
{
	static const bool is_open[PV_REASON_COUNT];
	last = (struct pv_rejudging){
	    .judge = refuse, .is_open = is_open, .is_of_all = true};
	pv_writer_begin(&scene->store->writer);
	pv_frontier_rejudge(scene->frontier, &last);
	pv_frontier_finish_rejudging(scene->frontier);
	pv_writer_commit(&scene->store->writer);
}

static void begin_and_refuse(struct scene *scene)
{
	const struct pv_round_plan plan = {.now_wall_ms = 9000};
	pv_frontier_begin_round(scene->frontier, &plan);
	refuse_all(scene);
}

static void test_answered(void)
{
	struct scene scene;
	scene_init(&scene, 100);
	scene_add_page(&scene, "https://a.test/", 0);
	struct pv_visit visit =
	    scene_take_visit(&scene, scene_take_host(&scene));
	scene_end_visit(&scene, &visit,
	    (struct pv_result){
		.outcome = PV_OUTCOME_ANSWERED, .http_status = 200});
	scene_close(&scene);
	scene.before_start = begin_and_refuse;
	scene_open(&scene);
	ok(last.refused == 1 && scene_count(&scene).states[PV_STATE_DONE] == 1,
	    "P3: what was answered before is not refused for good");
	ok(scene_number(&scene, "SELECT listing & 256 FROM addresses") == 256,
	    "but left out");
	scene_close(&scene);
	scene.before_start = refuse_all;
	scene_open(&scene);
	ok(!last.refused && !last.left_out, "P4: which is told once");
	scene_close(&scene);
	scene.before_start = begin_and_refuse;
	scene_open(&scene);
	ok(!last.refused && scene_count(&scene).states[PV_STATE_DONE] == 1,
	    "and not asked for in the next round");
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

/* If its host is taken over, it would wait there. */
static void test_elsewhere(void)
{
	static const bool is_open[PV_REASON_COUNT];
	struct pv_rejudging rejudging = {
	    .judge = refuse, .is_open = is_open, .is_of_all = true};
	struct pv_known known = {.url = PV_STR("https://a.test/")};
	struct pv_address_row row = {
	    .state = PV_STATE_ELSEWHERE, .standing = {.use = PV_PAGE}};
	ok(pv_rejudging_judge(&rejudging, &known, &row) &&
		row.state == PV_STATE_REFUSED,
	    "what waits for another worker may be refused, too");
}

int main(void)
{
	test_elsewhere();
	test_asked(true, PV_REASON_LIMIT);
	test_asked(false, PV_REASON_ROBOTS);
	test_asked(false, PV_REASON_LIMIT);
	test_admitted();
	test_depths();
	test_answered();
	test_woken();
	test_damaged();
	return tap_done();
}
