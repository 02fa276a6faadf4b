#include "crawl/scene.h"

/* What a trap has closed stays closed in an update, but what was answered
 * before is asked for again (P3): it is no address without end. */

/* So many that the trap is seen before the last of them, however busy the
 * machine is. */
#define MANY 40
#define LAST "/d/40"

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	if (pv_str_equal(request->path, PV_STR("/d/good"))) {
		answer->body = "good";
	} else if (pv_str_starts(request->path, PV_STR("/d/"))) {
		answer->body = "nothing is here";
	} else if (pv_str_equal(request->path, PV_STR("/"))) {
		pv_buf_append_text(answer->own_body, "<a href=/d/good>");
		for (int i = 1; i <= MANY; i++)
			pv_buf_append_format(
			    answer->own_body, "<a href=/d/%d>", i);
	} else {
		return false;
	}
	return true;
}

static size_t asked(struct crawl_scene *scene, const char *path)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, NULL, path);
	size_t count = view.count;
	log_view_finish(&view);
	return count;
}

static void test_update(struct crawl_scene *scene)
{
	static const char *const update[] = {"update", "o", "-q", NULL};
	ok(crawl_scene_run(scene, HANG_MS) == 0, "a crawl ends by itself");
	ok(asked(scene, "/d/2") == 1 && asked(scene, LAST) == 0,
	    "a directory that is one page is left");
	size_t before = asked(scene, "/d/*");
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, update);
	ok(crawl_scene_wait(scene, HANG_MS) == 0, "it is brought up to date");
	ok(asked(scene, "/d/good") == 2 && asked(scene, "/d/2") == 2,
	    "what was answered there is asked for again");
	ok(asked(scene, "/d/*") == 2 * before && asked(scene, LAST) == 0,
	    "and nothing else");
}

int main(void)
{
	struct crawl_scene scene;
	const struct server_plan plan = {.answer = answer};
	if (ok(crawl_scene_open(&scene, &plan), "a server is there")) {
		crawl_scene_policy(&scene,
		    "version: 1\nseeds: [\"http://127.0.0.1:PORT/\"]\n"
		    "politeness: {delay: 50ms, ip_delay: 0}\n"
		    "scope: {traps: {same_body: 2}, sitemaps: false}\n");
		test_update(&scene);
		crawl_scene_close(&scene);
	}
	return tap_done();
}
