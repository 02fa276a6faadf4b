#include "names/wanted.h"

#include <stdlib.h>

#include "base/array.h"

struct pv_request {
	struct pv_request *next;
	pv_name_fn on_answer;
	void *ctx;
};

void pv_wanted_table_init(struct pv_wanted_table *table, struct pv_hash_key key)
{
	*table = (struct pv_wanted_table){0};
	pv_map_init(&table->numbers, key);
}

void pv_wanted_table_finish(struct pv_wanted_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		pv_wanted_destroy(table->items[i]);
	free(table->items);
	pv_map_finish(&table->numbers);
}

struct pv_wanted *pv_wanted_get(
    const struct pv_wanted_table *table, struct pv_str host)
{
	const uint32_t *number = pv_map_get(&table->numbers, host);
	return number ? table->items[*number] : NULL;
}

struct pv_wanted *pv_wanted_add(
    struct pv_wanted_table *table, struct pv_str host)
{
	struct pv_wanted *wanted = pv_alloc(sizeof(*wanted));
	pv_buf_init(&wanted->host, host.len);
	pv_buf_append(&wanted->host, host);
	wanted->number = (uint32_t)table->count;
	PV_ARRAY_PUSH(table->items, table->count, table->size);
	table->items[wanted->number] = wanted;
	pv_map_add(&table->numbers, pv_buf_str(&wanted->host), wanted->number);
	return wanted;
}

void pv_wanted_take(struct pv_wanted_table *table, struct pv_wanted *wanted)
{
	struct pv_wanted *last = table->items[--table->count];
	*pv_map_get(&table->numbers, pv_buf_str(&last->host)) = wanted->number;
	table->items[wanted->number] = last;
	last->number = wanted->number;
	pv_map_remove(&table->numbers, pv_buf_str(&wanted->host));
}

static struct pv_request *pop_request(struct pv_wanted *wanted)
{
	struct pv_request *request = wanted->requests;
	if (request)
		wanted->requests = request->next;
	if (!wanted->requests)
		wanted->last = NULL;
	return request;
}

void pv_wanted_destroy(struct pv_wanted *wanted)
{
	while (wanted->requests)
		free(pop_request(wanted));
	pv_buf_finish(&wanted->host);
	free(wanted);
}

static void push_request(struct pv_wanted *wanted, struct pv_request *request)
{
	request->next = NULL;
	if (wanted->last)
		wanted->last->next = request;
	else
		wanted->requests = request;
	wanted->last = request;
}

void pv_wanted_add_request(
    struct pv_wanted *wanted, pv_name_fn on_answer, void *ctx)
{
	struct pv_request *request = pv_alloc(sizeof(*request));
	request->on_answer = on_answer;
	request->ctx = ctx;
	push_request(wanted, request);
}

bool pv_wanted_tell(struct pv_wanted *wanted)
{
	struct pv_request *request = pop_request(wanted);
	if (!request)
		return false;
	request->on_answer(request->ctx, &wanted->answer);
	free(request);
	return true;
}

void pv_wanted_forget(struct pv_wanted *wanted, const void *ctx)
{
	struct pv_request *request = wanted->requests;
	wanted->requests = wanted->last = NULL;
	while (request) {
		struct pv_request *next = request->next;
		if (request->ctx == ctx)
			free(request);
		else
			push_request(wanted, request);
		request = next;
	}
}

void pv_wanted_push(struct pv_wanted_line *line, struct pv_wanted *wanted)
{
	wanted->behind = NULL;
	if (line->last)
		line->last->behind = wanted;
	else
		line->first = wanted;
	line->last = wanted;
}

struct pv_wanted *pv_wanted_pop(struct pv_wanted_line *line)
{
	struct pv_wanted *wanted = line->first;
	if (wanted)
		line->first = wanted->behind;
	if (!line->first)
		line->last = NULL;
	return wanted;
}
