#include "base/coding.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/reader.h"

/* Undoes content codings. The input is a line with their names, and the coded
 * bytes.
 *
 * What must hold: no more is given than the ceiling, and it makes no difference
 * in what pieces the bytes come (but for the ceilings: which of them is met
 * first, or whether a fault is, depends on that).
 */

#define BYTES_MAX ((size_t)2 * 1024 * 1024)
#define RATIO_MAX 200
#define STEP 5

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static bool is_ceiling(enum pv_coding_result result)
{
	return result == PV_CODING_TOO_LARGE || result == PV_CODING_TOO_STEEP;
}

static bool take(void *ctx, struct pv_str bytes)
{
	require(bytes.len > 0);
	require(pv_buf_append(ctx, bytes));
	return true;
}

static enum pv_coding_result undo_in_pieces(
    struct pv_str names, struct pv_str bytes, const struct pv_coding_plan *plan)
{
	struct pv_coding *coding = pv_coding_create(names, plan);
	bool is_wanted = true;
	while (bytes.len && is_wanted) {
		size_t len = bytes.len < STEP ? bytes.len : STEP;
		is_wanted = pv_coding_append(coding, pv_str_head(bytes, len));
		bytes = pv_str_from(bytes, len);
	}
	enum pv_coding_result result = pv_coding_end(coding);
	require(pv_coding_end(coding) == result);
	pv_coding_destroy(coding);
	return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str text = {(const char *)data, size};
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str names = pv_reader_take_until(&reader, '\n');
	pv_reader_next(&reader);
	struct pv_str bytes = pv_reader_rest(&reader);
	struct pv_buf once, pieces;
	pv_buf_init(&once, BYTES_MAX);
	pv_buf_init(&pieces, BYTES_MAX);
	struct pv_coding_plan plan = {.bytes_max = BYTES_MAX,
	    .ratio_max = RATIO_MAX,
	    .give = take,
	    .ctx = &once};
	enum pv_coding_result result = pv_coding_undo(names, bytes, &plan);
	plan.ctx = &pieces;
	enum pv_coding_result again = undo_in_pieces(names, bytes, &plan);
	if (!is_ceiling(result) && !is_ceiling(again)) {
		require(result == again);
		if (result == PV_CODING_WHOLE || result == PV_CODING_CUT)
			require(pv_str_equal(
			    pv_buf_str(&once), pv_buf_str(&pieces)));
	}
	pv_buf_finish(&once);
	pv_buf_finish(&pieces);
	return 0;
}
