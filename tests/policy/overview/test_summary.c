#include "policy/overview/summary.h"

#include "policy/loaded.h"
#include "policy/option.h"

static const struct {
	const char *policy;
	const char *part;
} summaries[] = {
    {"version: 1\n", "starts at    0 addresses\n"},
    {"seeds: [http://localhost/]\n", "starts at    1 address\n"},
    {"seeds: [\"http://localhost/{1..500}\", {sitemap: "
     "http://localhost/s}]\n",
	"starts at    500 addresses, 1 sitemap\n"},
    {"rate: {max_rate: 5, interval: 2s, concurrency: 3}\n",
	"at most      5 requests each 2s, 3 at a time\n"},
    {"politeness: {delay: 250ms, delay_from: start, connections: 2}\n",
	"rests 250ms between starts, up to 2 requests at the same time\n"},
    {"domains: {a.example: {}, b.example: {}}\n",
	"2 entries in the domain table"},
    {"identity: {agent: a/1, contact: a@b.example}\n",
	"User-Agent   a/1 (+a@b.example)\n"},
    {"fetch: {headers: {Accept-Language: en, X-Api-Key: s3cr3t}}\n",
	"sends        the header Accept-Language, X-Api-Key\n"},
    {"version: 1\n", "stores       a mirror, links rewritten\n"},
    {"output: {mirror: {rewrite: false}}\n", "stores       a mirror\n"},
    {"output: {}\n", "stores       the journal\n"},
    {"pages: {a: {fields: {t: h1}}}\n",
	"stores       the journal, and the rows of pages in fields/\n"},
};

static void test_summary(void)
{
	for (size_t i = 0; i < sizeof(summaries) / sizeof(*summaries); i++) {
		struct loaded loaded = load_text(summaries[i].policy);
		struct pv_buf text;
		pv_buf_init(&text, 65536);
		pv_summary_write(loaded.policy, &text);
		ok(is_right(&loaded) &&
			has_text(pv_buf_str(&text), summaries[i].part),
		    "a summary has case %zu", i);
		pv_buf_finish(&text);
		loaded_finish(&loaded);
	}
}

static const struct {
	const char *claim;
	const char *policy;
	const char *outlook;
} outlooks[] = {
    {"one address",
	"seeds: [\"http://localhost/a/?b#c\"]\n"
	"scope: {below: true, rules: [{deny: {path: /x}}]}\n",
	"  first        http://localhost/robots.txt\n"
	"               http://localhost/sitemap.xml, and the sitemaps that "
	"robots.txt names\n"
	"               http://localhost/a/?b\n"
	"  then         pages that these link to, on the same hosts, below their "
	"paths\n"
	"               their images, styles and scripts, also from other "
	"hosts\n"
	"  but not      what robots.txt forbids, and what 1 rule denies\n"},
    {"no guesses",
	"seeds: [\"http://localhost/a\"]\n"
	"scope: {sitemap_guess: false, requisites: false}\n",
	"  first        http://localhost/robots.txt\n"
	"               the sitemaps that robots.txt names\n"
	"               http://localhost/a\n"
	"  then         pages that these link to, on the same hosts\n"
	"  but not      what robots.txt forbids\n"},
    {"several hosts",
	"seeds: [\"http://localhost:1/\", \"http://localhost:1/a\", "
	"\"http://localhost:2/\"]\n"
	"scope: {sitemaps: false, requisites: false, depth: 1, hosts: site}\n"
	"limits: {pages: 9}\n",
	"  first        http://localhost:1/robots.txt\n"
	"               http://localhost:1/\n"
	"               http://localhost:1/a\n"
	"               http://localhost:2/robots.txt\n"
	"               http://localhost:2/\n"
	"  then         pages that these link to, on all hosts of the same "
	"sites, at most 1 link away\n"
	"  but not      what robots.txt forbids\n"
	"  no more than 9 pages\n"},
    {"a billion of them",
	"seeds: [\"http://localhost/{1..1000000000}\"]\n"
	"scope: {sitemaps: false, hosts: any, hops: 2}\n"
	"identity: {contact: a@b.example}\n",
	"  first        http://localhost/robots.txt\n"
	"               http://localhost/1\n"
	"               http://localhost/2\n"
	"               http://localhost/3\n"
	"               http://localhost/4\n"
	"               http://localhost/5\n"
	"               http://localhost/6\n"
	"               http://localhost/7\n"
	"               http://localhost/8\n"
	"               http://localhost/9\n"
	"               and so on\n"
	"  then         pages that these link to, on any host, and up to 2 pages "
	"beyond\n"
	"               their images, styles and scripts, also from other "
	"hosts\n"
	"  but not      what robots.txt forbids\n"},
};

static void test_outlook(void)
{
	for (size_t i = 0; i < sizeof(outlooks) / sizeof(*outlooks); i++) {
		struct loaded loaded = load_text(outlooks[i].policy);
		struct pv_buf text;
		pv_buf_init(&text, 65536);
		pv_outlook_write(loaded.policy, &text);
		ok(is_right(&loaded), "a policy is right");
		is_text(pv_buf_str(&text), outlooks[i].outlook, "%s",
		    outlooks[i].claim);
		pv_buf_finish(&text);
		loaded_finish(&loaded);
	}
}

/* P5: every ceiling can be looked up. */
static void test_limits(void)
{
	struct loaded loaded =
	    load_text("limits: {pages: 77}\nfetch: {max_size: none}\n");
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	pv_limits_write(loaded.policy, &text);
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		bool is_ceiling = (option->flags & PV_IS_CEILING) != 0;
		struct pv_buf line;
		pv_buf_init(&line, 256);
		pv_buf_append_format(&line, "\n%s ", option->path);
		ok(has_text(pv_buf_str(&text), pv_buf_text(&line)) ==
			is_ceiling,
		    "%s is %s ceiling", option->path,
		    is_ceiling ? "told, a" : "not told, no");
		pv_buf_finish(&line);
	}
	ok(has_text(pv_buf_str(&text), " 77  Stop after this many pages. "
				       "(policy.yaml:1)\n"),
	    "a ceiling has its value and its origin");
	ok(has_text(pv_buf_str(&text), " none  Larger bodies"),
	    "that there is none is told");
	ok(has_text(pv_buf_str(&text), "1048576  bytes of a policy's file"),
	    "what is built in is told too");
	pv_buf_finish(&text);
	loaded_finish(&loaded);
}

int main(void)
{
	test_summary();
	test_outlook();
	test_limits();
	return tap_done();
}
