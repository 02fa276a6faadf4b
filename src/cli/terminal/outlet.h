#ifndef PAVANE_CLI_TERMINAL_OUTLET_H
#define PAVANE_CLI_TERMINAL_OUTLET_H

#include <stdbool.h>
#include <stddef.h>

/* An output for text that never blocks its caller.
 *
 * A terminal may be stopped, a pipe full, a connection to either gone: what is
 * written is queued, and a thread of the outlet's own brings it out. A file
 * that cannot be written any more swallows what comes. The descriptor is
 * borrowed, and its mode is not touched: it is shared with the parent process.
 */
struct pv_outlet;

struct pv_outlet *pv_outlet_create(int file);

/* Queues the text, all or nothing; false if the queue has no room for it. */
bool pv_outlet_write(struct pv_outlet *outlet, const char *text, size_t len);

/* Whether so much waits to go out that nobody seems to take it: then what will
 * soon be outdated is better left away. */
bool pv_outlet_is_behind(struct pv_outlet *outlet);

/* Waits until everything is out, but no longer than so many milliseconds in
 * which nothing moves. */
void pv_outlet_drain(struct pv_outlet *outlet, int patience_ms);

/* Why the file could not be written, as an errno; 0: it could, as far as was
 * tried. */
int pv_outlet_error(struct pv_outlet *outlet);

/* Whether a file was a terminal, and is gone: nobody is there who could miss
 * what cannot be written. */
bool pv_outlet_is_gone_terminal(int file);

/* What is not out by now is lost. NULL is fine. */
void pv_outlet_destroy(struct pv_outlet *outlet);

#endif
