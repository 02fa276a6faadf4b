#include "cli/terminal/screen.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/terminal/sheet.h"

/* What every terminal since the VT100 obeys (ECMA-48, DEC STD 070): the cursor
 * up so many rows; erase from here to the end of the screen; cut what is too
 * long for a row, or wrap it. */
#define UP "\033[%zuA"
#define CUT "\033[?7l"
#define WRAP "\033[?7h"

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

/* Ends where it begins. */
static void write_lines(const struct pv_lines *lines, FILE *file)
{
	if (!lines->count)
		return;
	fputs(CUT, file);
	for (size_t i = 0; i < lines->count; i++)
		fprintf(file, "%s%s", i ? "\n" : "", lines->text[i]);
	fputs(WRAP "\r", file);
	if (lines->count > 1)
		fprintf(file, UP, lines->count - 1);
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
	fputs(PV_SCREEN_ERASE, sheet.file);
	write_lines(lines, sheet.file);
	if (give(screen, &sheet))
		screen->drawn = *lines;
}

bool pv_screen_print(struct pv_screen *screen, const char *text)
{
	struct pv_sheet sheet;
	pv_sheet_open(&sheet);
	if (screen->drawn.count)
		fputs(PV_SCREEN_ERASE, sheet.file);
	fputs(text, sheet.file);
	write_lines(&screen->drawn, sheet.file);
	return give(screen, &sheet);
}

void pv_screen_clear(struct pv_screen *screen)
{
	size_t len = strlen(PV_SCREEN_ERASE);
	if (screen->drawn.count &&
	    screen->write(screen->ctx, PV_SCREEN_ERASE, len))
		screen->drawn.count = 0;
}

void pv_screen_leave(struct pv_screen *screen)
{
	screen->drawn.count = 0;
}
