#include "record/visit.h"

#include <stdlib.h>

#include "base/array.h"

/* Texts stand behind one another in the buffer, which moves as it grows; the
 * visit's own pointers are not used. */
struct pv_visit_item {
	struct pv_visit visit;
	size_t start;
};

void pv_visit_list_init(struct pv_visit_list *visits, size_t text_ceiling)
{
	*visits = (struct pv_visit_list){0};
	pv_buf_init(&visits->texts, text_ceiling);
}

void pv_visit_list_finish(struct pv_visit_list *visits)
{
	free(visits->items);
	pv_buf_finish(&visits->texts);
	*visits = (struct pv_visit_list){0};
}

bool pv_visit_list_add(
    struct pv_visit_list *visits, const struct pv_visit *visit)
{
	size_t start = visits->texts.len;
	if (!pv_buf_append(&visits->texts, visit->url) ||
	    !pv_buf_append(&visits->texts, visit->via) ||
	    !pv_buf_append(&visits->texts, visit->tag) ||
	    !pv_buf_append(&visits->texts, visit->carry) ||
	    !pv_buf_append(&visits->texts, visit->copy) ||
	    !pv_buf_append(&visits->texts, visit->part)) {
		pv_buf_cut(&visits->texts, start);
		return false;
	}
	*PV_ARRAY_PUSH(visits->items, visits->count, visits->size) =
	    (struct pv_visit_item){.visit = *visit, .start = start};
	return true;
}

struct pv_visit pv_visit_list_get(
    const struct pv_visit_list *visits, size_t number)
{
	struct pv_visit visit = visits->items[number].visit;
	const char *text =
	    pv_buf_text(&visits->texts) + visits->items[number].start;
	visit.url.ptr = text;
	visit.via.ptr = text + visit.url.len;
	visit.tag.ptr = visit.via.ptr + visit.via.len;
	visit.carry.ptr = visit.tag.ptr + visit.tag.len;
	visit.copy.ptr = visit.carry.ptr + visit.carry.len;
	visit.part.ptr = visit.copy.ptr + visit.copy.len;
	return visit;
}
