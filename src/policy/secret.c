#include "policy/secret.h"

#include "base/str.h"

/* Whether the word is part of the name, whatever the case. */
static bool has_word(struct pv_str name, struct pv_str word)
{
	for (size_t i = 0; i + word.len <= name.len; i++) {
		if (pv_str_equal_nocase(
			pv_str_head(pv_str_from(name, i), word.len), word))
			return true;
	}
	return false;
}

bool pv_header_is_secret(const char *name)
{
	static const char *const words[] = {
	    "auth", "cookie", "token", "key", "secret", "session", "password"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (has_word(pv_str_of(name), pv_str_of(words[i])))
			return true;
	}
	return false;
}

bool pv_headers_have_secret(const struct pv_pairs *headers)
{
	for (size_t i = 0; i < headers->count; i++) {
		if (pv_header_is_secret(headers->items[i].name))
			return true;
	}
	return false;
}
