#include "policy/sources/seed_input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"

static void refuse(
    const struct pv_seed *seed, struct pv_why *why, const char *text)
{
	pv_why_add(why, seed->origin.place, PV_STR("seeds"), "%s", text);
}

static void fail(
    const struct pv_seed *seed, struct pv_why *why, const char *what)
{
	pv_why_add(why, seed->origin.place, PV_STR("seeds"), "%s: %s", what,
	    strerror(errno));
}

/* Why the standard input cannot be a seed; NULL if it can. */
static const char *fault_of(
    const struct pv_sources *sources, const struct pv_policy *policy)
{
	if (sources->has_other_seeds)
		return "the standard input cannot be a seed here: crawls are "
		       "made from this policy later";
	if (policy->seed_input)
		return "the standard input can be only one of the seeds";
	if (sources->file && strcmp(sources->file, "-") == 0)
		return "the standard input is the policy already: write the "
		       "policy into a file";
	if (isatty(STDIN_FILENO))
		return "the standard input is a terminal: give it the "
		       "addresses, for example with <seeds.txt";
	return NULL;
}

static void read_all(
    struct pv_policy *policy, struct pv_seed *seed, struct pv_why *why)
{
	policy->seed_input = tmpfile();
	if (!policy->seed_input) {
		fail(seed, why, "cannot create a temporary file");
		return;
	}
	int file = fileno(policy->seed_input);
	fcntl(file, F_SETFD, FD_CLOEXEC);
	if (!pv_file_copy(STDIN_FILENO, file))
		fail(seed, why, "cannot copy the standard input");
	seed->text = pv_arena_format(&policy->arena, "/dev/fd/%d", file);
}

const char *pv_seed_copy_path(struct pv_arena *arena, const char *directory)
{
	char whole[PATH_MAX];
	if (!realpath(directory, whole))
		return NULL;
	return pv_arena_format(arena, "%s/" PV_SEED_COPY, whole);
}

/* What a crawl has copied, if it has. */
static void use_copy(
    struct pv_policy *policy, struct pv_seed *seed, const char *directory)
{
	const char *path = pv_seed_copy_path(&policy->arena, directory);
	seed->is_input = false;
	if (path && access(path, R_OK) == 0)
		seed->text = path;
}

void pv_seed_input_read(struct pv_policy *policy,
    const struct pv_sources *sources, struct pv_why *why)
{
	for (size_t i = 0; i < policy->seeds.count; i++) {
		struct pv_seed *seed = &policy->seeds.items[i];
		const char *fault = NULL;
		if (!seed->is_input)
			continue;
		if (sources->input_of)
			use_copy(policy, seed, sources->input_of);
		else if ((fault = fault_of(sources, policy)))
			refuse(seed, why, fault);
		else
			read_all(policy, seed, why);
	}
}
