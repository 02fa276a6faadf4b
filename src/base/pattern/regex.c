#include "base/pattern/regex.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/pattern/pattern_code.h"
#include "base/utf8.h"

#define BYTES_A_STEP 16

struct pv_regex {
	struct pv_pattern_code compiled;
	uint32_t group;           /* what a match gives; 0 is all of it */
	uint32_t referred_groups; /* the highest that is referred to */
};

/* PCRE2 calls back before each item of the expression, which is how steps are
 * counted: its own limit counts no bytes that an item reads, and so there is
 * none on reading a page to its end from each of its bytes on. */
static const struct pv_pattern_terms terms = {
    .options = PCRE2_UTF | PCRE2_AUTO_CALLOUT,
    .compiled_max = (size_t)64 * 1024,
    .match_limit = 10000000,
    .heap_limit_kib = 16384,
};

/* Of two groups `value` it is the first one that counts, as PCRE2 numbers
 * them. */
static uint32_t value_group(const pcre2_code *code)
{
	uint32_t count;
	PCRE2_SPTR first, last;
	if (pcre2_substring_nametable_scan(
		code, (PCRE2_SPTR) "value", &first, &last) > 0)
		return (uint32_t)first[0] << 8 | first[1];
	pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &count);
	return count > 0;
}

struct pv_regex *pv_regex_create(
    struct pv_str text, struct pv_pattern_fault *fault)
{
	struct pv_pattern_code compiled;
	if (!pv_pattern_code_init(&compiled, text, &terms, fault))
		return NULL;
	struct pv_regex *regex = pv_alloc(sizeof(*regex));
	regex->compiled = compiled;
	regex->group = value_group(compiled.code);
	pcre2_pattern_info(
	    compiled.code, PCRE2_INFO_BACKREFMAX, &regex->referred_groups);
	return regex;
}

void pv_regex_destroy(struct pv_regex *regex)
{
	if (!regex)
		return;
	pv_pattern_code_finish(&regex->compiled);
	free(regex);
}

struct pv_regex_search {
	const struct pv_regex *regex;
	struct pv_str text;
	int64_t *budget;
	int64_t left; /* of this search's own steps */
	pcre2_match_data *data;
	pcre2_match_context *limits;
	size_t at;     /* where the next match may begin */
	size_t passed; /* where the expression was, at the last step */
	bool is_empty_refused;
	enum pv_pattern_match state; /* PV_PATTERN_YES: goes on */
};

/* What a reference may compare: the groups that have been referred to. */
static size_t referred_bytes(
    const struct pv_regex *regex, const pcre2_callout_block *block)
{
	size_t bytes = 0;
	for (uint32_t i = 1;
	     i <= regex->referred_groups && i < block->capture_top; i++) {
		PCRE2_SIZE start = block->offset_vector[2 * i];
		PCRE2_SIZE end = block->offset_vector[2 * i + 1];
		if (end != PCRE2_UNSET && end > start)
			bytes += end - start;
	}
	return bytes;
}

static int count_step(pcre2_callout_block *block, void *ctx)
{
	struct pv_regex_search *search = ctx;
	size_t at = block->current_position;
	size_t bytes =
	    at > search->passed ? at - search->passed : search->passed - at;
	search->passed = at;
	if (search->regex->referred_groups)
		bytes += referred_bytes(search->regex, block);
	int64_t steps = 1 + (int64_t)(bytes / BYTES_A_STEP);
	search->left -= steps;
	*search->budget -= steps;
	return search->left < 0 || *search->budget < 0 ? PCRE2_ERROR_CALLOUT
						       : 0;
}

struct pv_regex_search *pv_regex_search_create(
    const struct pv_regex *regex, struct pv_str text, int64_t *budget)
{
	struct pv_regex_search *search = pv_alloc(sizeof(*search));
	search->regex = regex;
	search->text = text;
	search->budget = budget;
	search->left = PV_REGEX_SEARCH_STEPS;
	search->data = pcre2_match_data_create_from_pattern(
	    regex->compiled.code, regex->compiled.memory);
	search->limits = pcre2_match_context_copy(regex->compiled.limits);
	pcre2_set_callout(search->limits, count_step, search);
	search->state = text.len <= PV_REGEX_TEXT_MAX &&
				pv_utf8_find_invalid(text) == PV_NOT_FOUND
			    ? PV_PATTERN_YES
			    : PV_PATTERN_GAVE_UP;
	return search;
}

void pv_regex_search_destroy(struct pv_regex_search *search)
{
	if (!search)
		return;
	pcre2_match_context_free(search->limits);
	pcre2_match_data_free(search->data);
	free(search);
}

/* Each match costs a step at least, though no item may have been tried. */
static int find_match(struct pv_regex_search *search)
{
	search->passed = search->at;
	search->left--;
	if (--*search->budget < 0 || search->left < 0)
		return PCRE2_ERROR_CALLOUT;
	return pcre2_match(search->regex->compiled.code,
	    (PCRE2_SPTR)pv_str_bytes(search->text), search->text.len,
	    search->at,
	    PCRE2_NO_UTF_CHECK |
		(search->is_empty_refused ? PCRE2_NOTEMPTY_ATSTART : 0),
	    search->data, search->limits);
}

/* Goes on behind the match. One that is empty may not be found there again. */
static void move_on(struct pv_regex_search *search, const PCRE2_SIZE *match)
{
	size_t end = match[1];
	search->is_empty_refused = end <= search->at || match[0] == end;
	if (end > search->at)
		search->at = end;
}

enum pv_pattern_match pv_regex_search_next(
    struct pv_regex_search *search, struct pv_str *value)
{
	const PCRE2_SIZE *places = pcre2_get_ovector_pointer(search->data);
	const PCRE2_SIZE *group = places + 2 * (size_t)search->regex->group;
	while (search->state == PV_PATTERN_YES) {
		int found = find_match(search);
		if (found < 0) {
			search->state = found == PCRE2_ERROR_NOMATCH
					    ? PV_PATTERN_NO
					    : PV_PATTERN_GAVE_UP;
			break;
		}
		move_on(search, places);
		if (group[0] == PCRE2_UNSET || group[1] < group[0])
			continue;
		*value = pv_str_head(
		    pv_str_from(search->text, group[0]), group[1] - group[0]);
		break;
	}
	return search->state;
}
