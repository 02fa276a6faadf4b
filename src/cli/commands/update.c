#include "cli/run/command.h"
#include "cli/run/kept_policy.h"

static int run(const struct pv_options *options)
{
	struct pv_run run = {.options = options, .is_update = true};
	return pv_kept_policy_run("update", &run);
}

const struct pv_command pv_command_update = {
    .name = "update",
    .arguments = "DIR",
    .sentence = "asks a finished crawl's hosts what has changed since",
    .help =
	"Asks again for what a finished crawl has, by the policy that is kept "
	"in its\ndirectory: only for what has changed (ETag, Last-Modified), "
	"at the same pace. What\nhas not is kept, what has is replaced, what "
	"failed is asked for again, and new\nlinks are followed. Of what is "
	"gone the files are moved from site/ to gone/ when the\nupdate is "
	"complete (output.mirror.gone); if they are too many, none is, and a\n"
	"warning says so (output.mirror.shrink_alarm). What became of each "
	"address stands in\nDIR/changes.jsonl. An update that was stopped "
	"goes on when it is run again.\n--set and --domain change the policy.",
    .example = "  pavane update docs.example.org\n"
	       "  pavane update docs.example.org --set recrawl.after=1d\n",
    .options = "SDjvq",
    .run = run,
};
