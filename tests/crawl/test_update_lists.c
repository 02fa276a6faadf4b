#include <stdatomic.h>

#include "crawl/scene.h"
#include "store/database.h"

/* A finished crawl whose site tells by a sitemap when its pages were changed:
 * asked once more, it is asked for what is new, and for nothing else. */

static atomic_int today;
static unsigned port;

static const struct {
	const char *path;
	const char *lastmod; /* NULL: nobody says */
	bool is_asked_again;
} pages[] = {
    {"/old", "2020-01-01", false},
    {"/exact", "2020-01-01T10:00:00Z", false},
    {"/fresh", "2099-01-01", true},
    {"/silent", NULL, true},
};

#define PAGES (sizeof(pages) / sizeof(*pages))

static char sitemap[4096];

static void write_sitemap(void)
{
	struct pv_buf text;
	pv_buf_init(&text, sizeof(sitemap) - 1);
	pv_buf_append_text(&text,
	    "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>");
	for (size_t i = 0; i < PAGES; i++) {
		pv_buf_append_format(&text,
		    "<url><loc>http://127.0.0.1:%u%s</loc>", port,
		    pages[i].path);
		if (pages[i].lastmod)
			pv_buf_append_format(
			    &text, "<lastmod>%s</lastmod>", pages[i].lastmod);
		pv_buf_append_text(&text, "</url>");
	}
	pv_buf_append_text(&text, "</urlset>");
	memcpy(sitemap, pv_buf_text(&text), text.len + 1);
	pv_buf_finish(&text);
}

static bool answer_page(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	if (pv_str_equal(request->path, PV_STR("/sitemap.xml"))) {
		answer->type = "application/xml";
		answer->body = sitemap;
		return true;
	}
	for (size_t i = 0; i < PAGES; i++) {
		if (!pv_str_equal(request->path, pv_str_of(pages[i].path)))
			continue;
		answer->body = atomic_load(&today) ? "new" : "old";
		return true;
	}
	if (!pv_str_equal(request->path, PV_STR("/")))
		return false;
	answer->body = "home";
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

static int run_update(struct crawl_scene *scene)
{
	static const char *const update[] = {"update", "o", "-q", NULL};
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, update);
	return crawl_scene_wait(scene, HANG_MS);
}

static bool is_told(struct crawl_scene *scene, const char *path)
{
	char line[200];
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	home_read(&scene->home, "o/changes.jsonl", &text);
	snprintf(line, sizeof(line), "127.0.0.1:%u%s\"", port, path);
	const char *at = strstr(pv_buf_text(&text), line);
	const char *end = at ? strchr(at, '\n') : NULL;
	const char *by = at ? strstr(at, "\"by\":\"sitemap\"") : NULL;
	bool is_right = by && end && by < end;
	pv_buf_finish(&text);
	return is_right;
}

/* An update before found each to lead elsewhere. */
static void lead_elsewhere(struct crawl_scene *scene)
{
	struct pv_database *database =
	    pv_database_open(home_file(&scene->home, "o/state.db"));
	pv_database_run(
	    database, "UPDATE copies SET has_failed = 1, heard_status = 302");
	pv_database_close(database);
}

static bool do_lead_elsewhere(struct crawl_scene *scene)
{
	struct pv_database *database =
	    pv_database_look(home_file(&scene->home, "o/state.db"));
	int64_t count = pv_database_number(database,
	    "SELECT count(*) FROM copies WHERE has_failed OR heard_status");
	pv_database_close(database);
	return count != 0;
}

static void test_update(struct crawl_scene *scene)
{
	ok(crawl_scene_run(scene, HANG_MS) == 0, "a crawl finds its pages");
	for (size_t i = 0; i < PAGES; i++)
		ok(asked(scene, pages[i].path) == 1,
		    "%s is found in the sitemap alone", pages[i].path);
	lead_elsewhere(scene);
	atomic_store(&today, 1);
	ok(run_update(scene) == 0, "it is brought up to date");
	ok(asked(scene, "/sitemap.xml") == 2, "the sitemap is asked for again");
	for (size_t i = 0; i < PAGES; i++) {
		size_t times = asked(scene, pages[i].path);
		bool is_right = times == (pages[i].is_asked_again ? 2 : 1);
		ok(is_right, "%s, changed %s, is asked for %s (%zu)",
		    pages[i].path,
		    pages[i].lastmod ? pages[i].lastmod : "nobody says when",
		    pages[i].is_asked_again ? "again" : "no more", times);
		ok(pages[i].is_asked_again || is_told(scene, pages[i].path),
		    "P4: and why is told");
	}
	ok(!do_lead_elsewhere(scene),
	    "what all were found to be before is over");
}

int main(void)
{
	struct crawl_scene scene;
	const struct server_plan plan = {.answer = answer_page};
	if (ok(crawl_scene_open(&scene, &plan), "a server is there")) {
		scene.has_sitemaps = true;
		port = server_port(scene.server);
		write_sitemap();
		crawl_scene_policy(&scene,
		    "version: 1\nseeds: [\"http://127.0.0.1:PORT/\"]\n"
		    "politeness: {delay: 10ms, ip_delay: 0}\n");
		test_update(&scene);
		crawl_scene_close(&scene);
	}
	return tap_done();
}
