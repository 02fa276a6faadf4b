#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/loading.h"

static int explain(const struct pv_options *options,
    const struct pavane_policy *policy, const char *address)
{
	switch (pavane_policy_explain(
	    policy, address, options->robots, pv_write_out, stdout)) {
	case PAVANE_WRONG:
		fprintf(stderr,
		    "pavane: %s is no web address: write it whole, such as "
		    "https://example.org/\n",
		    address);
		return EXIT_WRONG;
	case PAVANE_UNREADABLE:
		fprintf(stderr, "pavane: %s cannot be read: %s\n",
		    options->robots, strerror(errno));
		return EXIT_FAILED;
	default:
		return EXIT_FINISHED;
	}
}

static int run(const struct pv_options *options)
{
	if (options->argument_count < 3) {
		fprintf(stderr, "pavane: explain needs a policy and an "
				"address: pavane explain POLICY URL...\n");
		return EXIT_WRONG;
	}
	struct pavane_sources sources =
	    pv_sources_of(&options->settings, options->arguments[1]);
	struct pavane_policy *policy = pv_policy_of(options, &sources);
	int status = pv_policy_is_right(policy) ? EXIT_FINISHED : EXIT_WRONG;
	for (size_t i = 2;
	     i < options->argument_count && status == EXIT_FINISHED; i++)
		status = explain(options, policy, options->arguments[i]);
	pavane_policy_destroy(policy);
	return status;
}

const struct pv_command pv_command_explain = {
    .name = "explain",
    .arguments = "POLICY URL...",
    .sentence = "would this address be fetched, when, and if not why?",
    .help =
	"Tells step by step what a crawl by this policy would decide about an "
	"address:\nscope rule by rule, robots.txt (from a file, with --robots), "
	"and the manners\ntowards its host, each with the line of the policy "
	"that it comes from. The\naddress is taken as a page that a seed links "
	"to. No host is asked for anything.",
    .example = "  pavane explain policy.yaml https://docs.example.org/v2/\n"
	       "  pavane explain policy.yaml --robots robots.txt "
	       "https://docs.example.org/v2/\n",
    .options = "rSDq",
    .run = run,
};
