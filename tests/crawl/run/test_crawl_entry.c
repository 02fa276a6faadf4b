#include "crawl/run/crawl_entry.h"

#include <sys/stat.h>

#include "base/ascii.h"
#include "crawl/scene.h"

/* The page by which a mirror is entered, at each end of a run. */

#define POLICY                                                           \
	"version: 1\n"                                                   \
	"name: docs\n"                                                   \
	"seeds: [\"http://a.test:PORT/\", \"http://a.test:PORT/old\"]\n" \
	"politeness: {delay: 10ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0, backoff: {failure: 50ms, overload: 50ms}}\n"       \
	"fetch: {resolve: {\"*.test\": \"127.0.0.1\"}, retries: 0}\n"

static const struct server_route routes[] = {
    {.path = "/robots.txt",
	.answer = {.body = "User-agent: *\nDisallow: /no\n"}},
    {.path = "/",
	.answer =
	    {.body =
		    "<a href='/a%20page?q=1#x'></a><a href=/missing>"
		    "</a><a href=/broken></a><a href=/no></a>"
		    "<a href=http://b.test/></a><a href=/self></a>"
		    "<a href=/round></a><a href=/write></a><a href=/into></a>"}},
    {.path = "/a%20page*", .answer = {.body = "a page"}},
    {.path = "/broken", .answer = {.status = 500}},
    {.path = "/old", .answer = {.status = 301, .location = "/new"}},
    {.path = "/new", .answer = {.body = "new <a href=missing>"}},
    {.path = "/missing", .answer = {.status = 404}},
    {.path = "/self", .answer = {.status = 302, .location = "/self"}},
    {.path = "/round", .answer = {.status = 302, .location = "/round-and"}},
    {.path = "/round-and", .answer = {.status = 302, .location = "/round"}},
    {.path = "/into", .answer = {.status = 302, .location = "/round"}},
    {.path = "/write",
	.answer = {.status = 302, .location = "mailto:a@b.test"}},
};

static bool open_scene(struct crawl_scene *scene, const char *policy)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {.addresses = everywhere,
	    .routes = routes,
	    .route_count = sizeof(routes) / sizeof(*routes)};
	if (!ok(crawl_scene_open(scene, &plan), "a server is there"))
		return false;
	crawl_scene_policy(scene, policy);
	return true;
}

static void read_page(struct crawl_scene *scene, struct pv_buf *page)
{
	pv_buf_init(page, 1 << 20);
	home_read(&scene->home, "o/index.html", page);
}

/* Whether the page has the text, in which PORT is the server's. */
static bool has(
    struct crawl_scene *scene, const struct pv_buf *page, const char *text)
{
	struct pv_buf wanted;
	pv_buf_init(&wanted, 1 << 16);
	crawl_scene_write(scene, text, &wanted);
	bool is_there = strstr(pv_buf_text(page), pv_buf_text(&wanted)) != NULL;
	if (!is_there)
		printf("# there is no %s\n", pv_buf_text(&wanted));
	pv_buf_finish(&wanted);
	return is_there;
}

/* The file that a reference in the page means, as a browser reads it. */
static void read_reference(struct pv_str text, struct pv_buf *path)
{
	pv_buf_append_text(path, "o/");
	for (size_t i = 0; i < text.len; i++) {
		bool is_escape = text.ptr[i] == '%' && i + 2 < text.len;
		if (is_escape)
			pv_buf_append_char(
			    path, (char)(pv_hex_value(text.ptr[i + 1]) << 4 |
					 pv_hex_value(text.ptr[i + 2])));
		else
			pv_buf_append_char(path, text.ptr[i]);
		i += is_escape ? 2 : 0;
	}
}

/* How many references lead to a file, and whether each of them is there. */
static size_t count_files(
    struct crawl_scene *scene, const struct pv_buf *page, bool *are_there)
{
	const char *at = pv_buf_text(page);
	size_t count = 0;
	*are_there = true;
	while ((at = strstr(at, "href=\""))) {
		struct pv_buf path;
		struct stat facts;
		at += strlen("href=\"");
		if (strncmp(at, "http", 4) == 0)
			continue;
		pv_buf_init(&path, 4096);
		read_reference((struct pv_str){at, strcspn(at, "\"")}, &path);
		*are_there = *are_there &&
			     stat(home_file(&scene->home, pv_buf_text(&path)),
				 &facts) == 0;
		pv_buf_finish(&path);
		count++;
	}
	return count;
}

static void judge_links(struct crawl_scene *scene, const struct pv_buf *page)
{
	bool are_there;
	size_t count = count_files(scene, page, &are_there);
	ok(count >= 5 && are_there,
	    "each file that it leads to is where it leads (%zu)", count);
	ok(has(scene, page,
	       "<a href=\"site/a.test%5EPORT/index.html\">http://a.test:PORT/"
	       "</a>"),
	    "a seed leads to its file");
	ok(has(scene, page,
	       "http://a.test:PORT/old <span class=\"note\">moved to</span> "
	       "<a href=\"site/a.test%5EPORT/new%5E.html\">http://a.test:PORT/"
	       "new</a>"),
	    "one that was moved, to the file of where it is now");
	ok(has(scene, page,
	       "<a href=\"site/a.test%5EPORT/index.html\">a.test</a></td>"
	       "<td>3</td>"),
	    "a host begins at its seed");
}

static void judge_missing(struct crawl_scene *scene, const struct pv_buf *page)
{
	ok(has(scene, page, "<b>1</b> answered 404: not found") &&
		has(scene, page,
		    "http://a.test:PORT/missing</a><span class=\"via\">linked "
		    "from <a href=\"site/a.test%5EPORT/index.html\">"
		    "http://a.test:PORT/</a>, <a "
		    "href=\"site/a.test%5EPORT/new%5E.html\">"),
	    "P4: what is missing is told, with its answer and its pages");
	ok(has(scene, page, "<b>1</b> answered 500"), "and what is broken");
	ok(has(scene, page, "<b>3</b> redirected in a circle") &&
		has(scene, page, "http://a.test:PORT/round</a>") &&
		has(scene, page, "http://a.test:PORT/round-and</a>") &&
		has(scene, page, "http://a.test:PORT/into</a>") &&
		has(scene, page, "<b>1</b> redirected to itself"),
	    "and what is redirected without end");
	ok(has(scene, page,
	       "<b>1</b> redirected to something that is not "
	       "a web address") &&
		has(scene, page,
		    "http://a.test:PORT/write</a> <span class=\"note\">to "
		    "mailto:a@b.test</span>"),
	    "or to what nobody can ask for");
	ok(has(scene, page, "<dt>Missing</dt><dd>7</dd>"),
	    "as many as a link check tells");
	ok(has(scene, page, "<b>1</b> forbidden by robots.txt") &&
		has(scene, page, "http://a.test:PORT/no</a>") &&
		has(scene, page, "<b>1</b> on other hosts") &&
		has(scene, page, "http://b.test/</a>"),
	    "P4: and what was left out, and why");
}

static void test_finished(void)
{
	struct crawl_scene scene;
	struct pv_buf page;
	if (!open_scene(&scene, POLICY))
		return;
	crawl_scene_ends(&scene, 0, "a crawl finishes");
	read_page(&scene, &page);
	ok(has(&scene, &page, "<p>Complete since <time") &&
		has(&scene, &page, "<h1>docs</h1>"),
	    "its entry page says that it is complete");
	judge_links(&scene, &page);
	judge_missing(&scene, &page);
	pv_buf_finish(&page);
	ok(!crawl_scene_has(&scene, "o/.index*"), "nothing else is left there");
	crawl_scene_close(&scene);
}

static void test_limited(void)
{
	struct crawl_scene scene;
	struct pv_buf page;
	if (!open_scene(&scene, POLICY "limits: {pages: 1}\n"))
		return;
	crawl_scene_ends(&scene, 4, "a crawl reaches a limit");
	read_page(&scene, &page);
	ok(has(&scene, &page, "Not complete: stopped <time") &&
		has(&scene, &page, "limits.pages is reached") &&
		has(&scene, &page, "<code>pavane continue o</code>"),
	    "its entry page says which, and how to go on");
	ok(has(&scene, &page, "Pending"), "and that something is left");
	pv_buf_finish(&page);
	crawl_scene_policy(&scene, POLICY);
	crawl_scene_ends(&scene, 0, "it goes on, and finishes");
	read_page(&scene, &page);
	ok(has(&scene, &page, "Complete since") &&
		!strstr(pv_buf_text(&page), "Not complete") &&
		!strstr(pv_buf_text(&page), "Pending"),
	    "and the page says so");
	judge_links(&scene, &page);
	pv_buf_finish(&page);
	crawl_scene_close(&scene);
}

static void test_stopped(void)
{
	static struct site site = {.pages = 200, .links = 5, .latency_ms = 20};
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	struct crawl_scene scene;
	struct pv_buf page;
	if (!ok(crawl_scene_open(&scene, &plan), "a server is there"))
		return;
	crawl_scene_policy(&scene,
	    "version: 1\nseeds: [\"http://127.0.0.1:PORT/\"]\n"
	    "politeness: {delay: 0, ip_delay: 0, delay_factor: 0}\n");
	crawl_scene_start(&scene);
	server_wait(scene.server, 8, HANG_MS);
	program_signal(scene.program, SIGINT);
	ok(crawl_scene_wait(&scene, HANG_MS) == 3, "P6: a crawl is stopped");
	read_page(&scene, &page);
	ok(has(&scene, &page, "Not complete: stopped <time") &&
		has(&scene, &page, "a stop was requested") &&
		has(&scene, &page, "<code>pavane continue o</code>"),
	    "its entry page says so, and how to go on");
	ok(has(&scene, &page, "<h1>127.0.0.1:PORT</h1>"),
	    "without a name it goes by where it began");
	pv_buf_finish(&page);
	crawl_scene_close(&scene);
}

/* What the program says, without -q. */
static int run_aloud(
    struct crawl_scene *scene, bool is_fresh, struct pv_buf *said)
{
	const char *const arguments[] = {"crawl", "policy.yaml", "-o", "o",
	    is_fresh ? "--fresh" : NULL, "--yes", NULL};
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	int status = crawl_scene_wait(scene, HANG_MS);
	pv_buf_init(said, 1 << 20);
	program_errors(scene->program, said);
	return status;
}

/* In its place is something that is not ours. */
static void test_foreign(void)
{
	struct crawl_scene scene;
	struct pv_buf page, said;
	if (!open_scene(&scene, POLICY))
		return;
	mkdir(home_file(&scene.home, "o"), 0777);
	home_write(&scene.home, "o/index.html", PV_STR("my own page"));
	ok(run_aloud(&scene, false, &said) == 0,
	    "a crawl finishes where there is a page of the user's");
	ok(strstr(pv_buf_text(&said),
	       "warning: o/index.html: cannot write the start page: "
	       "it was not written by pavane"),
	    "P4: it is told that there is none of ours");
	pv_buf_finish(&said);
	read_page(&scene, &page);
	is_text(pv_buf_str(&page), "my own page", "and it stays");
	pv_buf_finish(&page);
	unlink(home_file(&scene.home, "o/index.html"));
	mkdir(home_file(&scene.home, "o/index.html"), 0777);
	ok(run_aloud(&scene, false, &said) == 0 &&
		strstr(pv_buf_text(&said), "warning: o/index.html"),
	    "a directory there is no failure either");
	pv_buf_finish(&said);
	rmdir(home_file(&scene.home, "o/index.html"));
	ok(run_aloud(&scene, false, &said) == 0 &&
		!strstr(pv_buf_text(&said), "warning: ") &&
		crawl_scene_has(&scene, "o/index.html"),
	    "a crawl that is complete writes it when nothing is in its way");
	pv_buf_finish(&said);
	crawl_scene_close(&scene);
}

static void test_none(void)
{
	struct crawl_scene scene;
	struct pv_buf said;
	if (!open_scene(&scene, POLICY))
		return;
	crawl_scene_ends(&scene, 0, "a crawl finishes");
	ok(crawl_scene_has(&scene, "o/index.html"), "with an entry page");
	crawl_scene_policy(&scene, POLICY "output: {}\n");
	ok(run_aloud(&scene, true, &said) == 0 &&
		!crawl_scene_has(&scene, "o/index.html"),
	    "begun anew without a mirror, it has none, and not the old one");
	pv_buf_finish(&said);
	crawl_scene_close(&scene);
}

int main(void)
{
	test_finished();
	test_limited();
	test_stopped();
	test_foreign();
	test_none();
	return tap_done();
}
