#include <stdio.h>

#include "cli/run/command.h"
#include "cli/run/fleet_orders.h"
#include "cli/run/kept_policy.h"

static int run(const struct pv_options *options)
{
	struct pv_run run = {.options = options};
	if (options->fleet)
		return pv_fleet_join(options, false);
	if (options->output) {
		fprintf(stderr,
		    "pavane: -o goes with --fleet, where continue joins a "
		    "crawl as a further worker: leave it out\n");
		return EXIT_WRONG;
	}
	return pv_kept_policy_run("continue", &run);
}

const struct pv_command pv_command_continue = {
    .name = "continue",
    .arguments = {{"DIR", PV_IS_CRAWL, NULL}},
    .sentence = "continue a crawl that was stopped",
    .help =
	"Continues a crawl that was stopped, by the policy stored in its "
	"directory.\n--set and --domain change that policy, for example to "
	"raise a limit.\n--fleet URL NAME -o DIR joins a fleet as a further "
	"worker.",
    .example = "  pavane continue docs.example.org\n"
	       "  pavane continue docs.example.org --set limits.pages=none\n"
	       "  pavane continue --fleet postgresql:///crawls shared -o w2\n",
    .options = "oISDFMTjvq",
    .run = run,
};
