#include <stdio.h>

#include "cli/run/command.h"

static void write_text(void *ctx, const char *text, size_t len)
{
	(void)ctx;
	fwrite(text, 1, len, stdout);
}

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	fprintf(stderr, "pavane: %s\n", line);
}

static int run(const struct pv_options *options)
{
	if (options->argument_count != 2) {
		fprintf(stderr, "pavane: audit needs a crawl's directory: "
				"pavane audit DIR\n");
		return EXIT_WRONG;
	}
	struct pavane_audit_options audit = {
	    .directory = options->arguments[1],
	    .host = options->host,
	    .is_json = options->is_json,
	    .write = write_text,
	    .on_line = tell,
	};
	return pavane_audit(&audit) == PAVANE_KEPT ? EXIT_FINISHED
						   : EXIT_FAILED;
}

const struct pv_command pv_command_audit = {
    .name = "audit",
    .arguments = "DIR",
    .sentence = "the ledger: was every promise of pace kept?",
    .help =
	"Reckons anew, from what a crawl wrote down of each request, whether it "
	"kept what its\npolicy and the hosts asked for: rests, Crawl-delay, "
	"Retry-After, back-off, hours,\nconnections, rates and robots.txt. "
	"Prints what each host has seen of us, and each\npromise that was "
	"broken; ends with 1 if there is one. A crawl that runs may be "
	"audited.",
    .example = "  pavane audit docs.example.org\n"
	       "  pavane audit crawl --host docs.example.org\n",
    .options = "Hj",
    .run = run,
};
