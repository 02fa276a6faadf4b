#include "fleet/joining/agreement.h"

#include "tap.h"

/* Two policies of one fleet. */

#define HEAD                                                              \
	"version: 1\nname: shared\nidentity: {contact: me@example.org}\n" \
	"seeds: [http://example.org/]\noutput: {}\n"

static struct pv_why check(
    const char *theirs, const char *ours, bool has_others)
{
	struct pv_why why;
	pv_why_init(&why);
	pv_agreement_check(pv_str_of(theirs), pv_str_of(ours), has_others,
	    (struct pv_place){.file = "postgresql:///crawls"}, &why);
	return why;
}

static void test_same(void)
{
	struct pv_why why = check(HEAD, HEAD "# a remark\n", true);
	ok(!pv_why_has_problems(&why),
	    "who says the same in other words may join");
	ok(pv_agreement_is_same(PV_STR(HEAD), PV_STR(HEAD "# a remark\n")),
	    "and nothing is to be written anew");
	pv_why_finish(&why);
}

static void test_others(void)
{
	const char *ours = HEAD "rate: {max_rate: 7}\nscope: {depth: 3}\n";
	struct pv_why why = check(HEAD "rate: {max_rate: 5}\n", ours, true);
	ok(why.problems.count >= 2, "while a worker lives each key is refused");
	bool has_rate = false, has_scope = false;
	for (size_t i = 0; i < why.problems.kept_count; i++) {
		const struct pv_problem *problem = &why.problems.kept[i];
		has_rate |= strcmp(problem->key, "rate.max_rate") == 0 &&
			    strstr(problem->text, "has 5") &&
			    strstr(problem->text, "policy 7");
		has_scope |= strcmp(problem->key, "scope.depth") == 0;
	}
	ok(has_rate, "with its name and both values");
	ok(has_scope, "and so is the second one");
	pv_why_finish(&why);
}

static void test_nobody(void)
{
	struct pv_why why = check(HEAD, HEAD "rate: {max_rate: 7}\n", false);
	ok(!pv_why_has_problems(&why),
	    "where nobody lives another pace may take its place");
	ok(!pv_agreement_is_same(
	       PV_STR(HEAD), PV_STR(HEAD "rate: {max_rate: 7}\n")),
	    "and it is another policy");
	pv_why_finish(&why);
	why = check(HEAD, HEAD "scope: {depth: 3}\n", false);
	ok(!pv_why_has_problems(&why), "and another scope");
	pv_why_finish(&why);
}

static bool decides(const char *theirs, const char *ours)
{
	struct pv_why why;
	pv_why_init(&why);
	bool decides = pv_agreement_check(pv_str_of(theirs), pv_str_of(ours),
	    false, (struct pv_place){.file = "fleet"}, &why);
	pv_why_finish(&why);
	return decides;
}

static void test_deciding(void)
{
	ok(decides(HEAD, HEAD "scope: {depth: 3}\n"),
	    "another scope decides about what is known");
	ok(decides(HEAD, HEAD "robots: {nofollow: false}\n"),
	    "and so may what robots say");
	ok(!decides(HEAD, HEAD "rate: {max_rate: 7}\n"),
	    "another pace does not");
}

#define DOMAINS HEAD "domains:\n  \"*.blogs.example\": "

static void test_clocks(void)
{
	static const struct {
		const char *theirs, *ours;
		bool may;
		const char *claim;
	} cases[] = {
	    {DOMAINS "{delay: 2s, share: true}\n",
		DOMAINS "{delay: 5s, share: true}\n", true,
		"hosts that share a clock may get another delay"},
	    {DOMAINS "{delay: 2s}\n", DOMAINS "{delay: 2s, share: true}\n",
		false, "but clocks are not joined"},
	    {DOMAINS "{share: true}\n",
		DOMAINS "{share: true}\n  own.blogs.example: {delay: 3s}\n",
		true, "and one of them a delay of its own"},
	    {HEAD, DOMAINS "{share: true}\n", false,
		"nor by a pattern that is new"},
	    {DOMAINS "{share: true}\n", HEAD, false, "nor parted"},
	    {HEAD,
		HEAD
		"pages: {item: {match: {path: \"/*\"}, fields: {t: h1}}}\n",
		false, "and kinds of pages stay as they are"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_why why =
		    check(cases[i].theirs, cases[i].ours, false);
		ok(pv_why_has_problems(&why) != cases[i].may, "%s",
		    cases[i].claim);
		pv_why_finish(&why);
	}
}

int main(void)
{
	test_same();
	test_others();
	test_nobody();
	test_deciding();
	test_clocks();
	return tap_done();
}
