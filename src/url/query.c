#include "url/query.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/glob.h"
#include "base/reader.h"

/* So many are sorted without asking for memory. */
#define FEW 32

/* A walk through a query. */
struct walk {
	struct pv_reader rest;
	bool is_more;
};

static struct walk walk_of(const char *query, size_t len)
{
	return (struct walk){pv_reader_of((struct pv_str){query, len}), true};
}

/* False at the end. */
static bool next(struct walk *walk, struct pv_str *parameter)
{
	if (!walk->is_more)
		return false;
	*parameter = pv_reader_take_until(&walk->rest, '&');
	walk->is_more = pv_reader_accept(&walk->rest, '&');
	return true;
}

static struct pv_str name_of(struct pv_str parameter)
{
	size_t equals = pv_str_find(parameter, '=');
	return equals == PV_NOT_FOUND ? parameter
				      : pv_str_head(parameter, equals);
}

static bool is_named(
    const struct pv_query_names *names, struct pv_str parameter)
{
	struct pv_str name = name_of(parameter);
	for (size_t i = 0; i < names->count; i++) {
		if (pv_glob_match(names->globs[i], name))
			return true;
	}
	return false;
}

size_t pv_query_strip(
    char *query, size_t len, const struct pv_query_names *names)
{
	struct walk walk = walk_of(query, len);
	struct pv_str parameter;
	size_t kept = PV_NOT_FOUND;
	while (next(&walk, &parameter)) {
		if (is_named(names, parameter))
			continue;
		if (kept == PV_NOT_FOUND)
			kept = 0;
		else
			query[kept++] = '&';
		memmove(query + kept, parameter.ptr, parameter.len);
		kept += parameter.len;
	}
	return kept;
}

/* How many parameters there are; whether they are in order. */
static size_t count(const char *query, size_t len, bool *is_sorted)
{
	struct walk walk = walk_of(query, len);
	struct pv_str parameter, last = {NULL, 0};
	size_t found = 0;
	*is_sorted = true;
	while (next(&walk, &parameter)) {
		struct pv_str name = name_of(parameter);
		if (found++ && pv_str_compare(last, name) > 0)
			*is_sorted = false;
		last = name;
	}
	return found;
}

/* All lie in one text, so that where they begin tells who was first. */
static int compare(const void *a, const void *b)
{
	const struct pv_str *left = a, *right = b;
	int order = pv_str_compare(name_of(*left), name_of(*right));
	if (order)
		return order;
	return (left->ptr > right->ptr) - (left->ptr < right->ptr);
}

static void write(
    char *query, const struct pv_str *parameters, size_t parameter_count)
{
	for (size_t i = 0; i < parameter_count; i++) {
		if (i)
			*query++ = '&';
		memcpy(query, pv_str_bytes(parameters[i]), parameters[i].len);
		query += parameters[i].len;
	}
}

bool pv_query_sort(char *query, size_t len, struct pv_buf *scratch)
{
	struct pv_str few[FEW];
	bool is_sorted;
	size_t parameter_count = count(query, len, &is_sorted), at = 0;
	pv_buf_clear(scratch);
	if (is_sorted || !pv_buf_append(scratch, (struct pv_str){query, len}))
		return false;
	struct pv_str *all =
	    parameter_count <= FEW
		? few
		: pv_alloc_array(parameter_count, sizeof(*all));
	struct walk walk = walk_of(scratch->ptr, len);
	while (next(&walk, &all[at]))
		at++;
	qsort(all, at, sizeof(*all), compare);
	write(query, all, at);
	if (all != few)
		free(all);
	return true;
}
