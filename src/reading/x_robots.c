#include "reading/x_robots.h"

#include "base/ascii.h"
#include "base/reader.h"

/* Names of robots begin with a letter, times of the day do not. */
static bool is_name(struct pv_str word)
{
	for (size_t i = 0; i < word.len; i++) {
		if (!pv_is_token((unsigned char)word.ptr[i]))
			return false;
	}
	return word.len > 0 && pv_is_alpha((unsigned char)word.ptr[0]);
}

static bool is_ours(struct pv_str name, struct pv_str product)
{
	return pv_str_equal_nocase(name, product) ||
	       pv_str_equal_nocase(name, PV_STR("pavane"));
}

/* Cuts a name off the element, if one stands before it: it holds for the
 * elements behind it too, for fields that were joined on the way have several
 * (RFC 9110, 5.3). */
static bool cut_name(struct pv_str *element, struct pv_str *name)
{
	size_t colon = pv_str_find(*element, ':');
	if (colon == PV_NOT_FOUND)
		return false;
	*name = pv_str_trim(pv_str_head(*element, colon));
	if (!is_name(*name) || pv_robots_word_has_value(*name))
		return false;
	*element = pv_str_from(*element, colon + 1);
	return true;
}

static void read_field(
    struct pv_robots_words *words, struct pv_str field, struct pv_str product)
{
	struct pv_reader reader = pv_reader_of(field);
	bool is_for_us = true;
	while (!pv_reader_is_end(&reader)) {
		struct pv_str element = pv_reader_take_until(&reader, ',');
		struct pv_str name;
		pv_reader_next(&reader);
		while (cut_name(&element, &name)) {
			is_for_us = is_ours(name, product);
			pv_robots_words_end_list(words);
		}
		if (is_for_us)
			pv_robots_words_read_element(words, element);
	}
	pv_robots_words_end_list(words);
}

void pv_x_robots_read(const struct pv_headers *headers, struct pv_str product,
    struct pv_robots_words *words)
{
	struct pv_str value;
	size_t at = 0;
	while (pv_headers_next(headers, PV_STR("X-Robots-Tag"), &at, &value))
		read_field(words, value, product);
}
