#include "frontier/scene.h"
#include "frontier/sqlite/rejudging.h"
#include "frontier/sqlite/round_table.h"

/* A page whose links did not all fit keeps its mark until it is read again: a
 * policy that leaves the page out for a while loses nothing (P3). */

static const struct pv_result page = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200};

/* What the next start is to do, and what it did. */
struct start {
	uint64_t known_max;
	uint64_t trap_max; /* 0: any number */
	bool is_judged;
	bool is_admitted;
	bool is_update;
	uint64_t again;
};

static struct start start;

static bool judge(
    void *ctx, const struct pv_known *known, struct pv_standing *standing)
{
	const struct start *told = ctx;
	(void)known;
	standing->use = told->is_admitted ? PV_PAGE : PV_REFUSED;
	standing->verdict.reason =
	    told->is_admitted ? PV_REASON_NONE : PV_REASON_RULE;
	return true;
}

static void begin(struct scene *scene)
{
	static const bool is_open[PV_REASON_COUNT];
	struct pv_rejudging rejudging = {
	    .judge = judge,
	    .ctx = &start,
	    .is_open = is_open,
	    .is_of_all = true,
	};
	const struct pv_link_ceilings ceilings = {
	    start.known_max, start.trap_max ? start.trap_max : UINT64_MAX};
	const struct pv_round_plan plan = {.now_wall_ms = 9000};
	if (start.is_update)
		pv_frontier_begin_round(scene->frontier, &plan);
	pv_writer_begin(&scene->store->writer);
	if (start.is_judged)
		pv_frontier_rejudge(scene->frontier, &rejudging);
	pv_frontier_finish_rejudging(scene->frontier);
	start.again =
	    pv_frontier_set_ceilings(scene->frontier, &ceilings, false);
	pv_writer_commit(&scene->store->writer);
}

static void restart(struct scene *scene, struct start plan)
{
	scene_close(scene);
	start = plan;
	scene_open(scene);
}

static struct pv_count_request count(struct scene *scene)
{
	struct pv_count_request request = {
	    .done = scene_end_count, .ctx = scene};
	pv_frontier_count(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request;
}

static bool has_left_known(struct scene *scene)
{
	return count(scene).has_left_known;
}

static const struct pv_copy copy_of_page = {
    .entity_tag = PV_STR("\"1\""), .file = PV_STR("site/a.test/index.html")};

/* One address fits: the link on its page does not. */
static void fill(struct scene *scene, const struct pv_copy *copy)
{
	scene_add_page(scene, "https://a.test/", 0);
	uint64_t host = scene_take_host(scene);
	struct pv_visit visit = scene_take_tried(scene, host);
	struct pv_report *report = scene_report(scene, PV_REPORT_DONE);
	report->visit = visit;
	report->result = page;
	report->copy = copy;
	scene_link(scene, report, "https://a.test/next",
	    (struct pv_standing){.use = PV_PAGE, .depth = 1});
	scene_send(scene, report);
	scene_settle(scene);
	scene_give_host(scene, host, (struct pv_host_state){.pages = 1});
}

static bool open_with(struct scene *scene, struct start plan)
{
	start = plan;
	*scene = (struct scene){.recent_count = 16,
	    .count_ceiling = 1000,
	    .before_start = begin,
	    .descriptors = descriptors_count()};
	return scratch_make(&scene->scratch) && scene_open(scene);
}

static void open_full(struct scene *scene, const struct pv_copy *copy)
{
	ok(open_with(scene, (struct start){.known_max = 1}),
	    "one address may be known");
	fill(scene, copy);
}

static void test_scope(void)
{
	struct scene scene;
	open_full(&scene, NULL);
	ok(has_left_known(&scene), "P4: a link that does not fit is told of");
	restart(&scene, (struct start){.known_max = 1, .is_judged = true});
	ok(!has_left_known(&scene),
	    "P4: of a page that is out of scope by another policy it is not");
	restart(&scene, (struct start){.known_max = 9});
	ok(!start.again && !has_left_known(&scene),
	    "where there is room it is not read again");
	ok(scene_tried(&scene) == 1, "what is done tells how it was tried");
	restart(&scene,
	    (struct start){
		.known_max = 9, .is_judged = true, .is_admitted = true});
	ok(start.again == 1,
	    "P3: it is, as soon as a policy has it in scope again");
	ok(scene_tried(&scene) == 0, "P3: with all its tries before it");
	restart(&scene, (struct start){.known_max = 9});
	ok(!start.again, "and that once");
	scene_finish(&scene);
}

/* "Not changed" is no answer where not all of its links were taken. */
static void test_update(void)
{
	const char *const must_be_read = "SELECT must_be_read FROM copies";
	struct scene scene;
	open_full(&scene, &copy_of_page);
	ok(has_left_known(&scene), "a page with a copy has a link too many");
	restart(&scene, (struct start){.known_max = 1, .is_update = true});
	ok(has_left_known(&scene) && scene_number(&scene, must_be_read) == 0,
	    "an update asks for it, and there is no room as yet");
	restart(&scene, (struct start){.known_max = 9});
	ok(!has_left_known(&scene) && scene_number(&scene, must_be_read) == 1,
	    "P3: where there is room it is read, whether or not it has changed");
	scene_finish(&scene);
}

/* What is known needs no room, wherever it is found. */
static void test_known(void)
{
	struct scene scene;
	open_with(&scene, (struct start){.known_max = 1});
	scene_add_page(&scene, "https://a.test/", 3);
	struct pv_report *report = scene_report(&scene, PV_REPORT_DONE);
	report->visit = scene_take_visit(&scene, scene_take_host(&scene));
	report->result = page;
	scene_link(&scene, report, "https://a.test/",
	    (struct pv_standing){.use = PV_PAGE, .depth = 1});
	scene_send(&scene, report);
	scene_settle(&scene);
	ok(!has_left_known(&scene) &&
		scene_number(&scene, "SELECT depth FROM addresses") == 1,
	    "a link to what is known is taken where nothing new is");
	scene_finish(&scene);
}

/* Traps */

/* A report of the one page, to be filled with links. */
static struct pv_report *page_report(struct scene *scene)
{
	struct pv_report *report = scene_report(scene, PV_REPORT_LINKS);
	report->visit.id = 1;
	return report;
}

static void link_refused(struct scene *scene, struct pv_report *report,
    const char *url, enum pv_reason reason)
{
	scene_link(scene, report, url,
	    (struct pv_standing){
		.use = PV_REFUSED, .depth = 1, .verdict = {.reason = reason}});
}

static void test_traps(void)
{
	static const enum pv_reason reasons[] = {PV_REASON_REPEATS,
	    PV_REASON_SEGMENTS, PV_REASON_SAME_BODY, PV_REASON_SESSION,
	    PV_REASON_SUBDOMAINS, PV_REASON_QUERY, PV_REASON_CALENDAR};
	const char *const count_all = "SELECT count(*) FROM addresses";
	struct scene scene;
	open_with(
	    &scene, (struct start){.known_max = UINT64_MAX, .trap_max = 7});
	scene_add_page(&scene, "https://a.test/", 0);
	struct pv_report *report = page_report(&scene);
	for (char i = 0; i < 7; i++) {
		char url[] = "https://a.test/trap-X";
		url[sizeof(url) - 2] = (char)('0' + i);
		link_refused(&scene, report, url, reasons[(int)i]);
	}
	link_refused(&scene, report, "https://a.test/no", PV_REASON_RULE);
	scene_send(&scene, report);
	scene_settle(&scene);
	ok(scene_number(&scene, count_all) == 9 &&
		!count(&scene).has_left_traps,
	    "of what traps of any sort make, as many as may be are kept");
	report = page_report(&scene);
	link_refused(&scene, report, "https://a.test/8", PV_REASON_SESSION);
	link_refused(&scene, report, "https://a.test/no/2", PV_REASON_RULE);
	scene_send(&scene, report);
	scene_settle(&scene);
	ok(scene_number(&scene, count_all) == 10 &&
		count(&scene).has_left_traps,
	    "P5: and no more, though other refusals are");
	scene_finish(&scene);
}

static void test_both(void)
{
	struct scene scene;
	const struct start plan = {.known_max = 3, .trap_max = 1};
	open_with(&scene, plan);
	scene_add_page(&scene, "https://a.test/", 0);
	struct pv_report *report = page_report(&scene);
	link_refused(&scene, report, "https://a.test/1", PV_REASON_SESSION);
	link_refused(&scene, report, "https://a.test/2", PV_REASON_SESSION);
	scene_send(&scene, report);
	scene_settle(&scene);
	report = page_report(&scene);
	link_refused(&scene, report, "https://a.test/3", PV_REASON_RULE);
	link_refused(&scene, report, "https://a.test/4", PV_REASON_RULE);
	scene_send(&scene, report);
	scene_settle(&scene);
	restart(&scene, plan);
	ok(count(&scene).has_left_known && count(&scene).has_left_traps,
	    "P3: of a page that has left links for two causes the next run "
	    "knows both");
	scene_finish(&scene);
}

int main(void)
{
	test_known();
	test_traps();
	test_both();
	test_scope();
	test_update();
	return tap_done();
}
