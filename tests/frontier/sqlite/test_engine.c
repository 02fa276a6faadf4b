#include "frontier/scene.h"

static const struct pv_result leaf = {
    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200, .bytes = 10};

static struct pv_standing refused(enum pv_reason reason, uint32_t depth)
{
	return (struct pv_standing){
	    .use = PV_REFUSED, .depth = depth, .verdict.reason = reason};
}

/* Strength */

static void test_refused(size_t recent_count)
{
	struct scene scene;
	scene_init(&scene, recent_count);
	scene_add(&scene, "https://x.example/a", refused(PV_REASON_HOST, 2));
	scene_add(&scene, "https://x.example/b", refused(PV_REASON_DEPTH, 9));
	ok(scene_take_host(&scene) == 0, "what is refused waits for nobody");
	struct pv_counts counts = scene_count(&scene);
	ok(counts.states[PV_STATE_REFUSED] == 2 &&
		counts.reasons[PV_REASON_HOST] == 1 &&
		counts.reasons[PV_REASON_DEPTH] == 1,
	    "P4: it is counted, by reason");
	ok(scene_number(&scene,
	       "SELECT count(*) FROM refused WHERE reason = 'depth' AND "
	       "url = 'https://x.example/b' AND host = 'x.example'") == 1,
	    "P4: and to be found, with the reason");
	scene_add(&scene, "https://x.example/a",
	    (struct pv_standing){.use = PV_RESOURCE, .depth = 5});
	scene_add_page(&scene, "https://x.example/b", 3);
	scene_add(&scene, "https://x.example/b", refused(PV_REASON_DEPTH, 8));
	uint64_t host = scene_take_host(&scene);
	scene_are_next(&scene, host, 9, "b a",
	    "a requisite that had been refused as a page, and a page found "
	    "less deep, are admitted after all");
	counts = scene_count(&scene);
	ok(counts.states[PV_STATE_REFUSED] == 0 &&
		counts.states[PV_STATE_IN_FLIGHT] == 2 &&
		counts.reasons[PV_REASON_DEPTH] == 0,
	    "and counted where they are now");
	scene_finish(&scene);
}

static uint64_t draw(uint64_t *random, uint64_t count)
{
	*random = *random * 6364136223846793005U + 1442695040888963407U;
	return (*random >> 33) % count;
}

static struct pv_standing random_standing(uint64_t *random)
{
	struct pv_standing standing = {
	    .use = (enum pv_address_use)draw(random, PV_USE_COUNT),
	    .depth = (uint32_t)draw(random, 5),
	    .depth_left = (uint32_t)draw(random, 3),
	    .redirects = (uint32_t)draw(random, 3),
	};
	if (standing.use == PV_PAGE)
		pv_listing_unpack((unsigned)draw(random, 16), &standing);
	if (standing.use == PV_REFUSED)
		standing.verdict.reason =
		    (enum pv_reason)(1 + draw(random, PV_REASON_COUNT - 1));
	return standing;
}

/* A sum over all that stands in the table, whatever its order. */
static const char *const everything =
    "SELECT sum((unicode(substr(url, 19)) * 7919 + state * 1009 + use * 977 + "
    "depth * 31 + depth_left * 101 + redirects * 503 + reason * 11 + "
    "listing * 1999) * "
    "unicode(substr(url, 19))) FROM addresses";

/* The same links, in another order and other batches. */
static int64_t add_shuffled(uint64_t seed, size_t recent_count)
{
	struct scene scene;
	struct pv_standing standings[200];
	size_t order[200];
	uint64_t random = 1;
	char url[64];
	scene_init(&scene, recent_count);
	for (size_t i = 0; i < 200; i++) {
		standings[i] = random_standing(&random);
		order[i] = i;
	}
	random = seed;
	for (size_t i = 199; i > 0; i--) {
		size_t j = draw(&random, i + 1), other = order[i];
		order[i] = order[j];
		order[j] = other;
	}
	struct pv_report *report = scene_report(&scene, PV_REPORT_LINKS);
	for (size_t i = 0; i < 200; i++) {
		snprintf(url, sizeof(url), "https://x.example/%c",
		    'a' + (int)(order[i] % 20));
		scene_link(&scene, report, url, standings[order[i]]);
		if (draw(&random, 10) && i < 199)
			continue;
		scene_send(&scene, report);
		scene_settle(&scene);
		report = scene_report(&scene, PV_REPORT_LINKS);
	}
	scene_end_report(report, PV_STORE_OK);
	int64_t sum = scene_number(&scene, everything);
	scene_finish(&scene);
	return sum;
}

static void test_any_order(void)
{
	int64_t wanted = add_shuffled(1, 1);
	unsigned same = 0;
	for (uint64_t seed = 2; seed < 12; seed++)
		same += add_shuffled(seed, seed % 2 ? 1 : 1024) == wanted;
	ok(wanted > 0 && same == 10,
	    "what is known of addresses does not depend on the order of "
	    "finding, nor on the memory of recent links");
}

/* Visits */

static void test_kinds(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit visit = scene_take_visit(&scene, host);
	struct pv_report *report = scene_report(&scene, PV_REPORT_AGAIN);
	report->visit = visit;
	report->host.rest_ms = 60000;
	scene_send(&scene, report);
	scene_settle(&scene);
	struct pv_visit second = scene_take_visit(&scene, host);
	ok(second.id == visit.id && visit.attempt == 0 && second.attempt == 1,
	    "a visit that failed can be tried again, and counts its attempts");
	ok(scene_number(&scene, "SELECT rest_ms FROM host_states") == 60000,
	    "its host's clock is kept with it");
	report = scene_report(&scene, PV_REPORT_REFUSED);
	report->visit = second;
	report->verdict = (struct pv_verdict){PV_REASON_ROBOTS, 12};
	scene_send(&scene, report);
	scene_settle(&scene);
	ok(scene_number(&scene,
	       "SELECT line FROM refused WHERE reason = 'robots'") == 12,
	    "P4: what robots.txt forbids is refused, with the line");
	scene_add_page(&scene, "https://x.example/a", 1);
	ok(scene_take_visit(&scene, host).id == 0,
	    "and a link that says nothing new does not bring it back");
	report = scene_report(&scene, PV_REPORT_DONE);
	report->visit = second;
	report->result = leaf;
	scene_send(&scene, report);
	scene_settle(&scene);
	ok(scene_number(&scene, "SELECT count(*) FROM refused") == 1,
	    "P3: a second report of one visit changes nothing");
	scene_finish(&scene);
}

static void test_no_room(void)
{
	struct scene scene;
	scene_init(&scene, 1024);
	scene_close(&scene);
	scene.count_ceiling = 1;
	scene_open(&scene);
	struct pv_report *first = scene_report(&scene, PV_REPORT_LINKS);
	struct pv_report *second = scene_report(&scene, PV_REPORT_LINKS);
	scene_link(&scene, second, "https://x.example/a",
	    (struct pv_standing){.use = PV_PAGE});
	scene_send(&scene, first);
	ok(!scene_send(&scene, second),
	    "P5: a paper must wait while others are under way");
	scene_settle(&scene);
	ok(scene_send(&scene, second), "and is taken when they are back");
	scene_settle(&scene);
	ok(scene_take_host(&scene) != 0, "P3: with all its links");
	scene_finish(&scene);
}

/* Ends */

/* All at once, as one after the other. */

static void on_all_given(
    struct pv_host_returns *giving, enum pv_store_status status)
{
	struct scene *scene = giving->ctx;
	scene->status = status;
}

static void give_all(struct scene *scene, struct pv_host_list *hosts)
{
	struct pv_host_return items[4] = {{.host_id = 0}};
	struct pv_host_returns giving = {.items = items,
	    .count = hosts->count,
	    .done = on_all_given,
	    .ctx = scene};
	for (size_t i = 0; i < hosts->count; i++) {
		items[i].host_id = pv_host_list_get(hosts, i).id;
		items[i].state.left_ms = 100 + (int64_t)i;
		items[i].state.saved_ms = scene->now - 10;
	}
	pv_frontier_give_all_hosts(scene->frontier, &giving, scene->now);
	scene_settle(scene);
	pv_host_list_finish(hosts);
}

static void test_give_all(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://y.example/a", 1);
	struct pv_host_list hosts = scene_take_hosts(&scene, 9);
	uint64_t first = pv_host_list_get(&hosts, 0).id;
	uint64_t second = pv_host_list_get(&hosts, 1).id;
	struct pv_visit visit = scene_take_visit(&scene, first);
	scene_end_visit(
	    &scene, &visit, (struct pv_result){.outcome = PV_OUTCOME_ANSWERED});
	scene_take_visit(&scene, second);
	give_all(&scene, &hosts);
	ok(scene.status == PV_STORE_OK, "all hosts are given back at once");
	scene_close(&scene);
	scene_open(&scene);
	ok(scene.frontier->recovered.hosts == 0, "P6: which is an orderly end");
	struct pv_counts counts = scene_count(&scene);
	ok(counts.states[PV_STATE_PENDING] == 1 &&
		counts.states[PV_STATE_DONE] == 1 &&
		counts.states[PV_STATE_IN_FLIGHT] == 0,
	    "P3: what they had in flight is pending again, and counted so");
	hosts = scene_take_hosts(&scene, 9);
	struct pv_host host = pv_host_list_get(&hosts, 0);
	ok(hosts.count == 1 && host.id == second,
	    "who has something left waits to be taken, and nobody else");
	ok(!host.owes_delay && host.state.left_ms == 91,
	    "P1: each with its own clock, of which the time until the end "
	    "has passed");
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
}

static void leave_little_room(struct scene *scene)
{
	struct pv_database *database = scene->store->database;
	char sql[64];
	snprintf(sql, sizeof(sql), "PRAGMA max_page_count=%d",
	    (int)pv_database_number(database, "PRAGMA page_count") + 20);
	pv_database_run(database, sql);
}

static void test_full(void)
{
	struct scene scene;
	char url[64];
	scene_init(&scene, 16);
	scene_close(&scene);
	scene.before_start = leave_little_room;
	scene_open(&scene);
	unsigned committed = 0;
	for (int i = 0; i < 10000 && scene.status == PV_STORE_OK; i++) {
		snprintf(url, sizeof(url), "https://x.example/%d", i);
		scene_add_page(&scene, url, 0);
		committed += scene.status == PV_STORE_OK;
	}
	ok(scene.status == PV_STORE_FULL, "a full disk is told");
	ok(scene_number(&scene, "SELECT count(*) FROM addresses") ==
		    (int64_t)committed &&
		committed > 10,
	    "P3: and what was reported before is there");
	scene_finish(&scene);
}

/* A row that makes no sense, as another program may have left it. */
static void make_nonsense(struct scene *scene)
{
	pv_database_run(
	    scene->store->database, "UPDATE addresses SET state = 9");
}

static void test_damaged(void)
{
	struct scene scene;
	scene_init(&scene, 1);
	scene_add_page(&scene, "https://x.example/a", 3);
	scene_close(&scene);
	scene.before_start = make_nonsense;
	scene_open(&scene);
	scene_add_page(&scene, "https://x.example/a", 2);
	ok(scene.status == PV_STORE_DAMAGED,
	    "a file that makes no sense is told");
	ok(scene_number(&scene, "SELECT state FROM addresses") == 9,
	    "and not made worse");
	scene_finish(&scene);
}

/* Overwrites all but the first page. */
static void overwrite(const char *path)
{
	FILE *file = fopen(path, "r+");
	fseek(file, 0, SEEK_END);
	long size = ftell(file);
	fseek(file, 4096, SEEK_SET);
	for (long i = 4096; i < size; i++)
		fputc(0x5a, file);
	fclose(file);
}

static void test_broken(void)
{
	struct scene scene;
	scene_init(&scene, 1);
	scene_add_page(&scene, "https://x.example/a", 3);
	scene_close(&scene);
	overwrite(scratch_file(&scene.scratch, "state.db"));
	ok(!scene_open(&scene), "a file in pieces is refused");
	ok(access(scratch_file(&scene.scratch, "state.db"), F_OK) == 0,
	    "P3: and never deleted");
	if (scene.store)
		pv_store_close(scene.store);
	bell_finish(&scene.bell);
	scratch_remove(&scene.scratch);
}

int main(void)
{
	test_refused(1);
	test_refused(1024);
	test_any_order();
	test_kinds();
	test_no_room();
	test_give_all();
	test_full();
	test_damaged();
	test_broken();
	return tap_done();
}
