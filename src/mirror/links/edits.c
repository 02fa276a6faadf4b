#include "mirror/links/edits.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"

void pv_edits_init(struct pv_edits *edits)
{
	*edits = (struct pv_edits){.count = 0};
	pv_buf_init(&edits->texts, SIZE_MAX);
}

void pv_edits_finish(struct pv_edits *edits)
{
	free(edits->items);
	pv_buf_finish(&edits->texts);
}

void pv_edits_clear(struct pv_edits *edits)
{
	edits->count = 0;
	pv_buf_clear(&edits->texts);
}

void pv_edits_add(
    struct pv_edits *edits, size_t start, size_t end, struct pv_str text)
{
	*PV_ARRAY_PUSH(edits->items, edits->count, edits->size) =
	    (struct pv_edit){start, end, edits->texts.len, text.len};
	pv_buf_append(&edits->texts, text);
}

/* By place; of two at one place the first noted comes first. */
static int compare(const void *left, const void *right)
{
	const struct pv_edit *a = left;
	const struct pv_edit *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->text < b->text ? -1 : a->text > b->text;
}

/* They mostly are noted in their order. */
static void sort(struct pv_edits *edits)
{
	for (size_t i = 1; i < edits->count; i++) {
		if (compare(&edits->items[i - 1], &edits->items[i]) <= 0)
			continue;
		qsort(
		    edits->items, edits->count, sizeof(*edits->items), compare);
		return;
	}
}

void pv_edits_apply(
    struct pv_edits *edits, struct pv_str old, struct pv_buf *text)
{
	size_t copied = 0;
	sort(edits);
	for (size_t i = 0; i < edits->count; i++) {
		const struct pv_edit *edit = &edits->items[i];
		struct pv_str between = pv_str_from(old, copied);
		pv_buf_append(text, pv_str_head(between, edit->start - copied));
		pv_buf_append(text,
		    pv_str_head(
			pv_str_from(pv_buf_str(&edits->texts), edit->text),
			edit->len));
		copied = edit->end;
	}
	pv_buf_append(text, pv_str_from(old, copied));
}
