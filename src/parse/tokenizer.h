#ifndef PAVANE_PARSE_TOKENIZER_H
#define PAVANE_PARSE_TOKENIZER_H

#include "base/reader.h"
#include "parse/element.h"
#include "parse/foreign.h"

/* The start tags of a page, as the HTML Standard's tokenizer finds them
 * (https://html.spec.whatwg.org/#tokenization), where no script runs.
 *
 * One pass over bytes that are somebody else's: in time that grows with the
 * page and with nothing else, without recursion and without memory of its
 * own, whatever the page holds. Names and values that it gives are pieces of
 * the page, as they stand there, so that their places are known.
 *
 * Elements that are nothing to us (parse/element.h), end tags, text,
 * comments, and what looks like tags within scripts, styles and the like are
 * passed over, and so is the content of a template, which is no part of the
 * page until a script makes it one. Of plain elements only those are given that
 * have a background, or a style that may name something. A page that ends
 * within a tag has not got that tag. In XML the instruction that names a style
 * sheet is given like a tag.
 */
struct pv_tokenizer {
	struct pv_reader reader;
	struct pv_foreign foreign;
	struct pv_str name; /* of the tag that was given last */
	enum pv_element element;
	bool is_open; /* its attributes are not all read */
	bool is_cut;  /* the page ended within it */
	bool is_text; /* what is in it is, up to its own end tag */
	bool is_xml;  /* the caller's: a page in XML, in which any element may
			 be closed by its own tag, and any text be CDATA */

	/* The text in it, once its attributes are read; empty where that is
	 * markup, but for the style of a drawing. */
	struct pv_str content;
	bool has_references; /* in the content, which is not as it stands */

	size_t templates; /* open ones whose content is left out */
	size_t depth;     /* of foreign, outside of the first of them */
	unsigned instructions;
};

void pv_tokenizer_init(struct pv_tokenizer *tokenizer, struct pv_str page);

/* Goes on to the next start tag of an element that is something to us;
 * PV_ELEMENT_NONE after the last. */
enum pv_element pv_tokenizer_next(struct pv_tokenizer *tokenizer);

/* Whether that tag, before its attributes are read, is of a drawing. */
bool pv_tokenizer_is_in_drawing(const struct pv_tokenizer *tokenizer);

/* The next attribute of that tag; false after the last, and then is_cut tells
 * whether there was a tag at all. Of attributes with the same name the first
 * counts; that is for the caller to see to. */
bool pv_tokenizer_attribute(
    struct pv_tokenizer *tokenizer, struct pv_attribute *attribute);

#endif
