#include "robots/rule.h"

#include "robots/normal.h"

/* Without a percent sign and digit that may have been the beginning of an
 * encoded byte, and without what may not have been the end. */
static struct pv_str without_loose_end(struct pv_str value)
{
	size_t percent = pv_str_find_last(value, '%');
	if (percent != PV_NOT_FOUND && value.len - percent < 3)
		value.len = percent;
	if (pv_str_ends(value, PV_STR("$")))
		value.len--;
	return value;
}

static enum pv_robots_rule_result check(const struct pv_robots_line *line)
{
	bool is_allow = line->kind == PV_ROBOTS_ALLOW;
	struct pv_str value = line->value;
	if (line->is_cut)
		return is_allow ? PV_ROBOTS_RULE_CUT : PV_ROBOTS_RULE_READ;
	if (!value.len)
		return PV_ROBOTS_RULE_EMPTY;
	if (is_allow && value.ptr[0] != '/' && value.ptr[0] != '*')
		return PV_ROBOTS_RULE_NO_SLASH;
	return PV_ROBOTS_RULE_READ;
}

static void write_pattern(struct pv_str value, struct pv_buf *pattern)
{
	char first = value.len ? value.ptr[0] : '\0';
	if (first != '/' && first != '*')
		pv_buf_append_char(pattern, '/');
	pv_robots_append_pattern(pattern, value);
}

/* An asterisk at the end says nothing, and nor does an end after it. */
static void drop_last_asterisk(
    struct pv_buf *pattern, struct pv_robots_rule *rule)
{
	if (!pv_str_ends(pv_buf_str(pattern), PV_STR("*")))
		return;
	pv_buf_cut(pattern, pattern->len - 1);
	rule->is_anchored = false;
}

enum pv_robots_rule_result pv_robots_rule_read(
    const struct pv_robots_line *line, struct pv_arena *arena,
    struct pv_robots_rule *rule)
{
	enum pv_robots_rule_result result = check(line);
	struct pv_str value = line->value;
	struct pv_buf pattern;
	if (result != PV_ROBOTS_RULE_READ)
		return result;
	*rule = (struct pv_robots_rule){
	    .number = line->number,
	    .is_allow = line->kind == PV_ROBOTS_ALLOW,
	    .is_anchored = !line->is_cut && pv_str_ends(value, PV_STR("$")),
	};
	if (line->is_cut)
		value = without_loose_end(value);
	value.len -= rule->is_anchored;
	pv_buf_init(&pattern, 3 * value.len + 1);
	write_pattern(value, &pattern);
	rule->weight = (uint32_t)(pattern.len + rule->is_anchored);
	drop_last_asterisk(&pattern, rule);
	rule->pattern = pv_arena_copy(arena, pv_buf_str(&pattern));
	rule->line = pv_arena_copy(arena, line->text);
	pv_buf_finish(&pattern);
	return result;
}

bool pv_robots_rule_has_wildcard(const struct pv_robots_rule *rule)
{
	return pv_str_find(rule->pattern, '*') != PV_NOT_FOUND;
}

/* Takes all up to and with the first place where the part stands. */
static bool skip_to(struct pv_reader *path, struct pv_str part)
{
	struct pv_str rest = pv_reader_rest(path);
	/* memmem is linear, whatever the part */
	const char *at = memmem(rest.ptr, rest.len, part.ptr, part.len);
	if (!at)
		return false;
	path->at = at + part.len;
	return true;
}

/* What stands before the first wildcard must be at the beginning; each part
 * between two is looked for behind the one before it, and the first place is
 * as good as any; a last part that is anchored must be at the end. */
bool pv_robots_rule_matches(
    const struct pv_robots_rule *rule, struct pv_str path)
{
	struct pv_reader pattern = pv_reader_of(rule->pattern);
	struct pv_reader reader = pv_reader_of(path);
	struct pv_str first = pv_reader_take_until(&pattern, '*');
	if (!pv_reader_accept_str(&reader, first))
		return false;
	while (pv_reader_accept(&pattern, '*')) {
		struct pv_str part = pv_reader_take_until(&pattern, '*');
		if (rule->is_anchored && pv_reader_is_end(&pattern))
			return pv_str_ends(pv_reader_rest(&reader), part);
		if (!skip_to(&reader, part))
			return false;
	}
	return !rule->is_anchored || pv_reader_is_end(&reader);
}

bool pv_robots_rule_outweighs(
    const struct pv_robots_rule *rule, const struct pv_robots_rule *other)
{
	if (rule->weight != other->weight)
		return rule->weight > other->weight;
	return rule->is_allow && !other->is_allow;
}
