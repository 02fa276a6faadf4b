#include "audit/memory.h"

#include "audit/terms.h"
#include "tap.h"

/* What was asked for, as far as its place in an order depends on it, and what
 * was promised. */
struct row {
	int64_t line;
	int64_t run;
	int64_t released_ms;
	int64_t sent_ms;
	int64_t end_ms;
	uint16_t http_status;
	bool is_failure;
	int64_t retry_after_ms;
	uint32_t authority;
	struct pv_audit_promise promise;
};

static void add(struct pv_audit_memory *memory, const struct row *row)
{
	struct pv_audit_request request = {
	    .line = row->line,
	    .authority = row->authority,
	    .is_failure = row->is_failure,
	    .facts =
		{
		    .http_status = row->http_status,
		    .pacing =
			{
			    .run = row->run,
			    .released_ms = row->released_ms,
			    .sent_ms = row->sent_ms,
			    .end_ms = row->end_ms,
			    .retry_after_ms = row->retry_after_ms,
			},
		},
	};
	pv_audit_memory_add(memory, &request, &row->promise);
}

static void append_number(void *ctx, const struct pv_audit_request *request)
{
	pv_buf_append_format(ctx, "%lld ", (long long)request->line);
}

/* Claims that these lines come in this order. */
static void is_order(struct pv_audit_memory *memory, enum pv_audit_order order,
    const char *wanted, const char *claim)
{
	struct pv_buf lines;
	pv_buf_init(&lines, 4096);
	pv_audit_memory_walk(memory, order, append_number, &lines);
	is_text(pv_buf_str(&lines), wanted, "%s", claim);
	pv_buf_finish(&lines);
}

/* Orders */

static const struct row rows[] = {
    {.line = 1,
	.run = 2,
	.released_ms = 0,
	.authority = 1,
	.promise = {.host = 1, .clock = 0, .address = 0, .has_address = true}},
    {.line = 2,
	.run = 1,
	.released_ms = 20,
	.authority = 2,
	.promise = {.host = 0, .clock = 1, .address = 1, .has_address = true}},
    {.line = 3,
	.run = 1,
	.released_ms = 10,
	.authority = 3,
	.promise = {.host = 1, .clock = 1, .address = 0, .has_address = false}},
    {.line = 4,
	.run = 1,
	.released_ms = 5,
	.authority = 3,
	.promise = {.host = 0, .clock = 0, .address = 0, .has_address = true}},
};

static void test_orders(void)
{
	struct pv_audit_memory memory;
	pv_audit_memory_open(&memory);
	is_order(&memory, PV_AUDIT_BY_TIME, "", "of nothing there is nothing");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		add(&memory, &rows[i]);
	is_order(&memory, PV_AUDIT_BY_TIME, "4 3 2 1 ",
	    "by time: run by run, and each by its release");
	is_order(&memory, PV_AUDIT_BY_HOST, "4 2 3 1 ",
	    "by host: those of a host together");
	is_order(&memory, PV_AUDIT_BY_CLOCK, "4 1 3 2 ",
	    "by clock: those that share its rests together");
	is_order(&memory, PV_AUDIT_BY_ADDRESS, "4 1 2 ",
	    "by address: those of which it is known");
	is_order(&memory, PV_AUDIT_BY_AUTHORITY, "1 2 4 3 ",
	    "by authority: those that share a robots.txt together");
	pv_audit_memory_close(&memory);
}

/* In one millisecond */

static const struct row ties[] = {
    {.line = 1, .run = 1, .sent_ms = 0, .end_ms = 5, .is_failure = true},
    {.line = 2, .run = 1, .sent_ms = 0, .end_ms = 5, .retry_after_ms = 1},
    {.line = 3, .run = 1, .sent_ms = 0, .end_ms = 5, .http_status = 429},
    {.line = 4, .run = 1, .sent_ms = 0, .end_ms = 5, .http_status = 503},
    {.line = 5, .run = 1, .sent_ms = 0, .end_ms = 5, .http_status = 500},
    {.line = 6, .run = 1, .sent_ms = 0, .end_ms = 4, .http_status = 429},
    {.line = 7, .run = 1, .sent_ms = 1, .end_ms = 1, .http_status = 200},
    {.line = 8, .run = 1, .sent_ms = 0, .end_ms = 5, .http_status = 404},
};

static void test_ties(void)
{
	struct pv_audit_memory memory;
	pv_audit_memory_open(&memory);
	for (size_t i = 0; i < sizeof(ties) / sizeof(*ties); i++)
		add(&memory, &ties[i]);
	is_order(&memory, PV_AUDIT_BY_HOST, "6 5 8 1 2 3 4 7 ",
	    "of one millisecond: as they were sent and ended, and last those "
	    "after which a rest is due");
	pv_audit_memory_close(&memory);
}

/* What is remembered */

static const struct pv_audit_request whole = {
    .line = 7,
    .promise = 8,
    .authority = 9,
    .attempt = 10,
    .held_ms = 11,
    .facts =
	{
	    .wall_ms = INT64_C(1772357400000),
	    .bytes = INT64_C(1) << 40,
	    .http_status = 503,
	    .is_robots = true,
	    .pacing =
		{
		    .run = 1,
		    .released_ms = 12,
		    .sent_ms = -1,
		    .end_ms = 14,
		    .gap_ms = -1,
		    .rest_ms = 16,
		    .reaction_ms = 17,
		    .retry_after_ms = 18,
		    .at_once = 19,
		    .is_own_fault = true,
		    .rule = "delay",
		},
	},
    .is_answered = true,
    .is_failure = true,
    .is_unreachable = true,
    .is_hop = true,
    .text = {"/a?b", 4},
};

static bool is_same_pacing(
    const struct pv_pacing *pacing, const struct pv_pacing *wanted)
{
	return pacing->run == wanted->run &&
	       pacing->released_ms == wanted->released_ms &&
	       pacing->sent_ms == wanted->sent_ms &&
	       pacing->end_ms == wanted->end_ms &&
	       pacing->gap_ms == wanted->gap_ms &&
	       pacing->rest_ms == wanted->rest_ms &&
	       pacing->reaction_ms == wanted->reaction_ms &&
	       pacing->retry_after_ms == wanted->retry_after_ms &&
	       pacing->at_once == wanted->at_once &&
	       strcmp(pacing->rule, wanted->rule ? wanted->rule : "") == 0;
}

static void judge_whole(void *ctx, const struct pv_audit_request *request)
{
	const struct pv_ledger_entry *facts = &request->facts;
	(void)ctx;
	ok(request->line == whole.line && request->promise == whole.promise &&
		request->authority == whole.authority &&
		request->attempt == whole.attempt &&
		request->held_ms == whole.held_ms,
	    "of a request is known which it was");
	ok(facts->wall_ms == whole.facts.wall_ms &&
		facts->bytes == whole.facts.bytes &&
		facts->http_status == whole.facts.http_status,
	    "when, and what came");
	ok(is_same_pacing(&facts->pacing, &whole.facts.pacing),
	    "how it was paced");
	ok(request->asked_ms == 20, "what Crawl-delay was in force");
	is_text(request->text, "/a?b", "and what was asked for");
}

static unsigned flags_of(const struct pv_audit_request *request)
{
	return (unsigned)request->facts.is_robots |
	       (unsigned)request->is_answered << 1 |
	       (unsigned)request->is_failure << 2 |
	       (unsigned)request->is_unreachable << 3 |
	       (unsigned)request->is_hop << 4 |
	       (unsigned)request->facts.pacing.is_own_fault << 5;
}

static void count_flags(void *ctx, const struct pv_audit_request *request)
{
	unsigned *right = ctx;
	*right += flags_of(request) == 1u << request->line;
}

/* Each of them alone, so that none stands for another. */
static void test_flags(void)
{
	struct pv_audit_memory memory;
	static const struct pv_audit_promise promise = {.host = 0};
	unsigned right = 0;
	pv_audit_memory_open(&memory);
	for (int64_t i = 0; i < 6; i++) {
		struct pv_audit_request request = {.line = i};
		request.facts.is_robots = i == 0;
		request.is_answered = i == 1;
		request.is_failure = i == 2;
		request.is_unreachable = i == 3;
		request.is_hop = i == 4;
		request.facts.pacing.is_own_fault = i == 5;
		pv_audit_memory_add(&memory, &request, &promise);
	}
	pv_audit_memory_walk(&memory, PV_AUDIT_BY_TIME, count_flags, &right);
	ok(right == 6, "each thing that a request was is remembered by itself");
	pv_audit_memory_close(&memory);
}

static void test_facts(void)
{
	struct pv_audit_memory memory;
	static const struct pv_audit_promise promise = {.host = 3, .clock = 4};
	pv_audit_memory_open(&memory);
	pv_audit_memory_add(&memory, &whole, &promise);
	pv_audit_memory_ask(&memory, 7, 20);
	pv_audit_memory_ask(&memory, 8, 21);
	pv_audit_memory_walk(&memory, PV_AUDIT_BY_HOST, judge_whole, NULL);
	ok(pv_database_status(memory.database) == PV_STORE_OK,
	    "a Crawl-delay for a line that is no request's is no fault");
	pv_audit_memory_close(&memory);
}

/* Ends */

static void test_ends(void)
{
	static const int64_t ends[] = {30, 10, 20};
	struct pv_audit_memory memory;
	unsigned right = 0;
	pv_audit_memory_open(&memory);
	for (int64_t i = 0; i < 3; i++)
		add(&memory,
		    &(struct row){.line = i, .run = 2, .end_ms = ends[i]});
	add(&memory, &(struct row){.line = 3, .run = 1, .end_ms = 15});
	struct pv_audit_ends *ends_of_2 = pv_audit_memory_ends(&memory, 2);
	int64_t end_ms;
	while (pv_audit_ends_next(ends_of_2, &end_ms))
		right += end_ms == 10 * (right + 1);
	pv_audit_ends_close(ends_of_2);
	ok(right == 3, "the ends of a run come in their order");
	struct pv_audit_ends *none = pv_audit_memory_ends(&memory, 3);
	ok(!pv_audit_ends_next(none, &end_ms), "of another run there are none");
	pv_audit_ends_close(none);
	pv_audit_memory_close(&memory);
}

int main(void)
{
	test_orders();
	test_ties();
	test_facts();
	test_flags();
	test_ends();
	return tap_done();
}
