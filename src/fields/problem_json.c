#include "fields/problem_json.h"

#include "base/json/json.h"
#include "base/utf8.h"
#include "sink/line_parts.h"

/* So much of a text tells what it is. */
#define DETAIL_MAX 300

void pv_problem_json_write_facts(
    const struct pv_row_facts *facts, const char *kind, struct pv_buf *line)
{
	pv_buf_append(line, PV_STR("{\"time\":\""));
	pv_line_append_time(line, facts->wall_ms);
	pv_buf_append(line, PV_STR("\",\"url\":"));
	pv_json_write_text(facts->url, line);
	pv_buf_append(line, PV_LINE_KEY("kind"));
	pv_json_write_text(pv_str_of(kind), line);
}

static void write_text_or_null(struct pv_str text, struct pv_buf *line)
{
	if (text.len)
		pv_json_write_text(text, line);
	else
		pv_buf_append(line, PV_STR("null"));
}

void pv_problem_json_write(
    const struct pv_field_problem *problem, struct pv_buf *line)
{
	pv_buf_append(line, PV_LINE_KEY("field"));
	write_text_or_null(
	    pv_str_of(problem->field ? problem->field : ""), line);
	pv_buf_append(line, PV_LINE_KEY("item"));
	if (problem->item)
		pv_row_facts_write_number(problem->item, line);
	else
		pv_buf_append(line, PV_STR("null"));
	pv_buf_append(line, PV_LINE_KEY("why"));
	pv_json_write_text(
	    pv_str_of(pv_field_fault_word(problem->fault)), line);
	pv_buf_append(line, PV_LINE_KEY("required"));
	pv_buf_append_text(line, problem->is_required ? "true" : "false");
	pv_buf_append(line, PV_LINE_KEY("detail"));
	write_text_or_null(pv_utf8_head(problem->detail, DETAIL_MAX), line);
	pv_buf_append(line, PV_STR("}\n"));
}
