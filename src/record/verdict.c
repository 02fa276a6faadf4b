#include "record/verdict.h"

static const char *const words[PV_REASON_COUNT] = {
    [PV_REASON_NONE] = "admitted",
    [PV_REASON_HOST] = "host",
    [PV_REASON_BELOW] = "below",
    [PV_REASON_DEPTH] = "depth",
    [PV_REASON_HOPS] = "hops",
    [PV_REASON_RULE] = "rule",
    [PV_REASON_REQUISITES] = "requisites",
    [PV_REASON_TOO_LONG] = "too-long",
    [PV_REASON_REPEATS] = "trap-repeats",
    [PV_REASON_SEGMENTS] = "trap-segments",
    [PV_REASON_SAME_BODY] = "trap-same-body",
    [PV_REASON_REDIRECTS] = "redirects",
    [PV_REASON_ROBOTS] = "robots",
    [PV_REASON_ROBOTS_UNREACHABLE] = "robots-unreachable",
    [PV_REASON_NOFOLLOW] = "nofollow",
    [PV_REASON_NEVER] = "never",
    [PV_REASON_PRIVATE] = "private",
    [PV_REASON_BLOCKED] = "blocked",
    [PV_REASON_CRAWL_DELAY] = "crawl-delay",
    [PV_REASON_RETRY_AFTER] = "retry-after",
    [PV_REASON_LIMIT] = "limit",
    [PV_REASON_CREDENTIALS] = "credentials",
    [PV_REASON_CHAINED] = "chained",
    [PV_REASON_RULE_GAVE_UP] = "rule-gave-up",
    [PV_REASON_CONTACT] = "contact",
    [PV_REASON_META_ROBOTS] = "meta-robots",
    [PV_REASON_X_ROBOTS] = "x-robots-tag",
    [PV_REASON_NOT_VOUCHED] = "sitemap-elsewhere",
    [PV_REASON_TYPE] = "type",
    [PV_REASON_SESSION] = "trap-session",
    [PV_REASON_SUBDOMAINS] = "trap-subdomains",
    [PV_REASON_QUERY] = "trap-query",
    [PV_REASON_CALENDAR] = "trap-calendar",
    [PV_REASON_PORT] = "port",
};

const char *pv_reason_word(unsigned reason)
{
	return reason < PV_REASON_COUNT ? words[reason] : "unknown";
}
