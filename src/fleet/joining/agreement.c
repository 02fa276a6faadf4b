#include "fleet/joining/agreement.h"

#include "policy/overview/difference.h"
#include "policy/sources/load.h"
#include "record/verdict.h"

#define STAYS                                                             \
	"cannot be changed in the crawl of a fleet: write the same into " \
	"the policy, or begin another crawl by another name"

struct comparison {
	size_t count;
	bool has_others;
	bool decides; /* one of them, about what is known */
	bool has_other_clocks;
	struct pv_place place;
	struct pv_why *why; /* NULL: they are only counted */
};

static bool is_of(struct pv_str key, const char *section)
{
	struct pv_str start = pv_str_of(section);
	return pv_str_starts(key, start) &&
	       (key.len == start.len || key.ptr[start.len] == '.');
}

/* Whether known addresses may be judged otherwise. */
static bool decides(struct pv_str key)
{
	bool decides = is_of(key, "seeds");
	for (unsigned i = 0; i < PV_REASON_COUNT; i++) {
		const char *const *keys = pv_reason_get(i)->keys;
		for (size_t k = 0; keys[k]; k++)
			decides |= is_of(key, keys[k]);
	}
	return decides;
}

static void tell(struct comparison *comparison,
    const struct pv_difference *difference, const char *sentence)
{
	struct pv_str key = pv_str_of(difference->option->path);
	if (difference->before.len)
		pv_why_add(comparison->why, comparison->place, key,
		    "the fleet has %.*s, and this policy %.*s: %s",
		    PV_STR_ARG(difference->before),
		    PV_STR_ARG(difference->after), sentence);
	else
		pv_why_add(comparison->why, comparison->place, key,
		    "the fleet has another value than this policy: %s",
		    sentence);
}

static void on_difference(void *ctx, const struct pv_difference *difference)
{
	struct comparison *comparison = ctx;
	struct pv_str key = pv_str_of(difference->option->path);
	comparison->count++;
	comparison->decides |= decides(key);
	if (!comparison->why)
		return;
	if (comparison->has_others)
		tell(comparison, difference,
		    "write the same into the policy, or stop all workers "
		    "first: pavane stop --fleet URL NAME");
	else if (is_of(key, "pages"))
		tell(comparison, difference, "its kinds of pages " STAYS);
	else if (is_of(key, "domains") && comparison->has_other_clocks)
		tell(
		    comparison, difference, "which hosts share a clock " STAYS);
}

/* Policies that are complete but for what is said in confidence: whatever is wrong
 * with them was told before. */
static struct pv_policy *load(const char *name, struct pv_str text)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_policy *policy = pv_policy_load_text(name, text, &why);
	pv_why_finish(&why);
	return policy;
}

static void compare(
    struct pv_str theirs, struct pv_str ours, struct comparison *comparison)
{
	struct pv_policy *before = load("fleet", theirs);
	struct pv_policy *after = load("worker", ours);
	comparison->has_other_clocks =
	    !pv_domains_have_same_clocks(&before->domains, &after->domains);
	pv_policy_compare(before, after, on_difference, comparison);
	pv_policy_destroy(before);
	pv_policy_destroy(after);
}

bool pv_agreement_check(struct pv_str theirs, struct pv_str ours,
    bool has_others, struct pv_place place, struct pv_why *why)
{
	struct comparison comparison = {
	    .has_others = has_others, .place = place, .why = why};
	compare(theirs, ours, &comparison);
	return comparison.decides;
}

bool pv_agreement_is_same(struct pv_str theirs, struct pv_str ours)
{
	struct comparison comparison = {.count = 0};
	compare(theirs, ours, &comparison);
	return comparison.count == 0;
}
