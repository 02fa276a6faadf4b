#include "base/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#include "base/alloc.h"

#define PATTERN_MAX ((size_t)4096)       /* bytes of the expression */
#define COMPILED_MAX ((size_t)32 * 1024) /* ... and of what is made of it */
#define SUBJECT_MAX ((size_t)64 * 1024)
#define MATCH_LIMIT 200000  /* steps of one search */
#define HEAP_LIMIT_KIB 8192 /* bounds the depth as well */
#define NEST_LIMIT 50       /* parentheses within parentheses */

struct pv_pattern {
	pcre2_general_context *memory;
	pcre2_code *code;
	pcre2_match_context *limits;
};

static void *memory_give(size_t size, void *ctx)
{
	(void)ctx;
	return pv_realloc_array(NULL, size, 1);
}

static void memory_take(void *ptr, void *ctx)
{
	(void)ctx;
	free(ptr);
}

static pcre2_code *compile(pcre2_general_context *memory, struct pv_str text,
    struct pv_pattern_fault *fault)
{
	pcre2_compile_context *ctx = pcre2_compile_context_create(memory);
	pcre2_set_max_pattern_length(ctx, PATTERN_MAX);
	pcre2_set_parens_nest_limit(ctx, NEST_LIMIT);
	int code;
	PCRE2_SIZE offset;
	pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)pv_str_bytes(text),
	    text.len, PCRE2_NEVER_BACKSLASH_C, &code, &offset, ctx);
	pcre2_compile_context_free(ctx);
	if (!compiled) {
		pcre2_get_error_message(
		    code, (PCRE2_UCHAR *)fault->text, sizeof(fault->text));
		fault->offset = offset < text.len ? offset : text.len;
	}
	return compiled;
}

/* A few bytes that repeat each other come to 64 KiB, which is as much as PCRE2
 * makes; policies hold a thousand patterns. */
static pcre2_code *compile_small(pcre2_general_context *memory,
    struct pv_str text, struct pv_pattern_fault *fault)
{
	size_t size;
	pcre2_code *code = compile(memory, text, fault);
	if (!code)
		return NULL;
	pcre2_pattern_info(code, PCRE2_INFO_SIZE, &size);
	if (size <= COMPILED_MAX)
		return code;
	pcre2_code_free(code);
	*fault = (struct pv_pattern_fault){
	    .text = "regular expression is too large",
	    .offset = text.len,
	};
	return NULL;
}

struct pv_pattern *pv_pattern_create(
    struct pv_str text, struct pv_pattern_fault *fault)
{
	pcre2_general_context *memory =
	    pcre2_general_context_create(memory_give, memory_take, NULL);
	pcre2_code *code = compile_small(memory, text, fault);
	if (!code) {
		pcre2_general_context_free(memory);
		return NULL;
	}
	struct pv_pattern *pattern = pv_alloc(sizeof(*pattern));
	pattern->memory = memory;
	pattern->code = code;
	pattern->limits = pcre2_match_context_create(memory);
	pcre2_set_match_limit(pattern->limits, MATCH_LIMIT);
	pcre2_set_heap_limit(pattern->limits, HEAP_LIMIT_KIB);
	return pattern;
}

void pv_pattern_destroy(struct pv_pattern *pattern)
{
	if (!pattern)
		return;
	pcre2_match_context_free(pattern->limits);
	pcre2_code_free(pattern->code);
	pcre2_general_context_free(pattern->memory);
	free(pattern);
}

/* The memory of a search, up to the limit, is PCRE2's to keep as long as the
 * match data live; so these do not outlive it. */
enum pv_pattern_match pv_pattern_search(
    const struct pv_pattern *pattern, struct pv_str text)
{
	if (text.len > SUBJECT_MAX)
		return PV_PATTERN_GAVE_UP;
	pcre2_match_data *data = pcre2_match_data_create(1, pattern->memory);
	int found = pcre2_match(pattern->code, (PCRE2_SPTR)pv_str_bytes(text),
	    text.len, 0, 0, data, pattern->limits);
	pcre2_match_data_free(data);
	if (found >= 0)
		return PV_PATTERN_YES;
	return found == PCRE2_ERROR_NOMATCH ? PV_PATTERN_NO
					    : PV_PATTERN_GAVE_UP;
}
