#include <stdint.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/day.h"
#include "base/glob.h"
#include "base/reader.h"
#include "traps/address_pattern.h"
#include "traps/calendar.h"
#include "traps/session.h"
#include "traps/shapes.h"
#include "url/crawl_identity.h"
#include "url/host.h"
#include "url/site.h"

/* Globs, crawl identity, sites and the shapes of traps, and what
 * is counted of others. The input is three
 * lines: a glob, another one, and an address, which may hold line ends. The
 * globs are also taken for an alias with what it stands for, and for default
 * documents.
 *
 * Each is held against a slower and simpler way to the same end.
 */

#define CEILING 4096
#define GLOB_MAX 64 /* the slow way is exponential in stars */
#define STARS_MAX 6

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

/* A star is nothing, or a byte and a star. */
static bool match_slowly(struct pv_str glob, struct pv_str text)
{
	if (!glob.len)
		return !text.len;
	if (glob.ptr[0] == '*')
		return match_slowly(pv_str_from(glob, 1), text) ||
		       (text.len && match_slowly(glob, pv_str_from(text, 1)));
	return text.len && glob.ptr[0] == text.ptr[0] &&
	       match_slowly(pv_str_from(glob, 1), pv_str_from(text, 1));
}

static bool is_quick_enough(struct pv_str glob, struct pv_str text)
{
	size_t stars = 0;
	for (size_t i = 0; i < glob.len; i++)
		stars += glob.ptr[i] == '*';
	return glob.len <= GLOB_MAX && text.len <= GLOB_MAX &&
	       stars <= STARS_MAX;
}

static void check_glob(struct pv_str glob, struct pv_str text)
{
	bool is_match = pv_glob_match(glob, text);
	if (is_quick_enough(glob, text))
		require(is_match == match_slowly(glob, text));
}

/* The next of the parameters that stay. False at the end. */
static bool next_kept(struct pv_reader *query, const struct pv_str globs[2],
    bool *is_more, struct pv_str *parameter)
{
	while (*is_more) {
		*parameter = pv_reader_take_until(query, '&');
		*is_more = pv_reader_accept(query, '&');
		struct pv_reader name = pv_reader_of(*parameter);
		struct pv_str text = pv_reader_take_until(&name, '=');
		if (!pv_glob_match(globs[0], text) &&
		    !pv_glob_match(globs[1], text))
			return true;
	}
	return false;
}

/* What stays of `before` is what stands in `after`. */
static void check_query(const struct pv_url *before, const struct pv_url *after,
    const struct pv_str globs[2])
{
	struct pv_buf query;
	struct pv_str parameter;
	struct pv_reader rest = pv_reader_of(pv_url_query(before));
	bool is_more = pv_url_has_query(before), is_first = true;
	pv_buf_init(&query, CEILING);
	while (next_kept(&rest, globs, &is_more, &parameter)) {
		if (!is_first)
			pv_buf_append_char(&query, '&');
		pv_buf_append(&query, parameter);
		is_first = false;
	}
	require(pv_str_equal(pv_buf_str(&query), pv_url_query(after)));
	require(!query.len || pv_url_has_query(after));
	pv_buf_finish(&query);
}

static void require_as_read(const struct pv_url *url)
{
	struct pv_url again;
	pv_url_init(&again, CEILING);
	const struct pv_url_parts *a = &again.parts, *b = &url->parts;
	require(pv_url_parse(&again, pv_url_text(url)) == PV_URL_OK);
	require(pv_str_equal(pv_url_text(&again), pv_url_text(url)));
	require(a->username_end == b->username_end);
	require(a->host == b->host && a->host_end == b->host_end);
	require(a->path == b->path && a->query == b->query);
	require(a->fragment == b->fragment);
	require(a->is_secure == b->is_secure && a->port == b->port);
	require(a->address.bits == b->address.bits);
	pv_url_finish(&again);
}

/* It is itself, and reads as itself. */
static void check_again(
    const struct pv_crawl_identity *identity, struct pv_url *url)
{
	struct pv_buf once;
	pv_buf_init(&once, CEILING);
	pv_buf_append(&once, pv_url_text(url));
	require_as_read(url);
	require(!pv_crawl_identity_apply(identity, url));
	require(pv_str_equal(pv_url_text(url), pv_buf_str(&once)));
	require_as_read(url);
	pv_buf_finish(&once);
}

static void check_identity(
    struct pv_url *url, const struct pv_url *before, const char *globs[2])
{
	struct pv_crawl_identity identity;
	pv_crawl_identity_init(&identity);
	identity.stripped = pv_crawl_identity_names(&identity, globs, 2);
	pv_crawl_identity_apply(&identity, url);
	check_query(before, url, identity.stripped.globs);
	require(!pv_url_has_fragment(url));
	require(pv_str_equal(pv_url_between(before, 0, before->parts.query),
	    pv_url_between(url, 0, url->parts.query)));
	check_again(&identity, url);
	pv_crawl_identity_finish(&identity);
}

/* Adds what a policy might: names, of which one is no alias itself. */
static void add_aliases(
    struct pv_aliases *aliases, const char *alias, const char *target)
{
	struct pv_buf names[2];
	struct pv_address address, other;
	struct pv_str found;
	pv_buf_init(&names[0], 300);
	pv_buf_init(&names[1], 300);
	pv_aliases_add(aliases, PV_STR("www.*"), PV_STR("*"));
	if (pv_host_read(pv_str_of(alias), &names[0], &address) &&
	    pv_host_read(pv_str_of(target), &names[1], &other) &&
	    !address.bits && !other.bits && names[1].len < 250 &&
	    !pv_str_ends(pv_buf_str(&names[1]), PV_STR(".")) &&
	    !pv_str_equal(pv_buf_str(&names[0]), pv_buf_str(&names[1])) &&
	    !pv_aliases_find(aliases, pv_buf_str(&names[1]), &found))
		pv_aliases_add(
		    aliases, pv_buf_str(&names[0]), pv_buf_str(&names[1]));
	pv_buf_finish(&names[0]);
	pv_buf_finish(&names[1]);
}

/* All that a policy can ask for at once. */
static void check_sameness(struct pv_url *url, const char *texts[2])
{
	struct pv_crawl_identity identity;
	pv_crawl_identity_init(&identity);
	identity.stripped = pv_crawl_identity_names(&identity, texts, 1);
	identity.is_sorted = true;
	pv_crawl_identity_set_documents(&identity, texts, 2);
	add_aliases(&identity.aliases, texts[0], texts[1]);
	pv_crawl_identity_apply(&identity, url);
	check_again(&identity, url);
	pv_crawl_identity_finish(&identity);
}

static void check_site(const struct pv_url *url)
{
	struct pv_str host = pv_url_host(url);
	struct pv_str site = pv_site_of(host);
	require(pv_str_equal(pv_site_of(site), site));
	require(pv_site_holds(site, host));
	size_t dot = pv_str_find(host, '.');
	if (dot == PV_NOT_FOUND)
		return;
	struct pv_str above = pv_site_of(pv_str_from(host, dot + 1));
	require(pv_site_holds(above, host) == pv_str_equal(above, site));
}

static size_t count_slowly(struct pv_str path, size_t *most)
{
	struct pv_reader rest = pv_reader_of(path);
	size_t segments = 0;
	*most = 0;
	while (pv_reader_accept(&rest, '/') && !pv_reader_is_end(&rest)) {
		struct pv_str segment = pv_reader_take_until(&rest, '/');
		struct pv_reader others = rest;
		size_t count = 1;
		segments++;
		while (pv_reader_accept(&others, '/') &&
		       !pv_reader_is_end(&others))
			count += pv_str_equal(
			    pv_reader_take_until(&others, '/'), segment);
		*most = count > *most ? count : *most;
	}
	return segments;
}

static void check_traps(struct pv_str path)
{
	size_t most;
	require(pv_path_traps_segments(path) == count_slowly(path, &most));
	for (size_t limit = 1; limit < 4; limit++)
		require(pv_path_traps_repeats(path, limit) ==
			(most > limit ? most : 0));
}

/* Neither the last segment nor values tell patterns apart: an address that is
 * its own pattern, but for numbers, is of it; unless its last parameter has no
 * name, which is no parameter when it is read again. */
static void check_pattern(const struct pv_url *url)
{
	struct pv_buf pattern, again;
	struct pv_url other;
	pv_buf_init(&pattern, CEILING);
	pv_buf_init(&again, CEILING);
	pv_url_init(&other, 2 * CEILING);
	require(pv_address_pattern_write(url, &pattern));
	for (size_t i = 0; i < pattern.len; i++) {
		require(!pv_is_digit(pattern.ptr[i]) ||
			pv_str_find(pv_url_host(url), pattern.ptr[i]) !=
			    PV_NOT_FOUND);
		if (pattern.ptr[i] == '#')
			pattern.ptr[i] = '7';
	}
	pv_buf_append_text(&again, "http://");
	pv_buf_append(&again, pv_buf_str(&pattern));
	if (!pv_str_ends(pv_buf_str(&pattern), PV_STR("?")) &&
	    !pv_str_ends(pv_buf_str(&pattern), PV_STR("&")) &&
	    pv_url_parse(&other, pv_buf_str(&again)) == PV_URL_OK) {
		pv_buf_clear(&pattern);
		pv_buf_clear(&again);
		pv_address_pattern_write(url, &pattern);
		pv_address_pattern_write(&other, &again);
		require(pv_str_equal(pv_buf_str(&pattern), pv_buf_str(&again)));
	}
	pv_url_finish(&other);
	pv_buf_finish(&again);
	pv_buf_finish(&pattern);
}

/* An identifier is told with its name, and stands in the address. */
static void check_session(const struct pv_url *url)
{
	struct pv_buf identifier;
	pv_buf_init(&identifier, CEILING);
	bool is_found = pv_session_find(url, &identifier);
	require(is_found == (identifier.len > 0) && !identifier.is_full);
	struct pv_reader rest = pv_reader_of(pv_buf_str(&identifier));
	while (!pv_reader_is_end(&rest)) {
		require(pv_reader_take_until(&rest, '=').len > 0);
		require(pv_reader_accept(&rest, '='));
		struct pv_str value = pv_reader_take_until(&rest, ';');
		require(value.len >= 8 && pv_reader_accept(&rest, ';'));
		struct pv_str target = pv_url_target(url);
		require(memmem(target.ptr, target.len, value.ptr, value.len));
	}
	pv_buf_finish(&identifier);
}

/* How often the parameter stands that stands most often. */
static size_t count_parameters_slowly(struct pv_str query, size_t *parameters)
{
	struct pv_reader rest = pv_reader_of(query);
	size_t most = 0;
	*parameters = 0;
	while (!pv_reader_is_end(&rest)) {
		struct pv_str parameter = pv_reader_take_until(&rest, '&');
		struct pv_reader others = rest;
		size_t count = 1;
		while (pv_reader_accept(&others, '&'))
			count += pv_str_equal(
			    pv_reader_take_until(&others, '&'), parameter);
		if (parameter.len)
			most = count > most ? count : most;
		++*parameters;
		if (pv_reader_accept(&rest, '&') && pv_reader_is_end(&rest))
			++*parameters;
	}
	return most;
}

/* The parameters from the last to the first. */
static void turn_round(struct pv_str query, struct pv_buf *turned)
{
	size_t end = query.len;
	for (size_t i = query.len; i-- > 0;) {
		if (query.ptr[i] != '&')
			continue;
		pv_buf_append(
		    turned, pv_str_from(pv_str_head(query, end), i + 1));
		pv_buf_append_char(turned, '&');
		end = i;
	}
	pv_buf_append(turned, pv_str_head(query, end));
}

/* The order of parameters says nothing, and the signs promise nothing that is
 * not so. */
static void check_query_traps(const struct pv_url *url)
{
	struct pv_str query = pv_url_query(url), target = pv_url_target(url);
	struct pv_signs signs = pv_signs_of(target);
	struct pv_buf turned;
	size_t parameters;
	size_t most = count_parameters_slowly(query, &parameters);
	size_t escapes = pv_query_traps_escapes(target, query);
	pv_buf_init(&turned, CEILING);
	turn_round(query, &turned);
	struct pv_str other = pv_buf_str(&turned);
	require(pv_query_traps_parameters(query) == parameters);
	require(parameters <= (size_t)signs.ampersands + 1);
	require(pv_query_traps_escapes(target, other) == escapes);
	require(signs.has_percent || escapes <= signs.marks);
	for (size_t limit = 1; limit < 4; limit++) {
		size_t nesting = pv_query_traps_nesting(query, limit);
		require(pv_query_traps_repeats(query, limit) ==
			(most > limit ? most : 0));
		require(pv_query_traps_nesting(other, limit) == nesting);
		require(nesting <= signs.marks);
	}
	pv_buf_finish(&turned);
}

static void check_calendar(const struct pv_url *url)
{
	const struct pv_calendar calendar = {
	    20778, 730 * PV_DAY_MS, 36500 * PV_DAY_MS};
	struct pv_str path = pv_url_path(url), query = pv_url_query(url);
	struct pv_signs signs = pv_signs_of(pv_url_target(url));
	struct pv_buf turned;
	int64_t days = pv_calendar_find(&calendar, path, query);
	pv_buf_init(&turned, CEILING);
	turn_round(query, &turned);
	require(pv_calendar_find(&calendar, path, pv_buf_str(&turned)) == days);
	require(!days || days > 730 || days < -36500);
	require(!days || signs.has_year || signs.has_number);
	pv_buf_finish(&turned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	struct pv_arena arena;
	struct pv_url url, before;
	pv_arena_init(&arena);
	pv_url_init(&url, CEILING);
	pv_url_init(&before, CEILING);
	struct pv_str first = pv_reader_take_line(&reader);
	struct pv_str second = pv_reader_take_line(&reader);
	struct pv_str address = pv_reader_rest(&reader);
	check_glob(first, second);
	check_glob(second, address);
	if (pv_url_parse(&url, address) == PV_URL_OK) {
		const char *globs[2] = {pv_arena_text(&arena, first),
		    pv_arena_text(&arena, second)};
		pv_url_parse(&before, address);
		check_glob(first, pv_url_target(&url));
		check_traps(pv_url_path(&url));
		check_pattern(&url);
		check_session(&url);
		check_query_traps(&url);
		check_calendar(&url);
		check_site(&url);
		check_identity(&url, &before, globs);
		check_sameness(&before, globs);
	}
	pv_url_finish(&before);
	pv_url_finish(&url);
	pv_arena_finish(&arena);
	return 0;
}
