#ifndef PAVANE_RECORD_VERDICT_H
#define PAVANE_RECORD_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether an address may be asked for, and if not, why not.
 *
 * A verdict is a decision of ours, made before or instead of a request; what
 * came of a request is an outcome. All that is known of a reason stands in its
 * row of the table below; a new reason is a new row, and the place that decides
 * it.
 */

/* What a refusal says of the address. */
enum pv_reason_kind {
	PV_KIND_CHOICE, /* it may well be there, and is not asked for */
	PV_KIND_TRAP,   /* one of addresses without end */
	PV_KIND_BROKEN, /* nobody could have got there */
	PV_KIND_PAST,   /* nothing is refused so any more */
};

/* Keys of a policy; one stands for all below it. */
#define PV_REASON_KEYS_MAX 5

struct pv_reason_row {
	const char *word;      /* in views, journals and tables */
	const char *sentence;  /* what the addresses are, be it one or more */
	const char *of_host;   /* why a host was given up; NULL: none ever is */
	const char *number_of; /* what the verdict's line is the number of;
				  NULL: a line */
	enum pv_reason_kind kind;
	bool may_be_admitted; /* by the program that runs the crawl */
	const char *keys[PV_REASON_KEYS_MAX + 1]; /* after a change of these
	    an address that was refused so is judged anew; NULL ends them */
};

/* What the scope decides by. */
#define PV_SCOPE_KEYS "scope", "seeds", "fetch.accept"

/* REASON(name, number, fields of its row). The numbers stand in state files,
 * and the words in journals: new rows come at the end, with the next number,
 * and none is used for something else. */
#define PV_REASONS(REASON)                                                     \
	REASON(NONE, 0, .word = "admitted", .sentence = "")                    \
	REASON(HOST, 1, .word = "host", .sentence = "on other hosts",          \
	    .may_be_admitted = true, .keys = {PV_SCOPE_KEYS})                  \
	REASON(BELOW, 2, .word = "below", .sentence = "not below a seed",      \
	    .may_be_admitted = true, .keys = {PV_SCOPE_KEYS})                  \
	REASON(DEPTH, 3, .word = "depth",                                      \
	    .sentence = "too many links away from a seed",                     \
	    .may_be_admitted = true, .keys = {PV_SCOPE_KEYS})                  \
	REASON(HOPS, 4, .word = "hops",                                        \
	    .sentence = "too many links out of scope",                         \
	    .may_be_admitted = true, .keys = {PV_SCOPE_KEYS})                  \
	/* The verdict's line is the rule's number. */                         \
	REASON(RULE, 5, .word = "rule",                                        \
	    .sentence = "denied by a rule of the policy", .number_of = "rule", \
	    .may_be_admitted = true, .keys = {PV_SCOPE_KEYS})                  \
	/* Where only rows of pages are written. */                            \
	REASON(REQUISITES, 6, .word = "requisites",                            \
	    .sentence = "images, styles or scripts, which the policy "         \
			"excludes",                                            \
	    .may_be_admitted = true, .keys = {"scope.requisites", "pages"})    \
	REASON(TOO_LONG, 7, .word = "too-long",                                \
	    .sentence = "longer than max_url", .keys = {PV_SCOPE_KEYS})        \
	REASON(REPEATS, 8, .word = "trap-repeats",                             \
	    .sentence = "with a segment that repeats, as in a trap",           \
	    .kind = PV_KIND_TRAP, .keys = {PV_SCOPE_KEYS})                     \
	REASON(SEGMENTS, 9, .word = "trap-segments",                           \
	    .sentence = "with too many segments, as in a trap",                \
	    .kind = PV_KIND_TRAP, .keys = {PV_SCOPE_KEYS})                     \
	REASON(SAME_BODY, 10, .word = "trap-same-body",                        \
	    .sentence = "with the same content again and again",               \
	    .kind = PV_KIND_TRAP, .keys = {"scope.traps.same_body"})           \
	REASON(REDIRECTS, 11, .word = "redirects",                             \
	    .sentence = "redirected too often", .kind = PV_KIND_BROKEN,        \
	    .keys = {"fetch.redirects"})                                       \
	/* The verdict's line is that of robots.txt. */                        \
	REASON(ROBOTS, 12, .word = "robots",                                   \
	    .sentence = "forbidden by robots.txt",                             \
	    .of_host = "the Visit-time in its robots.txt allows no time",      \
	    .keys = {"robots", "identity.agent", "domains"})                   \
	REASON(ROBOTS_UNREACHABLE, 13, .word = "robots-unreachable",           \
	    .sentence = "on hosts whose robots.txt cannot be fetched",         \
	    .of_host = "its robots.txt was unreachable for longer than "       \
		       "robots.give_up",                                       \
	    .kind = PV_KIND_BROKEN,                                            \
	    .keys = {"robots", "identity.agent", "domains"})                   \
	/* The link's rel says so. */                                          \
	REASON(NOFOLLOW, 14, .word = "nofollow",                               \
	    .sentence = "marked as nofollow", .keys = {"robots.nofollow"})     \
	/* never.txt: the verdict's line is that of it. */                     \
	REASON(NEVER, 15, .word = "never",                                     \
	    .sentence = "on hosts listed in never.txt",                        \
	    .keys = {PV_SCOPE_KEYS, "fetch.resolve"})                          \
	REASON(PRIVATE, 16, .word = "private",                                 \
	    .sentence = "on private networks which the policy does not allow", \
	    .keys = {"fetch.private", "fetch.resolve", "seeds", "domains"})    \
	/* The host answered that it does not want us. */                      \
	REASON(BLOCKED, 17, .word = "blocked",                                 \
	    .sentence = "on hosts that reject our requests (401, 403 "         \
			"or 451)",                                             \
	    .of_host = "it answered 401, 403 or 451 too often in a row "       \
		       "(blocked.after)",                                      \
	    .keys = {"politeness.blocked", "domains", "identity"})             \
	REASON(CRAWL_DELAY, 18, .word = "crawl-delay",                         \
	    .sentence = "on hosts whose Crawl-delay is too long",              \
	    .of_host =                                                         \
		"its Crawl-delay is longer than crawl_delay.give_up_over",     \
	    .keys = {"politeness.crawl_delay", "domains"})                     \
	REASON(RETRY_AFTER, 19, .word = "retry-after",                         \
	    .sentence = "on hosts whose Retry-After is too long",              \
	    .of_host =                                                         \
		"its Retry-After is longer than retry_after.give_up_over",     \
	    .keys = {"politeness.retry_after", "domains"})                     \
	/* Of pages or bytes of a host. */                                     \
	REASON(LIMIT, 20, .word = "limit",                                     \
	    .sentence = "beyond a limit of the policy",                        \
	    .keys = {"limits.host_pages", "limits.host_bytes"})                \
	REASON(CREDENTIALS, 21, .word = "credentials",                         \
	    .sentence = "with a user name or password in the address",         \
	    .keys = {PV_SCOPE_KEYS})                                           \
	/* A resource of a resource of a resource ... */                       \
	REASON(CHAINED, 22, .word = "chained",                                 \
	    .sentence = "too deep in resources of resources",                  \
	    .keys = {PV_SCOPE_KEYS})                                           \
	REASON(RULE_GAVE_UP, 23, .word = "rule-gave-up",                       \
	    .sentence = "on which a rule took too long to match",              \
	    .keys = {PV_SCOPE_KEYS})                                           \
	REASON(CONTACT, 24, .word = "contact",                                 \
	    .sentence = "on hosts for which the policy needs a contact",       \
	    .keys = {"identity", "seeds", "fetch.resolve"})                    \
	REASON(META_ROBOTS, 25, .word = "meta-robots",                         \
	    .sentence = "on pages whose meta robots asks not to follow",       \
	    .keys = {"robots.meta"})                                           \
	REASON(X_ROBOTS, 26, .word = "x-robots-tag",                           \
	    .sentence = "on pages whose X-Robots-Tag asks not to follow",      \
	    .keys = {"robots.meta"})                                           \
	REASON(NOT_VOUCHED, 27, .word = "sitemap-elsewhere",                   \
	    .sentence = "in a sitemap that is not allowed to list "            \
			"their host")                                          \
	/* Its name tells the type. */                                         \
	REASON(TYPE, 28, .word = "type",                                       \
	    .sentence = "whose file extension is of a type that "              \
			"fetch.accept does not list",                          \
	    .may_be_admitted = true, .keys = {PV_SCOPE_KEYS})                  \
	REASON(SESSION, 29, .word = "trap-session",                            \
	    .sentence = "with further session identifiers, as in a trap",      \
	    .kind = PV_KIND_TRAP, .keys = {"scope.traps.sessions", "seeds"})   \
	REASON(SUBDOMAINS, 30, .word = "trap-subdomains",                      \
	    .sentence = "on further hosts of a site, as in a trap",            \
	    .kind = PV_KIND_TRAP,                                              \
	    .keys = {"scope.traps.subdomains", "seeds", "scope.hosts"})        \
	REASON(QUERY, 31, .word = "trap-query",                                \
	    .sentence = "with a query that grows, as in a trap",               \
	    .kind = PV_KIND_TRAP, .keys = {PV_SCOPE_KEYS})                     \
	REASON(CALENDAR, 32, .word = "trap-calendar",                          \
	    .sentence = "with a date too far from today, as in a trap",        \
	    .kind = PV_KIND_TRAP, .keys = {PV_SCOPE_KEYS})                     \
	/* Another protocol's. */                                              \
	REASON(PORT, 33, .word = "port",                                       \
	    .sentence = "on ports of other protocols",                         \
	    .keys = {PV_SCOPE_KEYS, "fetch.resolve", "domains"})               \
	/* Not below a seed, since that is at another port. */                 \
	REASON(OTHER_PORT, 34, .word = "other-port",                           \
	    .sentence = "at another port of a seed's host",                    \
	    .may_be_admitted = true, .keys = {PV_SCOPE_KEYS})                  \
	/* The verdict's line is that of the kind of page in the policy. */    \
	REASON(FOLLOW, 35, .word = "follow",                                   \
	    .sentence = "on pages of a kind that leads elsewhere",             \
	    .may_be_admitted = true, .keys = {"pages"})                        \
	/* The verdict's line is the number of its word. */                    \
	REASON(PROGRAM, 36, .word = "program",                                 \
	    .sentence = "refused by the program that runs the crawl")          \
	/* The verdict's line is the number of that shard. */                  \
	REASON(SHARD, 37, .word = "shard",                                     \
	    .sentence = "on hosts that another shard of the crawl requests",   \
	    .number_of = "shard", .keys = {PV_SCOPE_KEYS, "domains"})

enum pv_reason {
#define REASON(name, number, ...) PV_REASON_##name = number,
	PV_REASONS(REASON)
#undef REASON
	    PV_REASON_COUNT,
};

struct pv_verdict {
	enum pv_reason reason;
	uint32_t line; /* 0 where there is none */
};

/* For a number that is not ours the word is "unknown" and the sentence "". */
const struct pv_reason_row *pv_reason_get(unsigned reason);

const char *pv_reason_word(unsigned reason);
const char *pv_reason_sentence(unsigned reason);

/* What the number beside the reason is of: "line", "rule" or "shard". */
const char *pv_reason_number_of(unsigned reason);

#endif
