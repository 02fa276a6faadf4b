#include "policy/secrets/secret.h"

#include "base/arena.h"
#include "policy/domain_entry.h"
#include "policy/policy.h"
#include "policy/seed_walk.h"
#include "policy/values/user_form.h"
#include "url/url.h"

static bool has_part(struct pv_str name, struct pv_str part)
{
	for (size_t i = 0; i + part.len <= name.len; i++) {
		if (pv_str_equal_nocase(
			pv_str_head(pv_str_from(name, i), part.len), part))
			return true;
	}
	return false;
}

/* Authorization, X-Api-Key, X-Auth-Token, X-CSRF-Token: there is no list of
 * them, so it is better to keep back one too many. */
bool pv_header_is_secret(struct pv_str name)
{
	static const char *const parts[] = {"auth", "cookie", "token", "secret",
	    "key", "passw", "session", "credential", "signature"};
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (has_part(name, pv_str_of(parts[i])))
			return true;
	}
	return false;
}

bool pv_headers_have_secret(const struct pv_pairs *headers)
{
	for (size_t i = 0; i < headers->count; i++) {
		if (pv_header_is_secret(pv_str_of(headers->items[i].name)))
			return true;
	}
	return false;
}

bool pv_setting_is_secret(const struct pv_domain_setting *setting)
{
	const char *user = setting->value.ptr;
	struct pv_user_form form;
	if (setting->option->offset ==
	    offsetof(struct pv_policy, manners.headers))
		return true;
	if (setting->option->offset !=
		offsetof(struct pv_policy, manners.user) ||
	    !user)
		return false;
	pv_user_form_read(pv_str_of(user), &form);
	return pv_user_form_is_secret(&form);
}

bool pv_domains_have_secret(const struct pv_domains *domains)
{
	for (size_t i = 0; i < domains->count; i++) {
		const struct pv_domain_entry *entry = &domains->entries[i];
		for (uint32_t j = 0; j < entry->setting_count; j++) {
			if (pv_setting_is_secret(&entry->settings[j]))
				return true;
		}
	}
	return false;
}

bool pv_domain_secrets_reach(
    const struct pv_named_seeds *seeds, const struct pv_url *url)
{
	bool is_https = url->parts.is_secure && pv_url_port(url) == 443;
	return seeds->has_authority ||
	       (!seeds->has_host && (seeds->has_port || is_https));
}

static bool is_slash(char byte)
{
	return byte == '/' || byte == '\\';
}

/* Where the authority begins: behind the slashes, however many there are; the
 * end where there is none, as in a mailto address. */
static size_t authority_of(struct pv_str address)
{
	static const struct pv_str schemes[] = {
	    PV_STR("http"), PV_STR("https")};
	size_t start = pv_str_find(address, ':');
	if (start == PV_NOT_FOUND)
		return address.len;
	struct pv_str scheme = pv_str_trim(pv_str_head(address, start++));
	bool is_scheme = start < address.len && is_slash(address.ptr[start]);
	for (size_t i = 0; i < 2; i++)
		is_scheme =
		    is_scheme || pv_str_equal_nocase(scheme, schemes[i]);
	while (is_scheme && start < address.len && is_slash(address.ptr[start]))
		start++;
	return is_scheme ? start : address.len;
}

bool pv_credentials_strip(struct pv_str address, struct pv_buf *buf)
{
	size_t start = authority_of(address), host = start;
	for (size_t i = start; i < address.len; i++) {
		char byte = address.ptr[i];
		if (is_slash(byte) || byte == '?' || byte == '#')
			break;
		if (byte == '@')
			host = i + 1;
	}
	pv_buf_append(buf, pv_str_head(address, start));
	pv_buf_append(buf, pv_str_from(address, host));
	return host > start;
}

/* Whether the first address of a seed has credentials; it is parsed into the
 * url. */
static bool has_credentials(const struct pv_seed *seed, struct pv_url *url)
{
	struct pv_buf first;
	if (seed->kind == PV_SEED_FILE)
		return false;
	pv_buf_init(&first, PV_SEED_ADDRESS_MAX);
	pv_template_write(&seed->address, 0, &first);
	bool has_any = pv_seed_parse(url, pv_buf_str(&first)) == NULL &&
		       pv_url_has_credentials(url);
	pv_buf_finish(&first);
	return has_any;
}

bool pv_seeds_have_credentials(const struct pv_seeds *seeds)
{
	struct pv_url url;
	bool have_any = false;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	for (size_t i = 0; i < seeds->count && !have_any; i++)
		have_any = has_credentials(&seeds->items[i], &url);
	pv_url_finish(&url);
	return have_any;
}

/* How an address is read may hide its credentials from what people would look
 * for: then its canonical form is taken. */
static const char *strip_seed(
    const struct pv_seed *seed, struct pv_url *url, struct pv_arena *arena)
{
	struct pv_buf stripped;
	if (!has_credentials(seed, url))
		return seed->text;
	pv_buf_init(&stripped, PV_SEED_ADDRESS_MAX);
	if (!pv_credentials_strip(pv_str_of(seed->text), &stripped)) {
		pv_url_drop_credentials(url);
		pv_buf_clear(&stripped);
		pv_buf_append(&stripped, pv_url_page(url));
	}
	const char *text = pv_arena_text(arena, pv_buf_str(&stripped));
	pv_buf_finish(&stripped);
	return text;
}

struct pv_seeds pv_seeds_strip(
    const struct pv_seeds *seeds, struct pv_arena *arena)
{
	struct pv_seeds open = {.count = seeds->count};
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	open.items =
	    pv_arena_give_array(arena, seeds->count, sizeof(*open.items));
	for (size_t i = 0; i < seeds->count; i++) {
		open.items[i] = seeds->items[i];
		open.items[i].text = strip_seed(&seeds->items[i], &url, arena);
	}
	pv_url_finish(&url);
	return open;
}
