#include "frontier/engines.h"
#include "frontier/plans.h"

/* What any engine makes of a report: of its address, its host, its copy, and of
 * the jobs that are given with it. */

#define DAY ((int64_t)86400000)

static const struct pv_result leaf = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200, .bytes = 10};
static const struct pv_result same = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 304};

static const struct pv_standing page = {.use = PV_PAGE, .depth = 1};

/* A scene with a visit that is in flight. */
struct flight {
	struct scene scene;
	uint64_t host;
	struct pv_visit visit;
};

static void take_off(struct flight *flight, scene_open_fn *open)
{
	scene_init_engine(&flight->scene, open, 16);
	scene_add_page(&flight->scene, "https://x.example/a", 1);
	flight->host = scene_take_host(&flight->scene);
	flight->visit = scene_take_visit(&flight->scene, flight->host);
}

static void hand_in(struct scene *scene, struct pv_report *report)
{
	scene_send(scene, report);
	scene_settle(scene);
}

static void report(struct flight *flight, enum pv_report_kind kind)
{
	struct pv_report *report = scene_report(&flight->scene, kind);
	report->visit = flight->visit;
	report->visit.not_before_wall_ms = 4711;
	report->result = leaf;
	report->verdict = (struct pv_verdict){PV_REASON_ROBOTS, 12};
	hand_in(&flight->scene, report);
}

/* Kinds that leave the address pending */

static const struct again_case {
	const char *claim;
	enum pv_report_kind kind;
	uint32_t attempt;
	uint32_t waits;
	int64_t not_before_wall_ms;
	const char *order;
} agains[] = {
    {"what failed counts as tried, rests, and comes behind all else",
	PV_REPORT_AGAIN, 1, 0, 4711, "b a"},
    {"what is to come later does not count at all", PV_REPORT_LATER, 0, 0, 0,
	"a b"},
    {"what its host has put off is counted, but not as tried",
	PV_REPORT_PUT_OFF, 0, 1, 0, "a b"},
    {"what got further rests, and does not count as tried", PV_REPORT_ONWARD, 0,
	0, 4711, "a b"},
};

static void test_again(scene_open_fn *open, const struct again_case *again)
{
	struct flight flight;
	take_off(&flight, open);
	report(&flight, again->kind);
	struct pv_visit visit = scene_take_visit(&flight.scene, flight.host);
	ok(visit.id == flight.visit.id && visit.attempt == again->attempt &&
		visit.waits == again->waits && !visit.is_repeated &&
		visit.not_before_wall_ms == again->not_before_wall_ms,
	    "%s", again->claim);
	scene_give_host(
	    &flight.scene, flight.host, (struct pv_host_state){.pages = 0});
	scene_add_page(&flight.scene, "https://x.example/b", 2);
	scene_take_host(&flight.scene);
	scene_are_next(
	    &flight.scene, flight.host, 9, again->order, "in that order");
	scene_finish(&flight.scene);
}

/* What is refused */

struct refused {
	unsigned count;
	uint64_t id;
	char url[100];
	char via[100];
	enum pv_reason reason;
};

static struct refused refused;

static void on_refused(void *ctx, const struct pv_visit *visit)
{
	struct refused *told = ctx;
	told->count++;
	told->id = visit->id;
	told->reason = visit->standing.verdict.reason;
	snprintf(told->url, sizeof(told->url), "%.*s", PV_STR_ARG(visit->url));
	snprintf(told->via, sizeof(told->via), "%.*s", PV_STR_ARG(visit->via));
}

static void hear_refused(struct scene *scene)
{
	refused = (struct refused){.count = 0};
	scene->frontier->on_refused = on_refused;
	scene->frontier->refused_ctx = &refused;
}

static void test_refused(scene_open_fn *open)
{
	struct flight flight;
	struct pv_standing standing = {
	    .use = PV_REFUSED, .depth = 2, .verdict.reason = PV_REASON_HOST};
	take_off(&flight, open);
	scene_close(&flight.scene);
	flight.scene.before_start = hear_refused;
	scene_open(&flight.scene);
	flight.host = scene_take_host(&flight.scene);
	flight.visit = scene_take_visit(&flight.scene, flight.host);
	struct pv_report *report =
	    scene_report(&flight.scene, PV_REPORT_REFUSED);
	report->visit = flight.visit;
	report->verdict = (struct pv_verdict){PV_REASON_ROBOTS, 12};
	scene_link(&flight.scene, report, "https://y.example/b", standing);
	hand_in(&flight.scene, report);
	ok(refused.count == 1 && refused.id &&
		refused.reason == PV_REASON_HOST &&
		strcmp(refused.url, "https://y.example/b") == 0 &&
		strcmp(refused.via, "https://x.example/a") == 0,
	    "P4: of a link that is refused it is told, with where it was "
	    "found; of a visit its report tells");
	struct pv_counts counts = scene_count(&flight.scene);
	ok(counts.states[PV_STATE_REFUSED] == 2 &&
		counts.reasons[PV_REASON_ROBOTS] == 1 &&
		counts.reasons[PV_REASON_HOST] == 1,
	    "P4: both are counted, by reason");
	scene_add(&flight.scene, "https://y.example/b", standing);
	ok(refused.count == 1, "P4: nothing is told twice");
	scene_finish(&flight.scene);
}

/* Once only */

static void test_twice(scene_open_fn *open)
{
	struct flight flight;
	take_off(&flight, open);
	report(&flight, PV_REPORT_REFUSED);
	report(&flight, PV_REPORT_DONE);
	struct pv_counts counts = scene_count(&flight.scene);
	ok(counts.states[PV_STATE_REFUSED] == 1 &&
		counts.states[PV_STATE_DONE] == 0,
	    "P3: a second report of one visit changes nothing");
	scene_finish(&flight.scene);
	take_off(&flight, open);
	scene_give_host(
	    &flight.scene, flight.host, (struct pv_host_state){.pages = 0});
	report(&flight, PV_REPORT_DONE);
	ok(scene_count(&flight.scene).states[PV_STATE_PENDING] == 1,
	    "P3: nor does one of a host that was given back");
	scene_finish(&flight.scene);
}

/* The jobs that are given with a report */

struct line {
	struct pv_job job;
	const struct pv_report *report;
	unsigned runs;
	unsigned ends;
	bool is_final;
	enum pv_change change;
	enum pv_store_status status;
};

static void run_line(struct pv_job *job, struct pv_database *database)
{
	struct line *line = (struct line *)job;
	(void)database;
	line->runs++;
	line->is_final = line->report->is_final;
	line->change = line->report->change;
}

static void end_line(struct pv_job *job, enum pv_store_status status)
{
	struct line *line = (struct line *)job;
	line->ends++;
	line->status = status;
}

static struct line report_line(struct scene *scene, struct pv_report *report)
{
	struct line line = {
	    .job = {.run = run_line, .done = end_line, .rows = 1},
	    .report = report,
	};
	report->with = &line.job;
	hand_in(scene, report);
	return line;
}

static void test_with(scene_open_fn *open)
{
	struct flight flight;
	take_off(&flight, open);
	struct pv_report *again = scene_report(&flight.scene, PV_REPORT_AGAIN);
	again->visit = flight.visit;
	struct line line = report_line(&flight.scene, again);
	ok(line.runs == 1 && line.ends == 1 && line.status == PV_STORE_OK,
	    "a job that is given with a report runs once, and comes back");
	ok(!line.is_final, "P3: of what is asked for again more may come");
	flight.visit = scene_take_visit(&flight.scene, flight.host);
	struct pv_report *done = scene_report(&flight.scene, PV_REPORT_DONE);
	done->visit = flight.visit;
	done->result = leaf;
	line = report_line(&flight.scene, done);
	ok(line.is_final, "P3: what is done is known to be final by then");
	scene_finish(&flight.scene);
}

/* The host's clock */

static void test_clock(scene_open_fn *open)
{
	struct flight flight;
	take_off(&flight, open);
	struct pv_report *links = scene_report(&flight.scene, PV_REPORT_LINKS);
	links->visit.host_id = flight.host;
	links->host =
	    (struct pv_host_state){.rest_ms = 60000, .pages = 3, .bytes = 70};
	hand_in(&flight.scene, links);
	ok(scene_count(&flight.scene).states[PV_STATE_IN_FLIGHT] == 1,
	    "a report of a host alone leaves its visits as they are");
	scene_close(&flight.scene);
	scene_open(&flight.scene);
	ok(flight.scene.frontier->totals.pages == 3 &&
		flight.scene.frontier->totals.bytes == 70,
	    "what all hosts have brought is known after any end");
	struct pv_host_list hosts = scene_take_hosts(&flight.scene, 1);
	struct pv_host host = pv_host_list_get(&hosts, 0);
	ok(host.state.rest_ms == 60000 && host.owes_delay && !host.was_held,
	    "P2: the clock of a report outlives a kill");
	pv_host_list_finish(&hosts);
	scene_finish(&flight.scene);
}

/* What is known of a host, and of an address that was broken off, as whoever goes
 * on with them knows it. */
static void test_state(scene_open_fn *open, bool is_moved)
{
	static const struct pv_part part = {
	    .size = 2000000, .complete = 5000000, .validator = PV_STR("\"a\"")};
	struct flight flight;
	struct pv_part found = {.size = 0};
	take_off(&flight, open);
	struct pv_report *onward =
	    scene_report(&flight.scene, PV_REPORT_ONWARD);
	onward->visit = flight.visit;
	onward->visit.not_before_wall_ms = 4711;
	onward->part = &part;
	onward->host = (struct pv_host_state){
	    .rest_ms = 60000, .wait_ms = 5000, .pages = 3, .bytes = 70};
	hand_in(&flight.scene, onward);
	scene_close(&flight.scene);
	scene_open(&flight.scene);
	struct pv_host_list hosts = scene_take_hosts(&flight.scene, 1);
	struct pv_host host = pv_host_list_get(&hosts, 0);
	ok(hosts.count == 1 && host.owes_delay && host.state.rest_ms == 60000 &&
		host.state.wait_ms == 5000 && host.state.pages == 3 &&
		host.state.bytes == 70,
	    "P2: the clock and the limits of a host outlive a kill");
	struct pv_visit_list visits =
	    scene_take_visits(&flight.scene, host.id, 9);
	struct pv_visit visit = {.id = 0};
	if (ok(visits.count == 1, "P3: and what was in flight is pending"))
		visit = pv_visit_list_get(&visits, 0);
	/* The scene's wall clock stands still, and the server's went on. */
	int64_t passed_ms = 4711 - visit.not_before_wall_ms;
	ok(passed_ms >= 0 && passed_ms < (is_moved ? 10000 : 1),
	    "with its rest (%lld ms less)", (long long)passed_ms);
	/* What has come of it lies in the directory of who asked. */
	ok(pv_part_unpack(visit.part, &found) == !is_moved,
	    is_moved ? "without its part, which another worker does not have"
		     : "P3: with its part");
	pv_visit_list_finish(&visits);
	pv_host_list_finish(&hosts);
	scene_finish(&flight.scene);
}

/* Copies and parts */

static bool has_copy;

static bool look_for_copy(void *ctx, const struct pv_copy *copy)
{
	(void)ctx;
	return has_copy && pv_str_equal(copy->file, PV_STR("site/a"));
}

static void begin_round(struct scene *scene)
{
	const struct pv_round_plan plan = {.now_wall_ms = 9 * DAY};
	scene->frontier->has_copy = look_for_copy;
	ok(pv_frontier_begin_round(scene->frontier, &plan) &&
		scene->frontier->round.number == 2 &&
		scene->frontier->round.due == 1,
	    "what there is a copy of is due in the next round");
	ok(scene->frontier->totals.pages == 0,
	    "in which limits count from nothing");
}

/* Whether the next visit carries the copy, and that is where it is to be. */
static bool carries_copy(struct flight *flight, bool is_there)
{
	struct pv_visit_list visits =
	    scene_take_visits(&flight->scene, flight->host, 1);
	struct pv_copy copy = {.is_there = false};
	bool is_right = false;
	if (visits.count) {
		flight->visit = pv_visit_list_get(&visits, 0);
		is_right = flight->visit.is_repeated &&
			   pv_copy_unpack(flight->visit.copy, &copy) &&
			   pv_str_equal(copy.entity_tag, PV_STR("\"1\"")) &&
			   copy.is_there == is_there;
	}
	flight->visit.url = flight->visit.via = flight->visit.tag = PV_STR("");
	flight->visit.copy = PV_STR("there is one");
	pv_visit_list_finish(&visits);
	return is_right;
}

static struct pv_round round_of(struct scene *scene)
{
	struct pv_count_request request = {
	    .done = scene_end_count, .ctx = scene};
	pv_frontier_count(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request.round;
}

static void test_copy(scene_open_fn *open)
{
	static const struct pv_copy copy = {
	    .entity_tag = PV_STR("\"1\""), .file = PV_STR("site/a")};
	struct flight flight;
	take_off(&flight, open);
	struct pv_report *done = scene_report(&flight.scene, PV_REPORT_DONE);
	done->visit = flight.visit;
	done->result = leaf;
	done->copy = &copy;
	done->wall_ms = DAY;
	done->change = PV_CHANGE_NEW;
	struct line line = report_line(&flight.scene, done);
	ok(line.is_final && line.change == PV_CHANGE_NONE,
	    "in the first round no change is to be told");
	scene_close(&flight.scene);
	flight.scene.before_start = begin_round;
	scene_open(&flight.scene);
	flight.host = scene_take_host(&flight.scene);
	has_copy = false;
	ok(carries_copy(&flight, false),
	    "a visit carries its copy, and says that it is lost");
	report(&flight, PV_REPORT_LATER);
	has_copy = true;
	ok(carries_copy(&flight, true), "or that it is where it should be");
	done = scene_report(&flight.scene, PV_REPORT_DONE);
	done->visit = flight.visit;
	done->result = same;
	done->wall_ms = 10 * DAY;
	done->change = PV_CHANGE_SAME;
	line = report_line(&flight.scene, done);
	ok(line.is_final && line.change == PV_CHANGE_SAME,
	    "what an update has found is to be told");
	struct pv_round round = round_of(&flight.scene);
	ok(round.counts[PV_CHANGE_SAME] == 1 && pv_round_left(&round) == 0,
	    "and counted in its round");
	ok(scene_count(&flight.scene).outcomes[PV_OUTCOME_ANSWERED] == 1,
	    "P3: the address keeps the answer that it had");
	scene_finish(&flight.scene);
}

static void test_part(scene_open_fn *open)
{
	static const struct pv_part part = {
	    .size = 2000000,
	    .complete = 5000000,
	    .gains = 4,
	    .validator = PV_STR("\"a\""),
	    .headers = PV_STR("ETag: \"a\"\r\n"),
	};
	struct flight flight;
	struct pv_part found = {.size = 0};
	take_off(&flight, open);
	struct pv_report *onward =
	    scene_report(&flight.scene, PV_REPORT_ONWARD);
	onward->visit = flight.visit;
	onward->part = &part;
	hand_in(&flight.scene, onward);
	struct pv_visit_list visits =
	    scene_take_visits(&flight.scene, flight.host, 1);
	struct pv_visit visit = pv_visit_list_get(&visits, 0);
	ok(pv_part_unpack(visit.part, &found) && found.size == part.size &&
		visit.gains == 4 && visit.attempt == 0,
	    "what was broken off comes with the next visit of it");
	pv_visit_list_finish(&visits);
	struct pv_report *again = scene_report(&flight.scene, PV_REPORT_AGAIN);
	again->visit = flight.visit;
	again->drops_part = true;
	hand_in(&flight.scene, again);
	visits = scene_take_visits(&flight.scene, flight.host, 1);
	visit = pv_visit_list_get(&visits, 0);
	ok(!pv_part_unpack(visit.part, &found) && visit.gains == 0,
	    "P3: until it is of no use");
	pv_visit_list_finish(&visits);
	scene_finish(&flight.scene);
}

/* Links */

static void test_links(scene_open_fn *open)
{
	struct flight flight;
	take_off(&flight, open);
	struct pv_report *done = scene_report(&flight.scene, PV_REPORT_DONE);
	done->visit = flight.visit;
	done->result = leaf;
	char url[64];
	for (int i = 0; i < 2500; i++) {
		snprintf(url, sizeof(url), "https://x.example/%d", i);
		scene_link(&flight.scene, done, url, page);
	}
	struct line line = report_line(&flight.scene, done);
	struct pv_counts counts = scene_count(&flight.scene);
	ok(line.runs == 1 && counts.states[PV_STATE_PENDING] == 2500 &&
		counts.states[PV_STATE_DONE] == 1,
	    "P3: a page and all its links, however many, are true together");
	scene_close(&flight.scene);
	scene_open(&flight.scene);
	ok(flight.scene.frontier->left == 2500,
	    "P3: and known to be left by the next run");
	scene_finish(&flight.scene);
}

static void test(scene_open_fn *open, const struct engine_row *engine)
{
	test_state(open, engine->is_moved);
	if (engine->is_moved)
		return;
	for (size_t j = 0; j < sizeof(agains) / sizeof(*agains); j++)
		test_again(open, &agains[j]);
	test_refused(open);
	test_twice(open);
	test_with(open);
	test_clock(open);
	test_copy(open);
	test_part(open);
	test_links(open);
}

int main(void)
{
	engines_each(test);
	return tap_done();
}
