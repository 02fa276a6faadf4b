#include "policy/schema.h"

#include "policy/option.h"

#define NAME_MAX_BYTES 128

/* Appends the last key that the name passes through below the section, and
 * whether it ends there. */
static struct pv_str next_key(
    const char *name, struct pv_str section, bool *is_last)
{
	struct pv_str rest = pv_str_of(name);
	if (section.len) {
		if (rest.len <= section.len || !pv_str_starts(rest, section) ||
		    rest.ptr[section.len] != '.')
			return PV_STR("");
		rest = pv_str_from(rest, section.len + 1);
	}
	size_t dot = pv_str_find(rest, '.');
	*is_last = dot == PV_NOT_FOUND;
	return *is_last ? rest : pv_str_head(rest, dot);
}

static void describe(struct pv_json *schema, const char *sentence)
{
	if (sentence)
		pv_json_set_text(schema, "description", sentence);
}

static const char *sentence_of_section(
    struct pv_str path, const struct pv_names *names)
{
	for (size_t i = 0; i < names->section_count; i++) {
		if (pv_str_equal(pv_str_of(names->sections[i].path), path))
			return names->sections[i].sentence;
	}
	return NULL;
}

static struct pv_json *schema_of_section(
    struct pv_str section, const struct pv_names *names);

/* The schema of a key, which may be an option, a section, or a switch, that is
 * both. */
static struct pv_json *schema_of_key(
    struct pv_str path, const struct pv_names *names)
{
	const struct pv_option *option = pv_option_get(path, names);
	bool is_section = pv_option_is_section(path, names);
	struct pv_json *schema = NULL;
	if (option)
		schema = option->kind->schema(option);
	if (is_section) {
		struct pv_json *below = schema_of_section(path, names);
		schema = schema ? pv_schema_of_either(below, schema) : below;
	}
	describe(schema,
	    option ? option->sentence : sentence_of_section(path, names));
	if (option && option->preset)
		pv_json_set_text(schema, "$comment", option->preset);
	return schema;
}

static struct pv_json *schema_of_section(
    struct pv_str section, const struct pv_names *names)
{
	struct pv_json *members = pv_json_object();
	struct pv_json *schema = pv_json_object();
	struct pv_buf done;
	struct pv_buf path;
	pv_buf_init(&done, NAME_MAX_BYTES);
	pv_buf_init(&path, NAME_MAX_BYTES);
	for (size_t i = 0; i < names->count; i++) {
		bool is_last;
		const char *name = pv_option_name(&names->options[i], names);
		struct pv_str key =
		    name ? next_key(name, section, &is_last) : PV_STR("");
		if (!key.len || pv_str_equal(key, pv_buf_str(&done)))
			continue;
		pv_buf_clear(&done);
		pv_buf_append(&done, key);
		pv_buf_clear(&path);
		pv_buf_append(&path, section);
		pv_buf_append_text(&path, section.len ? "." : "");
		pv_buf_append(&path, key);
		pv_json_set(members, pv_buf_text(&done),
		    schema_of_key(pv_buf_str(&path), names));
	}
	pv_json_set_text(schema, "type", "object");
	pv_json_set(schema, "properties", members);
	pv_json_set(schema, "additionalProperties", pv_json_bool(false));
	pv_buf_finish(&done);
	pv_buf_finish(&path);
	return schema;
}

struct pv_json *pv_schema_of_domains(void)
{
	struct pv_json *schema = pv_json_object();
	pv_json_set_text(schema, "type", "object");
	pv_json_set(
	    schema, "propertyNames", pv_schema_of_rule(&pv_rule_domain));
	pv_json_set(schema, "additionalProperties",
	    schema_of_section(PV_STR(""), &pv_names_of_domain));
	return schema;
}

struct pv_json *pv_schema_of_fields(const struct pv_names *names)
{
	return schema_of_section(PV_STR(""), names);
}

struct pv_json *pv_schema_of_names(
    const struct pv_names *names, const char *title)
{
	struct pv_json *schema = schema_of_section(PV_STR(""), names);
	pv_json_set_text(
	    schema, "$schema", "http://json-schema.org/draft-07/schema#");
	pv_json_set_text(schema, "title", title);
	return schema;
}

struct pv_json *pv_schema(void)
{
	return pv_schema_of_names(&pv_names_of_policy, "A policy of Pavane");
}
