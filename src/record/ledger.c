#include "record/ledger.h"

#include <inttypes.h>

#include "base/reader.h"

/* Of a histogram's step, about. */
#define STEP_PARTS 32

void pv_ledger_init(struct pv_ledger *ledger)
{
	*ledger =
	    (struct pv_ledger){.least_gap_ms = -1, .least_reaction_ms = -1};
}

/* Of what came to pass; negative did not. */
static int64_t lesser(int64_t a, int64_t b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

static void count_rule(
    struct pv_ledger *ledger, struct pv_str word, int64_t count)
{
	struct pv_ledger_rule *rule = ledger->rules;
	struct pv_ledger_rule *end = rule + ledger->rule_count;
	if (!word.len || word.len >= PV_LEDGER_RULE_SIZE)
		return;
	while (rule < end && !pv_str_equal(pv_str_of(rule->word), word))
		rule++;
	if (rule == end) {
		if (ledger->rule_count == PV_LEDGER_RULES_MAX)
			return;
		ledger->rule_count++;
		*rule = (struct pv_ledger_rule){.count = 0};
		memcpy(rule->word, word.ptr, word.len);
	}
	rule->count = count < INT64_MAX - rule->count ? rule->count + count
						      : INT64_MAX;
}

void pv_ledger_add(
    struct pv_ledger *ledger, const struct pv_ledger_entry *entry)
{
	const struct pv_pacing *pacing = &entry->pacing;
	if (!pacing->run || pacing->sent_ms < 0)
		return;
	ledger->requests++;
	ledger->bytes += (int64_t)entry->bytes;
	ledger->too_many += entry->http_status == 429;
	ledger->unavailable += entry->http_status == 503;
	if (pacing->at_once > ledger->most_at_once)
		ledger->most_at_once = pacing->at_once;
	ledger->least_gap_ms = lesser(ledger->least_gap_ms, pacing->gap_ms);
	ledger->least_reaction_ms =
	    lesser(ledger->least_reaction_ms, pacing->reaction_ms);
	pv_histogram_add(&ledger->gaps, pacing->gap_ms * 1000);
	ledger->robots_count += entry->is_robots;
	if (entry->is_robots && entry->wall_ms > ledger->robots_wall_ms)
		ledger->robots_wall_ms = entry->wall_ms;
	if (pacing->rule)
		count_rule(ledger, pv_str_of(pacing->rule), 1);
}

void pv_ledger_add_all(struct pv_ledger *ledger, const struct pv_ledger *other)
{
	ledger->requests += other->requests;
	ledger->bytes += other->bytes;
	ledger->too_many += other->too_many;
	ledger->unavailable += other->unavailable;
	if (other->most_at_once > ledger->most_at_once)
		ledger->most_at_once = other->most_at_once;
	ledger->least_gap_ms =
	    lesser(ledger->least_gap_ms, other->least_gap_ms);
	ledger->least_reaction_ms =
	    lesser(ledger->least_reaction_ms, other->least_reaction_ms);
	ledger->robots_count += other->robots_count;
	if (other->robots_wall_ms > ledger->robots_wall_ms)
		ledger->robots_wall_ms = other->robots_wall_ms;
	for (size_t i = 0; i < PV_HISTOGRAM_STEPS; i++)
		ledger->gaps.counts[i] += other->gaps.counts[i];
	ledger->gaps.count += other->gaps.count;
	for (size_t i = 0; i < other->rule_count; i++)
		count_rule(ledger, pv_str_of(other->rules[i].word),
		    other->rules[i].count);
}

/* A step's end lies up to three in a hundred above what it counts; most hosts'
 * gaps lie close above the smallest. */
double pv_ledger_median_gap_ms(const struct pv_ledger *ledger)
{
	double end_ms = pv_histogram_percentile(&ledger->gaps, 50);
	double middle_ms = end_ms - end_ms / STEP_PARTS / 2;
	double least_ms = (double)ledger->least_gap_ms;
	if (end_ms < 0)
		return -1;
	return middle_ms > least_ms ? middle_ms : least_ms;
}

void pv_ledger_write_rules(const struct pv_ledger *ledger, struct pv_buf *buf)
{
	for (size_t i = 0; i < ledger->rule_count; i++)
		pv_buf_append_format(buf, "%s%s:%" PRId64, i ? " " : "",
		    ledger->rules[i].word, ledger->rules[i].count);
}

void pv_ledger_read_rules(struct pv_ledger *ledger, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader)) {
		struct pv_str word = pv_reader_take_until(&reader, ':');
		uint64_t count;
		if (!pv_reader_accept(&reader, ':') ||
		    !pv_reader_take_number(&reader, INT64_MAX, &count))
			return;
		count_rule(ledger, word, (int64_t)count);
		if (!pv_reader_accept(&reader, ' '))
			return;
	}
}
