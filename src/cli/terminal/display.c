#include "cli/terminal/display.h"

#include "cli/terminal/phrases.h"

/* Of a narrow terminal the bar takes a third, so that there is room for words
 * beside it. */
#define BAR_PART 3

static void add_figures(const struct pavane_progress *progress, size_t columns,
    struct pv_lines *lines)
{
	struct pv_phrases phrases;
	struct pv_phrase share =
	    pv_phrase_of_share(progress, columns / BAR_PART);
	if (share.text[0])
		pv_lines_flow(lines, share.text);
	pv_phrases_of(progress, &phrases);
	for (size_t i = 0; i < phrases.count; i++)
		pv_lines_flow(lines, phrases.items[i].text);
}

/* What is being fetched; or what is waited for, in the same place. */
static void add_moment(
    const struct pavane_progress *progress, struct pv_lines *lines)
{
	if (progress->hosts > 1)
		pv_lines_add(lines, pv_phrase_of_waiting(progress).text);
	if (progress->in_flight)
		pv_lines_add(lines, progress->note);
	else
		pv_lines_add(lines, progress->waits_for);
	for (size_t i = 0; i < progress->fetching_count; i++)
		pv_lines_add_address(lines, progress->fetching[i]);
}

static void add_all(const struct pv_display *display,
    const struct pavane_progress *progress, size_t columns,
    struct pv_lines *lines)
{
	add_figures(progress, columns, lines);
	if (progress->phase > PAVANE_CRAWLING)
		return;
	add_moment(progress, lines);
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
	add_all(display, progress, size.columns, lines);
	lines->size = size;
	pv_lines_add(lines, stopping.text);
}
