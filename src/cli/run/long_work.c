#include "cli/run/long_work.h"

#include <stdio.h>

#include "cli/terminal/amounts.h"

void pv_long_work_begin(
    struct pv_long_work *work, const struct pv_options *options)
{
	work->signals = pv_signals_start();
	work->count = 0;
	pv_meter_init(&work->meter);
	if (options->is_quiet || options->is_json)
		work->meter.is_shown = false;
}

void pv_long_work_end(struct pv_long_work *work)
{
	pv_meter_clear(&work->meter);
	pv_signals_stop(work->signals);
}

bool pv_long_work_is_enough(void *ctx)
{
	struct pv_long_work *work = ctx;
	char text[100];
	work->count++;
	if (pv_meter_is_due(&work->meter)) {
		snprintf(text, sizeof(text), "%s %s",
		    pv_amount_of_things(work->count, work->thing).text,
		    work->rest);
		pv_meter_show(&work->meter, text);
	}
	return pv_signals_has_stop(work->signals);
}

void pv_long_work_tell(void *ctx, enum pavane_level level, const char *line)
{
	struct pv_long_work *work = ctx;
	(void)level;
	pv_meter_clear(&work->meter);
	fprintf(stderr, "pavane: %s\n", line);
}
