#include <inttypes.h>
#include <stdio.h>

#include "cli/run/command.h"
#include "cli/run/signals.h"
#include "cli/terminal/amounts.h"
#include "cli/terminal/meter.h"

/* What is seen meanwhile, and whether somebody wants it to end: what was linked
 * by then stays so. */
struct view {
	struct pv_signals *signals;
	struct pv_meter meter;
	uint64_t documents;
};

static bool is_enough(void *ctx)
{
	struct view *view = ctx;
	char text[100];
	view->documents++;
	if (pv_meter_is_due(&view->meter)) {
		snprintf(text, sizeof(text),
		    "%s rewritten; Ctrl+C leaves the rest unchanged",
		    pv_amount_of_things(view->documents, "document").text);
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
    const struct pavane_relinked *relinked, const struct pv_options *options)
{
	if (options->is_json)
		printf("{\"documents\":%" PRIu64 ",\"changed\":%" PRIu64
		       ",\"failed\":%" PRIu64 "}\n",
		    relinked->documents, relinked->changed, relinked->failed);
	else if (!options->is_quiet)
		printf("%" PRIu64 " document%s, %" PRIu64
		       " of them with links that had to change\n",
		    relinked->documents, relinked->documents == 1 ? "" : "s",
		    relinked->changed);
}

static int run(const struct pv_options *options)
{
	struct pavane_relinked relinked;
	if (options->argument_count != 2) {
		fprintf(stderr, "pavane: relink needs a crawl's directory: "
				"pavane relink DIR\n");
		return EXIT_WRONG;
	}
	struct view view;
	begin_view(&view, options);
	const struct pavane_relink_options relink = {
	    .directory = options->arguments[1],
	    .is_enough = is_enough,
	    .on_line = tell,
	    .ctx = &view,
	};
	bool is_run = pavane_relink(&relink, &relinked);
	end_view(&view);
	if (!is_run)
		return EXIT_FAILED;
	print(&relinked, options);
	if (relinked.is_cut && !relinked.failed)
		fprintf(stderr, "pavane: not all links are rewritten yet: to "
				"continue, run pavane relink again\n");
	return relinked.failed   ? EXIT_FAILED
	       : relinked.is_cut ? EXIT_STOPPED
				 : EXIT_FINISHED;
}

const struct pv_command pv_command_relink = {
    .name = "relink",
    .arguments = "DIR",
    .sentence = "repair the links of a mirror",
    .help =
	"Rewrites the links of a mirror, without any request: a link to a "
	"copied page\nleads to its file, any other link to the web. A crawl "
	"does this when it ends;\nuse this command after a kill, or after "
	"you have removed files. Only documents\nthat change are written. "
	"Ctrl+C stops it; the same command continues.",
    .example = "  pavane relink docs.example.org\n",
    .options = "qj",
    .run = run,
};
