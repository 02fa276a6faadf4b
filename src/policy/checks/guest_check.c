#include "policy/checks/guest_check.h"

#include "policy/domain_entry.h"
#include "policy/option.h"

static int64_t most_if_none(int64_t value)
{
	return value == PV_NONE ? INT64_MAX : value;
}

/* Whether a is less than b; a limit that is none is more than any. */
static bool is_less(
    const struct pv_option *option, const void *a, const void *b)
{
	const struct pv_kind *kind = option->kind;
	if (kind == &pv_kind_number)
		return *(const double *)a < *(const double *)b;
	if (kind == &pv_kind_bool)
		return *(const bool *)a < *(const bool *)b;
	if (kind == &pv_kind_choice)
		return *(const int *)a < *(const int *)b;
	return most_if_none(*(const int64_t *)a) <
	       most_if_none(*(const int64_t *)b);
}

static bool is_written_alike(
    const struct pv_option *option, const void *a, const void *b)
{
	struct pv_buf one, other;
	pv_buf_init(&one, SIZE_MAX);
	pv_buf_init(&other, SIZE_MAX);
	option->kind->write(option, a, &one);
	option->kind->write(option, b, &other);
	bool are_alike = pv_str_equal(pv_buf_str(&one), pv_buf_str(&other));
	pv_buf_finish(&one);
	pv_buf_finish(&other);
	return are_alike;
}

static bool is_laxer(
    const struct pv_option *option, const void *value, const void *owners)
{
	switch (option->by_guest) {
	case PV_GUEST_MORE:
		return is_less(option, owners, value);
	case PV_GUEST_LESS:
		return is_less(option, value, owners);
	case PV_GUEST_SAME:
		return !is_written_alike(option, value, owners);
	case PV_GUEST_FREE:
	case PV_GUEST_NEVER: /* it was not read */
		break;
	}
	return false;
}

static void tell(const struct pv_option *option, struct pv_place place,
    const void *value, const void *owners, struct pv_why *why)
{
	struct pv_buf one, other;
	pv_buf_init(&one, 200);
	pv_buf_init(&other, 200);
	option->kind->write(option, value, &one);
	option->kind->write(option, owners, &other);
	pv_why_add(why, place, pv_str_of(option->path),
	    "%s is laxer than %s, which the owner of this machine asks for",
	    pv_buf_text(&one), pv_buf_text(&other));
	pv_buf_finish(&one);
	pv_buf_finish(&other);
}

static const void *field_of(
    const struct pv_policy *policy, const struct pv_option *option)
{
	return (const char *)policy + option->offset;
}

static void check_values(const struct pv_policy *policy,
    const struct pv_policy *owner, struct pv_why *why)
{
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		const void *value = field_of(policy, option);
		const void *owners = field_of(owner, option);
		if (!(option->flags & PV_ONLY_IN_DOMAIN) &&
		    is_laxer(option, value, owners))
			tell(option, policy->origins[i].place, value, owners,
			    why);
	}
}

/* The domain table */

static const struct pv_domain_entry *find_entry(
    const struct pv_domains *domains, const char *name)
{
	for (size_t i = 0; i < domains->count; i++) {
		if (strcmp(domains->entries[i].name, name) == 0)
			return &domains->entries[i];
	}
	return NULL;
}

/* What the owner's policy says of the hosts that the entry is for: its own entry,
 * or else that for the nearest suffix above it, or else its politeness. */
static const void *owners_value(const struct pv_policy *owner, const char *name,
    const struct pv_option *option)
{
	struct pv_buf above;
	const char *rest = name;
	const void *value = NULL;
	pv_buf_init(&above, SIZE_MAX);
	pv_buf_append_text(&above, name);
	while (!value && rest) {
		const struct pv_domain_entry *entry =
		    find_entry(&owner->domains, pv_buf_text(&above));
		const struct pv_domain_setting *setting =
		    entry ? pv_domain_entry_get(entry, option) : NULL;
		if (setting)
			value = &setting->value;
		if (strncmp(rest, "*.", 2) == 0)
			rest += 2;
		rest = strchr(rest, '.');
		pv_buf_clear(&above);
		if (rest)
			pv_buf_append_format(&above, "*%s", rest++);
	}
	pv_buf_finish(&above);
	return value ? value : field_of(owner, option);
}

/* Over a range of addresses a name has its way, and which addresses it has nobody
 * knows yet: so no range of the owner's may ask for more. NULL if none does. */
static const void *stricter_range(
    const struct pv_policy *owner, const struct pv_domain_setting *setting)
{
	for (size_t i = 0; i < owner->domains.count; i++) {
		const struct pv_domain_entry *range =
		    &owner->domains.entries[i];
		const struct pv_domain_setting *owners =
		    range->kind == PV_HOST_NETWORK
			? pv_domain_entry_get(range, setting->option)
			: NULL;
		if (owners &&
		    is_laxer(setting->option, &setting->value, &owners->value))
			return &owners->value;
	}
	return NULL;
}

static bool is_owners(const struct pv_policy *owner, const char *name,
    const struct pv_domain_setting *setting)
{
	const struct pv_domain_entry *entry = find_entry(&owner->domains, name);
	const struct pv_domain_setting *owners =
	    entry ? pv_domain_entry_get(entry, setting->option) : NULL;
	return owners && is_written_alike(
			     setting->option, &setting->value, &owners->value);
}

static void check_entry(const struct pv_domain_entry *entry,
    const struct pv_policy *owner, struct pv_why *why)
{
	for (size_t i = 0; i < entry->setting_count; i++) {
		const struct pv_domain_setting *setting = &entry->settings[i];
		const struct pv_option *option = setting->option;
		if (is_owners(owner, entry->name, setting))
			continue;
		const void *owners = owners_value(owner, entry->name, option);
		if (!is_laxer(option, &setting->value, owners))
			owners = stricter_range(owner, setting);
		if (owners)
			tell(option, setting->origin.place, &setting->value,
			    owners, why);
	}
}

void pv_guest_check(
    struct pv_policy *policy, const struct pv_policy *owner, struct pv_why *why)
{
	const struct pv_domains *domains = &policy->domains;
	size_t before = why->problems.count;
	check_values(policy, owner, why);
	for (size_t i = 0; i < domains->count; i++) {
		const struct pv_domain_entry *entry = &domains->entries[i];
		if (entry->kind == PV_HOST_NETWORK &&
		    !find_entry(&owner->domains, entry->name))
			pv_why_add(why, entry->origin.place,
			    pv_str_of("domains"),
			    "%s: ranges of addresses are the owner's of this "
			    "machine",
			    entry->name);
		else
			check_entry(entry, owner, why);
	}
	if (why->problems.count > before)
		policy->asks_too_much = true;
}
