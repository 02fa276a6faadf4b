#include "fetch/own_head.h"

#include <stdlib.h>

#include "base/array.h"
#include "fetch/fetch.h"

#define AUTHORIZATION "Authorization"

void pv_own_head_init(struct pv_own_head *head)
{
	*head = (struct pv_own_head){.items = NULL};
	pv_buf_init(&head->text, SIZE_MAX);
}

void pv_own_head_finish(struct pv_own_head *head)
{
	pv_buf_finish(&head->text);
	free(head->items);
}

static void add(struct pv_own_head *head, char *line)
{
	*PV_ARRAY_PUSH(head->items, head->count, head->size) =
	    (struct curl_slist){.data = line};
}

/* With nothing behind the colon libcurl would leave the header out; a
 * semicolon in its place makes an empty one. */
static void write_line(
    struct pv_own_head *head, const char *name, const char *value)
{
	pv_buf_append_format(
	    &head->text, "%s%s%s", name, *value ? ": " : ";", value);
	pv_buf_append_char(&head->text, '\0');
}

static void write_lines(
    struct pv_own_head *head, const struct pv_request *request)
{
	pv_buf_clear(&head->text);
	for (size_t i = 0; i < request->headers.count; i++) {
		const struct pv_pair *pair = &request->headers.items[i];
		bool is_replaced = request->authorization &&
				   pv_str_equal_nocase(pv_str_of(pair->name),
				       PV_STR(AUTHORIZATION));
		if (!is_replaced)
			write_line(head, pair->name, pair->text);
	}
	if (request->authorization)
		write_line(head, AUTHORIZATION, request->authorization);
	/* Whether a body is welcome is not asked first: libcurl would wait for
	 * the answer. With nothing behind its colon a header is left out. */
	if (request->body.ptr)
		pv_buf_append(&head->text, PV_STR("Expect:\0"));
}

static bool is_named(const char *line, const char *name)
{
	size_t len = strlen(name);
	struct pv_str begin = pv_str_head(pv_str_of(line), len);
	return pv_str_equal_nocase(begin, pv_str_of(name)) &&
	       (line[len] == ':' || line[len] == ';');
}

static bool is_over(const struct pv_request *request, const char *line)
{
	if (request->authorization && is_named(line, AUTHORIZATION))
		return true;
	for (size_t i = 0; i < request->headers.count; i++) {
		if (is_named(line, request->headers.items[i].name))
			return true;
	}
	return false;
}

static struct curl_slist *chain(struct pv_own_head *head)
{
	for (size_t i = 0; i + 1 < head->count; i++)
		head->items[i].next = &head->items[i + 1];
	return head->items;
}

struct curl_slist *pv_own_head_over(struct pv_own_head *head,
    const struct pv_request *request, struct curl_slist *lines)
{
	if (!request->headers.count && !request->authorization &&
	    !request->body.ptr)
		return lines;
	head->count = 0;
	for (; lines; lines = lines->next) {
		if (!is_over(request, lines->data))
			add(head, lines->data);
	}
	write_lines(head, request);
	for (char *line = head->text.ptr;
	     line < head->text.ptr + head->text.len; line += strlen(line) + 1)
		add(head, line);
	return chain(head);
}
