#include <stdint.h>
#include <stdlib.h>

#include "parse/refresh.h"
#include "parse/srcset.h"

/* Reads a value as a srcset, as a refresh and for its references.
 *
 * What must hold: addresses are pieces of the value, in order and apart, none
 * is empty, and what is read never grows beyond a small multiple.
 */

#define TIMES_MAX 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_srcset(struct pv_str value)
{
	struct pv_srcset srcset;
	struct pv_str address;
	const char *end = value.ptr;
	pv_srcset_init(&srcset, value);
	while (pv_srcset_next(&srcset, &address)) {
		require(address.len > 0 && address.ptr >= end);
		end = address.ptr + address.len;
		require(end <= value.ptr + value.len);
	}
}

static void check_refresh(struct pv_str value)
{
	struct pv_str address;
	if (!pv_refresh_read(value, &address))
		return;
	require(address.ptr >= value.ptr && address.len > 0);
	require(address.ptr + address.len <= value.ptr + value.len);
}

static void check_references(struct pv_str value)
{
	struct pv_decoder decoder;
	struct pv_buf scratch;
	pv_decoder_init(&decoder, NULL);
	pv_buf_init(&scratch, (size_t)-1);
	pv_value_read(value, &decoder, &scratch);
	require(scratch.len <= value.len * TIMES_MAX);
	pv_buf_finish(&scratch);
	pv_decoder_finish(&decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str value = {(const char *)data, size};
	check_srcset(value);
	check_refresh(value);
	check_references(value);
	return 0;
}
