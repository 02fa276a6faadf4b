#include "policy/sources/section.h"

#include "policy/domain_entry.h"
#include "policy/policy.h"

struct pv_target pv_target_of_policy(struct pv_policy *policy)
{
	return (struct pv_target){
	    .names = &pv_names_of_policy,
	    .fields = policy,
	    .origins = policy->origins,
	    .policy = policy,
	};
}

struct pv_target pv_target_of_entry(
    struct pv_policy *policy, struct pv_domain_entry *entry)
{
	return (struct pv_target){
	    .names = &pv_names_of_domain,
	    .policy = policy,
	    .entry = entry,
	};
}

void pv_section_presets(
    struct pv_target target, struct pv_arena *arena, struct pv_why *why)
{
	struct pv_reading reading;
	pv_reading_init(&reading, arena, why, "default", PV_LAYER_DEFAULT);
	for (size_t i = 0; i < target.names->count; i++) {
		const struct pv_option *option = &target.names->options[i];
		if (!option->preset)
			continue;
		struct pv_node node = {
		    .kind = PV_NODE_TEXT,
		    .text = pv_str_of(option->preset),
		};
		option->kind->read(&reading, option, &node,
		    (char *)target.fields + option->offset);
	}
	pv_reading_finish(&reading);
}

static bool tell_unknown(struct pv_reading *reading, struct pv_target target,
    struct pv_str section, const struct pv_node *node)
{
	if (pv_why_is_full(reading->why)) {
		/* What was meant costs much to find, and is not told. */
		pv_reading_fail_key(reading, node, "unknown key");
		return false;
	}
	struct pv_buf buf;
	pv_buf_init(&buf, 512);
	const char *nearest =
	    pv_option_nearest(section, node->key, target.names, &buf);
	bool is_policy_key =
	    target.entry &&
	    (pv_option_get(node->key, &pv_names_of_policy) ||
		pv_option_is_section(node->key, &pv_names_of_policy));
	if (pv_str_find(node->key, '.') != PV_NOT_FOUND &&
	    pv_option_get(node->key, target.names))
		pv_reading_fail_key(reading, node,
		    "in a file, each part of a key is nested in the part "
		    "before it%s",
		    target.policy ? ", such as rate: {max_rate: 5}" : "");
	else if (is_policy_key)
		pv_reading_fail_key(reading, node,
		    "this key is not allowed in the domain table, which has "
		    "the keys of politeness, tls, robots and share");
	else if (nearest)
		pv_reading_fail_key(
		    reading, node, "unknown key: did you mean %s?", nearest);
	else
		pv_reading_fail_key(reading, node,
		    "unknown key: the known keys are %s",
		    pv_option_list(section, target.names, &buf));
	pv_buf_finish(&buf);
	return false;
}

static bool store(struct pv_reading *reading, struct pv_target target,
    const struct pv_option *option, const struct pv_node *node,
    const union pv_value *value)
{
	struct pv_origin origin = pv_reading_origin(reading, node);
	if (!target.entry) {
		memcpy((char *)target.fields + option->offset, value,
		    option->kind->size);
		target.origins[option - target.names->options] = origin;
		return true;
	}
	if (!pv_domain_setting_fits(reading, node, target.entry, option, value))
		return false;
	pv_domain_entry_set(
	    target.entry, reading->arena, option, value, origin);
	return true;
}

/* Reads an option's value. Rules and kinds of pages own what was compiled,
 * so they are read in place, over those that stood there. */
static bool read_option(struct pv_reading *reading, struct pv_target target,
    const struct pv_option *option, const struct pv_node *node)
{
	union pv_value value = {0};
	if (reading->layer == PV_LAYER_CONFIG &&
	    (option->flags & PV_NOT_IN_CONFIG)) {
		pv_reading_fail_key(reading, node,
		    "this key is allowed in a policy, not in your own "
		    "configuration");
		return false;
	}
	if (reading->is_guest && option->by_guest == PV_GUEST_NEVER) {
		target.policy->asks_too_much = true;
		pv_reading_fail_key(reading, node,
		    "this key is the owner's of the machine, and not allowed "
		    "in a policy that is handed in");
		return false;
	}
	if (option->kind == &pv_kind_domains)
		return pv_section_read_domains(reading, target.policy, node);
	if (option->kind == &pv_kind_rules || option->kind == &pv_kind_pages)
		memcpy(&value, (char *)target.fields + option->offset,
		    option->kind->size);
	if (option->kind == &pv_kind_switch && node->kind == PV_NODE_MAP)
		value.is_true = true;
	else if (!option->kind->read(reading, option, node, &value))
		return false;
	return store(reading, target, option, node, &value);
}

bool pv_section_read_key(struct pv_reading *reading, struct pv_target target,
    struct pv_str name, const struct pv_node *node)
{
	const struct pv_names *names = target.names;
	const struct pv_option *option = pv_option_get(name, names);
	bool is_section = pv_option_is_section(name, names);
	if (option && !read_option(reading, target, option, node))
		return false;
	if (!is_section || (option && node->kind != PV_NODE_MAP))
		return true;
	if (node->kind != PV_NODE_MAP)
		return pv_reading_expected(
		    reading, node, "a mapping of keys below this one");
	return pv_section_read(reading, target, name, node);
}

bool pv_section_read(struct pv_reading *reading, struct pv_target target,
    struct pv_str section, const struct pv_node *node)
{
	const struct pv_names *names = target.names;
	struct pv_buf name;
	bool is_right = true;
	pv_buf_init(&name, 2048);
	for (const struct pv_node *child = node->first; child;
	     child = child->next) {
		size_t mark = pv_reading_enter(reading, child->key);
		pv_buf_clear(&name);
		pv_buf_append(&name, section);
		pv_buf_append_text(&name, section.len ? "." : "");
		pv_buf_append(&name, child->key);
		struct pv_str full = pv_buf_str(&name);
		bool is_known = pv_str_find(child->key, '.') == PV_NOT_FOUND &&
				(pv_option_get(full, names) ||
				    pv_option_is_section(full, names));
		is_right =
		    (is_known
			    ? pv_section_read_key(reading, target, full, child)
			    : tell_unknown(reading, target, section, child)) &&
		    is_right;
		pv_reading_leave(reading, mark);
	}
	pv_buf_finish(&name);
	return is_right;
}

/* Each source names a host once; a later source adds to what an earlier one
 * said. Entries from here on are this source's own. */
static bool read_domain(struct pv_reading *reading, struct pv_policy *policy,
    const struct pv_node *node, size_t own_from)
{
	bool is_new;
	struct pv_domain_entry *entry = pv_domains_entry(
	    &policy->domains, reading, node, node->key, &is_new);
	if (!entry)
		return false;
	size_t number = (size_t)(entry - policy->domains.entries);
	if (!is_new && number >= own_from) {
		pv_reading_fail_key(reading, node,
		    "this is the same host as %s above", entry->name);
		return false;
	}
	if (node->kind != PV_NODE_MAP)
		return pv_reading_expected(
		    reading, node, "a mapping such as {delay: 2s}");
	struct pv_target target = pv_target_of_entry(policy, entry);
	return pv_section_read(reading, target, PV_STR(""), node);
}

bool pv_section_read_domains(struct pv_reading *reading,
    struct pv_policy *policy, const struct pv_node *node)
{
	bool is_right = true;
	size_t own_from = policy->domains.count;
	if (node->kind != PV_NODE_MAP)
		return pv_reading_expected(reading, node,
		    "a mapping such as {docs.example.org: {delay: 2s}}");
	for (const struct pv_node *child = node->first; child;
	     child = child->next) {
		size_t mark = pv_reading_enter(reading, child->key);
		is_right =
		    read_domain(reading, policy, child, own_from) && is_right;
		pv_reading_leave(reading, mark);
	}
	return is_right;
}
