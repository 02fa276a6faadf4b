#include "policy/secrets/netrc.h"

#include "tap.h"

/* Logins that are read, and what is said of files that are none. */

static struct pv_netrc netrc_of(const char *text, struct pv_why *why)
{
	struct pv_netrc netrc;
	pv_why_init(why);
	pv_netrc_init(&netrc);
	pv_netrc_read(&netrc, pv_str_of(text), "logins", why);
	return netrc;
}

static const struct {
	const char *claim;
	const char *text;
	const char *logins; /* "host name password;" of each */
} files[] = {
    {"one in a line", "machine a.test login anna password w",
	"a.test anna w;"},
    {"one in many lines", "machine a.test\n\tlogin anna\n\tpassword w\n",
	"a.test anna w;"},
    {"the password first", "machine a.test password w login anna",
	"a.test anna w;"},
    {"several", "machine a.test login a password b\r\n"
		"machine b.test login c password d\r\n",
	"a.test a b;b.test c d;"},
    {"of two for a host the first", "machine a.test login a password b\n"
				    "machine A.Test login c password d\n",
	"a.test a b;"},
    {"an account is passed over",
	"machine a.test login a account z password b", "a.test a b;"},
    {"a comment too", "# machine x.test\nmachine a.test login a password b",
	"a.test a b;"},
    {"a sign within a word is no comment",
	"machine a.test login a password b#c", "a.test a b#c;"},
    {"a word in quotes", "machine a.test login \"a n\" password \"b\\\"\\\\\"",
	"a.test a n b\"\\;"},
    {"a macro ends with an empty line",
	"macdef init\ncd /pub\nmachine x.test login a password b\n\n"
	"machine a.test login a password b",
	"a.test a b;"},
    {"a macro at the end", "machine a.test login a password b\nmacdef x\ny",
	"a.test a b;"},
    {"what is for anybody is for nobody",
	"default login a password b\nmachine a.test login c password d",
	"a.test c d;"},
    {"a login without a password is none", "machine a.test login a", ""},
    {"nor is a password alone", "machine a.test password b", ""},
    {"an address", "machine 127.0.0.1 login a password b",
	"127.0.0.1 a b;"},
    {"what is no host is nobody's", "machine a/b login a password b", ""},
    {"a keyword as a value", "machine a.test login login password machine",
	"a.test login machine;"},
    {"an empty file", "", ""},
};

static void test_logins(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct pv_why why;
		struct pv_netrc netrc = netrc_of(files[i].text, &why);
		struct pv_buf text;
		pv_buf_init(&text, SIZE_MAX);
		for (size_t j = 0; j < netrc.count; j++)
			pv_buf_append_format(&text, "%.*s %.*s %.*s;",
			    PV_STR_ARG(netrc.items[j].host),
			    PV_STR_ARG(netrc.items[j].name),
			    PV_STR_ARG(netrc.items[j].password));
		is_text(pv_buf_str(&text), files[i].logins, "%s",
		    files[i].claim);
		ok(!pv_why_has_problems(&why), "and nothing is wrong");
		pv_buf_finish(&text);
		pv_netrc_finish(&netrc);
		pv_why_finish(&why);
	}
}

static const struct {
	const char *text;
	const char *part;
	uint32_t line;
} mistakes[] = {
    {"machine a.test\nuser hidden", "expected machine", 2},
    {"machine a.test login", "ends where a value", 1},
    {"machine", "ends where a value", 1},
    {"machine a.test login \"hidden\npassword b", "not closed", 1},
    {"machine a.test login a password \"hid\001den\"", "control", 1},
};

static void test_mistakes(void)
{
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		struct pv_why why;
		struct pv_netrc netrc = netrc_of(mistakes[i].text, &why);
		const struct pv_problem *problem = &why.problems.kept[0];
		ok(why.problems.count == 1 &&
			strstr(problem->text, mistakes[i].part) &&
			problem->line == mistakes[i].line,
		    "what is wrong is told with its line: %s",
		    mistakes[i].part);
		ok(why.problems.count == 1 && !strstr(problem->text, "hid"),
		    "and nothing is quoted");
		pv_netrc_finish(&netrc);
		pv_why_finish(&why);
	}
}

static void test_find(void)
{
	struct pv_why why;
	struct pv_netrc netrc =
	    netrc_of("machine a.test login a password b", &why);
	ok(pv_netrc_find(&netrc, PV_STR("a.test")) == &netrc.items[0],
	    "a host's login is found");
	ok(!pv_netrc_find(&netrc, PV_STR("b.test")) &&
		!pv_netrc_find(&netrc, PV_STR("www.a.test")),
	    "and nobody else's");
	pv_netrc_finish(&netrc);
	pv_why_finish(&why);
}

static void test_many(void)
{
	struct pv_why why;
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	for (int i = 0; i < 10001; i++)
		pv_buf_append_format(
		    &text, "machine h%d.test login a password b\n", i);
	struct pv_netrc netrc = netrc_of(pv_buf_text(&text), &why);
	ok(netrc.count == PV_NETRC_MAX && why.problems.count == 1,
	    "P5: more than 10,000 logins are a mistake");
	pv_netrc_finish(&netrc);
	pv_why_finish(&why);
	pv_buf_clear(&text);
	pv_buf_append_text(&text, "machine a.test login a password ");
	for (int i = 0; i < 9000; i++)
		pv_buf_append_char(&text, 'x');
	netrc = netrc_of(pv_buf_text(&text), &why);
	ok(!netrc.count && why.problems.count == 1,
	    "P5: so is a word without end");
	pv_netrc_finish(&netrc);
	pv_why_finish(&why);
	pv_buf_finish(&text);
}

int main(void)
{
	test_logins();
	test_mistakes();
	test_find();
	test_many();
	return tap_done();
}
