#include "http/link_field.h"

#include "base/ascii.h"
#include "http/parameter.h"

static bool is_between(int byte)
{
	return pv_is_blank(byte) || byte == ',';
}

static bool is_relation_byte(int byte)
{
	return !pv_is_blank(byte);
}

static struct pv_str take_parameters(struct pv_reader *reader)
{
	struct pv_str rest = pv_reader_rest(reader);
	struct pv_parameter ignored;
	while (pv_parameter_next(reader, &ignored))
		continue;
	return pv_str_head(rest, rest.len - pv_reader_left(reader));
}

/* Takes "<target>", white space and parameters. */
static bool take_link(struct pv_reader *reader, struct pv_link_field *link)
{
	if (!pv_reader_accept(reader, '<'))
		return false;
	link->target = pv_reader_take_until(reader, '>');
	if (!pv_reader_accept(reader, '>'))
		return false;
	link->parameters = take_parameters(reader);
	return true;
}

bool pv_link_field_next(struct pv_reader *reader, struct pv_link_field *link)
{
	for (;;) {
		pv_reader_take_while(reader, is_between);
		if (pv_reader_is_end(reader))
			return false;
		if (take_link(reader, link))
			return true;
		/* What is no link ends at the next comma. */
		take_parameters(reader);
	}
}

bool pv_link_field_has_rel(const struct pv_link_field *link, struct pv_str rel)
{
	struct pv_reader reader = pv_reader_of(link->parameters);
	struct pv_parameter parameter;
	if (!pv_parameter_find(reader, PV_STR("rel"), &parameter))
		return false;
	struct pv_reader relations = pv_reader_of(parameter.value);
	while (!pv_reader_is_end(&relations)) {
		pv_reader_take_while(&relations, pv_is_blank);
		struct pv_str one =
		    pv_reader_take_while(&relations, is_relation_byte);
		if (one.len && pv_str_equal_nocase(one, rel))
			return true;
	}
	return false;
}

bool pv_link_field_get(
    const struct pv_link_field *link, struct pv_str name, struct pv_buf *value)
{
	struct pv_reader reader = pv_reader_of(link->parameters);
	struct pv_parameter parameter;
	return pv_parameter_find(reader, name, &parameter) &&
	       pv_parameter_write(&parameter, value);
}
