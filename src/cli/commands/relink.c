#include <inttypes.h>
#include <stdio.h>

#include "cli/run/command.h"
#include "cli/run/long_work.h"

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
	struct pavane_relinked relinked = PAVANE_INIT(struct pavane_relinked);
	if (options->argument_count != 2) {
		fprintf(stderr, "pavane: relink needs a crawl's directory: "
				"pavane relink DIR\n");
		return EXIT_WRONG;
	}
	struct pv_long_work work = {.thing = "document",
	    .rest = "rewritten; Ctrl+C leaves the rest unchanged"};
	pv_long_work_begin(&work, options);
	const struct pavane_relink_options relink = {
	    .size = sizeof(struct pavane_relink_options),
	    .directory = options->arguments[1],
	    .is_enough = pv_long_work_is_enough,
	    .on_line = pv_long_work_tell,
	    .ctx = &work,
	};
	bool is_run = pavane_relink(&relink, &relinked);
	pv_long_work_end(&work);
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
    .arguments = {{"DIR", PV_IS_CRAWL, NULL}},
    .sentence = "repair the links of a mirror",
    .help =
	"Rewrites the links of a mirror, without any request: a link to a "
	"copied page\nleads to its file, any other link to the web. A crawl "
	"does this when it ends;\nuse this command after a kill, or after "
	"you have removed files. Only documents\nthat change are written. "
	"Ctrl+C stops it; the same command continues.",
    .example = "  pavane relink docs.example.org\n",
    .options = "qj",
    .meanings = {{'q', PV_IS_TEXT, "print no summary"}},
    .run = run,
};
