#include "policy/sources/assignment.h"

#include "policy/document/document.h"

bool pv_assignment_split(
    struct pv_str text, struct pv_str *key, struct pv_str *value)
{
	size_t equals = pv_str_find(text, '=');
	if (equals == PV_NOT_FOUND || equals == 0)
		return false;
	*key = pv_str_trim(pv_str_head(text, equals));
	*value = pv_str_from(text, equals + 1);
	return true;
}

static void tell_unknown(
    struct pv_reading *reading, const struct pv_names *names, struct pv_str key)
{
	struct pv_place place = {.file = reading->name};
	struct pv_buf buf;
	struct pv_str section = {key.ptr, 0};
	size_t dot = pv_str_find_last(key, '.');
	if (dot != PV_NOT_FOUND)
		section.len = dot;
	pv_buf_init(&buf, 128);
	const char *nearest = pv_option_nearest(section,
	    dot == PV_NOT_FOUND ? key : pv_str_from(key, dot + 1), names, &buf);
	bool has_domains = names->options == pv_names_of_policy.options;
	if (has_domains && pv_str_starts(key, PV_STR("domains.")))
		pv_why_add(reading->why, place, key,
		    "to set keys of a host, use --domain HOST KEY=VALUE");
	else if (nearest)
		pv_why_add(reading->why, place, key,
		    "unknown key: did you mean %s?", nearest);
	else
		pv_why_add(reading->why, place, key, "unknown key");
	pv_buf_finish(&buf);
}

bool pv_assignment_knows(
    struct pv_reading *reading, const struct pv_names *names, struct pv_str key)
{
	if (pv_option_get(key, names) || pv_option_is_section(key, names))
		return true;
	tell_unknown(reading, names, key);
	return false;
}

bool pv_assignment_read(struct pv_reading *reading, struct pv_target target,
    struct pv_str key, struct pv_str value)
{
	struct pv_document document;
	struct pv_node nothing = {.kind = PV_NODE_TEXT};
	pv_document_read(
	    &document, reading->name, value, reading->arena, reading->why);
	if (!document.is_whole)
		return false;
	pv_buf_append(&reading->path, key);
	bool is_read = pv_section_read_key(
	    reading, target, key, document.root ? document.root : &nothing);
	pv_reading_leave(reading, 0);
	return is_read;
}
