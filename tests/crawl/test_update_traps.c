#include "crawl/scene.h"

/* What a trap has closed stays closed in an update, but what was answered
 * before is asked for again (P3): it is no address without end. */

static const struct server_route routes[] = {
    {.path = "/",
	.answer = {.body = "<a href=/d/good><a href=/d/1><a href=/d/2>"
			   "<a href=/d/3><a href=/d/4>"}},
    {.path = "/d/good", .answer = {.body = "good"}},
    {.path = "/d/*", .answer = {.body = "nothing is here"}},
};

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
	ok(asked(scene, "/d/2") == 1 && asked(scene, "/d/3") == 0,
	    "a directory that is one page is left");
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, update);
	ok(crawl_scene_wait(scene, HANG_MS) == 0, "it is brought up to date");
	ok(asked(scene, "/d/good") == 2 && asked(scene, "/d/2") == 2,
	    "what was answered there is asked for again");
	ok(asked(scene, "/d/3") == 0, "and nothing else");
}

int main(void)
{
	struct crawl_scene scene;
	const struct server_plan plan = {
	    .routes = routes,
	    .route_count = sizeof(routes) / sizeof(*routes),
	};
	if (ok(crawl_scene_open(&scene, &plan), "a server is there")) {
		crawl_scene_policy(&scene,
		    "version: 1\nseeds: [\"http://127.0.0.1:PORT/\"]\n"
		    "politeness: {delay: 10ms, ip_delay: 0}\n"
		    "scope: {traps: {same_body: 2}, sitemaps: false}\n");
		test_update(&scene);
		crawl_scene_close(&scene);
	}
	return tap_done();
}
