#include "serve/config/config.h"

#include <sys/stat.h>

#include "policy/scratch.h"
#include "base/json/json.h"
#include "policy/policy.h"
#include "tap.h"

/* A configuration in a file of its own, with what was said of it. */
struct loaded {
	struct pv_service_config *config;
	struct pv_why why;
	struct pv_buf said; /* the problems, a line each */
	struct pv_buf effective;
};

static void tell(const struct pv_why *why, struct pv_buf *said)
{
	for (size_t i = 0; i < why->problems.kept_count; i++) {
		pv_problem_write(&why->problems.kept[i], said);
		pv_buf_append_char(said, '\n');
	}
}

static struct loaded load(const struct pv_config_sources *sources)
{
	struct loaded loaded;
	pv_why_init(&loaded.why);
	pv_buf_init(&loaded.said, 65536);
	pv_buf_init(&loaded.effective, 65536);
	loaded.config = pv_service_config_load(sources, &loaded.why);
	tell(&loaded.why, &loaded.said);
	pv_service_config_write_effective(loaded.config, &loaded.effective);
	return loaded;
}

static void finish(struct loaded *loaded)
{
	pv_service_config_destroy(loaded->config);
	pv_why_finish(&loaded->why);
	pv_buf_finish(&loaded->said);
	pv_buf_finish(&loaded->effective);
}

/* Problems name files as they were asked for: all are beside the test's. */
static void enter(struct scratch *scratch)
{
	if (!scratch_open(scratch) || chdir(scratch->dir) != 0)
		abort();
}

static void write_here(const char *name, const char *text)
{
	FILE *file = fopen(name, "wb");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		abort();
}

static struct loaded load_text(const char *text)
{
	write_here("s.yaml", text);
	return load(&(struct pv_config_sources){.file = "s.yaml"});
}

static bool has(struct pv_buf *text, const char *part)
{
	return strstr(pv_buf_text(text), part) != NULL;
}

/* Mistakes */

static const struct {
	const char *text;
	const char *sentence;
} mistakes[] = {
    {"", "s.yaml:1:1: this file is empty"},
    {"[1]", "s.yaml:1:1: expected a mapping of keys, such as directory: jobs, "
	    "found a list"},
    {"listen: 127.0.0.1:1\n",
	"s.yaml: directory: there is no place for the jobs: write, for "
	"example, directory: /var/lib/pavane"},
    {"directory: d\nlistn: x\n",
	"s.yaml:2:1: listn: unknown key: did you mean listen?"},
    {"directory: d\nfrobnicate: x\n",
	"s.yaml:2:1: frobnicate: unknown key: the known keys are directory, "
	"listen, tokens_file, hosts, trusted_proxies, profiles, jobs, rate, "
	"webhooks and private"},
    {"directory: d\nrunning: 3\n",
	"s.yaml:2:1: running: unknown key: did you mean jobs.running?"},
    {"directory: d\njobs: {runing: 3}\n",
	"s.yaml:2:8: jobs.runing: unknown key: did you mean jobs.running?"},
    {"directory: d\njobs.running: 3\n",
	"s.yaml:2:1: \"jobs.running\": in a file, each part of a key is nested in "
	"the part before it"},
    {"directory: d\njobs: 3\n",
	"s.yaml:2:7: jobs: expected a mapping of keys below this one, found "
	"3"},
    {"directory: d\njobs: {running: 0}\n",
	"s.yaml:2:17: jobs.running: expected a whole number from 1 to 1000, "
	"found 0"},
    {"directory: d\njobs: {keep: 30x}\n",
	"s.yaml:2:14: jobs.keep: expected a time from 1s to 3650d, such as "},
    {"directory: d\nrate: {max_rate: 0}\n",
	"s.yaml:2:18: rate.max_rate: expected a whole number from 1 to 1000000, "
	"or none, found 0: for no limit write none"},
    {"directory: d\nrate: {interval: none}\n",
	"s.yaml:2:18: rate.interval: expected a time from 1ms to 1d, such as "},
    {"directory: d\nrate: 20\n",
	"s.yaml:2:7: rate: expected a mapping of keys below this one, found "
	"20"},
    {"directory: [d]\n", "s.yaml:1:12: directory: expected the name of a "
			 "directory, found a list"},
    {"directory: none\n", "s.yaml:1:12: directory: expected the name of a "
			  "directory, found none"},
    {"directory: d\nlisten: localhost:7117\n",
	"s.yaml:2:9: listen: expected an IP address with a port, such as "
	"\"127.0.0.1:7117\" or \"[::1]:7117\", or \"unix:PATH\", found "
	"localhost:7117"},
    {"directory: d\nlisten: 0.0.0.0:7117\n",
	"s.yaml:2:9: listen: others can reach 0.0.0.0:7117: name a "
	"tokens_file, or listen on 127.0.0.1"},
    {"directory: d\nlisten: \"[2001:db8::1]:80\"\n",
	"s.yaml:2:9: listen: others can reach [2001:db8::1]:80: name a "
	"tokens_file, or listen on 127.0.0.1"},
    {"directory: d\ntokens_file: missing\n",
	"/missing cannot be read: No such file or directory"},
    {"directory: d\nhosts: [\"*.example.org\"]\n",
	"s.yaml:2:9: hosts: each name of the service is written out, without "
	"*"},
    {"directory: d\nhosts: [10.0.0.0/8]\n",
	"s.yaml:2:9: hosts: an address range is not a host"},
    {"directory: d\ntrusted_proxies: [proxy.example]\n",
	"s.yaml:2:19: trusted_proxies: expected an IP address or a range of "
	"them, such as \"10.0.0.0/8\", found proxy.example"},
    {"directory: d\ntrusted_proxies: [10.0.0.1/8]\n",
	"s.yaml:2:19: trusted_proxies: this range has bits beyond its prefix"},
    {"directory: d\nprofiles: {News: p.yaml}\n",
	"s.yaml:2:12: profiles.News: expected a name of at most 64 small "
	"letters, digits, - and _, such as news, found \"News\""},
    {"directory: d\nprofiles: {news: none.yaml}\n",
	"/none.yaml cannot be read: No such file or directory"},
    {"directory: d\nprivate: [\"10.0.0.0/99\"]\n", "s.yaml:2:11: private: "},
};

static void test_mistakes(void)
{
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		struct loaded loaded = load_text(mistakes[i].text);
		bool is_told = has(&loaded.said, mistakes[i].sentence) &&
			       loaded.why.problems.count == 1;
		ok(is_told, "told: %s", mistakes[i].sentence);
		if (!is_told)
			printf("# %s\n", pv_buf_text(&loaded.said));
		finish(&loaded);
	}
}

static void test_excerpt(void)
{
	struct loaded loaded =
	    load_text("directory: d\njobs: {runing: 3}\nlisten: no\n");
	ok(loaded.why.problems.count == 2, "all mistakes are told at once");
	is_text(pv_str_of(loaded.why.problems.kept[0].excerpt),
	    "    2 | jobs: {runing: 3}\n      |        ^",
	    "and each shows its line");
	finish(&loaded);
	loaded = load(&(struct pv_config_sources){.file = "absent.yaml"});
	ok(has(&loaded.said, "absent.yaml: cannot be read: "),
	    "so is a file that is not there");
	finish(&loaded);
	loaded = load(&(struct pv_config_sources){.file = NULL});
	ok(has(&loaded.said, "the command line: directory: there is no place"),
	    "without a file, the directory is missed on the command line");
	finish(&loaded);
}

/* Webhooks */

#define SECRET "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
#define OTHER "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define HOOK(keys) "directory: d\nwebhooks: {team: {" keys "}}\n"
#define URL_AND(keys) HOOK("url: \"https://example.org/in\", " keys)

static const struct {
	const char *text;
	const char *sentence;
} webhook_mistakes[] = {
    {"directory: d\nwebhooks: [x]\n",
	"s.yaml:2:11: webhooks: expected a mapping from names to a mapping such "
	"as {url: \"https://example.org/pavane\", secrets_file: secrets}, found a "
	"list"},
    {"directory: d\nwebhooks: {team: x}\n",
	"s.yaml:2:18: webhooks.team: expected a mapping such as {url: "},
    {"directory: d\nwebhooks: {Team: {}}\n",
	"s.yaml:2:12: webhooks.Team: expected a name of at most 64 small "
	"letters, digits, - and _, such as news, found \"Team\""},
    {HOOK("secrets: [" SECRET "]"),
	"s.yaml:2:12: webhooks.team: there is no url that deliveries are "
	"posted to"},
    {HOOK("url: ftp://example.org/"),
	"s.yaml:2:24: webhooks.team.url: expected an address such as "
	"\"https://example.org/pavane\", found ftp://example.org/"},
    {HOOK("url: \"https://u:p@example.org/\""),
	"webhooks.team.url: the address of a webhook has no login: deliveries "
	"are signed"},
    {HOOK("url: \"https://example.org/#in\""),
	"webhooks.team.url: no server is told what stands behind #"},
    {URL_AND("events: states"),
	"s.yaml:2:12: webhooks.team: there is no secret to sign deliveries "
	"with: name a secrets_file, with a line as `echo whsec_$(openssl rand "
	"-base64 32)` has"},
    {URL_AND("secrets: [whsec_abc]"),
	"webhooks.team.secrets: a secret is whsec_ and 24 to 64 bytes in base "
	"64, as `echo whsec_$(openssl rand -base64 32)` has"},
    {URL_AND("secrets: [MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw]"),
	"webhooks.team.secrets: a secret is whsec_ and 24 to 64 bytes"},
    {URL_AND("secrets: [" SECRET ", " SECRET ", " SECRET "]"),
	"webhooks.team.secrets: "},
    {URL_AND("secrets: [" SECRET "], event: rows"),
	"webhooks.team.event: unknown key: did you mean events?"},
    {URL_AND("secrets: [" SECRET "], events: [rows, pages]"),
	"webhooks.team.events: expected one or more of states, journal, "
	"rows or fetches, found pages"},
    {URL_AND("secrets: [" SECRET "], retry_for: 0s"),
	"webhooks.team.retry_for: expected a time from 1s to 365d, such as "},
    {URL_AND("secrets: [" SECRET "], allow: [\"10.0.0.0/99\"]"),
	"webhooks.team.allow: "},
    {URL_AND("secrets_file: none.txt"),
	"/none.txt cannot be read: No such file or directory"},
    {URL_AND("secrets: [" SECRET "], secrets_file: good.txt"),
	"webhooks.team: there are secrets and a secrets_file: leave one of "
	"them out"},
    {URL_AND("secrets_file: open.txt"),
	"others may read or change the file of secrets: run chmod 600 "},
    {URL_AND("secrets_file: empty.txt"),
	"/empty.txt: there is no secret in it"},
    {URL_AND("secrets_file: three.txt"),
	"/three.txt:3: there are more than two secrets"},
    {URL_AND("secrets_file: bad.txt"),
	"/bad.txt:2: a secret is whsec_ and 24 to 64 bytes in base 64"},
};

static void write_secrets(const char *name, const char *text, unsigned mode)
{
	write_here(name, text);
	if (chmod(name, mode) != 0)
		abort();
}

static void test_webhook_mistakes(void)
{
	write_secrets(
	    "good.txt", "# since May\n" SECRET "\n\n" OTHER "\n", 0600);
	write_secrets("open.txt", SECRET "\n", 0640);
	write_secrets("empty.txt", "# none\n", 0600);
	write_secrets("three.txt", SECRET "\n" SECRET "\n" SECRET "\n", 0600);
	write_secrets("bad.txt", "\nMfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", 0600);
	for (size_t i = 0;
	     i < sizeof(webhook_mistakes) / sizeof(*webhook_mistakes); i++) {
		struct loaded loaded = load_text(webhook_mistakes[i].text);
		bool is_told =
		    has(&loaded.said, webhook_mistakes[i].sentence) &&
		    loaded.why.problems.count == 1 &&
		    !has(&loaded.said, "MfKQ9r8G");
		ok(is_told, "told, and no secret: %s",
		    webhook_mistakes[i].sentence);
		if (!is_told)
			printf("# %s\n", pv_buf_text(&loaded.said));
		finish(&loaded);
	}
}

static void test_webhooks(void)
{
	struct loaded loaded = load_text(
	    "directory: d\nwebhooks:\n  team:\n    url: HTTPS://Example.org/in\n"
	    "    secrets: [" SECRET "]\n    events: [states, rows]\n"
	    "    retry_for: 2h\n    allow: [127.0.0.0/8]\n"
	    "  other: {url: \"http://a.test/\", secrets_file: good.txt}\n");
	const struct pv_service_config *config = loaded.config;
	const struct pv_webhook *team =
	    pv_service_config_webhook(config, PV_STR("team"));
	const struct pv_webhook *other =
	    pv_service_config_webhook(config, PV_STR("other"));
	if (!ok(!loaded.why.problems.count && team && other,
		"webhooks are found by their names")) {
		printf("# %s\n", pv_buf_text(&loaded.said));
		finish(&loaded);
		return;
	}
	ok(!pv_service_config_webhook(config, PV_STR("third")),
	    "and others are not");
	is_text(pv_str_of(team->url), "https://example.org/in",
	    "the address is canonical");
	ok(team->events == (PV_WEBHOOK_STATES | PV_WEBHOOK_ROWS) &&
		team->retry_for_ms == INT64_C(2) * 3600 * 1000 &&
		team->allow.count == 1 && team->secrets.count == 1,
	    "each key is read");
	ok(other->events == (PV_WEBHOOK_STATES | PV_WEBHOOK_JOURNAL |
				PV_WEBHOOK_ROWS | PV_WEBHOOK_FETCHES) &&
		other->retry_for_ms == INT64_C(3) * 24 * 3600 * 1000 &&
		!other->allow.count,
	    "or has its default: all events, tried for three days");
	ok(other->secrets.count == 2, "secrets come from a file");
	is_text(pv_str_of(other->secrets.items[1]), OTHER, "line by line");
	ok(has(&loaded.effective, "  team:\n    url: https://example.org/in"),
	    "the effective form has webhooks");
	ok(has(&loaded.effective, "    events: [states, rows]  # s.yaml:6") &&
		has(&loaded.effective, "    retry_for: 3d  # default") &&
		has(&loaded.effective, "/good.txt  # s.yaml:9"),
	    "with where each value comes from");
	ok(!has(&loaded.effective, "whsec_"), "but no secret");
	finish(&loaded);
}

/* Values */

static void test_defaults(void)
{
	struct loaded loaded = load_text("directory: d\n");
	const struct pv_service_config *config = loaded.config;
	char path[128];
	if (!getcwd(path, sizeof(path) - 2))
		abort();
	strcat(path, "/d");
	ok(!loaded.why.problems.count, "a directory is enough");
	is_text(
	    pv_str_of(config->directory), path, "which lies beside the file");
	is_text(pv_str_of(config->listen), "127.0.0.1:7117",
	    "the service answers this machine alone");
	ok(config->jobs.running == 8 && config->jobs.queued == 10000 &&
		config->jobs.per_token == PV_NONE &&
		config->jobs.keep_ms == INT64_C(30) * 24 * 3600 * 1000,
	    "jobs have limits");
	ok(config->rate.max_rate == PV_NONE && config->rate.interval_ms == 1000,
	    "but no rate that they share");
	ok(!config->tokens_file.path && !config->hosts.count &&
		!config->trusted_proxies.count && !config->private_hosts.count,
	    "and nothing else is there");
	finish(&loaded);
}

#define WHOLE                                                       \
	"directory: /var/lib/pavane\nlisten: 0.0.0.0:80\n"          \
	"tokens_file: tokens\nhosts: [Crawls.Example.org]\n"        \
	"trusted_proxies: [127.0.0.1, 10.0.0.0/8]\n"                \
	"profiles: {news: p.yaml}\n"                                \
	"jobs: {running: 2, queued: 3, per_token: 1, keep: none}\n" \
	"rate: {max_rate: 50, interval: 2s}\n"                      \
	"private: [127.0.0.0/8, intra.test]\n"

static void test_values(void)
{
	struct loaded loaded = load_text(WHOLE);
	const struct pv_service_config *config = loaded.config;
	ok(!loaded.why.problems.count, "all keys can be said");
	if (loaded.why.problems.count)
		printf("# %s\n", pv_buf_text(&loaded.said));
	ok(strstr(config->tokens_file.path, "/tokens") &&
		config->tokens_file.path[0] == '/',
	    "with tokens, others may reach it");
	is_text(pv_str_of(config->hosts.items[0]), "crawls.example.org",
	    "hosts are compared in small letters");
	ok(config->trusted_proxies.count == 2 &&
		config->private_hosts.count == 2 && config->jobs.running == 2 &&
		config->jobs.queued == 3 && config->jobs.per_token == 1 &&
		config->jobs.keep_ms == PV_NONE &&
		config->rate.max_rate == 50 && config->rate.interval_ms == 2000,
	    "each has its value");
	finish(&loaded);
	loaded = load_text("directory: d\nhosts: [\"::1\", \"[2001:DB8::1]\", "
			   "192.0.2.1]\n");
	config = loaded.config;
	ok(config->hosts.count == 3 &&
		strcmp(config->hosts.items[0], "[::1]") == 0 &&
		strcmp(config->hosts.items[1], "[2001:db8::1]") == 0 &&
		strcmp(config->hosts.items[2], "192.0.2.1") == 0,
	    "addresses among them are as requests have them");
	finish(&loaded);
	loaded = load_text("directory: d\nlisten: unix:s/p.socket\n");
	ok(pv_str_starts(pv_str_of(loaded.config->listen), PV_STR("unix:/")) &&
		pv_str_ends(
		    pv_str_of(loaded.config->listen), PV_STR("/s/p.socket")) &&
		!loaded.why.problems.count,
	    "a socket lies beside the file, too");
	finish(&loaded);
	char text[256] = "directory: d\nlisten: unix:/";
	memset(text + strlen(text), 'x', 107);
	loaded = load_text(text);
	ok(has(&loaded.said, "listen: the path of a socket has at most 107 "
			     "bytes; this one has 108: /xxx"),
	    "its path is not longer than a socket's can be");
	finish(&loaded);
}

static void test_credentials(void)
{
	static const char *const absolute[] = {"tokens_file=/etc/hostname"};
	struct pv_config_sources sources = {
	    .file = "s.yaml", .credentials_dir = "given"};
	write_here("s.yaml", "directory: d\ntokens_file: tokens\n");
	struct loaded loaded = load(&sources);
	ok(has(&loaded.said, "tokens_file: given/tokens cannot be "
			     "read: No such file"),
	    "where there are credentials, tokens are one of them");
	finish(&loaded);
	if (mkdir("given", 0700) != 0)
		abort();
	write_here("given/tokens", "");
	loaded = load(&sources);
	ok(!loaded.why.problems.count &&
		loaded.config->tokens_file.is_credential,
	    "which is found by its name");
	is_text(pv_str_of(loaded.config->tokens_file.path), "given/tokens",
	    "and not beside the file");
	finish(&loaded);
	sources.settings = absolute;
	sources.setting_count = 1;
	loaded = load(&sources);
	ok(!loaded.config->tokens_file.is_credential &&
		strcmp(loaded.config->tokens_file.path, "/etc/hostname") == 0,
	    "one that is named from the root lies there");
	finish(&loaded);
	remove("given/tokens");
	rmdir("given");
	sources = (struct pv_config_sources){.file = "s.yaml"};
	write_here("s.yaml", "directory: d\ntokens_file: .\n");
	loaded = load(&sources);
	ok(has(&loaded.said, "is not a regular file"),
	    "a directory has no tokens");
	finish(&loaded);
}

static void test_settings(void)
{
	static const char *const settings[] = {
	    "jobs.running=3", "directory=here", "private=[10.0.0.0/8]"};
	static const char *const wrong[] = {
	    "jobs.runing=3", "listen", "domains.a=b", "jobs.queued=-1"};
	write_here("s.yaml", "directory: d\njobs: {running: 2, queued: 5}\n");
	struct loaded loaded = load(&(struct pv_config_sources){
	    .file = "s.yaml", .settings = settings, .setting_count = 3});
	ok(!loaded.why.problems.count && loaded.config->jobs.running == 3 &&
		loaded.config->jobs.queued == 5 &&
		loaded.config->private_hosts.count == 1,
	    "a setting stands over the file");
	is_text(pv_str_of(loaded.config->directory), "here",
	    "its paths start from the working directory");
	finish(&loaded);
	loaded = load(&(struct pv_config_sources){
	    .file = "s.yaml", .settings = wrong, .setting_count = 4});
	ok(has(&loaded.said, "--set: jobs.runing: unknown key: did you mean "
			     "jobs.running?\n") &&
		has(&loaded.said,
		    "--set: expected KEY=VALUE, found listen\n") &&
		has(&loaded.said, "--set: domains.a: unknown key\n") &&
		has(&loaded.said, "--set: jobs.queued: expected"),
	    "and is told its mistakes");
	finish(&loaded);
}

static void test_effective(void)
{
	struct loaded loaded = load_text(WHOLE);
	ok(has(&loaded.effective, "\n  running: 2  # s.yaml:7\n") &&
		has(&loaded.effective, "\ndirectory: /var/lib/pavane  # "
				       "s.yaml:1\n"),
	    "each value tells where it comes from");
	write_here("e.yaml", pv_buf_text(&loaded.effective));
	struct loaded again =
	    load(&(struct pv_config_sources){.file = "e.yaml"});
	is_text(pv_buf_str(&again.effective), pv_buf_text(&loaded.effective),
	    "read again, it is the same");
	finish(&again);
	finish(&loaded);
	loaded = load_text("directory: d\n");
	ok(has(&loaded.effective,
	       "\nlisten: \"127.0.0.1:7117\"  # default\n") &&
		has(&loaded.effective, "\n  per_token: none  # default\n") &&
		has(&loaded.effective, "\nprofiles: {}  # default\n"),
	    "defaults are written out");
	finish(&loaded);
}

static void test_schema(void)
{
	struct pv_json *schema = pv_service_config_schema();
	const struct pv_json *keys = pv_json_get(schema, "properties");
	ok(keys && pv_json_get(keys, "listen") &&
		pv_json_get(
		    pv_json_get(pv_json_get(keys, "jobs"), "properties"),
		    "running") &&
		!pv_json_get(keys, "seeds"),
	    "the schema has the keys of the service, and no others");
	pv_json_destroy(schema);
}

static void test_reference(void)
{
	struct pv_buf text;
	pv_buf_init(&text, 65536);
	pv_service_config_write_reference(&text);
	ok(has(&text, "\n.B jobs.disk\n") &&
		has(&text, "; default 127.0.0.1:7117.\n") &&
		has(&text, "\n.B rate.max_rate\n") && !has(&text, "politeness"),
	    "the manual page has each key with its default");
	pv_buf_finish(&text);
}

/* Profiles */

static void test_profiles(void)
{
	struct loaded loaded = load_text("directory: d\n");
	const struct pv_profile *profile =
	    pv_service_config_profile(loaded.config, PV_STR("default"));
	ok(profile && !profile->file && profile->policy->rate.max_rate == 20,
	    "without profiles, jobs get the built-in defaults");
	finish(&loaded);
	loaded = load_text("directory: d\nprofiles: {news: p.yaml}\n");
	profile = pv_service_config_profile(loaded.config, PV_STR("news"));
	ok(profile && profile->policy->rate.max_rate == 3 &&
		!loaded.why.problems.count,
	    "a profile is a policy, and need not have seeds");
	profile = pv_service_config_profile(loaded.config, PV_STR("default"));
	ok(profile && profile->policy->rate.max_rate == 20,
	    "the built-in defaults are still there");
	ok(!pv_service_config_profile(loaded.config, PV_STR("other")),
	    "what has no file is no profile");
	finish(&loaded);
	loaded = load_text("directory: d\nprofiles: {default: p.yaml}\n");
	profile = pv_service_config_profile(loaded.config, PV_STR("default"));
	ok(profile && profile->file && profile->policy->rate.max_rate == 3,
	    "one called default takes their place");
	finish(&loaded);
}

static void test_wrong_profiles(void)
{
	write_here("wrong.yaml", "rate: {max_rat: 3}\n");
	struct loaded loaded =
	    load_text("directory: d\nprofiles: {a: p.yaml, b: wrong.yaml}\n");
	ok(loaded.why.problems.count == 1 &&
		has(&loaded.said, "/wrong.yaml:1:8: rate.max_rat: unknown key: "
				  "did you mean rate.max_rate?\n"),
	    "what is wrong with a profile is told of its file");
	is_text(pv_str_of(loaded.why.problems.kept[0].excerpt),
	    "    1 | rate: {max_rat: 3}\n      |        ^",
	    "of which the line is shown");
	finish(&loaded);
	write_here("wrong.yaml", "seeds: [{file: \"-\"}]\n");
	loaded = load_text("directory: d\nprofiles: {a: wrong.yaml}\n");
	ok(has(&loaded.said, "/wrong.yaml:1:9: seeds: the standard input "
			     "cannot be a seed here"),
	    "a profile does not read what the service is given");
	finish(&loaded);
	write_here("config.yaml", "rate: {max_rate: 7}\n");
	write_here("s.yaml", "directory: d\nprofiles: {a: p.yaml}\n");
	loaded = load(
	    &(struct pv_config_sources){.file = "s.yaml", .config_dir = "."});
	ok(loaded.config->profiles[0].policy->rate.max_rate == 7 &&
		loaded.config->profiles[1].policy->rate.max_rate == 3,
	    "profiles stand over the user's own configuration");
	finish(&loaded);
	write_here("config.yaml", "rate: {max_rat: 7}\n");
	loaded = load(
	    &(struct pv_config_sources){.file = "s.yaml", .config_dir = "."});
	ok(loaded.why.problems.count == 1,
	    "what is wrong with that is told once");
	finish(&loaded);
}

int main(void)
{
	struct scratch scratch;
	enter(&scratch);
	write_here("tokens", "");
	write_here("p.yaml", "rate: {max_rate: 3}\n");
	test_mistakes();
	test_webhook_mistakes();
	test_webhooks();
	test_excerpt();
	test_defaults();
	test_values();
	test_credentials();
	test_settings();
	test_effective();
	test_schema();
	test_reference();
	test_profiles();
	test_wrong_profiles();
	scratch_close(&scratch);
	return tap_done();
}
