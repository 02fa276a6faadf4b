#include "cli/foreign/command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/foreign/policy_text.h"
#include "pavane/pavane.h"
#include "scratch.h"
#include "tap.h"

/* What commands of other tools come to, and that it is a policy. */

#define HEAD "version: 1\nseeds:\n  - 'http://localhost/'\n"

static char *text_of(const struct pv_translation *translation)
{
	char *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);
	pv_policy_text_write(translation, file);
	fclose(file);
	return text;
}

/* NULL if the command cannot be read. */
static char *policy_from(const char *command)
{
	struct pv_translation translation;
	pv_translation_init(&translation);
	char *text = pv_foreign_command_read(&translation, &command, 1)
			 ? text_of(&translation)
			 : NULL;
	pv_translation_finish(&translation);
	return text;
}

static bool is_policy(struct scratch *scratch, const char *text)
{
	const char *path = scratch_file(scratch, "policy.yaml");
	struct pavane_problem problem = PAVANE_INIT(struct pavane_problem);
	FILE *file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
	const struct pavane_sources sources = {
	    .size = sizeof(struct pavane_sources), .file = path};
	struct pavane_policy *policy = pavane_policy_load(&sources);
	bool is_right = pavane_policy_problem_count(policy) == 0;
	if (pavane_policy_problem(policy, 0, &problem))
		printf("# %s\n", problem.sentence);
	pavane_policy_destroy(policy);
	return is_right;
}

static const struct {
	const char *command;
	const char *text; /* behind the seed */
} cases[] = {
    {"wget http://localhost/", ""},
    {"/usr/bin/wget2 -w 2 http://localhost/",
	"politeness:\n  delay: 2000ms  # -w 2\n"},
    {"wget -np -l3 --wait=1.5 http://localhost/",
	"politeness:\n  delay: 1500ms  # --wait 1.5\n"
	"scope:\n  below: true  # -np\n  depth: 3  # -l 3\n"},
    {"wget -w 2m --waitretry 1h http://localhost/",
	"politeness:\n  backoff:\n    failure: 3600000ms  # --waitretry 1h\n"
	"  delay: 120000ms  # -w 2m\n"},
    {"wget -l inf -t 0 http://localhost/",
	"scope:\n  depth: none  # -l inf\nfetch:\n  retries: 100  # -t 0\n"},
    {"wget -rpk http://localhost/",
	"scope:\n  requisites: true  # -p\n"
	"output:\n  mirror:\n    rewrite: true  # -k\n"
	"# So anyway:\n#   -r: links are followed\n"},
    {"wget -R '*.zip,iso' -X /a/,b -R gz http://localhost/",
	"scope:\n  rules: [{deny: {ext: [\"zip\", \"iso\"]}}, "
	"{deny: {path: \"/a/*\"}}, {deny: {path: \"/b/*\"}}, "
	"{deny: {ext: [\"gz\"]}}]  # -R *.zip,iso, -X /a/,b, -R gz\n"},
    {"wget -R 'draft*' http://localhost/",
	"# Not so here:\n#   -R draft*: its argument is none that has a "
	"meaning here\n"},
    {"curl -uanna:word --proxy-user anna:word --oauth2-bearer=word "
     "http://localhost/",
	"# Not so here:\n#   -u: write name and password into the address, "
	"https://name:password@host/, or leave the password to a variable: "
	"--domain HOST 'user=NAME:${PASSWORD}'\n#   --proxy-user: it belongs "
	"to the proxy's address: --set "
	"'fetch.proxy=http://${LOGIN}@HOST:PORT'\n#   --oauth2-bearer: put it "
	"into a variable and name the hosts that may have it: --domain HOST "
	"'user=bearer ${TOKEN}'\n"},
    {"wget -w soon http://localhost/",
	"# Not so here:\n#   -w soon: its argument is none that has a meaning "
	"here\n"},
    {"wget --header 'A: \"b\"' --header=C:d\\ e http://localhost/",
	"fetch:\n  headers: {\"A\": \"\\\"b\\\"\", \"C\": \"d e\"}"
	"  # --header A: \"b\", --header C:d e\n"},
    {"wget --limit-rate=200k --limit-rate 1M http://localhost/",
	"rate:\n  bandwidth: 1048576B/s  # --limit-rate 200k, --limit-rate "
	"1M\n"},
    {"wget -H -D localhost,a.localhost http://localhost/",
	"scope:\n  hosts: [\"localhost\", \"a.localhost\"]"
	"  # -H, -D localhost,a.localhost\n"},
    {"wget --zork 3 http://localhost/",
	"  - 'http://localhost/'\n# Not so here:\n#   --zork: pavane knows no "
	"such option: if another word belongs to it, that was taken for an "
	"address\n"},
    {"wget http://localhost/ -w",
	"# Not so here:\n#   -w: its argument is missing\n"},
    {"curl -L -k -m 5 http://localhost/",
	"fetch:\n  timeout:\n    total: 5000ms  # -m 5\n"
	"  tls:\n    verify: false  # -k\n"
	"# So anyway:\n#   -L: redirects are followed\n"},
    {"httrack http://localhost/ -r5 -%c2 -A25000 -*.zip +*.png -O /x",
	"rate:\n  bandwidth: 25000B/s  # -A25000\n  max_rate: 2  # -%c2\n"
	"scope:\n  depth: 5  # -r5\n"
	"  rules: [{deny: {ext: [\"zip\"]}}]  # -*.zip\n"
	"# Not so here:\n#   +*.png: a rule says so: scope.rules: [{allow: "
	"{...}}]\n# The directory is an option: -o /x\n"},
};

static void test_cases(struct scratch *scratch)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = policy_from(cases[i].command);
		bool is_seed_odd = strstr(cases[i].command, "zork");
		is_text(
		    pv_str_of(text ? text + (is_seed_odd ? strlen("version: 1\n"
								  "seeds:\n"
								  "  - '3'\n")
							 : strlen(HEAD))
				   : ""),
		    cases[i].text, "%s", cases[i].command);
		if (!is_seed_odd)
			ok(text && is_policy(scratch, text),
			    "and that is a policy");
		free(text);
	}
}

static void test_refused(void)
{
	static const char *const commands[] = {"", "  ", "aria2c x", "wget 'x",
	    "wget \"x", "wget $HOME", "wget \"`id`\"", "wget a; wget b",
	    "wget a >b"};
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		char *text = policy_from(commands[i]);
		ok(!text, "refused: %s", commands[i]);
		free(text);
	}
}

/* Each option of the table, with an argument as it may be. */

static const char *argument_of(const struct pv_foreign_option *option)
{
	static const char *const arguments[] = {
	    [PV_VALUE_AS_IS] = "3",
	    [PV_VALUE_SECONDS] = "2.5",
	    [PV_VALUE_RATE] = "200k",
	    [PV_VALUE_SIZE] = "5m",
	    [PV_VALUE_DEPTH] = "4",
	    [PV_VALUE_TRIES] = "3",
	    [PV_VALUE_HEADER] = "X-A: b: c",
	    [PV_VALUE_HOSTS] = "localhost,a.localhost",
	    [PV_VALUE_ENDINGS] = "zip,*.iso",
	    [PV_VALUE_PLACES] = "/a,/b",
	    [PV_VALUE_DENIED] = "a.localhost",
	    [PV_VALUE_SECRET] = "anna:word",
	};
	if (option->value != PV_VALUE_QUOTED)
		return arguments[option->value];
	if (strcmp(option->key, "identity.agent") == 0)
		return "bot/1.0";
	return strcmp(option->key, "fetch.proxy") == 0 ? "http://localhost:1/"
						       : "file.pem";
}

static void test_option(
    struct scratch *scratch, const struct pv_foreign_option *option)
{
	struct pv_translation translation;
	pv_translation_init(&translation);
	const char *argument =
	    option->has_argument ? argument_of(option) : NULL;
	if (option->has_argument && !argument)
		argument = "x";
	pv_translation_add_address(&translation, "http://localhost/");
	bool is_taken =
	    pv_translation_take(&translation, option, option->name, argument);
	bool is_answered = translation.count == 1 && translation.items[0].says;
	bool has_place = translation.input || translation.directory;
	char *text = text_of(&translation);
	if (translation.input)
		ok(is_taken, "%s lists addresses", option->name);
	else
		ok(is_taken &&
			(is_answered || has_place ||
			    (translation.count == 1 &&
				translation.items[0].key)) &&
			is_policy(scratch, text),
		    "%s is understood or answered", option->name);
	free(text);
	pv_translation_finish(&translation);
}

static void test_table(struct scratch *scratch)
{
	FILE *file = fopen(scratch_file(scratch, "file.pem"), "w");
	fputs("# Netscape HTTP Cookie File\n", file);
	fclose(file);
	for (size_t i = 0; i < pv_foreign_option_count; i++)
		test_option(scratch, &pv_foreign_options[i]);
	ok(!pv_foreign_find_letter(PV_WGET | PV_CURL, 'H') &&
		pv_foreign_find_letter(PV_CURL, 'H')->value == PV_VALUE_HEADER,
	    "a letter that says different things is none of both");
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	setenv("XDG_CONFIG_HOME", "/nowhere", 1);
	test_cases(&scratch);
	test_refused();
	test_table(&scratch);
	scratch_remove(&scratch);
	return tap_done();
}
