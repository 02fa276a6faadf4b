#include "frontier/sqlite/packing.h"

#include "tap.h"

/* Rows that one worker packs and another one unpacks. */

static struct pv_packed_address sample(void)
{
	return (struct pv_packed_address){
	    .row = {.state = PV_STATE_DONE,
		.standing = {.use = PV_PAGE,
		    .depth = 3,
		    .depth_left = PV_DEPTH_MAX,
		    .hops = 1,
		    .redirects = 2,
		    .found_as = PV_FOUND_AS_PAGE},
		.attempt = 4,
		.waits = 5,
		.not_before_wall_ms = -6,
		.lastmod_wall_ms = INT64_MAX,
		.is_left_out = true,
		.result = {.outcome = PV_OUTCOME_ANSWERED,
		    .http_status = 404,
		    .bytes = 1234567,
		    .may_lead_further = true}},
	    .url = PV_STR("https://x.example/a?b"),
	    .via = PV_STR("https://y.example/"),
	    .tag = PV_STR("tag"),
	    .carry = PV_STR("{\"a\":1}"),
	    .has_copy = true,
	    .copy = {.copy = {.modified_ms = 7,
			 .bytes = 8,
			 .entity_tag = PV_STR("\"e\""),
			 .type = PV_STR("text/html"),
			 .has_digest = true},
		.round = 2,
		.fetched_wall_ms = 9,
		.checked_wall_ms = 10,
		.listed_round = 1,
		.heard_status = 304},
	    .has_rows = true,
	    .rows = {.kind = PV_STR("item"),
		.count = 2,
		.items = PV_STR("1 3"),
		.digest = PV_STR("\0\1"),
		.problems = -7},
	    .policy = 3,
	    .round = 2,
	    .via_hops = 1,
	};
}

static bool is_same_row(
    const struct pv_address_row *a, const struct pv_address_row *b)
{
	return a->state == b->state &&
	       pv_standing_equal(&a->standing, &b->standing) &&
	       a->attempt == b->attempt && a->waits == b->waits &&
	       a->not_before_wall_ms == b->not_before_wall_ms &&
	       a->lastmod_wall_ms == b->lastmod_wall_ms &&
	       a->is_left_out == b->is_left_out &&
	       a->result.outcome == b->result.outcome &&
	       a->result.http_status == b->result.http_status &&
	       a->result.bytes == b->result.bytes &&
	       a->result.may_lead_further == b->result.may_lead_further;
}

static bool is_same_copy(
    const struct pv_copy_row *a, const struct pv_copy_row *b)
{
	return a->copy.modified_ms == b->copy.modified_ms &&
	       a->copy.bytes == b->copy.bytes &&
	       pv_str_equal(a->copy.entity_tag, b->copy.entity_tag) &&
	       pv_str_equal(a->copy.type, b->copy.type) &&
	       a->copy.has_digest == b->copy.has_digest &&
	       a->round == b->round &&
	       a->fetched_wall_ms == b->fetched_wall_ms &&
	       a->checked_wall_ms == b->checked_wall_ms &&
	       a->listed_round == b->listed_round &&
	       a->heard_status == b->heard_status;
}

static void test_address(void)
{
	struct pv_packed_address address = sample(), read;
	struct pv_buf packed;
	pv_buf_init(&packed, SIZE_MAX);
	pv_address_pack(&address, &packed);
	ok(pv_address_unpack(pv_buf_str(&packed), &read),
	    "an address is unpacked");
	ok(is_same_row(&read.row, &address.row), "with its row");
	ok(pv_str_equal(read.url, address.url) &&
		pv_str_equal(read.via, address.via) &&
		pv_str_equal(read.tag, address.tag) &&
		pv_str_equal(read.carry, address.carry),
	    "its texts");
	ok(read.has_copy && is_same_copy(&read.copy, &address.copy),
	    "its copy");
	ok(read.has_rows && read.rows.count == 2 && read.rows.problems == -7 &&
		pv_str_equal(read.rows.kind, address.rows.kind) &&
		pv_str_equal(read.rows.items, address.rows.items) &&
		pv_str_equal(read.rows.digest, address.rows.digest),
	    "the rows of its page");
	ok(read.policy == 3 && read.round == 2 && read.via_hops == 1,
	    "and as of when it is so");
	pv_buf_finish(&packed);
}

static void test_cuts(void)
{
	struct pv_packed_address address = sample(), read;
	struct pv_buf packed;
	size_t taken = 0;
	pv_buf_init(&packed, SIZE_MAX);
	pv_address_pack(&address, &packed);
	for (size_t len = 0; len < packed.len; len++)
		taken += pv_address_unpack(
		    pv_str_head(pv_buf_str(&packed), len), &read);
	ok(taken == 0, "what is cut anywhere is refused");
	pv_buf_append_char(&packed, '\0');
	ok(!pv_address_unpack(pv_buf_str(&packed), &read),
	    "and so is what has more behind it");
	pv_buf_finish(&packed);
}

static void test_host(void)
{
	struct pv_host_state state = {.wait_ms = 1,
				 .failures = 2,
				 .pages = 3,
				 .bytes = 4,
				 .left_reason = 5},
			     read = {.pages = 77};
	struct pv_buf packed;
	uint64_t round = 0;
	pv_buf_init(&packed, SIZE_MAX);
	pv_host_pack(&state, 6, &packed);
	ok(pv_host_unpack(pv_buf_str(&packed), &read, &round) && round == 6 &&
		read.wait_ms == 1 && read.failures == 2 && read.pages == 3 &&
		read.bytes == 4 && read.left_reason == 5,
	    "a host is unpacked as it was, with its round");
	read.pages = 77;
	ok(!pv_host_unpack(pv_str_head(pv_buf_str(&packed), packed.len - 1),
	       &read, &round) &&
		read.pages == 77,
	    "cut, it changes nothing");
	pv_buf_clear(&packed);
	state.pages = -1;
	pv_host_pack(&state, 6, &packed);
	ok(!pv_host_unpack(pv_buf_str(&packed), &read, &round),
	    "a negative figure makes no sense");
	pv_buf_finish(&packed);
}

int main(void)
{
	test_address();
	test_cuts();
	test_host();
	return tap_done();
}
