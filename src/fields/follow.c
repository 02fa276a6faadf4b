#include "fields/extract.h"

#include "base/json/json.h"
#include "fields/finds.h"
#include "fields/json_cell.h"
#include "fields/row_json.h"
#include "policy/values/value.h"
#include "tree/nodes/node.h"

/* What a row brings along to where it leads */

/* A value of that name among the row's, or among what its own link brought. */
static const struct pv_cell *cell_of(
    const struct pv_page_kind *kind, const struct pv_row *row, const char *name)
{
	for (size_t i = 0; i < kind->field_count; i++) {
		if (pv_str_equal_nocase(
			pv_str_of(kind->fields[i].name), pv_str_of(name)))
			return &row->cells[i];
	}
	for (size_t i = 0; i < kind->carried.count; i++) {
		if (pv_str_equal(
			pv_str_of(kind->carried.items[i]), pv_str_of(name)))
			return &row->carried[i];
	}
	return NULL;
}

static const struct pv_field *field_of(
    const struct pv_page_kind *kind, const char *name)
{
	for (size_t i = 0; i < kind->field_count; i++) {
		if (pv_str_equal_nocase(
			pv_str_of(kind->fields[i].name), pv_str_of(name)))
			return &kind->fields[i];
	}
	return NULL;
}

/* Appends it as a JSON object; false if it is too long. */
static bool write_carry(const struct pv_page_kind *kind,
    const struct pv_row *row, const struct pv_texts *names,
    struct pv_buf *carry)
{
	pv_buf_append_char(carry, '{');
	for (size_t i = 0; i < names->count; i++) {
		const struct pv_cell *cell =
		    cell_of(kind, row, names->items[i]);
		pv_buf_append_text(carry, i ? "," : "");
		pv_json_write_text(pv_str_of(names->items[i]), carry);
		pv_buf_append_char(carry, ':');
		if (cell)
			pv_row_json_write_cell(
			    cell, field_of(kind, names->items[i]), carry);
		else
			pv_buf_append_text(carry, "null");
	}
	pv_buf_append_char(carry, '}');
	return !carry->is_full;
}

/* Links */

struct following {
	struct pv_row_page *page;
	struct pv_rows *rows;
	const struct pv_follow *follow;
	pv_followed_fn *on_link;
	void *ctx;
	int64_t left; /* that count */
};

static struct pv_str attribute(
    const struct pv_tree_node *element, const char *name)
{
	return pv_node_attribute(element, pv_str_of(name));
}

/* Where an element leads: by the attribute that an address stands in. */
static struct pv_str address_of(const struct pv_tree_node *element)
{
	static const char *const names[] = {
	    "href", "src", "data-href", "action", "content"};
	struct pv_str address = {NULL, 0};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !address.ptr;
	     i++)
		address = attribute(element, names[i]);
	return address;
}

static void give(struct following *following, const struct pv_find *find,
    struct pv_str carry)
{
	struct pv_followed link = {
	    .kind = following->follow->kind, .carry = carry};
	bool has_text = true;
	if (find->kind == PV_FIND_ELEMENT)
		link.text = address_of(find->element);
	else
		has_text = pv_find_text(find, following->page, false,
		    &following->rows->arena, &link.text);
	if (find->element)
		link.rel = attribute(find->element, "rel");
	if (has_text && link.text.ptr)
		following->on_link(following->ctx, &link);
}

static void follow_within(struct following *following,
    const struct pv_find *context, struct pv_str carry)
{
	struct pv_finds finds;
	pv_finds_init(&finds, following->page->ceilings.rows);
	pv_finds_read(&finds, following->page, &following->follow->source,
	    context, &following->rows->arena);
	for (size_t i = 0; i < finds.count; i++) {
		if (following->left != PV_NONE && following->left-- <= 0)
			break;
		give(following, &finds.items[i], carry);
	}
	pv_finds_finish(&finds);
}

static void tell_long(struct pv_rows *rows, const struct pv_follow *follow)
{
	const struct pv_field_problem problem = {
	    .field =
		pv_arena_format(&rows->arena, "follow.%s.carry", follow->as),
	    .fault = PV_FIELD_LONG,
	};
	pv_rows_add_problem(rows, &problem);
}

/* In each row's element, if a link carries what is the row's own; the rows come
 * in the order of the elements, some of which have none. */
static void follow_each(struct following *following, struct pv_buf *carry)
{
	struct pv_row_page *page = following->page;
	const struct pv_page_kind *kind = page->kind;
	struct pv_finds finds;
	size_t row = 0;
	pv_finds_init(&finds, page->ceilings.rows);
	pv_finds_read(&finds, page, &kind->each, NULL, &following->rows->arena);
	for (size_t i = 0; i < finds.count && row < following->rows->count;
	     i++) {
		if (following->rows->items[row].item != i + 1)
			continue;
		pv_buf_clear(carry);
		bool fits = write_carry(kind, &following->rows->items[row++],
		    &following->follow->carry, carry);
		if (!fits) {
			tell_long(following->rows, following->follow);
			pv_buf_clear(carry);
		}
		follow_within(following, &finds.items[i], pv_buf_str(carry));
	}
	pv_finds_finish(&finds);
}

static void follow_one(struct following *following)
{
	struct pv_rows *rows = following->rows;
	const struct pv_page_kind *kind = following->page->kind;
	const struct pv_follow *follow = following->follow;
	bool carries = follow->carry.count > 0;
	struct pv_buf carry;
	pv_buf_init(&carry, PV_CARRY_MAX);
	if (carries && kind->has_each) {
		follow_each(following, &carry);
	} else {
		if (carries && rows->count &&
		    !write_carry(
			kind, &rows->items[0], &follow->carry, &carry)) {
			tell_long(rows, follow);
			pv_buf_clear(&carry);
		}
		follow_within(following, NULL, pv_buf_str(&carry));
	}
	pv_buf_finish(&carry);
}

void pv_links_follow(struct pv_row_page *page, struct pv_rows *rows,
    pv_followed_fn *on_link, void *ctx)
{
	for (size_t i = 0; i < page->kind->follow_count; i++) {
		const struct pv_follow *follow = &page->kind->follow[i];
		struct following following = {
		    .page = page,
		    .rows = rows,
		    .follow = follow,
		    .on_link = on_link,
		    .ctx = ctx,
		    .left = follow->limit,
		};
		follow_one(&following);
	}
}
