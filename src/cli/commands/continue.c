#include "cli/run/command.h"
#include "cli/run/kept_policy.h"

static int run(const struct pv_options *options)
{
	struct pv_run run = {.options = options};
	return pv_kept_policy_run("continue", &run);
}

const struct pv_command pv_command_continue = {
    .name = "continue",
    .arguments = "DIR",
    .sentence = "goes on from a crawl's directory",
    .help =
	"Goes on with a crawl that was stopped, by the policy that is kept in "
	"its\ndirectory. --set and --domain change it, for instance to go on "
	"past a limit.",
    .example = "  pavane continue docs.example.org\n"
	       "  pavane continue docs.example.org --set limits.pages=none\n",
    .options = "SDjvq",
    .run = run,
};
