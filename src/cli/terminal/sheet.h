#ifndef PAVANE_CLI_TERMINAL_SHEET_H
#define PAVANE_CLI_TERMINAL_SHEET_H

#include <stddef.h>
#include <stdio.h>

/* Text in the making: what is to be shown is printed into a FILE in memory
 * first, and goes out in one piece. For what we say ourselves, which is never
 * long. */
struct pv_sheet {
	FILE *file;
	char *text; /* once it is closed; its own until it is finished */
	size_t len;
};

/* Room for text, or the end of the program (pavane_out_of_memory). */
void pv_sheet_open(struct pv_sheet *sheet);

/* Nothing more comes; `text` and `len` hold. */
void pv_sheet_close(struct pv_sheet *sheet);
void pv_sheet_finish(struct pv_sheet *sheet);

#endif
