#ifndef PAVANE_API_LOOK_INSPECT_H
#define PAVANE_API_LOOK_INSPECT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "pavane/pavane.h"

/* What the functions that show how one thing is read have in common: a file
 * from anywhere, and entries that are given once each: to whom, or as lines. */
#define PV_INSPECT_ADDRESS_MAX ((size_t)1 << 20)

struct pv_inspect_taker {
	pavane_found_fn entry; /* NULL: it gets lines */
	pavane_write_fn write;
	void *ctx;
};

struct pv_inspect_lines {
	struct pv_inspect_taker taker;
	struct pv_map known;
	struct pv_arena texts;
};

void pv_inspect_lines_init(
    struct pv_inspect_lines *lines, const struct pv_inspect_taker *taker);
void pv_inspect_lines_finish(struct pv_inspect_lines *lines);

/* Gives the word and the text, unless they were given already. */
void pv_inspect_lines_print(
    struct pv_inspect_lines *lines, const char *word, struct pv_str text);

/* Reads the file; false, with errno set, if it cannot be read. What is beyond
 * the buffer's ceiling is left out. */
bool pv_inspect_read(const char *path, struct pv_buf *text, bool *is_cut);

#endif
