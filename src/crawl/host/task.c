#include "crawl/host/task.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/host/live_host.h"

void pv_task_line_push(struct pv_task_line *line, struct pv_task *task)
{
	task->next = NULL;
	if (line->last)
		line->last->next = task;
	else
		line->first = task;
	line->last = task;
	line->count++;
}

void pv_task_line_push_first(struct pv_task_line *line, struct pv_task *task)
{
	task->next = line->first;
	line->first = task;
	if (!line->last)
		line->last = task;
	line->count++;
}

struct pv_task *pv_task_line_pop(struct pv_task_line *line)
{
	struct pv_task *task = line->first;
	if (!task)
		return NULL;
	line->first = task->next;
	if (!line->first)
		line->last = NULL;
	line->count--;
	task->next = NULL;
	return task;
}

void pv_task_line_put_first(
    struct pv_task_line *line, struct pv_task_line *others)
{
	if (!others->first)
		return;
	others->last->next = line->first;
	if (!line->last)
		line->last = others->last;
	line->first = others->first;
	line->count += others->count;
	*others = (struct pv_task_line){0};
}

static struct pv_str copy(char **end, struct pv_str text)
{
	struct pv_str copied = {*end, text.len};
	if (text.len)
		memcpy(*end, text.ptr, text.len);
	*end += text.len;
	return copied;
}

struct pv_task *pv_task_create(
    struct pv_task_list *all, const struct pv_visit *visit)
{
	struct pv_task *task = pv_alloc(
	    sizeof(*task) + visit->url.len + visit->via.len + visit->tag.len +
	    visit->carry.len + visit->copy.len + visit->part.len);
	char *end = task->texts;
	task->visit = *visit;
	task->visit.url = copy(&end, visit->url);
	task->visit.via = copy(&end, visit->via);
	task->visit.tag = copy(&end, visit->tag);
	task->visit.carry = copy(&end, visit->carry);
	task->visit.copy = copy(&end, visit->copy);
	task->visit.part = copy(&end, visit->part);
	task->host_next = all->first;
	task->host_link = &all->first;
	if (all->first)
		all->first->host_link = &task->host_next;
	all->first = task;
	return task;
}

struct pv_task *pv_task_create_for(struct pv_authority *authority,
    struct pv_live_host *host, const struct pv_visit *visit)
{
	struct pv_task *task = pv_task_create(&host->tasks, visit);
	task->host = host;
	task->authority = authority;
	pv_authority_hold(authority);
	host->tasks.asks++;
	return task;
}

void pv_task_destroy(struct pv_task *task)
{
	if (!task)
		return;
	if (task->authority) {
		pv_authority_let_go(task->authority);
		task->host->tasks.asks--;
	}
	*task->host_link = task->host_next;
	if (task->host_next)
		task->host_next->host_link = task->host_link;
	free(task);
}
