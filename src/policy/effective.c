#include "policy/effective.h"

#include "base/reader.h"
#include "policy/document/document.h"
#include "policy/domain_entry.h"
#include "policy/yaml_text.h"

#define INDENT 2

/* Lines of keys in the order of the table; a section's own line is written
 * before its first key. */
struct lines {
	struct pv_buf *buf;
	int indent;
	struct pv_str section; /* the one that was opened last; in a name of
				  the options table */
};

static void write_key(struct lines *lines, struct pv_str key, int depth)
{
	pv_buf_append_format(lines->buf,
	    "%*s%.*s:", lines->indent + depth * INDENT, "", PV_STR_ARG(key));
}

/* Opens the sections that lead to the name and are not open yet; returns how
 * deep the key itself lies. */
static int open_sections(struct lines *lines, struct pv_str name)
{
	struct pv_reader reader = pv_reader_of(name);
	int depth = 0;
	size_t end;
	while (
	    (end = pv_str_find(pv_reader_rest(&reader), '.')) != PV_NOT_FOUND) {
		struct pv_str key = pv_reader_take(&reader, end);
		struct pv_str path =
		    pv_str_head(name, (size_t)(reader.at - name.ptr));
		bool is_open = pv_str_starts(lines->section, path) &&
			       (lines->section.len == path.len ||
				   lines->section.ptr[path.len] == '.');
		if (!is_open) {
			write_key(lines, key, depth);
			pv_buf_append_char(lines->buf, '\n');
			lines->section = path;
		}
		pv_reader_accept(&reader, '.');
		depth++;
	}
	return depth;
}

static struct pv_str last_key(struct pv_str name)
{
	size_t dot = pv_str_find_last(name, '.');
	return dot == PV_NOT_FOUND ? name : pv_str_from(name, dot + 1);
}

static void write_option(struct lines *lines, const struct pv_option *option,
    struct pv_str name, const void *field, const struct pv_origin *origin)
{
	int depth = open_sections(lines, name);
	write_key(lines, last_key(name), depth);
	if (option->kind->has_lines && option->kind->has_lines(field)) {
		pv_buf_append_char(lines->buf, '\n');
		option->kind->write_lines(option, field,
		    lines->indent + (depth + 1) * INDENT, lines->buf);
	} else {
		pv_buf_append_char(lines->buf, ' ');
		option->kind->write(option, field, lines->buf);
		pv_origin_write_comment(origin, lines->buf);
	}
}

/* A switch that is on is the section of the keys below it. */
static bool is_on(const struct pv_option *option, const void *field)
{
	return option->kind == &pv_kind_switch && *(const bool *)field;
}

/* Whether a switch above the option is off. */
static bool is_switched_off(const struct pv_names *names, const void *fields,
    const struct pv_option *option)
{
	struct pv_str above = pv_str_of(option->path);
	size_t dot;
	while ((dot = pv_str_find_last(above, '.')) != PV_NOT_FOUND) {
		above = pv_str_head(above, dot);
		const struct pv_option *section = pv_option_get(above, names);
		if (section && section->kind == &pv_kind_switch &&
		    !is_on(section, (const char *)fields + section->offset))
			return true;
	}
	return false;
}

void pv_effective_write_fields(const struct pv_names *names, const void *fields,
    const struct pv_origin *origins, struct pv_buf *buf)
{
	struct lines lines = {.buf = buf, .section = {"", 0}};
	for (size_t i = 0; i < names->count; i++) {
		const struct pv_option *option = &names->options[i];
		const char *name = pv_option_name(option, names);
		const void *field = (const char *)fields + option->offset;
		if (name && !is_on(option, field) &&
		    !is_switched_off(names, fields, option))
			write_option(&lines, option, pv_str_of(name), field,
			    &origins[i]);
	}
}

void pv_effective_write(const struct pv_policy *policy, struct pv_buf *buf)
{
	pv_buf_append_text(buf, PV_EFFECTIVE_MARK
	    " policy, with every default and where each value comes from\n");
	pv_effective_write_fields(
	    &pv_names_of_policy, policy, policy->origins, buf);
}

static void write_entry(
    const struct pv_domain_entry *entry, int indent, struct pv_buf *buf)
{
	struct lines lines = {
	    .buf = buf,
	    .indent = indent + INDENT,
	    .section = {"", 0},
	};
	pv_buf_append_format(buf, "%*s", indent, "");
	pv_yaml_text_append(pv_str_of(entry->name), buf);
	if (!entry->setting_count) {
		pv_buf_append_text(buf, ": {}");
		pv_origin_write_comment(&entry->origin, buf);
		return;
	}
	pv_buf_append_text(buf, ":\n");
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		const struct pv_domain_setting *setting =
		    pv_domain_entry_get(entry, option);
		if (!setting)
			continue;
		const char *name = pv_option_name(option, &pv_names_of_domain);
		write_option(&lines, option, pv_str_of(name), &setting->value,
		    &setting->origin);
	}
}

void pv_effective_write_domains(
    const struct pv_domains *domains, int indent, struct pv_buf *buf)
{
	for (size_t i = 0; i < domains->count; i++)
		write_entry(&domains->entries[i], indent, buf);
}
