#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/loading.h"
#include "cli/running.h"

/* Where the crawl in a directory keeps its policy. */
struct place {
	char policy[PATH_MAX];
};

/* False if the directory is no crawl's, which has been said. */
static bool find(const char *directory, struct place *place)
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
		    "pavane: %s is a file, and continue needs a crawl's "
		    "directory; for a policy, `pavane crawl %s`\n",
		    directory, directory);
		return false;
	}
	if (stat(place->policy, &found) != 0) {
		fprintf(stderr,
		    "pavane: %s is no crawl's directory: its policy.yaml "
		    "cannot be read: %s\n",
		    directory, strerror(errno));
		return false;
	}
	return true;
}

static int go_on(const struct pv_options *options, const char *directory)
{
	struct place place;
	if (!find(directory, &place))
		return EXIT_WRONG;
	struct pavane_sources sources =
	    pv_sources_of(&options->settings, place.policy);
	struct pavane_policy *policy = pv_policy_of(options, &sources);
	struct pv_run run = {
	    .options = options,
	    .policy = policy,
	    .directory = directory,
	};
	int status =
	    pv_policy_is_right(policy) ? pv_run_crawl(&run) : EXIT_WRONG;
	pavane_policy_destroy(policy);
	return status;
}

static int run(const struct pv_options *options)
{
	if (options->argument_count != 2) {
		fprintf(stderr, "pavane: continue needs a crawl's directory: "
				"pavane continue DIR\n");
		return EXIT_WRONG;
	}
	return go_on(options, options->arguments[1]);
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
