#include "audit/parts.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "store/tables/journal_files.h"

static bool is_there(const char *directory, uint64_t generation)
{
	char name[PV_JOURNAL_NAME_MAX];
	struct pv_buf path;
	pv_journal_name_write(generation, name);
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%s", directory, name);
	bool is_it = access(pv_buf_text(&path), F_OK) == 0;
	pv_buf_finish(&path);
	return is_it;
}

static void add(
    struct pv_audit_parts *parts, uint64_t generation, uint64_t length)
{
	*PV_ARRAY_PUSH(parts->items, parts->count, parts->size) =
	    (struct pv_audit_part){.generation = generation, .length = length};
}

/* What is missing without anybody's having removed it is told when it is read. */
static bool take(void *ctx, uint64_t generation, uint64_t length)
{
	struct pv_audit_parts *parts = ctx;
	bool follows =
	    parts->count &&
	    parts->items[parts->count - 1].generation + 1 == generation &&
	    is_there(
		parts->directory, parts->items[parts->count - 1].generation);
	if (!follows)
		parts->count = 0;
	add(parts, generation, length);
	return true;
}

void pv_audit_parts_find(struct pv_audit_parts *parts,
    struct pv_database *state, const char *directory)
{
	*parts = (struct pv_audit_parts){.directory = directory};
	pv_journal_files_each(state, take, parts);
	if (!parts->count)
		add(parts, 0, 0);
}

void pv_audit_parts_finish(struct pv_audit_parts *parts)
{
	free(parts->items);
}

bool pv_audit_parts_are_cut(const struct pv_audit_parts *parts)
{
	return parts->count && parts->items[0].generation > 0;
}

int64_t pv_audit_parts_place(const struct pv_audit_parts *parts, int64_t line,
    char name[PV_JOURNAL_NAME_MAX])
{
	size_t part = 0;
	while (part + 1 < parts->count &&
	       parts->items[part + 1].first_line <= line)
		part++;
	pv_journal_name_write(parts->items[part].generation, name);
	return line - parts->items[part].first_line + 1;
}
