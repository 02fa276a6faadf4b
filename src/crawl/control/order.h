#ifndef PAVANE_CRAWL_CONTROL_ORDER_H
#define PAVANE_CRAWL_CONTROL_ORDER_H

#include <stdint.h>

#include "base/why.h"
#include "pavane/pavane.h"
#include "store/database.h"

struct pv_orders;
struct pv_policy;

/* Orders to a crawl from a program that does not run it: each is checked against
 * the crawl's state, and written into its file `control` (store/orders.h),
 * which holds also where nobody runs the crawl.
 *
 * What is wrong with one is said in `why`, and then nothing is changed. What
 * they answer is in pavane.h.
 */

enum pavane_answer pv_order_pause(
    const struct pavane_order *given, int64_t wall_ms, struct pv_why *why);
enum pavane_answer pv_order_resume(
    const struct pavane_order *given, int64_t wall_ms, struct pv_why *why);
/* `notes` gets which keys have other values for some hosts. */
enum pavane_answer pv_order_set(const struct pavane_order *given,
    const char *const *assignments, size_t count, struct pv_why *notes,
    struct pv_why *why);
/* The same by the program that runs the crawl, which has its state and its policy
 * at hand. On the writer's thread. */
struct pv_order_here {
	struct pv_database *database;
	int64_t wall_ms;
	int64_t
	    until_wall_ms;   /* of a pause; the order's own is not looked at */
	const char *because; /* NULL for nothing */
};

enum pavane_answer pv_order_pause_here(const struct pavane_order *given,
    const struct pv_order_here *here, struct pv_why *why);
enum pavane_answer pv_order_resume_here(const struct pavane_order *given,
    const struct pv_order_here *here, struct pv_why *why);

/* `policy` is without what is set. */
struct pv_order_values {
	const char *const *assignments;
	size_t count;
	struct pv_why *notes; /* as above */
};

enum pavane_answer pv_order_set_here(const char *directory,
    const struct pv_policy *policy, const struct pv_order_values *values,
    struct pv_why *why);

/* The same where the orders stand in no directory, such as those of a fleet: they
 * are changed, if the answer is PAVANE_YES, and the caller writes them. */
struct pv_order_elsewhere {
	struct pv_orders *orders;
	int64_t wall_ms;
	bool (*has_host)(void *ctx, struct pv_str host);
	void *ctx;
};

enum pavane_answer pv_order_pause_elsewhere(const struct pavane_order *given,
    const struct pv_order_elsewhere *place, struct pv_why *why);
enum pavane_answer pv_order_resume_elsewhere(const struct pavane_order *given,
    const struct pv_order_elsewhere *place, struct pv_why *why);
enum pavane_answer pv_order_set_elsewhere(struct pv_orders *orders,
    const struct pv_policy *policy, const struct pv_order_values *values,
    struct pv_why *why);
enum pavane_answer pv_order_stop(
    const struct pavane_order *given, int64_t *process, struct pv_why *why);

#endif
