#include <ftw.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/scene.h"
#include "policy/loaded.h"

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

/* Ends the walk at a file that holds the secret, other than the one for it, and
 * what servers have sent. */
static int look_into(
    const char *path, const struct stat *about, int kind, struct FTW *place)
{
	struct pv_buf text;
	bool is_there = false;
	(void)about;
	(void)place;
	const char *name = strrchr(path, '/');
	if (kind != FTW_F || strstr(path, "/o/site/") ||
	    (name && strcmp(name, "/secrets") == 0))
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

/* Credentials of a seed: a user name and a password. */

static const struct server_route login_routes[] = {
    {.host = "mine.test",
	.path = "/in/",
	.answer = {.body = "<a href=next></a>"
			   "<a href='http://mine.test:{port}/in/whole'></a>"
			   "<a href='http://me:" SECRET
			   "@mine.test:{port}/in/same'></a>"
			   "<a href='http://you:" SECRET "x@mine.test:{port}"
			   "/in/other'></a>"
			   "<a href=/in/moved></a>"
			   "<a href='http://yours.test:{port}/page'></a>",
	    .is_template = true}},
    {.host = "mine.test",
	.path = "/in/moved",
	.answer = {.status = 302,
	    .location = "http://me:" SECRET "@yours.test:{port}/x"}},
    {.host = "mine.test",
	.path = "/in/broken",
	.answer = {.status = 302, .location = "ftp://me:" SECRET "@a.test/"}},
    {.path = "/in/next", .answer = {.body = "<a href=broken></a>"}},
    {.path = "/in/whole", .answer = {.body = "whole"}},
    {.path = "/in/same", .answer = {.body = "same"}},
    {.path = "/page", .answer = {.body = "page"}},
    {.path = "/x", .answer = {.body = "x"}},
};

/* "me:" SECRET in base64. */
#define LOGIN "Basic bWU6YzJWamNtVjBPbk5sWTNKbGRB"

static const char login_policy[] =
    "version: 1\n"
    "seeds: [\"http://me:" SECRET "@mine.test:PORT/in/\"]\n"
    "scope: {hosts: any}\n"
    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
    "output: {mirror: {}}\n"
    "fetch: {resolve: {\"*.test\": \"127.71.0.1\"}}\n";

static bool has_login(const struct server_record *record)
{
	return pv_str_equal(
	    server_header(record->headers, "authorization"), pv_str_of(LOGIN));
}

/* How many pages of the seed's origin were asked for, all with the login and
 * nobody else's. */
static size_t judge_logins(struct crawl_scene *scene, const char *claim)
{
	struct log_view view = log_view_of(scene->server);
	size_t right = 0, pages = 0;
	for (size_t i = 0; i < view.count; i++) {
		const struct server_record *record = &view.records[i];
		bool is_page =
		    pv_str_equal(record->host, PV_STR("mine.test")) &&
		    pv_str_starts(record->target, PV_STR("/in/"));
		pages += is_page;
		right += has_login(record) == is_page;
	}
	if (!ok(right == view.count, "P7: %s (%zu of %zu)", claim, right,
		view.count))
		for (size_t i = 0; i < view.count; i++)
			printf("# %.*s %.*s %d\n",
			    PV_STR_ARG(view.records[i].host),
			    PV_STR_ARG(view.records[i].target),
			    has_login(&view.records[i]));
	log_view_finish(&view);
	return pages;
}

static unsigned mode_of(struct crawl_scene *scene, const char *name)
{
	struct stat facts;
	return stat(home_file(&scene->home, name), &facts) == 0
		   ? facts.st_mode & 0777
		   : 0;
}

static void judge_modes(struct crawl_scene *scene)
{
	static const char *const closed[] = {
	    "o/secrets", "o/policy.yaml", "o/state.db", "o/journal.jsonl"};
	for (size_t i = 0; i < sizeof(closed) / sizeof(*closed); i++)
		ok(mode_of(scene, closed[i]) == 0600,
		    "P7: %s is for its owner only (%o)", closed[i],
		    mode_of(scene, closed[i]));
	ok(mode_of(scene, "o") == 0755 && mode_of(scene, "o/site") == 0755 &&
		mode_of(scene, "o/index.html") == 0644,
	    "a mirror may be served: it follows the umask");
}

static void is_nowhere(struct crawl_scene *scene, const char *claim)
{
	ok(nftw(home_file(&scene->home, "o"), look_into, 16, FTW_PHYS) == 0,
	    "P7: %s", claim);
}

static int program(
    struct crawl_scene *scene, const char *command, struct pv_buf *said)
{
	const char *const arguments[] = {command, "o", "-q", NULL};
	struct program_end end;
	pv_buf_clear(said);
	program_run(&scene->home, arguments, said, &end);
	return end.status;
}

static void test_login(void)
{
	static const struct server_plan plan = {
	    .addresses = everywhere, SERVER_ROUTES(login_routes)};
	struct crawl_scene scene;
	struct pv_buf said;
	mode_t mask = umask(022);
	if (!ok(crawl_scene_open(&scene, &plan), "two hosts are there"))
		return;
	pv_buf_init(&said, 1 << 20);
	crawl_scene_policy(&scene, login_policy);
	crawl_scene_ends(&scene, 0, "a crawl with a login finishes");
	size_t pages = judge_logins(&scene,
	    "the login goes to the origin of its seed and nowhere else");
	ok(pages == 6, "all pages there are asked for (%zu)", pages);
	is_nowhere(&scene, "no file has the password but the one for it");
	judge_modes(&scene);
	chmod(home_file(&scene.home, "o/policy.yaml"), 0640);
	chmod(home_file(&scene.home, "o/journal.jsonl"), 0640);
	ok(program(&scene, "update", &said) == 0, "an update finishes");
	ok(judge_logins(&scene, "it has the login from there") == 2 * pages,
	    "and asks for the same");
	is_nowhere(&scene, "and keeps it there");
	ok(mode_of(&scene, "o/policy.yaml") == 0640 &&
		mode_of(&scene, "o/journal.jsonl") == 0640,
	    "a mode that the owner has given stays");
	unlink(home_file(&scene.home, "o/secrets"));
	if (!ok(program(&scene, "update", &said) == 1 &&
		    strstr(pv_buf_text(&said), "secrets"),
		"P4: where the file is gone it does not go on, and says why"))
		printf("# %d %s\n",
		    access(home_file(&scene.home, "o/secrets"), F_OK),
		    pv_buf_text(&said));
	ok(!strstr(pv_buf_text(&said), SECRET), "but not with what");
	crawl_scene_ends(
	    &scene, 0, "with the policy that has the login it does");
	ok(mode_of(&scene, "o/secrets") == 0600, "which is kept again");
	pv_buf_finish(&said);
	crawl_scene_close(&scene);
	umask(mask);
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

/* A file of seeds gives the logins: they are kept like any, and the file gives
 * them again where what was kept is gone. */
static void test_file(void)
{
	static const struct server_plan plan = {
	    .addresses = everywhere, SERVER_ROUTES(login_routes)};
	struct crawl_scene scene;
	struct pv_buf said;
	char seeds[200], open[200];
	if (!ok(crawl_scene_open(&scene, &plan), "a file of seeds"))
		return;
	pv_buf_init(&said, 1 << 20);
	snprintf(seeds, sizeof(seeds),
	    "http://me:" SECRET "@mine.test:%u/in/\n",
	    server_port(scene.server));
	home_write(&scene.home, "some.seeds", pv_str_of(seeds));
	crawl_scene_policy(&scene,
	    "version: 1\n"
	    "seeds: [{file: some.seeds}]\n"
	    "scope: {hosts: any}\n"
	    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
	    "output: {}\n"
	    "fetch: {resolve: {\"*.test\": \"127.71.0.1\"}}\n");
	crawl_scene_ends(&scene, 0, "that has a login: the crawl finishes");
	judge_logins(&scene, "the login goes to its origin and nowhere else");
	unlink(home_file(&scene.home, "o/secrets"));
	snprintf(open, sizeof(open), "http://mine.test:%u/in/\n",
	    server_port(scene.server));
	home_write(&scene.home, "some.seeds", pv_str_of(open));
	ok(program(&scene, "update", &said) == 1 &&
		strstr(pv_buf_text(&said), "secrets"),
	    "P4: where neither the file nor what was kept has it after the "
	    "first run, it does not go on, and says why");
	home_write(&scene.home, "some.seeds", pv_str_of(seeds));
	ok(program(&scene, "update", &said) == 0,
	    "where the file gives it again it does");
	judge_logins(&scene, "with the login");
	pv_buf_finish(&said);
	crawl_scene_close(&scene);
}

/* What a proxy was told is for no other. */
static void is_proxy(const char *asked, const char *open, const char *wanted,
    const char *claim)
{
	struct pv_crawl *crawl = pv_alloc(sizeof(*crawl));
	struct loaded loaded;
	char text[200];
	snprintf(text, sizeof(text), "fetch: {proxy: \"%s\"}\n", asked);
	loaded = load_text(text);
	crawl->policy = loaded.policy;
	crawl->directory = ".";
	pv_secrets_open(crawl, &loaded.why);
	is_text(pv_secrets_proxy(crawl, pv_str_of(open)), wanted, "P7: %s",
	    claim);
	ok(!crawl->secrets.is_changed || !strstr(wanted, "kept"),
	    "and nothing of it is to be kept anew");
	pv_secrets_close(crawl);
	loaded_finish(&loaded);
	free(crawl);
}

static void test_proxy(void)
{
	FILE *file = fopen("secrets", "w");
	fputs("proxy http://me:kept@one.test:3128\n", file);
	fclose(file);
	is_proxy("http://one.test:3128", "http://one.test:3128",
	    "http://me:kept@one.test:3128",
	    "a proxy is told what was kept for it");
	is_proxy("http://two.test:3128", "http://two.test:3128", "",
	    "what was kept for a proxy is told no other");
	is_proxy("http://one.test:3129", "http://one.test:3129", "",
	    "nor at another port");
	is_proxy("http://${LOGIN}@one.test:3128", "http://one.test:3128",
	    "http://me:kept@one.test:3128",
	    "what the environment says is not kept");
	is_proxy("http://you:new@one.test:3128", "http://one.test:3128",
	    "http://you:new@one.test:3128",
	    "what a policy says comes before what was kept");
	unlink("secrets");
}

int main(void)
{
	test_file();
	test_secrets();
	test_login();
	test_foreign();
	test_proxy();
	return tap_done();
}
