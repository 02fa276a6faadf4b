#ifndef PAVANE_CLI_TERMINAL_DISPLAY_H
#define PAVANE_CLI_TERMINAL_DISPLAY_H

#include <stdbool.h>

#include "cli/terminal/lines.h"
#include "pavane/pavane.h"

/* The live display: what a crawl's progress looks like on a terminal of a
 * certain size. No terminal is touched here. */
struct pv_display {
	bool is_verbose; /* says what holds the crawl as well */
};

void pv_display_draw(const struct pv_display *display,
    const struct pavane_progress *progress, struct pv_terminal_size size,
    struct pv_lines *lines);

#endif
