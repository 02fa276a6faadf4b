#include <inttypes.h>
#include <stdio.h>

#include "cli/run/command.h"
#include "cli/run/signals.h"
#include "cli/terminal/amounts.h"
#include "cli/terminal/meter.h"

/* What is seen meanwhile, and whether somebody wants it to end. */
struct view {
	struct pv_signals *signals;
	struct pv_meter meter;
	uint64_t pages;
};

static bool is_enough(void *ctx)
{
	struct view *view = ctx;
	char text[100];
	view->pages++;
	if (pv_meter_is_due(&view->meter)) {
		snprintf(text, sizeof(text),
		    "%s read; Ctrl+C leaves the old rows",
		    pv_amount_of_things(view->pages, "page").text);
		pv_meter_show(&view->meter, text);
	}
	return pv_signals_has_stop(view->signals);
}

static void begin_view(struct view *view, const struct pv_options *options)
{
	*view = (struct view){.signals = pv_signals_start()};
	pv_meter_init(&view->meter);
	if (options->is_quiet || options->is_json)
		view->meter.is_shown = false;
}

static void end_view(struct view *view)
{
	pv_meter_clear(&view->meter);
	pv_signals_stop(view->signals);
}

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	struct view *view = ctx;
	(void)level;
	pv_meter_clear(&view->meter);
	fprintf(stderr, "pavane: %s\n", line);
}

static void print(
    const struct pavane_fields_made *made, const struct pv_options *options)
{
	if (options->is_json)
		printf("{\"pages\":%" PRIu64 ",\"rows\":%" PRIu64
		       ",\"missing\":%" PRIu64 "}\n",
		    made->pages, made->rows, made->missing);
	else if (!options->is_quiet)
		printf("%" PRIu64 " page%s, %" PRIu64 " row%s\n", made->pages,
		    made->pages == 1 ? "" : "s", made->rows,
		    made->rows == 1 ? "" : "s");
}

static int run(const struct pv_options *options)
{
	struct pavane_fields_made made;
	struct view view;
	if (options->argument_count < 2 || options->argument_count > 3) {
		fprintf(stderr, "pavane: fields needs a crawl's directory: "
				"pavane fields DIR [POLICY]\n");
		return EXIT_WRONG;
	}
	begin_view(&view, options);
	const struct pavane_fields_options fields = {
	    .directory = options->arguments[1],
	    .policy =
		options->argument_count == 3 ? options->arguments[2] : NULL,
	    .is_enough = is_enough,
	    .on_line = tell,
	    .ctx = &view,
	};
	bool is_run = pavane_fields(&fields, &made);
	end_view(&view);
	if (!is_run)
		return EXIT_FAILED;
	if (made.is_cut) {
		fprintf(stderr, "pavane: stopped: the old rows stay\n");
		return EXIT_STOPPED;
	}
	print(&made, options);
	return EXIT_FINISHED;
}

const struct pv_command pv_command_fields = {
    .name = "fields",
    .arguments = "DIR [POLICY]",
    .sentence = "write the rows of pages anew",
    .help =
	"Writes all rows of a crawl anew from the pages that its mirror keeps, "
	"without\nany request: as after `pages` of a policy has changed. It "
	"goes by the crawl's\nown policy, or by `pages` and `output.fields` of "
	"POLICY; the rest of POLICY is\nnot used, and the crawl's policy.yaml "
	"stays as it is. The old rows in fields/\nstay until the new ones are "
	"complete. Headers are not kept in a mirror: fields\nthat are read "
	"from them have no value. Nor are links followed anew: pages to\nwhich "
	"only POLICY leads come by a new crawl. Ctrl+C leaves the old rows.",
    .example = "  pavane fields shop.example.org\n"
	       "  pavane fields shop.example.org shop.yaml\n",
    .options = "qj",
    .run = run,
};
