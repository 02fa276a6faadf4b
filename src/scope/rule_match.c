#include "scope/rule_match.h"

#include "base/glob.h"
#include "policy/values/host_pattern.h"
#include "url/percent.h"

/* A path, or a path and a query, as an address holds it. */
static struct pv_str copy_path(struct pv_str glob, struct pv_arena *arena)
{
	struct pv_buf canonical;
	size_t query = pv_str_find(glob, '?');
	size_t path_end = query == PV_NOT_FOUND ? glob.len : query;
	pv_buf_init(&canonical, glob.len * 3);
	pv_percent_append(
	    &canonical, pv_str_head(glob, path_end), PV_PERCENT_PATH);
	pv_percent_append(
	    &canonical, pv_str_from(glob, path_end), PV_PERCENT_QUERY);
	struct pv_str copy = pv_arena_copy(arena, pv_buf_str(&canonical));
	pv_buf_finish(&canonical);
	return copy;
}

static struct pv_str without_brackets(struct pv_str host)
{
	if (host.len && host.ptr[0] == '[')
		host = pv_str_from(host, 1);
	if (host.len && host.ptr[host.len - 1] == ']')
		host.len--;
	return host;
}

void pv_rule_match_init(struct pv_rule_match *match, const struct pv_rule *rule,
    struct pv_arena *arena)
{
	*match = (struct pv_rule_match){.rule = rule};
	if (rule->host)
		match->host =
		    without_brackets(pv_host_name_trim(pv_str_of(rule->host)));
	if (!rule->path)
		return;
	match->path = copy_path(pv_str_of(rule->path), arena);
	match->is_path_with_query =
	    pv_str_find(match->path, '?') != PV_NOT_FOUND;
}

static struct pv_str last_segment(struct pv_str path)
{
	return pv_str_from(path, pv_str_find_last(path, '/') + 1);
}

static bool ends_in(struct pv_str name, struct pv_str extension)
{
	if (name.len < extension.len + 2)
		return false;
	struct pv_str end = pv_str_from(name, name.len - extension.len);
	return end.ptr[-1] == '.' && pv_str_equal_nocase(end, extension);
}

static bool has_extension(const struct pv_texts *extensions, struct pv_str path)
{
	struct pv_str name = last_segment(path);
	size_t semicolon = pv_str_find(name, ';');
	if (pv_str_find(name, '.') == PV_NOT_FOUND)
		return false;
	struct pv_str before =
	    semicolon == PV_NOT_FOUND ? name : pv_str_head(name, semicolon);
	for (size_t i = 0; i < extensions->count; i++) {
		struct pv_str extension = pv_str_of(extensions->items[i]);
		if (ends_in(name, extension) || ends_in(before, extension))
			return true;
	}
	return false;
}

static bool has_path(
    const struct pv_rule_match *match, const struct pv_url *url)
{
	return pv_glob_match(match->path,
	    match->is_path_with_query ? pv_url_target(url) : pv_url_path(url));
}

static bool has_host(
    const struct pv_rule_match *match, const struct pv_url *url)
{
	struct pv_str host = pv_host_name_trim(pv_url_host(url));
	return pv_glob_match(match->host, without_brackets(host));
}

static enum pv_rule_part find_pattern(
    const struct pv_pattern *pattern, const struct pv_url *url)
{
	switch (pv_pattern_search(pattern, pv_url_page(url))) {
	case PV_PATTERN_YES:
		return PV_RULE_ALL;
	case PV_PATTERN_NO:
		return PV_RULE_URL;
	default:
		return PV_RULE_GAVE_UP;
	}
}

enum pv_rule_part pv_rule_match_find(
    const struct pv_rule_match *match, const struct pv_url *url)
{
	const struct pv_rule *rule = match->rule;
	if (rule->path && !has_path(match, url))
		return PV_RULE_PATH;
	if (rule->extensions.count &&
	    !has_extension(&rule->extensions, pv_url_path(url)))
		return PV_RULE_EXT;
	if (rule->host && !has_host(match, url))
		return PV_RULE_HOST;
	return rule->pattern ? find_pattern(rule->pattern, url) : PV_RULE_ALL;
}
