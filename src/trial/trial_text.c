#include "trial/trial_text.h"

#include <string.h>

#include "base/visible.h"
#include "fields/row_facts.h"
#include "fields/row_json.h"

/* Names stand to the left, and what they name begins here. */
#define NAME_WIDTH 16

/* So much of a value is shown, and so many links. */
#define VALUE_MAX ((size_t)2000)
#define LINKS_SHOWN 20

struct writing {
	const struct pv_trial *trial;
	struct pv_buf *text;
	struct pv_buf value; /* that is being written */
};

/* Lines */

static void write_name(
    struct writing *writing, unsigned depth, const char *name)
{
	unsigned indent = 2 * depth;
	int width = indent < NAME_WIDTH ? (int)(NAME_WIDTH - indent) : 1;
	pv_buf_append_format(
	    writing->text, "  %*s%-*s ", (int)indent, "", width, name);
}

static void end_line(struct writing *writing, struct pv_str value)
{
	struct pv_str shown =
	    value.len > VALUE_MAX ? pv_str_head(value, VALUE_MAX) : value;
	pv_visible_append(writing->text, shown);
	if (shown.len < value.len)
		pv_buf_append_format(
		    writing->text, "... (%zu bytes)", value.len);
	pv_buf_append_char(writing->text, '\n');
}

static void write_line(struct writing *writing, unsigned depth,
    const char *name, struct pv_str value)
{
	write_name(writing, depth, name);
	end_line(writing, value);
}

/* What was put together in `value`. */
static void write_made(
    struct writing *writing, unsigned depth, const char *name)
{
	write_line(writing, depth, name, pv_buf_str(&writing->value));
	pv_buf_clear(&writing->value);
}

/* Values */

static void write_cell(struct writing *writing, const struct pv_cell *cell,
    const struct pv_field *field, unsigned depth, const char *name);

static void write_list(struct writing *writing, const struct pv_cell *cell,
    unsigned depth, const char *name)
{
	if (!cell->count)
		write_line(writing, depth, name, PV_STR("(none)"));
	for (size_t i = 0; i < cell->count; i++)
		write_cell(
		    writing, &cell->items[i], NULL, depth, i ? "" : name);
}

static void write_records(struct writing *writing, const struct pv_cell *cell,
    const struct pv_field *field, unsigned depth, const char *name)
{
	if (!cell->count)
		write_line(writing, depth, name, PV_STR("(none)"));
	for (size_t i = 0; i < cell->count; i++) {
		pv_buf_append_format(
		    &writing->value, "%zu of %zu", i + 1, cell->count);
		write_made(writing, depth, name);
		for (size_t j = 0; j < field->field_count; j++)
			write_cell(writing, &cell->items[i].items[j],
			    &field->fields[j], depth + 1,
			    field->fields[j].name);
	}
}

static void write_cell(struct writing *writing, const struct pv_cell *cell,
    const struct pv_field *field, unsigned depth, const char *name)
{
	switch (cell->kind) {
	case PV_CELL_NULL:
		write_line(writing, depth, name, PV_STR("(no value)"));
		break;
	case PV_CELL_LIST:
		write_list(writing, cell, depth, name);
		break;
	case PV_CELL_RECORDS:
		write_records(writing, cell, field, depth, name);
		break;
	default:
		write_line(writing, depth, name, cell->text);
		break;
	}
}

/* Parts */

static void write_kind(struct writing *writing)
{
	const struct pv_trial_page *page = writing->trial->page;
	static const char *const reasons[] = {
	    [PV_TRIAL_NAMED] = "as --as says",
	    [PV_TRIAL_MATCH] = "its match fits the address",
	    [PV_TRIAL_FOUND] = "as the crawl found it",
	};
	pv_buf_append_format(
	    &writing->value, "%s, %s", page->kind->name, reasons[page->reason]);
	if (page->kind->origin.place.file) {
		pv_buf_append_text(&writing->value, " (");
		pv_origin_write(&page->kind->origin, &writing->value);
		pv_buf_append_char(&writing->value, ')');
	}
	write_made(writing, 0, "kind");
	if (!page->has_url)
		write_line(writing, 0, "note",
		    PV_STR("its address is not known, so what is relative is "
			   "joined to another: give it by --url"));
	if (writing->trial->is_bare)
		write_line(writing, 0, "note",
		    PV_STR("it shows nothing without scripts, which are not "
			   "run"));
}

/* Without a link that carries something they are null. */
static void write_carried(struct writing *writing, const struct pv_row *row)
{
	const struct pv_texts *carried = &writing->trial->page->kind->carried;
	for (size_t i = 0; i < carried->count; i++) {
		if (row->carried[i].kind == PV_CELL_NULL)
			write_line(writing, 1, carried->items[i],
			    PV_STR("(comes with a link, or by --carry)"));
		else
			write_cell(writing, &row->carried[i], NULL, 1,
			    carried->items[i]);
	}
}

static void write_rows(struct writing *writing)
{
	const struct pv_trial *trial = writing->trial;
	const struct pv_page_kind *kind = trial->page->kind;
	for (size_t i = 0; i < trial->rows.count; i++) {
		const struct pv_row *row = &trial->rows.items[i];
		pv_buf_append_format(
		    writing->text, "\n  row %u\n", (unsigned)row->item);
		write_carried(writing, row);
		for (size_t j = 0; j < kind->field_count; j++)
			write_cell(writing, &row->cells[j], &kind->fields[j], 1,
			    kind->fields[j].name);
	}
	if (!trial->rows.count)
		pv_buf_append_text(writing->text, "\n  no row\n");
}

static void write_problem(
    struct writing *writing, const struct pv_trial_problem *problem)
{
	struct pv_buf *value = &writing->value;
	pv_buf_append_text(value, problem->why);
	if (problem->count > 1)
		pv_buf_append_format(value, ", %zu times", problem->count);
	if (problem->is_required)
		pv_buf_append_format(value,
		    "; it is required, so the %s is left out",
		    strchr(problem->field, '.') ? "record" : "row");
	write_made(writing, 1, problem->field ? problem->field : "the page");
	if (problem->near.len)
		write_line(writing, 1, "", problem->near);
}

static void write_problems(struct writing *writing)
{
	const struct pv_trial *trial = writing->trial;
	if (trial->problem_count)
		pv_buf_append_text(writing->text, "\n  without a value\n");
	for (size_t i = 0; i < trial->problem_count; i++)
		write_problem(writing, &trial->problems[i]);
}

/* Who asks not to follow a link. */
static const char *asker_of(enum pv_reason reason)
{
	switch (reason) {
	case PV_REASON_X_ROBOTS:
		return "the X-Robots-Tag of the page";
	case PV_REASON_META_ROBOTS:
		return "the meta robots of the page";
	default:
		return "its rel";
	}
}

static void write_link(
    struct writing *writing, const struct pv_trial_link *link)
{
	struct pv_buf *value = &writing->value;
	pv_buf_append(value, link->url);
	if (link->carry.len) {
		pv_buf_append_text(value, " with ");
		pv_buf_append(value, link->carry);
	}
	if (link->refused)
		pv_buf_append_format(value, "; not followed: %s asks so",
		    asker_of(link->refused));
	write_made(writing, 1, link->as);
}

static void write_no_follow(struct writing *writing)
{
	enum pv_reason closed = writing->trial->closed;
	if (closed)
		pv_buf_append_format(writing->text,
		    "\n  its kind has no `follow`; %s asks not to follow its "
		    "links\n",
		    asker_of(closed));
	else
		pv_buf_append_text(writing->text,
		    "\n  its kind has no `follow`: its links lead on as those "
		    "of any page\n");
}

static void write_links(struct writing *writing)
{
	const struct pv_trial *trial = writing->trial;
	if (!trial->page->kind->has_follow) {
		write_no_follow(writing);
		return;
	}
	pv_buf_append_format(writing->text, "\n  leads to %zu page%s\n",
	    trial->link_count, trial->link_count == 1 ? "" : "s");
	for (size_t i = 0; i < trial->link_count && i < LINKS_SHOWN; i++)
		write_link(writing, &trial->links[i]);
	if (trial->link_count > LINKS_SHOWN)
		pv_buf_append_format(writing->text, "    and %zu more\n",
		    trial->link_count - LINKS_SHOWN);
	if (trial->other_links)
		pv_buf_append_format(writing->text,
		    "    %zu other link%s not followed\n", trial->other_links,
		    trial->other_links == 1 ? " is" : "s are");
}

void pv_trial_write_text(const struct pv_trial *trial, struct pv_buf *text)
{
	struct writing writing = {.trial = trial, .text = text};
	pv_buf_init(&writing.value, SIZE_MAX);
	if (trial->page->has_url)
		pv_visible_append(text, pv_url_page(trial->page->url));
	else
		pv_buf_append_text(text, "a page without an address");
	pv_buf_append_char(text, '\n');
	write_kind(&writing);
	write_rows(&writing);
	write_problems(&writing);
	write_links(&writing);
	pv_buf_finish(&writing.value);
}
