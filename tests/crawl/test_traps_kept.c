#include "crawl/patience.h"
#include "crawl/scene.h"

/* Traps that are counted, over kills (P3): the program is killed again and
 * again in the middle of a site without end, and ends within the same limits,
 * but for what was in flight. */

#define GOOD 200
#define VOID 300

static void append(struct server_answer *answer, const char *before,
    unsigned count, const char *after)
{
	for (unsigned i = 0; i < count; i++)
		pv_buf_append_format(
		    answer->own_body, "%s%u%s", before, i, after);
}

static unsigned number_in(struct pv_str text)
{
	unsigned number = 0;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] >= '0' && text.ptr[i] <= '9')
			number = number * 10 + (unsigned)(text.ptr[i] - '0');
	}
	return number;
}

/* Each host leads to the next two. */
static void write_hosts(
    const struct server_request *request, struct server_answer *answer)
{
	struct pv_str host = server_header(request->headers, "Host");
	struct pv_str port = pv_str_from(host, request->host.len);
	unsigned number = number_in(request->host);
	for (unsigned i = 1; i <= 2; i++)
		pv_buf_append_format(answer->own_body,
		    "<a href=http://h%u.trap.localhost%.*s/>", number + i,
		    PV_STR_ARG(port));
}

/* The seed leads to all that there is: a shop with a new session for each
 * visitor, a directory that is one page, a tree that is another. */
static bool answer_all(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	unsigned *visitors = ctx;
	if (pv_str_equal(request->path, PV_STR("/robots.txt")))
		return false;
	pv_buf_append_text(answer->own_body, "<p>");
	if (pv_str_starts(request->path, PV_STR("/void/"))) {
		pv_buf_append_text(answer->own_body, "nothing is here");
	} else if (pv_str_starts(request->path, PV_STR("/tree/"))) {
		pv_buf_append_text(
		    answer->own_body, "<a href=left/><a href=right/>");
	} else if (pv_str_starts(request->path, PV_STR("/good/"))) {
		pv_buf_append(answer->own_body, request->path);
	} else if (pv_str_starts(request->path, PV_STR("/shop"))) {
		pv_buf_append_format(answer->own_body,
		    "<a href=/shop?PHPSESSID=visitor%u>", ++*visitors);
	} else {
		pv_buf_append_format(
		    answer->own_body, "%.*s", PV_STR_ARG(request->host));
		write_hosts(request, answer);
		if (number_in(request->host))
			return true;
		append(answer, "<a href=/void/page", VOID, ">");
		append(answer, "<a href=/good/page", GOOD, ">");
		append(answer, "<a href=/shop?PHPSESSID=visitor0000", 1, ">");
		append(answer, "<a href=/tree/", 1, "/>");
	}
	return true;
}

static const char policy[] =
    "version: 1\n"
    "seeds: [\"http://a.trap.localhost:PORT/\"]\n"
    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
    "rate: {max_rate: 8, interval: 20ms, concurrency: 8}\n"
    "output: {}\n"
    "fetch: {private: all}\n"
    "scope: {hosts: site, traps: {same_body: 20, sessions: 4,\n"
    "  subdomains: 6, repeats: none, segments: none}}\n";

/* Distinct targets that begin so, over all runs. */
static size_t count_targets(struct crawl_scene *scene, const char *target)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = 0;
	for (size_t i = 0; i < view.count; i++)
		count +=
		    view.records[i].nth == 1 &&
		    pv_str_starts(view.records[i].target, pv_str_of(target));
	log_view_finish(&view);
	return count;
}

static void kill_after(struct crawl_scene *scene, size_t requests)
{
	size_t before = server_log_count(scene->server);
	crawl_scene_start(scene);
	server_wait(scene->server, before + requests, HANG_MS);
	program_signal(scene->program, SIGKILL);
	crawl_scene_wait(scene, HANG_MS);
}

/* What is asked for in the time that a commit takes, and reading where others
 * keep the processor. */
#define IN_FLIGHT 120

/* Pages that were read when it was killed are asked for again, and count
 * twice. */
#define COUNTED_TWICE 8

static void judge(struct crawl_scene *scene)
{
	size_t empty = count_targets(scene, "/void/");
	size_t tree = count_targets(scene, "/tree/");
	ok(crawl_scene_lines(scene, "/good/", "\"status\":200",
	       "\"final\":true", NULL) == GOOD,
	    "all good pages are fetched");
	ok(count_targets(scene, "/shop") <= 4,
	    "no more session identifiers are followed than may be (%zu)",
	    count_targets(scene, "/shop"));
	ok(count_targets(scene, "/robots.txt") == 6,
	    "no more hosts are visited than may be (%zu)",
	    count_targets(scene, "/robots.txt"));
	ok(empty >= 20 - COUNTED_TWICE && empty <= 20 + IN_FLIGHT,
	    "nor more addresses that are one page (%zu)", empty);
	ok(tree > 20 - COUNTED_TWICE && tree <= 2 * (20 + IN_FLIGHT) + 1,
	    "nor more links of one that is the same (%zu)", tree);
}

/* The reasons, in the journal and in `pavane status`. */
static void judge_told(struct crawl_scene *scene)
{
	static const char *const arguments[] = {"status", "o", NULL};
	static const struct {
		const char *reason;
		const char *words;
	} cases[] = {
	    {"\"reason\":\"trap-same-body\"",
		"with the same content again and again"},
	    {"\"reason\":\"trap-session\"", "with further session identifiers"},
	    {"\"reason\":\"trap-subdomains\"", "on further hosts of a site"},
	};
	struct program_end end;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_run(&scene->home, arguments, &said, &end);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t lines = crawl_scene_lines(
		    scene, cases[i].reason, "\"final\":true", NULL);
		ok(lines > 0 && strstr(pv_buf_text(&said), cases[i].words),
		    "P4: the journal says %s (%zu), and status how many",
		    cases[i].reason, lines);
	}
	if (!strstr(pv_buf_text(&said), "trap"))
		printf("# %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
}

int main(void)
{
	static unsigned visitors;
	static const struct server_plan plan = {
	    .answer = answer_all, .ctx = &visitors};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a site without end"))
		return tap_done();
	visitors = 1000;
	crawl_scene_policy(&scene, policy);
	for (unsigned i = 0; i < 5; i++)
		kill_after(&scene, 25);
	crawl_scene_ends(&scene, 0, "a crawl that was killed ends by itself");
	judge(&scene);
	judge_told(&scene);
	crawl_scene_close(&scene);
	return tap_done();
}
