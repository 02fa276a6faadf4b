#include "tree/xpath/functions.h"

#include <math.h>

#include "base/reader.h"
#include "base/utf8.h"
#include "tree/xpath/number.h"

static bool is_space(int byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static bool is_no_space(int byte)
{
	return !is_space(byte);
}

/* Of the argument of that number, or of the node where there is none. */
static struct pv_str text_of(
    struct pv_xpath_call *call, size_t number, struct pv_buf *scratch)
{
	struct pv_str text =
	    number < call->count
		? pv_xpath_text(&call->arguments[number], scratch, call->budget)
		: pv_xpath_text_of(call->node, scratch, call->budget);
	pv_tree_budget_take_bytes(call->budget, text.len);
	return text;
}

static double number_of(struct pv_xpath_call *call, size_t number)
{
	return number < call->count
		   ? pv_xpath_number(&call->arguments[number], call->budget)
		   : pv_xpath_number_of_ref(call->node, call->budget);
}

static void call_last(struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	pv_xpath_value_set_number(result, (double)call->last);
}

static void call_position(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	pv_xpath_value_set_number(result, (double)call->position);
}

static void call_count(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	pv_xpath_value_set_number(result, (double)call->arguments[0].count);
}

static bool has_word(struct pv_str words, struct pv_str word)
{
	struct pv_reader reader = pv_reader_of(words);
	while (!pv_reader_is_end(&reader)) {
		pv_reader_take_while(&reader, is_space);
		struct pv_str one = pv_reader_take_while(&reader, is_no_space);
		if (one.len && pv_str_equal(one, word))
			return true;
	}
	return false;
}

static void call_id(struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	const struct pv_tree_node *node = pv_node_document(call->node.node);
	const struct pv_tree_node *end = pv_node_end(node);
	struct pv_buf scratch;
	pv_xpath_scratch_init(&scratch);
	struct pv_str ids = text_of(call, 0, &scratch);
	uint64_t attribute = pv_node_word(PV_WORD_ATTRIBUTE, PV_STR("id"));
	pv_tree_budget_take(call->budget, node->below + 1);
	for (; node < end && call->budget->steps; node++) {
		if (!(node->words & attribute))
			continue;
		struct pv_str id = pv_node_attribute(node, PV_STR("id"));
		if (id.ptr && has_word(ids, id))
			pv_xpath_value_add(
			    result, (struct pv_xpath_ref){node, 0});
		pv_tree_budget_take_bytes(call->budget, ids.len);
	}
	pv_buf_finish(&scratch);
}

static void call_name(struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	struct pv_xpath_ref ref = call->node;
	struct pv_str name = PV_STR(""), value;
	pv_xpath_value_set_text(result, name);
	if (call->count && !call->arguments[0].count)
		return;
	if (call->count)
		ref = call->arguments[0].refs[0];
	if (ref.attribute)
		pv_node_attribute_at(ref.node, ref.attribute, &name, &value);
	else
		name = pv_node_name(ref.node);
	pv_xpath_value_set_text(result, name);
}

static void call_namespace(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	(void)call;
	pv_xpath_value_set_text(result, PV_STR(""));
}

static void call_string(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	struct pv_str text = text_of(call, 0, &result->own);
	if (call->count && call->arguments[0].sort == PV_XPATH_STRING)
		pv_xpath_value_set_copy(result, text, call->budget);
	else
		pv_xpath_value_set_text(result, text);
}

static void call_concat(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	struct pv_buf scratch;
	pv_xpath_scratch_init(&scratch);
	for (size_t i = 0; i < call->count; i++)
		pv_xpath_value_set_copy(
		    result, text_of(call, i, &scratch), call->budget);
	pv_buf_finish(&scratch);
}

/* Where the second text stands in the first; PV_NOT_FOUND if nowhere. */
static size_t find(struct pv_str text, struct pv_str part)
{
	if (!part.len)
		return 0;
	const char *at =
	    text.len ? memmem(text.ptr, text.len, part.ptr, part.len) : NULL;
	return at ? (size_t)(at - text.ptr) : PV_NOT_FOUND;
}

/* What functions of two texts have in common. */
struct texts {
	struct pv_str text, part;
	struct pv_buf first, second;
};

static void open_texts(struct texts *texts, struct pv_xpath_call *call)
{
	pv_xpath_scratch_init(&texts->first);
	pv_xpath_scratch_init(&texts->second);
	texts->text = text_of(call, 0, &texts->first);
	texts->part = text_of(call, 1, &texts->second);
}

static void close_texts(struct texts *texts)
{
	pv_buf_finish(&texts->first);
	pv_buf_finish(&texts->second);
}

static void call_starts_with(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	struct texts texts;
	open_texts(&texts, call);
	pv_xpath_value_set_boolean(
	    result, pv_str_starts(texts.text, texts.part));
	close_texts(&texts);
}

static void call_contains(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	struct texts texts;
	open_texts(&texts, call);
	pv_xpath_value_set_boolean(
	    result, find(texts.text, texts.part) != PV_NOT_FOUND);
	close_texts(&texts);
}

static void call_substring_before(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	struct texts texts;
	open_texts(&texts, call);
	size_t at = find(texts.text, texts.part);
	pv_xpath_value_set_copy(result,
	    pv_str_head(texts.text, at == PV_NOT_FOUND ? 0 : at), call->budget);
	close_texts(&texts);
}

static void call_substring_after(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	struct texts texts;
	open_texts(&texts, call);
	size_t at = find(texts.text, texts.part);
	at = at == PV_NOT_FOUND ? texts.text.len : at + texts.part.len;
	pv_xpath_value_set_copy(
	    result, pv_str_from(texts.text, at), call->budget);
	close_texts(&texts);
}

/* Rounded as XPath does: halves go up. */
static double rounded(double number)
{
	return isnan(number) || isinf(number) ? number : floor(number + 0.5);
}

static void call_substring(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	struct pv_buf scratch;
	pv_xpath_scratch_init(&scratch);
	struct pv_str text = text_of(call, 0, &scratch);
	double from = rounded(number_of(call, 1));
	double to =
	    call->count > 2 ? from + rounded(number_of(call, 2)) : INFINITY;
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str part = {reader.at, 0};
	for (double position = 1; !pv_reader_is_end(&reader); position++) {
		const char *at = reader.at;
		pv_utf8_next(&reader);
		if (!(position >= from && position < to))
			continue;
		if (!part.len)
			part.ptr = at;
		part.len = (size_t)(reader.at - part.ptr);
	}
	pv_tree_budget_take(call->budget, text.len);
	pv_xpath_value_set_copy(result, part, call->budget);
	pv_buf_finish(&scratch);
}

static void call_string_length(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	struct pv_buf scratch;
	pv_xpath_scratch_init(&scratch);
	struct pv_str text = text_of(call, 0, &scratch);
	size_t count = 0;
	for (size_t i = 0; i < text.len; i++)
		count += ((unsigned char)text.ptr[i] & 0xc0) != 0x80;
	pv_tree_budget_take(call->budget, text.len / 8);
	pv_xpath_value_set_number(result, (double)count);
	pv_buf_finish(&scratch);
}

static void call_normalize_space(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	struct pv_buf scratch;
	pv_xpath_scratch_init(&scratch);
	struct pv_str text = text_of(call, 0, &scratch);
	struct pv_reader reader = pv_reader_of(text);
	pv_tree_budget_take(call->budget, text.len / 4);
	pv_reader_take_while(&reader, is_space);
	while (!pv_reader_is_end(&reader)) {
		if (result->own.len)
			pv_buf_append_char(&result->own, ' ');
		pv_buf_append(
		    &result->own, pv_reader_take_while(&reader, is_no_space));
		pv_reader_take_while(&reader, is_space);
	}
	pv_xpath_value_set_text(result, pv_buf_str(&result->own));
	pv_buf_finish(&scratch);
}

/* The character that stands in `to` where this stands in `from`; itself where
 * it is not there, and nothing where `to` is too short. */
static struct pv_str translated(
    struct pv_str character, struct pv_str from, struct pv_str to)
{
	struct pv_reader froms = pv_reader_of(from), tos = pv_reader_of(to);
	while (!pv_reader_is_end(&froms)) {
		const char *from_at = froms.at, *to_at = tos.at;
		pv_utf8_next(&froms);
		if (!pv_reader_is_end(&tos))
			pv_utf8_next(&tos);
		struct pv_str one = {from_at, (size_t)(froms.at - from_at)};
		if (pv_str_equal(one, character))
			return (struct pv_str){to_at, (size_t)(tos.at - to_at)};
	}
	return character;
}

static void call_translate(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	struct texts texts;
	struct pv_buf scratch;
	pv_xpath_scratch_init(&scratch);
	open_texts(&texts, call);
	struct pv_str to = text_of(call, 2, &scratch);
	struct pv_reader reader = pv_reader_of(texts.text);
	while (!pv_reader_is_end(&reader) &&
	       pv_tree_budget_take(call->budget, 1 + texts.part.len)) {
		const char *at = reader.at;
		pv_utf8_next(&reader);
		struct pv_str character = {at, (size_t)(reader.at - at)};
		pv_buf_append(
		    &result->own, translated(character, texts.part, to));
	}
	pv_xpath_value_set_text(result, pv_buf_str(&result->own));
	close_texts(&texts);
	pv_buf_finish(&scratch);
}

static void call_boolean(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	pv_xpath_value_set_boolean(
	    result, pv_xpath_boolean(&call->arguments[0]));
}

static void call_not(struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	pv_xpath_value_set_boolean(
	    result, !pv_xpath_boolean(&call->arguments[0]));
}

static void call_true(struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	(void)call;
	pv_xpath_value_set_boolean(result, true);
}

static void call_false(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	(void)call;
	pv_xpath_value_set_boolean(result, false);
}

static void call_number(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	pv_xpath_value_set_number(result, number_of(call, 0));
}

static void call_sum(struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	const struct pv_xpath_value *nodes = &call->arguments[0];
	double sum = 0;
	for (size_t i = 0; i < nodes->count && call->budget->steps; i++)
		sum += pv_xpath_number_of_ref(nodes->refs[i], call->budget);
	pv_xpath_value_set_number(result, sum);
}

static void call_floor(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	pv_xpath_value_set_number(result, floor(number_of(call, 0)));
}

static void call_ceiling(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	pv_xpath_value_set_number(result, ceil(number_of(call, 0)));
}

static void call_round(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	pv_xpath_value_set_number(result, rounded(number_of(call, 0)));
}

static void call_has_class(
    struct pv_xpath_call *call, struct pv_xpath_value *result)
{
	struct pv_buf scratch;
	pv_xpath_scratch_init(&scratch);
	struct pv_str classes = {NULL, 0};
	if (!call->node.attribute)
		classes = pv_node_attribute(call->node.node, PV_STR("class"));
	bool has_all = true;
	for (size_t i = 0; i < call->count && has_all; i++) {
		pv_tree_budget_take_bytes(call->budget, classes.len);
		has_all = has_word(classes, text_of(call, i, &scratch));
	}
	pv_xpath_value_set_boolean(result, has_all);
	pv_buf_finish(&scratch);
}

#define REFS PV_XPATH_REFS
#define STRING PV_XPATH_STRING
#define NUMBER PV_XPATH_DOUBLE
#define BOOLEAN PV_XPATH_BOOLEAN
#define MANY PV_XPATH_ARGUMENTS_MAX

static const struct pv_xpath_function functions[] = {
    {PV_STR("last"), 0, 0, NUMBER, false, call_last},
    {PV_STR("position"), 0, 0, NUMBER, false, call_position},
    {PV_STR("count"), 1, 1, NUMBER, true, call_count},
    {PV_STR("id"), 1, 1, REFS, false, call_id},
    {PV_STR("name"), 0, 1, STRING, true, call_name},
    {PV_STR("local-name"), 0, 1, STRING, true, call_name},
    {PV_STR("namespace-uri"), 0, 1, STRING, true, call_namespace},
    {PV_STR("string"), 0, 1, STRING, false, call_string},
    {PV_STR("concat"), 2, MANY, STRING, false, call_concat},
    {PV_STR("starts-with"), 2, 2, BOOLEAN, false, call_starts_with},
    {PV_STR("contains"), 2, 2, BOOLEAN, false, call_contains},
    {PV_STR("substring-before"), 2, 2, STRING, false, call_substring_before},
    {PV_STR("substring-after"), 2, 2, STRING, false, call_substring_after},
    {PV_STR("substring"), 2, 3, STRING, false, call_substring},
    {PV_STR("string-length"), 0, 1, NUMBER, false, call_string_length},
    {PV_STR("normalize-space"), 0, 1, STRING, false, call_normalize_space},
    {PV_STR("translate"), 3, 3, STRING, false, call_translate},
    {PV_STR("boolean"), 1, 1, BOOLEAN, false, call_boolean},
    {PV_STR("not"), 1, 1, BOOLEAN, false, call_not},
    {PV_STR("true"), 0, 0, BOOLEAN, false, call_true},
    {PV_STR("false"), 0, 0, BOOLEAN, false, call_false},
    {PV_STR("number"), 0, 1, NUMBER, false, call_number},
    {PV_STR("sum"), 1, 1, NUMBER, true, call_sum},
    {PV_STR("floor"), 1, 1, NUMBER, false, call_floor},
    {PV_STR("ceiling"), 1, 1, NUMBER, false, call_ceiling},
    {PV_STR("round"), 1, 1, NUMBER, false, call_round},
    {PV_STR("has-class"), 1, MANY, BOOLEAN, false, call_has_class},
};

const struct pv_xpath_function *pv_xpath_function_find(struct pv_str name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		if (pv_str_equal(functions[i].name, name))
			return &functions[i];
	}
	return NULL;
}
