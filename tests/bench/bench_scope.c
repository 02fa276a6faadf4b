#include "scope/scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "policy/sources/load.h"
#include "url/crawl_identity.h"

/* What a verdict costs: in nanoseconds, and as a part of what joining the link
 * to its page has cost before. */

#define CEILING 2000
#define ROUNDS 100000
#define TURNS 20
#define TODAY INT64_C(1760000000000)

static const struct pv_str links[] = {
    PV_STR("https://docs.example.org/en/java/javase/21/docs/api/java.base/"
	   "java/util/ArrayList.html"),
    PV_STR("https://docs.example.org/en/java/javase/21/"),
    PV_STR("https://docs.example.org/search?q=array+list&utm_source=x&page=2"),
    PV_STR("https://docs.example.org/static/js/app.js"),
    PV_STR("https://www.example.org/technetwork/java/index.html"),
    PV_STR("https://en.wikipedia.org/wiki/Java_(software)"),
    PV_STR("https://docs.example.org/download/jdk-21.tar.gz"),
    PV_STR("https://fonts.example.com/css?family=Sans:400,700"),
};

#define LINKS (sizeof(links) / sizeof(*links))

static const struct {
	const char *name;
	const char *scope;
} kinds[] = {
    {"defaults", "{}"},
    {"site", "{hosts: site}"},
    {"a list", "{hosts: [docs.example.org, \"*.example.com\"]}"},
    {"below", "{below: true}"},
    {"rules", "{rules: [{deny: {path: \"/logout*\"}}, "
	      "{deny: {path: \"*/print/*\"}}, "
	      "{deny: {ext: [zip, pdf, iso, gz, exe, dmg]}}, "
	      "{deny: {host: \"*.wikipedia.org\"}}], depth: 20}"},
    {"a pattern", "{rules: [{deny: {url: '[?&]print=1'}}]}"},
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))

static double now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static struct pv_policy *load(const char *scope)
{
	struct pv_why why;
	struct pv_buf text;
	pv_why_init(&why);
	pv_buf_init(&text, 65536);
	pv_buf_append_format(&text,
	    "version: 1\nidentity: {contact: bot@example.org}\n"
	    "seeds: [https://docs.example.org/en/java/]\nscope: %s\n",
	    scope);
	struct pv_policy *policy =
	    pv_policy_load_text("bench.yaml", pv_buf_str(&text), &why);
	if (pv_why_has_problems(&why))
		abort();
	pv_buf_finish(&text);
	pv_why_finish(&why);
	return policy;
}

static double measure_verdicts(
    const char *scope_text, const struct pv_url *urls, unsigned *admitted)
{
	struct pv_policy *policy = load(scope_text);
	struct pv_scope *scope = pv_scope_create(policy);
	pv_scope_add_seeds(scope);
	double start = now_ns();
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < LINKS; i++) {
			struct pv_scope_link link = {
			    .url = &urls[i], .depth = 1, .wall_ms = TODAY};
			struct pv_scope_verdict verdict =
			    pv_scope_judge(scope, &link);
			*admitted += pv_scope_is_admitted(&verdict);
		}
	}
	double cost = (now_ns() - start) / (ROUNDS * LINKS);
	pv_scope_destroy(scope);
	pv_policy_destroy(policy);
	return cost;
}

/* Joining, and with an identity also what that adds. */
static double measure_joining(const struct pv_crawl_identity *identity,
    const struct pv_url *base, struct pv_url *url)
{
	double start = now_ns();
	for (unsigned round = 0; round < ROUNDS / TURNS; round++) {
		for (size_t i = 0; i < LINKS; i++) {
			pv_url_join(url, base, links[i], NULL);
			if (identity)
				pv_crawl_identity_apply(identity, url);
		}
	}
	return (now_ns() - start) / (ROUNDS / TURNS * LINKS);
}

/* The quickest of some turns, without an identity and with one in turn: what
 * an identity costs is less than what a busy machine adds. */
static void measure_identity(
    const struct pv_url *base, double *joining, double *both)
{
	static const char *const stripped[] = {"utm_*", "sessionid"};
	struct pv_url url;
	struct pv_crawl_identity identity;
	pv_url_init(&url, CEILING);
	pv_crawl_identity_init(&identity);
	identity.stripped = pv_crawl_identity_names(&identity, stripped, 2);
	for (int turn = 0; turn < TURNS; turn++) {
		double one = measure_joining(NULL, base, &url);
		double two = measure_joining(&identity, base, &url);
		*joining = turn && *joining < one ? *joining : one;
		*both = turn && *both < two ? *both : two;
	}
	pv_crawl_identity_finish(&identity);
	pv_url_finish(&url);
}

int main(void)
{
	struct pv_url urls[LINKS];
	double joining = 0, both = 0;
	unsigned admitted = 0;
	for (size_t i = 0; i < LINKS; i++) {
		pv_url_init(&urls[i], CEILING);
		pv_url_parse(&urls[i], links[i]);
	}
	measure_identity(&urls[0], &joining, &both);
	for (size_t i = 0; i < KINDS; i++) {
		double cost = measure_verdicts(kinds[i].scope, urls, &admitted);
		printf("scope: verdict, %s: %.0f ns, %.2f times joining\n",
		    kinds[i].name, cost, cost / joining);
	}
	printf("scope: identity: %.0f ns, %.2f times joining (%u admitted)\n",
	    both - joining, (both - joining) / joining, admitted);
	for (size_t i = 0; i < LINKS; i++)
		pv_url_finish(&urls[i]);
	return 0;
}
