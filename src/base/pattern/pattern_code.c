#include "base/pattern/pattern_code.h"

#include <stdlib.h>

#include "base/alloc.h"

#define PATTERN_MAX ((size_t)4096) /* bytes of the expression */
#define NEST_LIMIT 50              /* parentheses within parentheses */

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
    uint32_t options, struct pv_pattern_fault *fault)
{
	pcre2_compile_context *ctx = pcre2_compile_context_create(memory);
	pcre2_set_max_pattern_length(ctx, PATTERN_MAX);
	pcre2_set_parens_nest_limit(ctx, NEST_LIMIT);
	int code;
	PCRE2_SIZE offset;
	pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)pv_str_bytes(text),
	    text.len, PCRE2_NEVER_BACKSLASH_C | options, &code, &offset, ctx);
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
    struct pv_str text, const struct pv_pattern_terms *terms,
    struct pv_pattern_fault *fault)
{
	size_t size;
	pcre2_code *code = compile(memory, text, terms->options, fault);
	if (!code)
		return NULL;
	pcre2_pattern_info(code, PCRE2_INFO_SIZE, &size);
	if (size <= terms->compiled_max)
		return code;
	pcre2_code_free(code);
	*fault = (struct pv_pattern_fault){
	    .text = "regular expression is too large",
	    .offset = text.len,
	};
	return NULL;
}

bool pv_pattern_code_init(struct pv_pattern_code *compiled, struct pv_str text,
    const struct pv_pattern_terms *terms, struct pv_pattern_fault *fault)
{
	pcre2_general_context *memory =
	    pcre2_general_context_create(memory_give, memory_take, NULL);
	pcre2_code *code = compile_small(memory, text, terms, fault);
	if (!code) {
		pcre2_general_context_free(memory);
		return false;
	}
	compiled->memory = memory;
	compiled->code = code;
	compiled->limits = pcre2_match_context_create(memory);
	pcre2_set_match_limit(compiled->limits, terms->match_limit);
	pcre2_set_heap_limit(compiled->limits, terms->heap_limit_kib);
	return true;
}

void pv_pattern_code_finish(struct pv_pattern_code *compiled)
{
	pcre2_match_context_free(compiled->limits);
	pcre2_code_free(compiled->code);
	pcre2_general_context_free(compiled->memory);
}
