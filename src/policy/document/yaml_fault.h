#ifndef PAVANE_POLICY_DOCUMENT_YAML_FAULT_H
#define PAVANE_POLICY_DOCUMENT_YAML_FAULT_H

#include "base/why.h"

/* What is wrong with a text as YAML, in words for the person who wrote it
 * rather than for the author of a parser. */
struct pv_yaml_fault {
	struct pv_str text;  /* the whole document */
	const char *problem; /* libyaml's words */
	size_t line;         /* from 0 */
	size_t column;       /* from 0, in characters */
	const char *context; /* libyaml's words, or NULL */
	size_t context_line;
	size_t context_column;
};

void pv_yaml_fault_tell(
    const struct pv_yaml_fault *fault, const char *name, struct pv_why *why);

/* Whether a character may stand in a document as it is. */
bool pv_yaml_is_printable(int32_t character);

/* Whether the text is UTF-8 and has no character that YAML forbids; the first
 * wrong one is reported. */
bool pv_yaml_text_is_clean(
    struct pv_str text, const char *name, struct pv_why *why);

#endif
