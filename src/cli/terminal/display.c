#include "cli/terminal/display.h"

#include "cli/terminal/phrases.h"

static void add_all(const struct pv_display *display,
    const struct pavane_progress *progress, struct pv_lines *lines)
{
	struct pv_phrases phrases;
	pv_phrases_of(progress, &phrases);
	for (size_t i = 0; i < phrases.count; i++)
		pv_lines_flow(lines, phrases.items[i].text);
	if (progress->phase > PAVANE_CRAWLING)
		return;
	pv_lines_add(lines, pv_phrase_of_waiting(progress).text);
	pv_lines_add(lines, progress->note);
	if (display->is_verbose)
		pv_lines_add(lines, progress->held_by);
}

void pv_display_draw(const struct pv_display *display,
    const struct pavane_progress *progress, struct pv_terminal_size size,
    struct pv_lines *lines)
{
	struct pv_phrase stopping =
	    pv_phrase_of_stopping(progress, "Ctrl+C again");
	struct pv_terminal_size rest = size;
	/* The line about stopping comes last, and has its place even where rows
	 * are few. */
	for (int i = 0; i < 2 && stopping.text[0] && rest.rows > 1; i++)
		rest.rows--;
	pv_lines_init(lines, rest);
	add_all(display, progress, lines);
	lines->size = size;
	pv_lines_add(lines, stopping.text);
}
