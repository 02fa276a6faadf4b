#include "reading/body_type.h"

#include <unistd.h>

#include "crawl/scene.h"

/* What a body is taken for is what its file is called, how its links are read, and
 * how they are rewritten. */

#define PNG "\x89PNG\r\n\x1a\n"
#define DRAWING "<svg xmlns='http://www.w3.org/2000/svg'/>"

static const struct {
	const char *claim;
	const char *said; /* NULL: nothing */
	const char *body;
	const char *type;
	bool is_part; /* of a page */
} cases[] = {
    {"what it says counts", "text/css", "<html>", "text/css", false},
    {"with all it says", "text/html; charset=utf-8", "<html>",
	"text/html; charset=utf-8", false},
    {"if it says nothing, its bytes do", NULL, PNG, "image/png", false},
    {"or less than a type", "", PNG, "image/png", false},
    {"or something else", "none", "<html>", "text/html", false},
    {"a list needs no declaration", NULL, "<rss version='2.0'>", "text/xml",
	false},
    {"some markup is not known", NULL, "<gpx>", "", false},
    {"a picture is no page", "text/html", PNG, "image/png", false},
    {"nor is an archive", "TEXT/HTML; charset=utf-8", "PK\3\4",
	"application/zip", false},
    {"but text may be one", "text/html", "hello", "text/html", false},
    {"so may a drawing", "text/html", DRAWING, "text/html", false},
    {"also as a part of a page", "text/html", PNG, "image/png", true},
    {"of which text is none", "text/html; charset=x", "f()", "text/plain",
	true},
    {"but markup may be", "text/html", "<ul>", "text/html", true},
    {"a picture that is called another stays so", "image/webp", PNG,
	"image/webp", false},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_headers headers;
		pv_headers_init(&headers, 10, 1000);
		if (cases[i].said)
			pv_headers_add(&headers, PV_STR("Content-Type"),
			    pv_str_of(cases[i].said));
		is_text(pv_body_type(&headers, pv_str_of(cases[i].body),
			    !cases[i].is_part),
		    cases[i].type, "%s", cases[i].claim);
		pv_headers_finish(&headers);
	}
}

/* In a mirror */

#define START                                                                 \
	"<!DOCTYPE html><a href=\"/File:A.jpg\">a</a><img src=\"img.html\">"  \
	"<img src=\"pic\"><script src=\"script\"></script><a href=bare>b</a>" \
	"<img src=\"drawing\"><img src=\"wrong.php\"><a href=read>r</a>"      \
	"<link rel=stylesheet href=style.html><script src=wrong.js></script>" \
	"<script src=both.js></script>"

#define START_LINKED                                                      \
	"<!DOCTYPE html><a href=\"File%3AA.jpg%5E.html\">a</a>"           \
	"<img src=\"img.html%5E.png\">"                                   \
	"<img src=\"pic%5E.png\"><script src=\"script%5E.txt\"></script>" \
	"<a href=bare%5E.html>b</a>"                                      \
	"<img src=\"drawing%5E.svg\"><img src=\"wrong.php%5E.png\">"      \
	"<a href=read%5E.txt>r</a>"                                       \
	"<link rel=stylesheet href=style.html%5E.css>"                    \
	"<script src=wrong.js></script>"                                  \
	"<script src=both.js%5E.html></script>"

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/", .answer = {.body = START}},
    {.path = "/File:A.jpg", .answer = {.body = "<a href=\"/a1\">1</a>"}},
    {.path = "/a1", .answer = {.body = "<a href=both.js>"}},
    {.path = "/both.js", .answer = {.body = "b <a href=b2>2</a>"}},
    {.path = "/b2", .answer = {.body = "two"}},
    {.path = "/img.html", .answer = {.type = "image/png", .body = PNG}},
    {.path = "/style.html",
	.answer = {.type = "text/css", .body = "p{background:url(pic)}"}},
    {.path = "/pic", .answer = {.type = "", .body = PNG}},
    {.path = "/script", .answer = {.type = "", .body = "f(\"<a href=no>\")"}},
    {.path = "/bare",
	.answer = {.type = "", .body = "<ul><a href=\"/b1\">1</a>"}},
    {.path = "/b1", .answer = {.body = "one"}},
    {.path = "/drawing", .answer = {.type = "", .body = DRAWING}},
    {.path = "/wrong.js", .answer = {.body = "f(\"<a href=/a1>\")"}},
    {.path = "/wrong.php", .answer = {.body = PNG}},
    {.path = "/read", .answer = {.type = "", .body = "Read <a href=no>"}},
};

static void is_kept(
    struct crawl_scene *scene, const char *file, const char *wanted)
{
	char path[200];
	struct pv_buf text;
	snprintf(path, sizeof(path), "o/site/a.test^80/%s", file);
	pv_buf_init(&text, 1 << 20);
	home_read(&scene->home, path, &text);
	is_text(pv_buf_str(&text), wanted, "%s", file);
	pv_buf_finish(&text);
}

/* Both ways. */
static void is_where(
    struct crawl_scene *scene, const char *address, const char *file)
{
	char path[200];
	const char *const there[] = {"where", "o", address, NULL};
	const char *const back[] = {"where", "o", path, NULL};
	struct program_end end;
	struct pv_buf said;
	snprintf(path, sizeof(path), "o/site/a.test^80/%s", file);
	pv_buf_init(&said, 1 << 20);
	program_run(&scene->home, there, &said, &end);
	ok(end.status == 0 && strstr(pv_buf_text(&said), path),
	    "%s is in %s: %s", address, path, pv_buf_text(&said));
	pv_buf_clear(&said);
	program_run(&scene->home, back, &said, &end);
	ok(end.status == 0 && strstr(pv_buf_text(&said), address),
	    "which is of that: %s", pv_buf_text(&said));
	pv_buf_finish(&said);
}

static void test_mirror(void)
{
	struct server_plan plan = {SERVER_ROUTES(routes)};
	struct crawl_scene scene;
	if (!crawl_scene_open(&scene, &plan)) {
		ok(false, "the scene could not be made");
		return;
	}
	crawl_scene_policy(&scene,
	    "version: 1\nseeds: [\"http://a.test/\"]\n"
	    "rate: {max_rate: 4, interval: 50ms}\n"
	    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
	    "fetch: {retries: 0, resolve: {\"*.test\": \"127.0.0.1:PORT\"}}\n");
	crawl_scene_ends(&scene, 0, "a site of misnamed and nameless things");
	is_kept(&scene, "index.html", START_LINKED);
	is_kept(&scene, "File:A.jpg^.html", "<a href=\"a1%5E.html\">1</a>");
	is_kept(&scene, "img.html^.png", PNG);
	is_kept(&scene, "style.html^.css", "p{background:url(pic%5E.png)}");
	is_kept(&scene, "pic^.png", PNG);
	is_kept(&scene, "script^.txt", "f(\"<a href=no>\")");
	is_kept(&scene, "bare^.html", "<ul><a href=\"b1%5E.html\">1</a>");
	is_kept(&scene, "drawing^.svg", DRAWING);
	is_kept(&scene, "wrong.php^.png", PNG);
	is_kept(&scene, "wrong.js", "f(\"<a href=/a1>\")");
	is_kept(&scene, "both.js^.html", "b <a href=b2%5E.html>2</a>");
	ok(access(home_file(&scene.home, "o/site/a.test^80/both.js"), F_OK) !=
		0,
	    "and not as the part of a page that it was taken for first");
	is_kept(&scene, "read^.txt", "Read <a href=no>");
	struct log_view view = log_view_of(scene.server);
	log_view_keep(&view, NULL, "/no");
	ok(view.is_whole && view.count == 0,
	    "what is no page is not read as one");
	log_view_finish(&view);
	is_where(&scene, "http://a.test/File:A.jpg", "File:A.jpg^.html");
	is_where(&scene, "http://a.test/pic", "pic^.png");
	crawl_scene_close(&scene);
}

int main(void)
{
	test_cases();
	test_mirror();
	return tap_done();
}
