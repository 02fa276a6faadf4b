#include "cli/loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/contact.h"

void pv_write_out(void *ctx, const char *text, size_t len)
{
	fwrite(text, 1, len, ctx);
}

static struct pavane_policy *load(
    const struct pv_options *options, const char *file, const char *config_dir)
{
	struct pavane_sources sources = {
	    .config_dir = config_dir,
	    .file = file,
	    .settings = options->settings,
	    .setting_count = options->setting_count,
	};
	return pavane_policy_load(&sources);
}

/* A person at a terminal who has just not said yet who they are is asked. */
static bool may_ask(const struct pv_options *options, const char *file,
    const struct pavane_policy *policy)
{
	bool is_input_free = !file || strcmp(file, "-") != 0;
	return is_input_free && pavane_policy_lacks_contact(policy) &&
	       !options->is_json && !options->is_quiet &&
	       isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

struct pavane_policy *pv_policy_of(
    const struct pv_options *options, const char *file)
{
	char *config_dir = pavane_config_dir();
	struct pavane_policy *policy = load(options, file, config_dir);
	if (config_dir && may_ask(options, file, policy) &&
	    pv_contact_ask(config_dir)) {
		pavane_policy_destroy(policy);
		policy = load(options, file, config_dir);
	}
	free(config_dir);
	return policy;
}

bool pv_policy_is_right(const struct pavane_policy *policy)
{
	struct pavane_problem problem;
	size_t count = pavane_policy_problem_count(policy);
	size_t kept = 0;
	for (; pavane_policy_problem(policy, kept, &problem); kept++)
		fprintf(stderr, "%s\n", problem.sentence);
	if (count > kept)
		fprintf(stderr, "and %zu more problems\n", count - kept);
	return !count;
}
