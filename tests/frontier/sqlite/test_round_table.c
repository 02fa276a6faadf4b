#include "frontier/sqlite/round_table.h"

#include "frontier/scene.h"

#define DAY ((int64_t)86400000)

static const struct pv_result good = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200, .bytes = 7};
static const struct pv_result leads_further = {.outcome = PV_OUTCOME_ANSWERED,
    .http_status = 200,
    .may_lead_further = true};
static const struct pv_result missing = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 404};
static const struct pv_copy first = {
    .entity_tag = PV_STR("\"1\""), .has_digest = true, .digest = {1}};
static const struct pv_copy second = {
    .entity_tag = PV_STR("\"2\""), .has_digest = true, .digest = {2}};

/* What is to be told of the visit that ended last. */
static enum pv_change told;

static void note(struct pv_report *report, enum pv_store_status status)
{
	told = report->change;
	scene_end_report(report, status);
}

/* What came of a visit; no outcome: it was refused. */
struct ending {
	struct pv_result result;
	const struct pv_copy *had;
	const struct pv_copy *now;
	int64_t wall_ms;
};

static void end_visit(struct scene *scene, const struct pv_visit *visit,
    const struct ending *ending)
{
	struct pv_report *report = scene_report(
	    scene, ending->result.outcome == PV_OUTCOME_NONE ? PV_REPORT_REFUSED
							     : PV_REPORT_DONE);
	report->visit = *visit;
	report->visit.copy = ending->had ? PV_STR("packed") : PV_STR("");
	report->result = ending->result;
	report->verdict.reason = PV_REASON_ROBOTS;
	report->copy = ending->now;
	report->wall_ms = ending->wall_ms;
	report->change =
	    pv_change_of(ending->had, &ending->result, ending->now);
	report->done = note;
	scene_send(scene, report);
	scene_settle(scene);
}

/* Ends the next visit; whether it carried a copy with that entity-tag, one that
 * "must be read" or is "as listed", or "nothing". */
static bool visit_next(struct scene *scene, uint64_t host,
    const struct ending *ending, const char *entity_tag)
{
	struct pv_visit_list visits = scene_take_visits(scene, host, 1);
	struct pv_copy copy = {.entity_tag = PV_STR("")};
	bool is_right = visits.count == 1;
	if (!is_right)
		return false;
	struct pv_visit visit = pv_visit_list_get(&visits, 0);
	bool has_copy = pv_copy_unpack(visit.copy, &copy);
	struct pv_str found = !has_copy           ? PV_STR("nothing")
			      : copy.is_as_listed ? PV_STR("as listed")
			      : copy.must_be_read ? PV_STR("must be read")
						  : copy.entity_tag;
	is_right = pv_str_equal(found, pv_str_of(entity_tag));
	if (!is_right)
		printf("# it has %.*s\n", PV_STR_ARG(found));
	end_visit(scene, &visit, ending);
	pv_visit_list_finish(&visits);
	return is_right;
}

/* As another run does, before it starts. */
static struct pv_round_plan plan;
static bool has_begun;

static void begin(struct scene *scene)
{
	has_begun = pv_frontier_begin_round(scene->frontier, &plan);
}

static void begin_round(struct scene *scene, int64_t now, int64_t after_ms)
{
	plan = (struct pv_round_plan){
	    .now_wall_ms = now, .after_ms = after_ms, .finished_wall_ms = DAY};
	scene_close(scene);
	scene->before_start = begin;
	scene_open(scene);
	scene->before_start = NULL;
}

static struct pv_round round_of(struct scene *scene)
{
	struct pv_count_request request = {
	    .done = scene_end_count, .ctx = scene};
	pv_frontier_count(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request.round;
}

/* A crawl of three pages, and one that is not there. */
static uint64_t crawl(struct scene *scene)
{
	static const char *const pages[] = {"https://a.example/1",
	    "https://a.example/2", "https://a.example/3",
	    "https://a.example/4"};
	for (size_t i = 0; i < 4; i++)
		scene_add_page(scene, pages[i], 0);
	uint64_t host = scene_take_host(scene);
	bool is_right = true;
	for (int64_t i = 0; i < 3; i++)
		is_right &=
		    visit_next(scene, host,
			&(struct ending){good, NULL, &first, DAY * (i + 1)},
			"nothing") &&
		    told == PV_CHANGE_NONE;
	is_right &= visit_next(
	    scene, host, &(struct ending){missing, NULL, NULL, DAY}, "nothing");
	ok(is_right && told == PV_CHANGE_NONE,
	    "of a crawl nothing is told but what it did");
	ok(scene_number(scene, "SELECT count(*) FROM copies") == 3 &&
		round_of(scene).number == 1,
	    "of each good answer there is a copy");
	scene_give_host(
	    scene, host, (struct pv_host_state){.pages = 3, .bytes = 21});
	return host;
}

static void test_due(struct scene *scene)
{
	begin_round(scene, 3 * DAY, 3 * DAY);
	ok(!has_begun && round_of(scene).number == 1 &&
		scene_take_host(scene) == 0,
	    "where nothing is old enough there is no other round");
	begin_round(scene, 3 * DAY, 2 * DAY);
	ok(has_begun && round_of(scene).number == 2 && round_of(scene).due == 1,
	    "what is old enough is due, and so is what failed then");
	struct pv_counts counts = scene_count(scene);
	ok(counts.states[PV_STATE_PENDING] == 2 &&
		counts.states[PV_STATE_DONE] == 2 &&
		counts.outcomes[PV_OUTCOME_ANSWERED] == 2,
	    "the counts know");
	ok(scene_number(scene, "SELECT pages + bytes FROM host_states") == 0 &&
		scene->frontier->totals.pages == 0,
	    "and limits count anew");
}

static void finish(struct scene *scene, uint64_t host, int64_t wall_ms)
{
	scene_give_host(scene, host, (struct pv_host_state){.pages = 0});
	scene_close(scene);
	struct pv_database *database =
	    pv_database_open(scratch_file(&scene->scratch, "state.db"));
	ok(pv_round_is_open(database), "a round is open until it has ended");
	pv_round_table_end(database, wall_ms);
	ok(!pv_round_is_open(database), "and then it is not");
	pv_database_close(database);
	scene_open(scene);
}

static void test_first_round(struct scene *scene)
{
	static const struct pv_result same = {
	    .outcome = PV_OUTCOME_ANSWERED, .http_status = 304};
	struct pv_copy had = first;
	had.is_there = true;
	uint64_t host = scene_take_host(scene);
	ok(visit_next(scene, host, &(struct ending){same, &had, NULL, 3 * DAY},
	       "\"1\"") &&
		told == PV_CHANGE_SAME,
	    "what is asked for again carries what there is of it");
	ok(scene_number(scene,
	       "SELECT http_status = 200 AND bytes = 7 FROM addresses WHERE "
	       "id = 1") == 1,
	    "and what is as it was stays as it was");
	ok(visit_next(scene, host,
	       &(struct ending){good, NULL, &first, 3 * DAY}, "nothing") &&
		told == PV_CHANGE_NEW,
	    "what comes where there was none is new");
	struct pv_round round = round_of(scene);
	ok(scene_take_visit(scene, host).id == 0 && pv_round_left(&round) == 0,
	    "no more is asked for");
	finish(scene, host, 3 * DAY);
}

static void test_second_round(struct scene *scene)
{
	struct pv_copy had = first;
	had.is_there = true;
	begin_round(scene, 9 * DAY, 0);
	uint64_t host = scene_take_host(scene);
	ok(has_begun && round_of(scene).due == 4, "then all is due");
	visit_next(scene, host, &(struct ending){good, &had, &second, 9 * DAY},
	    "\"1\"");
	ok(told == PV_CHANGE_CHANGED &&
		scene_number(scene,
		    "SELECT entity_tag = '\"2\"' FROM copies WHERE address = "
		    "1") == 1,
	    "what has changed is kept as it is now");
	visit_next(scene, host, &(struct ending){missing, &had, NULL, 9 * DAY},
	    "\"1\"");
	ok(told == PV_CHANGE_GONE &&
		scene_number(scene,
		    "SELECT gone = 1 AND http_status = 200 FROM pages WHERE "
		    "id = 2") == 1,
	    "what is gone is marked, and is what it was");
	visit_next(scene, host,
	    &(struct ending){{.outcome = PV_OUTCOME_NONE}, &had, NULL, 9 * DAY},
	    "\"1\"");
	ok(told == PV_CHANGE_FAILED &&
		scene_number(scene,
		    "SELECT state = 2 AND http_status = 200 FROM addresses "
		    "WHERE id = 3") == 1 &&
		scene_number(scene,
		    "SELECT has_failed AND checked_wall_ms < 777600000 FROM "
		    "copies WHERE address = 3") == 1,
	    "what may not be asked for any more is kept");
	struct pv_round round = round_of(scene);
	ok(round.counts[PV_CHANGE_CHANGED] == 1 &&
		round.counts[PV_CHANGE_GONE] == 1 &&
		round.counts[PV_CHANGE_FAILED] == 1 &&
		pv_round_left(&round) == 1,
	    "all of it is counted, and what is left");
	scene_close(scene);
	scene_open(scene);
	ok(scene->frontier->round.number == 3 &&
		pv_round_left(&scene->frontier->round) == 1,
	    "P3: and known to the next run");
	host = scene_take_host(scene);
	visit_next(scene, host, &(struct ending){good, &had, &first, 9 * DAY},
	    "\"1\"");
	ok(told == PV_CHANGE_SAME, "which goes on with it");
	finish(scene, host, 9 * DAY);
}

/* An address that is found to stand better while it waits, and once more when
 * it is done. */
static void test_better(struct scene *scene)
{
	struct pv_copy had = first;
	had.is_there = true;
	scene_add_page(scene, "https://b.example/", 5);
	uint64_t host = scene_take_host(scene);
	visit_next(scene, host,
	    &(struct ending){leads_further, NULL, &first, 9 * DAY}, "nothing");
	scene_give_host(scene, host, (struct pv_host_state){.pages = 1});
	begin_round(scene, 20 * DAY, 10 * DAY + 1);
	ok(has_begun, "another round");
	scene_add_page(scene, "https://b.example/", 4);
	struct pv_host_list hosts = scene_take_hosts(scene, 2);
	pv_host_list_finish(&hosts);
	ok(visit_next(scene, host,
	       &(struct ending){leads_further, &had, &second, 20 * DAY},
	       "must be read") &&
		told == PV_CHANGE_CHANGED,
	    "what stands better is read, whether or not it has changed");
	scene_add_page(scene, "https://b.example/", 3);
	ok(visit_next(scene, host,
	       &(struct ending){leads_further, &second, &first, 20 * DAY},
	       "must be read") &&
		told == PV_CHANGE_NONE,
	    "and nothing of it is told twice in a round");
}

/* A failed try of a round is none of the next. */
static void test_tries(void)
{
	struct scene scene;
	scene_init(&scene, 100);
	scene_add_page(&scene, "https://a.example/1", 0);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit visit = scene_take_tried(&scene, host);
	end_visit(
	    &scene, &visit, &(struct ending){good, NULL, &first, 2 * DAY});
	scene_give_host(&scene, host, (struct pv_host_state){.pages = 1});
	ok(scene_tried(&scene) == 1, "a page was tried before it was done");
	begin_round(&scene, 9 * DAY, 0);
	ok(has_begun && scene_tried(&scene) == 0,
	    "P3: in the next round it has all its tries before it");
	scene_finish(&scene);
}

/* Pages of which a sitemap tells: the third, which had been refused, and the
 * fourth only in the end. */

static const char map[] = "https://c.example/sitemap.xml";
static const char *const listed[] = {"https://c.example/1",
    "https://c.example/2", "https://c.example/3", "https://c.example/4"};

static void report_map(struct scene *scene, const struct pv_visit *visit,
    const struct pv_copy *had, int64_t wall_ms)
{
	struct pv_report *report = scene_report(scene, PV_REPORT_DONE);
	report->visit = *visit;
	report->visit.copy = had ? PV_STR("packed") : PV_STR("");
	report->result = leads_further;
	report->copy = &first;
	report->change = pv_change_of(had, &report->result, &first);
	report->wall_ms = wall_ms;
	for (int64_t i = 0; i < 4; i++) {
		struct pv_str url = pv_str_of(listed[i]);
		struct pv_link link = {
		    .fingerprint =
			pv_frontier_fingerprint(scene->frontier, url),
		    .standing = {.use = PV_PAGE, .depth = 1, .is_entry = true},
		    .url = url,
		    .host = PV_STR("c.example"),
		    .lastmod_wall_ms =
			i == 1 ? wall_ms - 3600000 : 30 * DAY + 1,
		};
		if (had || i < 2)
			pv_link_list_add(&report->links, &link);
	}
	scene_send(scene, report);
	scene_settle(scene);
}

static uint64_t crawl_listed(struct scene *scene)
{
	scene_add(scene, map,
	    (struct pv_standing){.use = PV_PAGE, .listing = PV_LISTS_ALL});
	scene_add(scene, listed[2], (struct pv_standing){.use = PV_REFUSED});
	struct pv_host_list hosts = scene_take_hosts(scene, 3);
	uint64_t host = pv_host_list_get(&hosts, hosts.count - 1).id;
	pv_host_list_finish(&hosts);
	struct pv_visit visit = scene_take_visit(scene, host);
	report_map(scene, &visit, NULL, 31 * DAY);
	for (int i = 0; i < 2; i++)
		visit_next(scene, host,
		    &(struct ending){good, NULL, &first, 32 * DAY}, "nothing");
	return host;
}

static struct pv_counts count_last(struct scene *scene)
{
	struct pv_count_request request = {
	    .is_last = true, .done = scene_end_count, .ctx = scene};
	pv_frontier_count(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request.counts;
}

static void test_sitemap(struct scene *scene)
{
	struct pv_copy had = first;
	had.is_there = true;
	uint64_t host = crawl_listed(scene);
	begin_round(scene, 40 * DAY, 7 * DAY);
	struct pv_counts counts = scene_count(scene);
	struct pv_host_list hosts = scene_take_hosts(scene, 9);
	ok(has_begun && counts.states[PV_STATE_PENDING] == 1 &&
		hosts.count == 1 && pv_host_list_get(&hosts, 0).id == host,
	    "sitemaps are asked for before all else");
	pv_host_list_finish(&hosts);
	struct pv_visit_list visits = scene_take_visits(scene, host, 9);
	struct pv_copy copy = {.must_be_read = false};
	struct pv_visit visit = pv_visit_list_get(&visits, 0);
	ok(visits.count == 1 && pv_copy_unpack(visit.copy, &copy) &&
		copy.must_be_read,
	    "and are read in any case");
	report_map(scene, &visit, &had, 40 * DAY);
	pv_visit_list_finish(&visits);
	ok(visit_next(scene, host,
	       &(struct ending){good, NULL, &first, 41 * DAY}, "nothing"),
	    "what they tell of that was not known comes with them");
	visit_next(scene, host, &(struct ending){missing, NULL, NULL, 40 * DAY},
	    "nothing");
	ok(scene_take_visit(scene, host).id == 0, "and then nothing");
	scene_close(scene);
	scene_open(scene);
	counts = count_last(scene);
	ok(counts.states[PV_STATE_PENDING] == 2,
	    "P3: until nothing is left, whichever run sees that (%llu)",
	    (unsigned long long)counts.states[PV_STATE_PENDING]);
	hosts = scene_take_hosts(scene, 9);
	ok(hosts.count == 1, "then all the others are");
	pv_host_list_finish(&hosts);
	ok(visit_next(scene, host, &(struct ending){{0}, &had, NULL, 40 * DAY},
	       "as listed"),
	    "but what has not changed since is not");
	ok(visit_next(scene, host,
	       &(struct ending){good, &had, &second, 40 * DAY}, "\"1\""),
	    "and what has is");
	ok(scene_take_visit(scene, host).id == 0,
	    "and what was heard of is not asked for twice");
}

/* A page that was found better while it was visited is asked for again, as if
 * there were no copy: nothing of this round is known to be old. */
static void test_again(void)
{
	struct scene scene;
	scene_init(&scene, 100);
	scene_add_page(&scene, "https://a.example/1", 3);
	uint64_t host = scene_take_host(&scene);
	ok(visit_next(&scene, host,
	       &(struct ending){leads_further, NULL, &first, DAY}, "nothing"),
	    "a page is answered");
	scene_add_page(&scene, "https://a.example/1", 1);
	ok(visit_next(&scene, host,
	       &(struct ending){leads_further, NULL, &first, DAY}, "nothing"),
	    "in the first round a second visit carries no copy");
	scene_finish(&scene);
}

/* What a round finds, and may not ask for. */
static void test_new_refused(void)
{
	struct scene scene;
	scene_init(&scene, 100);
	crawl(&scene);
	begin_round(&scene, 9 * DAY, DAY);
	scene_add_page(&scene, "https://b.example/new", 0);
	struct pv_host_list hosts = scene_take_hosts(&scene, 9);
	for (size_t i = 0; i < hosts.count; i++) {
		uint64_t host = pv_host_list_get(&hosts, i).id;
		struct pv_visit visit = scene_take_visit(&scene, host);
		if (!visit.is_repeated)
			end_visit(
			    &scene, &visit, &(struct ending){.wall_ms = 9});
	}
	pv_host_list_finish(&hosts);
	ok(scene_count(&scene).states[PV_STATE_REFUSED] == 1,
	    "P3: what is refused and was never answered is refused for good");
	scene_finish(&scene);
}

int main(void)
{
	test_again();
	test_new_refused();
	struct scene scene;
	scene_init(&scene, 100);
	crawl(&scene);
	test_due(&scene);
	test_first_round(&scene);
	test_second_round(&scene);
	test_better(&scene);
	scene_finish(&scene);
	scene_init(&scene, 100);
	test_sitemap(&scene);
	scene_finish(&scene);
	test_tries();
	return tap_done();
}
