#include "policy/secrets/cookies.h"

#include "policy/scratch.h"
#include "tap.h"

/* Cookies that are read, as libcurl would be given them, and what is said of
 * lines that are none. */

static const struct {
	const char *claim;
	const char *line;
	const char *cookie; /* NULL: none, and no problem */
} cookies[] = {
    {"a cookie of a host alone", "a.test\tFALSE\t/\tFALSE\t0\tname\tvalue",
	"a.test\tFALSE\t/\tFALSE\t0\tname\tvalue"},
    {"one of a domain, with the dot that old files write",
	".a.test\tTRUE\t/docs\tTRUE\t1893456000\tname\tvalue",
	".a.test\tTRUE\t/docs\tTRUE\t1893456000\tname\tvalue"},
    {"one of a domain without it", "a.test\tTRUE\t/\tFALSE\t0\tn\tv",
	".a.test\tTRUE\t/\tFALSE\t0\tn\tv"},
    {"one of a host alone with a dot", ".a.test\tFALSE\t/\tFALSE\t0\tn\tv",
	"a.test\tFALSE\t/\tFALSE\t0\tn\tv"},
    {"one that scripts may not see",
	"#HttpOnly_a.test\tFALSE\t/\tFALSE\t0\tn\tv",
	"a.test\tFALSE\t/\tFALSE\t0\tn\tv"},
    {"one whose value holds signs", "a.test\tFALSE\t/\tFALSE\t0\tn\ta=b; \"c\"",
	"a.test\tFALSE\t/\tFALSE\t0\tn\ta=b; \"c\""},
    {"one without a value", "a.test\tFALSE\t/\tFALSE\t0\tn\t",
	"a.test\tFALSE\t/\tFALSE\t0\tn\t"},
    {"one whose line ends with its name", "a.test\tFALSE\t/\tFALSE\t0\tn",
	"a.test\tFALSE\t/\tFALSE\t0\tn\t"},
    {"one of an address", "127.0.0.1\tFALSE\t/\tFALSE\t0\tn\tv",
	"127.0.0.1\tFALSE\t/\tFALSE\t0\tn\tv"},
    {"a domain in capitals, and words in small letters",
	"A.Test\tfalse\t/\ttrue\t0\tn\tv", "a.test\tFALSE\t/\tTRUE\t0\tn\tv"},
    {"a time with a fraction", "a.test\tFALSE\t/\tFALSE\t1893456000.25\tn\tv",
	"a.test\tFALSE\t/\tFALSE\t1893456000\tn\tv"},
    {"a negative time is that of a session",
	"a.test\tFALSE\t/\tFALSE\t-1\tn\tv",
	"a.test\tFALSE\t/\tFALSE\t0\tn\tv"},
    {"a time beyond all calendars",
	"a.test\tFALSE\t/\tFALSE\t99999999999999999999999\tn\tv",
	"a.test\tFALSE\t/\tFALSE\t253402300799\tn\tv"},
    {"a comment is none", "# Netscape HTTP Cookie File", NULL},
    {"nor is an empty line", "", NULL},
    {"nor are blanks", " \t ", NULL},
};

static const struct {
	const char *line;
	const char *part; /* of what is said */
} mistakes[] = {
    {"a.test FALSE / FALSE 0 n v", "seven fields with tabs"},
    {"a.test\tFALSE\t/\tFALSE\t0", "seven fields with tabs"},
    {"a.test\tFALSE\t/\tFALSE\t0\tn\tv\tw", "seven fields with tabs"},
    {"\tFALSE\t/\tFALSE\t0\tn\tv", "no domain"},
    {"a b\tFALSE\t/\tFALSE\t0\tn\tv", "no domain"},
    {"a.test/x\tFALSE\t/\tFALSE\t0\tn\tv", "no domain"},
    {"..a.test\tFALSE\t/\tFALSE\t0\tn\tv", "no domain"},
    {"a.test\tyes\t/\tFALSE\t0\tn\tv", "the second field"},
    {"a.test\tFALSE\tdocs\tFALSE\t0\tn\tv", "the third field"},
    {"a.test\tFALSE\t/\t1\t0\tn\tv", "the fourth field"},
    {"a.test\tFALSE\t/\tFALSE\tnever\tn\tv", "the fifth field"},
    {"a.test\tFALSE\t/\tFALSE\t\tn\tv", "the fifth field"},
    {"a.test\tFALSE\t/\tFALSE\t0\t\tv", "the sixth field"},
    {"a.test\tFALSE\t/\tFALSE\t0\tn=m\tv", "the sixth field"},
    {"a.test\tFALSE\t/\tFALSE\t0\tn\ts3cr3t\x01", "control character"},
};

static void test_cookies(void)
{
	for (size_t i = 0; i < sizeof(cookies) / sizeof(*cookies); i++) {
		struct pv_cookies read;
		struct pv_why why;
		struct pv_buf line;
		pv_cookies_init(&read);
		pv_why_init(&why);
		pv_buf_init(&line, 4096);
		pv_cookies_read(
		    &read, pv_str_of(cookies[i].line), "cookies.txt", &why);
		if (read.count)
			pv_cookie_write(&read.items[0], &line);
		ok(!pv_why_has_problems(&why) &&
			read.count == (cookies[i].cookie ? 1 : 0) &&
			pv_str_equal(pv_buf_str(&line),
			    pv_str_of(
				cookies[i].cookie ? cookies[i].cookie : "")),
		    "%s", cookies[i].claim);
		pv_buf_finish(&line);
		pv_why_finish(&why);
		pv_cookies_finish(&read);
	}
}

static void test_mistakes(void)
{
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		struct pv_cookies read;
		struct pv_why why;
		struct pv_buf text;
		pv_cookies_init(&read);
		pv_why_init(&why);
		pv_buf_init(&text, 4096);
		pv_buf_append_format(&text, "\xef\xbb\xbf# first\r\n%s\r\n%s",
		    mistakes[i].line, cookies[0].line);
		pv_cookies_read(&read, pv_buf_str(&text), "c.txt", &why);
		const struct pv_problem *problem = &why.problems.kept[0];
		ok(read.count == 1 && why.problems.count == 1 &&
			problem->line == 2 &&
			strcmp(problem->file, "c.txt") == 0 &&
			strstr(problem->text, mistakes[i].part) &&
			!strstr(problem->text, "s3cr3t"),
		    "a mistake is named with its line: %s", mistakes[i].part);
		pv_buf_finish(&text);
		pv_why_finish(&why);
		pv_cookies_finish(&read);
	}
}

static void test_ceilings(void)
{
	struct pv_cookies read;
	struct pv_why why;
	struct pv_buf text;
	pv_cookies_init(&read);
	pv_why_init(&why);
	pv_buf_init(&text, 1 << 20);
	for (size_t i = 0; i < PV_COOKIES_MAX + 10; i++)
		pv_buf_append_format(&text, "%s\n", cookies[0].line);
	pv_cookies_read(&read, pv_buf_str(&text), "c.txt", &why);
	ok(read.count == PV_COOKIES_MAX && why.problems.count == 1 &&
		why.problems.kept[0].line == PV_COOKIES_MAX + 1,
	    "P5: beyond 2,000 cookies there is one problem, and no more");
	pv_buf_clear(&text);
	pv_buf_append_text(&text, "a.test\tFALSE\t/\tFALSE\t0\tn\t");
	for (size_t i = 0; i < PV_COOKIE_BYTES_MAX; i++)
		pv_buf_append_char(&text, 'v');
	pv_cookies_read(&read, pv_buf_str(&text), "c.txt", &why);
	ok(why.problems.count == 2, "P5: a value too long for browsers is one");
	pv_buf_finish(&text);
	pv_why_finish(&why);
	pv_cookies_finish(&read);
}

static void test_file(void)
{
	struct scratch scratch;
	struct pv_cookies read;
	struct pv_why why;
	scratch_open(&scratch);
	pv_cookies_init(&read);
	pv_why_init(&why);
	const char *path =
	    scratch_write(&scratch, "c.txt", pv_str_of(cookies[0].line));
	ok(pv_cookies_read_file(&read, path, &why) && read.count == 1,
	    "cookies are read from a file");
	ok(!pv_cookies_read_file(
	       &read, scratch_path(&scratch, "none.txt"), &why) &&
		strstr(why.problems.kept[0].text, "cannot be read"),
	    "one that is not there is a problem");
	pv_why_finish(&why);
	pv_cookies_finish(&read);
	scratch_close(&scratch);
}

int main(void)
{
	test_cookies();
	test_mistakes();
	test_ceilings();
	test_file();
	return tap_done();
}
