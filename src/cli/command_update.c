#include "cli/command.h"
#include "cli/kept_policy.h"

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
	"is gone is marked and stays, what\nfailed is asked for again, and new "
	"links are followed. What became of each address\nstands in "
	"DIR/changes.jsonl. An update that was stopped goes on when it is run "
	"again.\n--set and --domain change the policy.",
    .example = "  pavane update docs.example.org\n"
	       "  pavane update docs.example.org --set recrawl.after=1d\n",
    .options = "SDjvq",
    .run = run,
};
