#include "frontier/sqlite/packing.h"

#include "base/reader.h"

/* Seven bits a byte, the low ones first; the eighth says that more follow.
 * Negative numbers are small, too: the sign stands in the lowest bit. */
static void put(struct pv_buf *packed, int64_t number)
{
	uint64_t rest = ((uint64_t)number << 1) ^ (uint64_t)(number >> 63);
	while (rest >= 0x80) {
		pv_buf_append_char(packed, (char)(0x80 | (rest & 0x7f)));
		rest >>= 7;
	}
	pv_buf_append_char(packed, (char)rest);
}

static void put_text(struct pv_buf *packed, struct pv_str text)
{
	put(packed, (int64_t)text.len);
	pv_buf_append(packed, text);
}

struct unpacker {
	struct pv_reader reader;
	bool is_bad;
};

static int64_t get(struct unpacker *unpacker)
{
	uint64_t rest = 0;
	int byte = 0x80;
	for (unsigned shift = 0; byte & 0x80; shift += 7) {
		byte = pv_reader_next(&unpacker->reader);
		if (byte < 0 || shift > 63) {
			unpacker->is_bad = true;
			return 0;
		}
		rest |= (uint64_t)(byte & 0x7f) << shift;
	}
	return (int64_t)(rest >> 1) ^ -(int64_t)(rest & 1);
}

/* A number that is at most so large, and not negative. */
static int64_t get_up_to(struct unpacker *unpacker, int64_t max)
{
	int64_t number = get(unpacker);
	if (number >= 0 && number <= max)
		return number;
	unpacker->is_bad = true;
	return 0;
}

static struct pv_str get_text(struct unpacker *unpacker)
{
	size_t left = pv_reader_left(&unpacker->reader);
	size_t len = (size_t)get_up_to(unpacker, (int64_t)left);
	struct pv_str text = pv_reader_take(&unpacker->reader, len);
	if (text.len < len)
		unpacker->is_bad = true;
	return text;
}

static bool is_whole(const struct unpacker *unpacker)
{
	return !unpacker->is_bad && pv_reader_is_end(&unpacker->reader);
}

/* Addresses */

static void put_row(struct pv_buf *packed, const struct pv_address_row *row)
{
	const int64_t numbers[] = {row->state, row->standing.use,
	    row->standing.depth, row->standing.depth_left, row->standing.hops,
	    row->standing.redirects, pv_listing_pack(&row->standing),
	    row->verdict.reason, row->verdict.line, row->attempt, row->waits,
	    row->not_before_wall_ms, row->lastmod_wall_ms, row->is_left_out,
	    row->result.outcome, row->result.http_status,
	    (int64_t)row->result.bytes, row->result.may_lead_further};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		put(packed, numbers[i]);
}

static void get_row(struct unpacker *unpacker, struct pv_address_row *row)
{
	*row =
	    (struct pv_address_row){.state = (enum pv_address_state)get_up_to(
					unpacker, PV_STATE_COUNT - 1)};
	struct pv_standing *standing = &row->standing;
	standing->use =
	    (enum pv_address_use)get_up_to(unpacker, PV_USE_COUNT - 1);
	standing->depth = (uint32_t)get_up_to(unpacker, PV_DEPTH_MAX);
	standing->depth_left = (uint32_t)get_up_to(unpacker, PV_DEPTH_MAX);
	standing->hops = (uint32_t)get_up_to(unpacker, PV_HOPS_MAX);
	standing->redirects = (uint32_t)get_up_to(unpacker, PV_REDIRECTS_MAX);
	pv_listing_unpack((unsigned)get_up_to(unpacker, UINT32_MAX), standing);
	row->verdict.reason =
	    (enum pv_reason)get_up_to(unpacker, PV_REASON_COUNT - 1);
	row->verdict.line = (uint32_t)get_up_to(unpacker, UINT32_MAX);
	standing->verdict = row->verdict;
	row->attempt = (uint32_t)get_up_to(unpacker, UINT32_MAX);
	row->waits = (uint32_t)get_up_to(unpacker, UINT32_MAX);
	row->not_before_wall_ms = get(unpacker);
	row->lastmod_wall_ms = get(unpacker);
	row->is_left_out = get_up_to(unpacker, 1);
	row->result.outcome =
	    (enum pv_outcome)get_up_to(unpacker, PV_OUTCOME_COUNT - 1);
	row->result.http_status = (uint16_t)get_up_to(unpacker, UINT16_MAX);
	row->result.bytes = (uint64_t)get_up_to(unpacker, INT64_MAX);
	row->result.may_lead_further = get_up_to(unpacker, 1);
}

static void put_copy(struct pv_buf *packed, const struct pv_copy_row *row)
{
	const struct pv_copy *copy = &row->copy;
	const int64_t numbers[] = {copy->modified_ms, (int64_t)copy->bytes,
	    copy->is_gone, copy->must_be_read, (int64_t)row->round,
	    row->fetched_wall_ms, row->checked_wall_ms,
	    (int64_t)row->listed_round, row->has_failed, row->heard_status};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		put(packed, numbers[i]);
	put_text(packed, copy->entity_tag);
	put_text(packed, copy->file);
	put_text(packed, copy->type);
	put_text(packed, (struct pv_str){(const char *)copy->digest,
			     copy->has_digest ? sizeof(copy->digest) : 0});
}

static void get_copy(struct unpacker *unpacker, struct pv_copy_row *row)
{
	*row = (struct pv_copy_row){.copy.modified_ms = get(unpacker)};
	struct pv_copy *copy = &row->copy;
	copy->bytes = (uint64_t)get_up_to(unpacker, INT64_MAX);
	copy->is_gone = get_up_to(unpacker, 1);
	copy->must_be_read = get_up_to(unpacker, 1);
	row->round = (uint64_t)get_up_to(unpacker, INT64_MAX);
	row->fetched_wall_ms = get(unpacker);
	row->checked_wall_ms = get(unpacker);
	row->listed_round = (uint64_t)get_up_to(unpacker, INT64_MAX);
	row->has_failed = get_up_to(unpacker, 1);
	row->heard_status = (uint16_t)get_up_to(unpacker, UINT16_MAX);
	copy->entity_tag = get_text(unpacker);
	copy->file = get_text(unpacker);
	copy->type = get_text(unpacker);
	struct pv_str digest = get_text(unpacker);
	copy->has_digest = digest.len == sizeof(copy->digest);
	if (copy->has_digest)
		memcpy(copy->digest, digest.ptr, digest.len);
	else if (digest.len)
		unpacker->is_bad = true;
}

static void put_page_rows(
    struct pv_buf *packed, const struct pv_page_rows *rows)
{
	put(packed, (int64_t)rows->count);
	put(packed, rows->problems);
	put_text(packed, rows->kind);
	put_text(packed, rows->items);
	put_text(packed, rows->digest);
}

static void get_page_rows(struct unpacker *unpacker, struct pv_page_rows *rows)
{
	rows->count = (uint64_t)get_up_to(unpacker, INT64_MAX);
	rows->problems = get(unpacker);
	rows->kind = get_text(unpacker);
	rows->items = get_text(unpacker);
	rows->digest = get_text(unpacker);
}

void pv_address_pack_start(struct pv_str url, struct pv_buf *packed)
{
	put_text(packed, url);
}

void pv_address_pack(
    const struct pv_packed_address *address, struct pv_buf *packed)
{
	pv_address_pack_start(address->url, packed);
	put(packed, (int64_t)address->policy);
	put(packed, (int64_t)address->round);
	put(packed, address->via_hops);
	put_row(packed, &address->row);
	put_text(packed, address->via);
	put_text(packed, address->tag);
	put_text(packed, address->carry);
	put(packed, address->has_copy);
	if (address->has_copy)
		put_copy(packed, &address->copy);
	put(packed, address->has_rows);
	if (address->has_rows)
		put_page_rows(packed, &address->rows);
}

bool pv_address_unpack(struct pv_str packed, struct pv_packed_address *address)
{
	struct unpacker unpacker = {.reader = pv_reader_of(packed)};
	*address = (struct pv_packed_address){.url = get_text(&unpacker)};
	address->policy = (uint64_t)get_up_to(&unpacker, INT64_MAX);
	address->round = (uint64_t)get_up_to(&unpacker, INT64_MAX);
	address->via_hops = (uint32_t)get_up_to(&unpacker, PV_HOPS_MAX);
	get_row(&unpacker, &address->row);
	address->via = get_text(&unpacker);
	address->tag = get_text(&unpacker);
	address->carry = get_text(&unpacker);
	address->has_copy = get_up_to(&unpacker, 1);
	if (address->has_copy)
		get_copy(&unpacker, &address->copy);
	address->has_rows = get_up_to(&unpacker, 1);
	if (address->has_rows)
		get_page_rows(&unpacker, &address->rows);
	return is_whole(&unpacker) && address->url.len > 0;
}

/* Hosts */

void pv_host_pack(
    const struct pv_host_state *state, uint64_t round, struct pv_buf *packed)
{
	const int64_t numbers[] = {state->wait_ms, state->wait_reason,
	    state->took_ms, state->rest_ms, state->rest_until_wall_ms,
	    state->window_until_wall_ms, state->window_count,
	    state->address_wait_ms, state->failures,
	    state->nameless_until_wall_ms, state->name_failures,
	    state->name_failed_wall_ms, state->left_reason, state->blocks,
	    state->retry_debt, state->pages, state->bytes, (int64_t)round};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		put(packed, numbers[i]);
}

bool pv_host_unpack(
    struct pv_str packed, struct pv_host_state *state, uint64_t *round)
{
	struct unpacker unpacker = {.reader = pv_reader_of(packed)};
	int64_t of_round = 0;
	struct pv_host_state found = {.left_ms = 0};
	int64_t *const numbers[] = {&found.wait_ms, &found.wait_reason,
	    &found.took_ms, &found.rest_ms, &found.rest_until_wall_ms,
	    &found.window_until_wall_ms, &found.window_count,
	    &found.address_wait_ms, &found.failures,
	    &found.nameless_until_wall_ms, &found.name_failures,
	    &found.name_failed_wall_ms, &found.left_reason, &found.blocks,
	    &found.retry_debt, &found.pages, &found.bytes, &of_round};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		*numbers[i] = get_up_to(&unpacker, INT64_MAX);
	if (!is_whole(&unpacker) || found.left_reason >= PV_REASON_COUNT)
		return false;
	*state = found;
	*round = (uint64_t)of_round;
	return true;
}

/* Robots.txt */

void pv_robots_pack(const struct pv_saved_robots *robots, struct pv_str copy,
    struct pv_buf *packed)
{
	const int64_t numbers[] = {robots->state, robots->asked_wall_ms,
	    robots->until_wall_ms, robots->failures,
	    robots->failed_since_wall_ms, robots->http_status, robots->has_copy,
	    robots->is_cut};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		put(packed, numbers[i]);
	put_text(packed, copy);
}

bool pv_robots_unpack(
    struct pv_str packed, struct pv_saved_robots *robots, struct pv_str *copy)
{
	struct unpacker unpacker = {.reader = pv_reader_of(packed)};
	*robots = (struct pv_saved_robots){.is_there = true,
	    .state = (unsigned)get_up_to(&unpacker, UINT8_MAX)};
	robots->asked_wall_ms = get(&unpacker);
	robots->until_wall_ms = get(&unpacker);
	robots->failures = (uint32_t)get_up_to(&unpacker, UINT32_MAX);
	robots->failed_since_wall_ms = get(&unpacker);
	robots->http_status = (unsigned)get_up_to(&unpacker, UINT16_MAX);
	robots->has_copy = get_up_to(&unpacker, 1);
	robots->is_cut = get_up_to(&unpacker, 1);
	*copy = get_text(&unpacker);
	return is_whole(&unpacker);
}

/* 0 is no time; and who has packed it may have been anybody. */
static void shift(int64_t *wall_ms, int64_t ahead_ms)
{
	if (*wall_ms && __builtin_add_overflow(*wall_ms, ahead_ms, wall_ms))
		*wall_ms = ahead_ms < 0 ? INT64_MIN : INT64_MAX;
}

void pv_robots_shift(struct pv_saved_robots *robots, int64_t ahead_ms)
{
	shift(&robots->asked_wall_ms, ahead_ms);
	shift(&robots->until_wall_ms, ahead_ms);
	shift(&robots->failed_since_wall_ms, ahead_ms);
}

/* Such times are positive. */
static void shift_positive(int64_t *wall_ms, int64_t ahead_ms)
{
	bool is_time = *wall_ms != 0;
	shift(wall_ms, ahead_ms);
	if (is_time && *wall_ms < 1)
		*wall_ms = 1;
}

void pv_host_shift(struct pv_host_state *state, int64_t ahead_ms)
{
	shift_positive(&state->rest_until_wall_ms, ahead_ms);
	shift_positive(&state->window_until_wall_ms, ahead_ms);
	shift_positive(&state->nameless_until_wall_ms, ahead_ms);
	shift_positive(&state->name_failed_wall_ms, ahead_ms);
}

void pv_address_shift(struct pv_address_row *row, int64_t ahead_ms)
{
	shift(&row->not_before_wall_ms, ahead_ms);
}

/* Numbers */

void pv_numbers_pack(
    const int64_t *numbers, size_t count, struct pv_buf *packed)
{
	for (size_t i = 0; i < count; i++)
		put(packed, numbers[i]);
}

bool pv_numbers_unpack(struct pv_str packed, int64_t *numbers, size_t count)
{
	struct unpacker unpacker = {.reader = pv_reader_of(packed)};
	for (size_t i = 0; i < count; i++)
		numbers[i] = get(&unpacker);
	return is_whole(&unpacker);
}
