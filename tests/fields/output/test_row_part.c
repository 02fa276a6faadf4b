#include "fields/output/row_part.h"

#include "tap.h"

static void test_pieces(void)
{
	const struct pv_row_summary summary = {
	    .has_kind = true, .kind = 3, .count = 2, .digest = {7}};
	struct pv_row_summary taken;
	struct pv_row_piece piece;
	struct pv_str items;
	struct pv_buf part;
	pv_buf_init(&part, 10000);
	size_t start = pv_row_piece_begin(&part);
	pv_buf_append_text(&part, "head");
	pv_row_piece_split(&part, start);
	pv_buf_append_text(&part, "tail");
	pv_row_piece_end(&part, start, PV_PIECE_JSON, 9, 1);
	start = pv_row_piece_begin(&part);
	pv_buf_append_text(&part, "one half");
	pv_row_piece_end(&part, start, PV_PIECE_RECORD, 10, 2);
	pv_row_summary_add(&summary, PV_STR("1-2"), &part);
	struct pv_str left = pv_buf_str(&part);
	ok(pv_row_summary_take(&left, &taken, &items) && taken.has_kind &&
		taken.kind == 3 && taken.count == 2 && taken.digest[0] == 7 &&
		pv_str_equal(items, PV_STR("1-2")),
	    "what all pieces are stands behind them");
	ok(pv_row_piece_next(&left, &piece) && piece.kind == PV_PIECE_JSON &&
		piece.target == 9 && piece.item == 1 &&
		pv_str_equal(piece.head, PV_STR("head")) &&
		pv_str_equal(piece.tail, PV_STR("tail")),
	    "a piece has two halves");
	ok(pv_row_piece_next(&left, &piece) && piece.kind == PV_PIECE_RECORD &&
		pv_str_equal(piece.head, PV_STR("one half")) && !piece.tail.len,
	    "or one");
	ok(!pv_row_piece_next(&left, &piece), "and then there is none");
	left = PV_STR("");
	ok(!pv_row_summary_take(&left, &taken, &items),
	    "an empty part says nothing");
	pv_buf_finish(&part);
}

static void test_full(void)
{
	struct pv_buf part;
	pv_buf_init(&part, 40);
	size_t start = pv_row_piece_begin(&part);
	pv_buf_append_text(&part, "longer than there is room for it");
	pv_row_piece_split(&part, start);
	pv_row_piece_end(&part, start, PV_PIECE_JSON, 0, 0);
	ok(part.is_full, "P5: what does not fit is seen");
	pv_buf_finish(&part);
	pv_buf_init(&part, 4);
	start = pv_row_piece_begin(&part);
	pv_row_piece_split(&part, start);
	pv_row_piece_end(&part, start, PV_PIECE_JSON, 0, 0);
	ok(part.is_full && !part.len, "P5: from the first byte on");
	pv_buf_finish(&part);
}

int main(void)
{
	test_pieces();
	test_full();
	return tap_done();
}
