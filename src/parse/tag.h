#ifndef PAVANE_PARSE_TAG_H
#define PAVANE_PARSE_TAG_H

#include <stdint.h>

#include "base/buf.h"
#include "parse/link_attribute.h"
#include "parse/tokenizer.h"

#define PV_TAG_GUARDS_MAX 16

/* Those attributes of a start tag that are anything to us, the first of each
 * name, all of them pieces of the page. Empty before the first of a page. */
struct pv_tag {
	struct pv_str xlink; /* what stands for that from here on */
	enum pv_element element;
	uint64_t seen;                       /* which ones there are */
	struct pv_str values[PV_ATTRIBUTES]; /* of these */
	enum pv_attribute_name order[PV_ATTRIBUTES];
	size_t count;
	struct pv_str http_equiv;                /* its name */
	struct pv_str guards[PV_TAG_GUARDS_MAX]; /* their names, of each one:
						   without the first the
						   second counts */
	size_t guard_count;
};

/* Reads the attributes of the tag that the tokenizer has come to; false if the
 * page ended before the tag did. */
bool pv_tag_read(struct pv_tag *tag, struct pv_tokenizer *tokenizer);

static inline bool pv_tag_has(
    const struct pv_tag *tag, enum pv_attribute_name name)
{
	return (tag->seen >> name) & 1;
}

/* What an attribute says, where that is words and no address; empty if there is
 * none. Until the scratch buffer is used again. */
struct pv_str pv_tag_words(const struct pv_tag *tag,
    enum pv_attribute_name name, struct pv_buf *scratch);

/* Whether it says that word, in letters of any size. */
bool pv_tag_says(const struct pv_tag *tag, enum pv_attribute_name name,
    const char *word, struct pv_buf *scratch);

#endif
