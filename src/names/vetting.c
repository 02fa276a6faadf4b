#include "names/vetting.h"

#include "base/visible.h"
#include "names/host_text.h"
#include "policy/values/private_list.h"
#include "url/url.h"

/* The author of the seeds chooses their names: no stranger can make them
 * collide. */
static const struct pv_hash_key hash_key = {{0x70617661, 0x6e65}};

void pv_vetting_init(struct pv_vetting *vetting, const struct pv_policy *policy,
    const struct pv_resolve_table *resolve)
{
	*vetting = (struct pv_vetting){.policy = policy, .resolve = resolve};
	pv_map_init(&vetting->named, hash_key);
	pv_arena_init(&vetting->arena);
}

void pv_vetting_finish(struct pv_vetting *vetting)
{
	pv_map_finish(&vetting->named);
	pv_arena_finish(&vetting->arena);
}

void pv_vetting_add_named(struct pv_vetting *vetting, struct pv_str host)
{
	host = pv_host_name_trim(host);
	if (!pv_map_get(&vetting->named, host))
		pv_map_add(
		    &vetting->named, pv_arena_copy(&vetting->arena, host), 0);
}

static bool is_seed_of(const struct pv_policy *owner, struct pv_str host)
{
	struct pv_url url;
	bool is_there = false;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	for (size_t i = 0; i < owner->seeds.count && !is_there; i++) {
		const struct pv_seed *seed = &owner->seeds.items[i];
		is_there = seed->kind != PV_SEED_FILE &&
			   !pv_seed_parse(&url, pv_str_of(seed->text)) &&
			   pv_str_equal(pv_host_name_trim(pv_url_host(&url)),
			       pv_host_name_trim(host));
	}
	pv_url_finish(&url);
	return is_there;
}

/* By the owner, where a stranger has handed the policy in. */
static bool is_named_by_owner(const struct pv_policy *policy,
    struct pv_str host, const struct pv_address *address)
{
	return pv_domains_name(&policy->owner->domains, host, address) ||
	       is_seed_of(policy->owner, host) ||
	       (policy->lent &&
		   pv_private_list_has(policy->lent, host, address));
}

static bool is_named(const struct pv_vetting *vetting, struct pv_str host,
    const struct pv_address *address)
{
	struct pv_address itself;
	bool is_address = pv_host_text_as_address(host, &itself);
	if (pv_resolve_table_get(
		vetting->resolve, host, is_address ? &itself : NULL))
		return true;
	if (vetting->policy->owner)
		return is_named_by_owner(vetting->policy, host, address);
	return pv_map_get(&vetting->named, pv_host_name_trim(host)) ||
	       pv_domains_name(&vetting->policy->domains, host, address);
}

/* The line of never.txt that names the host or the address; 0 if none does. A
 * host that is an address may be found at another one. */
static uint32_t line_of_never(const struct pv_vetting *vetting,
    struct pv_str host, const struct pv_address *address)
{
	const struct pv_never *never = &vetting->policy->never;
	struct pv_address itself;
	uint32_t line = pv_never_find(never, host, address);
	if (!line && pv_host_text_as_address(host, &itself))
		line = pv_never_find(never, host, &itself);
	return line;
}

enum pv_vetted pv_vetting_judge(const struct pv_vetting *vetting,
    struct pv_str host, const struct pv_address *address)
{
	enum pv_address_kind kind = pv_address_kind(address);
	if (kind == PV_ADDRESS_NOT_A_HOST)
		return PV_VETTED_NO_HOST;
	if (line_of_never(vetting, host, address))
		return PV_VETTED_ASKED_AWAY;
	if (kind == PV_ADDRESS_PUBLIC)
		return PV_VETTED_YES;
	switch ((enum pv_private)vetting->policy->fetch.private) {
	case PV_PRIVATE_ALL:
		return PV_VETTED_YES;
	case PV_PRIVATE_NONE:
		return PV_VETTED_NO_PRIVATE;
	case PV_PRIVATE_NAMED:
		break;
	}
	if (is_named(vetting, host, address))
		return PV_VETTED_YES;
	return PV_VETTED_UNNAMED;
}

static void explain_never(const struct pv_vetting *vetting, struct pv_str host,
    const struct pv_address *address, struct pv_buf *why)
{
	uint32_t line = line_of_never(vetting, host, address);
	pv_buf_append_format(why,
	    " belongs to somebody who has asked us away (line %u of ", line);
	pv_visible_append(why, pv_str_of(vetting->policy->never.path));
	pv_buf_append_char(why, ')');
}

void pv_vetting_explain(const struct pv_vetting *vetting, struct pv_str host,
    const struct pv_address *address, struct pv_buf *why)
{
	enum pv_vetted vetted = pv_vetting_judge(vetting, host, address);
	pv_address_write(address, why);
	switch (vetted) {
	case PV_VETTED_YES:
		pv_buf_append_text(why, " may be reached");
		break;
	case PV_VETTED_NO_HOST:
		pv_buf_append_text(why, " is no address that a host can have");
		break;
	case PV_VETTED_ASKED_AWAY:
		explain_never(vetting, host, address, why);
		break;
	case PV_VETTED_UNNAMED:
		pv_buf_append_text(why,
		    " is on this machine or a private network, and neither "
		    "seeds nor domains nor fetch.resolve name the host");
		break;
	case PV_VETTED_NO_PRIVATE:
		pv_buf_append_text(why,
		    " is on this machine or a private network, which "
		    "fetch.private: none forbids");
		break;
	}
}
