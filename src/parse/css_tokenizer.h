#ifndef PAVANE_PARSE_CSS_TOKENIZER_H
#define PAVANE_PARSE_CSS_TOKENIZER_H

#include "base/reader.h"
#include "url/encoding.h"

/* The tokens of a style sheet (https://drafts.csswg.org/css-syntax/#tokenization).
 *
 * One pass over bytes that are somebody else's: in time that grows with the
 * sheet and with nothing else, without recursion and without memory. Texts
 * that it gives are pieces of the sheet, escapes unread. Comments and white
 * space are passed over, and tokens that no link depends on are all the same.
 *
 * The sheet is read as bytes in which those of ASCII are ASCII, but for the
 * second half of a character in encodings that put ASCII there. Where even
 * that does not hold it must be decoded before (parse/decoder.h).
 */
enum pv_css_kind {
	PV_CSS_END,
	PV_CSS_STRING,   /* without its quotes */
	PV_CSS_ADDRESS,  /* in url(), without quotes, white space around it */
	PV_CSS_FUNCTION, /* its name; url only where a string comes next */
	PV_CSS_AT,       /* its name */
	PV_CSS_OPEN,     /* "(" */
	PV_CSS_CLOSE,    /* ")" */
	PV_CSS_BREAK,    /* ";", "{" or "}" */
	PV_CSS_OTHER,
};

struct pv_css_token {
	enum pv_css_kind kind;
	struct pv_str text;
};

struct pv_css_tokenizer {
	struct pv_reader reader;
	enum pv_pairs {
		PV_PAIRS_NONE,
		PV_PAIRS_CHINESE,
		PV_PAIRS_JAPANESE,
	} pairs; /* which bytes begin a character that may end like ASCII */
};

/* `encoding` is the sheet's; NULL where nobody knows it. */
void pv_css_tokenizer_init(struct pv_css_tokenizer *tokenizer,
    struct pv_str sheet, const struct pv_encoding *encoding);

struct pv_css_token pv_css_tokenizer_next(struct pv_css_tokenizer *tokenizer);

#endif
