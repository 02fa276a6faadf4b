#ifndef PAVANE_MIRROR_LINKS_REPEATS_H
#define PAVANE_MIRROR_LINKS_REPEATS_H

#include "parse/links.h"

/* What became of links that come again and again. Documents that lie beside one
 * another mostly lead to the same pages, in the same words, be it to various
 * parts of them: of those only the first needs to be joined and looked up. It
 * is for links that are written as they are read, which most are. For one
 * thread, in memory of a fixed size: what was not asked for lately is
 * forgotten. */
struct pv_repeats;

struct pv_repeat {
	struct pv_buf place; /* of documents to which it applies */
	struct pv_buf page;  /* what the link says, up to its fragment */
	bool is_known;
	int outcome;           /* the caller's */
	struct pv_buf written; /* instead, without the fragment */
	uint64_t turn;         /* when it became what it is about */
};

struct pv_repeats *pv_repeats_create(void);
void pv_repeats_destroy(struct pv_repeats *repeats);

/* Turns to the links of a document, so many. What they come to depends on its
 * place alone; an empty one says that it does not. */
void pv_repeats_turn(
    struct pv_repeats *repeats, struct pv_str place, size_t link_count);

/* Until the next is asked for. NULL if another link that says the same may come
 * to something else. */
struct pv_repeat *pv_repeats_get(
    struct pv_repeats *repeats, const struct pv_page_link *link);

/* Keeps what became of a link, and what stands there now. */
void pv_repeat_keep(struct pv_repeat *repeat, int outcome,
    const struct pv_page_link *link, struct pv_str written);

/* What is to be written for another. */
void pv_repeat_write(const struct pv_repeat *repeat,
    const struct pv_page_link *link, struct pv_buf *text);

#endif
