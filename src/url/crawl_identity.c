#include "url/crawl_identity.h"

#include "base/glob.h"
#include "base/reader.h"
#include "url/percent.h"

/* What a person wrote becomes what a canonical address holds. */
static struct pv_str copy_glob(struct pv_arena *arena, struct pv_str glob)
{
	struct pv_buf canonical;
	pv_buf_init(&canonical, glob.len * 3);
	pv_percent_append(&canonical, glob, PV_PERCENT_QUERY);
	struct pv_str copy = pv_arena_copy(arena, pv_buf_str(&canonical));
	pv_buf_finish(&canonical);
	return copy;
}

void pv_crawl_identity_init(struct pv_crawl_identity *identity,
    const char *const *strip_query, size_t count)
{
	pv_arena_init(&identity->arena);
	identity->stripped_count = count;
	identity->stripped = pv_arena_give_array(
	    &identity->arena, count, sizeof(*identity->stripped));
	for (size_t i = 0; i < count; i++)
		identity->stripped[i] =
		    copy_glob(&identity->arena, pv_str_of(strip_query[i]));
}

void pv_crawl_identity_finish(struct pv_crawl_identity *identity)
{
	pv_arena_finish(&identity->arena);
}

static bool is_stripped(
    const struct pv_crawl_identity *identity, struct pv_str parameter)
{
	size_t equals = pv_str_find(parameter, '=');
	struct pv_str name =
	    equals == PV_NOT_FOUND ? parameter : pv_str_head(parameter, equals);
	for (size_t i = 0; i < identity->stripped_count; i++) {
		if (pv_glob_match(identity->stripped[i], name))
			return true;
	}
	return false;
}

/* Moves what stays of the query to its front; returns how long that is, or
 * PV_NOT_FOUND if no parameter does. */
static size_t keep_parameters(
    const struct pv_crawl_identity *identity, char *query, size_t len)
{
	struct pv_reader rest = pv_reader_of((struct pv_str){query, len});
	size_t kept = PV_NOT_FOUND;
	bool is_more = true;
	while (is_more) {
		struct pv_str parameter = pv_reader_take_until(&rest, '&');
		is_more = pv_reader_accept(&rest, '&');
		if (is_stripped(identity, parameter))
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

static void strip_query(
    const struct pv_crawl_identity *identity, struct pv_url *url)
{
	size_t start = url->parts.query + 1;
	size_t len = url->parts.fragment - start;
	size_t kept = keep_parameters(identity, url->text.ptr + start, len);
	if (kept == len)
		return;
	bool is_nothing = kept == PV_NOT_FOUND || kept == 0;
	url->parts.fragment = is_nothing ? url->parts.query : start + kept;
}

void pv_crawl_identity_apply(
    const struct pv_crawl_identity *identity, struct pv_url *url)
{
	if (identity->stripped_count && pv_url_has_query(url))
		strip_query(identity, url);
	pv_buf_cut(&url->text, url->parts.fragment);
}
