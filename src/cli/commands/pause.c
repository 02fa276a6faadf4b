#include <stdio.h>

#include "cli/run/command.h"
#include "cli/run/fleet_orders.h"
#include "cli/run/loading.h"

/* `pavane pause` and `pavane resume`. */

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	fprintf(stderr, "pavane: %s\n", line);
}

static bool read_order(
    const struct pv_options *options, struct pavane_order *order)
{
	if (options->argument_count != 2) {
		fprintf(stderr,
		    "pavane: %s needs a crawl's directory: pavane %s DIR\n",
		    options->arguments[0], options->arguments[0]);
		return false;
	}
	*order = (struct pavane_order){
	    .size = sizeof(struct pavane_order),
	    .directory = options->arguments[1],
	    .host = options->host,
	    .until = options->until,
	    .on_line = tell,
	};
	return true;
}

static int status_of(enum pavane_answer answer)
{
	if (answer == PAVANE_WRONG)
		return EXIT_WRONG;
	return answer == PAVANE_UNREADABLE ? EXIT_FAILED : EXIT_FINISHED;
}

static void print_subject(const struct pavane_order *order)
{
	printf("%s", order->directory);
	if (order->host)
		printf(": the host %s", order->host);
}

static int pause_crawl(const struct pv_options *options)
{
	struct pavane_order order;
	if (options->fleet)
		return pv_fleet_pause(options);
	if (!read_order(options, &order))
		return EXIT_WRONG;
	enum pavane_answer answer = pavane_order_pause(&order);
	if (answer != PAVANE_YES)
		return status_of(answer);
	print_subject(&order);
	printf(" is paused: no new requests are made, also after a restart, ");
	if (order.until)
		pv_pause_end_print(order.until);
	else
		printf("until `pavane resume %s%s%s`\n", order.directory,
		    order.host ? " --host " : "", order.host ? order.host : "");
	return EXIT_FINISHED;
}

static int resume_crawl(const struct pv_options *options)
{
	struct pavane_order order;
	if (options->fleet)
		return pv_fleet_resume(options);
	if (!read_order(options, &order))
		return EXIT_WRONG;
	enum pavane_answer answer = pavane_order_resume(&order);
	if (answer == PAVANE_YES) {
		print_subject(&order);
		printf(" is resumed\n");
	} else if (answer == PAVANE_NO) {
		printf("%s: %s was not paused\n", order.directory,
		    order.host ? order.host : "the crawl");
	}
	return status_of(answer);
}

const struct pv_command pv_command_pause = {
    .name = "pause",
    .arguments = {{"DIR", PV_IS_CRAWL, NULL}},
    .sentence = "make no new requests for a while",
    .help = "Pauses the crawl in a directory, or one of its hosts. Requests "
	    "in flight end and\nare stored; nothing new is requested, and the "
	    "crawl stays open. A pause holds\nover restarts, until `pavane "
	    "resume` or the time of --until. It also works while\nnobody runs "
	    "the crawl. The time of a pause does not count to limits.time. "
	    "--fleet URL NAME\npauses all workers of a fleet.",
    .example = "  pavane pause docs.example.org\n"
	       "  pavane pause crawl --host docs.example.org --until 2h\n",
    .options = "HuF",
    .run = pause_crawl,
};

const struct pv_command pv_command_resume = {
    .name = "resume",
    .arguments = {{"DIR", PV_IS_CRAWL, NULL}},
    .sentence = "end a pause",
    .help = "Ends a pause of the crawl in a directory, or that of one host. "
	    "Each host is\nrequested again as soon as its delay allows.",
    .example = "  pavane resume docs.example.org\n"
	       "  pavane resume crawl --host docs.example.org\n",
    .options = "HF",
    .run = resume_crawl,
};
