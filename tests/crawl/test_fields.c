#include "crawl/shop_rows.h"
#include "together.h"

/* Rows of whole crawls of a shop (shop.h): what files and tables have is what
 * the shop knows, whatever comes between. */

static int run(struct crawl_scene *scene, const char *const *arguments)
{
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	int status = scene->program ? crawl_scene_wait(scene, HANG_MS) : -3;
	if (status)
		crawl_scene_show(scene);
	return status;
}

static const char *const update[] = {"update", "o", "-q", NULL};

static bool open_shop(struct crawl_scene *scene, struct shop *shop)
{
	*shop = (struct shop){.first_count = shop_size()};
	struct server_plan plan = {.answer = shop_answer, .ctx = shop};
	if (!ok(crawl_scene_open(scene, &plan), "a shop is open"))
		return false;
	crawl_scene_policy(scene, shop_policy);
	return true;
}

/* The shop */

static void judge_problems(struct shop_rows *rows)
{
	struct lines found = {0}, wanted = {0};
	shop_read_file(rows->scene, "problems", 0, &found);
	lines_sort(&found);
	shop_rows_problems(rows, &wanted);
	shop_claim_same(
	    &found, &wanted, "problems.jsonl tells each missing field");
	lines_finish(&found);
	lines_finish(&wanted);
}

/* Nothing twice, and nothing that no kind follows. */
static void judge_requests(struct crawl_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	size_t repeats = 0, teased = 0;
	for (size_t i = 0; i < view.count; i++)
		repeats += view.records[i].nth > 1;
	for (unsigned i = 0; i < shop_size(); i++)
		teased += shop_is_teased(i);
	ok(teased > 10 && repeats == teased,
	    "no page is asked for twice, but what is found as an earlier kind "
	    "(%zu)",
	    repeats);
	ok(shop_read_file(scene, "teaser", SIZE_MAX, NULL) == 2 * teased,
	    "which has gone lines for its rows of the later kind");
	ok(log_count(&view, NULL, "/nav/*") == 0 &&
		log_count(&view, NULL, "/image/*") == 0,
	    "nothing is asked for that no kind follows");
	ok(crawl_scene_lines(scene, "/nav/about\"", "\"reason\":\"follow\"",
	       "\"final\":true", NULL) == 1,
	    "which has a reason of its own");
	log_view_finish(&view);
}

static void test_updates(
    struct crawl_scene *scene, struct shop *shop, struct shop_lengths *lengths)
{
	struct shop_rows rows;
	size_t before = server_log_count(scene->server);
	ok(run(scene, update) == 0, "a shop that is as it was is updated");
	shop_rows_init(&rows, scene, shop);
	ok(server_log_count(scene->server) > before + 100, "all is asked for");
	shop_claim_lines(&rows, 0, 0, lengths, "pages of a 304 add no line");
	shop_rows_finish(&rows);
	atomic_store(&shop->version, 1);
	ok(run(scene, update) == 0, "one of which 1 %% is another is updated");
	shop_rows_init(&rows, scene, shop);
	shop_claim_lines(&rows, 0, 1, lengths, "exactly that is told");
	shop_claim_forms(&rows, 1);
	ok(run(scene, update) == 0, "and updated again");
	shop_claim_lines(&rows, 1, 1, lengths, "which adds nothing");
	shop_claim_forms(&rows, 1);
	shop_rows_finish(&rows);
}

static void test_shop(void)
{
	struct crawl_scene scene;
	struct shop shop;
	struct shop_rows rows;
	struct shop_lengths lengths = {{0}};
	if (!open_shop(&scene, &shop))
		return;
	crawl_scene_ends(&scene, 0, "it is crawled");
	shop_rows_init(&rows, &scene, &shop);
	shop_claim_lines(
	    &rows, UINT_MAX, 0, &lengths, "each row is there once");
	shop_claim_forms(&rows, 0);
	judge_problems(&rows);
	judge_requests(&scene);
	shop_rows_finish(&rows);
	test_updates(&scene, &shop, &lengths);
	crawl_scene_close(&scene);
}

/* Stopping */

/* Stops it once it has asked for so many pages more. */
static void stop(struct crawl_scene *scene, const char *const *arguments,
    size_t requests, int signal)
{
	size_t asked = server_log_count(scene->server);
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	server_wait(scene->server, asked + requests, HANG_MS);
	program_signal(scene->program, signal);
	ok(crawl_scene_wait(scene, HANG_MS) == 3, "it is stopped");
}

/* They wait for an hour once they have asked for some pages more, however late
 * the signal is. */
#define SLOWLY                                                  \
	"--set", "rate={max_rate: 120, interval: 1h}", "--set", \
	    "limits.wait=none"

static const char *const slow_crawl[] = {
    "crawl", "policy.yaml", "-o", "o", "-q", SLOWLY, NULL};
static const char *const slow_continue[] = {
    "continue", "o", "-q", SLOWLY, NULL};
static const char *const slow_update[] = {"update", "o", "-q", SLOWLY, NULL};
static const char *const go_on[] = {
    "continue", "o", "-q", "--set", "rate.interval=100ms", NULL};

static void test_stopped(void)
{
	struct crawl_scene scene;
	struct shop shop;
	struct shop_rows rows;
	struct shop_lengths lengths = {{0}};
	if (!open_shop(&scene, &shop))
		return;
	stop(&scene, slow_crawl, 60, SIGINT);
	stop(&scene, slow_continue, 100, SIGTERM);
	ok(run(&scene, go_on) == 0, "and goes on to its end");
	judge_requests(&scene);
	shop_rows_init(&rows, &scene, &shop);
	shop_claim_lines(
	    &rows, UINT_MAX, 0, &lengths, "P3: each row is there once");
	shop_rows_finish(&rows);
	atomic_store(&shop.version, 2);
	stop(&scene, slow_update, 50, SIGTERM);
	ok(run(&scene, go_on) == 0, "an update goes on to its end");
	shop_rows_init(&rows, &scene, &shop);
	shop_claim_lines(
	    &rows, 0, 2, &lengths, "P3: exactly what changed is told");
	shop_claim_forms(&rows, 2);
	shop_rows_finish(&rows);
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_shop());
	together(&all, test_stopped());
	together_end(&all);
	return tap_done();
}
