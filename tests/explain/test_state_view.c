#include "explain/state_view.h"

#include "crawl/robots/robots_store.h"
#include "frontier/scene.h"
#include "store/orders.h"
#include "store/tables/note.h"
#include "store/tables/pause_notes.h"
#include "url/url.h"

/* A crawl's state file, looked at while somebody writes it. */

static bool look_at(struct scene *scene, const char *address,
    struct pv_state_view_answer *answer)
{
	struct pv_url url;
	struct pv_why why;
	pv_why_init(&why);
	pv_url_init(&url, 1000);
	pv_url_parse(&url, pv_str_of(address));
	pv_state_view_answer_init(answer);
	struct pv_state_view *look =
	    pv_state_view_open(scene->scratch.path, &why);
	bool is_read = look && pv_state_view_at(look, &url, answer, &why);
	pv_state_view_close(look);
	pv_url_finish(&url);
	pv_why_finish(&why);
	return is_read;
}

static void test_nothing(struct scene *scene)
{
	struct pv_state_view_answer answer;
	ok(look_at(scene, "https://x.example/", &answer),
	    "a crawl that knows nothing can be looked at");
	ok(!answer.is_known && !answer.has_host && !answer.robots.is_there &&
		answer.pages == 0,
	    "and tells nothing");
	pv_state_view_answer_finish(&answer);
}

static void test_address(struct scene *scene)
{
	struct pv_state_view_answer answer;
	scene_add_page(scene, "https://x.example/", 0);
	ok(look_at(scene, "https://x.example/", &answer) && answer.is_known &&
		answer.address.state == PV_STATE_PENDING && !answer.via.len,
	    "a seed waits");
	pv_state_view_answer_finish(&answer);
	struct pv_visit visit = scene_take_visit(scene, scene_take_host(scene));
	scene_add_page(scene, "https://x.example/b", 1); /* and a commit */
	ok(look_at(scene, "https://x.example/", &answer) &&
		answer.address.state == PV_STATE_IN_FLIGHT &&
		answer.is_running && answer.holding >= PV_HOST_HELD,
	    "it is in hand, and its host held");
	pv_state_view_answer_finish(&answer);
	struct pv_report *report = scene_report(scene, PV_REPORT_DONE);
	report->visit = visit;
	report->result = (struct pv_result){
	    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200, .bytes = 7};
	scene_link(scene, report, "https://y.example/b?c",
	    (struct pv_standing){.use = PV_REFUSED,
		.depth = 1,
		.verdict = {.reason = PV_REASON_META_ROBOTS}});
	scene_send(scene, report);
	scene_settle(scene);
	ok(look_at(scene, "https://x.example/", &answer) &&
		answer.address.state == PV_STATE_DONE &&
		answer.address.result.http_status == 200,
	    "it is done");
	pv_state_view_answer_finish(&answer);
	ok(look_at(scene, "https://y.example/b?c", &answer) &&
		answer.address.state == PV_STATE_REFUSED &&
		answer.address.verdict.reason == PV_REASON_META_ROBOTS,
	    "P4: what was refused has its reason");
	is_text(pv_buf_str(&answer.via), "https://x.example/",
	    "and was found somewhere");
	pv_state_view_answer_finish(&answer);
}

static void test_host(struct scene *scene)
{
	struct pv_state_view_answer answer;
	uint64_t host;
	scene_add_page(scene, "https://z.example/a", 1);
	host = scene_take_host(scene);
	scene_give_host(scene, host,
	    (struct pv_host_state){.until_wall_ms = 5000,
		.wait_reason = 5,
		.left_reason = PV_REASON_BLOCKED,
		.pages = 3,
		.bytes = 70});
	ok(look_at(scene, "https://z.example/other", &answer) &&
		!answer.is_known && answer.has_host,
	    "a host is known where its address is not");
	ok(answer.host.state.until_wall_ms == 5000 &&
		answer.host.state.wait_reason == 5 &&
		answer.host.state.left_reason == PV_REASON_BLOCKED &&
		answer.holding == PV_HOST_WAITING,
	    "with its clock, and why it was left");
	ok(answer.pages == 3 && answer.bytes == 70,
	    "and what all of them gave");
	pv_state_view_answer_finish(&answer);
}

static void test_robots(struct scene *scene)
{
	const struct pv_saved_robots saved = {
	    .state = PV_AUTHORITY_RULES,
	    .asked_wall_ms = 1000,
	    .until_wall_ms = 2000,
	    .http_status = 200,
	};
	struct pv_state_view_answer answer;
	struct pv_buf copy;
	struct pv_database *database =
	    pv_database_open(scratch_file(&scene->scratch, "state.db"));
	pv_buf_init(&copy, 100);
	pv_buf_append_text(&copy, "User-agent: *");
	pv_robots_table_set(
	    database, PV_STR("https://z.example:8443"), &saved, &copy);
	pv_database_close(database);
	pv_buf_finish(&copy);
	ok(look_at(scene, "https://z.example:8443/a", &answer) &&
		answer.robots.is_there &&
		answer.robots.state == PV_AUTHORITY_RULES &&
		answer.robots.until_wall_ms == 2000,
	    "what robots.txt said is known by authority");
	is_text(
	    pv_buf_str(&answer.robots_copy), "User-agent: *", "with its text");
	pv_state_view_answer_finish(&answer);
	ok(look_at(scene, "https://z.example/a", &answer) &&
		!answer.robots.is_there,
	    "and not for another one");
	pv_state_view_answer_finish(&answer);
}

struct wanted {
	const char *host;
	int64_t until_wall_ms;
};

static bool add_pause(void *ctx, struct pv_orders *orders)
{
	const struct wanted *wanted = ctx;
	return pv_orders_pause(
	    orders, pv_str_of(wanted->host), 1, wanted->until_wall_ms);
}

static int64_t paused_until(struct scene *scene, struct wanted wanted)
{
	struct pv_state_view_answer answer;
	struct pv_why why;
	pv_why_init(&why);
	pv_orders_change(scene->scratch.path, add_pause, &wanted, &why);
	look_at(scene, "https://z.example/a", &answer);
	int64_t until = answer.pause.until_wall_ms;
	pv_state_view_answer_finish(&answer);
	pv_why_finish(&why);
	return until;
}

static void test_pauses(struct scene *scene)
{
	ok(paused_until(scene, (struct wanted){"x.example", 500}) == 0,
	    "a pause of another host is none");
	ok(paused_until(scene, (struct wanted){"z.example", 600}) == 600,
	    "a pause of the host is one");
	ok(paused_until(scene, (struct wanted){"", 500}) == 600 &&
		paused_until(scene, (struct wanted){"", 700}) == 700,
	    "and of that of the whole crawl, the later end counts");
}

static void note_shared(struct scene *scene, const char *pauses, int64_t run)
{
	struct pv_database *database =
	    pv_database_open(scratch_file(&scene->scratch, "state.db"));
	pv_note_set(database, PV_STR("runs"), 7);
	pv_pause_notes_set(database, run, pv_str_of(pauses));
	pv_database_close(database);
}

static void test_shared_pauses(struct scene *scene)
{
	struct pv_state_view_answer answer;
	note_shared(scene,
	    "pavane-control 1\npause 5 900 z.example\nbecause it moves\n"
	    "pause 5 950 x.example\n",
	    7);
	ok(look_at(scene, "https://z.example/a", &answer) &&
		answer.shared_pause.until_wall_ms == 900 &&
		answer.pause.until_wall_ms == 700,
	    "a pause in all crawls of the process is one beside its own");
	is_text(pv_str_of(answer.shared_pause.why), "it moves",
	    "P4: with its reason");
	pv_state_view_answer_finish(&answer);
	ok(look_at(scene, "https://y.example/a", &answer) &&
		answer.shared_pause.until_wall_ms == 0,
	    "but none of another host");
	pv_state_view_answer_finish(&answer);
	note_shared(scene, "pavane-control 1\npause 5 900 z.example\n", 6);
	ok(look_at(scene, "https://z.example/a", &answer) &&
		answer.shared_pause.until_wall_ms == 0,
	    "nor one that an earlier run has noted");
	pv_state_view_answer_finish(&answer);
	note_shared(scene, "pavane-control 1\npause 5 900 z.example\n", 7);
}

static void test_shared_pauses_later(struct scene *scene)
{
	struct pv_state_view_answer answer;
	ok(look_at(scene, "https://z.example/a", &answer) &&
		!answer.is_running && answer.shared_pause.until_wall_ms == 0 &&
		answer.pause.until_wall_ms == 700,
	    "when nobody runs the crawl, only its own pause holds");
	pv_state_view_answer_finish(&answer);
}

static bool is_refused(const char *directory, const char *sentence)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_state_view *look = pv_state_view_open(directory, &why);
	bool is_told = !look && why.problems.count == 1 &&
		       strstr(why.problems.kept[0].text, sentence) != NULL;
	if (!is_told && why.problems.count)
		printf("# %s\n", why.problems.kept[0].text);
	pv_state_view_close(look);
	pv_why_finish(&why);
	return is_told;
}

static void change(struct scene *scene, const char *sql)
{
	struct pv_database *database =
	    pv_database_open(scratch_file(&scene->scratch, "state.db"));
	pv_database_run(database, sql);
	pv_database_close(database);
}

static void test_others(struct scene *scene)
{
	ok(is_refused("not-there", "is not a crawl's directory"),
	    "what is no crawl cannot be read");
	change(scene, "PRAGMA user_version = 1");
	ok(is_refused(scene->scratch.path, "of an older pavane"),
	    "nor what an older version left");
	change(scene, "PRAGMA user_version = 99");
	ok(is_refused(scene->scratch.path, "of a newer pavane"),
	    "nor what a newer one did");
	FILE *file = fopen(scratch_file(&scene->scratch, "state.db"), "r+");
	ok(file && fwrite("rubbish rubbish rubbish", 1, 23, file) == 23,
	    "a file is damaged");
	if (file)
		fclose(file);
	ok(is_refused(scene->scratch.path, "cannot be read"), "nor that");
}

int main(void)
{
	struct scene scene;
	if (!ok(scene_init(&scene, 16), "a crawl's state is there"))
		return tap_done();
	test_nothing(&scene);
	test_address(&scene);
	test_host(&scene);
	test_robots(&scene);
	test_pauses(&scene);
	test_shared_pauses(&scene);
	scene_close(&scene);
	test_shared_pauses_later(&scene);
	test_others(&scene);
	scratch_remove(&scene.scratch);
	return tap_done();
}
