#include "cli/run/fleet_orders.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cli/run/command.h"
#include "cli/run/loading.h"
#include "cli/run/running.h"

/* How often it is looked whether all have ended, and how many looks later those
 * that are still there are asked once more: one that was opened again meanwhile,
 * to go by other settings, has not heard of it. */
#define LOOK_NS 200000000
#define LOOKS_PER_ORDER 25

static bool is_named(const struct pv_options *options, size_t count_max)
{
	if (options->argument_count >= 2 &&
	    options->argument_count <= count_max)
		return true;
	fprintf(stderr,
	    "pavane: %s --fleet needs the name of one crawl: pavane %s --fleet "
	    "URL NAME\n",
	    options->arguments[0], options->arguments[0]);
	return false;
}

static struct pavane_fleet_order order_of(const struct pv_options *options)
{
	return (struct pavane_fleet_order){
	    .size = sizeof(struct pavane_fleet_order),
	    .fleet = options->fleet,
	    .name = options->arguments[1],
	    .host = options->host,
	    .until = options->until,
	    .on_line = pv_order_tell,
	};
}

static int status_of(enum pavane_answer answer)
{
	if (answer == PAVANE_WRONG)
		return EXIT_WRONG;
	return answer == PAVANE_YES || answer == PAVANE_NO ? EXIT_FINISHED
							   : EXIT_FAILED;
}

/* Pauses */

static void print_subject(const struct pavane_fleet_order *order)
{
	printf("%s", order->name);
	if (order->host)
		printf(": the host %s", order->host);
}

int pv_fleet_pause(const struct pv_options *options)
{
	if (!is_named(options, 2))
		return EXIT_WRONG;
	const struct pavane_fleet_order order = order_of(options);
	enum pavane_answer answer = pavane_fleet_pause(&order);
	if (answer != PAVANE_YES)
		return status_of(answer);
	print_subject(&order);
	printf(" is paused: no worker makes new requests, also after a "
	       "restart, ");
	if (order.until)
		pv_pause_end_print(order.until);
	else
		printf("until `pavane resume --fleet URL %s%s%s`\n", order.name,
		    order.host ? " --host " : "", order.host ? order.host : "");
	return EXIT_FINISHED;
}

int pv_fleet_resume(const struct pv_options *options)
{
	if (!is_named(options, 2))
		return EXIT_WRONG;
	const struct pavane_fleet_order order = order_of(options);
	enum pavane_answer answer = pavane_fleet_resume(&order);
	if (answer == PAVANE_YES) {
		print_subject(&order);
		printf(" is resumed\n");
	} else if (answer == PAVANE_NO) {
		printf("%s: %s was not paused\n", order.name,
		    order.host ? order.host : "the crawl");
	}
	return status_of(answer);
}

/* Settings */

static int list(const struct pv_options *options)
{
	struct pavane_fleet_status *status = pavane_fleet_status_read(
	    options->fleet, options->arguments[1], pv_order_tell, NULL);
	if (!status)
		return EXIT_FAILED;
	printf("%s: %s\n", status->name,
	    status->settings[0] ? status->settings : "nothing is set");
	pavane_fleet_status_destroy(status);
	return EXIT_FINISHED;
}

int pv_fleet_set(const struct pv_options *options)
{
	if (!is_named(options, SIZE_MAX))
		return EXIT_WRONG;
	if (options->argument_count == 2)
		return list(options);
	const struct pavane_fleet_order order = order_of(options);
	enum pavane_answer answer = pavane_fleet_set(
	    &order, options->arguments + 2, options->argument_count - 2);
	if (answer == PAVANE_YES)
		printf("%s: set; each worker goes on with it when its requests "
		       "in flight have ended\n",
		    order.name);
	else if (answer == PAVANE_NO)
		printf("%s: that is so already\n", order.name);
	return status_of(answer);
}

/* Stopping */

/* How many workers live that are heard of; negative: it cannot be seen. */
static int64_t count_living(const struct pavane_fleet_order *order)
{
	struct pavane_fleet_status *status = pavane_fleet_status_read(
	    order->fleet, order->name, pv_order_tell, NULL);
	int64_t living = status ? (int64_t)status->living : -1;
	pavane_fleet_status_destroy(status);
	return living;
}

static int64_t wait_for_some_time(const struct pavane_fleet_order *order)
{
	const struct timespec pause = {.tv_nsec = LOOK_NS};
	int64_t living = 1;
	for (int i = 0; living > 0 && i < LOOKS_PER_ORDER; i++) {
		nanosleep(&pause, NULL);
		living = count_living(order);
	}
	return living;
}

int pv_fleet_stop(const struct pv_options *options)
{
	if (!is_named(options, 2))
		return EXIT_WRONG;
	const struct pavane_fleet_order order = order_of(options);
	bool was_running = false;
	int64_t living = 1;
	enum pavane_answer answer = PAVANE_YES;
	while (answer == PAVANE_YES && living > 0) {
		answer = pavane_fleet_stop(&order);
		if (answer == PAVANE_YES && !was_running)
			fprintf(stderr,
			    "pavane: all workers are stopping; waiting for "
			    "them\n");
		was_running |= answer == PAVANE_YES;
		if (answer == PAVANE_YES)
			living = wait_for_some_time(&order);
	}
	if (living < 0 || (answer != PAVANE_YES && answer != PAVANE_NO))
		return EXIT_FAILED;
	printf("%s: %s\n", order.name,
	    was_running ? "all workers have ended, their state is saved"
			: "no worker is running");
	return EXIT_FINISHED;
}

/* Joining */

int pv_fleet_join(const struct pv_options *options, bool is_update)
{
	int status = EXIT_WRONG;
	if (!is_named(options, 2))
		return EXIT_WRONG;
	char *text = pavane_fleet_policy(
	    options->fleet, options->arguments[1], pv_order_tell, NULL);
	if (!text)
		return EXIT_FAILED;
	struct pavane_sources sources = pv_sources_of(&options->settings, NULL);
	sources.text = text;
	sources.is_for_fleet = true;
	struct pavane_policy *policy = pv_policy_of(options, &sources);
	struct pv_run run = {
	    .options = options,
	    .policy = policy,
	    .sources = &sources,
	    .is_update = is_update,
	};
	if (pv_policy_is_right(policy))
		status = pv_run_crawl(&run);
	pavane_policy_destroy(policy);
	free(text);
	return status;
}
