#include <signal.h>
#include <stdio.h>

#include "cli/run/command.h"
#include "cli/run/loading.h"

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	if (level <= PAVANE_WARNING)
		fprintf(stderr, "pavane: %s\n", line);
}

static int explain(struct pavane_explainer *explainer, const char *address)
{
	switch (pavane_explain(explainer, address, pv_write_out, stdout)) {
	case PAVANE_WRONG:
		fprintf(stderr,
		    "pavane: %s is no web address: write it whole, such as "
		    "https://example.org/\n",
		    address);
		return EXIT_WRONG;
	case PAVANE_UNREADABLE:
		return EXIT_FAILED;
	default:
		return EXIT_FINISHED;
	}
}

static int explain_all(
    const struct pv_options *options, const struct pavane_policy *policy)
{
	const struct pavane_explain_options wishes = {
	    .robots = options->robots,
	    .directory = options->output,
	    .is_asking = !options->is_offline,
	    .on_line = tell,
	};
	struct pavane_explainer *explainer =
	    pavane_explainer_open(policy, &wishes);
	int status = explainer ? EXIT_FINISHED : EXIT_FAILED;
	for (size_t i = 2;
	     i < options->argument_count && status == EXIT_FINISHED; i++) {
		status = explain(explainer, options->arguments[i]);
		fflush(stdout);
	}
	pavane_explainer_close(explainer);
	return status;
}

static int run(const struct pv_options *options)
{
	const struct sigaction nothing = {.sa_handler = SIG_IGN};
	if (options->argument_count < 3) {
		fprintf(stderr, "pavane: explain needs a policy and an "
				"address: pavane explain POLICY URL...\n");
		return EXIT_WRONG;
	}
	struct pavane_sources sources =
	    pv_sources_of(&options->settings, options->arguments[1]);
	struct pavane_policy *policy = pv_policy_of(options, &sources);
	sigaction(SIGPIPE, &nothing, NULL);
	int status = pv_policy_is_right(policy) ? explain_all(options, policy)
						: EXIT_WRONG;
	pavane_policy_destroy(policy);
	return status;
}

const struct pv_command pv_command_explain = {
    .name = "explain",
    .arguments = "POLICY URL...",
    .sentence = "would this address be fetched, when, and if not why?",
    .help =
	"Tells step by step what a crawl by this policy would decide about an "
	"address:\nscope rule by rule, robots.txt with the group and the line "
	"that decide, limits,\nand which clock holds its host, each with where "
	"it comes from. With -o DIR it is\ntold by the state of that crawl, "
	"running or not: what is known of the address,\nand until when its "
	"host waits for what. Else its host is asked for robots.txt, as\na "
	"crawl would ask, unless --robots has it or --offline forbids it; then "
	"the\naddress is taken as a page that a seed links to.",
    .example = "  pavane explain policy.yaml https://docs.example.org/v2/\n"
	       "  pavane explain policy.yaml --robots robots.txt "
	       "https://docs.example.org/v2/\n"
	       "  pavane explain docs/policy.yaml -o docs "
	       "https://docs.example.org/v2/\n",
    .options = "orOSDq",
    .run = run,
};
