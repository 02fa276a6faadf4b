#include "policy/values/never.h"

#include "policy/scratch.h"
#include "tap.h"

/* P7: whoever asked us away is never asked, by whatever name. */

static uint32_t find(
    const struct pv_never *never, const char *host, const char *written)
{
	struct pv_address address;
	if (written)
		pv_address_read(pv_str_of(written), &address);
	return pv_never_find(never, pv_str_of(host), written ? &address : NULL);
}

static const char list[] = "\xef\xbb\xbf"
			   "# who asked us away\n"
			   "example.org      # by mail\r\n"
			   "\n"
			   "  *.example.com\n"
			   "192.0.2.0/24\n"
			   "2001:db8::1\n"
			   "b\xc3\xbc"
			   "cher.example\n"
			   "Upper.Example.\n"
			   "example.org\n"
			   "198.51.100.7";

static const struct {
	const char *host;
	const char *address;
	uint32_t line;
} cases[] = {
    {"example.org", NULL, 2},
    {"example.org.", NULL, 2},
    {"www.example.org", NULL, 2},
    {"a.b.example.org", NULL, 2},
    {"notexample.org", NULL, 0},
    {"org", NULL, 0},
    {"example.com", NULL, 0},
    {"www.example.com", NULL, 4},
    {"other.example", "192.0.2.200", 5},
    {"192.0.2.200", "192.0.2.200", 5},
    {"other.example", "192.0.3.1", 0},
    {"other.example", "::ffff:192.0.2.200", 5},
    {"[2001:db8::1]", "2001:db8::1", 6},
    {"other.example", "2001:db8::2", 0},
    {"xn--bcher-kva.example", NULL, 7},
    {"www.xn--bcher-kva.example", NULL, 7},
    {"upper.example", NULL, 8},
    {"other.example", "198.51.100.7", 10},
};

static void test_finding(struct scratch *scratch)
{
	struct pv_never never;
	struct pv_why why;
	pv_never_init(&never);
	pv_why_init(&why);
	pv_never_read(
	    &never, scratch_write(scratch, "never.txt", pv_str_of(list)), &why);
	ok(!pv_why_has_problems(&why), "the list is right");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint32_t line = find(&never, cases[i].host, cases[i].address);
		ok(line == cases[i].line, "%s (%s) is %s by line %u (%u)",
		    cases[i].host,
		    cases[i].address ? cases[i].address : "no address",
		    cases[i].line ? "named" : "not named", cases[i].line, line);
	}
	pv_why_finish(&why);
	pv_never_finish(&never);
}

static void test_faults(struct scratch *scratch)
{
	struct pv_never never;
	struct pv_why why;
	pv_never_init(&never);
	pv_why_init(&why);
	pv_never_read(&never,
	    scratch_write(scratch, "never.txt",
		PV_STR("good.example\nhttps://bad.example/\n10.0.0.1/8\n"
		       "*\nalso good\nlast.example\n")),
	    &why);
	ok(why.problems.count == 4, "each line that is wrong is told (%zu)",
	    why.problems.count);
	for (unsigned i = 0; i < why.problems.kept_count; i++)
		ok(why.problems.kept[i].line == i + 2 &&
			why.problems.kept[i].text[0],
		    "line %u: %s", why.problems.kept[i].line,
		    why.problems.kept[i].text);
	ok(find(&never, "good.example", NULL) == 1 &&
		find(&never, "last.example", NULL) == 6,
	    "and the others hold all the same");
	pv_why_finish(&why);
	pv_never_finish(&never);
}

static void test_missing(struct scratch *scratch)
{
	struct pv_never never;
	struct pv_why why;
	pv_never_init(&never);
	pv_why_init(&why);
	pv_never_read(&never, scratch_path(scratch, "missing.txt"), &why);
	ok(!pv_why_has_problems(&why), "a list need not be there");
	ok(!find(&never, "example.org", "192.0.2.1"), "then nobody is named");
	pv_never_read(&never, scratch->dir, &why);
	ok(why.problems.count == 1, "a list that cannot be read is told");
	pv_why_finish(&why);
	pv_never_finish(&never);
}

int main(void)
{
	struct scratch scratch;
	if (!scratch_open(&scratch)) {
		perror("mkdtemp");
		return 1;
	}
	test_finding(&scratch);
	test_faults(&scratch);
	test_missing(&scratch);
	scratch_close(&scratch);
	return tap_done();
}
