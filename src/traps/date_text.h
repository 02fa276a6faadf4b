#ifndef PAVANE_TRAPS_DATE_TEXT_H
#define PAVANE_TRAPS_DATE_TEXT_H

#include "base/reader.h"

/* Dates as they stand in addresses: a day, a week, a month or a year, of the
 * years 1000 to 9999. What is no date, such as a 13th month, is none. */
struct pv_date_span {
	int64_t first; /* days (base/day.h) */
	int64_t last;
};

/* Takes digits, so many and no more behind them. */
bool pv_date_take_digits(
    struct pv_reader *rest, size_t least, size_t most, unsigned *number);

/* Takes text up to and including the next "2031-05", "2031-05-17" or
 * "2031-W20" that stands for itself or between words and not behind a number,
 * as in "month-2031-05.html". False, with nothing left, if there is none. */
bool pv_date_take_dashed(struct pv_reader *rest, struct pv_date_span *span);

/* Reads segments from here on: "2031/05", "2031/05/17", also before an
 * extension or a word; "2031/5/7" if it is loose. */
bool pv_date_read_path(
    struct pv_str path, bool is_loose, struct pv_date_span *span);

/* Reads a value from its beginning: "2031-5", "2031/05/17", "2031%2F05%2F17",
 * also before a time of day. */
bool pv_date_read_value(struct pv_str value, struct pv_date_span *span);

/* Reads "20310517" as a whole. */
bool pv_date_read_compact(struct pv_str text, struct pv_date_span *span);

/* A year, or its month, or its day; 0 stands for no month or no day. False if
 * there is none. */
bool pv_date_make_span(
    unsigned year, unsigned month, unsigned day, struct pv_date_span *span);

#endif
