#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/command.h"
#include "cli/run/loading.h"

static void print_notes(const struct pavane_policy *policy)
{
	static const char *const proxies[] = {"http_proxy", "https_proxy",
	    "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"};
	struct pavane_problem note = PAVANE_INIT(struct pavane_problem);
	for (size_t i = 0; pavane_policy_note(policy, i, &note); i++)
		pv_problem_print("note: ", &note);
	for (size_t i = 0; i < sizeof(proxies) / sizeof(*proxies); i++) {
		const char *proxy = getenv(proxies[i]);
		if (proxy && proxy[0])
			fprintf(stderr,
			    "note: the environment variable %s is not used: "
			    "to use a proxy, set fetch.proxy\n",
			    proxies[i]);
	}
}

static void print_answer(const struct pv_options *options,
    const struct pavane_policy *policy, const char *file)
{
	if (options->is_effective)
		pavane_policy_write_effective(policy, pv_write_out, stdout);
	if (options->is_limits)
		pavane_policy_write_limits(policy, pv_write_out, stdout);
	if (options->is_effective || options->is_limits || options->is_quiet)
		return;
	printf("%s is valid\n", strcmp(file, "-") == 0 ? "the policy" : file);
	pavane_policy_write_summary(policy, pv_write_out, stdout);
}

static int tell(const struct pv_options *options,
    const struct pavane_policy *policy, const char *file)
{
	if (options->is_json) {
		pavane_policy_write_json(policy, pv_write_out, stdout);
		return pavane_policy_problem_count(policy) ? EXIT_WRONG
							   : EXIT_FINISHED;
	}
	if (!pv_policy_is_right(policy))
		return EXIT_WRONG;
	if (!options->is_quiet)
		print_notes(policy);
	print_answer(options, policy, file);
	return EXIT_FINISHED;
}

static int check(const struct pv_options *options, const char *file)
{
	struct pavane_sources sources = pv_sources_of(&options->settings, file);
	struct pavane_policy *policy = pv_policy_of(options, &sources);
	int status = tell(options, policy, file);
	pavane_policy_destroy(policy);
	return status;
}

static int run(const struct pv_options *options)
{
	const char *file =
	    options->argument_count > 1 ? options->arguments[1] : NULL;
	bool needs_file = !options->is_effective && !options->is_limits;
	if (options->argument_count > 2) {
		fprintf(stderr,
		    "pavane: check takes one policy; %s is a second one\n",
		    options->arguments[2]);
		return EXIT_WRONG;
	}
	if (options->is_json && (options->is_effective || options->is_limits)) {
		fprintf(stderr, "pavane: --json lists problems; it cannot be "
				"combined with --effective or --limits\n");
		return EXIT_WRONG;
	}
	if (options->is_schema) {
		pavane_schema_write(pv_write_out, stdout);
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
    .arguments = {{"POLICY", PV_IS_FILE, NULL}},
    .sentence = "check a policy, and list all mistakes",
    .help =
	"Reads a policy (- is the standard input) and your own configuration "
	"as a crawl\nwould, and lists every mistake: where it is, what is "
	"wrong, and what was\nexpected. If there is none, a few lines say "
	"what a crawl would do. No request\nis made.\n\n"
	"With --effective or --limits the policy may be omitted; the "
	"defaults are then\nprinted.",
    .example = "  pavane check policy.yaml\n"
	       "  pavane check policy.yaml --set rate.max_rate=5 --effective\n"
	       "  pavane check --schema >pavane.schema.json\n",
    .options = "elsKSDjq",
    .run = run,
};
