#include "fields/output/turning.h"

#include "fields/item_runs.h"
#include "fields/output/composing.h"
#include "fields/output/packed.h"
#include "fields/output/row_part.h"
#include "fields/row_csv.h"
#include "fields/row_json.h"
#include "http/status.h"
#include "store/tables/field_faults.h"
#include "store/tables/note.h"

/* One page on its way. */
struct turn {
	struct pv_turning *all;
	const struct pv_page *page;
	uint64_t id;
	bool has_own; /* rows, or problems, when it was read here last */
	struct pv_page_rows own;
	bool is_distant; /* another worker of the fleet has read it since */
	bool has_had;    /* the same, whoever has read it */
	struct pv_page_rows had;
	struct pv_item_runs had_items;
	struct pv_row_summary now; /* has_kind is false: it has none */
	struct pv_str items;
	struct pv_item_runs now_items;
	struct pv_str pieces;
	bool is_same_kind;
	bool is_written;
};

void pv_turning_init(struct pv_turning *turning,
    const struct pv_fields_layout *layout, struct pv_database *database)
{
	*turning = (struct pv_turning){.layout = layout, .database = database};
	pv_page_rows_table_init(&turning->table, database);
	pv_buf_init(&turning->texts, SIZE_MAX);
	pv_buf_init(&turning->own_texts, SIZE_MAX);
	pv_buf_init(&turning->line, SIZE_MAX);
}

void pv_turning_finish(struct pv_turning *turning)
{
	pv_page_rows_table_finish(&turning->table);
	pv_buf_finish(&turning->texts);
	pv_buf_finish(&turning->own_texts);
	pv_buf_finish(&turning->line);
}

static void write_line(
    struct turn *turn, size_t file, struct pv_str line, struct pv_str end)
{
	turn->is_written =
	    turn->is_written &&
	    pv_line_files_append(turn->all->lines, file, line, end);
}

/* Rows that are gone */

static void write_gone_line(
    struct turn *turn, size_t kind, uint32_t item, struct pv_str url)
{
	const struct pv_fields_layout *layout = turn->all->layout;
	const struct pv_kind_places *places = &layout->kinds[kind];
	struct pv_row_facts facts = pv_row_facts_of(turn->page, url, item);
	struct pv_buf *line = &turn->all->line;
	if (places->json != PV_PLACE_NONE) {
		pv_buf_clear(line);
		pv_row_json_write_facts(&facts, line);
		pv_row_json_write_change(PV_ROW_GONE, line);
		write_line(
		    turn, places->json, pv_buf_str(line), PV_ROW_JSON_END);
	}
	if (places->csv != PV_PLACE_NONE) {
		pv_buf_clear(line);
		pv_row_csv_write_facts(&facts, line);
		pv_row_csv_write_change(PV_ROW_GONE, line);
		pv_row_csv_write_nothing(&layout->pages->items[kind], line);
		write_line(turn, places->csv, pv_buf_str(line), PV_STR(""));
	}
}

/* Those that are not among the ones that stay. */
static void write_gone(
    struct turn *turn, size_t kind, const struct pv_item_runs *staying)
{
	struct pv_buf url;
	pv_fields_compose_url(turn->page, &url);
	for (size_t i = 0; i < turn->had_items.count; i++) {
		struct pv_item_run run = turn->had_items.items[i];
		for (uint64_t item = run.first; item <= run.last; item++)
			if (!pv_item_runs_has(staying, (uint32_t)item))
				write_gone_line(turn, kind, (uint32_t)item,
				    pv_buf_str(&url));
	}
	pv_buf_finish(&url);
}

static size_t find(const struct pv_pages *pages, struct pv_str name)
{
	size_t number = 0;
	while (number < pages->count &&
	       !pv_str_equal(pv_str_of(pages->items[number].name), name))
		number++;
	return number;
}

/* Those in tables end, whatever follows. */
static void end_rows(struct turn *turn)
{
	const struct pv_fields_layout *layout = turn->all->layout;
	size_t kind = turn->has_own && turn->own.count
			  ? find(layout->pages, turn->own.kind)
			  : layout->pages->count;
	if (!turn->all->rows || kind >= layout->pages->count)
		return;
	size_t table = layout->kinds[kind].table;
	if (table == PV_PLACE_NONE)
		return;
	size_t count = 1 + pv_kind_record_count(&layout->pages->items[kind]);
	for (size_t i = 0; i < count; i++)
		pv_rows_database_end_page(turn->all->rows, table + i, turn->id);
}

/* Of a kind that the policy does not have any more there are no files. */
static void leave(struct turn *turn)
{
	static const struct pv_item_runs none = {.count = 0};
	const struct pv_pages *pages = turn->all->layout->pages;
	size_t kind =
	    turn->has_had ? find(pages, turn->had.kind) : pages->count;
	end_rows(turn);
	if (kind >= pages->count || !turn->had.count)
		return;
	write_gone(turn, kind, turn->is_same_kind ? &turn->now_items : &none);
}

/* Rows that are there */

static void bind_all(struct pv_rows_database *rows, struct pv_str packed)
{
	struct pv_packed_value value;
	while (pv_packed_next(&packed, &value)) {
		if (value.kind == PV_PACKED_NUMBER)
			pv_rows_database_bind_number(rows, value.number);
		else if (value.kind == PV_PACKED_TEXT)
			pv_rows_database_bind_text(rows, value.text);
		else
			pv_rows_database_bind_null(rows);
	}
}

static void add_row(struct turn *turn, const struct pv_row_piece *piece,
    enum pv_row_change change)
{
	struct pv_rows_database *rows = turn->all->rows;
	pv_rows_database_begin_row(rows, piece->target, turn->id);
	bind_all(rows, piece->head);
	if (piece->kind == PV_PIECE_ROW)
		pv_rows_database_bind_text(
		    rows, pv_str_of(pv_row_change_word(change)));
	bind_all(rows, piece->tail);
	pv_rows_database_add_row(rows);
}

static void write_halves(struct turn *turn, const struct pv_row_piece *piece,
    enum pv_row_change change)
{
	struct pv_buf *word = &turn->all->line;
	pv_buf_clear(word);
	if (piece->kind == PV_PIECE_JSON)
		pv_row_json_write_change(change, word);
	else
		pv_row_csv_write_change(change, word);
	write_line(turn, piece->target, piece->head, pv_buf_str(word));
	write_line(turn, piece->target, piece->tail, PV_STR(""));
}

static void write_piece(struct turn *turn, const struct pv_row_piece *piece)
{
	bool was_there = turn->is_same_kind &&
			 pv_item_runs_has(&turn->had_items, piece->item);
	enum pv_row_change change = was_there ? PV_ROW_CHANGED : PV_ROW_NEW;
	switch (piece->kind) {
	case PV_PIECE_JSON:
	case PV_PIECE_CSV:
		write_halves(turn, piece, change);
		break;
	case PV_PIECE_RECORD:
		write_line(turn, piece->target, piece->head, PV_STR(""));
		break;
	case PV_PIECE_ROW:
	case PV_PIECE_RECORD_ROW:
		add_row(turn, piece, change);
		break;
	case PV_PIECE_PROBLEM:
	case PV_PIECE_FAULT:
		break;
	}
}

static void write_rows(struct turn *turn)
{
	struct pv_str left = turn->pieces;
	struct pv_row_piece piece;
	while (turn->is_written && pv_row_piece_next(&left, &piece))
		write_piece(turn, &piece);
}

/* Problems */

static struct pv_str kind_now(const struct turn *turn)
{
	return pv_str_of(turn->all->layout->pages->items[turn->now.kind].name);
}

static void write_problems(struct turn *turn)
{
	struct pv_str left = turn->pieces;
	struct pv_row_piece piece;
	while (pv_row_piece_next(&left, &piece)) {
		const struct pv_field_fault_count fault = {
		    .kind = kind_now(turn),
		    .field = piece.head,
		    .fault = piece.target,
		    .count = piece.item,
		};
		if (piece.kind == PV_PIECE_PROBLEM)
			write_line(turn, piece.target, piece.head, PV_STR(""));
		else if (piece.kind == PV_PIECE_FAULT)
			pv_field_faults_add(turn->all->database, &fault);
	}
}

/* The state */

static void count_change(struct turn *turn)
{
	const struct pv_page_rows_table *table = &turn->all->table;
	if (turn->has_own && turn->own.count)
		pv_page_rows_table_count(
		    table, turn->own.kind, -1, -(int64_t)turn->own.count);
	if (turn->now.has_kind && turn->now.count)
		pv_page_rows_table_count(
		    table, kind_now(turn), 1, (int64_t)turn->now.count);
}

static void note_given(struct pv_turning *turning)
{
	if (!turning->has_given)
		pv_note_set(turning->database, PV_STR(PV_FIELDS_GIVEN_NOTE), 1);
	turning->has_given = true;
}

static void keep_state(struct turn *turn)
{
	const struct pv_page_rows_table *table = &turn->all->table;
	const struct pv_row_summary *now = &turn->now;
	if (now->has_given)
		note_given(turn->all);
	if (turn->is_distant)
		pv_page_rows_table_remove_distant(table, turn->id);
	if (!now->has_kind || (!now->count && !now->problems)) {
		if (turn->has_own)
			pv_page_rows_table_remove(table, turn->id);
		return;
	}
	const struct pv_page_rows rows = {
	    .kind = kind_now(turn),
	    .count = now->count,
	    .items = turn->items,
	    .digest = {(const char *)now->digest, sizeof(now->digest)},
	    .problems = now->problems,
	};
	pv_page_rows_table_set(table, turn->id, &rows);
}

/* The page */

static bool has_same_rows(const struct turn *turn)
{
	const struct pv_str digest = {
	    (const char *)turn->now.digest, sizeof(turn->now.digest)};
	return turn->is_same_kind && pv_str_equal(turn->had.digest, digest);
}

static void make_turn(struct turn *turn)
{
	bool has_had_problems =
	    turn->is_same_kind && turn->had.problems == turn->now.problems;
	bool is_same =
	    has_same_rows(turn) && (has_had_problems || !turn->is_distant);
	bool has_same_problems =
	    has_had_problems && (is_same || !turn->is_distant);
	if (!is_same) {
		leave(turn);
		write_rows(turn);
		count_change(turn);
	}
	if (!has_same_problems && turn->now.problems)
		write_problems(turn);
	if (!is_same || !has_same_problems)
		keep_state(turn);
}

static bool is_read_as_nothing(const struct turn *turn)
{
	const struct pv_response *response = turn->page->response;
	return !turn->now.has_kind && response &&
	       response->outcome == PV_OUTCOME_ANSWERED &&
	       pv_http_class(response->http_status) == PV_HTTP_SUCCESS;
}

/* Whether there is anything that it says of the page's rows. */
static bool is_to_be_made(struct turn *turn, struct pv_str part)
{
	enum pv_change change = turn->page->change;
	if (change == PV_CHANGE_FAILED)
		return false;
	turn->pieces = part;
	bool has_rows =
	    pv_row_summary_take(&turn->pieces, &turn->now, &turn->items);
	if (change == PV_CHANGE_GONE) {
		turn->now = (struct pv_row_summary){.has_kind = false};
		turn->pieces = turn->items = PV_STR("");
		return true;
	}
	return has_rows && (turn->now.has_kind || is_read_as_nothing(turn));
}

/* A number from the fleet's database may be made up: what is said to have given more
 * rows is told as new. */
#define DISTANT_MAX 1000000

/* What comes from the fleet's database may be anything: what makes no sense is as
 * good as nothing. */
static void read_distant(struct turn *turn)
{
	turn->is_distant = pv_page_rows_table_get_distant(
	    &turn->all->table, turn->id, &turn->all->texts, &turn->had);
	if (!turn->is_distant || !turn->had.count)
		return;
	if (pv_item_runs_read(&turn->had_items, turn->had.items) &&
	    turn->had.count <= DISTANT_MAX &&
	    pv_item_runs_total(&turn->had_items) == turn->had.count)
		return;
	pv_item_runs_finish(&turn->had_items);
	pv_item_runs_init(&turn->had_items);
	turn->had = (struct pv_page_rows){.count = 0};
}

static void read_own(struct turn *turn)
{
	turn->has_own = pv_page_rows_table_get(
	    &turn->all->table, turn->id, &turn->all->own_texts, &turn->own);
	if (turn->is_distant || !turn->has_own)
		return;
	turn->had = turn->own;
	if (!pv_item_runs_read(&turn->had_items, turn->had.items))
		pv_database_fail(turn->all->database, PV_STORE_DAMAGED,
		    "the numbers of a page's rows make no sense");
}

static void read_had(struct turn *turn)
{
	read_distant(turn);
	read_own(turn);
	turn->has_had = turn->is_distant || turn->has_own;
	turn->is_same_kind = turn->has_had && turn->now.has_kind &&
			     pv_str_equal(turn->had.kind, kind_now(turn));
	pv_item_runs_read(&turn->now_items, turn->items);
}

bool pv_turning_append(
    struct pv_turning *turning, const struct pv_sink_entry *entry)
{
	struct turn turn = {
	    .all = turning,
	    .page = entry->page,
	    .id = entry->page->visit->id,
	    .is_written = true,
	};
	if (!is_to_be_made(&turn, pv_buf_str(entry->part)))
		return true;
	pv_item_runs_init(&turn.had_items);
	pv_item_runs_init(&turn.now_items);
	read_had(&turn);
	if (turn.has_had || turn.now.has_kind)
		make_turn(&turn);
	pv_item_runs_finish(&turn.had_items);
	pv_item_runs_finish(&turn.now_items);
	return turn.is_written;
}
