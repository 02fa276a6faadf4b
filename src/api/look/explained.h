#ifndef PAVANE_API_LOOK_EXPLAINED_H
#define PAVANE_API_LOOK_EXPLAINED_H

#include "base/arena.h"
#include "base/buf.h"
#include "pavane/look.h"
#include "policy/policy.h"

/* An explanation as it is made: its lines, in values. A text is written from
 * them. What it has given out lives until it is cleared. */
struct pv_explained {
	struct pv_arena texts;
	struct pavane_explained_line *lines;
	size_t count;
	size_t size;
};

void pv_explained_init(struct pv_explained *explained);
void pv_explained_finish(struct pv_explained *explained);
void pv_explained_clear(struct pv_explained *explained);

/* A line, and which part of the policy says so, if that is known. The key is not
 * copied. */
void pv_explained_add(struct pv_explained *explained, const char *key,
    struct pv_str sentence, const struct pv_origin *origin);

/* A text that is safe to print. */
const char *pv_explained_text(
    struct pv_explained *explained, struct pv_str text);

void pv_explained_write(
    const struct pavane_explanation *explanation, struct pv_buf *text);

#endif
