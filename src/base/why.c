#include "base/why.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/visible.h"

/* A sentence quotes at most a few values, each shortened where it is
 * quoted. */
#define TEXT_MAX 4096

void pv_why_init(struct pv_why *why)
{
	*why = (struct pv_why){0};
}

static void problems_finish(struct pv_problems *problems)
{
	for (size_t i = 0; i < problems->kept_count; i++) {
		free(problems->kept[i].file);
		free(problems->kept[i].key);
		free(problems->kept[i].text);
		free(problems->kept[i].excerpt);
	}
}

void pv_why_finish(struct pv_why *why)
{
	problems_finish(&why->problems);
	problems_finish(&why->notes);
	*why = (struct pv_why){0};
}

static char *visible_copy(struct pv_str text)
{
	struct pv_buf buf;
	pv_buf_init(&buf, TEXT_MAX);
	pv_visible_append(&buf, text);
	return pv_buf_take(&buf);
}

/* The order of a file is that of the first problem in it. */
static uint32_t order_of(const struct pv_problems *problems, const char *file)
{
	for (size_t i = 0; i < problems->kept_count; i++) {
		if (strcmp(problems->kept[i].file, file) == 0)
			return problems->kept[i].order;
	}
	return (uint32_t)problems->kept_count;
}

static void __attribute__((format(printf, 4, 0)))
add(struct pv_problems *problems, struct pv_place place, struct pv_str key,
    const char *format, va_list list)
{
	if (problems->count++ >= PV_WHY_PROBLEMS_MAX)
		return;
	struct pv_buf text;
	pv_buf_init(&text, TEXT_MAX);
	pv_visible_append_format_list(&text, format, list);
	struct pv_problem problem = {
	    .file = visible_copy(pv_str_of(place.file ? place.file : "")),
	    .line = place.line,
	    .column = place.column,
	    .key = visible_copy(key),
	    .text = pv_buf_take(&text),
	};
	problem.order = order_of(problems, problem.file);
	problems->kept[problems->kept_count++] = problem;
}

void pv_why_add(struct pv_why *why, struct pv_place place, struct pv_str key,
    const char *format, ...)
{
	va_list list;
	va_start(list, format);
	add(&why->problems, place, key, format, list);
	va_end(list);
}

void pv_why_note(struct pv_why *why, struct pv_place place, struct pv_str key,
    const char *format, ...)
{
	va_list list;
	va_start(list, format);
	add(&why->notes, place, key, format, list);
	va_end(list);
}

static bool is_before(const struct pv_problem *a, const struct pv_problem *b)
{
	if (a->order != b->order)
		return a->order < b->order;
	if (a->line != b->line)
		return a->line < b->line;
	return a->column < b->column;
}

/* By insertion: they are few, and qsort may swap those of one place. */
static void problems_sort(struct pv_problems *problems)
{
	struct pv_problem *kept = problems->kept;
	for (size_t i = 1; i < problems->kept_count; i++) {
		struct pv_problem problem = kept[i];
		size_t at = i;
		for (; at > 0 && is_before(&problem, &kept[at - 1]); at--)
			kept[at] = kept[at - 1];
		kept[at] = problem;
	}
}

void pv_why_sort(struct pv_why *why)
{
	problems_sort(&why->problems);
	problems_sort(&why->notes);
}

void pv_problem_write(const struct pv_problem *problem, struct pv_buf *buf)
{
	size_t start = buf->len;
	if (problem->file[0])
		pv_buf_append_text(buf, problem->file);
	if (problem->line)
		pv_buf_append_format(buf, ":%u", problem->line);
	if (problem->line && problem->column)
		pv_buf_append_format(buf, ":%u", problem->column);
	if (buf->len > start)
		pv_buf_append_text(buf, ": ");
	if (problem->key[0])
		pv_buf_append_format(buf, "%s: ", problem->key);
	pv_buf_append_text(buf, problem->text);
}
