#include "scope/traps.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/reader.h"

size_t pv_traps_segments(struct pv_str path)
{
	size_t slashes = 0;
	for (size_t i = 0; i < path.len; i++)
		slashes += path.ptr[i] == '/';
	return slashes - (path.ptr[path.len - 1] == '/');
}

/* The next segment of what is left. False at the end. */
static bool take_segment(struct pv_reader *path, struct pv_str *segment)
{
	pv_reader_accept(path, '/');
	if (pv_reader_is_end(path))
		return false;
	*segment = pv_reader_take_until(path, '/');
	return true;
}

/* Segments that are equal fall into one bucket. */
#define BUCKETS 64

static unsigned bucket_of(struct pv_str segment)
{
	if (!segment.len)
		return 0;
	unsigned char first = (unsigned char)segment.ptr[0];
	unsigned char last = (unsigned char)segment.ptr[segment.len - 1];
	return ((unsigned)segment.len * 37 + first * 5U + last) % BUCKETS;
}

/* Whether any segment may stand more often than the limit: if not, as of
 * nearly every path, none need be compared. */
static bool may_repeat(struct pv_str path, size_t limit)
{
	struct pv_reader rest = pv_reader_of(path);
	struct pv_str segment;
	uint32_t counts[BUCKETS] = {0};
	while (take_segment(&rest, &segment)) {
		if (++counts[bucket_of(segment)] > limit)
			return true;
	}
	return false;
}

static int compare(const void *a, const void *b)
{
	return pv_str_compare(
	    *(const struct pv_str *)a, *(const struct pv_str *)b);
}

static size_t longest_run(const struct pv_str *segments, size_t count)
{
	size_t longest = 0, run = 0;
	for (size_t i = 0; i < count; i++) {
		bool is_same = i && pv_str_equal(segments[i - 1], segments[i]);
		run = is_same ? run + 1 : 1;
		longest = run > longest ? run : longest;
	}
	return longest;
}

size_t pv_traps_repeats(struct pv_str path, size_t limit)
{
	struct pv_str *segments = NULL, segment;
	size_t count = 0, size = 0;
	if (!may_repeat(path, limit))
		return 0;
	struct pv_reader rest = pv_reader_of(path);
	while (take_segment(&rest, &segment))
		*PV_ARRAY_PUSH(segments, count, size) = segment;
	qsort(segments, count, sizeof(*segments), compare);
	size_t longest = longest_run(segments, count);
	free(segments);
	return longest > limit ? longest : 0;
}
