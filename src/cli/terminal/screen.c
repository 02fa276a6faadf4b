#include "cli/terminal/screen.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/terminal/columns.h"
#include "cli/terminal/sheet.h"

/* What every terminal since the VT100 obeys (ECMA-48): the cursor up so many
 * rows; erase to the end of the row; erase to the end of the screen. */
#define UP "\033[%zuA"
#define ERASE_ROW "\033[K"
#define ERASE_BELOW "\033[J"

bool pv_screen_is_possible(int file, const char *term)
{
	return isatty(file) && term && *term && strcmp(term, "dumb") != 0;
}

struct pv_terminal_size pv_screen_size(int file)
{
	struct winsize found = {0};
	if (ioctl(file, TIOCGWINSZ, &found) != 0)
		found = (struct winsize){0};
	return (struct pv_terminal_size){
	    found.ws_col ? found.ws_col : 80,
	    found.ws_row ? found.ws_row : 24,
	};
}

void pv_screen_init(
    struct pv_screen *screen, pv_screen_write_fn write, void *ctx)
{
	screen->write = write;
	screen->ctx = ctx;
	screen->drawn.count = 0;
}

/* How many rows the lines that are drawn take now. */
static size_t rows_of(
    const struct pv_lines *drawn, struct pv_terminal_size size)
{
	size_t rows = 0;
	for (size_t i = 0; i < drawn->count; i++) {
		size_t columns = pv_columns_of(drawn->text[i]);
		bool is_wrapped = size.columns && columns > size.columns;
		rows += is_wrapped ? (columns - 1) / size.columns + 1 : 1;
	}
	return rows < size.rows ? rows : size.rows - 1;
}

static void go_up(
    const struct pv_screen *screen, FILE *file, struct pv_terminal_size size)
{
	size_t rows = rows_of(&screen->drawn, size);
	fputc('\r', file);
	if (rows)
		fprintf(file, UP, rows);
}

static void write_lines(const struct pv_lines *lines, FILE *file)
{
	for (size_t i = 0; i < lines->count; i++)
		fprintf(file, "%s" ERASE_ROW "\n", lines->text[i]);
	fputs(ERASE_BELOW, file);
}

static bool give(struct pv_screen *screen, struct pv_sheet *sheet)
{
	pv_sheet_close(sheet);
	bool is_written = screen->write(screen->ctx, sheet->text, sheet->len);
	pv_sheet_finish(sheet);
	return is_written;
}

void pv_screen_draw(struct pv_screen *screen, const struct pv_lines *lines)
{
	struct pv_sheet sheet;
	pv_sheet_open(&sheet);
	go_up(screen, sheet.file, lines->size);
	write_lines(lines, sheet.file);
	if (give(screen, &sheet))
		screen->drawn = *lines;
}

/* A terminal that has become narrower would wrap what was drawn for it as it
 * was; that comes back with the next picture. */
bool pv_screen_print(
    struct pv_screen *screen, const char *text, struct pv_terminal_size size)
{
	struct pv_sheet sheet;
	bool has_room = size.columns >= screen->drawn.size.columns;
	pv_sheet_open(&sheet);
	go_up(screen, sheet.file, size);
	fprintf(sheet.file, ERASE_BELOW "%s", text);
	if (has_room)
		write_lines(&screen->drawn, sheet.file);
	bool is_written = give(screen, &sheet);
	if (is_written && !has_room)
		screen->drawn.count = 0;
	return is_written;
}

void pv_screen_clear(struct pv_screen *screen, struct pv_terminal_size size)
{
	struct pv_sheet sheet;
	if (!screen->drawn.count)
		return;
	pv_sheet_open(&sheet);
	go_up(screen, sheet.file, size);
	fputs(ERASE_BELOW, sheet.file);
	if (give(screen, &sheet))
		screen->drawn.count = 0;
}

void pv_screen_leave(struct pv_screen *screen)
{
	screen->drawn.count = 0;
}
