#include "frontier/sqlite/host_table.h"

#include "frontier/scene.h"
#include "store/scratch_store.h"
#include "store/tables/state_hosts.h"

/* Hosts that are asked for by name. */

static struct pv_host_list take_named(
    struct scene *scene, struct pv_str name, size_t ceiling)
{
	struct pv_host_request request = {
	    .name = name, .max = 1, .done = scene_end_hosts, .ctx = scene};
	pv_host_list_init(&request.hosts, ceiling);
	pv_frontier_take_hosts(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request.hosts;
}

/* The host's number; 0 if it is not given. */
static uint64_t take(struct scene *scene, const char *name)
{
	struct pv_host_list hosts = take_named(scene, pv_str_of(name), 1000);
	uint64_t id = 0;
	if (hosts.count) {
		is_text(pv_host_list_get(&hosts, 0).name, name,
		    "just the host that was asked for comes");
		id = pv_host_list_get(&hosts, 0).id;
	}
	pv_host_list_finish(&hosts);
	return id;
}

static void test_unknown(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	uint64_t host = take(&scene, "new.example");
	ok(host != 0, "a host that nobody knew can be held");
	ok(scene_take_visit(&scene, host).id == 0, "it has nothing to visit");
	ok(take(&scene, "new.example") == 0, "P1: and is not given out twice");
	scene_add_page(&scene, "https://new.example/a", 1);
	ok(scene.woken == 1 && scene.last_woken == host,
	    "a link to it wakes it");
	ok(scene_take_host(&scene) == 0, "P1: and nobody else may take it");
	ok(scene_take_visit(&scene, host).id != 0, "it gives its visits then");
	scene_give_host(&scene, host, (struct pv_host_state){.left_ms = 5000});
	ok(scene_take_host(&scene) == host,
	    "given back, it waits like any other");
	scene_finish(&scene);
}

/* Nothing to visit: it was held for its name alone. */
static void test_idle(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	uint64_t host = take(&scene, "x.example");
	scene_give_host(&scene, host,
	    (struct pv_host_state){
		.until_wall_ms = 5000, .rest_ms = 60000, .name_failures = 3});
	ok(scene_take_host(&scene) == 0 && scene.waiting == 0,
	    "a host with nothing to visit waits for nobody");
	struct pv_host_list hosts =
	    take_named(&scene, PV_STR("x.example"), 1000);
	struct pv_host again = {.id = 0};
	if (hosts.count)
		again = pv_host_list_get(&hosts, 0);
	ok(again.id == host && again.state.until_wall_ms == 5000 &&
		again.state.rest_ms == 60000 && !again.owes_delay,
	    "P1: asked for by name, it comes with its clock");
	ok(again.state.name_failures == 3,
	    "P2: and with how often nobody could tell its name");
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
}

/* Held for its name, it has nothing to visit; so it is woken by what comes. */
static void test_idle_woken(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	uint64_t host = take(&scene, "x.example");
	scene_give_host(&scene, host, (struct pv_host_state){.pages = 1});
	ok(take(&scene, "x.example") == host, "an idle host is held again");
	scene_add_page(&scene, "https://x.example/a", 1);
	ok(scene.woken == 1 && scene.last_woken == host,
	    "and woken by a link to it");
	scene_finish(&scene);
}

static void count_anew(struct scene *scene)
{
	struct pv_writer *writer = &scene->store->writer;
	pv_writer_begin(writer);
	pv_host_table_count_anew(scene->store->database, writer);
	pv_writer_commit(writer);
}

static void test_count_anew(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	uint64_t host = take(&scene, "x.example");
	scene_give_host(&scene, host,
	    (struct pv_host_state){
		.pages = 1, .bytes = 2, .retry_debt = 3, .rest_ms = 4});
	scene_close(&scene);
	scene.before_start = count_anew;
	scene_open(&scene);
	struct pv_host_list hosts =
	    take_named(&scene, PV_STR("x.example"), 1000);
	struct pv_host found = {.id = 0};
	if (hosts.count)
		found = pv_host_list_get(&hosts, 0);
	ok(found.id == host && !found.state.pages && !found.state.bytes &&
		!found.state.retry_debt,
	    "what was used of a host's budgets is counted anew in a round");
	ok(found.state.rest_ms == 4, "P2: and nothing else is forgotten");
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
}

static void test_waiting(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://y.example/a", 1);
	uint64_t host = take(&scene, "y.example");
	ok(scene_take_visit(&scene, host).id != 0,
	    "a host that waits can be asked for by name, and has its visits");
	ok(scene_take_host(&scene) != host && scene_take_host(&scene) == 0,
	    "P1: and waits no more; the others do");
	scene_finish(&scene);
}

static struct pv_host_request look(struct scene *scene, int64_t by_wall_ms)
{
	struct pv_host_request request = {.ready_by_wall_ms = by_wall_ms,
	    .ready_max = 2,
	    .done = scene_end_hosts,
	    .ctx = scene};
	pv_host_list_init(&request.hosts, 1000);
	pv_frontier_take_hosts(scene->frontier, &request, scene->now);
	scene_settle(scene);
	pv_host_list_finish(&request.hosts);
	return request;
}

/* Hosts that wait, and when they are ready. */
static void test_ready(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	ok(look(&scene, 1).next_wall_ms == PV_FRONTIER_NEVER,
	    "that no host waits is told");
	scene_add_page(&scene, "https://x.example/a", 1);
	scene_add_page(&scene, "https://y.example/a", 1);
	scene_add_page(&scene, "https://z.example/a", 1);
	uint64_t host = take(&scene, "x.example");
	scene_give_host(
	    &scene, host, (struct pv_host_state){.until_wall_ms = 5000});
	struct pv_host_request request = look(&scene, 4000);
	ok(request.ready_count == 2 && request.next_wall_ms < 4000,
	    "those that were never held are ready; a rest makes the others "
	    "wait");
	take(&scene, "y.example");
	take(&scene, "z.example");
	request = look(&scene, 4000);
	ok(request.ready_count == 0 && request.next_wall_ms == 5000,
	    "when the first of those that rest is ready is told");
	ok(look(&scene, 5000).ready_count == 1, "as are those that are");
	struct pv_host_list hosts = scene_take_hosts(&scene, 1);
	ok(hosts.count == 1 && pv_host_list_get(&hosts, 0).was_held,
	    "P1: a host that was held before in this run is known to be so");
	uint64_t nameless = pv_host_list_get(&hosts, 0).id;
	pv_host_list_finish(&hosts);
	scene.gives_nameless = true;
	scene_give_host(
	    &scene, nameless, (struct pv_host_state){.owes_delay = 1});
	hosts = scene_take_hosts(&scene, 1);
	ok(hosts.count == 1 && !pv_host_list_get(&hosts, 0).was_held,
	    "P1: but one that never had a clock in it is not");
	ok(hosts.count == 1 && pv_host_list_get(&hosts, 0).owes_delay,
	    "P1: and still owes the delay that it owed");
	pv_host_list_finish(&hosts);
	scene_close(&scene);
	scene_open(&scene);
	hosts = scene_take_hosts(&scene, 1);
	ok(hosts.count == 1 && !pv_host_list_get(&hosts, 0).was_held,
	    "and in another run it is not");
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
}

/* Whether a host of that number, which is held, given back and held again, is
 * known to have been. */
static bool is_remembered(const char *number)
{
	struct scene scene;
	char change[200];
	snprintf(change, sizeof(change),
	    "UPDATE host_states SET id = %s WHERE name = 'x.example'", number);
	scene_init(&scene, 16);
	scene_give_host(&scene, take(&scene, "x.example"),
	    (struct pv_host_state){.left_ms = 0});
	scene_close(&scene);
	struct pv_database *database =
	    pv_database_open(scratch_file(&scene.scratch, "state.db"));
	pv_database_run(database, change);
	pv_database_close(database);
	scene_open(&scene);
	scene_give_host(&scene, take(&scene, "x.example"),
	    (struct pv_host_state){.left_ms = 0});
	struct pv_host_list hosts =
	    take_named(&scene, PV_STR("x.example"), 1000);
	bool was_held =
	    hosts.count == 1 && pv_host_list_get(&hosts, 0).was_held;
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
	return was_held;
}

static void test_many(void)
{
	ok(is_remembered("134217727"),
	    "of very many hosts it is known which were held before");
	ok(!is_remembered("134217728"),
	    "P5: and of still more it is not, so that it takes no more memory");
	ok(!is_remembered("1099511627776"), "P5: nor of any number beyond");
}

static void test_held(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	ok(take(&scene, "x.example") == 0,
	    "P1: a host that is held is not given again");
	scene_take_visit(&scene, host);
	scene_take_visit(&scene, host);
	ok(take(&scene, "x.example") == 0, "P1: nor if it has nothing left");
	scene_finish(&scene);
}

/* The link is still on its way into the tables. */
static void test_gathered(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	struct pv_report *report = scene_report(&scene, PV_REPORT_LINKS);
	scene_link(&scene, report, "https://x.example/a",
	    (struct pv_standing){.use = PV_PAGE});
	scene_send(&scene, report);
	uint64_t host = take(&scene, "x.example");
	ok(host && scene_take_visit(&scene, host).id != 0,
	    "P3: what was found before the request is the host's");
	scene_finish(&scene);
}

static void test_unclean(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	uint64_t host = take(&scene, "x.example");
	scene_close(&scene);
	scene_open(&scene);
	ok(scene.frontier->recovered.hosts == 1,
	    "P3: who is held for its name alone is known after any end");
	struct pv_host_list hosts =
	    take_named(&scene, PV_STR("x.example"), 1000);
	ok(hosts.count == 1 && pv_host_list_get(&hosts, 0).id == host &&
		pv_host_list_get(&hosts, 0).owes_delay,
	    "P1: and owes its delay");
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
}

static void test_ceiling(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	struct pv_host_list hosts = take_named(&scene, PV_STR("x.example"), 3);
	ok(hosts.count == 0, "P5: a name has a ceiling");
	pv_host_list_finish(&hosts);
	ok(take(&scene, "x.example") != 0,
	    "P3: and who did not fit is not held");
	scene_finish(&scene);
}

static void on_all_given(
    struct pv_host_returns *giving, enum pv_store_status status)
{
	struct scene *scene = giving->ctx;
	scene->status = status;
}

/* As who looks at the state sees the host that test_left leaves. */
static void look_at_left(const struct scene *scene)
{
	struct pv_host host = {.id = 0};
	enum pv_holding holding = PV_HOST_HELD;
	char path[200];
	snprintf(path, sizeof(path), "%s/state.db", scene->scratch.path);
	struct pv_database *database = pv_database_look(path);
	ok(pv_state_hosts_get(database, PV_STR("x.example"), &host, &holding) &&
		holding == PV_HOST_IDLE,
	    "P4: until then it is seen to be held by nobody");
	ok(host.state.left_ms == 3000 && host.state.address_left_ms == 0,
	    "P4: with what was left of its waits at the end");
	pv_database_close(database);
}

/* A run ends in good order while it holds a host that it never asked, with a
 * wait that an earlier run has left; then another begins. */
static void test_left(void)
{
	struct scene scene;
	struct pv_host_returns giving = {.done = on_all_given, .ctx = &scene};
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://x.example/a", 1);
	uint64_t host = scene_take_host(&scene);
	scene_give_host(&scene, host,
	    (struct pv_host_state){.left_ms = 5000, .address_left_ms = 100});
	ok(scene_take_host(&scene) == host, "a host rests, and is held");
	scene_take_visit(&scene, host);
	scene.now += 2000;
	pv_frontier_give_all_hosts(scene.frontier, &giving, scene.now);
	scene_settle(&scene);
	ok(scene_number(&scene,
	       "SELECT count(*) FROM hosts WHERE state = 'waiting'") == 1 &&
		scene_number(&scene,
		    "SELECT count(*) FROM pending WHERE state = 'pending'") ==
		    1,
	    "P3: at the end it waits, and so does what was at hand");
	scene_close(&scene);
	look_at_left(&scene);
	scene_open(&scene);
	struct pv_host_list hosts = scene_take_hosts(&scene, 9);
	struct pv_host left = pv_host_list_get(&hosts, 0);
	ok(!scene.frontier->recovered.hosts && hosts.count == 1 &&
		left.state.left_ms == 3000 && left.state.address_left_ms == 0,
	    "P1: in the next run it waits for what was left at the end (%lld)",
	    (long long)left.state.left_ms);
	pv_host_list_finish(&hosts);
	scene_close(&scene);
	scene_open(&scene);
	hosts = scene_take_hosts(&scene, 9);
	ok(scene.frontier->recovered.hosts == 1 &&
		pv_host_list_get(&hosts, 0).owes_delay,
	    "P1: and if that is killed, the good order before is no excuse");
	pv_host_list_finish(&hosts);
	scene_finish(&scene);
}

/* Addresses of one origin, of which some were answered well. */

static void add_address(struct pv_database *database, int id, const char *rest)
{
	char sql[400];
	snprintf(sql, sizeof(sql),
	    "INSERT INTO addresses(id, host, depth, depth_left, hops, "
	    "redirects, attempt, reason, line, bytes, may_lead_further, via, "
	    "state, use, outcome, http_status, listing, url) VALUES"
	    "(%d, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, %s);"
	    "INSERT INTO seen VALUES(5, %d, %d);",
	    id, rest, 1000 - id, id);
	pv_database_run(database, sql);
}

static void add_page(struct pv_database *database, int id)
{
	char rest[80];
	snprintf(rest, sizeof(rest), "2, 2, 1, 200, 0, 'http://x.test/%d'", id);
	add_address(database, id, rest);
}

static bool find_page(
    struct pv_database *database, uint32_t number, struct pv_buf *url)
{
	struct pv_page_request request = {.origin = 5,
	    .authority = PV_STR("http://x.test"),
	    .number = number,
	    .url = *url};
	pv_buf_clear(&request.url);
	pv_host_table_find_page(database, &request);
	*url = request.url;
	return url->len > 0;
}

/* Whether each of so many numbers names another page. */
static bool are_all_different(struct pv_database *database, uint32_t count)
{
	struct pv_buf url;
	bool seen[100] = {false}, are_different = true;
	pv_buf_init(&url, 100);
	for (uint32_t i = 0; i < count; i++) {
		int id = 0;
		bool is_there =
		    find_page(database, 7 + i, &url) &&
		    sscanf(pv_buf_text(&url), "http://x.test/%d", &id) == 1 &&
		    id > 0 && id < 100;
		are_different = are_different && is_there && !seen[id];
		seen[id] = true;
	}
	pv_buf_finish(&url);
	return are_different;
}

/* None of these shows that the host is well. */
static void add_others(struct pv_database *database)
{
	add_address(database, 101, "2, 2, 1, 500, 0, 'http://x.test/failed'");
	add_address(database, 102, "2, 2, 1, 404, 0, 'http://x.test/none'");
	add_address(database, 103, "2, 2, 4, 0, 0, 'http://x.test/timeout'");
	add_address(database, 104, "0, 2, 1, 200, 0, 'http://x.test/pending'");
	add_address(
	    database, 105, "2, 1, 1, 200, 0, 'http://x.test/style.css'");
	add_address(
	    database, 106, "2, 2, 1, 200, 4, 'http://x.test/sitemap.xml'");
	add_address(database, 107, "2, 2, 1, 200, 0, 'http://x.test:81/other'");
	add_address(database, 108, "3, 0, 0, 0, 0, 'http://x.test/refused'");
}

static void test_find_page(void)
{
	struct scratch scratch;
	struct pv_buf url;
	scratch_make(&scratch);
	pv_buf_init(&url, 100);
	struct pv_store *store = scratch_store_open(&scratch);
	struct pv_database *database = store->database;
	for (int i = 1; i < PV_KNOWN_PAGES_LEAST; i++)
		add_page(database, i);
	add_others(database);
	ok(!find_page(database, 0, &url) && !url.len,
	    "where fewer than ten pages were answered well, there is none");
	add_page(database, PV_KNOWN_PAGES_LEAST);
	ok(find_page(database, 0, &url), "where ten were, there is one");
	ok(are_all_different(database, PV_KNOWN_PAGES_LEAST),
	    "another for each further number, and none that failed, is pending, "
	    "is no page for readers, or is another authority's");
	ok(pv_database_status(database) == PV_STORE_OK,
	    "each question is one that the database understands");
	pv_buf_finish(&url);
	pv_store_close(store);
	scratch_remove(&scratch);
}

int main(void)
{
	test_left();
	test_unknown();
	test_idle();
	test_idle_woken();
	test_count_anew();
	test_waiting();
	test_ready();
	test_held();
	test_many();
	test_gathered();
	test_unclean();
	test_ceiling();
	test_find_page();
	return tap_done();
}
