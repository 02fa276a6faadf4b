#ifndef PAVANE_RECORD_VERDICT_H
#define PAVANE_RECORD_VERDICT_H

#include <stdint.h>

/* Whether an address may be asked for, and if not, why not.
 *
 * A verdict is a decision of ours, made before or instead of a request; what
 * came of a request is an outcome. The numbers stand in state files: new ones
 * come at the end, and none is used for something else.
 */
enum pv_reason {
	PV_REASON_NONE, /* it may be asked for */
	PV_REASON_HOST, /* scope: on a host that is not ours */
	PV_REASON_BELOW,
	PV_REASON_DEPTH,
	PV_REASON_HOPS,
	PV_REASON_RULE, /* `line` is the rule's number */
	PV_REASON_REQUISITES,
	PV_REASON_TOO_LONG,
	PV_REASON_REPEATS, /* traps */
	PV_REASON_SEGMENTS,
	PV_REASON_SAME_BODY,
	PV_REASON_REDIRECTS,
	PV_REASON_ROBOTS, /* `line` is the line of robots.txt */
	PV_REASON_ROBOTS_UNREACHABLE,
	PV_REASON_NOFOLLOW, /* the link's rel says so */
	PV_REASON_NEVER,    /* the owner asked us away */
	PV_REASON_PRIVATE,  /* an address on a private network */
	PV_REASON_BLOCKED,  /* the host answered that it does not want us */
	PV_REASON_CRAWL_DELAY,
	PV_REASON_RETRY_AFTER,
	PV_REASON_LIMIT,        /* of pages, bytes or time */
	PV_REASON_CREDENTIALS,  /* it carries somebody's */
	PV_REASON_CHAINED,      /* a resource of a resource of a resource ... */
	PV_REASON_RULE_GAVE_UP, /* a rule's pattern took too long */
	PV_REASON_CONTACT, /* the host is somebody else's, and nobody has said
			      who we are */
	PV_REASON_META_ROBOTS, /* the page's meta robots says nofollow */
	PV_REASON_X_ROBOTS,    /* its X-Robots-Tag does */
	PV_REASON_NOT_VOUCHED, /* a sitemap names it that may not speak for its
				  host */
	PV_REASON_TYPE,        /* its name tells a type that is not wanted */
	PV_REASON_SESSION,     /* traps that are counted */
	PV_REASON_SUBDOMAINS,
	PV_REASON_QUERY,    /* traps: a query that grows */
	PV_REASON_CALENDAR, /* a date too far from today */
	PV_REASON_PORT,     /* it is another protocol's */
	PV_REASON_COUNT,
};

struct pv_verdict {
	enum pv_reason reason;
	uint32_t line; /* 0 where there is none */
};

/* The word for it in views, journals and tables; "unknown" for a number that
 * is not ours. */
const char *pv_reason_word(unsigned reason);

#endif
