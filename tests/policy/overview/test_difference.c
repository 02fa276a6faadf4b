#include "policy/overview/difference.h"

#include "policy/loaded.h"

/* P4: what another policy changes is told key by key. */

static void append(void *ctx, const struct pv_difference *difference)
{
	pv_buf_append_format(ctx, "%s %.*s>%.*s;", difference->option->path,
	    PV_STR_ARG(difference->before), PV_STR_ARG(difference->after));
}

static const struct {
	const char *before;
	const char *after;
	const char *told;
	const char *claim;
} cases[] = {
    {"version: 1\n", "version: 1\n", "", "two defaults do not differ"},
    {"version: 1\nscope: {hops: 0}\n", "version: 1\n\n", "",
	"a default that is written out is no difference"},
    {"version: 1\nscope: {depth: 1}\n", "version: 1\nscope: {depth: none}\n",
	"scope.depth 1>none;", "a number is told with what it was"},
    {"version: 1\npoliteness: {delay: 1s}\n",
	"version: 1\npoliteness:\n  delay: 1000ms\n", "",
	"another unit is no difference"},
    {"version: 1\nscope: {rules: [{deny: {ext: [zip]}}]}\n",
	"version: 1\n\n\nscope: {rules: [{deny: {ext: [zip]}}]}\n", "",
	"nor is it in which line something stands"},
    {"version: 1\nscope: {rules: [{deny: {ext: [zip]}}]}\n",
	"version: 1\nscope: {rules: [{deny: {ext: [pdf]}}]}\n",
	"scope.rules >;", "of rules only that they differ is told"},
    {"version: 1\ndomains: {a.example: {delay: 2s}}\n",
	"version: 1\n\ndomains: {a.example: {delay: 2s}}\n", "",
	"a domain is the same wherever it stands"},
    {"version: 1\ndomains: {a.example: {delay: 2s}}\n",
	"version: 1\ndomains: {a.example: {delay: 3s}}\n", "domains >;",
	"of domains only that they differ is told"},
    {"version: 1\nseeds: ['http://localhost/#a']\n",
	"version: 1\nseeds: ['http://localhost/#b']\n", "seeds >;",
	"a value with a number sign is compared as a whole"},
    {"version: 1\noutput: {}\n", "version: 1\n", "output.mirror none>there;",
	"a section that is switched on is told"},
    {"version: 1\nfetch: {headers: {Accept-Language: en}}\n",
	"version: 1\nfetch: {headers: {Authorization: hush}}\n",
	"fetch.headers >;", "what may be a secret is not told"},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct loaded before = load_text(cases[i].before);
		struct loaded after = load_text(cases[i].after);
		struct pv_buf told;
		pv_buf_init(&told, 4096);
		pv_policy_compare(before.policy, after.policy, append, &told);
		if (!ok(strcmp(pv_buf_text(&told), cases[i].told) == 0, "%s",
			cases[i].claim))
			printf("# %s\n", pv_buf_text(&told));
		pv_buf_finish(&told);
		loaded_finish(&before);
		loaded_finish(&after);
	}
	return tap_done();
}
