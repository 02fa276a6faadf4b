#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

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
		    "pavane: %s is not a web address: write it with its "
		    "scheme, such as https://example.org/\n",
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
	    .size = sizeof(struct pavane_explain_options),
	    .robots = options->robots,
	    .directory = options->output,
	    .is_asking = !options->is_offline,
	    .on_line = tell,
	    .shard = options->shard,
	    .fleet = options->fleet,
	    .fleet_name = options->fleet ? options->arguments[1] : NULL,
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

static int explain_by(
    const struct pv_options *options, const struct pavane_sources *sources)
{
	struct pavane_policy *policy = pv_policy_of(options, sources);
	int status = pv_policy_is_right(policy) ? explain_all(options, policy)
						: EXIT_WRONG;
	pavane_policy_destroy(policy);
	return status;
}

/* By the policy that is in the database. */
static int explain_fleet(const struct pv_options *options)
{
	struct pavane_sources sources = pv_sources_of(&options->settings, NULL);
	if (options->output || options->shard) {
		fprintf(stderr,
		    "pavane: explain --fleet explains a crawl that is in a "
		    "database: leave %s out\n",
		    options->output ? "-o" : "--shard");
		return EXIT_WRONG;
	}
	char *text = pavane_fleet_policy(
	    options->fleet, options->arguments[1], tell, NULL);
	if (!text)
		return EXIT_FAILED;
	sources.text = text;
	sources.is_for_fleet = true;
	int status = explain_by(options, &sources);
	free(text);
	return status;
}

static int explain_file(const struct pv_options *options)
{
	struct pavane_sources sources =
	    pv_sources_of(&options->settings, options->arguments[1]);
	sources.input_of = options->output;
	return explain_by(options, &sources);
}

static int run(const struct pv_options *options)
{
	const struct sigaction nothing = {.sa_handler = SIG_IGN};
	if (options->argument_count < 3) {
		fprintf(stderr,
		    options->fleet
			? "pavane: explain --fleet needs the name of a crawl "
			  "and an address: pavane explain --fleet URL NAME "
			  "ADDRESS...\n"
			: "pavane: explain needs a policy and an address: "
			  "pavane explain POLICY URL...\n");
		return EXIT_WRONG;
	}
	sigaction(SIGPIPE, &nothing, NULL);
	return options->fleet ? explain_fleet(options) : explain_file(options);
}

const struct pv_command pv_command_explain = {
    .name = "explain",
    .arguments = {{"POLICY", PV_IS_FILE, NULL}, {"URL...", PV_IS_TEXT, NULL}},
    .sentence = "say if, when and why an address is fetched",
    .help =
	"Says step by step what a crawl with this policy would decide about "
	"an address:\neach rule of the scope, the group and the line of "
	"robots.txt that decide, the\nlimits, and which clock its host waits "
	"for, each with its source. With -o DIR\nthe state of that crawl is "
	"used, running or not: what is known of the address,\nand what its "
	"host waits for and until when. Otherwise robots.txt is requested\n"
	"from the host as a crawl would do (--robots FILE reads it from a "
	"file,\n--offline skips it), and the address is judged as a page "
	"that a seed links to.\n--fleet URL NAME in the place of a policy "
	"uses what the workers of a fleet know,\nand says whose its host is."
	" No request is made.",
    .example = "  pavane explain policy.yaml https://docs.example.org/v2/\n"
	       "  pavane explain policy.yaml --robots robots.txt "
	       "https://docs.example.org/v2/\n"
	       "  pavane explain docs/policy.yaml -o docs "
	       "https://docs.example.org/v2/\n"
	       "  pavane explain --fleet postgresql:///crawls shared "
	       "https://docs.example.org/\n",
    .options = "oGrOKSDFq",
    .meanings =
	{{'o', PV_IS_CRAWL,
	     "use the state of the crawl in this directory, and make no request"},
	    {'G', PV_IS_TEXT,
		"also say to which of N shards its host belongs, such as 2/4"}},
    .run = run,
};
