#include "cli/run/kept_policy.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/run/command.h"
#include "cli/run/loading.h"

/* Where the crawl in a directory keeps its policy. */
struct place {
	char policy[PATH_MAX];
};

/* False if the directory is no crawl's, which has been said. */
static bool find(
    const char *command, const char *directory, struct place *place)
{
	struct stat found;
	int len = snprintf(
	    place->policy, sizeof(place->policy), "%s/policy.yaml", directory);
	bool is_long = len < 0 || (size_t)len >= sizeof(place->policy);
	if (is_long || stat(directory, &found) != 0) {
		fprintf(stderr, "pavane: %s: %s\n", directory,
		    strerror(is_long ? ENAMETOOLONG : errno));
		return false;
	}
	if (!S_ISDIR(found.st_mode)) {
		fprintf(stderr,
		    "pavane: %s is a file, and %s needs a crawl's directory: "
		    "to use it as a policy, run `pavane crawl %s`\n",
		    directory, command, directory);
		return false;
	}
	if (stat(place->policy, &found) != 0) {
		fprintf(stderr,
		    "pavane: %s is not a crawl's directory: cannot read its "
		    "policy.yaml: %s\n",
		    directory, strerror(errno));
		return false;
	}
	return true;
}

int pv_kept_policy_run(const char *command, const struct pv_run *run)
{
	const struct pv_options *options = run->options;
	struct place place;
	if (options->argument_count != 2) {
		fprintf(stderr,
		    "pavane: %s needs a crawl's directory: pavane %s DIR\n",
		    command, command);
		return EXIT_WRONG;
	}
	if (!find(command, options->arguments[1], &place))
		return EXIT_WRONG;
	struct pavane_sources sources =
	    pv_sources_of(&options->settings, place.policy);
	struct pavane_policy *policy = pv_policy_of(options, &sources);
	struct pv_run complete = *run;
	complete.policy = policy;
	complete.sources = &sources;
	complete.directory = options->arguments[1];
	int status =
	    pv_policy_is_right(policy) ? pv_run_crawl(&complete) : EXIT_WRONG;
	pavane_policy_destroy(policy);
	return status;
}
