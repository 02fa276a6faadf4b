#include "fields/json_cell.h"

#include "base/json/json.h"
#include "base/json/json_page.h"

#define JSON_MAX ((size_t)1 << 20)

static struct pv_str written(
    const struct pv_json *value, struct pv_arena *arena)
{
	struct pv_buf buf;
	pv_buf_init(&buf, JSON_MAX);
	pv_json_page_write(value, &buf);
	struct pv_str copy = pv_arena_copy(arena, pv_buf_str(&buf));
	pv_buf_finish(&buf);
	return copy;
}

static bool is_whole(struct pv_str digits)
{
	return pv_str_find(digits, '.') == PV_NOT_FOUND &&
	       pv_str_find(digits, 'e') == PV_NOT_FOUND &&
	       pv_str_find(digits, 'E') == PV_NOT_FOUND;
}

static struct pv_cell cell_of(
    const struct pv_json *value, struct pv_arena *arena);

static struct pv_cell list_of(
    const struct pv_json *value, struct pv_arena *arena)
{
	struct pv_cell list = {.kind = PV_CELL_LIST};
	struct pv_json_walk walk = pv_json_walk_of(value);
	const struct pv_json *item;
	const char *name;
	list.items = pv_arena_give_array(
	    arena, pv_json_page_count(value), sizeof(*list.items));
	while ((item = pv_json_walk_next(&walk, &name)))
		list.items[list.count++] = cell_of(item, arena);
	return list;
}

static struct pv_cell cell_of(
    const struct pv_json *value, struct pv_arena *arena)
{
	struct pv_str text = pv_arena_copy(arena, pv_json_page_text(value));
	switch (pv_json_page_kind(value)) {
	case PV_JSON_BOOL:
		return (struct pv_cell){PV_CELL_BOOL, text, NULL, 0};
	case PV_JSON_NUMBER:
		return (struct pv_cell){
		    is_whole(text) ? PV_CELL_INTEGER : PV_CELL_NUMBER, text,
		    NULL, 0};
	case PV_JSON_TEXT:
		return (struct pv_cell){PV_CELL_TEXT, text, NULL, 0};
	case PV_JSON_ARRAY:
		return list_of(value, arena);
	case PV_JSON_OBJECT:
		return (struct pv_cell){
		    PV_CELL_JSON, written(value, arena), NULL, 0};
	case PV_JSON_NULL:
		break;
	}
	return (struct pv_cell){.kind = PV_CELL_NULL};
}

struct pv_cell pv_cell_of_json(
    const struct pv_json *value, struct pv_arena *arena)
{
	struct pv_cell cell = cell_of(value, arena);
	if (cell.kind == PV_CELL_LIST)
		cell = (struct pv_cell){
		    PV_CELL_JSON, written(value, arena), NULL, 0};
	return cell;
}

bool pv_cell_read_json(
    struct pv_str text, struct pv_arena *arena, struct pv_cell *cell)
{
	struct pv_json *value = pv_json_read_page(text);
	if (value)
		*cell = cell_of(value, arena);
	pv_json_destroy(value);
	return value != NULL;
}

struct pv_cell *pv_cells_read_carry(
    struct pv_str text, const struct pv_texts *names, struct pv_arena *arena)
{
	struct pv_cell *cells =
	    pv_arena_give_array(arena, names->count, sizeof(*cells));
	struct pv_json *object = text.len ? pv_json_read_page(text) : NULL;
	for (size_t i = 0; object && i < names->count; i++) {
		const struct pv_json *member =
		    pv_json_page_member(object, pv_str_of(names->items[i]));
		if (member)
			cells[i] = cell_of(member, arena);
	}
	pv_json_destroy(object);
	return cells;
}
