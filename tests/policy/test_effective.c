#include "policy/effective.h"

#include <dirent.h>
#include <stdlib.h>

#include "policy/document/document.h"
#include "policy/loaded.h"
#include "policy/option.h"
#include "random.h"

/* P3: a crawl is continued by the policy that it was begun with, which is kept
 * as the effective policy: so reading that must give it back, all of it. */

static void test_defaults(void)
{
	struct loaded loaded = load_text("version: 1\n");
	struct pv_str text = effective_of(&loaded);
	ok(is_right(&loaded), "a policy of a version alone is right");
	ok(is_identity(&loaded), "defaults are read back as they were written");
	ok(pv_str_starts(text, PV_STR(PV_EFFECTIVE_MARK)),
	    "an effective policy says what it is");
	ok(has_text(text, "version: 1  # policy.yaml:1\n"),
	    "a value says in which line it stood");
	ok(has_text(text, "\npoliteness:\n  delay: 1s  # default\n"),
	    "a default says that it is one");
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const char *name = pv_option_name(
		    &pv_names_of_policy.options[i], &pv_names_of_policy);
		const char *dot = name ? strrchr(name, '.') : NULL;
		const char *key = dot ? dot + 1 : name;
		ok(!key || has_text(text, key), "the text has the key %s",
		    pv_names_of_policy.options[i].path);
	}
	loaded_finish(&loaded);
}

static void test_origins(void)
{
	struct loaded loaded = load_text(
	    PV_EFFECTIVE_MARK "\n"
			      "version: 1  # elsewhere.yaml:7\n"
			      "rate:\n"
			      "  max_rate: 7  # --set\n"
			      "  burst: 9\n"
			      "seeds:\n"
			      "  - http://localhost/  # list.yaml:3\n"
			      "  - {url: http://localhost/b, tag: x}  # c:4\n"
			      "scope:\n"
			      "  rules:\n"
			      "    - {deny: {ext: [zip]}}  # r.yaml:5\n"
			      "domains:\n"
			      "  a.example:\n"
			      "    delay: 2s  # --domain\n"
			      "  b.example: {}  # d.yaml:1\n");
	struct pv_str text = effective_of(&loaded);
	ok(is_right(&loaded), "an effective policy is right");
	ok(has_text(text, "version: 1  # elsewhere.yaml:7\n"),
	    "what a comment says of a value is kept");
	ok(has_text(text, "max_rate: 7  # --set\n"),
	    "so is that it came from the command line");
	ok(has_text(text, "burst: 9  # policy.yaml:5\n"),
	    "a value without a comment comes from where it stands");
	ok(has_text(text, "- http://localhost/  # list.yaml:3\n"),
	    "a seed keeps its origin");
	ok(has_text(text, "tag: x}  # c:4\n"), "a seed with keys does");
	ok(has_text(text, "- {deny: {ext: [zip]}}  # r.yaml:5\n"),
	    "a rule keeps its origin");
	ok(has_text(text, "delay: 2s  # --domain\n"),
	    "a host's key keeps its origin");
	ok(has_text(text, "b.example: {}  # d.yaml:1\n"),
	    "an empty entry keeps its origin");
	ok(is_identity(&loaded), "and all of it once more");
	loaded_finish(&loaded);
}

static void test_plain_comments(void)
{
	struct loaded loaded = load_text("version: 1  # default\n");
	ok(has_text(effective_of(&loaded), "version: 1  # policy.yaml:1\n"),
	    "in a policy that people wrote a comment is a comment");
	loaded_finish(&loaded);
}

/* A default that was written out is a default all the same. */
static void test_written_default(void)
{
	struct loaded loaded =
	    load_text("version: 1\nfetch: {timeout: {connect: 20m}}\n");
	ok(is_right(&loaded), "a time to connect beyond the whole's default is "
			      "nobody's contradiction");
	ok(is_identity(&loaded), "nor is it one when both are written out");
	loaded_finish(&loaded);
}

static void test_domains(void)
{
	struct loaded loaded = load_text(
	    "domains:\n"
	    "  docs.example.org: {delay: 200ms, delay_from: start, tls: "
	    "{verify: false}, robots: ignore}\n"
	    "  \"*.blogs.example\": {share: true, backoff: {max: 2d}}\n"
	    "  \"10.0.0.0/8\": {ip_delay: 0, robots: ignore}\n"
	    "  \"2001:db8::1\": {allowed_hours: [\"22:00-06:00\"]}\n"
	    "  empty.example: {}\n");
	struct pv_str text = effective_of(&loaded);
	ok(is_right(&loaded), "a domain table is right");
	ok(has_text(text, "  docs.example.org:\n    delay: 200ms"),
	    "an entry has a key a line");
	ok(is_identity(&loaded), "a domain table is read back");
	loaded_finish(&loaded);
}

static void test_output(void)
{
	static const struct {
		const char *policy;
		const char *part;
	} cases[] = {
	    {"version: 1\n", "\n  mirror:\n    rewrite: true"},
	    {"output: {}\n", "\n  mirror: none"},
	    {"output: {mirror: none}\n", "\n  mirror: none"},
	    {"output: {mirror: {}}\n", "\n  mirror:\n    rewrite: true"},
	    {"output: {mirror: {rewrite: false}}\n", "\n    rewrite: false"},
	    {"output: {min_free: 2GiB}\n", "\n    rewrite: true"},
	    {"output: {min_free: 2GiB, mirror: none}\n", "\n  mirror: none"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct loaded loaded = load_text(cases[i].policy);
		ok(has_text(effective_of(&loaded), cases[i].part),
		    "what is kept of case %zu is written out", i);
		ok(is_identity(&loaded), "and read back");
		loaded_finish(&loaded);
	}
}

static void test_command_line(void)
{
	static const struct pv_setting settings[] = {
	    {NULL, "rate.max_rate=5"},
	    {NULL, "scope.strip_query=[a, \"b*\"]"},
	    {NULL, "identity.contact=someone@host.example"},
	    {"docs.example.org", "delay=200ms"},
	    {"*.example.com", "share=true"},
	};
	static const char *const addresses[] = {"http://localhost/{1..3}"};
	struct pv_sources sources = {
	    .settings = settings,
	    .setting_count = sizeof(settings) / sizeof(*settings),
	    .addresses = addresses,
	    .address_count = 1,
	};
	struct loaded loaded = load_sources(&sources);
	struct pv_str text = effective_of(&loaded);
	ok(is_right(&loaded), "a policy of the command line alone is right");
	ok(has_text(text, "max_rate: 5  # --set\n"), "--set is an origin");
	ok(has_text(text, "delay: 200ms  # --domain\n"), "--domain is one");
	ok(has_text(text, "\"http://localhost/{1..3}\"  # the command line\n"),
	    "and so is an address of the command line");
	ok(is_identity(&loaded), "origins of the command line are read back");
	loaded_finish(&loaded);
}

/* Texts that are hard to write. */
static void test_texts(void)
{
	static const char *const policies[] = {
	    "fetch: {headers: {A: \"a: b # c\", B: \"\\\"q\\\" \\\\\"}}\n",
	    "fetch: {headers: {A: \"\\u00e9\\u4e2d\\U0001F600\"}}\n",
	    "fetch: {headers: {A: \"x\\uFFFEy\\uFFFF\"}}\n",
	    "fetch: {headers: {A: \"no\", B: \"1.5\", C: \"\", D: \"~\"}}\n",
	    "scope: {rules: [{deny: {url: \"\\x1b\\n\\t\\x85\\u2028\"}}]}\n",
	    "scope: {rules: [{deny: {url: '\\d+''s \"'}}]}\n",
	    "scope: {rules: [{deny: {url: \"\\uFEFFa\"}}]}\n",
	    "scope: {rules: [{deny: {url: \"y\"}}, {allow: {url: \"0x1F\"}}]}\n",
	    "seeds: [\"http://localhost/\\u0085 b\\n\"]\n",
	    "seeds: [\" http://localhost/{a,\\u2028}\\t\"]\n",
	    "scope: {strip_query: [\"true\", \"~\", \"a]b\", \"{\", \"#\"]}\n",
	    "scope: {rules: [{deny: {url: \"---\\n...\"}}]}\n",
	};
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		struct loaded loaded = load_text(policies[i]);
		ok(is_right(&loaded) && is_identity(&loaded),
		    "odd texts, case %zu, are read back", i);
		loaded_finish(&loaded);
	}
}

/* Line ends that only YAML knows must not turn a comment into keys. */
static void test_comment_breaks(void)
{
	static const char *const breaks[] = {
	    "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
	for (size_t i = 0; i < sizeof(breaks) / sizeof(*breaks); i++) {
		struct pv_buf text;
		pv_buf_init(&text, 1024);
		pv_buf_append_format(&text,
		    PV_EFFECTIVE_MARK "\nversion: 1  # a%sname: b\n",
		    breaks[i]);
		struct loaded loaded = load_str(pv_buf_str(&text));
		ok(pv_why_has_problems(&loaded.why) || is_identity(&loaded),
		    "an odd line break %zu in a comment does no harm", i);
		loaded_finish(&loaded);
		pv_buf_finish(&text);
	}
}

/* The policies that `pavane init` writes. */
static void test_files(void)
{
	const char *source = getenv("srcdir");
	struct dirent **entries;
	struct pv_buf path;
	pv_buf_init(&path, 4096);
	pv_buf_append_format(&path, "%s/policies", source ? source : ".");
	int count = scandir(pv_buf_text(&path), &entries, NULL, alphasort);
	size_t found = 0;
	for (int i = 0; i < count; i++) {
		struct pv_str name = pv_str_of(entries[i]->d_name);
		if (pv_str_ends(name, PV_STR(".yaml"))) {
			pv_buf_clear(&path);
			pv_buf_append_format(&path, "%s/policies/%s",
			    source ? source : ".", entries[i]->d_name);
			struct pv_sources sources = {
			    .file = pv_buf_text(&path)};
			struct loaded loaded = load_sources(&sources);
			ok(is_right(&loaded), "%.*s is right",
			    PV_STR_ARG(name));
			ok(is_identity(&loaded), "%.*s is read back",
			    PV_STR_ARG(name));
			loaded_finish(&loaded);
			found++;
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	pv_buf_finish(&path);
	ok(found > 0, "there are policies to begin with");
}

/* Every key of the table with a value that is not its default. */

static const struct {
	const char *name;
	const char *value;
} others[] = {
    {"name", "other"},
    {"seeds", "[http://localhost/x]"},
    {"identity.agent", "otherbot/2"},
    {"identity.contact", "mailto:a@b.example"},
    {"identity.from", "a@b.example"},
    {"rate.burst", "999999"},
    {"politeness.backoff.max", "300d"},
    {"politeness.allowed_hours", "[\"01:00-02:00\", \"22:00-24:00\"]"},
    {"politeness.timezone", "\"+03:30\""},
    {"domains", "{a.example: {delay: 9s}, \"*.b\": {share: true}}"},
    {"domains.*.headers", "{X-Key: k}"},
    {"domains.*.user", "\"anna:${WORD}\""},
    {"scope.hosts", "[a.example, \"*.b.example\"]"},
    {"scope.rules",
	"[{deny: {path: \"/x*\", ext: [.ZIP], host: \"*.a\", url: '^a'}}]"},
    {"scope.strip_query", "\"utm_*\""},
    {"scope.aliases", "{WWW.a.example: b.example, \"www.*\": \"*\"}"},
    {"scope.default_documents", "[index.html]"},
    {"fetch.accept", "[TEXT/html]"},
    {"fetch.headers", "{Accept-Language: en}"},
    {"fetch.proxy", "socks5://a:1"},
    {"fetch.tls.ca", "none"}, /* trusted certificates want tls.verify */
    {"fetch.resolve", "{\"*.test\": \"127.0.0.1:8080\"}"},
    {"fetch.name_servers", "[\"127.0.0.1:5353\", \"::1\"]"},
    {"pages", "{a: {match: {path: /b}, fields: {c: h1}}}"},
    {"output.fields.forms", "[csv, sqlite]"},
    {"output.mirror", "{rewrite: false}"},
};

static const char *written_other(const char *name)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (strcmp(others[i].name, name) == 0)
			return others[i].value;
	}
	return NULL;
}

/* Appends a value for an option that is not its preset. */
static void append_other(const struct pv_option *option, struct pv_buf *buf)
{
	const char *written = written_other(option->path);
	if (written) {
		pv_buf_append_text(buf, written);
	} else if (option->kind == &pv_kind_bool) {
		bool is_set = strcmp(option->preset, "true") == 0;
		pv_buf_append_text(buf, is_set ? "false" : "true");
	} else if (option->kind == &pv_kind_choice) {
		pv_buf_append_text(buf, option->choices[1]);
	} else if (option->kind == &pv_kind_number) {
		pv_buf_append_text(buf, "9.125");
	} else {
		int64_t number = option->most - (option->most > option->least);
		option->kind->write(option, &number, buf);
	}
}

static void test_every_key(void)
{
	size_t version = 0;
	struct pv_setting settings[256];
	struct pv_buf texts[256];
	size_t count = 0;
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		if (option->flags & PV_ONLY_IN_DOMAIN)
			continue;
		version += strcmp(option->path, "version") == 0;
		pv_buf_init(&texts[count], 1024);
		pv_buf_append_format(&texts[count], "%s=", option->path);
		append_other(option, &texts[count]);
		settings[count].host = NULL;
		settings[count].assignment = pv_buf_text(&texts[count]);
		count++;
	}
	struct pv_sources sources = {
	    .settings = settings, .setting_count = count};
	struct loaded loaded = load_sources(&sources);
	struct pv_str text = effective_of(&loaded);
	ok(version && is_right(&loaded), "a policy may set all %zu keys",
	    count);
	ok(!has_text(text, "  # default"), "then no default is left");
	ok(is_identity(&loaded), "and all of it is read back");
	loaded_finish(&loaded);
	for (size_t i = 0; i < count; i++)
		pv_buf_finish(&texts[i]);
}

/* Generated policies. */

static void append_random(
    struct random *random, const struct pv_option *option, struct pv_buf *buf)
{
	int64_t span = option->most - option->least;
	if (option->kind->size == sizeof(int64_t) && option->most > 0 &&
	    (option->kind == &pv_kind_count || option->kind == &pv_kind_time ||
		option->kind == &pv_kind_size ||
		option->kind == &pv_kind_share ||
		option->kind == &pv_kind_bandwidth)) {
		int64_t number = option->least;
		if (span > 0)
			number += (int64_t)(random_next(random) >>
					    random_below(random, 50)) &
				  INT64_MAX;
		if (number > option->most)
			number = option->least + number % (span + 1);
		option->kind->write(option, &number, buf);
	} else if (option->kind == &pv_kind_number) {
		double number = (double)random_below(random, 1000) / 1000;
		number += (double)option->least;
		option->kind->write(option, &number, buf);
	} else if (option->kind == &pv_kind_bool) {
		pv_buf_append_text(
		    buf, random_below(random, 2) ? "true" : "false");
	} else {
		append_other(option, buf);
	}
}

/* A key in three, an assignment a line. */
static void append_keys(
    struct random *random, const struct pv_names *names, struct pv_buf *buf)
{
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		const char *name = pv_option_name(option, names);
		bool is_left_out = !name || strcmp(name, "domains") == 0 ||
				   strcmp(name, "output.mirror") == 0 ||
				   strcmp(name, "share") == 0;
		if (is_left_out || random_below(random, 3))
			continue;
		pv_buf_append_format(buf, "%s=", name);
		append_random(random, option, buf);
		pv_buf_append_char(buf, '\n');
	}
}

/* Cuts lines into settings, those from `end` on for a host. */
static size_t cut_settings(
    struct pv_buf *text, size_t end, struct pv_setting *settings)
{
	size_t count = 0;
	for (size_t i = 0; i < text->len; i++) {
		settings[count].host = i < end ? NULL : "a.example";
		settings[count++].assignment = text->ptr + i;
		while (text->ptr[i] != '\n')
			i++;
		text->ptr[i] = '\0';
	}
	return count;
}

static void test_random_policies(void)
{
	struct random random = random_of(7);
	struct pv_setting settings[256];
	unsigned right = 0;
	unsigned same = 0;
	for (unsigned round = 0; round < 300; round++) {
		struct pv_buf text;
		pv_buf_init(&text, 1 << 20);
		append_keys(&random, &pv_names_of_policy, &text);
		size_t end = text.len;
		append_keys(&random, &pv_names_of_domain, &text);
		struct pv_sources sources = {
		    .settings = settings,
		    .setting_count = cut_settings(&text, end, settings),
		};
		struct loaded loaded = load_sources(&sources);
		if (!pv_why_has_problems(&loaded.why)) {
			right++;
			same += is_identity(&loaded);
		}
		loaded_finish(&loaded);
		pv_buf_finish(&text);
	}
	ok(right > 30, "of 300 policies by chance some (%u) are right", right);
	ok(same == right, "and all of those are read back");
}

int main(void)
{
	test_defaults();
	test_origins();
	test_plain_comments();
	test_written_default();
	test_domains();
	test_output();
	test_command_line();
	test_texts();
	test_comment_breaks();
	test_files();
	test_every_key();
	test_random_policies();
	return tap_done();
}
