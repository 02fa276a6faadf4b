#ifndef PAVANE_CRAWL_CONTROL_ORDER_H
#define PAVANE_CRAWL_CONTROL_ORDER_H

#include <stdint.h>

#include "base/why.h"
#include "pavane/pavane.h"

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
enum pavane_answer pv_order_stop(
    const struct pavane_order *given, int64_t *process, struct pv_why *why);

#endif
