#ifndef PAVANE_CRAWL_HOST_GIVING_UP_H
#define PAVANE_CRAWL_HOST_GIVING_UP_H

#include "record/outcome.h"
#include "record/verdict.h"
#include "schedule/host_clock.h"

/* Hosts that are not asked any more: that do not exist or may not be reached,
 * that do not want us, or that ask us to wait longer than the policy waits.
 *
 * All visits of such a host end at once, each with the same reason; what is in
 * flight ends as it would. Why a host was left is kept with it, and holds as
 * long as the cause does.
 */
struct pv_task;
struct pv_live_host;
struct pv_flight;

/* Its visits end with an outcome (of which `why` tells more), or are refused
 * for a reason; they are to be fed to that end (pv_host_visits_feed). */
struct pv_refusal {
	enum pv_outcome outcome;
	enum pv_reason reason;
	const char *why;
};

void pv_giving_up_refuse(
    struct pv_live_host *host, const struct pv_refusal *refusal);

/* Whether what was known of it before is still a cause: then it is refused. */
bool pv_giving_up_recall(struct pv_live_host *host);

/* Its name was found meanwhile: that it did not exist is no cause any more. */
void pv_giving_up_forget_nameless(struct pv_live_host *host);

/* After an answer, which may have been the one too many. */
void pv_giving_up_look(
    struct pv_flight *flight, const struct pv_visit_end *end);

/* After it was found that another crawl on this machine has to leave it alone
 * until then; 0 for not. */
void pv_giving_up_look_at_others(struct pv_live_host *host, int64_t until);

/* After its robots.txt has been asked for, whatever came: it asks for so long a
 * delay between requests. */
void pv_giving_up_look_at_robots(struct pv_live_host *host, int64_t delay_ms);

/* There is no time of the day at which it may be asked. */
void pv_giving_up_shut(struct pv_live_host *host);

/* It is waited for no longer. False if something of it has ever answered, by
 * another scheme or at another port: then it is not left. */
bool pv_giving_up_lose(struct pv_live_host *host, const char *why);

/* Whether it was only lost, and the task is to a scheme or port of it that
 * nobody has asked in vain: that may well be there. */
bool pv_giving_up_leaves_out(
    const struct pv_live_host *host, const struct pv_task *task);

/* It is asked again, for what that leaves out. */
void pv_giving_up_return(struct pv_live_host *host);

#endif
