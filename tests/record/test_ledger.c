#include "record/ledger.h"

#include "tap.h"

static struct pv_ledger_entry entry_of(
    int64_t gap_ms, int status, const char *rule)
{
	struct pv_ledger_entry entry = {
	    .wall_ms = 1000 + gap_ms,
	    .bytes = 10,
	    .http_status = (uint16_t)status,
	    .pacing = PV_PACING_NONE,
	};
	entry.pacing.run = 1;
	entry.pacing.sent_ms = 5;
	entry.pacing.gap_ms = gap_ms;
	entry.pacing.at_once = 1;
	entry.pacing.rule = rule;
	return entry;
}

static void add(struct pv_ledger *ledger, struct pv_ledger_entry entry)
{
	pv_ledger_add(ledger, &entry);
}

static void test_even(void)
{
	struct pv_ledger ledger;
	pv_ledger_init(&ledger);
	for (int i = 0; i < 9; i++)
		add(&ledger, entry_of(1002 + i % 2, 200, "delay"));
	double median_ms = pv_ledger_median_gap_ms(&ledger);
	ok(median_ms >= 1002 && median_ms < 1012,
	    "where gaps are nearly the same their median is no other (%g)",
	    median_ms);
}

static void test_empty(void)
{
	struct pv_ledger ledger;
	pv_ledger_init(&ledger);
	ok(ledger.requests == 0 && ledger.least_gap_ms < 0 &&
		ledger.least_reaction_ms < 0 &&
		(int64_t)pv_ledger_median_gap_ms(&ledger) == -1,
	    "of a host that was never asked nothing is known");
	struct pv_ledger_entry unsent = entry_of(5, 0, "delay");
	unsent.pacing.sent_ms = -1;
	add(&ledger, unsent);
	struct pv_ledger_entry turnless = entry_of(5, 0, "delay");
	turnless.pacing.run = 0;
	add(&ledger, turnless);
	ok(ledger.requests == 0 && ledger.bytes == 0 && ledger.rule_count == 0,
	    "nor does it hear of what never went out");
}

static void test_first(void)
{
	struct pv_ledger ledger;
	pv_ledger_init(&ledger);
	struct pv_ledger_entry first = entry_of(-1, 200, NULL);
	first.pacing.sent_ms = 0;
	add(&ledger, first);
	ok(ledger.requests == 1,
	    "what went out in the run's first millisecond counts");
}

static void test_sum(void)
{
	struct pv_ledger ledger;
	pv_ledger_init(&ledger);
	add(&ledger, entry_of(-1, 200, NULL));
	add(&ledger, entry_of(1000, 429, "delay"));
	struct pv_ledger_entry reaction = entry_of(900, 503, "retry-after");
	reaction.pacing.reaction_ms = 890;
	reaction.pacing.at_once = 3;
	add(&ledger, reaction);
	struct pv_ledger_entry robots = entry_of(1100, 404, "delay");
	robots.is_robots = true;
	robots.pacing.reaction_ms = 2000;
	add(&ledger, robots);
	ok(ledger.requests == 4 && ledger.bytes == 40,
	    "requests and bytes are summed up");
	ok(ledger.too_many == 1 && ledger.unavailable == 1,
	    "P2: 429 and 503 are told apart");
	ok(ledger.least_gap_ms == 900, "P1: the smallest gap is exact");
	double median_ms = pv_ledger_median_gap_ms(&ledger);
	ok(median_ms >= 984 && median_ms <= 1016,
	    "the median gap is right to two in a hundred (%g)", median_ms);
	ok(ledger.least_reaction_ms == 890, "P2: so is the quickest reaction");
	ok(ledger.most_at_once == 3, "P1: and how many there were at once");
	add(&ledger, entry_of(1200, 200, "delay"));
	ok(ledger.robots_count == 1 && ledger.robots_wall_ms == 2100,
	    "robots.txt has its own figures");
}

static void test_rules(void)
{
	struct pv_ledger ledger;
	struct pv_buf text;
	pv_buf_init(&text, 1000);
	pv_ledger_init(&ledger);
	pv_ledger_write_rules(&ledger, &text);
	is_text(pv_buf_str(&text), "", "without rules there is no text");
	add(&ledger, entry_of(1, 200, "delay"));
	add(&ledger, entry_of(1, 200, "slow"));
	add(&ledger, entry_of(1, 200, "delay"));
	add(&ledger, entry_of(1, 200, ""));
	pv_ledger_write_rules(&ledger, &text);
	is_text(pv_buf_str(&text), "delay:2 slow:1",
	    "each rule is counted by its word");
	pv_ledger_read_rules(&ledger, PV_STR("slow:4 hours:1"));
	pv_buf_clear(&text);
	pv_ledger_write_rules(&ledger, &text);
	is_text(pv_buf_str(&text), "delay:2 slow:5 hours:1",
	    "and what is read is added");
	pv_buf_finish(&text);
}

/* What stands in a file may be anything. */
static void test_strange(void)
{
	static const char *const texts[] = {"", " ", ":", "a", "a:", "a:x",
	    ":5", "a:99999999999999999999", "delay:1,slow:1",
	    "a-word-that-is-far-too-long-to-be-one:1"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct pv_ledger ledger;
		pv_ledger_init(&ledger);
		pv_ledger_read_rules(&ledger, pv_str_of(texts[i]));
		ok(ledger.rule_count <= 1, "'%s' does no harm", texts[i]);
	}
	struct pv_ledger ledger;
	struct pv_buf many;
	pv_ledger_init(&ledger);
	pv_ledger_read_rules(&ledger, PV_STR("a:9223372036854775807 a:2"));
	ok(ledger.rules[0].count == INT64_MAX,
	    "a count that would be too large is as large as can be");
	pv_buf_init(&many, 10000);
	for (int i = 0; i < 100; i++)
		pv_buf_append_format(&many, "rule%d:1 ", i);
	pv_ledger_init(&ledger);
	pv_ledger_read_rules(&ledger, pv_buf_str(&many));
	ok(ledger.rule_count == PV_LEDGER_RULES_MAX,
	    "P5: there are only so many rules");
	pv_buf_finish(&many);
}

/* As if one had added all. */
static void test_two(void)
{
	static const struct {
		int64_t gap_ms;
		int status;
		const char *rule;
	} all[] = {{500, 200, "delay"}, {300, 429, "delay"}, {-1, 503, "slow"},
	    {900, 200, "retry-after"}};
	struct pv_ledger whole, one, other;
	pv_ledger_init(&whole);
	pv_ledger_init(&one);
	pv_ledger_init(&other);
	for (size_t i = 0; i < 4; i++) {
		struct pv_ledger_entry entry =
		    entry_of(all[i].gap_ms, all[i].status, all[i].rule);
		entry.pacing.run = 1;
		entry.pacing.sent_ms = 1;
		pv_ledger_add(&whole, &entry);
		pv_ledger_add(i % 2 ? &other : &one, &entry);
	}
	pv_ledger_add_all(&one, &other);
	struct pv_buf wanted, found;
	pv_buf_init(&wanted, 4096);
	pv_buf_init(&found, 4096);
	pv_ledger_write_rules(&whole, &wanted);
	pv_ledger_write_rules(&one, &found);
	ok(one.requests == 4 && one.bytes == whole.bytes && one.too_many == 1 &&
		one.unavailable == 1,
	    "two ledgers have as many requests as both together");
	ok(one.least_gap_ms == 300 && one.gaps.count == whole.gaps.count &&
		pv_ledger_median_gap_ms(&one) ==
		    pv_ledger_median_gap_ms(&whole),
	    "and the gaps of both");
	ok(found.len == wanted.len && one.rule_count == 3,
	    "and the rules of both");
	pv_buf_finish(&wanted);
	pv_buf_finish(&found);
}

int main(void)
{
	test_two();
	test_empty();
	test_even();
	test_first();
	test_sum();
	test_rules();
	test_strange();
	return tap_done();
}
