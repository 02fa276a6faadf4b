#include <ftw.h>

#include "crawl/scene.h"

/* Secrets of a policy, and whom a crawl goes to at all (P7). */

#define SECRET "c2VjcmV0OnNlY3JldA"

static const char *const everywhere[] = {"127.0.0.0/8", NULL};

static const struct server_route routes[] = {
    {.host = "mine.test",
	.path = "/",
	.answer = {.body = "<a href=/moved></a><a href=/scheme></a>"
			   "<a href='http://yours.test:{port}/page'></a>",
	    .is_template = true}},
    {.host = "mine.test",
	.path = "/moved",
	.answer = {.status = 302, .location = "http://yours.test:{port}/x"}},
    {.host = "mine.test",
	.path = "/scheme",
	.answer = {.status = 302,
	    .location = "https://mine.test:{tls_port}/other"}},
    {.path = "/x", .answer = {.body = "x"}},
    {.path = "/page", .answer = {.body = "page"}},
    {.path = "/other", .answer = {.body = "other"}},
};

static bool open_secrets(struct crawl_scene *scene)
{
	static const struct server_plan plan = {
	    .addresses = everywhere, .has_tls = true, SERVER_ROUTES(routes)};
	struct pv_buf text;
	if (!ok(crawl_scene_open(scene, &plan), "two hosts are there"))
		return false;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "seeds: [\"http://mine.test:PORT/\"]\n"
	    "scope: {hosts: any}\n"
	    "politeness: {delay: 50ms, delay_from: start, delay_factor: 0, "
	    "ip_delay: 0}\n"
	    "output: {}\n"
	    "fetch:\n"
	    "  headers: {Authorization: \"Basic " SECRET "\", "
	    "X-Api-Key: " SECRET ", Accept-Language: en}\n"
	    "  tls: {ca: \"%s\"}\n"
	    "  resolve: {\"*.test\": \"127.71.0.1\"}\n",
	    server_authority_path(scene->server));
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
	return true;
}

static bool has_secret(const struct server_record *record)
{
	return memmem(record->headers.ptr, record->headers.len, SECRET,
	    sizeof(SECRET) - 1);
}

/* The one origin that the person named gets them, and nobody else. */
static void judge_requests(struct crawl_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	size_t right = 0, languages = 0;
	for (size_t i = 0; i < view.count; i++) {
		const struct server_record *record = &view.records[i];
		bool is_seed_origin =
		    pv_str_equal(record->host, PV_STR("mine.test")) &&
		    !record->is_tls;
		right += has_secret(record) == is_seed_origin;
		languages +=
		    server_header(record->headers, "accept-language").ptr !=
		    NULL;
	}
	ok(log_count(&view, "mine.test", "/moved") == 1 &&
		log_count(&view, "yours.test", "/x") == 1 &&
		log_count(&view, "yours.test", "/page") == 1 &&
		log_count(&view, "mine.test", "/other") == 1,
	    "the crawl goes from the seed's origin to others");
	ok(right == view.count,
	    "secrets go to the origin of a seed and to no other, wherever it "
	    "leads (%zu of %zu)",
	    right, view.count);
	ok(languages == view.count, "what is no secret goes to all");
	log_view_finish(&view);
}

/* Ends the walk at a file that holds the secret. */
static int look_into(
    const char *path, const struct stat *about, int kind, struct FTW *place)
{
	struct pv_buf text;
	bool is_there = false;
	(void)about;
	(void)place;
	if (kind != FTW_F)
		return 0;
	FILE *file = fopen(path, "r");
	pv_buf_init(&text, SIZE_MAX);
	for (int byte = file ? fgetc(file) : EOF; byte != EOF;
	     byte = fgetc(file))
		pv_buf_append_char(&text, (char)byte);
	is_there =
	    memmem(pv_buf_text(&text), text.len, SECRET, sizeof(SECRET) - 1);
	if (file)
		fclose(file);
	pv_buf_finish(&text);
	if (is_there)
		printf("# it is in %s\n", path);
	return is_there;
}

static void test_secrets(void)
{
	static const char *const go_on[] = {"continue", "o", "-q", NULL};
	struct crawl_scene scene;
	struct program_end end;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	if (open_secrets(&scene)) {
		crawl_scene_ends(&scene, 0, "a crawl with secrets finishes");
		judge_requests(&scene);
		ok(nftw(home_file(&scene.home, "o"), look_into, 16, FTW_PHYS) ==
			0,
		    "nothing of them is in the crawl's directory");
		program_run(&scene.home, go_on, &said, &end);
		ok(end.status == 1 &&
			strstr(pv_buf_text(&said), "fetch.headers"),
		    "without them it does not go on, and says why (%d)",
		    end.status);
		ok(!strstr(pv_buf_text(&said), SECRET), "but not with what");
		crawl_scene_ends(
		    &scene, 0, "with the policy that has them it does");
	}
	pv_buf_finish(&said);
	crawl_scene_close(&scene);
}

/* Other people's hosts, without a word of who we are. The addresses are of
 * networks that nobody has (RFC 5737). */
static const struct server_route foreign_routes[] = {
    {.path = "/",
	.answer = {.body = "<a href='http://theirs.test/'></a>"
			   "<a href='http://192.0.2.7/'></a>"
			   "<a href='http://[2001:db8::7]/'></a>"}},
};

static const struct address_end foreign_ends[] = {
    {"http://theirs.test/", "\"reason\":\"contact\""},
    {"http://192.0.2.7/", "\"reason\":\"contact\""},
    {"http://[2001:db8::7]/", "\"reason\":\"contact\""},
};

static void test_foreign(void)
{
	static const struct server_plan plan = {SERVER_ROUTES(foreign_routes)};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a host of our own is there"))
		return;
	crawl_scene_policy(&scene,
	    "version: 1\n"
	    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
	    "scope: {hosts: any}\n"
	    "output: {}\n"
	    "fetch: {resolve: {theirs.test: \"198.51.100.1\"}}\n");
	crawl_scene_ends(&scene, 0,
	    "a crawl that comes upon hosts of others without a contact "
	    "finishes");
	JUDGE_ENDS(&scene, foreign_ends);
	ok(crawl_scene_lines(&scene, "theirs.test", "\"attempt\"", NULL) == 0,
	    "nobody has tried to reach them");
	home_write(&scene.home, "policy.yaml",
	    PV_STR("version: 1\nseeds: [\"http://theirs.test/\"]\n"
		   "fetch: {resolve: {theirs.test: \"198.51.100.1\"}}\n"));
	crawl_scene_ends(
	    &scene, 2, "and with such a seed it does not even begin");
	crawl_scene_close(&scene);
}

int main(void)
{
	test_secrets();
	test_foreign();
	return tap_done();
}
