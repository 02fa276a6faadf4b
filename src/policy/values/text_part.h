#ifndef PAVANE_POLICY_VALUES_TEXT_PART_H
#define PAVANE_POLICY_VALUES_TEXT_PART_H

#include "base/buf.h"
#include "base/reader.h"

/* What the rules of texts (policy/values/text_rule.h) have in common. */

/* Keeps a text as it is; NULL, which says that it is right. */
static inline const char *pv_text_keep(struct pv_str text, struct pv_buf *kept)
{
	pv_buf_append(kept, text);
	return NULL;
}

/* Whether the function says yes to every byte. */
static inline bool pv_text_is_all(struct pv_str text, pv_byte_fn is)
{
	struct pv_reader reader = pv_reader_of(text);
	pv_reader_take_while(&reader, is);
	return pv_reader_is_end(&reader);
}

/* Neither a blank nor a control. */
static inline bool pv_is_visible_byte(int byte)
{
	return byte > ' ' && byte != 0x7f;
}

#endif
