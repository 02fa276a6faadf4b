#include <stdatomic.h>

#include "crawl/scene.h"

/* A directory and its index by name are one file of the mirror, as long as both
 * have the same bytes; over updates, too, whatever the server says of each. */

#define SITE "o/site/a.test^80/"
#define SAME(day) \
	"<p>" day "<a href=\"/index.html#x\">i</a><a href=b.html>b</a>"

/* By days: what there is at the address; NULL: it says that nothing has
 * changed. */
struct page {
	const char *path;
	const char *days[4];
};

static const struct page pages[] = {
    {"/", {SAME("1"), SAME("2"), NULL, NULL}},
    {"/index.html", {SAME("1"), NULL, SAME("2"), "<p>its own"}},
    {"/b.html", {"<a href=/>r</a><a href=index.html>i</a>"
		 "<a href=sub/index.html>s</a>",
		    NULL, NULL,
		    "<a href=/>r</a><a href=index.html>i</a>"
		    "<a href=sub/index.html>s</a><a href=sub/>d</a>"}},
    {"/sub/index.html", {"<p>the index", NULL, NULL, NULL}},
    {"/sub/", {"<p>the directory", NULL, NULL, NULL}},
};

static atomic_int today;

static bool has_condition(const struct server_request *request)
{
	return server_header(request->headers, "If-None-Match").ptr;
}

static bool answer_page(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	int day = atomic_load(&today);
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		if (!pv_str_equal(request->path, pv_str_of(pages[i].path)))
			continue;
		answer->headers = "ETag: \"1\"\r\n";
		if (!pages[i].days[day] && has_condition(request))
			answer->status = 304;
		while (!pages[i].days[day])
			day--;
		answer->body = pages[i].days[day];
		return true;
	}
	return false;
}

static void is_kept(
    struct crawl_scene *scene, const char *file, const char *wanted)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	home_read(&scene->home, file, &text);
	is_text(pv_buf_str(&text), wanted, "%s", file);
	pv_buf_finish(&text);
}

static void update(struct crawl_scene *scene, int day)
{
	static const char *const arguments[] = {"update", "o", "-q", NULL};
	atomic_store(&today, day);
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	int status = crawl_scene_wait(scene, HANG_MS);
	if (!ok(status == 0, "day %d (%d)", day, status))
		crawl_scene_show(scene);
}

#define LINKED(day) \
	"<p>" day "<a href=\"index.html#x\">i</a><a href=b.html>b</a>"
#define BESIDE                                             \
	"<a href=index.html>r</a><a href=index.html>i</a>" \
	"<a href=sub/index.html>s</a>"

static void is_one_file(struct crawl_scene *scene, const char *text)
{
	is_kept(scene, SITE "index.html", text);
	is_kept(scene, SITE "b.html", BESIDE);
	is_kept(scene, SITE "sub/index.html", "<p>the index");
	ok(access(home_file(&scene->home, SITE "index^^.html"), F_OK) != 0 &&
		access(home_file(&scene->home, SITE "sub/index^^.html"),
		    F_OK) != 0,
	    "and there is no other");
}

/* Of all pages but "/index.html". */
static size_t count_asked_for_news(const struct log_view *view, size_t from)
{
	size_t count = 0;
	for (size_t i = from; i < view->count; i++)
		count +=
		    server_header(view->records[i].headers, "If-None-Match")
			.ptr != NULL;
	return count;
}

static void test_days(struct crawl_scene *scene)
{
	crawl_scene_ends(scene, 0, "a directory is fetched by both names");
	is_one_file(scene, LINKED("1"));
	update(scene, 1);
	is_one_file(scene, LINKED("2"));
	size_t before = server_log_count(scene->server);
	update(scene, 2);
	struct log_view view = log_view_of(scene->server);
	ok(count_asked_for_news(&view, before) == 3,
	    "P3: what was said to be as before, unlike its twin, is asked for "
	    "whole");
	log_view_finish(&view);
	is_one_file(scene, LINKED("2"));
	update(scene, 3);
	is_kept(scene, SITE "index.html",
	    "<p>2<a href=\"index%5E%5E.html#x\">i</a><a href=b.html>b</a>");
	is_kept(scene, SITE "index^^.html", "<p>its own");
	is_kept(scene, SITE "b.html",
	    "<a href=index.html>r</a><a href=index%5E%5E.html>i</a>"
	    "<a href=sub/index%5E%5E.html>s</a><a href=sub/index.html>d</a>");
	is_kept(scene, SITE "sub/index.html", "<p>the directory");
	is_kept(scene, SITE "sub/index^^.html", "<p>the index");
}

int main(void)
{
	struct server_plan plan = {.answer = answer_page};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a host is there"))
		return tap_done();
	crawl_scene_policy(&scene,
	    "version: 1\nseeds: [\"http://a.test/\"]\n"
	    "politeness: {delay: 10ms, ip_delay: 0}\n"
	    "fetch: {resolve: {a.test: \"127.0.0.1:PORT\"}}\n"
	    "output: {mirror: {rewrite: true}}\n");
	test_days(&scene);
	crawl_scene_close(&scene);
	return tap_done();
}
