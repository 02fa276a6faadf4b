#ifndef PAVANE_CRAWL_CONTROL_SETTINGS_H
#define PAVANE_CRAWL_CONTROL_SETTINGS_H

#include <stdbool.h>

#include "store/orders.h"

/* Keys of the policy that a person has set from outside (`pavane set`), for this
 * run and those to come.
 *
 * A crawl is opened with them over the policy that it is given. Where others
 * come while it runs, it ends as by an interruption, to be opened again at once
 * (pavane_crawl_reopen): so all that was made from the policy is made anew, a
 * longer delay holds before the next request, and the audit knows by what each
 * request was made.
 */
struct pv_crawl;
struct pv_policy;

struct pv_settings {
	const struct pv_policy *given; /* without them */
	struct pv_policy *overlay;     /* NULL: nothing is set */
	struct pv_orders orders;       /* of which only the settings matter */
	bool has_changed;              /* it is to be opened again */
};

/* Puts crawl->policy in its place. False, with the reason, if what is set does
 * not go with the policy, or cannot be read. */
bool pv_settings_open(struct pv_crawl *crawl, struct pv_why *why);
void pv_settings_close(struct pv_crawl *crawl);

/* Logs what is set. */
void pv_settings_tell(const struct pv_crawl *crawl);

/* Others may have been set, or some taken back. What is wrong with them is
 * logged, and changes nothing. */
void pv_settings_take(struct pv_crawl *crawl, const struct pv_orders *orders);

/* The policy with what is set for the crawl in a directory, running or not; NULL
 * if nothing is, or, with the reason, if that cannot be read. */
struct pv_policy *pv_settings_read(
    const struct pv_policy *policy, const char *directory, struct pv_why *why);

/* The policy with them, to be destroyed by pv_overlay_destroy. */
struct pv_policy *pv_settings_overlay(const struct pv_policy *policy,
    const struct pv_orders *orders, struct pv_why *why);

#endif
