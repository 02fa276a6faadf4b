#include "frontier/scene.h"

/* Links that come together: who is told of them, and which hosts wake up. */

static const struct pv_result page = {.outcome = PV_OUTCOME_ANSWERED,
    .http_status = 200,
    .may_lead_further = true};

static const struct pv_standing admitted = {.use = PV_PAGE, .depth = 1};
static const struct pv_standing refused = {
    .use = PV_REFUSED, .depth = 1, .verdict = {.reason = PV_REASON_RULE}};

/* Takes a visit, to be reported with links. */
static struct pv_report *take(struct scene *scene, uint64_t host)
{
	struct pv_report *report = scene_report(scene, PV_REPORT_DONE);
	report->visit = scene_take_visit(scene, host);
	report->result = page;
	return report;
}

static void give(struct scene *scene, struct pv_report *report)
{
	scene_send(scene, report);
	scene_settle(scene);
}

static void test_new_host(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://a.test/", 0);
	struct pv_report *report = take(&scene, scene_take_host(&scene));
	report->wall_ms = 5000;
	scene_link(&scene, report, "https://b.test/yes", admitted);
	scene_link(&scene, report, "https://b.test/no", refused);
	scene_link(&scene, report, "https://c.test/no", refused);
	give(&scene, report);
	uint64_t host = scene_take_host(&scene);
	ok(host && scene_take_visit(&scene, host).id,
	    "a new host with anything to ask may be taken, whatever is "
	    "refused of it");
	ok(!scene_take_host(&scene), "one with nothing to ask may not");
	scene_add_page(&scene, "https://d.test/", 1);
	ok(scene_number(&scene,
	       "SELECT count(*) FROM host_states WHERE until_wall_ms = 5000") ==
		3,
	    "new hosts stand in the line as of when they were found");
	scene_finish(&scene);
}

static void test_drained_host(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://a.test/", 0);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit visit = scene_take_visit(&scene, host);
	scene_end_visit(&scene, &visit, page);
	ok(!scene_take_visit(&scene, host).id, "a host has nothing left");
	scene_add_page(&scene, "https://a.test/1", 1);
	scene_add_page(&scene, "https://a.test/2", 1);
	ok(scene.woken == 1 && scene.last_woken == host,
	    "it is woken by a new link, and once by several");
	scene_finish(&scene);
}

/* Refusals that are told, as "PAGE>LINK " by the last parts of their paths. */
static void write_refusal(void *ctx, const struct pv_visit *visit)
{
	struct pv_buf *told = ctx;
	struct pv_str via = visit->via, url = visit->url;
	pv_buf_append(told, pv_str_from(via, pv_str_find_last(via, '/') + 1));
	pv_buf_append_char(told, '>');
	pv_buf_append(told, pv_str_from(url, pv_str_find_last(url, '/') + 1));
	pv_buf_append_char(told, ' ');
}

static void test_refusals(void)
{
	struct scene scene;
	struct pv_buf told;
	scene_init(&scene, 16);
	pv_buf_init(&told, 1000);
	scene.frontier->on_refused = write_refusal;
	scene.frontier->refused_ctx = &told;
	scene_add_page(&scene, "https://a.test/x", 0);
	scene_add_page(&scene, "https://a.test/y", 0);
	uint64_t host = scene_take_host(&scene);
	struct pv_report *x = take(&scene, host), *y = take(&scene, host);
	scene_link(&scene, x, "https://a.test/1", refused);
	scene_link(&scene, x, "https://a.test/2", refused);
	scene_link(&scene, x, "https://a.test/1", refused);
	scene_link(&scene, y, "https://a.test/3", refused);
	scene_link(&scene, y, "https://a.test/4", admitted);
	give(&scene, x);
	give(&scene, y);
	is_text(pv_buf_str(&told), "x>1 x>2 y>3 ",
	    "P4: each refusal is told once, with the page that led to it");
	pv_buf_finish(&told);
	scene_finish(&scene);
}

/* What is found several times at once */

static void link_listed(
    struct scene *scene, struct pv_report *report, int64_t lastmod_wall_ms)
{
	const struct pv_str url = PV_STR("https://a.test/listed");
	struct pv_link link = {
	    .fingerprint = pv_frontier_fingerprint(scene->frontier, url),
	    .via = report->visit.id,
	    .standing = admitted,
	    .url = url,
	    .host = PV_STR("a.test"),
	    .lastmod_wall_ms = lastmod_wall_ms,
	};
	pv_link_list_add(&report->links, &link);
}

static void test_dates(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	struct pv_report *report = scene_report(&scene, PV_REPORT_LINKS);
	link_listed(&scene, report, 2000);
	link_listed(&scene, report, 3000);
	link_listed(&scene, report, 1000);
	give(&scene, report);
	ok(scene_number(&scene, "SELECT lastmod_wall_ms FROM addresses") ==
		3000,
	    "of several dates of one address the latest counts");
	scene_finish(&scene);
}

/* What another policy has left out */

static void leave_out(struct scene *scene)
{
	pv_database_run(scene->store->database,
	    "UPDATE addresses SET listing = listing | 256");
}

static void test_left_out(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	scene_add_page(&scene, "https://a.test/", 3);
	uint64_t host = scene_take_host(&scene);
	struct pv_visit visit = scene_take_visit(&scene, host);
	scene_end_visit(&scene, &visit, page);
	scene_close(&scene);
	scene.before_start = leave_out;
	scene_open(&scene);
	scene_add_page(&scene, "https://a.test/", 4);
	ok(scene_number(&scene, "SELECT listing & 256 FROM addresses") == 256,
	    "what is left out stays so where it is found no better");
	scene_add_page(&scene, "https://a.test/", 2);
	ok(scene_number(&scene, "SELECT listing & 256 FROM addresses") == 0,
	    "P3: and is taken in where it is");
	scene_finish(&scene);
}

int main(void)
{
	test_new_host();
	test_drained_host();
	test_refusals();
	test_dates();
	test_left_out();
	return tap_done();
}
