#include "fields/row_json.h"

#include "base/json/json.h"
#include "sink/line_parts.h"

void pv_row_json_write_facts(
    const struct pv_row_facts *facts, struct pv_buf *line)
{
	pv_buf_append(line, PV_STR("{\"_url\":"));
	pv_json_write_text(facts->url, line);
	pv_buf_append(line, PV_LINE_KEY("_item"));
	pv_row_facts_write_number(facts->item, line);
	pv_buf_append(line, PV_LINE_KEY("_time"));
	pv_buf_append_char(line, '"');
	pv_line_append_time(line, facts->wall_ms);
	pv_buf_append(line, PV_STR("\",\"_digest\":"));
	if (!facts->digest) {
		pv_buf_append(line, PV_STR("null"));
		return;
	}
	pv_buf_append_char(line, '"');
	pv_row_facts_write_digest(facts, line);
	pv_buf_append_char(line, '"');
}

void pv_row_json_write_change(enum pv_row_change change, struct pv_buf *line)
{
	pv_buf_append(line, PV_LINE_KEY("_change"));
	pv_buf_append_char(line, '"');
	pv_buf_append_text(line, pv_row_change_word(change));
	pv_buf_append_char(line, '"');
}

static void write_list(const struct pv_cell *cell, const struct pv_field *field,
    struct pv_buf *buf)
{
	pv_buf_append_char(buf, '[');
	for (size_t i = 0; i < cell->count; i++) {
		if (i)
			pv_buf_append_char(buf, ',');
		pv_row_json_write_cell(&cell->items[i], field, buf);
	}
	pv_buf_append_char(buf, ']');
}

static void write_key(const char *name, struct pv_buf *buf)
{
	pv_json_write_text(pv_str_of(name), buf);
	pv_buf_append_char(buf, ':');
}

static void write_record(const struct pv_cell *cell,
    const struct pv_field *field, struct pv_buf *buf)
{
	pv_buf_append_char(buf, '{');
	for (size_t i = 0; i < field->field_count; i++) {
		if (i)
			pv_buf_append_char(buf, ',');
		write_key(field->fields[i].name, buf);
		pv_row_json_write_cell(&cell->items[i], &field->fields[i], buf);
	}
	pv_buf_append_char(buf, '}');
}

void pv_row_json_write_cell(const struct pv_cell *cell,
    const struct pv_field *field, struct pv_buf *buf)
{
	switch (cell->kind) {
	case PV_CELL_NULL:
		pv_buf_append(buf, PV_STR("null"));
		break;
	case PV_CELL_TEXT:
		pv_json_write_text(cell->text, buf);
		break;
	case PV_CELL_INTEGER:
	case PV_CELL_NUMBER:
	case PV_CELL_BOOL:
	case PV_CELL_JSON:
		pv_buf_append(
		    buf, cell->text.len ? cell->text : PV_STR("null"));
		break;
	case PV_CELL_LIST:
	case PV_CELL_RECORDS:
		write_list(cell, field, buf);
		break;
	case PV_CELL_RECORD:
		write_record(cell, field, buf);
		break;
	}
}

void pv_row_json_write_values(const struct pv_page_kind *kind,
    const struct pv_row *row, struct pv_buf *line)
{
	for (size_t i = 0; i < kind->carried.count; i++) {
		pv_buf_append_char(line, ',');
		write_key(kind->carried.items[i], line);
		pv_row_json_write_cell(&row->carried[i], NULL, line);
	}
	for (size_t i = 0; i < kind->field_count; i++) {
		pv_buf_append_char(line, ',');
		write_key(kind->fields[i].name, line);
		pv_row_json_write_cell(&row->cells[i], &kind->fields[i], line);
	}
	pv_buf_append(line, PV_ROW_JSON_END);
}
