#include <stdint.h>
#include <stdlib.h>

#include "http/link_field.h"

/* Reads the value of a Link header.
 *
 * What must hold: links are pieces of the value, in order and apart, and so are
 * their parameters; what a parameter says is no longer than it stands there and
 * keeps its ceiling; and a link that is written again by itself is read as
 * itself, with the same relations.
 */

#define VALUE_LEN_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static const char *const relations[] = {"next", "canonical", "preload"};

static void check_parameters(const struct pv_link_field *link)
{
	static const char *const names[] = {"rel", "title", "type", "title*"};
	struct pv_buf value;
	pv_buf_init(&value, VALUE_LEN_MAX);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		pv_buf_clear(&value);
		pv_link_field_get(link, pv_str_of(names[i]), &value);
		require(value.len <= link->parameters.len);
		require(value.len <= VALUE_LEN_MAX);
	}
	pv_buf_finish(&value);
}

static void check_again(const struct pv_link_field *link)
{
	struct pv_buf text;
	struct pv_link_field again;
	pv_buf_init(&text, link->target.len + link->parameters.len + 2);
	pv_buf_append_char(&text, '<');
	pv_buf_append(&text, link->target);
	pv_buf_append_char(&text, '>');
	pv_buf_append(&text, link->parameters);
	struct pv_reader reader = pv_reader_of(pv_buf_str(&text));
	require(pv_link_field_next(&reader, &again));
	require(pv_str_equal(again.target, link->target));
	require(pv_str_equal(again.parameters, link->parameters));
	for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++) {
		struct pv_str rel = pv_str_of(relations[i]);
		require(pv_link_field_has_rel(&again, rel) ==
			pv_link_field_has_rel(link, rel));
	}
	require(!pv_link_field_next(&reader, &again));
	pv_buf_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str value = {(const char *)data, size};
	struct pv_reader reader = pv_reader_of(value);
	struct pv_link_field link;
	const char *end = value.ptr;
	while (pv_link_field_next(&reader, &link)) {
		require(link.target.ptr > end);
		end = link.target.ptr + link.target.len;
		require(link.parameters.ptr > end);
		end = link.parameters.ptr + link.parameters.len;
		require(end <= value.ptr + value.len && end == reader.at);
		check_parameters(&link);
		check_again(&link);
	}
	require(pv_reader_is_end(&reader));
	return 0;
}
