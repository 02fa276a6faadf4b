#include "policy/effective.h"
#include "policy/option.h"
#include "policy/schema.h"

/* The domain table as a kind of value. Reading it needs the policy that it
 * belongs to, and is done by who walks the sections (section.c). */

static bool refuse(struct pv_reading *reading, const struct pv_option *option,
    const struct pv_node *node, void *field)
{
	(void)field;
	return pv_kind_refuse(reading, option, node);
}

static void write_domains(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	(void)option;
	(void)field;
	pv_buf_append_text(buf, "{}");
}

static bool has_entries(const void *field)
{
	return ((const struct pv_domains *)field)->count > 0;
}

static void write_lines(const struct pv_option *option, const void *field,
    int indent, struct pv_buf *buf)
{
	(void)option;
	pv_effective_write_domains(field, indent, buf);
}

static struct pv_json *schema_domains(const struct pv_option *option)
{
	(void)option;
	return pv_schema_of_domains();
}

static void expect_domains(const struct pv_option *option, struct pv_buf *buf)
{
	(void)option;
	pv_buf_append_text(
	    buf, "a mapping such as {docs.example.org: {delay: 2s}}");
}

const struct pv_kind pv_kind_domains = {
    .name = "a mapping of hosts",
    .size = sizeof(struct pv_domains),
    .read = refuse,
    .write = write_domains,
    .has_lines = has_entries,
    .write_lines = write_lines,
    .schema = schema_domains,
    .expect = expect_domains,
};
