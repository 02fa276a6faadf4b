#include "crawl/x_robots.h"

#include "base/ascii.h"
#include "parse/rel.h"

/* Values that have a colon of their own, and are no one's name. */
static bool is_value(struct pv_str word)
{
	static const char *const values[] = {"unavailable_after", "max-snippet",
	    "max-image-preview", "max-video-preview"};
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		if (pv_str_equal_nocase(word, pv_str_of(values[i])))
			return true;
	}
	return false;
}

static bool is_token(struct pv_str word)
{
	for (size_t i = 0; i < word.len; i++) {
		if (!pv_is_token((unsigned char)word.ptr[i]))
			return false;
	}
	return word.len > 0;
}

/* Whether the value is for us, from its name on; it is cut off then. */
static bool is_for_us(struct pv_str *value, struct pv_str product)
{
	size_t colon = pv_str_find(*value, ':');
	if (colon == PV_NOT_FOUND)
		return true;
	struct pv_str name = pv_str_trim(pv_str_head(*value, colon));
	if (!is_token(name) || is_value(name))
		return true;
	*value = pv_str_from(*value, colon + 1);
	return pv_str_equal_nocase(name, product) ||
	       pv_str_equal_nocase(name, PV_STR("pavane"));
}

bool pv_x_robots_is_nofollow(
    const struct pv_headers *headers, struct pv_str product)
{
	struct pv_robots_words words = {0};
	struct pv_str value;
	size_t at = 0;
	while (pv_headers_next(headers, PV_STR("X-Robots-Tag"), &at, &value)) {
		if (is_for_us(&value, product))
			pv_robots_words_read(&words, value);
	}
	return words.is_nofollow;
}
