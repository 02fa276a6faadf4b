#include "merge/policies.h"

#include "policy/identity.h"
#include "policy/overview/difference.h"

struct comparing {
	const struct pv_merge_source *source;
	const struct pv_merge_source *first;
	struct pv_why *why;
	bool is_of_fleet;
	bool is_refused;
};

/* What workers of a fleet must have in common, and why. */

static bool always(const struct pv_policy *one, const struct pv_policy *other)
{
	(void)one;
	(void)other;
	return true;
}

static bool have_other_products(
    const struct pv_policy *one, const struct pv_policy *other)
{
	return !pv_str_equal(pv_identity_product(&one->identity),
	    pv_identity_product(&other->identity));
}

static bool have_other_clocks(
    const struct pv_policy *one, const struct pv_policy *other)
{
	return !pv_domains_have_same_clocks(&one->domains, &other->domains);
}

static const struct {
	const char *beginning; /* of the key */
	bool (*is_different)(
	    const struct pv_policy *one, const struct pv_policy *other);
	const char *why;
} fixed[] = {
    {"pages", always, "rows are merged kind by kind"},
    {"output.fields.forms", always, "rows are merged form by form"},
    {"output.mirror", always, "files are merged by their names"},
    {"identity.agent", have_other_products,
	"an audit matches robots.txt of a host with one name"},
    {"domains", have_other_clocks,
	"an audit judges a host by the one clock that it has in all "
	"directories"},
};

/* NULL if they may differ in it. */
static const char *why_not(const struct comparing *comparing, struct pv_str key)
{
	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++) {
		if (pv_str_starts(key, pv_str_of(fixed[i].beginning)) &&
		    fixed[i].is_different(
			comparing->source->policy, comparing->first->policy))
			return fixed[i].why;
	}
	return NULL;
}

/* Sentences */

/* "is 2s here, and 1s in d1", or without values that are no word. */
static void write_difference(const struct comparing *comparing,
    const struct pv_difference *difference, struct pv_buf *text)
{
	const char *first = comparing->first->directory;
	pv_buf_init(text, SIZE_MAX);
	if (difference->after.len)
		pv_buf_append_format(text, "is %.*s here, and %.*s in %s",
		    PV_STR_ARG(difference->after),
		    PV_STR_ARG(difference->before), first);
	else
		pv_buf_append_format(text, "is not as in %s", first);
}

static void refuse(struct comparing *comparing,
    const struct pv_difference *difference, const char *reason)
{
	struct pv_buf text;
	write_difference(comparing, difference, &text);
	pv_why_add(comparing->why,
	    (struct pv_place){.file = comparing->source->directory},
	    pv_str_of(difference->option->path),
	    "%s: %s: merge those with the same value, and audit the others by "
	    "themselves",
	    pv_buf_text(&text), reason);
	pv_buf_finish(&text);
	comparing->is_refused = true;
}

static void note(
    const struct comparing *comparing, const struct pv_difference *difference)
{
	struct pv_buf text;
	write_difference(comparing, difference, &text);
	pv_why_note(comparing->why,
	    (struct pv_place){.file = comparing->source->directory},
	    pv_str_of(difference->option->path),
	    "%s: the merge has the policy of the latter, and an audit judges "
	    "each run by its own",
	    pv_buf_text(&text));
	pv_buf_finish(&text);
}

static void on_difference(void *ctx, const struct pv_difference *difference)
{
	struct comparing *comparing = ctx;
	struct pv_str key = pv_str_of(difference->option->path);
	/* Each part of a crawl may have been told another beginning. */
	if (pv_str_equal(key, PV_STR("seeds"))) {
		pv_why_note(comparing->why,
		    (struct pv_place){.file = comparing->source->directory},
		    key,
		    "are not as in %s, whose are in the policy of the merge",
		    comparing->first->directory);
		return;
	}
	const char *reason = comparing->is_of_fleet
				 ? why_not(comparing, key)
				 : "only crawls by one policy, or workers "
				   "of one fleet's crawl, can be merged";
	if (reason)
		refuse(comparing, difference, reason);
	else
		note(comparing, difference);
}

bool pv_merge_policies_fit(const struct pv_merge_source *source,
    const struct pv_merge_source *first, struct pv_why *why)
{
	struct comparing comparing = {
	    .source = source,
	    .first = first,
	    .why = why,
	    .is_of_fleet = pv_merge_source_is_of_fleet(source, first),
	};
	pv_policy_compare(
	    first->policy, source->policy, on_difference, &comparing);
	return !comparing.is_refused;
}
