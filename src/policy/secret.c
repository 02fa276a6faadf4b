#include "policy/secret.h"

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
	static const char *const parts[] = {"auth", "cookie", "token",
	    "secret", "key", "passw", "session", "credential", "signature"};
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
