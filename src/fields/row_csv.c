#include "fields/row_csv.h"

#include "fields/row_json.h"
#include "sink/line_parts.h"

#define LINE_END PV_STR("\r\n")
#define NO_CHARACTER PV_STR("\xef\xbf\xbd")

/* Text */

static bool is_formula(char first)
{
	return first == '=' || first == '+' || first == '-' || first == '@' ||
	       first == '\t' || first == '\r';
}

static bool has_special(struct pv_str text)
{
	for (size_t i = 0; i < text.len; i++) {
		char byte = text.ptr[i];
		if (byte == '"' || byte == ',' || byte == '\r' || byte == '\n')
			return true;
	}
	return false;
}

static bool needs_care(char byte)
{
	return byte == '"' || byte == '\0';
}

/* Within quotes or not: a text without quotes has none to be doubled. */
static void write_escaped(struct pv_str text, struct pv_buf *line)
{
	size_t start = 0;
	for (size_t i = 0; i < text.len; i++) {
		if (!needs_care(text.ptr[i]))
			continue;
		pv_buf_append(
		    line, (struct pv_str){text.ptr + start, i - start});
		pv_buf_append(
		    line, text.ptr[i] == '"' ? PV_STR("\"\"") : NO_CHARACTER);
		start = i + 1;
	}
	pv_buf_append(line, pv_str_from(text, start));
}

static void write_text(struct pv_str text, struct pv_buf *line)
{
	bool is_quoted = has_special(text);
	if (is_quoted)
		pv_buf_append_char(line, '"');
	if (text.len && is_formula(text.ptr[0]))
		pv_buf_append_char(line, '\'');
	write_escaped(text, line);
	if (is_quoted)
		pv_buf_append_char(line, '"');
}

/* JSON begins with none of those but the sign of a number. */
static void write_json_text(struct pv_str text, struct pv_buf *line)
{
	bool is_quoted = has_special(text);
	if (is_quoted)
		pv_buf_append_char(line, '"');
	write_escaped(text, line);
	if (is_quoted)
		pv_buf_append_char(line, '"');
}

/* Values */

static bool is_number(const struct pv_cell *cell)
{
	return cell->kind == PV_CELL_INTEGER || cell->kind == PV_CELL_NUMBER;
}

static struct pv_str join_of(const struct pv_field *field)
{
	return field && field->join ? pv_str_of(field->join) : PV_STR("\n");
}

/* Of a list: the first byte that is to be seen, unless it is a number's. */
static char first_byte(const struct pv_cell *list, struct pv_str join)
{
	for (size_t i = 0; i < list->count; i++) {
		if (i && join.len)
			return join.ptr[0];
		if (is_number(&list->items[i]))
			return '0';
		if (list->items[i].text.len)
			return list->items[i].text.ptr[0];
	}
	return '0';
}

static void write_list(
    const struct pv_cell *list, struct pv_str join, struct pv_buf *line)
{
	pv_buf_append_char(line, '"');
	if (is_formula(first_byte(list, join)))
		pv_buf_append_char(line, '\'');
	for (size_t i = 0; i < list->count; i++) {
		if (i)
			write_escaped(join, line);
		write_escaped(list->items[i].text, line);
	}
	pv_buf_append_char(line, '"');
}

static void write_as_json(const struct pv_cell *cell,
    const struct pv_field *field, struct pv_buf *line)
{
	struct pv_buf json;
	pv_buf_init(&json, line->ceiling);
	pv_row_json_write_cell(cell, field, &json);
	line->is_full = line->is_full || json.is_full;
	write_json_text(pv_buf_str(&json), line);
	pv_buf_finish(&json);
}

static void write_cell(const struct pv_cell *cell, const struct pv_field *field,
    struct pv_buf *line)
{
	switch (cell->kind) {
	case PV_CELL_NULL:
		break;
	case PV_CELL_TEXT:
		write_text(cell->text, line);
		break;
	case PV_CELL_INTEGER:
	case PV_CELL_NUMBER:
	case PV_CELL_BOOL:
		pv_buf_append(line, cell->text);
		break;
	case PV_CELL_JSON:
		write_json_text(cell->text, line);
		break;
	case PV_CELL_LIST:
		if (cell->count == 1)
			write_cell(&cell->items[0], field, line);
		else if (cell->count)
			write_list(cell, join_of(field), line);
		break;
	case PV_CELL_RECORDS:
	case PV_CELL_RECORD:
		write_as_json(cell, field, line);
		break;
	}
}

/* Headers: names are identifiers. */

static void write_name(const char *name, struct pv_buf *line)
{
	pv_buf_append_char(line, ',');
	write_text(pv_str_of(name), line);
}

void pv_row_csv_write_header(
    const struct pv_page_kind *kind, struct pv_buf *line)
{
	pv_buf_append(line, PV_STR("_url,_item,_time,_digest,_change"));
	for (size_t i = 0; i < kind->carried.count; i++)
		write_name(kind->carried.items[i], line);
	for (size_t i = 0; i < kind->field_count; i++)
		if (!pv_field_is_records(&kind->fields[i]))
			write_name(kind->fields[i].name, line);
	pv_buf_append(line, LINE_END);
}

void pv_row_csv_write_record_header(
    const struct pv_field *field, struct pv_buf *line)
{
	pv_buf_append(line, PV_STR("_url,_item,_record"));
	for (size_t i = 0; i < field->field_count; i++)
		write_name(field->fields[i].name, line);
	pv_buf_append(line, LINE_END);
}

/* Lines */

static void write_place(const struct pv_row_facts *facts, struct pv_buf *line)
{
	write_text(facts->url, line);
	pv_buf_append_char(line, ',');
	pv_row_facts_write_number(facts->item, line);
	pv_buf_append_char(line, ',');
}

void pv_row_csv_write_facts(
    const struct pv_row_facts *facts, struct pv_buf *line)
{
	write_place(facts, line);
	pv_line_append_time(line, facts->wall_ms);
	pv_buf_append_char(line, ',');
	pv_row_facts_write_digest(facts, line);
}

void pv_row_csv_write_change(enum pv_row_change change, struct pv_buf *line)
{
	pv_buf_append_char(line, ',');
	pv_buf_append_text(line, pv_row_change_word(change));
}

void pv_row_csv_write_values(const struct pv_page_kind *kind,
    const struct pv_row *row, struct pv_buf *line)
{
	for (size_t i = 0; i < kind->carried.count; i++) {
		pv_buf_append_char(line, ',');
		write_cell(&row->carried[i], NULL, line);
	}
	for (size_t i = 0; i < kind->field_count; i++) {
		if (pv_field_is_records(&kind->fields[i]))
			continue;
		pv_buf_append_char(line, ',');
		write_cell(&row->cells[i], &kind->fields[i], line);
	}
	pv_buf_append(line, LINE_END);
}

void pv_row_csv_write_nothing(
    const struct pv_page_kind *kind, struct pv_buf *line)
{
	for (size_t i = 0; i < kind->carried.count; i++)
		pv_buf_append_char(line, ',');
	for (size_t i = 0; i < kind->field_count; i++)
		if (!pv_field_is_records(&kind->fields[i]))
			pv_buf_append_char(line, ',');
	pv_buf_append(line, LINE_END);
}

void pv_row_csv_write_record(const struct pv_row_facts *facts, uint32_t number,
    const struct pv_field *field, const struct pv_cell *record,
    struct pv_buf *line)
{
	write_place(facts, line);
	pv_row_facts_write_number(number, line);
	for (size_t i = 0; i < field->field_count; i++) {
		pv_buf_append_char(line, ',');
		write_cell(&record->items[i], &field->fields[i], line);
	}
	pv_buf_append(line, LINE_END);
}
