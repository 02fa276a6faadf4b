#ifndef PAVANE_TESTS_EXPLAIN_TOLD_H
#define PAVANE_TESTS_EXPLAIN_TOLD_H

#include "scope/explain.h"
#include "tap.h"

/* What was told of an address, a line each: "KEY: TEXT". The texts live until
 * the next is told. */
static struct pv_buf told;

__attribute__((unused)) static void told_line(
    const struct pv_scope_line *line, void *ctx)
{
	(void)ctx;
	pv_buf_append_format(&told, "%s: ", line->key);
	pv_buf_append(&told, line->text);
	pv_buf_append_char(&told, '\n');
}

__attribute__((unused)) static void told_init(void)
{
	pv_buf_init(&told, 65536);
}

__attribute__((unused)) static void told_finish(void)
{
	pv_buf_finish(&told);
}

/* Whether that was told, in a line of its own. */
__attribute__((unused)) static bool was_told(const char *line)
{
	struct pv_str rest = pv_buf_str(&told);
	struct pv_str wanted = pv_str_of(line);
	while (rest.len) {
		size_t len = 0;
		while (len < rest.len && rest.ptr[len] != '\n')
			len++;
		if (pv_str_equal(pv_str_head(rest, len), wanted))
			return true;
		rest = pv_str_from(rest, len < rest.len ? len + 1 : len);
	}
	printf("# told: %.*s", PV_STR_ARG(pv_buf_str(&told)));
	return false;
}

#endif
