#include "server/log_check.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/glob.h"

/* Order */

static struct pv_str without_dot(struct pv_str host)
{
	if (pv_str_ends(host, PV_STR(".")))
		return pv_str_head(host, host.len - 1);
	return host;
}

static int compare_hosts(
    const struct server_record *a, const struct server_record *b)
{
	struct pv_str one = without_dot(a->host);
	struct pv_str other = without_dot(b->host);
	for (size_t i = 0; i < one.len && i < other.len; i++) {
		int difference = pv_lower(one.ptr[i]) - pv_lower(other.ptr[i]);
		if (difference)
			return difference;
	}
	return (one.len > other.len) - (one.len < other.len);
}

static int compare_addresses(
    const struct server_record *a, const struct server_record *b)
{
	if (a->address.bits != b->address.bits)
		return a->address.bits - b->address.bits;
	return memcmp(
	    a->address.bytes, b->address.bytes, sizeof(a->address.bytes));
}

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int64_t end_of(const struct server_record *record)
{
	return record->end_us ? record->end_us : INT64_MAX;
}

/* Of those that began at the same instant, the one that lasts comes first. */
static int compare_beginnings(const void *a, const void *b)
{
	const struct server_record *one = a;
	const struct server_record *other = b;
	int order = compare_numbers(one->begin_us, other->begin_us);
	return order ? order : compare_numbers(end_of(other), end_of(one));
}

static int by_host(const void *a, const void *b)
{
	int order = compare_hosts(a, b);
	return order ? order : compare_beginnings(a, b);
}

static int by_address(const void *a, const void *b)
{
	int order = compare_addresses(a, b);
	return order ? order : compare_beginnings(a, b);
}

static bool is_same(enum log_key key, const struct server_record *a,
    const struct server_record *b)
{
	switch (key) {
	case LOG_BY_HOST:
		return compare_hosts(a, b) == 0;
	case LOG_BY_ADDRESS:
		return compare_addresses(a, b) == 0;
	case LOG_TOGETHER:
		break;
	}
	return true;
}

/* Copies, with those that belong together side by side, in the order in which
 * they began. The caller's. */
static struct server_record *sorted(
    const struct log_view *view, enum log_key key)
{
	int (*compare)(const void *, const void *) = compare_beginnings;
	struct server_record *records =
	    pv_alloc_array(view->count + 1, sizeof(*records));
	if (view->count)
		memcpy(records, view->records, view->count * sizeof(*records));
	if (key == LOG_BY_HOST)
		compare = by_host;
	if (key == LOG_BY_ADDRESS)
		compare = by_address;
	qsort(records, view->count, sizeof(*records), compare);
	return records;
}

/* Groups */

/* What is asked of those that belong together: the first `count` records. */
typedef void (*group_fn)(
    void *ctx, const struct server_record *records, size_t count);

static void each_group(
    const struct log_view *view, enum log_key key, group_fn tell, void *ctx)
{
	struct server_record *records = sorted(view, key);
	size_t start = 0;
	for (size_t i = 1; i <= view->count; i++) {
		if (i < view->count &&
		    is_same(key, &records[start], &records[i]))
			continue;
		tell(ctx, &records[start], i - start);
		start = i;
	}
	free(records);
}

static void note_gap(struct log_gap *least, int64_t us,
    const struct server_record *first, const struct server_record *second)
{
	if (us < least->us)
		*least = (struct log_gap){us, *first, *second};
}

static void find_gap(
    void *ctx, const struct server_record *records, size_t count)
{
	for (size_t i = 1; i < count; i++)
		note_gap(ctx, records[i].begin_us - records[i - 1].begin_us,
		    &records[i - 1], &records[i]);
}

struct log_gap log_shortest_gap(const struct log_view *view, enum log_key key)
{
	struct log_gap gap = {.us = INT64_MAX};
	each_group(view, key, find_gap, &gap);
	return gap;
}

/* To the last end of all that began before. */
static void find_rest(
    void *ctx, const struct server_record *records, size_t count)
{
	size_t last = 0;
	for (size_t i = 1; i < count; i++) {
		int64_t end_us = records[last].end_us;
		note_gap(ctx, end_us ? records[i].begin_us - end_us : INT64_MIN,
		    &records[last], &records[i]);
		if (end_of(&records[i]) > end_of(&records[last]))
			last = i;
	}
}

struct log_gap log_shortest_rest(const struct log_view *view, enum log_key key)
{
	struct log_gap gap = {.us = INT64_MAX};
	each_group(view, key, find_rest, &gap);
	return gap;
}

static int compare_ends(const void *a, const void *b)
{
	const int64_t *one = a;
	const int64_t *other = b;
	return compare_numbers(*one, *other);
}

/* In the order in which they ended; those that are open come last. The
 * caller's. */
static int64_t *sorted_ends(const struct server_record *records, size_t count)
{
	int64_t *ends = pv_alloc_array(count, sizeof(*ends));
	for (size_t i = 0; i < count; i++)
		ends[i] = end_of(&records[i]);
	qsort(ends, count, sizeof(*ends), compare_ends);
	return ends;
}

static void find_most_at_once(
    void *ctx, const struct server_record *records, size_t count)
{
	size_t *most = ctx;
	int64_t *ends = sorted_ends(records, count);
	size_t ended = 0;
	for (size_t i = 0; i < count; i++) {
		while (ended < i && ends[ended] <= records[i].begin_us)
			ended++;
		if (i + 1 - ended > *most)
			*most = i + 1 - ended;
	}
	free(ends);
}

size_t log_most_at_once(const struct log_view *view, enum log_key key)
{
	size_t most = 0;
	each_group(view, key, find_most_at_once, &most);
	return most;
}

struct span_count {
	int64_t span_us;
	size_t most;
};

static void find_most_within(
    void *ctx, const struct server_record *records, size_t count)
{
	struct span_count *span = ctx;
	size_t first = 0;
	for (size_t i = 0; i < count; i++) {
		while (records[i].begin_us - records[first].begin_us >=
		       span->span_us)
			first++;
		if (i + 1 - first > span->most)
			span->most = i + 1 - first;
	}
}

size_t log_most_within(
    const struct log_view *view, enum log_key key, int64_t span_ms)
{
	struct span_count span = {.span_us = span_ms * 1000};
	if (span_ms > 0)
		each_group(view, key, find_most_within, &span);
	return span.most;
}

static void count_group(
    void *ctx, const struct server_record *records, size_t count)
{
	size_t *groups = ctx;
	(void)records;
	(void)count;
	++*groups;
}

size_t log_key_count(const struct log_view *view, enum log_key key)
{
	size_t groups = 0;
	each_group(view, key, count_group, &groups);
	return groups;
}

/* Views */

struct log_view log_view_of(struct server *server)
{
	struct log_view view;
	view.records = server_log_copy(server, &view.count);
	view.is_whole = view.count == server_log_count(server);
	return view;
}

void log_view_finish(struct log_view *view)
{
	free(view->records);
	*view = (struct log_view){.count = 0};
}

static bool fits(const char *glob, struct pv_str text)
{
	return !glob || pv_glob_match(pv_str_of(glob), text);
}

static bool is_of(
    const struct server_record *record, const char *host, const char *target)
{
	return fits(host, record->host) && fits(target, record->target);
}

void log_view_keep(struct log_view *view, const char *host, const char *target)
{
	size_t kept = 0;
	for (size_t i = 0; i < view->count; i++) {
		if (is_of(&view->records[i], host, target))
			view->records[kept++] = view->records[i];
	}
	view->count = kept;
}

size_t log_count(
    const struct log_view *view, const char *host, const char *target)
{
	size_t count = 0;
	for (size_t i = 0; i < view->count; i++)
		count += is_of(&view->records[i], host, target);
	return count;
}
