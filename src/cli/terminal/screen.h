#ifndef PAVANE_CLI_TERMINAL_SCREEN_H
#define PAVANE_CLI_TERMINAL_SCREEN_H

#include <stdbool.h>

#include "cli/terminal/lines.h"

/* The lowest rows of a terminal, redrawn in place while lines scroll by above
 * them.
 *
 * Between two calls the cursor stands at the beginning of the row below what is
 * drawn, visible, and no mode of the terminal is changed: however the program
 * ends, it leaves a tidy terminal. What a terminal made narrower does to rows
 * that are drawn (most wrap them) is reckoned with.
 */

/* False if it could not be written, which then never happened. */
typedef bool (*pv_screen_write_fn)(void *ctx, const char *text, size_t len);

struct pv_screen {
	pv_screen_write_fn write;
	void *ctx;
	struct pv_lines drawn;
};

/* Whether a live display may be drawn: a terminal that obeys, by its TERM. */
bool pv_screen_is_possible(int file, const char *term);

/* The size of the terminal; 80 by 24 where it does not tell. */
struct pv_terminal_size pv_screen_size(int file);

/* An empty one. */
void pv_screen_init(
    struct pv_screen *screen, pv_screen_write_fn write, void *ctx);

/* Puts these lines in the place of those that are drawn. */
void pv_screen_draw(struct pv_screen *screen, const struct pv_lines *lines);

/* Puts text above, which ends with a line end and may be of any width. The
 * terminal has that size now. False if it could not be written. */
bool pv_screen_print(
    struct pv_screen *screen, const char *text, struct pv_terminal_size size);

/* Takes what is drawn away. */
void pv_screen_clear(struct pv_screen *screen, struct pv_terminal_size size);

/* Leaves what is drawn where it is: somebody else has written since. */
void pv_screen_leave(struct pv_screen *screen);

#endif
