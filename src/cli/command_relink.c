#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/amounts.h"
#include "cli/command.h"
#include "cli/screen.h"
#include "cli/signals.h"

/* What is seen meanwhile, and whether somebody wants it to end: what was linked by
 * then stays so. */
#define SHOW_MS 100

struct view {
	struct pv_signals *signals;
	struct pv_screen screen;
	bool is_shown;
	uint64_t documents;
	int64_t shown_ms;
};

static bool write_screen(void *ctx, const char *text, size_t len)
{
	(void)ctx;
	return fwrite(text, 1, len, stderr) == len && fflush(stderr) == 0;
}

static int64_t now_ms(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void show(struct view *view)
{
	struct pv_lines lines;
	char text[100];
	int64_t now = now_ms();
	if (now - view->shown_ms < SHOW_MS)
		return;
	view->shown_ms = now;
	snprintf(text, sizeof(text), "%s so far; Ctrl+C leaves the others",
	    pv_amount_of_things(view->documents, "document").text);
	pv_lines_init(&lines, pv_screen_size(STDERR_FILENO));
	pv_lines_add(&lines, text);
	pv_screen_draw(&view->screen, &lines);
}

static bool is_enough(void *ctx)
{
	struct view *view = ctx;
	view->documents++;
	if (view->is_shown)
		show(view);
	return pv_signals_has_stop(view->signals);
}

static void begin_view(struct view *view, const struct pv_options *options)
{
	*view = (struct view){
	    .signals = pv_signals_start(),
	    .is_shown = !options->is_quiet && !options->is_json &&
			pv_screen_is_possible(STDERR_FILENO, getenv("TERM")),
	    .shown_ms = now_ms(),
	};
	pv_screen_init(&view->screen, write_screen, NULL);
}

static void end_view(struct view *view)
{
	pv_screen_clear(&view->screen, pv_screen_size(STDERR_FILENO));
	pv_signals_stop(view->signals);
}

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	struct view *view = ctx;
	(void)level;
	pv_screen_clear(&view->screen, pv_screen_size(STDERR_FILENO));
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
		printf("%" PRIu64 " documents, %" PRIu64
		       " of them with links that had to change\n",
		    relinked->documents, relinked->changed);
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
		fprintf(stderr, "pavane: not all documents are linked to one "
				"another yet: pavane relink goes on\n");
	return relinked.failed   ? EXIT_FAILED
	       : relinked.is_cut ? EXIT_STOPPED
				 : EXIT_FINISHED;
}

const struct pv_command pv_command_relink = {
    .name = "relink",
    .arguments = "DIR",
    .sentence = "links the pages of a mirror to one another",
    .help =
	"Makes the links of a mirror right, without asking anybody: a link to "
	"what was\nfetched leads to its file, any other to its address. A crawl "
	"does so itself when it\nends; this is for when it was killed, or when "
	"files were removed. Only documents\nin which something changes are "
	"written. Ctrl+C ends it, and the same command goes on.",
    .example = "  pavane relink docs.example.org\n",
    .options = "qj",
    .run = run,
};
