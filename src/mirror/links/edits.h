#ifndef PAVANE_MIRROR_LINKS_EDITS_H
#define PAVANE_MIRROR_LINKS_EDITS_H

#include "base/buf.h"

/* Changes to a text, each known by its place there, noted in any order and made
 * all at once. What no change names is copied as it is. Two that overlap are
 * not to be noted. */
struct pv_edit {
	size_t start;
	size_t end;
	size_t text; /* where the new text begins in `texts` ... */
	size_t len;  /* ... and how long it is */
};

struct pv_edits {
	struct pv_edit *items;
	size_t count;
	size_t size;
	struct pv_buf texts;
};

void pv_edits_init(struct pv_edits *edits);
void pv_edits_finish(struct pv_edits *edits);
void pv_edits_clear(struct pv_edits *edits);

/* What stands from `start` to `end` becomes the text, which is copied. */
void pv_edits_add(
    struct pv_edits *edits, size_t start, size_t end, struct pv_str text);

/* Appends the text as it is after all of them. */
void pv_edits_apply(
    struct pv_edits *edits, struct pv_str old, struct pv_buf *text);

#endif
