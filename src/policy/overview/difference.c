#include "policy/overview/difference.h"

#define VALUE_MAX ((size_t)256 << 20)

/* Longer ones say less in a line than that they have changed. */
#define SHOWN_MAX 60

/* Without the comments that say where each line comes from: they are the last
 * in it. */
static void append_bare(struct pv_str text, struct pv_buf *bare)
{
	while (text.len) {
		size_t end = pv_str_find(text, '\n');
		struct pv_str line =
		    pv_str_head(text, end == PV_NOT_FOUND ? text.len : end);
		text = pv_str_from(
		    text, end == PV_NOT_FOUND ? text.len : line.len + 1);
		size_t mark = pv_str_find_last(line, '#');
		if (mark != PV_NOT_FOUND)
			line = pv_str_head(line, mark);
		pv_buf_append(bare, line);
		pv_buf_append_char(bare, '\n');
	}
}

static const void *field_of(
    const struct pv_policy *policy, const struct pv_option *option)
{
	return (const char *)policy + option->offset;
}

/* Whether it is written on lines of its own. */
static bool write_value(const struct pv_policy *policy,
    const struct pv_option *option, struct pv_buf *value)
{
	const void *field = field_of(policy, option);
	struct pv_buf lines;
	pv_buf_init(value, VALUE_MAX);
	if (option->kind == &pv_kind_switch) {
		pv_buf_append_text(
		    value, *(const bool *)field ? "there" : "none");
		return false;
	}
	if (!option->kind->has_lines || !option->kind->has_lines(field)) {
		option->kind->write(option, field, value);
		return false;
	}
	pv_buf_init(&lines, VALUE_MAX);
	option->kind->write_lines(option, field, 0, &lines);
	append_bare(pv_buf_str(&lines), value);
	pv_buf_finish(&lines);
	return true;
}

/* A proxy's address may hold a password, and a header anything. */
static bool is_confidential(const struct pv_option *option)
{
	static const char *const paths[] = {"fetch.headers", "fetch.proxy"};
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		if (strcmp(option->path, paths[i]) == 0)
			return true;
	}
	return false;
}

static void compare_option(const struct pv_policy *before,
    const struct pv_policy *after, const struct pv_option *option,
    pv_difference_fn on_difference, void *ctx)
{
	struct pv_difference difference = {.option = option};
	struct pv_buf old, new;
	bool has_lines = write_value(before, option, &old);
	has_lines = write_value(after, option, &new) || has_lines;
	bool is_shown = !has_lines && !is_confidential(option) &&
			old.len <= SHOWN_MAX && new.len <= SHOWN_MAX;
	if (is_shown) {
		difference.before = pv_buf_str(&old);
		difference.after = pv_buf_str(&new);
	}
	if (!pv_str_equal(pv_buf_str(&old), pv_buf_str(&new)))
		on_difference(ctx, &difference);
	pv_buf_finish(&old);
	pv_buf_finish(&new);
}

void pv_policy_compare(const struct pv_policy *before,
    const struct pv_policy *after, pv_difference_fn on_difference, void *ctx)
{
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		if (!(option->flags & PV_ONLY_IN_DOMAIN))
			compare_option(
			    before, after, option, on_difference, ctx);
	}
}
