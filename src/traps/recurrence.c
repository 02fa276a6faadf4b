#include "traps/recurrence.h"

#include <stdlib.h>

#include "base/array.h"

/* Parts that are equal fall into one bucket. */
#define BUCKETS 64

static unsigned bucket_of(struct pv_str part)
{
	if (!part.len)
		return 0;
	unsigned char first = (unsigned char)part.ptr[0];
	unsigned char last = (unsigned char)part.ptr[part.len - 1];
	return ((unsigned)part.len * 37 + first * 5U + last) % BUCKETS;
}

/* Whether any part may stand more often than the limit: if not, as of nearly
 * every text, none need be compared. */
static bool may_recur(struct pv_str text, pv_part_fn take, size_t limit)
{
	struct pv_reader rest = pv_reader_of(text);
	struct pv_str part;
	uint32_t counts[BUCKETS] = {0};
	while (take(&rest, &part)) {
		if (++counts[bucket_of(part)] > limit)
			return true;
	}
	return false;
}

static int compare(const void *a, const void *b)
{
	return pv_str_compare(
	    *(const struct pv_str *)a, *(const struct pv_str *)b);
}

static size_t longest_run(const struct pv_str *parts, size_t count)
{
	size_t longest = 0, run = 0;
	for (size_t i = 0; i < count; i++) {
		bool is_same = i && pv_str_equal(parts[i - 1], parts[i]);
		run = is_same ? run + 1 : 1;
		longest = run > longest ? run : longest;
	}
	return longest;
}

size_t pv_recurrence_find(struct pv_str text, pv_part_fn take, size_t limit)
{
	struct pv_str *parts = NULL, part;
	size_t count = 0, size = 0;
	if (!may_recur(text, take, limit))
		return 0;
	struct pv_reader rest = pv_reader_of(text);
	while (take(&rest, &part))
		*PV_ARRAY_PUSH(parts, count, size) = part;
	qsort(parts, count, sizeof(*parts), compare);
	size_t longest = longest_run(parts, count);
	free(parts);
	return longest > limit ? longest : 0;
}
