#ifndef PAVANE_CLI_RUN_ROW_STREAM_H
#define PAVANE_CLI_RUN_ROW_STREAM_H

/* Prints the lines of one kind's rows to the standard output once they are
 * committed (--stream), on a thread of its own: whoever reads slowly holds up
 * nothing but these lines. */
struct pv_row_stream;

/* Of the crawl in that directory, which may not be there yet: what is committed
 * from now on. NULL for no kind. */
struct pv_row_stream *pv_row_stream_start(
    const char *directory, const char *kind);

/* The crawl has ended: prints what is left, as long as somebody takes it. NULL
 * is fine. */
void pv_row_stream_stop(struct pv_row_stream *stream);

#endif
