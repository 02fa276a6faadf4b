#include "fields/item_runs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/reader.h"

void pv_item_runs_init(struct pv_item_runs *runs)
{
	*runs = (struct pv_item_runs){.count = 0};
}

void pv_item_runs_finish(struct pv_item_runs *runs)
{
	free(runs->items);
}

static void add_run(struct pv_item_runs *runs, struct pv_item_run run)
{
	*PV_ARRAY_PUSH(runs->items, runs->count, runs->size) = run;
}

void pv_item_runs_add(struct pv_item_runs *runs, uint32_t item)
{
	struct pv_item_run *last =
	    runs->count ? &runs->items[runs->count - 1] : NULL;
	if (last && item <= last->last)
		return;
	if (last && item - 1 == last->last)
		last->last = item;
	else
		add_run(runs, (struct pv_item_run){item, item});
}

bool pv_item_runs_has(const struct pv_item_runs *runs, uint32_t item)
{
	size_t low = 0, high = runs->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (item > runs->items[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < runs->count && item >= runs->items[low].first;
}

uint64_t pv_item_runs_total(const struct pv_item_runs *runs)
{
	uint64_t total = 0;
	for (size_t i = 0; i < runs->count; i++)
		total +=
		    (uint64_t)runs->items[i].last - runs->items[i].first + 1;
	return total;
}

bool pv_item_runs_write(const struct pv_item_runs *runs, struct pv_buf *buf)
{
	for (size_t i = 0; i < runs->count; i++) {
		struct pv_item_run run = runs->items[i];
		pv_buf_append_format(
		    buf, i ? " %" PRIu32 : "%" PRIu32, run.first);
		if (run.last != run.first)
			pv_buf_append_format(buf, "-%" PRIu32, run.last);
	}
	return !buf->is_full;
}

static bool read_run(struct pv_reader *reader, struct pv_item_run *run)
{
	uint64_t first, last;
	if (!pv_reader_take_number(reader, UINT32_MAX, &first))
		return false;
	last = first;
	if (pv_reader_accept(reader, '-') &&
	    !pv_reader_take_number(reader, UINT32_MAX, &last))
		return false;
	*run = (struct pv_item_run){(uint32_t)first, (uint32_t)last};
	return first && first <= last;
}

/* In ascending order, none of them joined to the next. */
bool pv_item_runs_read(struct pv_item_runs *runs, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	size_t had = runs->count;
	while (!pv_reader_is_end(&reader)) {
		struct pv_item_run run;
		uint32_t before =
		    runs->count ? runs->items[runs->count - 1].last : 0;
		bool is_next =
		    runs->count == 0 || pv_reader_accept(&reader, ' ');
		if (!is_next || !read_run(&reader, &run) ||
		    run.first <= before) {
			runs->count = had;
			return false;
		}
		add_run(runs, run);
	}
	return true;
}
