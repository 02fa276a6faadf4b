#include "crawl/errand.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/live_host.h"

void pv_errand_line_push(struct pv_errand_line *line, struct pv_errand *errand)
{
	errand->next = NULL;
	if (line->last)
		line->last->next = errand;
	else
		line->first = errand;
	line->last = errand;
	line->count++;
}

void pv_errand_line_push_first(
    struct pv_errand_line *line, struct pv_errand *errand)
{
	errand->next = line->first;
	line->first = errand;
	if (!line->last)
		line->last = errand;
	line->count++;
}

struct pv_errand *pv_errand_line_pop(struct pv_errand_line *line)
{
	struct pv_errand *errand = line->first;
	if (!errand)
		return NULL;
	line->first = errand->next;
	if (!line->first)
		line->last = NULL;
	line->count--;
	errand->next = NULL;
	return errand;
}

void pv_errand_line_put_first(
    struct pv_errand_line *line, struct pv_errand_line *others)
{
	if (!others->first)
		return;
	others->last->next = line->first;
	if (!line->last)
		line->last = others->last;
	line->first = others->first;
	line->count += others->count;
	*others = (struct pv_errand_line){0};
}

static struct pv_str copy(char **end, struct pv_str text)
{
	struct pv_str copied = {*end, text.len};
	if (text.len)
		memcpy(*end, text.ptr, text.len);
	*end += text.len;
	return copied;
}

struct pv_errand *pv_errand_create(
    struct pv_errand **all, const struct pv_visit *visit)
{
	struct pv_errand *errand =
	    pv_alloc(sizeof(*errand) + visit->url.len + visit->via.len +
		     visit->tag.len + visit->copy.len + visit->part.len);
	char *end = errand->texts;
	errand->visit = *visit;
	errand->visit.url = copy(&end, visit->url);
	errand->visit.via = copy(&end, visit->via);
	errand->visit.tag = copy(&end, visit->tag);
	errand->visit.copy = copy(&end, visit->copy);
	errand->visit.part = copy(&end, visit->part);
	errand->host_next = *all;
	errand->host_link = all;
	if (*all)
		(*all)->host_link = &errand->host_next;
	*all = errand;
	return errand;
}

void pv_errand_destroy(struct pv_errand *errand)
{
	if (!errand)
		return;
	if (errand->authority) {
		errand->authority->asks--;
		errand->host->asks--;
	}
	*errand->host_link = errand->host_next;
	if (errand->host_next)
		errand->host_next->host_link = errand->host_link;
	free(errand);
}
