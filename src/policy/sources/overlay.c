#include "policy/sources/overlay.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "policy/checks/check.h"
#include "policy/domain_entry.h"
#include "policy/document/reading.h"
#include "policy/sources/assignment.h"

static const struct pv_option *option_of(struct pv_str key)
{
	return pv_option_get(key, &pv_names_of_policy);
}

/* Keys that an unset one follows are none of its own (policy.h). */
static void forget_derived(
    struct pv_policy *overlay, const char *path, int64_t *value)
{
	if (!pv_policy_is_given(overlay, path))
		*value = 0;
}

static struct pv_policy *copy(const struct pv_policy *base)
{
	struct pv_policy *overlay = pv_alloc(sizeof(*overlay));
	*overlay = *base;
	pv_arena_init(&overlay->arena);
	overlay->origins = pv_arena_give_array(&overlay->arena,
	    pv_names_of_policy.count, sizeof(*overlay->origins));
	memcpy(overlay->origins, base->origins,
	    pv_names_of_policy.count * sizeof(*overlay->origins));
	forget_derived(overlay, "rate.burst", &overlay->rate.burst);
	forget_derived(overlay, "rate.concurrency", &overlay->rate.concurrency);
	return overlay;
}

/* Why not, where it may not be. */
static bool may_be_set(struct pv_reading *reading, struct pv_str key)
{
	const struct pv_place place = {.file = reading->name};
	const struct pv_option *option = option_of(key);
	if (pv_str_starts(key, PV_STR("domains"))) {
		pv_why_add(reading->why, place, key,
		    "values of single hosts cannot be set while a crawl runs: "
		    "change the policy, and continue the crawl with it");
		return false;
	}
	if (!pv_assignment_knows(reading, &pv_names_of_policy, key))
		return false;
	if (option && (option->flags & PV_MAY_BE_SET))
		return true;
	pv_why_add(reading->why, place, key,
	    option ? "cannot be set while a crawl runs: change the policy, and "
		     "continue the crawl with it"
		   : "is a section: set its keys one by one");
	return false;
}

bool pv_overlay_may_set(struct pv_str key, struct pv_why *why)
{
	struct pv_reading reading;
	struct pv_arena arena;
	pv_arena_init(&arena);
	pv_reading_init(&reading, &arena, why, "pavane set", PV_LAYER_COMMAND);
	bool may_be = may_be_set(&reading, key);
	pv_reading_finish(&reading);
	pv_arena_finish(&arena);
	return may_be;
}

static void set(struct pv_policy *overlay, const struct pv_set_value *value,
    struct pv_why *why)
{
	struct pv_reading reading;
	struct pv_target target = pv_target_of_policy(overlay);
	pv_reading_init(
	    &reading, &overlay->arena, why, "pavane set", PV_LAYER_COMMAND);
	if (may_be_set(&reading, value->key))
		pv_assignment_read(&reading, target, value->key, value->value);
	pv_reading_finish(&reading);
}

struct pv_policy *pv_overlay_create(const struct pv_policy *base,
    const struct pv_set_value *values, size_t count, struct pv_why *why)
{
	struct pv_policy *overlay = copy(base);
	for (size_t i = 0; i < count; i++)
		set(overlay, &values[i], why);
	pv_rate_derive(&overlay->rate);
	if (!pv_why_has_problems(why))
		pv_policy_check(overlay, why);
	return overlay;
}

size_t pv_overlay_exceptions(const struct pv_policy *base, struct pv_str key)
{
	const struct pv_option *option = option_of(key);
	size_t count = 0;
	for (size_t i = 0; option && i < base->domains.count; i++)
		count += pv_domain_entry_get(
			     &base->domains.entries[i], option) != NULL;
	return count;
}

void pv_overlay_destroy(struct pv_policy *overlay)
{
	if (!overlay)
		return;
	pv_arena_finish(&overlay->arena);
	free(overlay);
}
