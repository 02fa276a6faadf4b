#ifndef PAVANE_API_LOOK_INSPECT_H
#define PAVANE_API_LOOK_INSPECT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "pavane/pavane.h"

/* What the functions that show how one thing is read have in common: a file
 * from anywhere, and lines that are printed once each. */
#define PV_INSPECT_ADDRESS_MAX ((size_t)1 << 20)

struct pv_inspect_lines {
	pavane_write_fn write;
	void *ctx;
	struct pv_map known;
	struct pv_arena texts;
};

void pv_inspect_lines_init(
    struct pv_inspect_lines *lines, pavane_write_fn write, void *ctx);
void pv_inspect_lines_finish(struct pv_inspect_lines *lines);

/* Prints the word, a tab and the text, unless that was printed already. */
void pv_inspect_lines_print(
    struct pv_inspect_lines *lines, const char *word, struct pv_str text);

/* Reads the file; false, with errno set, if it cannot be read. What is beyond
 * the buffer's ceiling is left out. */
bool pv_inspect_read(const char *path, struct pv_buf *text, bool *is_cut);

#endif
