#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "http/content_range.h"

/* Reads the value of a Content-Range header.
 *
 * What must hold: what is read lies within the whole, and the whole within what
 * a file can hold; written again it is read as itself, and nothing may follow
 * it; what is not read changes nothing.
 */

#define VALUE_LEN_MAX 100

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_again(const struct pv_content_range *range)
{
	struct pv_content_range again = {0, 0, 0};
	struct pv_buf text;
	pv_buf_init(&text, VALUE_LEN_MAX);
	pv_buf_append_format(
	    &text, "bytes %" PRIu64 "-%" PRIu64 "/", range->first, range->last);
	if (range->complete == PV_CONTENT_RANGE_UNKNOWN)
		pv_buf_append_char(&text, '*');
	else
		pv_buf_append_format(&text, "%" PRIu64, range->complete);
	require(pv_content_range_read(pv_buf_str(&text), &again));
	require(again.first == range->first && again.last == range->last &&
		again.complete == range->complete);
	pv_buf_append_char(&text, ',');
	require(!pv_content_range_read(pv_buf_str(&text), &again));
	pv_buf_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str value = {(const char *)data, size};
	struct pv_content_range range = {1, 2, 3};
	if (!pv_content_range_read(value, &range)) {
		require(
		    range.first == 1 && range.last == 2 && range.complete == 3);
		return 0;
	}
	require(range.first <= range.last && range.last < range.complete);
	require(range.last <= INT64_MAX);
	require(range.complete == PV_CONTENT_RANGE_UNKNOWN ||
		range.complete <= INT64_MAX);
	check_again(&range);
	return 0;
}
