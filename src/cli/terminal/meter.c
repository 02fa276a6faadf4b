#include "cli/terminal/meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* For so long nobody wonders what is going on. */
#define SILENT_MS 1000

/* How often what is shown is written anew. */
#define AGAIN_MS 200

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool write_error(void *ctx, const char *text, size_t len)
{
	(void)ctx;
	return fwrite(text, 1, len, stderr) == len && fflush(stderr) == 0;
}

void pv_meter_init(struct pv_meter *meter)
{
	*meter = (struct pv_meter){
	    .is_shown = pv_screen_is_possible(STDERR_FILENO, getenv("TERM")),
	    .next_ms = now_ms() + SILENT_MS,
	};
	pv_screen_init(&meter->screen, write_error, NULL);
}

bool pv_meter_is_due(struct pv_meter *meter)
{
	int64_t now = meter->is_shown ? now_ms() : 0;
	if (!meter->is_shown || now < meter->next_ms)
		return false;
	meter->next_ms = now + AGAIN_MS;
	return true;
}

void pv_meter_show(struct pv_meter *meter, const char *text)
{
	struct pv_lines lines;
	pv_lines_init(&lines, pv_screen_size(STDERR_FILENO));
	pv_lines_add(&lines, text);
	pv_screen_draw(&meter->screen, &lines);
}

void pv_meter_clear(struct pv_meter *meter)
{
	if (meter->is_shown)
		pv_screen_clear(&meter->screen);
}
