#include "policy/checks/guest_check.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "policy/sources/load.h"
#include "scratch.h"
#include "tap.h"

/* Policies that strangers hand in, over one of the owner's. */

#define OWNER                                                         \
	"version: 1\n"                                                \
	"identity: {contact: bot@example.org}\n"                      \
	"rate: {max_rate: 10}\n"                                      \
	"politeness: {delay: 2s, allowed_hours: [\"22:00-06:00\"]}\n" \
	"limits: {pages: 1000}\n"                                     \
	"domains:\n"                                                  \
	"  slow.test: {delay: 60s}\n"                                 \
	"  \"*.blogs.test\": {delay: 30s}\n"                          \
	"  \"192.0.2.0/24\": {ip_delay: 5s}\n"

struct handed {
	const char *policy;
	const char *problem; /* a part of its sentence; NULL: it is right */
	const char *claim;
};

static const struct handed cases[] = {
    {"seeds: [\"https://a.test/\"]\n", NULL, "addresses are free"},
    {"scope: {hosts: any, depth: 3}\n", NULL, "what is crawled is free"},
    {"politeness: {delay: 5s}\n", NULL, "a longer delay is taken"},
    {"politeness: {delay: 2s}\n", NULL, "and the owner's own"},
    {"politeness: {delay: 1s}\n",
	"policy:1:21: politeness.delay: 1s is laxer than 2s",
	"P1: a shorter one is not"},
    {"rate: {max_rate: 5}\n", NULL, "a lower rate is taken"},
    {"rate: {max_rate: 11}\n", "11 is laxer than 10", "P1: a higher is not"},
    {"rate: {burst: 11}\n", "11 is laxer than 10",
	"nor a larger burst than the owner's rate gives"},
    {"rate: {interval: 500ms}\n", "500ms is laxer than 1s",
	"nor a shorter interval"},
    {"limits: {pages: 999}\n", NULL, "a lower limit is taken"},
    {"limits: {pages: none}\n", "none is laxer than 1000",
	"P5: none is the highest"},
    {"limits: {bytes: 1MiB}\n", NULL, "a limit where the owner has none"},
    {"politeness: {delay_from: start}\n", "start is laxer than end",
	"of words one is laxer"},
    {"robots: {nofollow: false}\n", "false is laxer than true",
	"of yes and no, too"},
    {"politeness: {allowed_hours: [\"22:00-06:00\"]}\n", NULL,
	"the same hours are taken"},
    {"politeness: {allowed_hours: []}\n", "is laxer than",
	"other hours are not"},
    {"identity: {agent: me/1.0}\n", "not allowed in a policy that is handed in",
	"P7: who asks is the owner's to say"},
    {"fetch: {proxy: \"http://p.test:1\"}\n", "not allowed in a policy",
	"so are proxies"},
    {"fetch: {private: all}\n", "not allowed in a policy",
	"P7: private networks"},
    {"fetch: {resolve: {a.test: 127.0.0.1}}\n", "not allowed in a policy",
	"where names are found"},
    {"fetch: {tls: {verify: false}}\n", "not allowed in a policy", "TLS"},
    {"fetch: {tls: {ca: /etc/passwd}}\n", "not allowed in a policy",
	"and files"},
    {"output: {mirror: {}}\n", "not allowed in a policy", "and output"},
    {"seeds: [{file: /etc/passwd}]\n", "may not name files",
	"seeds come from no file"},
    {"seeds: [{file: \"-\"}]\n", "may not name files",
	"nor from the standard input"},
    {"domains: {a.test: {delay: 2s}}\n", NULL, "a host has manners"},
    {"domains: {a.test: {delay: 1s}}\n", "1s is laxer than 2s",
	"P1: no laxer ones"},
    {"domains: {slow.test: {delay: 50s}}\n", "50s is laxer than 1m",
	"P1: than the owner's for that host"},
    {"domains: {slow.test: {delay: 70s}}\n", NULL, "stricter ones are taken"},
    {"domains: {x.blogs.test: {delay: 20s}}\n", "20s is laxer than 30s",
	"P1: than the owner's for hosts like it"},
    {"domains: {\"*.x.blogs.test\": {delay: 20s}}\n", "20s is laxer than 30s",
	"P1: be it for several"},
    {"domains: {\"*.test\": {delay: 3s}}\n", NULL,
	"for more hosts than the owner named the owner's entry holds"},
    {"domains: {a.test: {ip_delay: 1s}}\n", "1s is laxer than 5s",
	"P1: nor than for any range of addresses"},
    {"domains: {\"198.51.100.0/24\": {delay: 9s}}\n",
	"ranges of addresses are the owner's", "ranges are not taken"},
    {"domains: {a.test: {robots: ignore}}\n", "not allowed in a policy",
	"P7: robots.txt is heeded"},
    {"domains: {a.test: {user: \"a:b\"}}\n", "not allowed in a policy",
	"a login is the owner's"},
    {"rate: {max_rat: 5}\n", "did you mean rate.max_rate",
	"a mistake is told as in any policy"},
};

static struct pv_policy *owner_of(void)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_policy *owner = pv_policy_load_text("owner.yaml",
	    PV_STR(OWNER "seeds: [\"https://own.test/\"]\n"), &why);
	ok(!pv_why_has_problems(&why), "the owner's policy is right");
	pv_why_finish(&why);
	return owner;
}

static struct pv_policy *load(const char *file, const struct pv_policy *owner,
    const char *policy, struct pv_why *why)
{
	static const char *const addresses[] = {"https://x.test/"};
	const struct pv_sources sources = {
	    .file = file,
	    .owner = owner,
	    .handed_in = pv_str_of(policy),
	    .addresses = addresses,
	    .address_count = 1,
	};
	return pv_policy_load(&sources, why);
}

static void test_case(const char *file, const struct pv_policy *owner,
    const struct handed *handed)
{
	struct pv_why why;
	struct pv_buf text;
	pv_why_init(&why);
	pv_buf_init(&text, 10000);
	pv_policy_destroy(load(file, owner, handed->policy, &why));
	if (pv_why_has_problems(&why))
		pv_problem_write(&why.problems.kept[0], &text);
	bool is_right = handed->problem ? strstr(pv_buf_text(&text),
					      handed->problem) != NULL
					: !text.len;
	if (!ok(is_right, "%s", handed->claim))
		printf("# %s: %s\n", handed->policy, pv_buf_text(&text));
	pv_buf_finish(&text);
	pv_why_finish(&why);
}

static void test_settings(const char *file, const struct pv_policy *owner)
{
	static const struct pv_setting settings[] = {
	    {NULL, "politeness.delay=1s"}};
	struct pv_why why;
	pv_why_init(&why);
	const struct pv_sources sources = {.file = file,
	    .owner = owner,
	    .settings = settings,
	    .setting_count = 1};
	pv_policy_destroy(pv_policy_load(&sources, &why));
	ok(why.problems.count == 1, "P1: a setting is no laxer either");
	pv_why_finish(&why);
}

static void test_seeds(const char *file, const struct pv_policy *owner)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_policy *policy = load(file, owner, "", &why);
	ok(policy->seeds.count == 1 &&
		strcmp(policy->seeds.items[0].text, "https://x.test/") == 0,
	    "addresses that are handed in take the place of the owner's");
	ok(policy->rate.max_rate == 10 && policy->manners.delay_ms == 2000,
	    "and all else is the owner's");
	pv_policy_destroy(policy);
	pv_why_finish(&why);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	char file[300];
	snprintf(
	    file, sizeof(file), "%s", scratch_file(&scratch, "owner.yaml"));
	pv_file_replace(file, PV_STR(OWNER), 0600);
	struct pv_policy *owner = owner_of();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		test_case(file, owner, &cases[i]);
	test_settings(file, owner);
	test_seeds(file, owner);
	pv_policy_destroy(owner);
	scratch_remove(&scratch);
	return tap_done();
}
