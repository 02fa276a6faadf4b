#ifndef PAVANE_ROWS_H
#define PAVANE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"

/* Rows: what the pages of a crawl have given, by the fields of its policy. */

#ifdef __cplusplus
extern "C" {
#endif

/* The JSON lines of a kind's rows as they are committed, from when it is opened,
 * while the crawl in the directory runs and afterwards. To be used by one
 * thread at a time. */
struct pavane_row_stream;

PAVANE_API struct pavane_row_stream *pavane_row_stream_open(
    const char *directory, const char *kind);
PAVANE_API void pavane_row_stream_close(struct pavane_row_stream *stream);

/* Gives what has been committed since, in pieces, until `take` returns false.
 * False if not all of it was given: the next call goes on there. */
typedef bool (*pavane_stream_fn)(void *ctx, const char *text, size_t len);
PAVANE_API bool pavane_row_stream_read(
    struct pavane_row_stream *stream, pavane_stream_fn take, void *ctx);

/* The rows that a crawl's pages have given, running or not, and the fields that
 * had no value: what its policy's `pages` describes. */
struct pavane_row_count {
	const char *kind; /* of page */
	uint64_t pages;   /* that have rows */
	uint64_t rows;
	bool has_match; /* of kinds without rows: addresses may be of this
			   kind by themselves */
};

struct pavane_field_fault {
	const char *kind;
	const char *field; /* "reviews.stars"; NULL: the whole page */
	const char *why;   /* "nothing found" */
	uint64_t count;
};

struct pavane_rows {
	struct pavane_row_count *counts;
	size_t count;
	struct pavane_field_fault *faults; /* those of a kind together, the most
					      frequent first */
	size_t fault_count;
};

/* NULL if there is no crawl in the directory, or it cannot be read. */
PAVANE_API struct pavane_rows *pavane_rows_read(const char *directory);
PAVANE_API void pavane_rows_destroy(struct pavane_rows *rows);

/* As one JSON object, without an end of line. */
PAVANE_API void pavane_rows_write_json(
    const struct pavane_rows *rows, pavane_write_fn write, void *ctx);

struct pavane_fields_options {
	size_t size;
	const char *directory; /* of a crawl that does not run */
	const char *policy;    /* a file whose pages and output.fields count;
				  NULL: the crawl's own policy */
	bool (*is_enough)(void *ctx); /* whether to give up; asked for each
					 page; NULL: no */
	pavane_line_fn on_line;
	void *ctx;
};

struct pavane_fields_made {
	size_t size;
	uint64_t pages;   /* that were read */
	uint64_t rows;    /* that they gave */
	uint64_t missing; /* pages that have no rows, since they are not
			     kept */
	bool is_cut;      /* is_enough said so: the old rows stay */
};

/* Writes all rows of a crawl anew from the pages that its mirror keeps, as after
 * its policy describes other fields; nobody is asked for anything. The new rows
 * take the place of the old ones at the end, all at once; what could not be read
 * anew is given to on_line. False, with the reason given there, if it could not
 * be done: the old rows stay. So they do where a program has given rows of its own
 * (pavane_page_add_row), since those stand in no page. */
PAVANE_API bool pavane_fields(const struct pavane_fields_options *options,
    struct pavane_fields_made *made);

#ifdef __cplusplus
}
#endif

#endif
