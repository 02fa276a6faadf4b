#include "policy/checks/pages_check.h"

#include "base/ascii.h"
#include "base/map.h"

/* Seeds */

static void check_seed(const struct pv_pages *pages, const struct pv_seed *seed,
    struct pv_why *why)
{
	struct pv_str name = pv_str_of(seed->as ? seed->as : "");
	if (!seed->as || pv_pages_find(pages, name) < pages->count)
		return;
	const char *nearest = pv_pages_nearest(pages, name);
	if (nearest)
		pv_why_add(why, seed->origin.place, PV_STR("seeds.as"),
		    "there is no kind of page %s: did you mean %s?", seed->as,
		    nearest);
	else
		pv_why_add(why, seed->origin.place, PV_STR("seeds.as"),
		    "there is no kind of page %s: describe it in pages",
		    seed->as);
}

/* Names */

#define NAME_MAX_BYTES 512

/* A table of fields.db: of a kind, or of records within its rows. */
struct table {
	const struct pv_page_kind *kind;
	const struct pv_field *field; /* NULL: of the kind */
};

struct check {
	struct pv_why *why;
	struct pv_map names; /* in small letters, each with its table */
	struct pv_arena arena;
	struct table *tables;
	uint32_t count;
};

static void write_path(const struct table *table, struct pv_buf *path)
{
	pv_buf_init(path, NAME_MAX_BYTES);
	pv_buf_append_format(path, "pages.%s", table->kind->name);
	if (table->field)
		pv_buf_append_format(path, ".fields.%s", table->field->name);
}

static void tell_alike(
    struct check *check, const struct table *table, const struct table *other)
{
	const struct pv_origin *origin =
	    table->field ? &table->field->origin : &table->kind->origin;
	struct pv_buf path, other_path;
	write_path(table, &path);
	write_path(other, &other_path);
	pv_why_add(check->why, origin->place, pv_buf_str(&path),
	    "its table in fields.db would have the name of that of %s: give "
	    "one of the two another name, or leave sqlite out of "
	    "output.fields.forms",
	    pv_buf_text(&other_path));
	pv_buf_finish(&path);
	pv_buf_finish(&other_path);
}

/* It is named by the kind and, behind _, the field. */
static struct pv_str name_of(struct check *check, const struct table *table)
{
	struct pv_buf name;
	pv_buf_init(&name, NAME_MAX_BYTES);
	pv_buf_append_text(&name, table->kind->name);
	if (table->field)
		pv_buf_append_format(&name, "_%s", table->field->name);
	for (size_t i = 0; i < name.len; i++)
		name.ptr[i] = pv_lower(name.ptr[i]);
	struct pv_str copy = pv_arena_copy(&check->arena, pv_buf_str(&name));
	pv_buf_finish(&name);
	return copy;
}

static void check_table(struct check *check, const struct table *table)
{
	struct pv_str name = name_of(check, table);
	check->tables[check->count] = *table;
	if (!pv_map_add(&check->names, name, check->count++))
		tell_alike(check, table,
		    &check->tables[*pv_map_get(&check->names, name)]);
}

static bool starts_nocase(struct pv_str name, struct pv_str start)
{
	return name.len >= start.len &&
	       pv_str_equal_nocase(pv_str_head(name, start.len), start);
}

static void check_tables_of(
    struct check *check, const struct pv_page_kind *kind)
{
	struct pv_str own = PV_STR("sqlite_");
	struct table table = {kind, NULL};
	if (starts_nocase(pv_str_of(kind->name), own)) {
		struct pv_buf path;
		write_path(&table, &path);
		pv_why_add(check->why, kind->origin.place, pv_buf_str(&path),
		    "SQLite keeps names that begin with sqlite_ for itself: "
		    "give the kind another name, or leave sqlite out of "
		    "output.fields.forms");
		pv_buf_finish(&path);
	}
	check_table(check, &table);
	for (size_t i = 0; i < kind->field_count; i++) {
		table.field = &kind->fields[i];
		if (table.field->field_count)
			check_table(check, &table);
	}
}

static void check_tables(const struct pv_pages *pages, struct pv_why *why)
{
	static const struct pv_hash_key key = {{0x70617661, 0x7461626c}};
	struct check check = {.why = why};
	pv_map_init(&check.names, key);
	pv_arena_init(&check.arena);
	check.tables = pv_arena_give_array(&check.arena,
	    pages->count + pages->field_total, sizeof(*check.tables));
	for (size_t i = 0; i < pages->count; i++)
		check_tables_of(&check, &pages->items[i]);
	pv_map_finish(&check.names);
	pv_arena_finish(&check.arena);
}

/* The list of problems has that name. */
static void check_name(const struct pv_page_kind *kind, struct pv_why *why)
{
	struct table table = {kind, NULL};
	struct pv_buf path;
	if (!pv_str_equal_nocase(pv_str_of(kind->name), PV_STR("problems")))
		return;
	write_path(&table, &path);
	pv_why_add(why, kind->origin.place, pv_buf_str(&path),
	    "fields/problems.jsonl is the list of problems: give the kind "
	    "another name");
	pv_buf_finish(&path);
}

void pv_pages_check(const struct pv_policy *policy, struct pv_why *why)
{
	const struct pv_pages *pages = &policy->pages;
	for (size_t i = 0; i < policy->seeds.count; i++)
		check_seed(pages, &policy->seeds.items[i], why);
	for (size_t i = 0; i < pages->count; i++)
		check_name(&pages->items[i], why);
	if (pages->count && (policy->output.fields.forms & PV_FIELDS_SQLITE))
		check_tables(pages, why);
}
