#include "policy/sources/load.h"

#include <limits.h>
#include <sys/wait.h>

#include "policy/document/document.h"
#include "policy/loaded.h"
#include "policy/scratch.h"

/* Layers: each source lies over the one before. */

static void test_layers(struct scratch *scratch)
{
	static const char *const addresses[] = {"http://localhost/c"};
	static const struct pv_setting settings[] = {
	    {NULL, "rate.burst=40"},
	    {NULL, "scope.strip_query=[s]"},
	    {"a.example", "connections=4"},
	    {"c.example", "delay=9s"},
	};
	static const char *const names[] = {NULL, "--strip", NULL, NULL};
	struct pv_sources sources = {.config_dir = scratch->dir};
	char file[256];
	scratch_write(scratch, "config.yaml",
	    PV_STR("identity: {contact: me@host.example}\n"
		   "rate: {max_rate: 10, burst: 20, concurrency: 30}\n"
		   "scope: {strip_query: [c1, c2]}\n"
		   "domains:\n"
		   "  a.example: {delay: 1s, jitter: 0.5, connections: 2}\n"
		   "  b.example: {delay: 2s}\n"));
	snprintf(file, sizeof(file), "%s",
	    scratch_write(scratch, "policy.yaml",
		PV_STR("rate: {burst: 30}\n"
		       "seeds: [http://localhost/p]\n"
		       "scope: {strip_query: [p]}\n"
		       "domains:\n"
		       "  A.example: {jitter: 0.25, connections: 3}\n"
		       "  c.example: {delay: 3s}\n")));
	sources.file = file;
	sources.settings = settings;
	sources.setting_count = sizeof(settings) / sizeof(*settings);
	sources.setting_names = names;
	sources.addresses = addresses;
	sources.address_count = 1;
	struct loaded loaded = load_sources(&sources);
	const struct pv_policy *policy = loaded.policy;
	ok(is_right(&loaded), "four layers are right together");
	ok(policy->rate.interval_ms == 1000, "a default holds");
	ok(policy->rate.max_rate == 10 && policy->rate.concurrency == 30,
	    "the user's configuration lies over it");
	ok(policy->rate.burst == 40,
	    "the policy lies over that, and --set over the policy");
	ok(policy->manners.strip_query.count == 1 &&
		strcmp(policy->manners.strip_query.items[0], "s") == 0,
	    "a list is replaced whole");
	ok(policy->seeds.count == 2 &&
		strcmp(policy->seeds.items[1].text, "http://localhost/c") == 0,
	    "addresses of the command line come to the seeds");
	struct pv_host_manners a;
	struct pv_host_manners b;
	struct pv_host_manners c;
	pv_policy_manners(policy, PV_STR("a.example"), NULL, &a);
	pv_policy_manners(policy, PV_STR("b.example"), NULL, &b);
	pv_policy_manners(policy, PV_STR("c.example"), NULL, &c);
	ok(policy->domains.count == 3 && a.manners.delay_ms == 1000 &&
		a.manners.jitter == 0.25 && a.manners.connections == 4 &&
		b.manners.delay_ms == 2000 && c.manners.delay_ms == 9000,
	    "entries of one host are merged key by key");
	struct pv_str text = effective_of(&loaded);
	ok(has_text(text, "config.yaml:1\n") &&
		has_text(text, "policy.yaml:2\n") &&
		has_text(text, "burst: 40  # --set\n") &&
		has_text(text, "connections: 4  # --domain\n"),
	    "each value says where it comes from");
	ok(has_text(text, "strip_query: [s]  # --strip\n"),
	    "and a setting that has a name of its own is called so");
	loaded_finish(&loaded);
}

static void test_config(struct scratch *scratch)
{
	static const struct {
		const char *text;
		const char *part; /* of the problem; NULL if it is right */
	} cases[] = {
	    {"", NULL},
	    {"# nothing\n", NULL},
	    {"identity: {contact: me@host.example}\n", NULL},
	    {"seeds: [http://localhost/]\n", "in a policy"},
	    {"name: x\n", "in a policy"},
	    {"rate: 5\n", "expected"},
	    {"rate: \"5\n", "never closed"},
	};
	struct pv_sources sources = {.config_dir = scratch->dir};
	unlink(scratch_path(scratch, "never.txt"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		scratch_write(scratch, "config.yaml", pv_str_of(cases[i].text));
		struct loaded loaded = load_sources(&sources);
		struct pv_str problem = problem_of(&loaded, 0);
		ok(cases[i].part ? has_text(problem, "config.yaml:1:") &&
				       has_text(problem, cases[i].part)
				 : !problem.len,
		    "configuration %zu is %s", i,
		    cases[i].part ? "refused" : "right");
		loaded_finish(&loaded);
	}
	unlink(scratch_path(scratch, "config.yaml"));
	struct loaded loaded = load_sources(&sources);
	ok(is_right(&loaded), "a configuration need not be there");
	loaded_finish(&loaded);
}

/* P7 */
static void test_never(struct scratch *scratch)
{
	static const char *const addresses[] = {"http://www.localhost/"};
	struct pv_sources sources = {
	    .config_dir = scratch->dir,
	    .addresses = addresses,
	    .address_count = 1,
	};
	scratch_write(scratch, "never.txt", PV_STR("# x\nlocalhost\n"));
	struct loaded loaded = load_sources(&sources);
	ok(has_text(problem_of(&loaded, 0), "does not want to be crawled") &&
		has_text(problem_of(&loaded, 0), "never.txt:2"),
	    "no seed may lie where we have been asked away");
	loaded_finish(&loaded);
	scratch_write(scratch, "never.txt", PV_STR("localhost"));
	loaded = load_sources(&sources);
	ok(has_text(problem_of(&loaded, 0), "never.txt:1"),
	    "nor where the first line says so");
	loaded_finish(&loaded);
	unlink(scratch_path(scratch, "never.txt"));
}

/* Of a fleet */

#define SHARED                                               \
	"version: 1\nidentity: {contact: me@host.example}\n" \
	"seeds: [\"http://localhost/\"]\n"

static void test_fleet(void)
{
	static const struct {
		const char *text;
		bool is_for_fleet;
		bool has_mirror;
		const char *claim;
	} cases[] = {
	    {SHARED, false, true,
		"a policy is a text, too, and makes a mirror"},
	    {SHARED, true, false, "for a fleet it keeps the journal alone"},
	    {SHARED "output: {min_free: 1GiB}\n", true, false,
		"also where it only says how much room is to be left"},
	    {SHARED "output: {mirror: {}}\n", true, true,
		"but not where it asks for a mirror"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct loaded loaded = load_sources(&(struct pv_sources){
		    .text = cases[i].text,
		    .is_for_fleet = cases[i].is_for_fleet,
		});
		ok(is_right(&loaded) &&
			loaded.policy->output.has_mirror == cases[i].has_mirror,
		    "%s", cases[i].claim);
		loaded_finish(&loaded);
	}
}

static const struct {
	const char *assignment;
	const char *host;
	const char *part; /* of the problem; NULL if it is right */
} assignments[] = {
    {"rate.max_rate=5", NULL, NULL},
    {" rate.max_rate = 5 ", NULL, NULL},
    {"rate={max_rate: 5, interval: 2s}", NULL, NULL},
    {"scope.rules=[{deny: {path: /a}}]", NULL, NULL},
    {"scope.strip_query=a", NULL, NULL},
    {"name=none", NULL, NULL},
    {"fetch.headers={A: \"b=c\"}", NULL, NULL},
    {"output={}", NULL, NULL},
    {"domains={a.example: {delay: 1}}", NULL, NULL},
    {"rate.max_rate", NULL, "KEY=VALUE"},
    {"=5", NULL, "KEY=VALUE"},
    {"", NULL, "KEY=VALUE"},
    {"rate.max_rat=5", NULL, "did you mean rate.max_rate?"},
    {"max_rate=5", NULL, "did you mean"},
    {"rate.max_rate=", NULL, "nothing"},
    {"rate.max_rate=x", NULL, "expected"},
    {"rate.max_rate=[", NULL, ""},
    {"rate=5", NULL, "mapping"},
    {"rate={x: 1}", NULL, "unknown key"},
    {"domains.a.delay=5s", NULL, "--domain"},
    {"delay=5s", "a.example", NULL},
    {"backoff={max: 2d}", "*.example", NULL},
    {"backoff.max=2d", "10.0.0.0/8", NULL},
    {"share=true", "a.example", "share a clock"},
    {"max_size=5", "a.example", "unknown key"},
    {"dealy=5s", "a.example", "did you mean delay?"},
    {"delay=5s", "a b", "expected"},
    {"delay=5s", "", "expected"},
    {"delay=5s", "https://a.example/", "without https://"},
};

static void test_assignments(void)
{
	for (size_t i = 0; i < sizeof(assignments) / sizeof(*assignments);
	     i++) {
		struct pv_setting setting = {
		    assignments[i].host, assignments[i].assignment};
		struct pv_sources sources = {
		    .settings = &setting, .setting_count = 1};
		struct loaded loaded = load_sources(&sources);
		struct pv_str problem = problem_of(&loaded, 0);
		bool is_as_wanted =
		    assignments[i].part
			? problem.len && has_text(problem, assignments[i].part)
			: !problem.len;
		ok(is_as_wanted, "%s %s is %s (%.*s)",
		    assignments[i].host ? "--domain" : "--set",
		    assignments[i].assignment,
		    assignments[i].part ? "refused" : "right",
		    PV_STR_ARG(problem));
		loaded_finish(&loaded);
	}
}

static void test_addresses(void)
{
	static const char *const addresses[] = {"http://localhost/{1..3}",
	    "ftp://localhost/", "localhost", "http://localhost/caf\xe9"};
	struct pv_sources sources = {
	    .addresses = addresses, .address_count = 4};
	struct loaded loaded = load_sources(&sources);
	ok(loaded.why.problems.count == 3,
	    "each address that is wrong is told once (%zu)",
	    loaded.why.problems.count);
	ok(has_text(problem_of(&loaded, 0), "the command line: ftp://"),
	    "with the address itself");
	loaded_finish(&loaded);
}

/* A policy is right or told to be wrong as a whole. */

static void test_problems(void)
{
	struct loaded loaded = load_text("version: 2\n"
					 "rat: 1\n"
					 "rate: {max_rate: 0, burst: x}\n"
					 "seeds: [ftp://a/]\n"
					 "domains: {\"*\": {delay: -1}}\n"
					 "scope: {rules: [{dney: 1}]}\n"
					 "limits: 3\n");
	static const unsigned lines[] = {1, 2, 3, 3, 4, 5, 6, 7};
	ok(loaded.why.problems.count == 8, "all that is wrong is told (%zu)",
	    loaded.why.problems.count);
	for (size_t i = 0; i < loaded.why.problems.kept_count; i++)
		ok(i < 8 && loaded.why.problems.kept[i].line == lines[i],
		    "problem %zu comes in the order of the file", i);
	loaded_finish(&loaded);
}

static void test_many_problems(void)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	for (unsigned i = 0; i < 5000; i++)
		pv_buf_append_format(&text, "unknown%u: 1\n", i);
	struct loaded loaded = load_str(pv_buf_str(&text));
	ok(loaded.why.problems.kept_count == 20 &&
		loaded.why.problems.count == 5000,
	    "of 5000 problems 20 are told and all are counted");
	ok(loaded.why.problems.kept[19].line == 20, "the first 20");
	loaded_finish(&loaded);
	pv_buf_finish(&text);
}

static void test_no_policy(void)
{
	static const struct {
		const char *text;
		const char *part;
	} cases[] = {
	    {"", "empty"},
	    {"# nothing\n", "empty"},
	    {"- a\n", "mapping"},
	    {"text\n", "mapping"},
	    {"*a\n", ""},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct loaded loaded = load_text(cases[i].text);
		ok(loaded.why.problems.count == 1 &&
			has_text(problem_of(&loaded, 0), cases[i].part),
		    "what is no policy is told so (%zu)", i);
		loaded_finish(&loaded);
	}
}

/* Long values must not make a sentence vanish. */
static void test_long_values(void)
{
	static const char *const starts[] = {"name: ", "rate: {interval: 0.",
	    "name: x", "'", "domains: {a: {delay: 0.0", "limits: {bytes: 0.1",
	    "fetch: {tls: {ca: /x"};
	static const char *const ends[] = {
	    "\n", "1s}\n", "\n", "': 1\n", "1s}}\n", "B}\n", "}}\n"};
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		struct pv_buf text;
		pv_buf_init(&text, 1 << 20);
		pv_buf_append_text(&text, starts[i]);
		for (unsigned j = 0; j < (i == 6 ? 900 : 9000); j++)
			pv_buf_append_char(&text, '1');
		pv_buf_append_text(&text, ends[i]);
		struct loaded loaded = load_str(pv_buf_str(&text));
		ok(loaded.why.problems.count &&
			loaded.why.problems.kept[0].text[0],
		    "what is wrong with long value %zu is told", i);
		loaded_finish(&loaded);
		pv_buf_finish(&text);
	}
}

static void test_without_seeds(struct scratch *scratch)
{
	static const struct {
		const char *policy;
		const char *address; /* of the command line; NULL: none */
		const char *problem; /* NULL: none */
		const char *claim;
	} cases[] = {
	    {"version: 1\n", NULL,
		"seeds: there is no address to begin with: write, for example, "
		"seeds: [https://docs.example.org/]",
		"a policy without seeds is wrong, and an example is given"},
	    {"name: x\nseeds: []\n", NULL, "yaml:2:8: seeds: there is no",
		"so is one that has none, where it says so"},
	    {"version: 1\n", "http://localhost/", NULL,
		"one with an address on the command line is right"},
	    {"sees: [http://localhost/]\n", NULL, "did you mean seeds?",
		"where another mistake may be the reason that is told"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_sources sources = {
		    .file = scratch_write(
			scratch, "policy.yaml", pv_str_of(cases[i].policy)),
		    .addresses = &cases[i].address,
		    .address_count = cases[i].address != NULL,
		};
		struct loaded loaded = load_sources(&sources);
		bool has_one = loaded.why.problems.count == 1;
		const char *wanted = cases[i].problem;
		ok(wanted ? has_one && has_text(problem_of(&loaded, 0), wanted)
			  : is_right(&loaded),
		    "%s", cases[i].claim);
		loaded_finish(&loaded);
	}
	struct loaded loaded = load_sources(&(struct pv_sources){0});
	ok(is_right(&loaded), "where there is no policy, no seeds are missed");
	loaded_finish(&loaded);
	loaded = load_sources(&(struct pv_sources){
	    .file = scratch_write(scratch, "part.yaml", PV_STR("version: 1\n")),
	    .has_other_seeds = true,
	});
	ok(is_right(&loaded), "nor where they come from elsewhere");
	loaded_finish(&loaded);
}

/* P5 */
static void test_size(struct scratch *scratch)
{
	struct pv_buf text;
	pv_buf_init(&text, 2 << 20);
	pv_buf_append_text(&text, "seeds: [http://localhost/]\n#");
	while (text.len < PV_DOCUMENT_BYTES_MAX)
		pv_buf_append_char(&text, 'x');
	struct pv_sources sources = {
	    .file = scratch_write(scratch, "policy.yaml", pv_buf_str(&text)),
	};
	struct loaded loaded = load_sources(&sources);
	ok(is_right(&loaded), "a policy of 1 MiB is taken");
	loaded_finish(&loaded);
	pv_buf_append_char(&text, 'x');
	sources.file = scratch_write(scratch, "policy.yaml", pv_buf_str(&text));
	loaded = load_sources(&sources);
	ok(has_text(problem_of(&loaded, 0), "larger than 1 MiB"),
	    "one of a byte more is not");
	loaded_finish(&loaded);
	sources.file = scratch_path(scratch, "missing.yaml");
	loaded = load_sources(&sources);
	ok(has_text(problem_of(&loaded, 0), "cannot be read: No such file"),
	    "that a file is missing is told");
	loaded_finish(&loaded);
	sources.file = scratch->dir;
	loaded = load_sources(&sources);
	ok(has_text(problem_of(&loaded, 0), "cannot be read"),
	    "that it is a directory as well");
	loaded_finish(&loaded);
	pv_buf_finish(&text);
}

/* A million addresses look at bounded time and memory: nothing is expanded. */
static void test_templates(void)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	pv_buf_append_text(&text, "seeds:\n");
	for (unsigned i = 0; i < 20000; i++)
		pv_buf_append_text(
		    &text, "- http://localhost/{1..1000000000}\n");
	struct loaded loaded = load_str(pv_buf_str(&text));
	ok(is_right(&loaded), "20000 times a billion local addresses are "
			      "right without a contact");
	loaded_finish(&loaded);
	pv_buf_finish(&text);
}

/* Files that a policy names are found from its own directory. */
static void test_files(struct scratch *scratch)
{
	static const struct {
		const char *file;
		const char *part; /* NULL if it is right */
	} cases[] = {
	    {"seeds.txt", NULL},
	    {"./seeds.txt", NULL},
	    {"missing.txt", "No such file"},
	    {".", "a directory"},
	    {"/dev/null", "not a regular file"},
	    {"/dev/zero", "not a regular file"},
	};
	struct pv_sources sources = {0};
	char file[256];
	scratch_write(scratch, "seeds.txt", PV_STR("http://localhost/\n"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_buf text;
		pv_buf_init(&text, 4096);
		pv_buf_append_format(
		    &text, "seeds: [{file: %s}]\n", cases[i].file);
		snprintf(file, sizeof(file), "%s",
		    scratch_write(scratch, "policy.yaml", pv_buf_str(&text)));
		sources.file = file;
		struct loaded loaded = load_sources(&sources);
		struct pv_str problem = problem_of(&loaded, 0);
		ok(cases[i].part ? has_text(problem, cases[i].part)
				 : !problem.len && is_identity(&loaded),
		    "a file of seeds %s is %s", cases[i].file,
		    cases[i].part ? "refused" : "found");
		loaded_finish(&loaded);
		pv_buf_finish(&text);
	}
	scratch_write(
	    scratch, "seeds.txt", PV_STR("http://localhost/\nnonsense\n"));
	scratch_write(
	    scratch, "policy.yaml", PV_STR("seeds: [{file: seeds.txt}]\n"));
	sources.file = scratch_path(scratch, "policy.yaml");
	struct loaded loaded = load_sources(&sources);
	ok(has_text(problem_of(&loaded, 0), "seeds.txt:2:1: seeds: nonsense"),
	    "what is wrong in a file of seeds is told where it stands");
	loaded_finish(&loaded);
}

/* P7: whose hosts may be asked. */
static void test_contact(void)
{
	static const struct {
		const char *policy;
		bool is_right;
	} cases[] = {
	    {"seeds: [http://localhost/]\n", true},
	    {"seeds: [http://a.localhost:8080/]\n", true},
	    {"seeds: [http://127.0.0.1/, http://10.0.0.1/]\n", true},
	    {"seeds: [\"http://[::1]/\", \"http://[fd00::1]/\"]\n", true},
	    {"seeds: [\"http://127.0.0.{1..254}/\"]\n", true},
	    {"seeds: [\"http://127.0.0.1/{1..1000000}\"]\n", true},
	    {"seeds: [http://docs.example.org/]\n", false},
	    {"seeds: [http://8.8.8.8/]\n", false},
	    {"seeds: [\"http://[::ffff:8.8.8.8]/\"]\n", false},
	    {"seeds: [http://localhost/, http://docs.example.org/]\n", false},
	    {"seeds: [\"http://{localhost,docs.example.org}/\"]\n", false},
	    {"seeds: [\"http://{1..1000000}.example.org/\"]\n", false},
	    {"seeds: [{sitemap: http://docs.example.org/s.xml}]\n", false},
	    {"seeds: [http://a.test/]\n"
	     "fetch: {resolve: {\"*.test\": \"127.0.0.1:8080\"}}\n",
		true},
	    {"seeds: [http://a.test/]\n"
	     "fetch: {resolve: {\"*.test\": 8.8.8.8}}\n",
		false},
	    {"seeds: [http://a.test/]\n"
	     "fetch: {resolve: {a.test: \"[::1]:80\"}}\n",
		true},
	    {"seeds: [http://localhost/]\nfetch: {private: none}\n", false},
	    {"seeds: [http://0.0.0.0/]\n", false},
	    {"seeds: [http://224.0.0.1/]\n", false},
	    {"seeds: [http://docs.example.org/]\n"
	     "identity: {contact: me@host.example}\n",
		true},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct loaded loaded = load_text(cases[i].policy);
		ok(pv_why_has_problems(&loaded.why) != cases[i].is_right,
		    "policy %zu %s", i,
		    cases[i].is_right ? "needs no contact"
				      : "is not begun without one");
		loaded_finish(&loaded);
	}
}

/* Values that contradict each other. */
static void test_contradictions(void)
{
	static const struct {
		const char *policy;
		const char *key; /* of the problem; NULL if it is right */
	} cases[] = {
	    {"rate: {max_rate: 30, burst: 20}\n", "rate.burst"},
	    {"rate: {max_rate: 30, burst: 30}\n", NULL},
	    {"rate: {max_rate: 30}\n", NULL},
	    {"politeness: {backoff: {max: 1s}}\n", "politeness.backoff.max"},
	    {"politeness: {backoff: {failure: 2d}}\n",
		"politeness.backoff.max"},
	    {"domains: {a: {backoff: {max: 1s}}}\n", "domains.\"a\""},
	    {"domains: {a: {backoff: {failure: 2d, max: 3d}}}\n", NULL},
	    {"fetch: {timeout: {connect: 20m}}\n", NULL},
	    {"fetch: {timeout: {connect: 20m, total: 19m}}\n",
		"fetch.timeout.total"},
	    {"fetch: {timeout: {connect: 20m, total: none}}\n", NULL},
	    {"fetch: {tls: {verify: false, ca: /etc/passwd}}\n",
		"fetch.tls.ca"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct loaded loaded = load_text(cases[i].policy);
		bool is_told =
		    loaded.why.problems.count == 1 && cases[i].key &&
		    strcmp(loaded.why.problems.kept[0].key, cases[i].key) == 0;
		ok(cases[i].key ? is_told : is_right(&loaded), "policy %zu %s",
		    i, cases[i].key ? "contradicts itself" : "does not");
		loaded_finish(&loaded);
	}
}

int main(void)
{
	struct scratch scratch;
	if (!scratch_open(&scratch)) {
		perror("mkdtemp");
		return 1;
	}
	test_layers(&scratch);
	test_config(&scratch);
	test_never(&scratch);
	test_fleet();
	test_assignments();
	test_addresses();
	test_problems();
	test_many_problems();
	test_no_policy();
	test_long_values();
	test_without_seeds(&scratch);
	test_size(&scratch);
	test_templates();
	test_files(&scratch);
	test_contact();
	test_contradictions();
	scratch_close(&scratch);
	return tap_done();
}
