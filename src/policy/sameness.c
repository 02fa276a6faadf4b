#include "policy/sameness.h"

#include "policy/domain_entry.h"

void pv_sameness_add_aliases(
    struct pv_aliases *aliases, const struct pv_pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++)
		pv_aliases_add(aliases, pv_str_of(pairs->items[i].name),
		    pv_str_of(pairs->items[i].text));
}

static const struct pv_query_names *stripped_at(
    const void *ctx, struct pv_str host, const struct pv_address *address)
{
	const struct pv_sameness *sameness = ctx;
	uint32_t numbers[PV_HOST_MATCHES_MAX];
	if (!pv_host_index_find(&sameness->index, host, address, numbers))
		return &sameness->identity.stripped;
	return &sameness->stripped[numbers[0]];
}

/* An entry's name is a pattern that was read before. */
static void add_entry(struct pv_sameness *sameness,
    const struct pv_domain_entry *entry, const struct pv_texts *stripped,
    uint32_t number)
{
	struct pv_crawl_identity *identity = &sameness->identity;
	struct pv_host_pattern pattern;
	struct pv_buf canonical;
	pv_buf_init(&canonical, 512);
	if (!pv_host_pattern_read(
		pv_str_of(entry->name), &pattern, &canonical) &&
	    pv_host_index_add(
		&sameness->index, &identity->arena, &pattern, &number))
		sameness->stripped[number] = pv_crawl_identity_names(
		    identity, stripped->items, stripped->count);
	pv_buf_finish(&canonical);
}

static void add_domains(
    struct pv_sameness *sameness, const struct pv_domains *domains)
{
	const struct pv_option *option =
	    pv_option_get(PV_STR("scope.strip_query"), &pv_names_of_policy);
	uint32_t count = 0;
	sameness->stripped = pv_arena_give_array(&sameness->identity.arena,
	    domains->count, sizeof(*sameness->stripped));
	for (size_t i = 0; i < domains->count; i++) {
		const struct pv_domain_setting *setting =
		    pv_domain_entry_get(&domains->entries[i], option);
		if (setting)
			add_entry(sameness, &domains->entries[i],
			    (const struct pv_texts *)&setting->value, count++);
	}
	if (!count)
		return;
	sameness->identity.stripped_at = stripped_at;
	sameness->identity.stripped_ctx = sameness;
}

const char *pv_sameness_key(enum pv_identity_change change)
{
	switch (change) {
	case PV_IDENTITY_ALIAS:
		return "scope.aliases";
	case PV_IDENTITY_DOCUMENT:
		return "scope.default_documents";
	case PV_IDENTITY_STRIPPED:
		return "scope.strip_query";
	default:
		return "scope.sort_query";
	}
}

void pv_sameness_write_keys(unsigned changes, struct pv_buf *buf)
{
	const char *between = "";
	for (unsigned change = PV_IDENTITY_ALIAS; change <= PV_IDENTITY_SORTED;
	     change *= 2) {
		if (!(changes & change))
			continue;
		changes &= ~change;
		pv_buf_append_format(
		    buf, "%s%s", between, pv_sameness_key(change));
		between = changes & (changes - 1) ? ", " : " and ";
	}
}

void pv_sameness_init(
    struct pv_sameness *sameness, const struct pv_policy *policy)
{
	const struct pv_scope_policy *scope = &policy->scope;
	const struct pv_texts *stripped = &policy->manners.strip_query;
	struct pv_crawl_identity *identity = &sameness->identity;
	pv_crawl_identity_init(identity);
	pv_host_index_init(&sameness->index);
	pv_sameness_add_aliases(&identity->aliases, &scope->aliases);
	pv_crawl_identity_set_documents(identity,
	    scope->default_documents.items, scope->default_documents.count);
	identity->stripped =
	    pv_crawl_identity_names(identity, stripped->items, stripped->count);
	identity->is_sorted = scope->sort_query;
	add_domains(sameness, &policy->domains);
}

void pv_sameness_finish(struct pv_sameness *sameness)
{
	pv_host_index_finish(&sameness->index);
	pv_crawl_identity_finish(&sameness->identity);
}
