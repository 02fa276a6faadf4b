#include "base/pattern/pattern.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/pattern/pattern_code.h"

#define SUBJECT_MAX ((size_t)64 * 1024)

struct pv_pattern {
	struct pv_pattern_code compiled;
};

static const struct pv_pattern_terms terms = {
    .compiled_max = (size_t)32 * 1024,
    .match_limit = 200000,
    .heap_limit_kib = 8192, /* bounds the depth as well */
};

struct pv_pattern *pv_pattern_create(
    struct pv_str text, struct pv_pattern_fault *fault)
{
	struct pv_pattern_code compiled;
	if (!pv_pattern_code_init(&compiled, text, &terms, fault))
		return NULL;
	struct pv_pattern *pattern = pv_alloc(sizeof(*pattern));
	pattern->compiled = compiled;
	return pattern;
}

void pv_pattern_destroy(struct pv_pattern *pattern)
{
	if (!pattern)
		return;
	pv_pattern_code_finish(&pattern->compiled);
	free(pattern);
}

/* The memory of a search, up to the limit, is PCRE2's to keep as long as the
 * match data live; so these do not outlive it. */
enum pv_pattern_match pv_pattern_search(
    const struct pv_pattern *pattern, struct pv_str text)
{
	const struct pv_pattern_code *compiled = &pattern->compiled;
	if (text.len > SUBJECT_MAX)
		return PV_PATTERN_GAVE_UP;
	pcre2_match_data *data = pcre2_match_data_create(1, compiled->memory);
	int found = pcre2_match(compiled->code, (PCRE2_SPTR)pv_str_bytes(text),
	    text.len, 0, 0, data, compiled->limits);
	pcre2_match_data_free(data);
	if (found >= 0)
		return PV_PATTERN_YES;
	return found == PCRE2_ERROR_NOMATCH ? PV_PATTERN_NO
					    : PV_PATTERN_GAVE_UP;
}
