#include <stdlib.h>

#include "api/problems.h"
#include "api/sized.h"
#include "crawl/run/relink.h"
#include "pavane/pavane.h"
#include "policy/sources/load.h"

static struct pv_policy *load(const char *directory, struct pv_why *why)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/policy.yaml", directory);
	const struct pv_sources sources = {.file = pv_buf_text(&path)};
	struct pv_policy *policy = pv_policy_load(&sources, why);
	pv_buf_finish(&path);
	return policy;
}

static void tell_fault(const struct pavane_relink_options *options,
    const struct pv_relinking *result)
{
	struct pv_buf line;
	if (!result->failed || !options->on_line)
		return;
	pv_buf_init(&line, 1024);
	pv_buf_append_format(&line,
	    "links in %llu document%s could not be rewritten: %s",
	    (unsigned long long)result->failed, result->failed == 1 ? "" : "s",
	    result->fault);
	options->on_line(options->ctx, PAVANE_ERROR, pv_buf_text(&line));
	pv_buf_finish(&line);
}

bool pavane_relink(
    const struct pavane_relink_options *given, struct pavane_relinked *relinked)
{
	struct pavane_relink_options own, *options = &own;
	struct pv_relinking result = {.documents = 0};
	struct pv_why why;
	if (!pv_sized_read(options, sizeof(own), given))
		return false;
	pv_why_init(&why);
	struct pv_policy *policy = load(options->directory, &why);
	const struct pv_relink relink = {
	    .directory = options->directory,
	    .policy = policy,
	    .is_enough = options->is_enough,
	    .ctx = options->ctx,
	};
	bool is_run =
	    !pv_why_has_problems(&why) && pv_relink_run(&relink, &result, &why);
	if (pv_why_has_problems(&why))
		pv_problems_tell(&why, options->on_line, options->ctx);
	tell_fault(options, &result);
	const struct pavane_relinked all = {
	    .documents = result.documents,
	    .changed = result.changed,
	    .failed = result.failed,
	    .is_cut = result.is_cut,
	};
	pv_sized_write(relinked, &all, sizeof(all));
	pv_policy_destroy(policy);
	pv_why_finish(&why);
	return is_run;
}
