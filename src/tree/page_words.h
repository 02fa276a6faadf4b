#ifndef PAVANE_TREE_PAGE_WORDS_H
#define PAVANE_TREE_PAGE_WORDS_H

#include "base/arena.h"
#include "tree/tree.h"

/* Names of a page's classes or ids that are near to one that it does not have.
 */
#define PV_PAGE_WORDS_MAX 4

struct pv_page_words {
	const char *items[PV_PAGE_WORDS_MAX]; /* the nearest first */
	size_t count;
};

/* `sort` is PV_WORD_CLASS or PV_WORD_ID. What is found lives in the arena. */
void pv_page_words_find(struct pv_page_words *words, const struct pv_tree *tree,
    char sort, struct pv_str written, struct pv_arena *arena);

#endif
