#ifndef PAVANE_PARSE_RAW_TEXT_H
#define PAVANE_PARSE_RAW_TEXT_H

#include "base/reader.h"

/* What stands in a page without being markup: comments, and the content of
 * scripts, styles, titles and the like. Each function takes it from the
 * reader in one pass; what never ends takes all that is left. */

/* Takes the content of an element of that name; its end tag stays. */
void pv_raw_text_skip(struct pv_reader *reader, struct pv_str name);

/* The same for a script, where "<!--" and a "<script" behind it hide the end
 * tag (https://html.spec.whatwg.org/#script-data-state and what follows). */
void pv_raw_text_skip_script(struct pv_reader *reader);

/* Takes a comment, from behind its "<!--". */
void pv_raw_text_skip_comment(struct pv_reader *reader);

/* Takes a CDATA section, from behind its "<![CDATA[". */
void pv_raw_text_skip_cdata(struct pv_reader *reader);

/* Moves on to the byte, if it is anywhere, or to the end. */
static inline bool pv_raw_text_skip_to(struct pv_reader *reader, char byte)
{
	size_t left = pv_reader_left(reader);
	const char *found = left ? memchr(reader->at, byte, left) : NULL;
	reader->at = found ? found : reader->end;
	return found != NULL;
}

#endif
