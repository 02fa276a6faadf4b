#ifndef PAVANE_CLI_TERMINAL_LINES_H
#define PAVANE_CLI_TERMINAL_LINES_H

#include <stddef.h>

/* A few lines for a terminal of a certain size, none of which wraps: the last
 * column stays free, since terminals differ in what they do with a cursor
 * behind it. What does not fit is left out. */
#define PV_LINES_MAX 10
#define PV_LINE_SIZE 1024

struct pv_terminal_size {
	size_t columns;
	size_t rows;
};

struct pv_lines {
	struct pv_terminal_size size;
	char text[PV_LINES_MAX][PV_LINE_SIZE];
	size_t count;
};

/* No lines, for a terminal of that size. */
void pv_lines_init(struct pv_lines *lines, struct pv_terminal_size size);

/* A sentence of its own, on two lines where it is too long for one, and cut
 * where it is too long for both; nothing for no text. */
void pv_lines_add(struct pv_lines *lines, const char *text);

/* An address on a line of its own, without its middle where it is too long. */
void pv_lines_add_address(struct pv_lines *lines, const char *address);

/* A phrase, two spaces behind the one before, or on a new line where that has
 * no room for it. */
void pv_lines_flow(struct pv_lines *lines, const char *phrase);

#endif
