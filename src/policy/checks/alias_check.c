#include "policy/checks/alias_check.h"

#include "policy/option.h"
#include "policy/sameness.h"

struct check {
	const struct pv_policy *policy;
	struct pv_aliases aliases;
	struct pv_why *why;
};

static bool is_star(const char *text)
{
	return strcmp(text, "*") == 0;
}

/* Whether a name comes back to itself, or what it stands for does: that of
 * "www.example.org" is found by a beginning and by its name in one step. Others
 * that lead into a circle are chains. */
static bool is_in_circle(const struct check *check, const struct pv_pair *pair)
{
	struct pv_str name = pv_str_of(pair->name);
	struct pv_str at = pv_str_of(pair->text), next;
	for (size_t i = 0; i <= check->policy->scope.aliases.count; i++) {
		if (!pv_aliases_find(&check->aliases, at, &next))
			return false;
		if (pv_str_equal(next, name) || (!i && pv_str_equal(next, at)))
			return true;
		at = next;
	}
	return false;
}

static const struct pv_origin *origin_of(const struct pv_policy *policy)
{
	const struct pv_option *option =
	    pv_option_get(PV_STR("scope.aliases"), PV_NAMES_OF_POLICY);
	return &policy->origins[option - pv_options];
}

static void check_pair(struct check *check, const struct pv_pair *pair)
{
	struct pv_place place = origin_of(check->policy)->place;
	struct pv_str key = PV_STR("scope.aliases"), next;
	bool is_beginning = pv_str_ends(pv_str_of(pair->name), PV_STR(".*"));
	if (is_beginning && !is_star(pair->text))
		pv_why_add(check->why, place, key,
		    "%s stands for \"*\", each name without its beginning, "
		    "and for nothing else",
		    pair->name);
	else if (is_beginning)
		return;
	else if (is_star(pair->text))
		pv_why_add(check->why, place, key,
		    "%s is one name, so it stands for one: \"*\" belongs to a "
		    "beginning such as \"www.*\"",
		    pair->name);
	else if (strcmp(pair->name, pair->text) == 0)
		pv_why_add(check->why, place, key,
		    "%s stands for itself, which says nothing", pair->name);
	else if (is_in_circle(check, pair))
		pv_why_add(check->why, place, key,
		    "these aliases lead in a circle, from %s to %s and back: "
		    "one of the two is to be asked",
		    pair->name, pair->text);
	else if (pv_aliases_find(&check->aliases, pv_str_of(pair->text), &next))
		pv_why_add(check->why, place, key,
		    "%s stands for %s, which is an alias itself: write the "
		    "name that is to be asked, %.*s",
		    pair->name, pair->text, PV_STR_ARG(next));
}

/* Whoever wrote longer delays there meant a host that is now asked by another
 * name. */
static void note_entry(
    const struct check *check, const struct pv_domain_entry *entry)
{
	struct pv_buf key;
	struct pv_str target;
	if (entry->kind != PV_HOST_EXACT ||
	    !pv_aliases_find(&check->aliases, pv_str_of(entry->name), &target))
		return;
	pv_buf_init(&key, 512);
	pv_buf_append_format(&key, "domains.\"%s\"", entry->name);
	pv_why_note(check->why, entry->origin.place, pv_buf_str(&key),
	    "this name is never asked, since scope.aliases has it stand for "
	    "%.*s: what holds for that host stands under its own name",
	    PV_STR_ARG(target));
	pv_buf_finish(&key);
}

void pv_aliases_check(const struct pv_policy *policy, struct pv_why *why)
{
	const struct pv_pairs *pairs = &policy->scope.aliases;
	struct check check = {.policy = policy, .why = why};
	pv_aliases_init(&check.aliases);
	pv_sameness_add_aliases(&check.aliases, pairs);
	for (size_t i = 0; i < pairs->count; i++)
		check_pair(&check, &pairs->items[i]);
	for (size_t i = 0; pairs->count && i < policy->domains.count; i++)
		note_entry(&check, &policy->domains.entries[i]);
	pv_aliases_finish(&check.aliases);
}
