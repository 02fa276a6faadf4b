#include <sys/stat.h>

#include "crawl/scene.h"
#include "policy/shard.h"
#include "policy/sources/load.h"

/* What shards of a crawl tell each other, by files: also what only one of them
 * can know, as where a seed was moved to; and files that are not what they should
 * be. */

#define HOSTS_MAX 3

/* The names of hosts, each of the shard of its number, from 1. */
static char names[HOSTS_MAX + 1][16];
static unsigned port;
static bool has_moved_robots; /* the first host, to the second */

static void name_hosts(uint32_t count)
{
	struct pv_policy *policy = pv_policy_create();
	for (uint32_t shard = 1; shard <= count; shard++) {
		unsigned i = 0;
		do {
			snprintf(names[shard], sizeof(names[shard]), "s%u.test",
			    i++);
		} while (pv_shard_of(policy, count, pv_str_of(names[shard])) !=
			 shard);
	}
	pv_policy_destroy(policy);
}

static bool is_host(const struct server_request *request, unsigned shard)
{
	return pv_str_equal(request->host, pv_str_of(names[shard]));
}

static bool is_path(const struct server_request *request, const char *path)
{
	return pv_str_equal(request->path, pv_str_of(path));
}

/* The first host has moved to the second, and the third links there. */
static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	bool is_root = is_path(request, "/");
	if (is_path(request, "/robots.txt") && has_moved_robots &&
	    is_host(request, 1)) {
		answer->status = 301;
		pv_buf_append_format(answer->own_headers,
		    "Location: http://%s:%u/robots.txt\r\n", names[2], port);
	} else if (is_path(request, "/robots.txt")) {
		answer->status = 404;
	} else if (is_root && is_host(request, 1)) {
		answer->status = 301;
		pv_buf_append_format(answer->own_headers,
		    "Location: http://%s:%u/\r\n", names[2], port);
	} else if (is_root && is_host(request, 3)) {
		pv_buf_append_format(answer->own_body,
		    "<a href=http://%s:%u/from-third>", names[2], port);
	} else if (is_root) {
		pv_buf_append_text(answer->own_body, "<a href=/inner>");
	} else if (is_path(request, "/list")) {
		pv_buf_append_format(answer->own_body,
		    "<h1>Books</h1><a href=http://%s:%u/item>", names[2], port);
	} else if (is_path(request, "/item")) {
		pv_buf_append_text(answer->own_body, "<h1>A book</h1>");
	} else if (is_path(request, "/many")) {
		pv_buf_append_text(
		    answer->own_body, "<a href=/1><a href=/2><a href=/3>");
	} else {
		pv_buf_append_text(answer->own_body, "something");
	}
	return true;
}

#define MANNERS                                                         \
	"version: 1\n"                                                  \
	"politeness: {delay: 2ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0}\n"                                                \
	"fetch: {resolve: {\"*.test\": \"127.0.0.1\"}}\n"

/* In which H1, H2 and H3 are the hosts, with the port. */
static void write_text(
    struct crawl_scene *scene, const char *name, const char *text)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 1 << 20);
	while (*text) {
		bool is_name =
		    text[0] == 'H' && text[1] >= '1' && text[1] <= '3';
		if (is_name)
			pv_buf_append_format(
			    &buf, "%s:%u", names[text[1] - '0'], port);
		else
			pv_buf_append_char(&buf, *text);
		text += is_name ? 2 : 1;
	}
	home_write(&scene->home, name, pv_buf_str(&buf));
	pv_buf_finish(&buf);
}

/* Runs a shard in the directory of its number, with what others have found;
 * what it said. */
static int run(struct crawl_scene *scene, const char *shard,
    const char *const *inbound, struct pv_buf *said)
{
	char directory[] = {'d', shard[0], '\0'};
	const char *arguments[16] = {
	    "crawl", "policy.yaml", "--shard", shard, "-o", directory};
	struct program_end end = {.status = -1};
	for (size_t i = 6; inbound && *inbound; i += 2) {
		arguments[i] = "--inbound";
		arguments[i + 1] = *inbound++;
	}
	pv_buf_clear(said);
	program_run(&scene->home, arguments, said, &end);
	if (end.status != 0)
		printf("# %s ended with %d: %s\n", shard, end.status,
		    pv_buf_text(said));
	return end.status;
}

#define INBOUND(...) ((const char *const[]){__VA_ARGS__, NULL})

static size_t asked(
    struct crawl_scene *scene, unsigned shard, const char *target)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = log_count(&view, names[shard], target);
	log_view_finish(&view);
	return count;
}

static bool open_scene(
    struct crawl_scene *scene, uint32_t count, const char *policy)
{
	struct server_plan plan = {.answer = answer};
	name_hosts(count);
	if (!ok(crawl_scene_open(scene, &plan), "the hosts are there"))
		return false;
	port = server_port(scene->server);
	write_text(scene, "policy.yaml", policy);
	return true;
}

/* A crawl of the whole, so that there is one to be audited. */
static void close_scene(struct crawl_scene *scene)
{
	crawl_scene_ends(scene, 0, "a crawl that is not divided ends, too");
	crawl_scene_close(scene);
}

/* The third shard has heard of nothing when it refuses the link. */
static void test_moved_seed(struct pv_buf *said)
{
	struct crawl_scene scene;
	if (!open_scene(&scene, 3,
		MANNERS "seeds: [\"http://H1/\", \"http://H3/\"]\n"
			"scope: {sitemaps: false}\noutput: {}\n"))
		return;
	ok(run(&scene, "3/3", NULL, said) == 0 &&
		strstr(pv_buf_text(said), "on other hosts"),
	    "a link to where a seed was moved is out of scope for who does "
	    "not know");
	ok(run(&scene, "1/3", NULL, said) == 0, "who asks the seed does");
	ok(run(&scene, "3/3", INBOUND("d1"), said) == 0 &&
		strstr(pv_buf_text(said), "addresses were read"),
	    "and tells the others");
	ok(run(&scene, "2/3", INBOUND("d1", "d3"), said) == 0,
	    "whose host it is hears of both");
	ok(asked(&scene, 2, "/") == 1 && asked(&scene, 2, "/inner") == 1,
	    "P3: the seed is followed, and what lies below it");
	ok(asked(&scene, 2, "/from-third") == 1,
	    "P3: and what was refused before it was known");
	ok(run(&scene, "1/3", INBOUND("d2", "d3"), said) == 0 &&
		run(&scene, "2/3", INBOUND("d1", "d3"), said) == 0 &&
		asked(&scene, 2, "*") == 4 && asked(&scene, 1, "/") == 1,
	    "nothing is asked twice");
	close_scene(&scene);
}

/* The seed and three pages are known. */
static void test_full(struct crawl_scene *scene, struct pv_buf *said)
{
	static const char *const tight[] = {"crawl", "policy.yaml", "-o", "d1",
	    "--inbound", "most.jsonl", "--set", "limits.known=6", NULL};
	struct program_end end = {.status = -1};
	pv_buf_clear(said);
	program_run(&scene->home, tight, said, &end);
	ok(end.status == 0 &&
		strstr(pv_buf_text(said), "limits.known is reached"),
	    "P5: no more addresses are taken than may be known");
	ok(asked(scene, 1, "/four") == 1 && asked(scene, 1, "/five") == 1 &&
		asked(scene, 1, "/six") == 0,
	    "as many as there is room for");
	ok(run(scene, "1/2", INBOUND("most.jsonl"), said) == 0 &&
		asked(scene, 1, "/six") == 1 && asked(scene, 1, "/four") == 1,
	    "P3: and the rest when there is");
}

/* What a host may be asked for stands at another shard's host: that is asked for
 * nothing else. */
static void test_moved_robots(struct pv_buf *said)
{
	struct crawl_scene scene;
	has_moved_robots = true;
	if (!open_scene(&scene, 2,
		MANNERS "seeds: [\"http://H1/many\"]\n"
			"scope: {sitemaps: false}\noutput: {}\n"))
		return;
	ok(run(&scene, "1/2", NULL, said) == 0 && asked(&scene, 1, "/3") == 1,
	    "a host whose robots.txt was moved is asked by its shard");
	ok(asked(&scene, 2, "/robots.txt") == 1 && asked(&scene, 2, "*") == 1,
	    "P1: where that lies nothing else is");
	const char *const words[] = {"continue", "d1", "--inbound", "d2", NULL};
	struct program_end end = {.status = -1};
	program_run(&scene.home, words, NULL, &end);
	ok(end.status == 1, "P4: a directory that is not there is told");
	mkdir(home_file(&scene.home, "d2"), 0700);
	program_run(&scene.home, words, NULL, &end);
	ok(end.status == 0, "one without anything for us is fine");
	close_scene(&scene);
	has_moved_robots = false;
}

#define PAGE(path) \
	"{\"url\":\"http://H1/" path "\",\"use\":\"page\",\"depth\":1}\n"

/* A good line behind very many that are none. */
static void write_damaged(struct crawl_scene *scene, const char *name)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	for (unsigned i = 0; i < 200000; i++)
		pv_buf_append_text(&text, "x\n");
	pv_buf_append_text(&text, PAGE("late"));
	write_text(scene, name, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static void test_hostile_lines(struct pv_buf *said)
{
	struct crawl_scene scene;
	if (!open_scene(&scene, 2,
		MANNERS "seeds: [\"http://H2/\"]\n"
			"scope: {hosts: any, sitemaps: false}\noutput: {}\n"))
		return;
	write_text(&scene, "bad.jsonl",
	    PAGE("one") "nonsense\n\n"
			"{\"url\":\"ftp://H1/\",\"use\":\"page\",\"depth\":1}\n"
			"{\"url\":\"http://me:x@H1/\",\"use\":\"page\","
			"\"depth\":1}\n" PAGE(
			    "two") "{\"url\":\"http://H1/cut");
	write_text(&scene, "more.jsonl", PAGE("one") PAGE("three"));
	write_text(&scene, "most.jsonl", PAGE("four") PAGE("five") PAGE("six"));
	ok(run(&scene, "1/2", INBOUND("bad.jsonl"), said) == 0,
	    "a shard whose file is damaged ends as any");
	const char *text = pv_buf_text(said);
	ok(strstr(text, "bad.jsonl:2: this line is left out: it is not a JSON "
			"object") &&
		strstr(text, "bad.jsonl:4: this line is left out: this is not "
			     "an http or https address") &&
		strstr(text, "bad.jsonl:5: this line is left out: its url has "
			     "a user name or a password"),
	    "P4: each line that is none is named");
	ok(strstr(text, "bad.jsonl:7: the last line is left out"),
	    "P4: so is one that is not whole");
	ok(asked(&scene, 1, "/one") == 1 && asked(&scene, 1, "/two") == 1 &&
		asked(&scene, 1, "/cut*") == 0,
	    "P3: no other line is lost with them");
	ok(run(&scene, "1/2", INBOUND("more.jsonl", "bad.jsonl"), said) == 0 &&
		asked(&scene, 1, "/three") == 1 &&
		asked(&scene, 1, "/one") == 1,
	    "a shard that has ended goes on with what is new");
	test_full(&scene, said);
	write_damaged(&scene, "late.jsonl");
	ok(run(&scene, "1/2", INBOUND("late.jsonl"), said) == 0 &&
		strstr(pv_buf_text(said), "late.jsonl: 199980 more lines") &&
		asked(&scene, 1, "/late") == 1,
	    "P3: it does not end before all is read");
	close_scene(&scene);
}

static void test_rows(struct pv_buf *said)
{
	struct crawl_scene scene;
	if (!open_scene(&scene, 2,
		MANNERS
		"seeds: [{url: \"http://H1/list\", as: list, tag: shop}]\n"
		"scope: {hosts: any, sitemaps: false}\n"
		"output: {fields: {}}\n"
		"pages:\n"
		"  list:\n"
		"    fields: {category: h1}\n"
		"    follow: [{css: a, as: item, carry: [category]}]\n"
		"  item: {fields: {title: h1}}\n"))
		return;
	struct pv_buf rows;
	pv_buf_init(&rows, 1 << 20);
	ok(run(&scene, "1/2", NULL, said) == 0 &&
		run(&scene, "2/2", INBOUND("d1"), said) == 0,
	    "two shards with kinds of pages end");
	home_read(&scene.home, "d2/fields/item.jsonl", &rows);
	ok(strstr(pv_buf_text(&rows), "\"title\":\"A book\"") &&
		strstr(pv_buf_text(&rows), "\"category\":\"Books\""),
	    "P3: a page is of the kind that its link gave it, with what that "
	    "brings along");
	pv_buf_finish(&rows);
	close_scene(&scene);
}

/* To which of two shards all hosts belong if they share a clock. */
static uint32_t shared_shard(void)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_policy *policy = pv_policy_load_text("policy.yaml",
	    PV_STR("domains: {\"*.test\": {share: true}}"), &why);
	uint32_t shard = pv_shard_of(policy, 2, PV_STR("a.test"));
	pv_policy_destroy(policy);
	pv_why_finish(&why);
	return shard;
}

/* Of hosts that come to share a clock, what waits goes to its shard. */
static void test_other_table(struct pv_buf *said)
{
	static const char before[] = "scope: {sitemaps: false}\noutput: {}\n"
				     "limits: {pages: 1}\n";
	static const char after[] = "scope: {sitemaps: false}\noutput: {}\n"
				    "domains: {\"*.test\": {share: true}}\n";
	struct crawl_scene scene;
	uint32_t others = shared_shard(), ours = 3 - others;
	const char *shard = ours == 1 ? "1/2" : "2/2";
	char policy[1024], name[32];
	struct pv_buf lines;
	snprintf(policy, sizeof(policy),
	    MANNERS "seeds: [\"http://H%u/many\"]\n%s", (unsigned)ours, before);
	if (!open_scene(&scene, 2, policy))
		return;
	ok(run(&scene, shard, NULL, said) == 4,
	    "a shard stops while pages wait");
	snprintf(policy, sizeof(policy),
	    MANNERS "seeds: [\"http://H%u/many\"]\n%s", (unsigned)ours, after);
	write_text(&scene, "policy.yaml", policy);
	ok(run(&scene, shard, NULL, said) == 0 &&
		asked(&scene, ours, "/1") + asked(&scene, ours, "/2") +
			asked(&scene, ours, "/3") ==
		    0,
	    "P1: it asks for none that are another's by its new policy");
	pv_buf_init(&lines, 1 << 20);
	snprintf(name, sizeof(name), "d%u/outbound/%u.jsonl", (unsigned)ours,
	    (unsigned)others);
	home_read(&scene.home, name, &lines);
	const char *text = pv_buf_text(&lines);
	ok(strstr(text, "/1\"") && strstr(text, "/2\"") && strstr(text, "/3\""),
	    "P3: that one hears of them");
	pv_buf_finish(&lines);
	close_scene(&scene);
}

int main(void)
{
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	test_moved_seed(&said);
	test_moved_robots(&said);
	test_hostile_lines(&said);
	test_rows(&said);
	test_other_table(&said);
	pv_buf_finish(&said);
	return tap_done();
}
