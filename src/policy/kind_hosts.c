#include "policy/kind.h"
#include "policy/option.h"
#include "policy/policy.h"

/* Which hosts are ours: a word, or a list of names. */

static const char *const host_words[] = {
    [PV_HOSTS_SAME] = "same",
    [PV_HOSTS_SITE] = "site",
    [PV_HOSTS_ANY] = "any",
    [PV_HOSTS_LISTED] = NULL,
};

static bool is_word(const char *text)
{
	for (size_t i = 0; i < PV_HOSTS_LISTED; i++) {
		if (strcmp(text, host_words[i]) == 0)
			return true;
	}
	return false;
}

static bool read_hosts(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	struct pv_host_choice choice = {.kind = PV_HOSTS_LISTED};
	for (size_t i = 0; i < PV_HOSTS_LISTED; i++) {
		if (node->kind == PV_NODE_TEXT &&
		    pv_str_equal(node->text, pv_str_of(host_words[i])))
			choice.kind = (enum pv_scope_hosts)i;
	}
	if (choice.kind == PV_HOSTS_LISTED &&
	    (node->kind != PV_NODE_LIST || !node->first))
		return pv_kind_refuse(reading, option, node);
	if (choice.kind == PV_HOSTS_LISTED &&
	    !pv_texts_read(reading, option, node, &choice.listed))
		return false;
	for (size_t i = 0; i < choice.listed.count; i++) {
		if (is_word(choice.listed.items[i]))
			return pv_reading_fail(reading, node,
			    "%s must be alone, not in a list of hosts",
			    choice.listed.items[i]);
	}
	*(struct pv_host_choice *)field = choice;
	return true;
}

static void write_hosts(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	const struct pv_host_choice *choice = field;
	(void)option;
	if (choice->kind == PV_HOSTS_LISTED)
		pv_texts_write(&choice->listed, buf);
	else
		pv_buf_append_text(buf, host_words[choice->kind]);
}

static struct pv_json *schema_hosts(const struct pv_option *option)
{
	struct pv_json *words = pv_json_array();
	for (size_t i = 0; i < PV_HOSTS_LISTED; i++)
		pv_json_add_text(words, host_words[i]);
	struct pv_json *word = pv_json_object();
	pv_json_set(word, "enum", words);
	struct pv_json *list = pv_schema_of_type("array");
	pv_json_set(list, "minItems", pv_json_integer(1));
	pv_json_set(list, "items", pv_schema_of_rule(option->rule));
	return pv_schema_of_either(word, list);
}

static void expect_hosts(const struct pv_option *option, struct pv_buf *buf)
{
	pv_buf_append_format(buf, "same, site, any or a list, each item %s",
	    option->rule->expected);
}

const struct pv_kind pv_kind_hosts = {
    .name = "same, site, any or a list",
    .size = sizeof(struct pv_host_choice),
    .words = host_words,
    .read = read_hosts,
    .write = write_hosts,
    .schema = schema_hosts,
    .expect = expect_hosts,
};
