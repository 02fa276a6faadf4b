#include <stdio.h>

#include "cli/run/command.h"
#include "cli/run/fleet_orders.h"
#include "cli/run/kept_policy.h"

static int run(const struct pv_options *options)
{
	struct pv_run run = {.options = options, .is_update = true};
	if (options->fleet)
		return pv_fleet_join(options, true);
	if (options->output) {
		fprintf(stderr,
		    "pavane: -o goes with --fleet, where update joins a crawl "
		    "as one of its workers: leave it out\n");
		return EXIT_WRONG;
	}
	return pv_kept_policy_run("update", &run);
}

const struct pv_command pv_command_update = {
    .name = "update",
    .arguments = {{"DIR", PV_IS_CRAWL, NULL}},
    .sentence = "fetch again what has changed since a crawl",
    .help =
	"Checks the copies of a finished crawl for changes, by the policy "
	"stored in its\ndirectory and at the same pace. Only pages that have "
	"changed are fetched again\n(ETag, Last-Modified); failed requests "
	"are repeated and new links are followed.\nFiles of deleted pages "
	"are moved from site/ to gone/ when the update is\ncomplete "
	"(output.mirror.gone); if too many would be moved, none is, and a\n"
	"warning is printed (output.mirror.shrink_alarm). DIR/changes.jsonl "
	"lists what\nchanged. If the update is stopped, run it again to "
	"continue. --set and --domain\nchange the policy. --fleet URL NAME "
	"-o DIR updates the crawl of a fleet; further\nworkers come with "
	"continue.",
    .example = "  pavane update docs.example.org\n"
	       "  pavane update docs.example.org --set recrawl.after=1d\n"
	       "  pavane update --fleet postgresql:///crawls shared -o one\n",
    .options = "oISDFMTjvq",
    .run = run,
};
