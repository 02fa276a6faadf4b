#include "cli/run/dry_run.h"

#include <stdio.h>

#include "cli/run/command.h"
#include "cli/run/loading.h"

int pv_dry_run(const struct pv_run *run)
{
	const struct pavane_policy *policy = run->policy;
	const char *output = run->options->output;
	printf("nobody is asked; this is what would be:\n");
	pavane_policy_write_outlook(policy, pv_write_out, stdout);
	pavane_policy_write_summary(policy, pv_write_out, stdout);
	printf("  in           %s\n",
	    output ? output : pavane_policy_directory(policy));
	return EXIT_FINISHED;
}
