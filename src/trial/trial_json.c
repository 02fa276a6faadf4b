#include "trial/trial_json.h"

#include "base/json/json.h"
#include "fields/row_json.h"

static void write_text_or_null(struct pv_str text, struct pv_buf *line)
{
	if (text.len)
		pv_json_write_text(text, line);
	else
		pv_buf_append(line, PV_STR("null"));
}

static void write_head(struct pv_str url, const char *kind, struct pv_buf *line)
{
	pv_buf_append(line, PV_STR("{\"url\":"));
	write_text_or_null(url, line);
	pv_buf_append(line, PV_STR(",\"kind\":"));
	write_text_or_null(pv_str_of(kind), line);
}

static struct pv_str url_of(const struct pv_trial *trial)
{
	return trial->page->has_url ? pv_url_page(trial->page->url)
				    : PV_STR("");
}

static void write_rows(const struct pv_trial *trial, struct pv_buf *line)
{
	for (size_t i = 0; i < trial->rows.count; i++) {
		const struct pv_row *row = &trial->rows.items[i];
		pv_buf_append_text(line, i ? ",{\"_url\":" : "{\"_url\":");
		write_text_or_null(url_of(trial), line);
		pv_buf_append_format(
		    line, ",\"_item\":%u", (unsigned)row->item);
		pv_row_json_write_values(trial->page->kind, row, line);
		/* That ends a line. */
		if (line->len && pv_buf_str(line).ptr[line->len - 1] == '\n')
			pv_buf_cut(line, line->len - 1);
	}
}

static void write_links(const struct pv_trial *trial, struct pv_buf *line)
{
	for (size_t i = 0; i < trial->link_count; i++) {
		const struct pv_trial_link *link = &trial->links[i];
		pv_buf_append_text(line, i ? ",{\"url\":" : "{\"url\":");
		pv_json_write_text(link->url, line);
		pv_buf_append(line, PV_STR(",\"as\":"));
		pv_json_write_text(pv_str_of(link->as), line);
		pv_buf_append(line, PV_STR(",\"carry\":"));
		pv_buf_append(
		    line, link->carry.len ? link->carry : PV_STR("null"));
		pv_buf_append(line, PV_STR(",\"refused\":"));
		write_text_or_null(
		    pv_str_of(
			link->refused ? pv_reason_word(link->refused) : ""),
		    line);
		pv_buf_append_char(line, '}');
	}
}

static void write_problems(const struct pv_trial *trial, struct pv_buf *line)
{
	for (size_t i = 0; i < trial->problem_count; i++) {
		const struct pv_trial_problem *problem = &trial->problems[i];
		pv_buf_append_text(line, i ? ",{\"field\":" : "{\"field\":");
		write_text_or_null(
		    pv_str_of(problem->field ? problem->field : ""), line);
		pv_buf_append(line, PV_STR(",\"why\":"));
		pv_json_write_text(pv_str_of(problem->why), line);
		pv_buf_append(line, PV_STR(",\"near\":"));
		write_text_or_null(problem->near, line);
		pv_buf_append_char(line, '}');
	}
}

void pv_trial_write_json(const struct pv_trial *trial, struct pv_buf *line)
{
	write_head(url_of(trial), trial->page->kind->name, line);
	pv_buf_append(line, PV_STR(",\"rows\":["));
	write_rows(trial, line);
	pv_buf_append(line, PV_STR("],\"follow\":["));
	write_links(trial, line);
	pv_buf_append(line, PV_STR("],\"problems\":["));
	write_problems(trial, line);
	pv_buf_append(line, PV_STR("]}\n"));
}

void pv_trial_write_json_of_none(struct pv_str url, struct pv_buf *line)
{
	write_head(url, "", line);
	pv_buf_append(
	    line, PV_STR(",\"rows\":[],\"follow\":[],\"problems\":[]}\n"));
}
