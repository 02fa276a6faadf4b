#include "cli/terminal/lines.h"

#include <stdio.h>
#include <string.h>

#include "cli/terminal/columns.h"

/* A character can have four bytes, so this is the widest that always fits. */
#define COLUMNS_MAX ((PV_LINE_SIZE - 1) / 4)

/* Of addresses, below what they belong to. */
#define INDENT ((size_t)2)

void pv_lines_init(struct pv_lines *lines, struct pv_terminal_size size)
{
	lines->size = size;
	lines->count = 0;
}

static size_t columns_of(const struct pv_lines *lines)
{
	size_t columns = lines->size.columns;
	if (columns > COLUMNS_MAX)
		columns = COLUMNS_MAX;
	return columns ? columns - 1 : 0;
}

/* One row of the terminal stays free as well, for the cursor. */
static size_t rows_of(const struct pv_lines *lines)
{
	size_t rows = lines->size.rows;
	if (rows > PV_LINES_MAX)
		return PV_LINES_MAX;
	return rows ? rows - 1 : 0;
}

static void add_line(struct pv_lines *lines, const char *text)
{
	if (!*text || !columns_of(lines) || lines->count >= rows_of(lines))
		return;
	pv_columns_fit(
	    text, columns_of(lines), lines->text[lines->count++], PV_LINE_SIZE);
}

/* The longest beginning that fits and ends before a space; 0 if there is
 * none. */
static size_t len_of_head(const char *text, size_t columns)
{
	char head[PV_LINE_SIZE];
	size_t len = 0;
	for (size_t end = 0; end < sizeof(head) && text[end]; end++) {
		if (text[end] != ' ')
			continue;
		snprintf(head, sizeof(head), "%.*s", (int)end, text);
		if (pv_columns_of(head) > columns)
			break;
		len = end;
	}
	return len;
}

void pv_lines_add(struct pv_lines *lines, const char *text)
{
	char head[PV_LINE_SIZE];
	size_t len = 0;
	if (pv_columns_of(text) > columns_of(lines) &&
	    lines->count + 1 < rows_of(lines))
		len = len_of_head(text, columns_of(lines));
	if (!len) {
		add_line(lines, text);
		return;
	}
	snprintf(head, sizeof(head), "%.*s", (int)len, text);
	add_line(lines, head);
	add_line(lines, text + len + 1);
}

void pv_lines_add_address(struct pv_lines *lines, const char *address)
{
	size_t columns = columns_of(lines);
	if (columns <= INDENT || lines->count >= rows_of(lines))
		return;
	char *line = lines->text[lines->count++];
	memset(line, ' ', INDENT);
	pv_columns_fit_ends(
	    address, columns - INDENT, line + INDENT, PV_LINE_SIZE - INDENT);
}

void pv_lines_flow(struct pv_lines *lines, const char *phrase)
{
	char *line = lines->count ? lines->text[lines->count - 1] : NULL;
	size_t used = line ? pv_columns_of(line) : 0;
	size_t wanted = used + 2 + pv_columns_of(phrase);
	if (!line || wanted > columns_of(lines)) {
		add_line(lines, phrase);
		return;
	}
	size_t len = strlen(line);
	snprintf(line + len, PV_LINE_SIZE - len, "  %s", phrase);
}
