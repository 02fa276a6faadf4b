#include "fields/readers.h"

#include <stdlib.h>

#include "base/alloc.h"

static void add(struct pv_field_readers *readers,
    const struct pv_field *fields, size_t count, const char *environment)
{
	for (size_t i = 0; i < count; i++) {
		pv_field_reader_init(&readers->items[fields[i].number],
		    &fields[i].form, environment);
		add(readers, fields[i].fields, fields[i].field_count,
		    environment);
	}
}

void pv_field_readers_init(struct pv_field_readers *readers,
    const struct pv_pages *pages, const char *environment)
{
	readers->count = pages->field_total;
	readers->items =
	    pv_alloc_array(readers->count, sizeof(*readers->items));
	for (size_t i = 0; i < pages->count; i++)
		add(readers, pages->items[i].fields,
		    pages->items[i].field_count, environment);
}

void pv_field_readers_finish(struct pv_field_readers *readers)
{
	for (size_t i = 0; i < readers->count; i++)
		pv_field_reader_finish(&readers->items[i]);
	free(readers->items);
	*readers = (struct pv_field_readers){0};
}
