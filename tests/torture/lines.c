#include "torture/lines.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/alloc.h"

#define LINE_MAX_BYTES 65536
#define TOLD_MAX 12

void lines_finish(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->items[i]);
	free(lines->items);
	*lines = (struct lines){.items = NULL};
}

void lines_add(struct lines *lines, const char *format, ...)
{
	va_list list;
	struct pv_buf line;
	if (lines->count == lines->size) {
		lines->size = lines->size ? 2 * lines->size : 64;
		lines->items = pv_realloc_array(
		    lines->items, lines->size, sizeof(*lines->items));
	}
	pv_buf_init(&line, LINE_MAX_BYTES);
	va_start(list, format);
	pv_buf_append_format_list(&line, format, list);
	va_end(list);
	lines->items[lines->count++] = pv_buf_take(&line);
}

static bool stands_in(const char *word, const char *line)
{
	size_t len = strlen(word);
	const char *at = line;
	while ((at = strstr(at, word))) {
		bool begins = at == line || at[-1] == ' ';
		if (begins && (!at[len] || at[len] == ' '))
			return true;
		at++;
	}
	return false;
}

void lines_add_others(
    struct lines *lines, const struct lines *from, const struct lines *words)
{
	for (size_t i = 0; i < from->count; i++) {
		size_t k = 0;
		while (k < words->count &&
		       !stands_in(words->items[k], from->items[i]))
			k++;
		if (k == words->count)
			lines_add(lines, "%s", from->items[i]);
	}
}

static int compare(const void *a, const void *b)
{
	const char *const *one = a;
	const char *const *other = b;
	return strcmp(*one, *other);
}

void lines_sort(struct lines *lines)
{
	if (lines->count)
		qsort(
		    lines->items, lines->count, sizeof(*lines->items), compare);
}

/* The place of the first that is not before it. */
static size_t find(const struct lines *lines, const char *line)
{
	size_t low = 0;
	size_t high = lines->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(lines->items[middle], line) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t lines_count(const struct lines *lines, const char *line)
{
	size_t first = find(lines, line);
	size_t end = first;
	while (end < lines->count && strcmp(lines->items[end], line) == 0)
		end++;
	return end - first;
}

size_t lines_compare(const struct lines *found, const struct lines *wanted,
    const char *what, struct pv_buf *faults)
{
	size_t i = 0;
	size_t j = 0;
	size_t differences = 0;
	while (i < found->count || j < wanted->count) {
		int order = i == found->count ? 1
			    : j == wanted->count
				? -1
				: strcmp(found->items[i], wanted->items[j]);
		if (order && differences++ < TOLD_MAX)
			pv_buf_append_format(faults, "%s, %s: %s\n", what,
			    order < 0 ? "too much" : "missing",
			    order < 0 ? found->items[i] : wanted->items[j]);
		i += order <= 0;
		j += order >= 0;
	}
	return differences;
}
