#include "traps/traps.h"

#include "scope/judge.h"

/* What is left out, and what people are told of it. */

struct bench {
	struct court court;
	struct pv_traps *traps;
	struct pv_log log;
	char lines[4096];
	size_t line_count;
};

static void on_line(void *ctx, enum pv_log_level level, struct pv_str line)
{
	struct bench *bench = ctx;
	size_t len = strlen(bench->lines);
	(void)level;
	snprintf(bench->lines + len, sizeof(bench->lines) - len, "%.*s\n",
	    PV_STR_ARG(line));
	bench->line_count++;
}

static void open_bench(struct bench *bench, const char *scope)
{
	*bench = (struct bench){.line_count = 0};
	open_court(&bench->court, "[\"http://a.test/\"]", scope);
	bench->traps =
	    pv_traps_create(bench->court.policy, (struct pv_hash_key){{1, 2}});
	bench->log = (struct pv_log){
	    .level = PV_LOG_INFO, .write = on_line, .ctx = bench};
}

static void close_bench(struct bench *bench)
{
	pv_traps_destroy(bench->traps);
	close_court(&bench->court);
}

static const struct pv_url *address(
    struct bench *bench, const char *before, unsigned number, const char *after)
{
	struct pv_buf text;
	pv_buf_init(&text, 4096);
	pv_buf_append_format(&text, "%s%u%s", before, number, after);
	pv_url_parse(&bench->court.url, pv_buf_str(&text));
	pv_buf_finish(&text);
	return &bench->court.url;
}

static enum pv_reason ask(
    struct bench *bench, const char *before, unsigned number, const char *after)
{
	struct pv_trap_link link = {
	    .url = address(bench, before, number, after),
	    .is_page = true,
	};
	return pv_traps_ask(bench->traps, &link);
}

static bool take(struct bench *bench, const char *before, unsigned number,
    const char *after, uint8_t body)
{
	uint8_t digest[PV_DIGEST_SIZE] = {body};
	return pv_traps_take_page(
	    bench->traps, address(bench, before, number, after), digest, false);
}

static size_t tell(struct bench *bench)
{
	bench->lines[0] = '\0';
	bench->line_count = 0;
	pv_traps_tell(bench->traps, &bench->log);
	return bench->line_count;
}

/* One page */

static void test_pages(void)
{
	struct bench bench;
	unsigned times = 0;
	open_bench(&bench, "{traps: {same_body: 3}}");
	while (times < 10 && !take(&bench, "http://a.test/", times, "/", 1))
		times++;
	ok(times == 3, "a page leads no further after so many (%u)", times);
	uint8_t digest[PV_DIGEST_SIZE] = {1}, other[PV_DIGEST_SIZE] = {9};
	ok(pv_traps_take_page(bench.traps,
	       address(&bench, "http://a.test/", 0, "/"), digest, true),
	    "nor does it when answered once more");
	for (unsigned i = 0; i < 9; i++)
		times += pv_traps_take_page(bench.traps,
		    address(&bench, "http://a.test/", 0, "/"), other, true);
	ok(times == 3, "which does not count");
	ok(!take(&bench, "http://b.test/", 0, "/", 1),
	    "each host has a count of its own");
	ok(!take(&bench, "http://a.test/", 0, "/", 2), "so has each body");
	close_bench(&bench);
}

static void test_patterns(void)
{
	struct bench bench;
	open_bench(&bench, "{traps: {same_body: 3}}");
	for (unsigned i = 0; i < 2; i++)
		take(&bench, "http://a.test/x", i, ".html", 1);
	ok(ask(&bench, "http://a.test/x", 9, "") == PV_REASON_NONE,
	    "fewer are no trap");
	take(&bench, "http://a.test/y", 0, ".html", 2);
	for (unsigned i = 2; i < 4; i++)
		take(&bench, "http://a.test/x", i, ".html", 1);
	ok(ask(&bench, "http://a.test/x", 9, "") == PV_REASON_NONE,
	    "another page in between, and the count begins anew");
	take(&bench, "http://a.test/x", 4, ".html", 1);
	ok(ask(&bench, "http://a.test/z", 9, "") == PV_REASON_SAME_BODY &&
		pv_traps_is_closed(
		    bench.traps, address(&bench, "http://a.test/z", 9, "")),
	    "so many in a row are");
	ok(ask(&bench, "http://a.test/x", 9, "?q") == PV_REASON_NONE &&
		ask(&bench, "http://a.test/", 9, "/x") == PV_REASON_NONE,
	    "addresses of other patterns are not");
	struct pv_trap_link link = {
	    .url = address(&bench, "http://a.test/x", 9, ".png")};
	ok(pv_traps_ask(bench.traps, &link) == PV_REASON_NONE,
	    "nor are images");
	link.is_page = link.is_named = true;
	ok(pv_traps_ask(bench.traps, &link) == PV_REASON_NONE,
	    "nor is what a person wrote");
	ok(tell(&bench) == 1 && tell(&bench) == 0, "P4: it is told once: %s",
	    bench.lines);
	take(&bench, "http://a.test/x", 5, ".html", 3);
	ok(ask(&bench, "http://a.test/x", 9, "") == PV_REASON_NONE,
	    "and forgotten when another page comes after all");
	close_bench(&bench);
}

static void test_one(void)
{
	struct bench bench;
	open_bench(&bench, "{traps: {same_body: 1}}");
	take(&bench, "http://a.test/x", 0, "", 1);
	ok(ask(&bench, "http://a.test/x", 1, "") == PV_REASON_NONE,
	    "one page is the same as no other, whatever the limit");
	take(&bench, "http://a.test/x", 1, "", 1);
	ok(ask(&bench, "http://a.test/x", 2, "") == PV_REASON_SAME_BODY,
	    "two may be");
	close_bench(&bench);
}

/* So many of each */

#define SESSION "http://a.test/?PHPSESSID=visitor"

static void test_sessions(void)
{
	struct bench bench;
	size_t followed = 0;
	open_bench(&bench, "{traps: {sessions: 4}}");
	for (unsigned i = 0; i < 100; i++)
		followed += ask(&bench, SESSION, i, "") == PV_REASON_NONE;
	ok(followed == 4, "so many session identifiers are followed (%zu)",
	    followed);
	ok(ask(&bench, SESSION, 3, "&page=2") == PV_REASON_NONE &&
		ask(&bench, SESSION, 4, "") == PV_REASON_SESSION,
	    "those that came first, wherever they stand");
	ok(ask(&bench, "http://b.test/?PHPSESSID=visitor", 9, "") ==
		PV_REASON_NONE,
	    "each host has its own");
	ok(tell(&bench) == 1 &&
		strcmp(bench.lines,
		    "a.test: links with further session identifiers are not "
		    "followed: 4 are the limit (scope.traps.sessions); "
		    "scope.strip_query can remove them from addresses\n") == 0,
	    "P4: it is told once: %s", bench.lines);
	ask(&bench, "http://a.test/?sid=0123456789abcde", 1, "");
	ok(tell(&bench) == 0, "and no more");
	close_bench(&bench);
}

static void test_hosts(void)
{
	struct bench bench;
	size_t followed = 0, alone = 0;
	open_bench(&bench, "{hosts: [named.b.test, \"*.test\"], "
			   "traps: {subdomains: 7}}");
	for (unsigned i = 0; i < 100; i++) {
		followed +=
		    ask(&bench, "http://h", i, ".b.test/") == PV_REASON_NONE;
		alone += ask(&bench, "http://h", i, ".test/") == PV_REASON_NONE;
		alone +=
		    ask(&bench, "http://10.0.0.", i, "/") == PV_REASON_NONE;
	}
	ok(followed == 7, "so many hosts of a site are visited (%zu)",
	    followed);
	ok(alone == 200, "sites of their own and IP addresses are no trap");
	ok(ask(&bench, "http://h6.b.test/", 1, "") == PV_REASON_NONE,
	    "those that came first, for all that they have");
	ok(ask(&bench, "http://named.b.test/", 1, "") == PV_REASON_NONE,
	    "one that the policy lists is visited in any case");
	ok(tell(&bench) == 1 && strstr(bench.lines, "b.test: links to further"),
	    "P4: it is told once, by the site: %s", bench.lines);
	close_bench(&bench);
}

static void test_off(void)
{
	struct bench bench;
	size_t followed = 0;
	open_bench(&bench,
	    "{traps: {same_body: none, sessions: none, subdomains: none}}");
	for (unsigned i = 0; i < 50; i++) {
		followed += !take(&bench, "http://a.test/", i, "", 1);
		followed += ask(&bench, SESSION, i, "") == PV_REASON_NONE;
		followed +=
		    ask(&bench, "http://h", i, ".b.test/") == PV_REASON_NONE;
	}
	ok(followed == 150 && tell(&bench) == 0,
	    "without limits nothing is left out");
	close_bench(&bench);
}

/* As when so much is remembered that no more can be. */
static void test_full(void)
{
	struct bench bench;
	open_bench(&bench, "{traps: {subdomains: 3}}");
	struct pv_trap_counts *counts = pv_traps_lock(bench.traps);
	counts->hosts.members.ceiling = 5;
	pv_traps_unlock(bench.traps);
	for (unsigned i = 0; i < 5; i++)
		ask(&bench, "http://h", i, ".b.test/");
	size_t followed = 0;
	for (unsigned i = 0; i < 20; i++)
		followed +=
		    ask(&bench, "http://h", i, ".c.test/") == PV_REASON_NONE;
	ok(followed == 20, "P5: what cannot be remembered is not counted (%zu)",
	    followed);
	ok(ask(&bench, "http://h", 9, ".b.test/") == PV_REASON_SUBDOMAINS,
	    "what was, is");
	ok(tell(&bench) == 2 && tell(&bench) == 0 &&
		ask(&bench, "http://h", 1, ".d.test/") == PV_REASON_NONE &&
		tell(&bench) == 0,
	    "and that is told once");
	close_bench(&bench);
}

int main(void)
{
	test_pages();
	test_patterns();
	test_one();
	test_sessions();
	test_hosts();
	test_off();
	test_full();
	return tap_done();
}
