#include "policy/overview/reference.h"

#include "policy/option.h"

/* Appends text with what troff would take for its own escaped. */
static void append_text(struct pv_buf *buf, struct pv_str text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '\\')
			pv_buf_append_text(buf, "\\e");
		else if (text.ptr[i] == '-')
			pv_buf_append_text(buf, "\\-");
		else if (text.ptr[i] == '\'')
			pv_buf_append_text(buf, "\\(aq");
		else if (text.ptr[i] == '.' && i == 0)
			pv_buf_append_text(buf, "\\&.");
		else
			pv_buf_append_char(buf, text.ptr[i]);
	}
}

static struct pv_str top_of(struct pv_str path)
{
	size_t dot = pv_str_find(path, '.');
	return dot == PV_NOT_FOUND ? path : pv_str_head(path, dot);
}

static void write_heading(struct pv_buf *buf, struct pv_str section)
{
	pv_buf_append_text(buf, ".SS ");
	append_text(buf, section);
	pv_buf_append_char(buf, '\n');
	for (size_t i = 0; i < pv_names_of_policy.section_count; i++) {
		if (pv_str_equal(pv_str_of(pv_names_of_policy.sections[i].path),
			section)) {
			append_text(buf,
			    pv_str_of(pv_names_of_policy.sections[i].sentence));
			pv_buf_append_char(buf, '\n');
		}
	}
}

static void write_default(struct pv_buf *buf, const struct pv_option *option)
{
	bool is_map = option->kind == &pv_kind_pages ||
		      option->kind == &pv_kind_pairs ||
		      option->kind == &pv_kind_domains;
	bool is_list = option->kind == &pv_kind_texts ||
		       option->kind == &pv_kind_seeds ||
		       option->kind == &pv_kind_rules;
	bool is_rate = option->kind == &pv_kind_count;
	const char *preset = option->preset ? option->preset
			     : is_map       ? "{}"
			     : is_list      ? "[]"
			     : is_rate      ? "that of max_rate"
					    : NULL;
	if (!preset)
		return;
	pv_buf_append_text(buf, "; default ");
	append_text(buf, pv_str_of(preset));
}

static void write_option(struct pv_buf *buf, const struct pv_option *option)
{
	struct pv_buf expected;
	pv_buf_init(&expected, 1024);
	pv_kind_expect(option, &expected);
	pv_buf_append_text(buf, ".TP\n.B ");
	append_text(buf, pv_str_of(option->path));
	pv_buf_append_char(buf, '\n');
	append_text(buf, pv_str_of(option->sentence));
	pv_buf_append_text(buf, "\n.br\nTakes ");
	append_text(buf, pv_buf_str(&expected));
	write_default(buf, option);
	if (option->flags & PV_ONLY_IN_DOMAIN)
		pv_buf_append_text(buf, "; only in the domain table");
	else if (option->flags & PV_IN_DOMAIN)
		pv_buf_append_format(buf, "; in the domain table as \\fB%s\\fR",
		    pv_option_name(option, &pv_names_of_domain));
	if (option->flags & PV_NOT_IN_CONFIG)
		pv_buf_append_text(buf, "; not in your own configuration");
	if (option->flags & PV_MAY_BE_SET)
		pv_buf_append_text(buf, "; can be set while the crawl runs");
	pv_buf_append_text(buf, ".\n");
	pv_buf_finish(&expected);
}

void pv_reference_write_names(const struct pv_names *names, struct pv_buf *buf)
{
	for (size_t i = 0; i < names->count; i++)
		write_option(buf, &names->options[i]);
}

void pv_reference_write(struct pv_buf *buf)
{
	struct pv_str section = {"", 0};
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		struct pv_str path =
		    pv_str_of(pv_names_of_policy.options[i].path);
		if (!pv_str_equal(top_of(path), section)) {
			section = top_of(path);
			write_heading(buf, section);
		}
		write_option(buf, &pv_names_of_policy.options[i]);
	}
}
