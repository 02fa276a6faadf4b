#include "schedule/zone/time_zone.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "schedule/zone/zone_rule.h"

/* More than any zone has: the busiest has some 240 changes. */
#define CHANGES_MAX 20000
#define KINDS_MAX 256
#define OFFSET_MAX_S (26 * 3600)

struct change {
	int64_t at_s;
	int32_t offset_s;
};

struct pv_time_zone {
	int32_t first_offset_s; /* before the first change */
	uint32_t count;
	bool has_rule; /* after the last change */
	struct pv_zone_rule rule;
	struct change changes[];
};

/* The counts of a block, in the order of the file (RFC 8536, 3.1). */
enum { UTC_MARKS, WALL_MARKS, LEAPS, CHANGES, KINDS, NAME_BYTES, COUNTS };

struct block {
	uint64_t counts[COUNTS];
	struct pv_str times;
	struct pv_str kinds_of_times;
	struct pv_str kinds;
};

static uint64_t big_endian(struct pv_str bytes)
{
	uint64_t number = 0;
	for (size_t i = 0; i < bytes.len; i++)
		number = number << 8 | (unsigned char)bytes.ptr[i];
	return number;
}

static uint64_t number_at(struct pv_str bytes, size_t start, size_t len)
{
	return big_endian(pv_str_head(pv_str_from(bytes, start), len));
}

static bool take_header(struct pv_reader *reader, struct block *block)
{
	if (!pv_reader_accept_str(reader, PV_STR("TZif")))
		return false;
	int version = pv_reader_next(reader);
	pv_reader_take(reader, 15);
	for (int i = 0; i < COUNTS; i++)
		block->counts[i] = big_endian(pv_reader_take(reader, 4));
	return version >= '2' && block->counts[CHANGES] <= CHANGES_MAX &&
	       block->counts[KINDS] <= KINDS_MAX;
}

static bool take_bytes(
    struct pv_reader *reader, uint64_t len, struct pv_str *bytes)
{
	if (len > pv_reader_left(reader))
		return false;
	*bytes = pv_reader_take(reader, (size_t)len);
	return true;
}

/* A header and its data, whose times have so many bytes (RFC 8536, 3.2). */
static bool take_block(
    struct pv_reader *reader, size_t time_size, struct block *block)
{
	struct pv_str rest;
	if (!take_header(reader, block))
		return false;
	const uint64_t *counts = block->counts;
	uint64_t rest_len = counts[NAME_BYTES] +
			    counts[LEAPS] * (time_size + 4) +
			    counts[WALL_MARKS] + counts[UTC_MARKS];
	return take_bytes(reader, counts[CHANGES] * time_size, &block->times) &&
	       take_bytes(reader, counts[CHANGES], &block->kinds_of_times) &&
	       take_bytes(reader, counts[KINDS] * 6, &block->kinds) &&
	       take_bytes(reader, rest_len, &rest);
}

static bool get_offset(
    const struct block *block, size_t kind, int32_t *offset_s)
{
	if (kind >= block->counts[KINDS])
		return false;
	int64_t offset =
	    (int32_t)(uint32_t)number_at(block->kinds, kind * 6, 4);
	if (offset < -OFFSET_MAX_S || offset > OFFSET_MAX_S)
		return false;
	*offset_s = (int32_t)offset;
	return true;
}

static bool read_changes(struct pv_time_zone *zone, const struct block *block)
{
	for (uint32_t i = 0; i < zone->count; i++) {
		struct change *change = &zone->changes[i];
		change->at_s =
		    (int64_t)number_at(block->times, (size_t)i * 8, 8);
		if (i && change->at_s <= zone->changes[i - 1].at_s)
			return false;
		if (!get_offset(block,
			(unsigned char)block->kinds_of_times.ptr[i],
			&change->offset_s))
			return false;
	}
	return get_offset(block, 0, &zone->first_offset_s);
}

/* Between two line feeds; empty where nobody knows how it goes on. */
static bool read_footer(struct pv_time_zone *zone, struct pv_reader *reader)
{
	if (!pv_reader_accept(reader, '\n'))
		return false;
	struct pv_str text = pv_reader_take_until(reader, '\n');
	if (!pv_reader_accept(reader, '\n'))
		return false;
	zone->has_rule = text.len > 0;
	return !text.len || pv_zone_rule_read(&zone->rule, text);
}

struct pv_time_zone *pv_time_zone_read(struct pv_str bytes)
{
	struct pv_reader reader = pv_reader_of(bytes);
	struct block block;
	if (!take_block(&reader, 4, &block) || !take_block(&reader, 8, &block))
		return NULL;
	size_t count = (size_t)block.counts[CHANGES];
	struct pv_time_zone *zone =
	    pv_alloc(sizeof(*zone) + count * sizeof(*zone->changes));
	zone->count = (uint32_t)count;
	if (read_changes(zone, &block) && read_footer(zone, &reader))
		return zone;
	free(zone);
	return NULL;
}

struct pv_time_zone *pv_time_zone_ruled(struct pv_str rule)
{
	struct pv_time_zone *zone = pv_alloc(sizeof(*zone));
	zone->has_rule = true;
	if (pv_zone_rule_read(&zone->rule, rule))
		return zone;
	free(zone);
	return NULL;
}

struct pv_time_zone *pv_time_zone_fixed(int32_t offset_s)
{
	struct pv_time_zone *zone = pv_alloc(sizeof(*zone));
	zone->first_offset_s = offset_s;
	return zone;
}

void pv_time_zone_destroy(struct pv_time_zone *zone)
{
	free(zone);
}

/* How many changes lie at or before an instant. */
static uint32_t changes_until(const struct pv_time_zone *zone, int64_t at_s)
{
	uint32_t low = 0;
	uint32_t high = zone->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (zone->changes[middle].at_s <= at_s)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int32_t pv_time_zone_offset(
    const struct pv_time_zone *zone, int64_t at_s, int64_t *change_s)
{
	uint32_t past = changes_until(zone, at_s);
	if (past < zone->count) {
		*change_s = zone->changes[past].at_s;
		return past ? zone->changes[past - 1].offset_s
			    : zone->first_offset_s;
	}
	if (zone->has_rule)
		return pv_zone_rule_offset(&zone->rule, at_s, change_s);
	*change_s = INT64_MAX;
	return past ? zone->changes[past - 1].offset_s : zone->first_offset_s;
}
