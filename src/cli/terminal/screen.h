#ifndef PAVANE_CLI_TERMINAL_SCREEN_H
#define PAVANE_CLI_TERMINAL_SCREEN_H

#include <stdbool.h>

#include "cli/terminal/lines.h"

/* The lowest rows of a terminal, redrawn in place while lines scroll by above
 * them.
 *
 * Between two calls the cursor stands, visible, at the beginning of what is
 * drawn, and no mode of the terminal is changed. So all that is drawn is what
 * lies below the cursor, also when the terminal has got another width: most
 * then wrap anew what they show, some before they tell the new width, and take
 * the cursor along. Whoever ends the program without clearing what is drawn
 * erases what is below the cursor (PV_SCREEN_ERASE; with a space first, since
 * some terminals keep what is erased from their first column and row on among
 * the rows that have scrolled by).
 */
#define PV_SCREEN_ERASE "\r \033[J\r"

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

/* Puts text above, which ends with a line end and may be of any width. False
 * if it could not be written. */
bool pv_screen_print(struct pv_screen *screen, const char *text);

/* Takes what is drawn away. */
void pv_screen_clear(struct pv_screen *screen);

/* Leaves what is drawn where it is: somebody else has written since. */
void pv_screen_leave(struct pv_screen *screen);

#endif
