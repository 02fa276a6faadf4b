#include <stdint.h>
#include <stdlib.h>

#include "base/reader.h"
#include "reading/page_terms.h"
#include "http/date.h"
#include "http/first_bytes.h"
#include "http/headers.h"
#include "http/link_field.h"
#include "http/media_type.h"
#include "http/rate_limit.h"
#include "http/retry_after.h"

/* Reads the header of a message, and each of its values as if it were of every
 * kind that we read. The input is lines that end in LF, which may hold
 * anything else.
 *
 * The whole is also read for what it says of what may be done with a page, and
 * as a body that nobody has named.
 *
 * What must hold: no list outgrows its ceilings, what is in one would be taken
 * again as it is, a date that is read is written and read as itself, nobody
 * waits less than nothing or longer than the longest wait, a hint that is given
 * twice stays the same, and what is recorded of a page is bounded, and the same
 * when it is read again; and what a body is taken for is a media type.
 */

#define COUNT_MAX 20
#define BYTES_MAX 2000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static bool lies_within(struct pv_str part, struct pv_str whole)
{
	return !part.len || (part.ptr >= whole.ptr &&
				part.ptr + part.len <= whole.ptr + whole.len);
}

static void check_date(struct pv_str value, struct pv_buf *buf)
{
	int64_t time_ms, again_ms, wait_ms;
	int64_t now_ms = (int64_t)value.len * 1000000000;
	if (pv_date_read(value, now_ms, &time_ms) &&
	    pv_date_write(time_ms, buf)) {
		require(pv_date_read(pv_buf_str(buf), now_ms, &again_ms));
		require(again_ms == time_ms);
	}
	pv_buf_clear(buf);
	if (pv_retry_after_read(value, now_ms, &wait_ms))
		require(wait_ms >= 0 && wait_ms <= PV_RETRY_AFTER_MAX_MS);
}

static void check_media_type(struct pv_str value, struct pv_buf *buf)
{
	struct pv_media_type type, again;
	if (!pv_media_type_read(value, &type))
		return;
	require(lies_within(type.name, value));
	require(lies_within(type.parameters, value));
	require(pv_media_type_is(&type, type.name));
	require(pv_media_type_read(type.name, &again));
	require(pv_str_equal(again.name, type.name));
	pv_media_type_get(&type, PV_STR("charset"), buf);
	require(buf->len <= value.len);
	pv_buf_clear(buf);
}

static void check_first_bytes(struct pv_str body)
{
	struct pv_media_type type;
	struct pv_str found = pv_first_bytes_type(body);
	struct pv_str signature = pv_first_bytes_signature(body);
	require(!found.len || pv_media_type_read(found, &type));
	require(!signature.len || pv_str_equal(signature, found));
}

static void check_links(struct pv_str value, struct pv_buf *buf)
{
	struct pv_reader reader = pv_reader_of(value);
	struct pv_link_field link;
	size_t left = pv_reader_left(&reader) + 1;
	while (pv_link_field_next(&reader, &link)) {
		require(pv_reader_left(&reader) < left);
		left = pv_reader_left(&reader);
		require(lies_within(link.target, value));
		require(lies_within(link.parameters, value));
		pv_link_field_has_rel(&link, PV_STR("next"));
		pv_link_field_get(&link, PV_STR("title"), buf);
		pv_buf_clear(buf);
	}
	require(pv_reader_is_end(&reader));
}

static int64_t hint_of(const struct pv_headers *headers)
{
	int64_t hint_ms = pv_rate_limit_hint_ms(headers, 1700000000000);
	require(hint_ms >= 0 && hint_ms <= PV_RATE_LIMIT_HINT_MAX_MS);
	return hint_ms;
}

/* As if it were what each of the fields says, with others and without. */
static void check_rate_limit(struct pv_str value)
{
	static const char *const names[] = {"RateLimit", "RateLimit-Policy",
	    "RateLimit-Remaining", "X-RateLimit-Reset",
	    "X-RateLimit-Remaining"};
	struct pv_headers headers;
	pv_headers_init(&headers, COUNT_MAX, (size_t)20 * BYTES_MAX);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		pv_headers_add(&headers, pv_str_of(names[i]), value);
		int64_t once = hint_of(&headers);
		pv_headers_add(&headers, pv_str_of(names[i]), value);
		require(hint_of(&headers) == once);
	}
	pv_headers_finish(&headers);
}

static void check_header(const struct pv_header *header)
{
	struct pv_headers again;
	struct pv_buf buf;
	pv_headers_init(&again, 1, BYTES_MAX);
	require(pv_headers_add(&again, header->name, header->value) ==
		PV_HEADER_ADDED);
	struct pv_str value = pv_headers_get(&again, header->name);
	require(pv_str_equal(value, header->value));
	pv_headers_finish(&again);
	pv_buf_init(&buf, BYTES_MAX);
	check_date(header->value, &buf);
	check_media_type(header->value, &buf);
	check_links(header->value, &buf);
	check_rate_limit(header->value);
	pv_buf_finish(&buf);
}

/* What was kept of robots' words is read as itself. */
static void check_words(const struct pv_robots_words *words)
{
	struct pv_robots_words again;
	struct pv_buf text;
	pv_robots_words_init(&again);
	pv_buf_init(&text, PV_TERM_BYTES);
	pv_robots_words_write(words, &text);
	require(!text.is_full);
	pv_robots_words_read(&again, pv_buf_str(&text));
	require(again.known == words->known);
	pv_buf_finish(&text);
	pv_robots_words_finish(&again);
}

static void check_terms(const struct pv_headers *headers)
{
	struct pv_page_terms terms;
	struct pv_terms said;
	const struct pv_page_terms_sources sources = {.headers = headers};
	pv_page_terms_init(&terms);
	pv_terms_init(&said);
	pv_page_terms_read(&terms, headers, PV_STR("bot"));
	check_words(&terms.robots);
	pv_page_terms_record(&terms, &sources, &said);
	for (size_t i = 0; i < said.count; i++) {
		struct pv_str text;
		pv_terms_at(&said, i, &text);
		require(text.len > 0 && text.len <= PV_TERM_BYTES);
		require(pv_str_find(text, '\n') == PV_NOT_FOUND);
	}
	pv_terms_finish(&said);
	pv_page_terms_finish(&terms);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	struct pv_headers headers;
	check_first_bytes(pv_reader_rest(&reader));
	pv_headers_init(&headers, COUNT_MAX, BYTES_MAX);
	while (!pv_reader_is_end(&reader)) {
		struct pv_str line = pv_reader_take_until(&reader, '\n');
		line.len += pv_reader_accept(&reader, '\n');
		pv_headers_add_line(&headers, line);
	}
	require(headers.count <= COUNT_MAX);
	require(headers.text.len <= BYTES_MAX);
	hint_of(&headers);
	for (size_t i = 0; i < headers.count; i++) {
		struct pv_header header = pv_headers_at(&headers, i);
		check_header(&header);
	}
	check_terms(&headers);
	pv_headers_finish(&headers);
	return 0;
}
