#include "crawl/tally.h"

#include <stdlib.h>

/* A place that is free, or that of the smallest, if it is smaller. */
static struct pavane_tally *place_for(
    struct pavane_tallies *tallies, uint64_t count)
{
	struct pavane_tally *least = &tallies->items[0];
	if (tallies->count < PAVANE_TALLIES_MAX)
		return &tallies->items[tallies->count++];
	for (size_t i = 1; i < tallies->count; i++) {
		if (tallies->items[i].count < least->count)
			least = &tallies->items[i];
	}
	return least->count < count ? least : NULL;
}

void pv_tally_add(struct pavane_tallies *tallies, const char *word,
    const char *sentence, uint64_t count)
{
	struct pavane_tally *place = count ? place_for(tallies, count) : NULL;
	if (place)
		*place = (struct pavane_tally){word, sentence, count};
}

static int compare(const void *a, const void *b)
{
	const struct pavane_tally *left = a, *right = b;
	return (left->count < right->count) - (left->count > right->count);
}

void pv_tally_sort(struct pavane_tallies *tallies)
{
	qsort(tallies->items, tallies->count, sizeof(*tallies->items), compare);
}

/* What so many addresses are, be it one or more. */
static const char *const reasons[PV_REASON_COUNT] = {
    [PV_REASON_HOST] = "on other hosts",
    [PV_REASON_BELOW] = "not below a seed",
    [PV_REASON_DEPTH] = "too many links away from a seed",
    [PV_REASON_HOPS] = "too far off scope",
    [PV_REASON_RULE] = "denied by a rule of the policy",
    [PV_REASON_REQUISITES] = "image, style or script, none of which is wanted",
    [PV_REASON_TOO_LONG] = "longer than max_url",
    [PV_REASON_REPEATS] = "with a segment that repeats, as in a trap",
    [PV_REASON_SEGMENTS] = "with too many segments, as in a trap",
    [PV_REASON_NOT_VOUCHED] = "in a sitemap that may not speak for their host",
    [PV_REASON_SAME_BODY] = "with the same body over and over",
    [PV_REASON_REDIRECTS] = "redirected too often",
    [PV_REASON_ROBOTS] = "forbidden by robots.txt",
    [PV_REASON_ROBOTS_UNREACHABLE] = "on hosts whose robots.txt cannot "
				     "be had",
    [PV_REASON_NOFOLLOW] = "marked as not to be followed",
    [PV_REASON_META_ROBOTS] = "on pages whose meta robots asks not to follow",
    [PV_REASON_X_ROBOTS] = "on pages whose X-Robots-Tag asks not to follow",
    [PV_REASON_TYPE] = "whose names tell a type that is not wanted",
    [PV_REASON_NEVER] = "on hosts whose owners asked us away",
    [PV_REASON_PRIVATE] = "on private networks that nobody named",
    [PV_REASON_BLOCKED] = "on hosts that do not want us",
    [PV_REASON_CRAWL_DELAY] = "on hosts whose Crawl-delay is too long",
    [PV_REASON_RETRY_AFTER] = "on hosts whose Retry-After is too long",
    [PV_REASON_LIMIT] = "beyond a limit of the policy",
    [PV_REASON_PORT] = "at ports of other protocols",
    [PV_REASON_CREDENTIALS] = "with somebody's credentials",
    [PV_REASON_CHAINED] = "too deep in parts of pages",
    [PV_REASON_RULE_GAVE_UP] = "on which a rule took too long",
    [PV_REASON_CONTACT] = "on hosts to whom nobody has said who we are",
    [PV_REASON_SESSION] = "with further session identifiers, as in a trap",
    [PV_REASON_SUBDOMAINS] = "on further hosts of a site, as in a trap",
    [PV_REASON_QUERY] = "with a query that grows, as in a trap",
    [PV_REASON_CALENDAR] = "with a date too far from today, as in a trap",
};

static const char *const outcomes[PV_OUTCOME_COUNT] = {
    [PV_OUTCOME_ANSWERED] = "answered",
    [PV_OUTCOME_NO_NAME] = "on hosts whose name nobody knows",
    [PV_OUTCOME_NO_CONNECTION] = "not to be reached",
    [PV_OUTCOME_TLS] = "on hosts that could not be verified",
    [PV_OUTCOME_TIMEOUT] = "too slow",
    [PV_OUTCOME_BROKEN_OFF] = "broken off",
    [PV_OUTCOME_NOT_HTTP] = "not answered in HTTP",
    [PV_OUTCOME_TOO_LARGE] = "too large",
    [PV_OUTCOME_NOT_ACCEPTED] = "of a type that is not wanted",
};

const char *pv_tally_reason_text(unsigned reason)
{
	bool is_known = reason < PV_REASON_COUNT && reasons[reason];
	return is_known ? reasons[reason] : "";
}

const char *pv_tally_outcome_text(unsigned outcome)
{
	bool is_known = outcome < PV_OUTCOME_COUNT && outcomes[outcome];
	return is_known ? outcomes[outcome] : "";
}

void pv_tally_reasons(
    struct pavane_tallies *tallies, const struct pv_counts *counts)
{
	tallies->count = 0;
	for (unsigned i = 0; i < PV_REASON_COUNT; i++)
		pv_tally_add(tallies, pv_reason_word(i),
		    pv_tally_reason_text(i), counts->reasons[i]);
	pv_tally_sort(tallies);
}

void pv_tally_outcomes(
    struct pavane_tallies *tallies, const struct pv_counts *counts)
{
	tallies->count = 0;
	for (unsigned i = 0; i < PV_OUTCOME_COUNT; i++)
		pv_tally_add(tallies, pv_outcome_word(i),
		    pv_tally_outcome_text(i), counts->outcomes[i]);
	pv_tally_sort(tallies);
}
