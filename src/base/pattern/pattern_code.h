#ifndef PAVANE_BASE_PATTERN_PATTERN_CODE_H
#define PAVANE_BASE_PATTERN_PATTERN_CODE_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdbool.h>

#include "base/pattern/pattern.h"

/* An expression that PCRE2 has compiled, with the limits of each match: what
 * base/pattern/pattern.h (addresses) and base/pattern/regex.h (pages) have in common. It does
 * not change and may be read by many threads.
 */
struct pv_pattern_code {
	pcre2_general_context *memory;
	pcre2_code *code;
	pcre2_match_context *limits;
};

struct pv_pattern_terms {
	uint32_t options;     /* PCRE2's; \C is refused anyway */
	size_t compiled_max;  /* bytes that an expression may become */
	uint32_t match_limit; /* PCRE2's steps of one match */
	uint32_t heap_limit_kib;
};

/* False, with the fault told and nothing to finish, if it does not compile. */
bool pv_pattern_code_init(struct pv_pattern_code *compiled, struct pv_str text,
    const struct pv_pattern_terms *terms, struct pv_pattern_fault *fault);
void pv_pattern_code_finish(struct pv_pattern_code *compiled);

#endif
