#include "api/problems.h"
#include "api/sized.h"
#include "crawl/rows/rows_anew.h"
#include "pavane/pavane.h"
#include "policy/sources/load.h"

static struct pv_policy *load(
    const struct pavane_fields_options *options, struct pv_why *why)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	if (options->policy)
		pv_buf_append_text(&path, options->policy);
	else
		pv_buf_append_format(
		    &path, "%s/policy.yaml", options->directory);
	const struct pv_sources sources = {
	    .file = pv_buf_text(&path),
	    .input_of = options->directory,
	};
	struct pv_policy *policy = pv_policy_load(&sources, why);
	pv_buf_finish(&path);
	return policy;
}

/* What follows of a number of things that are not kept. */
static void tell_number(const struct pavane_fields_options *options,
    uint64_t count, const char *noun, const char *what)
{
	struct pv_buf line;
	if (!count || !options->on_line)
		return;
	pv_buf_init(&line, 1024);
	pv_buf_append_format(&line, "%llu %s%s %s", (unsigned long long)count,
	    noun, count == 1 ? "" : "s", what);
	options->on_line(options->ctx, PAVANE_WARNING, pv_buf_text(&line));
	pv_buf_finish(&line);
}

/* Going on with the crawl, or updating it, reads links of pages that are new or
 * have changed only. */
static void tell_unasked(const struct pavane_fields_options *options)
{
	struct pv_buf line;
	if (!options->on_line)
		return;
	pv_buf_init(&line, SIZE_MAX);
	pv_buf_append_text(&line,
	    "links are not followed anew: `follow` of the policy also leads to "
	    "pages that the crawl has not asked for; to get them, start again: "
	    "pavane crawl ");
	if (options->policy)
		pv_buf_append_text(&line, options->policy);
	else
		pv_buf_append_format(
		    &line, "%s/policy.yaml", options->directory);
	pv_buf_append_format(&line, " -o %s --fresh", options->directory);
	options->on_line(options->ctx, PAVANE_WARNING, pv_buf_text(&line));
	pv_buf_finish(&line);
}

static void tell_losses(const struct pavane_fields_options *options,
    const struct pv_rows_anew_result *result)
{
	tell_number(options, result->missing, "page",
	    "without rows: not kept in the mirror");
	tell_number(options, result->unread, "page",
	    "without rows: the file in the mirror cannot be read");
	tell_number(options, result->headers, "field",
	    "without values: headers of answers are not kept");
	if (result->has_unasked)
		tell_unasked(options);
}

bool pavane_fields(
    const struct pavane_fields_options *given, struct pavane_fields_made *made)
{
	struct pavane_fields_options own, *options = &own;
	struct pv_rows_anew_result result = {.pages = 0};
	struct pv_why why;
	if (!pv_sized_read(options, sizeof(own), given))
		return false;
	pv_why_init(&why);
	struct pv_policy *policy = load(options, &why);
	const struct pv_rows_anew anew = {
	    .directory = options->directory,
	    .policy = policy,
	    .is_enough = options->is_enough,
	    .ctx = options->ctx,
	};
	bool is_run = !pv_why_has_problems(&why) &&
		      pv_rows_anew_run(&anew, &result, &why);
	if (pv_why_has_problems(&why))
		pv_problems_tell(&why, options->on_line, options->ctx);
	if (is_run && !result.is_cut)
		tell_losses(options, &result);
	const struct pavane_fields_made all = {
	    .pages = result.pages,
	    .rows = result.rows,
	    .missing = result.missing + result.unread,
	    .is_cut = result.is_cut,
	};
	pv_sized_write(made, &all, sizeof(all));
	pv_policy_destroy(policy);
	pv_why_finish(&why);
	return is_run;
}
