#include "cli/run/loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/contact.h"

void pv_write_out(void *ctx, const char *text, size_t len)
{
	fwrite(text, 1, len, ctx);
}

struct pavane_sources pv_sources_of(
    const struct pv_settings *settings, const char *file)
{
	return (struct pavane_sources){
	    .file = file,
	    .settings = settings->items,
	    .setting_names = settings->names,
	    .setting_count = settings->count,
	};
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
    const struct pv_options *options, const struct pavane_sources *sources)
{
	struct pavane_sources all = *sources;
	char *config_dir = pavane_config_dir();
	all.config_dir = config_dir;
	struct pavane_policy *policy = pavane_policy_load(&all);
	if (config_dir && may_ask(options, all.file, policy) &&
	    pv_contact_ask(config_dir)) {
		pavane_policy_destroy(policy);
		policy = pavane_policy_load(&all);
	}
	free(config_dir);
	return policy;
}

struct pavane_policy *pv_policy_again(const struct pavane_sources *sources)
{
	if (!sources || (sources->file && strcmp(sources->file, "-") == 0))
		return NULL;
	struct pavane_sources all = *sources;
	char *config_dir = pavane_config_dir();
	all.config_dir = config_dir;
	struct pavane_policy *policy = pavane_policy_load(&all);
	free(config_dir);
	return policy;
}

/* The policy need not be the place for what holds for all of one's crawls. */
static void tell_where_contacts_stand(void)
{
	char *config_dir = pavane_config_dir();
	fprintf(stderr,
	    "for this crawl, --set identity.contact=you@your.domain says it");
	if (config_dir)
		fprintf(
		    stderr, "; for all of yours, %s/config.yaml", config_dir);
	fprintf(stderr, "\n");
	free(config_dir);
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
	if (pavane_policy_lacks_contact(policy))
		tell_where_contacts_stand();
	return !count;
}
