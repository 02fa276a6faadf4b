#ifndef PAVANE_RECORD_LEDGER_H
#define PAVANE_RECORD_LEDGER_H

#include "record/histogram.h"
#include "record/pacing.h"

/* The ledger: what a host has seen of us, in figures that its owner could hold
 * against the server's own log.
 *
 * Each request whose bytes went out adds what it was, and nothing else does.
 * The order in which they are added does not matter, so a ledger is the sum of
 * what is known of its requests, and two who know of the same ones have the
 * same.
 */
#define PV_LEDGER_RULES_MAX 24
#define PV_LEDGER_RULE_SIZE 24

struct pv_ledger {
	int64_t requests;    /* robots.txt, redirects and retries included */
	int64_t bytes;       /* of bodies, as they came */
	int64_t too_many;    /* answers of 429 */
	int64_t unavailable; /* and of 503 */
	int64_t most_at_once;
	int64_t least_gap_ms;      /* between two of a run; negative: none */
	int64_t least_reaction_ms; /* from the end of a 429 or 503 to the next
				      request; negative: none */
	int64_t robots_count;      /* requests for a robots.txt */
	int64_t robots_wall_ms;    /* the last of them */
	struct pv_histogram gaps;

	/* How often each rule was the one that set the pace. */
	struct pv_ledger_rule {
		char word[PV_LEDGER_RULE_SIZE];
		int64_t count;
	} rules[PV_LEDGER_RULES_MAX];
	size_t rule_count;
};

/* A request as far as the ledger wants to know. */
struct pv_ledger_entry {
	int64_t wall_ms; /* when it was sent */
	uint64_t bytes;
	uint16_t http_status; /* 0 where none came */
	bool is_robots;
	struct pv_pacing pacing; /* its rule is read, and not kept */
};

void pv_ledger_init(struct pv_ledger *ledger);
void pv_ledger_add(
    struct pv_ledger *ledger, const struct pv_ledger_entry *entry);

/* Adds all that another one knows, of other requests to the same host. */
void pv_ledger_add_all(struct pv_ledger *ledger, const struct pv_ledger *other);

/* Half of the gaps are shorter, to about three in a hundred; -1 where there is
 * none. */
double pv_ledger_median_gap_ms(const struct pv_ledger *ledger);

/* Appends "word:count" for each rule, with spaces between them; and adds what
 * such a text says, as far as it is one and there is room. */
void pv_ledger_write_rules(const struct pv_ledger *ledger, struct pv_buf *buf);
void pv_ledger_read_rules(struct pv_ledger *ledger, struct pv_str text);

/* Whether an answer says that we ask for too much (RFC 6585, 4; RFC 9110,
 * 15.6.4). */
static inline bool pv_ledger_is_overload(int http_status)
{
	return http_status == 429 || http_status == 503;
}

#endif
