#include "fleet/agreement.h"

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
	ok(why.problems.count == 1 &&
		strcmp(why.problems.kept[0].key, "scope.depth") == 0,
	    "but not another scope, by which all would be judged again");
	pv_why_finish(&why);
}

int main(void)
{
	test_same();
	test_others();
	test_nobody();
	return tap_done();
}
