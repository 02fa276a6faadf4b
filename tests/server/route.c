#include "server/route.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/glob.h"
#include "base/reader.h"

#define COUNTS_MAX 1000000
#define KEY_MAX 65536

void visit_counts_init(struct visit_counts *counts)
{
	*counts = (struct visit_counts){.count = 0};
	pv_map_init(&counts->places, (struct pv_hash_key){{1, 2}});
	pv_arena_init(&counts->texts);
	pv_buf_init(&counts->key, 2 * KEY_MAX);
}

void visit_counts_finish(struct visit_counts *counts)
{
	pv_map_finish(&counts->places);
	pv_arena_finish(&counts->texts);
	pv_buf_finish(&counts->key);
	free(counts->counts);
}

uint32_t visit_counts_add(
    struct visit_counts *counts, struct pv_str host, struct pv_str target)
{
	pv_buf_clear(&counts->key);
	pv_buf_append(&counts->key, host);
	pv_buf_append_char(&counts->key, ' ');
	pv_buf_append(&counts->key, target);
	struct pv_str key = pv_buf_str(&counts->key);
	uint32_t *place = pv_map_get(&counts->places, key);
	if (place)
		return ++counts->counts[*place];
	if (counts->count < COUNTS_MAX) {
		pv_map_add(&counts->places, pv_arena_copy(&counts->texts, key),
		    (uint32_t)counts->count);
		*PV_ARRAY_PUSH(counts->counts, counts->count, counts->size) = 1;
	}
	return 1;
}

static bool has_line(struct pv_str headers, const char *glob)
{
	struct pv_reader reader = pv_reader_of(headers);
	while (!pv_reader_is_end(&reader)) {
		if (pv_glob_match(
			pv_str_of(glob), pv_reader_take_line(&reader)))
			return true;
	}
	return false;
}

static bool fits(const char *glob, struct pv_str text)
{
	return !glob || pv_glob_match(pv_str_of(glob), text);
}

const struct server_route *route_find(
    const struct server_plan *plan, const struct server_request *request)
{
	for (size_t i = 0; i < plan->route_count; i++) {
		const struct server_route *route = &plan->routes[i];
		if ((!route->nth || route->nth == request->nth) &&
		    fits(route->host, request->host) &&
		    fits(route->path, request->target) &&
		    (!route->header ||
			has_line(request->headers, route->header)))
			return route;
	}
	return NULL;
}
