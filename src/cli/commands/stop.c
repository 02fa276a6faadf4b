#include <stdio.h>
#include <time.h>

#include "cli/run/command.h"
#include "cli/run/fleet_orders.h"

/* How often it is looked whether the crawl has ended. */
#define LOOK_NS 50000000

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	fprintf(stderr, "pavane: %s\n", line);
}

/* A run that begins meanwhile in the same process is asked, too; one that
 * another process begins is not meant. */
static enum pavane_answer stop(const struct pavane_order *order)
{
	const struct timespec pause = {.tv_nsec = LOOK_NS};
	int64_t process = 0;
	enum pavane_answer answer = pavane_order_stop(order, &process);
	bool was_running = answer == PAVANE_YES;
	if (answer == PAVANE_YES)
		fprintf(
		    stderr, "pavane: the crawl is stopping; waiting for it\n");
	while (answer == PAVANE_YES) {
		nanosleep(&pause, NULL);
		answer = pavane_order_stop(order, &process);
	}
	return was_running && answer == PAVANE_NO ? PAVANE_YES : answer;
}

static int run(const struct pv_options *options)
{
	if (options->fleet)
		return pv_fleet_stop(options);
	if (options->argument_count != 2) {
		fprintf(stderr, "pavane: stop needs a crawl's directory: "
				"pavane stop DIR\n");
		return EXIT_WRONG;
	}
	const struct pavane_order order = {
	    .size = sizeof(struct pavane_order),
	    .directory = options->arguments[1],
	    .on_line = tell,
	};
	enum pavane_answer answer = stop(&order);
	if (answer == PAVANE_UNREADABLE)
		return EXIT_FAILED;
	printf("%s: %s\n", order.directory,
	    answer == PAVANE_YES ? "the crawl has ended, its state is saved"
				 : "no crawl is running");
	return EXIT_FINISHED;
}

const struct pv_command pv_command_stop = {
    .name = "stop",
    .arguments = {{"DIR", PV_IS_CRAWL, NULL}},
    .sentence = "stop a crawl, and wait until it has ended",
    .help = "Stops the crawl that is running in a directory, as Ctrl+C does "
	    "in its own terminal,\nand waits until it has ended. Requests in "
	    "flight end, and everything is stored;\n`pavane continue` goes on. "
	    "A crawl that is paused stays so.\n--fleet URL NAME stops all "
	    "workers of a fleet.",
    .example = "  pavane stop docs.example.org\n"
	       "  pavane stop --fleet postgresql:///crawls shared\n",
    .options = "F",
    .run = run,
};
