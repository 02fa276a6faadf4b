#ifndef PAVANE_PARSE_ROBOTS_WORDS_H
#define PAVANE_PARSE_ROBOTS_WORDS_H

#include "base/buf.h"

/* What a page asks of those who gather pages: the words of meta robots and of
 * X-Robots-Tag, which say the same things in the same way.
 *
 * They add up, wherever they stand. Those that everybody knows are bits, so
 * that the usual page costs nothing; others, with values or not, are kept as
 * text under a ceiling, for a reader and for nobody else. What is said by
 * saying nothing (all, index, follow) is left out.
 */
enum pv_robots_word {
	PV_WORD_NOINDEX = 1 << 0,
	PV_WORD_NOFOLLOW = 1 << 1,
	PV_WORD_NOARCHIVE = 1 << 2,
	PV_WORD_NOSNIPPET = 1 << 3,
	PV_WORD_NOIMAGEINDEX = 1 << 4,
	PV_WORD_NOTRANSLATE = 1 << 5,
	PV_WORD_NOAI = 1 << 6,
	PV_WORD_NOIMAGEAI = 1 << 7,
};

struct pv_robots_words {
	unsigned known;     /* of enum pv_robots_word */
	struct pv_buf rest; /* "max-snippet:20, nocache": each once */
	struct pv_str day;  /* of the week, of a date that may go on in the next
			       element; a piece of the list */
};

void pv_robots_words_init(struct pv_robots_words *words);
void pv_robots_words_finish(struct pv_robots_words *words);

/* As after pv_robots_words_init, the memory kept. */
void pv_robots_words_clear(struct pv_robots_words *words);

static inline bool pv_robots_words_has(
    const struct pv_robots_words *words, enum pv_robots_word word)
{
	return (words->known & (unsigned)word) != 0;
}

/* Adds what a list says: elements between commas, in which words may also
 * stand side by side. */
void pv_robots_words_read(struct pv_robots_words *words, struct pv_str text);

/* Adds one element of a list, which holds no comma; the list has to live until
 * it is ended. */
void pv_robots_words_read_element(
    struct pv_robots_words *words, struct pv_str element);
void pv_robots_words_end_list(struct pv_robots_words *words);

/* Adds what others say. */
void pv_robots_words_join(
    struct pv_robots_words *words, const struct pv_robots_words *others);

/* Appends all of them, "noindex, max-snippet:20"; nothing where nothing was
 * asked. */
void pv_robots_words_write(
    const struct pv_robots_words *words, struct pv_buf *buf);

/* Whether it is a word that has a value behind a colon, as max-snippet. */
bool pv_robots_word_has_value(struct pv_str word);

#endif
