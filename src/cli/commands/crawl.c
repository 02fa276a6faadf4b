#include <stdio.h>
#include <string.h>

#include "cli/commands/addresses.h"
#include "cli/run/command.h"
#include "cli/run/loading.h"
#include "cli/run/running.h"
#include "cli/terminal/sheet.h"

static int crawl(const struct pv_options *options,
    const struct pv_addresses *addresses, const char *preface)
{
	struct pavane_sources sources =
	    pv_sources_of(&options->settings, options->arguments[1]);
	sources.is_for_fleet = options->fleet;
	sources.addresses = (const char *const *)addresses->items;
	sources.address_names = (const char *const *)addresses->names;
	sources.address_count = addresses->count;
	struct pavane_policy *policy = pv_policy_of(options, &sources);
	struct pv_run run = {
	    .options = options,
	    .policy = policy,
	    .sources = &sources,
	    .preface = preface,
	};
	int status = EXIT_WRONG;
	if (pv_policy_suits(options, policy))
		status =
		    options->is_dry ? pv_dry_run(&run) : pv_run_crawl(&run);
	pavane_policy_destroy(policy);
	return status;
}

static int run(const struct pv_options *options)
{
	struct pv_addresses addresses;
	struct pv_sheet sheet;
	int status = EXIT_WRONG;
	if (options->argument_count < 2) {
		fprintf(stderr, "pavane: crawl needs a policy: pavane crawl "
				"POLICY [URL...]\n");
		return EXIT_WRONG;
	}
	if (strstr(options->arguments[1], "://")) {
		fprintf(stderr,
		    "pavane: %s is an address, and crawl needs a policy: to "
		    "fetch an address without a policy, run `pavane mirror "
		    "%s`\n",
		    options->arguments[1], options->arguments[1]);
		return EXIT_WRONG;
	}
	pv_sheet_open(&sheet);
	bool is_right = pv_addresses_read(&addresses, options->arguments + 2,
	    options->argument_count - 2, options->input, sheet.file);
	pv_sheet_close(&sheet);
	if (is_right)
		status = crawl(options, &addresses, sheet.text);
	pv_sheet_finish(&sheet);
	pv_addresses_finish(&addresses);
	return status;
}

const struct pv_command pv_command_crawl = {
    .name = "crawl",
    .arguments = {{"POLICY", PV_IS_FILE, NULL}, {"[URL...]", PV_IS_TEXT, NULL}},
    .sentence = "crawl as a policy file says",
    .help = "Crawls as a policy says (- is the standard input). URLs are added "
	    "to the seeds\nof the policy. Ctrl+C stops the crawl: requests in "
	    "flight are finished and the\nstate is saved. The same command "
	    "continues it. If the crawl is complete, it\nsays so and makes no "
	    "request.\n\n"
	    "On a terminal the progress is shown live; elsewhere it is printed "
	    "as plain\nlines. --json prints an object each second to the "
	    "standard output. SIGUSR1\nprints the state now. SIGHUP reads the "
	    "policy again and continues the crawl\nwith it.",
    .example = "  pavane crawl policy.yaml\n"
	       "  pavane crawl policy.yaml --set limits.pages=100 "
	       "-o /var/tmp/try\n"
	       "  pavane crawl policy.yaml --shard 2/4 --inbound from-1 -o "
	       "docs\n"
	       "  pavane crawl policy.yaml --fleet "
	       "postgresql://me@db.example.org/crawls -o one\n",
    .options = "ofyiGIKNSDFMTjvq",
    .run = run,
};
