#include "policy/domains.h"

#include <stdlib.h>

#include "base/array.h"
#include "policy/domain_entry.h"
#include "policy/policy.h"

void pv_domains_init(struct pv_domains *domains)
{
	*domains = (struct pv_domains){0};
	pv_host_index_init(&domains->index);
}

void pv_domains_finish(struct pv_domains *domains)
{
	pv_host_index_finish(&domains->index);
	free(domains->entries);
	*domains = (struct pv_domains){0};
}

static bool is_share_option(const struct pv_option *option)
{
	return option->offset == offsetof(struct pv_policy, manners.share);
}

/* Lays an entry's keys over the manners so far. */
static void apply(const struct pv_domain_entry *entry, struct pv_str host,
    struct pv_host_manners *answer)
{
	char *manners = (char *)&answer->manners;
	for (uint32_t i = 0; i < entry->setting_count; i++) {
		const struct pv_domain_setting *setting = &entry->settings[i];
		const struct pv_option *option = setting->option;
		size_t offset =
		    option->offset - offsetof(struct pv_policy, manners);
		memcpy(manners + offset, &setting->value, option->kind->size);
		if (is_share_option(option))
			answer->clock = setting->value.is_true
					    ? pv_str_of(entry->name)
					    : host;
	}
}

void pv_domains_answer(const struct pv_domains *domains, struct pv_str host,
    const struct pv_address *address, struct pv_host_manners *answer)
{
	uint32_t numbers[PV_HOST_MATCHES_MAX];
	host = pv_host_name_trim(host);
	answer->clock = host;
	answer->host = host;
	answer->has_address = address != NULL;
	if (address)
		answer->address = *address;
	size_t count =
	    pv_host_index_find(&domains->index, host, address, numbers);
	while (count-- > 0)
		apply(&domains->entries[numbers[count]], host, answer);
}

static struct pv_str clock_of(const struct pv_domain_entry *entry,
    struct pv_str host, struct pv_str clock)
{
	for (uint32_t i = 0; i < entry->setting_count; i++) {
		const struct pv_domain_setting *setting = &entry->settings[i];
		if (is_share_option(setting->option))
			clock = setting->value.is_true ? pv_str_of(entry->name)
						       : host;
	}
	return clock;
}

struct pv_str pv_domains_clock(
    const struct pv_domains *domains, struct pv_str host)
{
	uint32_t numbers[PV_HOST_MATCHES_MAX];
	host = pv_host_name_trim(host);
	struct pv_str clock = host;
	size_t count = pv_host_index_find(&domains->index, host, NULL, numbers);
	while (count-- > 0)
		clock =
		    clock_of(&domains->entries[numbers[count]], host, clock);
	return clock;
}

/* A host of which no pattern says more: hosts that differ in no pattern have the
 * same clocks. */
static void append_example(
    const struct pv_domain_entry *entry, struct pv_buf *host)
{
	struct pv_str name = pv_str_of(entry->name);
	if (pv_str_starts(name, PV_STR("*.")))
		pv_buf_append_format(
		    host, "any-host.%.*s", PV_STR_ARG(pv_str_from(name, 2)));
	else
		pv_buf_append(host, name);
}

static bool are_same_of(const struct pv_domains *entries,
    const struct pv_domains *one, const struct pv_domains *other)
{
	bool are_same = true;
	struct pv_buf host;
	pv_buf_init(&host, SIZE_MAX);
	for (size_t i = 0; i < entries->count && are_same; i++) {
		pv_buf_clear(&host);
		append_example(&entries->entries[i], &host);
		struct pv_str name = pv_buf_str(&host);
		are_same = pv_str_equal(
		    pv_domains_clock(one, name), pv_domains_clock(other, name));
	}
	pv_buf_finish(&host);
	return are_same;
}

bool pv_domains_have_same_clocks(
    const struct pv_domains *one, const struct pv_domains *other)
{
	return are_same_of(one, one, other) && are_same_of(other, one, other);
}

bool pv_domains_name(const struct pv_domains *domains, struct pv_str host,
    const struct pv_address *address)
{
	uint32_t numbers[PV_HOST_MATCHES_MAX];
	size_t count =
	    pv_host_index_find(&domains->index, host, address, numbers);
	for (size_t i = 0; i < count; i++) {
		const struct pv_domain_entry *entry =
		    &domains->entries[numbers[i]];
		if (entry->kind != PV_HOST_NETWORK ||
		    pv_domain_entry_is_own(entry))
			return true;
	}
	return false;
}

/* That of the most specific entry that has it; NULL if none does. */
static const struct pv_domain_setting *setting_for(
    const struct pv_host_manners *answer, const struct pv_option *option,
    const char **domain)
{
	const struct pv_domains *domains = &answer->policy->domains;
	uint32_t numbers[PV_HOST_MATCHES_MAX];
	size_t count = pv_host_index_find(&domains->index, answer->host,
	    answer->has_address ? &answer->address : NULL, numbers);
	for (size_t i = 0; i < count; i++) {
		const struct pv_domain_entry *entry =
		    &domains->entries[numbers[i]];
		const struct pv_domain_setting *setting =
		    pv_domain_entry_get(entry, option);
		if (setting) {
			*domain = entry->name;
			return setting;
		}
	}
	return NULL;
}

struct pv_origin pv_host_manners_origin(const struct pv_host_manners *answer,
    const char *option_path, const char **domain)
{
	const struct pv_option *option = NULL;
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		if (strcmp(pv_names_of_policy.options[i].path, option_path) ==
		    0)
			option = &pv_names_of_policy.options[i];
	}
	*domain = NULL;
	if (!option)
		return (struct pv_origin){0};
	const struct pv_domain_setting *setting =
	    setting_for(answer, option, domain);
	return setting ? setting->origin
		       : answer->policy
			     ->origins[option - pv_names_of_policy.options];
}

/* Building */

struct pv_domain_entry *pv_domains_entry(struct pv_domains *domains,
    struct pv_reading *reading, const struct pv_node *node,
    struct pv_str pattern, bool *is_new)
{
	struct pv_host_pattern read;
	struct pv_buf canonical;
	struct pv_domain_entry *entry = NULL;
	uint32_t number = (uint32_t)domains->count;
	pv_buf_init(&canonical, 512);
	const char *fault = pattern.len > 256 ? ""
					      : pv_host_pattern_read(
						    pattern, &read, &canonical);
	if (fault) {
		pv_reading_fail_key(reading, node, "%s%s",
		    fault[0] ? "" : "expected ",
		    fault[0] ? fault : pv_rule_domain.expected);
	} else if (pv_host_index_add(
		       &domains->index, reading->arena, &read, &number)) {
		entry = PV_ARRAY_PUSH(
		    domains->entries, domains->count, domains->size);
		*entry = (struct pv_domain_entry){
		    .name =
			pv_arena_text(reading->arena, pv_buf_str(&canonical)),
		    .kind = read.kind,
		    .network = read.network,
		    .origin = pv_reading_origin(reading, node),
		};
		*is_new = true;
	} else {
		entry = &domains->entries[number];
		*is_new = false;
	}
	pv_buf_finish(&canonical);
	return entry;
}

static struct pv_domain_setting *find_setting(
    const struct pv_domain_entry *entry, const struct pv_option *option)
{
	for (uint32_t i = 0; i < entry->setting_count; i++) {
		if (entry->settings[i].option == option)
			return &entry->settings[i];
	}
	return NULL;
}

const struct pv_domain_setting *pv_domain_entry_get(
    const struct pv_domain_entry *entry, const struct pv_option *option)
{
	return find_setting(entry, option);
}

/* Room for one more, by doubling: a policy with every key for every host would
 * otherwise fill the arena with moved entries. */
static void make_room(struct pv_domain_entry *entry, struct pv_arena *arena)
{
	size_t count = entry->setting_count;
	if (count & (count - 1))
		return;
	struct pv_domain_setting *settings = pv_arena_give_array(
	    arena, count ? count * 2 : 1, sizeof(*settings));
	if (count)
		memcpy(settings, entry->settings, count * sizeof(*settings));
	entry->settings = settings;
}

void pv_domain_entry_set(struct pv_domain_entry *entry, struct pv_arena *arena,
    const struct pv_option *option, const union pv_value *value,
    struct pv_origin origin)
{
	struct pv_domain_setting *setting = find_setting(entry, option);
	if (!setting) {
		make_room(entry, arena);
		setting = &entry->settings[entry->setting_count++];
	}
	*setting = (struct pv_domain_setting){option, *value, origin};
}

/* Both ends decide. What is no host proves nothing: the whole internet lies
 * between 0.0.0.0 and 255.255.255.255. */
bool pv_domain_entry_is_own(const struct pv_domain_entry *entry)
{
	const struct pv_network *network = &entry->network;
	if (entry->kind != PV_HOST_NETWORK)
		return false;
	enum pv_address_kind kind = pv_address_kind(&network->address);
	struct pv_address last = network->address;
	for (unsigned bit = network->prefix; bit < last.bits; bit++)
		last.bytes[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
	return (kind == PV_ADDRESS_LOOPBACK || kind == PV_ADDRESS_PRIVATE) &&
	       pv_address_kind(&last) == kind;
}

/* robots.txt is ignored only for a host that is named, or on a private network;
 * never for all hosts that match a star. */
static bool may_ignore_robots(const struct pv_domain_entry *entry)
{
	if (entry->kind == PV_HOST_EXACT)
		return true;
	return entry->kind == PV_HOST_NETWORK &&
	       (pv_domain_entry_is_own(entry) ||
		   entry->network.prefix == entry->network.address.bits);
}

bool pv_domain_setting_fits(struct pv_reading *reading,
    const struct pv_node *node, const struct pv_domain_entry *entry,
    const struct pv_option *option, const union pv_value *value)
{
	size_t robots = offsetof(struct pv_policy, manners.robots);
	if (option->offset == robots && value->choice == PV_ROBOTS_IGNORE &&
	    !may_ignore_robots(entry))
		return pv_reading_fail(reading, node,
		    "robots.txt can be ignored only for exact names and "
		    "private address ranges; %s is neither",
		    entry->name);
	if (is_share_option(option) && value->is_true &&
	    entry->kind != PV_HOST_BELOW)
		return pv_reading_fail(reading, node,
		    "only the hosts of a \"*.\" name can share a clock; %s is "
		    "not such a name",
		    entry->name);
	return true;
}
