#ifndef PAVANE_SERVE_FETCHES_ROW_HEARING_H
#define PAVANE_SERVE_FETCHES_ROW_HEARING_H

#include "serve/fetches/fetches_state.h"

/* The rows that pages of a profile's crawl give, read in its files of rows as far
 * as they are committed: a part of the transaction in which its journal is read.
 * The rows of a page are committed with its line of the journal. */
void pv_row_hearing_read(
    struct pv_fetches *fetches, const struct pv_standing *standing);

/* Reads a line of a file of rows: what it says goes into `row`, and whether the row
 * is gone. False if it is no row. Texts are valid as long as the line, and `json`,
 * which is to be destroyed. */
struct pv_json;
bool pv_row_hearing_parse(struct pv_str line, struct pv_fetch_row *row,
    bool *is_gone, struct pv_json **json);

#endif
