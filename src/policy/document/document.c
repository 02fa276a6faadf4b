#include "policy/document/document.h"

#include <yaml.h>

#include "base/ascii.h"
#include "base/map.h"
#include "base/utf8.h"
#include "pavane/pavane.h"
#include "policy/document/yaml_fault.h"

/* Up to so many keys are compared one by one; beyond, a table is made. */
#define FEW_KEYS 8

/* A list or mapping that is still open. */
struct level {
	struct pv_node *node;
	struct pv_node **end; /* where the next child goes */
	struct pv_node *key;  /* a key that waits for its value */
	struct pv_map keys;
	size_t count;
};

struct builder {
	struct pv_document *document;
	struct pv_arena *arena;
	struct pv_why *why;
	struct pv_str text;
	struct level levels[PV_DOCUMENT_DEPTH_MAX];
	size_t depth;
	size_t node_count;
	struct pv_node *last_text;
	bool has_origins;
	struct pv_reader lines; /* what follows the line last asked for */
	struct pv_reader line;  /* of that line, what follows the column */
	size_t line_count;      /* lines taken so far */
	size_t column;
};

static struct pv_place place_of(const struct builder *builder, yaml_mark_t mark)
{
	return (struct pv_place){builder->document->name,
	    (uint32_t)mark.line + 1, (uint32_t)mark.column + 1};
}

#define refuse(builder, mark, ...)                                          \
	pv_why_add((builder)->why, place_of((builder), (mark)), PV_STR(""), \
	    __VA_ARGS__)

/* What stands behind a place. Places are asked for in rising order, so that
 * the text is walked through once. */
static struct pv_str text_after(struct builder *builder, yaml_mark_t mark)
{
	while (builder->line_count <= mark.line) {
		builder->line =
		    pv_reader_of(pv_reader_take_line(&builder->lines));
		builder->line_count++;
		builder->column = 0;
	}
	for (; builder->column < mark.column; builder->column++)
		pv_utf8_next(&builder->line);
	return pv_reader_rest(&builder->line);
}

/* What the comment behind a value says, in an effective policy. */
static const char *origin_after(struct builder *builder, yaml_mark_t end)
{
	static const struct pv_str comment = {"  # ", 4};
	if (!builder->has_origins)
		return NULL;
	struct pv_str text = text_after(builder, end);
	if (!pv_str_starts(text, comment))
		return NULL;
	return pv_arena_text(builder->arena, pv_str_from(text, comment.len));
}

/* What the comment behind a key says, whose value is on the lines below. */
static const char *origin_after_key(struct builder *builder, yaml_mark_t end)
{
	if (!builder->has_origins)
		return NULL;
	if (!pv_str_starts(text_after(builder, end), PV_STR(":")))
		return NULL;
	end.column++;
	return origin_after(builder, end);
}

static struct pv_node *find_key(const struct level *level, struct pv_str key)
{
	struct pv_node *node = level->node->first;
	while (node && !pv_str_equal(node->key, key))
		node = node->next;
	return node;
}

/* Tells of a key by its whole path, which the open levels know. */
static void tell_duplicate(
    struct builder *builder, const struct pv_node *node, uint32_t first_line)
{
	struct pv_place place = {
	    builder->document->name, node->key_line, node->key_column};
	struct pv_buf path;
	pv_buf_init(&path, 1024);
	for (size_t i = 1; i < builder->depth; i++) {
		struct pv_str key = builder->levels[i].node->key;
		if (key.len && pv_buf_append(&path, key))
			pv_buf_append_char(&path, '.');
	}
	pv_buf_append(&path, node->key);
	pv_why_add(builder->why, place, pv_buf_str(&path),
	    "this key is already on line %u", first_line);
	pv_buf_finish(&path);
}

/* Whether the mapping has the key already; both lines are reported. */
static bool is_duplicate(
    struct builder *builder, struct level *level, const struct pv_node *node)
{
	uint32_t first = 0;
	if (level->count < FEW_KEYS) {
		struct pv_node *same = find_key(level, node->key);
		first = same ? same->key_line : 0;
	} else {
		if (level->count == FEW_KEYS && !level->keys.count) {
			for (struct pv_node *old = level->node->first; old;
			     old = old->next)
				pv_map_add(
				    &level->keys, old->key, old->key_line);
		}
		if (!pv_map_add(&level->keys, node->key, node->key_line))
			first = *pv_map_get(&level->keys, node->key);
	}
	if (!first)
		return false;
	tell_duplicate(builder, node, first);
	return true;
}

/* Hangs a node where it belongs: under the root, into the open list, or as
 * key or value into the open mapping. */
static void attach(struct builder *builder, struct pv_node *node)
{
	if (!builder->depth) {
		builder->document->root = node;
		return;
	}
	struct level *level = &builder->levels[builder->depth - 1];
	if (level->node->kind == PV_NODE_MAP) {
		if (!level->key) {
			level->key = node;
			return;
		}
		node->key = level->key->text;
		node->key_line = level->key->line;
		node->key_column = level->key->column;
		if (!node->origin)
			node->origin = level->key->origin;
		bool is_refused = level->key->kind != PV_NODE_TEXT;
		level->key = NULL;
		if (is_refused || is_duplicate(builder, level, node))
			return;
	}
	*level->end = node;
	level->end = &node->next;
	level->count++;
}

static struct pv_node *node_create(
    struct builder *builder, enum pv_node_kind kind, yaml_mark_t mark)
{
	struct pv_node *node = pv_arena_give(builder->arena, sizeof(*node));
	node->kind = (uint8_t)kind;
	node->line = (uint32_t)mark.line + 1;
	node->column = (uint32_t)mark.column + 1;
	builder->node_count++;
	return node;
}

static bool is_key_next(const struct builder *builder)
{
	if (!builder->depth)
		return false;
	const struct level *level = &builder->levels[builder->depth - 1];
	return level->node->kind == PV_NODE_MAP && !level->key;
}

static void refuse_decoration(struct builder *builder,
    const yaml_event_t *event, const yaml_char_t *anchor,
    const yaml_char_t *tag)
{
	if (anchor)
		refuse(builder, event->start_mark,
		    "anchors and aliases are not allowed: write the value out");
	if (tag)
		refuse(builder, event->start_mark,
		    "tags such as %.60s are not allowed: remove it",
		    (const char *)tag);
}

static void on_text(struct builder *builder, const yaml_event_t *event)
{
	refuse_decoration(
	    builder, event, event->data.scalar.anchor, event->data.scalar.tag);
	struct pv_node *node =
	    node_create(builder, PV_NODE_TEXT, event->start_mark);
	struct pv_str text = {
	    (const char *)event->data.scalar.value, event->data.scalar.length};
	node->text = pv_arena_copy(builder->arena, text);

	node->is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	if (pv_str_find(text, '\0') != PV_NOT_FOUND) {
		refuse(builder, event->start_mark,
		    "a text must not contain a NUL character");
		node->kind = PV_NODE_REFUSED;
	}
	node->origin = is_key_next(builder)
			   ? origin_after_key(builder, event->end_mark)
			   : origin_after(builder, event->end_mark);
	builder->last_text = node;
	attach(builder, node);
}

static void on_alias(struct builder *builder, const yaml_event_t *event)
{
	refuse(builder, event->start_mark,
	    "aliases are not allowed: write the value out, or quote \"*%s\" "
	    "if the star is meant",
	    (const char *)event->data.alias.anchor);
	attach(
	    builder, node_create(builder, PV_NODE_REFUSED, event->start_mark));
}

/* False if it lies too deep. */
static bool on_open(
    struct builder *builder, const yaml_event_t *event, enum pv_node_kind kind)
{
	if (kind == PV_NODE_LIST)
		refuse_decoration(builder, event,
		    event->data.sequence_start.anchor,
		    event->data.sequence_start.tag);
	else
		refuse_decoration(builder, event,
		    event->data.mapping_start.anchor,
		    event->data.mapping_start.tag);
	if (builder->depth == PV_DOCUMENT_DEPTH_MAX) {
		refuse(builder, event->start_mark,
		    "lists and mappings are nested more than %d levels deep",
		    PV_DOCUMENT_DEPTH_MAX);
		return false;
	}
	struct pv_node *node = node_create(builder, kind, event->start_mark);
	if (is_key_next(builder)) {
		refuse(builder, event->start_mark,
		    "a key must be plain text, not a list or a mapping");
		node->kind = PV_NODE_REFUSED;
	}
	attach(builder, node);
	struct level *level = &builder->levels[builder->depth++];
	*level = (struct level){.node = node, .end = &node->first};
	return true;
}

static void level_close(struct builder *builder)
{
	pv_map_finish(&builder->levels[--builder->depth].keys);
}

static void on_close(struct builder *builder, const yaml_event_t *event)
{
	struct pv_node *node = builder->levels[builder->depth - 1].node;
	const char *origin = origin_after(builder, event->end_mark);
	if (origin)
		node->origin = origin;
	level_close(builder);
}

/* An effective policy has the sections and defaults besides. */
static size_t nodes_max(const struct builder *builder)
{
	return builder->has_origins ? PV_DOCUMENT_NODES_MAX + 1000
				    : PV_DOCUMENT_NODES_MAX;
}

/* False if reading has to stop at this event. */
static bool on_event(struct builder *builder, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (!builder->document->root)
			return true;
		refuse(builder, event->start_mark,
		    "a second document begins here: a policy is one document");
		return false;
	case YAML_SCALAR_EVENT:
		on_text(builder, event);
		break;
	case YAML_ALIAS_EVENT:
		on_alias(builder, event);
		break;
	case YAML_SEQUENCE_START_EVENT:
		return on_open(builder, event, PV_NODE_LIST);
	case YAML_MAPPING_START_EVENT:
		return on_open(builder, event, PV_NODE_MAP);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		on_close(builder, event);
		break;
	default:
		break;
	}
	if (builder->node_count <= nodes_max(builder))
		return true;
	refuse(builder, event->start_mark,
	    "more than %d values: put long lists of addresses into a file of "
	    "seeds",
	    PV_DOCUMENT_NODES_MAX);
	return false;
}

static void on_fault(struct builder *builder, const yaml_parser_t *parser)
{
	if (parser->error == YAML_MEMORY_ERROR)
		pavane_out_of_memory(0);
	struct pv_yaml_fault fault = {
	    .text = builder->text,
	    .problem = parser->problem,
	    .line = parser->problem_mark.line,
	    .column = parser->problem_mark.column,
	    .context = parser->context,
	    .context_line = parser->context_mark.line,
	    .context_column = parser->context_mark.column,
	};
	pv_yaml_fault_tell(&fault, builder->document->name, builder->why);

	/* The text before a fault may have swallowed lines that were not meant
	 * for it: no second mistake is reported for those. */
	if (builder->last_text)
		builder->last_text->kind = PV_NODE_REFUSED;
	struct pv_node *open =
	    builder->depth ? builder->levels[builder->depth - 1].node : NULL;
	if (open && !open->first)
		open->kind = PV_NODE_REFUSED;
}

/* Whether the document was read to its end. */
static bool read_events(struct builder *builder, yaml_parser_t *parser)
{
	bool is_going = true;
	bool is_end = false;
	while (is_going && !is_end) {
		yaml_event_t event;
		if (!yaml_parser_parse(parser, &event)) {
			on_fault(builder, parser);
			return false;
		}
		is_end = event.type == YAML_STREAM_END_EVENT;
		is_going = on_event(builder, &event);
		yaml_event_delete(&event);
	}
	return is_end;
}

void pv_document_read(struct pv_document *document, const char *name,
    struct pv_str text, struct pv_arena *arena, struct pv_why *why)
{
	*document = (struct pv_document){.name = name};
	if (!pv_yaml_text_is_clean(text, name, why))
		return;
	yaml_parser_t parser;
	struct builder builder = {
	    .document = document,
	    .arena = arena,
	    .why = why,
	    .text = text,
	    .has_origins = pv_str_starts(text, PV_STR(PV_EFFECTIVE_MARK)),
	    .lines = pv_reader_of(text),
	};
	if (!yaml_parser_initialize(&parser))
		pavane_out_of_memory(sizeof(parser));
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
	    &parser, (const unsigned char *)text.ptr, text.len);
	document->is_whole = read_events(&builder, &parser);
	while (builder.depth)
		level_close(&builder);
	yaml_parser_delete(&parser);
}

bool pv_node_is_word(const struct pv_node *node, const char *word)
{
	return node->kind == PV_NODE_TEXT && !node->is_quoted &&
	       pv_str_equal(node->text, pv_str_of(word));
}

size_t pv_node_count(const struct pv_node *node)
{
	size_t count = 0;
	for (const struct pv_node *child = node->first; child;
	     child = child->next)
		count++;
	return count;
}
