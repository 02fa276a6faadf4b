#include "pavane/pavane.h"

#include "base/buf.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "server/server.h"
#include "tap.h"

/* A link check in values, of a crawl by real sockets. */

#define SECONDS 60

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/",
	.answer =
	    {.body =
		    "<a href=/gone>1</a> <a href=/two>2</a> <a href=/no>3</a>"}},
    {.path = "/two", .answer = {.body = "<a href='/gone'>once more</a>"}},
};

static struct pavane_policy *load(const struct server *server)
{
	char first[64], second[64];
	snprintf(first, sizeof(first), "http://127.0.0.1:%u/",
	    (unsigned)server_port(server));
	snprintf(second, sizeof(second), "http://127.0.0.1:%u/alone",
	    (unsigned)server_port(server));
	const struct pavane_setting settings[] = {
	    {NULL, "politeness.delay=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "rate.max_rate=1000"},
	};
	const char *const addresses[] = {first, second};
	const struct pavane_sources sources = {
	    .size = sizeof(struct pavane_sources),
	    .settings = settings,
	    .setting_count = 3,
	    .addresses = addresses,
	    .address_count = 2,
	};
	return pavane_policy_load(&sources);
}

static void note_link(void *ctx, const struct pavane_broken_link *link)
{
	const char *address = strstr(link->address, "//") + 2;
	const char *page = link->page[0] ? strstr(link->page, "//") + 2 : "";
	pv_buf_append_format(ctx, "%s %s %u on %s in %s (%s)\n",
	    strchr(address, '/'), link->what, link->status,
	    page[0] ? strchr(page, '/') : "nothing",
	    link->file[0] ? link->file : "nothing", link->why);
}

static void test_values(const char *directory)
{
	struct pv_buf got;
	struct pavane_links_options options = {
	    .size = sizeof(options),
	    .directory = directory,
	    .form = PAVANE_LINKS_VALUES,
	    .on_broken = note_link,
	    .ctx = &got,
	};
	pv_buf_init(&got, 10000);
	ok(pavane_links_check(&options) == PAVANE_LINKS_BROKEN,
	    "a check finds links that are broken");
	const char *text = pv_buf_text(&got);
	ok(strstr(text, "/gone 404 404 on / in site/127.0.0.1^") &&
		strstr(text, "/two^.html (answered 404 (not found))\n"),
	    "each with the pages that link to it: %s", text);
	ok(strstr(text, "/alone 404 404 on nothing in nothing (answered 404"),
	    "a seed with none");
	if (!ok(got.len && !strstr(strstr(text, "/alone") + 1, "/alone"),
		"and nothing twice"))
		printf("# %s\n", text);
	options.on_broken = NULL;
	ok(pavane_links_check(&options) == PAVANE_LINKS_BROKEN,
	    "who wants no values learns that there are some");
	options.form = PAVANE_LINKS_VALUES + 1;
	ok(pavane_links_check(&options) == PAVANE_LINKS_UNKNOWN,
	    "a form of a later release is refused");
	pv_buf_finish(&got);
}

/* The program refuses an address. */
static enum pavane_choice on_link(
    void *ctx, const struct pavane_link *link, struct pavane_refusal *refusal)
{
	(void)ctx;
	bool is_refused = strstr(link->address, "/no") != NULL;
	refusal->word = "no-no";
	return is_refused ? PAVANE_REFUSE : PAVANE_AS_IT_IS;
}

static const struct pavane_events events = {
    .size = sizeof(events),
    .on_link = on_link,
};

static void test_explained(const struct pavane_policy *policy,
    const struct server *server, const char *directory)
{
	char address[64];
	struct pavane_explain_options options =
	    PAVANE_INIT(struct pavane_explain_options);
	struct pavane_explanation explanation =
	    PAVANE_INIT(struct pavane_explanation);
	options.directory = directory;
	struct pavane_explainer *explainer =
	    pavane_explainer_open(policy, &options);
	snprintf(address, sizeof(address), "http://127.0.0.1:%u/no",
	    (unsigned)server_port(server));
	ok(explainer && pavane_explain_values(
			    explainer, address, &explanation) == PAVANE_NO,
	    "what the crawl has refused is explained");
	ok(strcmp(explanation.step, "crawl") == 0 &&
		strcmp(explanation.word, "program") == 0,
	    "with its reason: %s", explanation.word);
	memcpy(strrchr(address, '/'), "/two", sizeof("/two"));
	ok(explainer &&
		pavane_explain_values(explainer, address, &explanation) ==
		    PAVANE_NO &&
		strcmp(explanation.step, "crawl") == 0 && !*explanation.word,
	    "what it has fetched has none");
	pavane_explainer_close(explainer);
}

int main(void)
{
	struct scratch scratch;
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	struct pavane_policy *policy = load(server);
	scratch_make(&scratch);
	const struct pavane_crawl_options options = {
	    .size = sizeof(options),
	    .directory = scratch.path,
	    .state_dir = scratch.path,
	    .events = &events,
	};
	end_after(SECONDS);
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	if (ok(crawl, "a crawl opens")) {
		pavane_crawl_run(crawl);
		pavane_crawl_close(crawl);
		test_values(scratch.path);
		test_explained(policy, server, scratch.path);
	}
	end_after(0);
	pavane_policy_destroy(policy);
	scratch_remove(&scratch);
	server_stop(server);
	return tap_done();
}
