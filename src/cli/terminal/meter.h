#ifndef PAVANE_CLI_TERMINAL_METER_H
#define PAVANE_CLI_TERMINAL_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/terminal/screen.h"

/* How far a command is that takes long, on the lowest row of a terminal. For a
 * while nothing is shown, since most are done sooner. */
struct pv_meter {
	struct pv_screen screen;
	bool is_shown;
	int64_t next_ms; /* not to be written before */
};

void pv_meter_init(struct pv_meter *meter);

/* Whether it is time to show something. */
bool pv_meter_is_due(struct pv_meter *meter);

void pv_meter_show(struct pv_meter *meter, const char *text);

/* Before something else is written, and in the end. */
void pv_meter_clear(struct pv_meter *meter);

#endif
