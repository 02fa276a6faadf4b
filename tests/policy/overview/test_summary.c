#include "policy/overview/summary.h"

#include "policy/loaded.h"

static const struct {
	const char *policy;
	const char *part;
} summaries[] = {
    {"version: 1\n", "begins at    0 addresses\n"},
    {"seeds: [http://localhost/]\n", "begins at    1 address\n"},
    {"seeds: [\"http://localhost/{1..500}\", {sitemap: "
     "http://localhost/s}]\n",
	"begins at    500 addresses, 1 sitemap\n"},
    {"rate: {max_rate: 5, interval: 2s, concurrency: 3}\n",
	"at most      5 requests each 2s, 3 at a time\n"},
    {"politeness: {delay: 250ms, delay_from: start, connections: 2}\n",
	"rests 250ms between starts, up to 2 requests overlap\n"},
    {"domains: {a.example: {}, b.example: {}}\n", "2 in the domain table"},
    {"identity: {agent: a/1, contact: a@b.example}\n",
	"says it is   a/1 (+a@b.example)\n"},
    {"version: 1\n", "keeps        a mirror, links rewritten\n"},
    {"output: {mirror: {rewrite: false}}\n", "keeps        a mirror\n"},
    {"output: {}\n", "keeps        the journal\n"},
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

int main(void)
{
	test_summary();
	return tap_done();
}
