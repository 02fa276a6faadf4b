#ifndef PAVANE_STORE_TABLES_FAILED_H
#define PAVANE_STORE_TABLES_FAILED_H

/* Which addresses have failed, as SQL says it of the table `addresses`: done,
 * without an answer or with one that is none and leads to none, but for sitemaps
 * that nobody links to, whose absence nobody minds. The index `addresses_failed` has them by
 * outcome and status, and is used only by who asks in these very words. */
#define PV_FAILED_SQL                                           \
	"state = 2 AND (outcome <> 1 OR http_status >= 309 OR " \
	"http_status IN (300, 305, 306)) AND listing & 4 = 0"

#endif
