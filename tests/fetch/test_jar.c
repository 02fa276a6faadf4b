#include "fetch/jar.h"

#include "fetch/flying.h"
#include "policy/scratch.h"

static const struct server_route routes[] = {
    {.path = "/set",
	.answer = {.headers = "Set-Cookie: a=1; Path=/\r\n"
			      "Set-Cookie: wide=1; Domain=test; Path=/\r\n"
			      "Set-Cookie: other=1; Domain=b.test\r\n"
			      "Set-Cookie: part=1; Domain=x.test; Path=/\r\n"
			      "Set-Cookie: path=1; Path=/other\r\n"}},
    {.path = "/*", .answer = {.body = "a page"}},
};

static struct pv_str cookies_to(
    struct airport *airport, struct server *server, const char *where)
{
	struct journey journey;
	journey_make_to(&journey, airport, server, where);
	journey_finish(&journey);
	return server_header(last_record(server).headers, "Cookie");
}

static void test_on(struct server *server)
{
	struct airport airport;
	airport_open(
	    &airport, "rate: {max_rate: 5000}\nfetch: {cookies: true}");
	ok(!cookies_to(&airport, server, "a.x.test/set").ptr,
	    "there are none to begin with");
	is_text(cookies_to(&airport, server, "a.x.test/page"), "a=1; part=1",
	    "cookies go back where they came from");
	is_text(cookies_to(&airport, server, "b.x.test/page"), "part=1",
	    "and to other hosts only within their domain, wherever these are");
	ok(!cookies_to(&airport, server, "b.test/page").ptr,
	    "not to hosts that the first had no right to");
	ok(airport_close(&airport), "and nothing of it stays");
}

static void test_off(struct server *server)
{
	struct airport airport;
	airport_open(&airport, "version: 1\n");
	cookies_to(&airport, server, "a.x.test/set");
	ok(!cookies_to(&airport, server, "a.x.test/page").ptr,
	    "without the policy's word no cookie is kept");
	airport_close(&airport);
}

/* Cookies of a file, and what servers set besides. */
static void test_file(struct server *server)
{
	struct airport airport;
	struct scratch scratch;
	struct pv_buf policy;
	scratch_open(&scratch);
	pv_buf_init(&policy, 1024);
	pv_buf_append_format(&policy,
	    "rate: {max_rate: 5000}\nfetch: {cookie_file: %s}",
	    scratch_write(&scratch, "c.txt",
		PV_STR("# of a browser\n"
		       "a.x.test\tFALSE\t/\tFALSE\t0\tone\t1\n"
		       "#HttpOnly_.y.test\tTRUE\t/\tFALSE\t0\tdomain\t1\n"
		       "a.x.test\tFALSE\t/docs\tFALSE\t0\tpath\t1\n"
		       "a.x.test\tFALSE\t/\tTRUE\t0\ttls\t1\n"
		       "a.x.test\tFALSE\t/\tFALSE\t1000\told\t1\n"
		       "test\tTRUE\t/\tFALSE\t0\twide\t1\n")));
	airport_open(&airport, pv_buf_text(&policy));
	is_text(cookies_to(&airport, server, "a.x.test/page"), "one=1",
	    "P7: of a file's cookies a host gets its own, over http none that "
	    "is for https, none that has expired, none of a public suffix");
	is_text(cookies_to(&airport, server, "a.x.test/docs/"), "path=1; one=1",
	    "below a cookie's path that one, too");
	ok(!cookies_to(&airport, server, "b.x.test/page").ptr,
	    "P7: another host of the domain gets none of a host alone");
	is_text(cookies_to(&airport, server, "b.y.test/page"), "domain=1",
	    "but those of the whole domain");
	cookies_to(&airport, server, "a.x.test/set");
	is_text(cookies_to(&airport, server, "a.x.test/page"),
	    "one=1; a=1; part=1", "what servers set is kept besides");
	airport_close(&airport);
	pv_buf_finish(&policy);
	scratch_close(&scratch);
}

/* A host that sets new ones without end. */

static void put(CURL *easy, unsigned from, unsigned count)
{
	for (unsigned i = from; i < from + count; i++) {
		char line[128];
		snprintf(line, sizeof(line),
		    "h%u.test\tFALSE\t/\tFALSE\t0\tc%u\t1", i % 64, i);
		curl_easy_setopt(easy, CURLOPT_COOKIELIST, line);
	}
}

static size_t count_in(CURL *easy)
{
	struct curl_slist *list = NULL;
	size_t count = 0;
	curl_easy_getinfo(easy, CURLINFO_COOKIELIST, &list);
	for (struct curl_slist *at = list; at; at = at->next)
		count++;
	curl_slist_free_all(list);
	return count;
}

static void test_ceiling(void)
{
	struct pv_jar jar;
	CURL *easy = curl_easy_init();
	size_t most = 0;
	pv_jar_init(&jar, true);
	pv_jar_join(&jar, easy);
	for (unsigned i = 0; i < 400; i++) {
		put(easy, i * 50, 50);
		pv_jar_count(&jar, 50, easy);
		size_t count = i % 40 ? 0 : count_in(easy);
		most = count > most ? count : most;
	}
	ok(most > 2500 && most <= PV_JAR_COOKIES_MAX,
	    "20,000 cookies are never more than the ceiling (P5)");
	curl_easy_setopt(easy, CURLOPT_COOKIELIST, "ALL");
	put(easy, 0, 50);
	for (unsigned i = 0; i < 400; i++)
		pv_jar_count(&jar, 50, easy);
	ok(count_in(easy) == 50, "the same few, set again and again, are kept");
	curl_easy_cleanup(easy);
	pv_jar_finish(&jar);
}

static void test_given(void)
{
	struct pv_jar jar;
	struct pv_why why;
	struct scratch scratch;
	CURL *easy = curl_easy_init();
	scratch_open(&scratch);
	pv_why_init(&why);
	pv_jar_init(&jar, true);
	ok(!pv_jar_fill(&jar, scratch_path(&scratch, "none.txt"), &why),
	    "a file that is not there is a problem");
	pv_jar_fill(&jar,
	    scratch_write(&scratch, "c.txt",
		PV_STR("given.test\tFALSE\t/\tFALSE\t0\tgiven\t1\n")),
	    &why);
	pv_jar_join(&jar, easy);
	put(easy, 0, 3000);
	pv_jar_count(&jar, PV_JAR_COOKIES_MAX + 1, easy);
	ok(count_in(easy) == 1,
	    "where all that came are forgotten those of the file stay");
	curl_easy_cleanup(easy);
	pv_jar_finish(&jar);
	pv_why_finish(&why);
	scratch_close(&scratch);
}

int main(void)
{
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	test_on(server);
	test_off(server);
	test_file(server);
	test_given();
	test_ceiling();
	server_stop(server);
	return tap_done();
}
