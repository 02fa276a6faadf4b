#include "reading/page_terms.h"

#include "crawl/scene.h"

/* What pages say of themselves: whether their links are followed, and what
 * stands in the journal. */

#define ROUTES(table) \
	.routes = (table), .route_count = sizeof(table) / sizeof(*(table))

static bool open_scene(struct crawl_scene *scene,
    const struct server_plan *plan, const char *robots)
{
	struct pv_buf text;
	if (!ok(crawl_scene_open(scene, plan), "the host is there"))
		return false;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "seeds: [\"http://a.test:PORT/\"]\n"
	    "identity: {agent: examplebot/1.0}\n"
	    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
	    "rate: {max_rate: 1000, interval: 100ms}\n"
	    "fetch: {resolve: {a.test: 127.0.0.1}}\n"
	    "output: {}\n"
	    "robots: %s\n",
	    robots);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
	return true;
}

/* Who asks not to follow */

static const struct server_route following_routes[] = {
    {.path = "/",
	.answer = {.body = "<a href=/meta></a><a href=/header></a>"
			   "<a href=/others></a><a href=/rel></a>"
			   "<a href=/all></a><a href=/ours></a>"
			   "<a href=/link></a><a href=/noindex></a>"}},
    {.path = "/meta",
	.answer = {.body = "<meta name=robots content=noarchive>"
			   "<meta name=ExampleBot content=None>"
			   "<a href=/by-meta></a><img src=/image>"}},
    {.path = "/header",
	.answer = {.headers = "X-Robots-Tag: noindex\r\n"
			      "X-Robots-Tag: examplebot: nofollow\r\n",
	    .body = "<a href=/by-header></a>"}},
    {.path = "/others",
	.answer = {.headers = "X-Robots-Tag: otherbot: nofollow\r\n",
	    .body = "<meta name=otherbot content=nofollow>"
		    "<a href=/by-others></a>"}},
    {.path = "/rel",
	.answer = {.body = "<a rel=nofollow href=/by-rel></a>"
			   "<a rel='x UGC' href=/by-ugc></a>"
			   "<a rel=sponsored href=/by-sponsored></a>"}},
    {.path = "/all",
	.answer = {.headers = "X-Robots-Tag: nofollow\r\n",
	    .body = "<meta name=robots content=nofollow>"
		    "<a rel=nofollow href=/by-all></a>"}},
    {.path = "/ours",
	.answer = {.headers = "X-Robots-Tag: pavane: nofollow\r\n",
	    .body = "<a href=/by-ours></a>"}},
    {.path = "/link",
	.answer = {.headers = "Link: </by-link>; rel=\"next nofollow\"\r\n"}},
    {.path = "/noindex",
	.answer = {.body = "<meta name=robots content=noindex>"
			   "<a href=/by-noindex></a>"}},
    {.path = "/image", .answer = {.type = "image/png", .body = "x"}},
};

/* By whether the policy goes by meta robots and by rel: what becomes of what
 * was linked; NULL is asked for. */
static const struct {
	const char *target;
	const char *reasons[2][2]; /* [meta][nofollow] */
} ends[] = {
    {"/by-meta", {{NULL, NULL}, {"meta-robots", "meta-robots"}}},
    {"/by-header", {{NULL, NULL}, {"x-robots-tag", "x-robots-tag"}}},
    {"/by-ours", {{NULL, NULL}, {"x-robots-tag", "x-robots-tag"}}},
    {"/by-others", {{NULL, NULL}, {NULL, NULL}}},
    {"/by-noindex", {{NULL, NULL}, {NULL, NULL}}},
    {"/image", {{NULL, NULL}, {NULL, NULL}}},
    {"/by-rel", {{NULL, "nofollow"}, {NULL, "nofollow"}}},
    {"/by-ugc", {{NULL, "nofollow"}, {NULL, "nofollow"}}},
    {"/by-sponsored", {{NULL, "nofollow"}, {NULL, "nofollow"}}},
    {"/by-link", {{NULL, "nofollow"}, {NULL, "nofollow"}}},
    {"/by-all", {{NULL, "nofollow"}, {"x-robots-tag", "x-robots-tag"}}},
};

static void judge_following(
    struct crawl_scene *scene, bool has_meta, bool has_nofollow)
{
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const char *reason = ends[i].reasons[has_meta][has_nofollow];
		char url[100], end[100];
		snprintf(
		    url, sizeof(url), "http://a.test:PORT%s", ends[i].target);
		snprintf(end, sizeof(end), "\"outcome\":\"%s\"%s%s%s",
		    reason ? "refused" : "answered",
		    reason ? ",\"reason\":\"" : "", reason ? reason : "",
		    reason ? "\"" : "");
		crawl_scene_judge_end(scene, &(struct address_end){url, end});
	}
}

static void test_following(void)
{
	const struct server_plan plan = {ROUTES(following_routes)};
	for (unsigned i = 0; i < 4; i++) {
		struct crawl_scene scene;
		char robots[100];
		bool has_meta = (i & 1) != 0, has_nofollow = (i & 2) != 0;
		snprintf(robots, sizeof(robots), "{meta: %s, nofollow: %s}",
		    has_meta ? "true" : "false",
		    has_nofollow ? "true" : "false");
		if (open_scene(&scene, &plan, robots) &&
		    crawl_scene_ends(&scene, 0, robots)) {
			judge_following(&scene, has_meta, has_nofollow);
			ok(crawl_scene_status(&scene, "\"x-robots-tag\":") ==
				(has_meta ? 3 : -1),
			    "P4: status counts those by their reason");
		}
		crawl_scene_close(&scene);
	}
}

/* What is recorded */

static const struct server_route recording_routes[] = {
    {.path = "/robots.txt",
	.answer = {.type = "text/plain",
	    .body = "User-agent: *\n"
		    "Content-Usage: /s train-ai=n, search=y\n"
		    "Content-Usage: /s/ search=n\n"
		    "Content-Usage: /s/ search=\"<\xff\"\n"
		    "Content-Usage: /*.png$ train-ai=n\n"
		    "Content-Signal: /s search=yes, ai-train=no\n"
		    "Disallow: /no\n"}},
    {.path = "/",
	.answer = {.body = "<a href=/s></a><a href=/s/deep></a>"
			   "<a href=/tag></a><a href=/usage></a>"
			   "<a href=/tdm></a><a href=/tdm-meta></a>"
			   "<a href=/long></a><a href=/gone></a>"
			   "<img src=/i.png>"}},
    {.path = "/s*", .answer = {.body = ""}},
    {.path = "/tag",
	.answer = {.headers = "X-Robots-Tag: otherbot: noai, pavane: "
			      "max-snippet:20\r\n"
			      "X-Robots-Tag: unavailable_after: "
			      "Friday, 25-Jun-40 15:00:00 GMT\r\n",
	    .body = "<meta name=robots content='NOAI, x-\"y, noarchive'>"
		    "<meta name=examplebot content=noindex>"}},
    {.path = "/usage",
	.answer = {.headers = "Content-Usage: train-ai=n\r\n"
			      "content-usage: search=\"\\\"\"\r\n"
			      "Content-Signal: ai-train=no\r\n"}},
    {.path = "/tdm",
	.answer = {.headers = "TDM-Reservation: 1\r\n"
			      "tdm-policy: https://a.test/p\r\n"}},
    {.path = "/tdm-meta",
	.answer = {.headers = "TDM-Reservation: 1\r\n"
			      "tdm-policy: https://a.test/p\r\n",
	    .body = "<meta name=TDM-reservation content=0>"
		    "<meta name=tdm-policy content='https://a.test/&quot;'>"}},
    {.path = "/long",
	.answer = {.headers = "Content-Usage: "
			      "0123456789012345678901234567890123456789"
			      "0123456789012345678901234567890123456789"
			      "0123456789012345678901234567890123456789"
			      "0123456789012345678901234567890123456789"
			      "0123456789012345678901234567890123456789"
			      "0123456789012345678901234567890123456789"
			      "0123456789012345678901234567890123456789"
			      "0123456789012345678901234567890123456789\r\n"}},
    {.path = "/gone",
	.answer = {.status = 404, .headers = "X-Robots-Tag: noindex\r\n"}},
    {.path = "/i.png",
	.answer = {.type = "image/png",
	    .headers = "X-Robots-Tag: noimageai\r\nTDM-Reservation: yes\r\n",
	    .body = "x"}},
};

static const struct address_end recorded[] = {
    {"http://a.test:PORT/s",
	",\"robots_content_usage\":\"train-ai=n, search=y\","
	"\"robots_content_signal\":\"search=yes, ai-train=no\",\"final\""},
    {"http://a.test:PORT/s/deep",
	",\"robots_content_usage\":\"search=n; search=\\\"<\\\\xff\\\"\","
	"\"robots_content_signal\":\"search=yes, ai-train=no\",\"final\""},
    {"http://a.test:PORT/tag",
	",\"robots_tag\":\"noindex, noarchive, noai, max-snippet:20, "
	"unavailable_after:Friday, 25-Jun-40 15:00:00 GMT\",\"final\""},
    {"http://a.test:PORT/usage",
	",\"content_usage\":\"train-ai=n, search=\\\"\\\\\\\"\\\"\","
	"\"content_signal\":\"ai-train=no\",\"final\""},
    {"http://a.test:PORT/tdm",
	",\"tdm_reservation\":1,\"tdm_policy\":\"https://a.test/p\""},
    {"http://a.test:PORT/tdm-meta",
	",\"tdm_reservation\":0,\"tdm_policy\":\"https://a.test/\\\"\""},
    {"http://a.test:PORT/long", "8901234567890123456789\",\"final\""},
    {"http://a.test:PORT/i.png",
	",\"robots_tag\":\"noimageai\","
	"\"robots_content_usage\":\"train-ai=n\",\"final\""},
};

static void test_recording(void)
{
	const struct server_plan plan = {ROUTES(recording_routes)};
	struct crawl_scene scene;
	if (open_scene(&scene, &plan, "{meta: false, nofollow: false}") &&
	    crawl_scene_ends(&scene, 0, "the crawl is finished")) {
		JUDGE_ENDS(&scene, recorded);
		ok(crawl_scene_lines(&scene, "\"content_usage\":", NULL) == 2,
		    "the header is told apart from robots.txt");
		ok(crawl_scene_lines(&scene, "\"robots_tag\":", NULL) == 2,
		    "of what is no page nothing is recorded");
		ok(crawl_scene_lines(&scene, "\"tdm_", NULL) == 2,
		    "nor what says nothing");
	}
	crawl_scene_close(&scene);
}

/* From answers, one after the other. */
static void test_one_desk(void)
{
	struct pv_page_terms terms;
	struct pv_headers headers;
	struct pv_terms said;
	struct pv_page_terms_sources sources = {.headers = &headers};
	pv_page_terms_init(&terms);
	pv_headers_init(&headers, 100, 10000);
	pv_terms_init(&said);
	pv_headers_add(&headers, PV_STR("X-Robots-Tag"), PV_STR("noindex, x"));
	pv_headers_add(&headers, PV_STR("TDM-Policy"), PV_STR("y"));
	pv_page_terms_read(&terms, &headers, PV_STR("examplebot"));
	pv_page_terms_record(&terms, &sources, &said);
	ok(said.count == 2, "an answer says something");
	pv_headers_clear(&headers);
	pv_terms_clear(&said);
	pv_headers_add(&headers, PV_STR("Content-Type"), PV_STR("text/html"));
	pv_page_terms_read(&terms, &headers, PV_STR("examplebot"));
	pv_page_terms_record(&terms, &sources, &said);
	ok(said.count == 0 && !terms.robots.known,
	    "and the next one nothing of that");
	pv_terms_finish(&said);
	pv_headers_finish(&headers);
	pv_page_terms_finish(&terms);
}

int main(void)
{
	test_one_desk();
	test_following();
	test_recording();
	return tap_done();
}
