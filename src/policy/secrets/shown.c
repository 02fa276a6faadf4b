#include "policy/secrets/shown.h"

#include "policy/domain_entry.h"
#include "policy/policy.h"
#include "policy/secrets/secret.h"
#include "policy/values/proxy_form.h"
#include "policy/values/user_form.h"

static struct pv_pairs open_headers(
    const struct pv_pairs *headers, struct pv_arena *arena)
{
	struct pv_pairs open = {.items = pv_arena_give_array(
				    arena, headers->count, sizeof(*open.items))};
	for (size_t i = 0; i < headers->count; i++) {
		if (!pv_header_is_secret(pv_str_of(headers->items[i].name)))
			open.items[open.count++] = headers->items[i];
	}
	return open;
}

static const char *open_proxy(const char *proxy, struct pv_arena *arena)
{
	struct pv_proxy_form form;
	struct pv_buf host, open;
	pv_buf_init(&host, SIZE_MAX);
	pv_buf_init(&open, SIZE_MAX);
	pv_proxy_form_read(pv_str_of(proxy), &form, &host);
	if (pv_proxy_form_is_secret(&form)) {
		pv_proxy_form_write_open(&form, pv_buf_str(&host), &open);
		proxy = pv_arena_text(arena, pv_buf_str(&open));
	}
	pv_buf_finish(&open);
	pv_buf_finish(&host);
	return proxy;
}

static struct pv_texts open_proxies(
    const struct pv_texts *proxies, struct pv_arena *arena)
{
	struct pv_texts open = {.items = pv_arena_give_array(
				    arena, proxies->count, sizeof(*open.items))};
	for (size_t i = 0; i < proxies->count; i++)
		open.items[open.count++] = open_proxy(proxies->items[i], arena);
	return open;
}

/* Of a key of the domain table; its proxies are a value of their own. */
static struct pv_domain_setting open_setting(
    const struct pv_domain_setting *setting, struct pv_arena *arena)
{
	struct pv_domain_setting open = *setting;
	struct pv_texts proxies;
	if (setting->option->kind != &pv_kind_proxies)
		return open;
	memcpy(&proxies, &setting->value, sizeof(proxies));
	proxies = open_proxies(&proxies, arena);
	memcpy(&open.value, &proxies, sizeof(proxies));
	return open;
}

static struct pv_domain_entry open_entry(
    const struct pv_domain_entry *entry, struct pv_arena *arena)
{
	struct pv_domain_entry open = *entry;
	open.setting_count = 0;
	open.settings = pv_arena_give_array(
	    arena, entry->setting_count, sizeof(*open.settings));
	for (uint32_t i = 0; i < entry->setting_count; i++) {
		if (!pv_setting_is_secret(&entry->settings[i]))
			open.settings[open.setting_count++] =
			    open_setting(&entry->settings[i], arena);
	}
	return open;
}

static struct pv_domains open_domains(
    const struct pv_domains *domains, struct pv_arena *arena)
{
	struct pv_domains open = *domains;
	open.entries = pv_arena_give_array(
	    arena, domains->count, sizeof(*open.entries));
	for (size_t i = 0; i < domains->count; i++)
		open.entries[i] = open_entry(&domains->entries[i], arena);
	return open;
}

struct pv_policy pv_policy_shown(
    const struct pv_policy *policy, struct pv_arena *arena)
{
	struct pv_policy shown = *policy;
	shown.fetch.headers = open_headers(&policy->fetch.headers, arena);
	shown.seeds = pv_seeds_strip(&policy->seeds, arena);
	shown.manners.proxies = open_proxies(&policy->manners.proxies, arena);
	shown.domains = open_domains(&policy->domains, arena);
	return shown;
}

/* One value */

static void write_names(const struct pv_pairs *headers, struct pv_buf *buf)
{
	for (size_t i = 0; i < headers->count; i++)
		pv_buf_append_format(
		    buf, "%s%s", i ? ", " : "", headers->items[i].name);
	if (!headers->count)
		pv_buf_append_text(buf, "none");
}

/* False if there is nothing to be kept back. */
static bool write_name(const char *user, struct pv_buf *buf)
{
	struct pv_user_form form;
	if (!user)
		return false;
	pv_user_form_read(pv_str_of(user), &form);
	if (pv_user_form_is_secret(&form))
		pv_buf_append_format(
		    buf, "%.*s, with a password", PV_STR_ARG(form.name));
	return pv_user_form_is_secret(&form);
}

void pv_shown_write(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	if (option->kind == &pv_kind_proxies) {
		struct pv_texts open = open_proxies(field, &arena);
		option->kind->write(option, &open, buf);
	} else if (option->offset ==
		   offsetof(struct pv_policy, manners.headers)) {
		write_names(field, buf);
	} else if (option->kind != &pv_kind_user ||
		   !write_name(*(const char *const *)field, buf)) {
		option->kind->write(option, field, buf);
	}
	pv_arena_finish(&arena);
}
