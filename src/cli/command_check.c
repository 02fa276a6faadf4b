#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/contact.h"

static void write_out(void *ctx, const char *text, size_t len)
{
	fwrite(text, 1, len, ctx);
}

static struct pavane_policy *load(
    const struct pv_options *options, const char *file, const char *config_dir)
{
	struct pavane_sources sources = {
	    .config_dir = config_dir,
	    .file = file,
	    .settings = options->settings,
	    .setting_count = options->setting_count,
	};
	return pavane_policy_load(&sources);
}

static void print_problems(const struct pavane_policy *policy)
{
	struct pavane_problem problem;
	size_t count = pavane_policy_problem_count(policy);
	size_t kept = 0;
	for (; pavane_policy_problem(policy, kept, &problem); kept++)
		fprintf(stderr, "%s\n", problem.sentence);
	if (count > kept)
		fprintf(stderr, "and %zu more problems\n", count - kept);
}

static void print_notes(const struct pavane_policy *policy)
{
	static const char *const proxies[] = {"http_proxy", "https_proxy",
	    "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"};
	struct pavane_problem note;
	for (size_t i = 0; pavane_policy_note(policy, i, &note); i++)
		fprintf(stderr, "note: %s\n", note.sentence);
	for (size_t i = 0; i < sizeof(proxies) / sizeof(*proxies); i++) {
		const char *proxy = getenv(proxies[i]);
		if (proxy && proxy[0])
			fprintf(stderr,
			    "note: %s is set, and not used: a proxy is named "
			    "by fetch.proxy\n",
			    proxies[i]);
	}
}

static void print_answer(const struct pv_options *options,
    const struct pavane_policy *policy, const char *file)
{
	if (options->is_effective)
		pavane_policy_write_effective(policy, write_out, stdout);
	if (options->is_limits)
		pavane_policy_write_limits(policy, write_out, stdout);
	if (options->is_effective || options->is_limits || options->is_quiet)
		return;
	printf("%s is right\n", strcmp(file, "-") == 0 ? "the policy" : file);
	pavane_policy_write_summary(policy, write_out, stdout);
}

static int tell(const struct pv_options *options,
    const struct pavane_policy *policy, const char *file)
{
	bool is_right = !pavane_policy_problem_count(policy);
	if (options->is_json) {
		pavane_policy_write_json(policy, write_out, stdout);
		return is_right ? EXIT_FINISHED : EXIT_WRONG;
	}
	print_problems(policy);
	if (!is_right)
		return EXIT_WRONG;
	if (!options->is_quiet)
		print_notes(policy);
	print_answer(options, policy, file);
	return EXIT_FINISHED;
}

/* A person at a terminal who has just not said yet who they are is asked. */
static bool may_ask(
    const struct pv_options *options, const struct pavane_policy *policy)
{
	return pavane_policy_lacks_contact(policy) && !options->is_json &&
	       !options->is_quiet && isatty(STDIN_FILENO) &&
	       isatty(STDERR_FILENO);
}

static int check(const struct pv_options *options, const char *file)
{
	char *config_dir = pavane_config_dir();
	struct pavane_policy *policy = load(options, file, config_dir);
	if (config_dir && may_ask(options, policy) &&
	    pv_contact_ask(config_dir)) {
		pavane_policy_destroy(policy);
		policy = load(options, file, config_dir);
	}
	int status = tell(options, policy, file);
	pavane_policy_destroy(policy);
	free(config_dir);
	return status;
}

static int run(const struct pv_options *options)
{
	const char *file =
	    options->argument_count > 1 ? options->arguments[1] : NULL;
	bool needs_file = !options->is_effective && !options->is_limits;
	if (options->argument_count > 2) {
		fprintf(stderr,
		    "pavane: check takes one policy, and %s is a "
		    "second one\n",
		    options->arguments[2]);
		return EXIT_WRONG;
	}
	if (options->is_json && (options->is_effective || options->is_limits)) {
		fprintf(stderr, "pavane: --json tells problems; it does not "
				"go with --effective or --limits\n");
		return EXIT_WRONG;
	}
	if (options->is_schema) {
		pavane_schema_write(write_out, stdout);
		return EXIT_FINISHED;
	}
	if (!file && needs_file) {
		fprintf(stderr, "pavane: check needs a policy: pavane check "
				"POLICY\n");
		return EXIT_WRONG;
	}
	return check(options, file);
}

const struct pv_command pv_command_check = {
    .name = "check",
    .arguments = "POLICY",
    .sentence = "is a policy right, and what does it mean?",
    .help =
	"Reads a policy (- is the standard input) as a crawl would, with your "
	"own\nconfiguration, and tells everything that is wrong with it: where, "
	"what, and what\nwas expected. If nothing is, it tells in a few lines "
	"what a crawl would do. No\nhost is asked for anything.\n\n"
	"With --effective or --limits the policy may be left away, to see the "
	"defaults.",
    .example = "  pavane check policy.yaml\n"
	       "  pavane check policy.yaml --set rate.max_rate=5 --effective\n"
	       "  pavane check --schema >pavane.schema.json\n",
    .options = "elsSDjq",
    .run = run,
};
