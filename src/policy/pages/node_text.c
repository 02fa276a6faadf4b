#include "policy/pages/node_text.h"

#include "policy/kind.h"
#include "policy/yaml_text.h"

#define ORIGIN_MAX 8192
#define INDENT 2

static const char *origin_of(
    const struct pv_reading *reading, const struct pv_node *node)
{
	struct pv_origin origin = node->key.len
				      ? pv_reading_origin_of_key(reading, node)
				      : pv_reading_origin(reading, node);
	struct pv_buf text;
	pv_buf_init(&text, ORIGIN_MAX);
	pv_origin_write(&origin, &text);
	const char *copy = pv_arena_text(reading->arena, pv_buf_str(&text));
	pv_buf_finish(&text);
	return copy;
}

static struct pv_node *copy_of(
    const struct pv_reading *reading, const struct pv_node *node)
{
	struct pv_arena *arena = reading->arena;
	struct pv_node *copy = pv_arena_give(arena, sizeof(*copy));
	struct pv_node **end = &copy->first;
	*copy = *node;
	copy->key = pv_arena_copy(arena, node->key);
	copy->text = pv_arena_copy(arena, node->text);
	copy->origin = origin_of(reading, node);
	copy->first = copy->next = NULL;
	for (const struct pv_node *one = node->first; one; one = one->next) {
		*end = copy_of(reading, one);
		end = &(*end)->next;
	}
	return copy;
}

const struct pv_node *pv_node_copy(
    const struct pv_reading *reading, const struct pv_node *node)
{
	return copy_of(reading, node);
}

/* An unquoted number or word of YAML stays one. */
static void write_text(const struct pv_node *node, struct pv_buf *buf)
{
	if (!node->is_quoted && node->text.len && !pv_word_is_text(node->text))
		pv_buf_append(buf, node->text);
	else
		pv_yaml_text_append(node->text, buf);
}

void pv_node_write(const struct pv_node *node, struct pv_buf *buf)
{
	bool is_map = node->kind == PV_NODE_MAP;
	if (node->kind == PV_NODE_TEXT) {
		write_text(node, buf);
		return;
	}
	pv_buf_append_char(buf, is_map ? '{' : '[');
	for (const struct pv_node *one = node->first; one; one = one->next) {
		if (one != node->first)
			pv_buf_append_text(buf, ", ");
		if (is_map) {
			pv_yaml_text_append(one->key, buf);
			pv_buf_append_text(buf, ": ");
		}
		pv_node_write(one, buf);
	}
	pv_buf_append_char(buf, is_map ? '}' : ']');
}

static void write_line(const struct pv_node *node, struct pv_buf *buf)
{
	const struct pv_origin origin = {.said = node->origin};
	pv_node_write(node, buf);
	pv_origin_write_comment(&origin, buf);
}

void pv_node_write_member(
    const struct pv_node *node, bool is_long, int indent, struct pv_buf *buf)
{
	pv_buf_append_format(buf, "%*s", indent, "");
	pv_yaml_text_append(node->key, buf);
	if (!is_long || !node->first) {
		pv_buf_append_text(buf, ": ");
		write_line(node, buf);
		return;
	}
	pv_buf_append_text(buf, ":\n");
	for (const struct pv_node *one = node->first; one; one = one->next) {
		pv_buf_append_format(buf, "%*s", indent + INDENT, "");
		if (node->kind == PV_NODE_MAP)
			pv_yaml_text_append(one->key, buf);
		pv_buf_append_text(
		    buf, node->kind == PV_NODE_MAP ? ": " : "- ");
		write_line(one, buf);
	}
}
