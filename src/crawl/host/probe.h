#ifndef PAVANE_CRAWL_HOST_PROBE_H
#define PAVANE_CRAWL_HOST_PROBE_H

/* What a host is asked for that has failed too often in a row
 * (schedule/backoff.h): a page, since servers that have too much to do often
 * answer for what is none, and one that has not failed yet, since what failed
 * may be broken for good. What stands beside it may be, too: so of the pages at
 * hand it is the one that would come last.
 */
struct pv_task;

/* The task that is to be released in the place of this one, which goes back
 * to its host's line; or the same. */
struct pv_task *pv_probe_choose(struct pv_task *task);

#endif
