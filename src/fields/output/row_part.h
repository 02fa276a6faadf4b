#ifndef PAVANE_FIELDS_OUTPUT_ROW_PART_H
#define PAVANE_FIELDS_OUTPUT_ROW_PART_H

#include <stdint.h>

#include "base/buf.h"
#include "base/digest.h"

/* What is prepared of the rows of a page: pieces, each of which goes to one
 * file or table, and behind them what all of them are.
 *
 * Whether a row is new or changed is known only when the page is appended: so
 * a piece has two halves, between which that is written then. */
enum pv_row_piece_kind {
	PV_PIECE_JSON,       /* a line; between the halves, `_change` */
	PV_PIECE_CSV,        /* the same */
	PV_PIECE_RECORD,     /* a line of a record within; has one half */
	PV_PIECE_ROW,        /* of a table, packed (packed.h); `_change` is a
				value between the halves */
	PV_PIECE_RECORD_ROW, /* the same, with one half */
	PV_PIECE_PROBLEM,    /* a line, one half */
	PV_PIECE_FAULT,      /* the field's name; target is the fault, and item
				how often it was found */
};

struct pv_row_piece {
	enum pv_row_piece_kind kind;
	uint32_t target; /* the file or table, as the layout counts them */
	uint32_t item;   /* the row */
	struct pv_str head;
	struct pv_str tail;
};

/* Appends a piece: where it begins, then its first half, where that ends, its
 * second, and then what it is. What does not fit is seen by `is_full`; then the
 * part is to be cut to where it began. */
size_t pv_row_piece_begin(struct pv_buf *part);
void pv_row_piece_split(struct pv_buf *part, size_t start);
void pv_row_piece_end(struct pv_buf *part, size_t start,
    enum pv_row_piece_kind kind, size_t target, uint32_t item);

/* The next one, taken from what is left; false at the end. */
bool pv_row_piece_next(struct pv_str *left, struct pv_row_piece *piece);

/* What all of them are. */
struct pv_row_summary {
	bool has_kind;
	bool has_given; /* the program that runs the crawl gave some */
	uint32_t kind;  /* as the policy counts them */
	uint64_t count;
	uint8_t digest[PV_DIGEST_SIZE]; /* of all rows */
	int64_t problems; /* a hash of what is said of fields; 0: nothing is */
	uint64_t items_len;
};

/* Appends it, with the rows' numbers (fields/item_runs.h). */
void pv_row_summary_add(const struct pv_row_summary *summary,
    struct pv_str items, struct pv_buf *part);

/* Takes them from a part, and leaves the pieces. False if it is empty. */
bool pv_row_summary_take(
    struct pv_str *part, struct pv_row_summary *summary, struct pv_str *items);

#endif
