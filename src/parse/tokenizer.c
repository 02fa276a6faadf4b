#include "parse/tokenizer.h"

#include "base/ascii.h"
#include "parse/link_attribute.h"
#include "parse/raw_text.h"

/* Where a name or value ends: each of the standard's states stops at some of
 * these bytes and takes all others. */
enum {
	SPACE = 1,
	TAG_NAME_END = 2, /* space / > */
	NAME_END = 4,     /* the same and = */
	VALUE_END = 8,    /* space > */
	BETWEEN = 16,     /* space / */
	ALL_SPACE = SPACE | TAG_NAME_END | NAME_END | VALUE_END | BETWEEN,
};

static const uint8_t classes[256] = {
    ['\t'] = ALL_SPACE,
    ['\n'] = ALL_SPACE,
    ['\f'] = ALL_SPACE,
    ['\r'] = ALL_SPACE,
    [' '] = ALL_SPACE,
    ['/'] = TAG_NAME_END | NAME_END | BETWEEN,
    ['>'] = TAG_NAME_END | NAME_END | VALUE_END,
    ['='] = NAME_END,
};

static inline bool is_at(const struct pv_reader *reader, unsigned class)
{
	return !pv_reader_is_end(reader) &&
	       (classes[(unsigned char)*reader->at] & class);
}

/* As pv_reader_accept, but within the loops that the speed depends on. */
static inline bool accept(struct pv_reader *reader, char byte)
{
	bool is_next = !pv_reader_is_end(reader) && *reader->at == byte;
	reader->at += is_next;
	return is_next;
}

static inline void skip_class(struct pv_reader *reader, unsigned class)
{
	while (is_at(reader, class))
		reader->at++;
}

static inline struct pv_str take_until(struct pv_reader *reader, unsigned class)
{
	struct pv_str taken = {reader->at, 0};
	while (!pv_reader_is_end(reader) && !is_at(reader, class))
		reader->at++;
	taken.len = (size_t)(reader->at - taken.ptr);
	return taken;
}

/* False if the page ends before the value does. */
static inline bool take_value(struct pv_reader *reader, struct pv_str *value)
{
	int quote = pv_reader_peek(reader);
	if (quote != '"' && quote != '\'') {
		*value = take_until(reader, VALUE_END);
		return true;
	}
	pv_reader_next(reader);
	value->ptr = reader->at;
	bool is_closed = pv_raw_text_skip_to(reader, (char)quote);
	value->len = (size_t)(reader->at - value->ptr);
	pv_reader_next(reader);
	return is_closed;
}

enum step {
	STEP_ATTRIBUTE,
	STEP_END,          /* ">" */
	STEP_SELF_CLOSING, /* "/>" */
	STEP_CUT,          /* the page ended */
};

/* https://html.spec.whatwg.org/#before-attribute-name-state and what
 * follows, up to the next attribute or the end of the tag. */
static inline enum step take_attribute(
    struct pv_reader *reader, struct pv_attribute *attribute)
{
	const char *start = reader->at;
	skip_class(reader, BETWEEN);
	if (pv_reader_is_end(reader))
		return STEP_CUT;
	if (accept(reader, '>')) {
		bool is_self_closing =
		    reader->at - start > 1 && reader->at[-2] == '/';
		return is_self_closing ? STEP_SELF_CLOSING : STEP_END;
	}
	attribute->name.ptr = reader->at++; /* even an equals sign */
	take_until(reader, NAME_END);
	attribute->name.len = (size_t)(reader->at - attribute->name.ptr);
	skip_class(reader, SPACE);
	attribute->value = (struct pv_str){reader->at, 0};
	if (!accept(reader, '='))
		return STEP_ATTRIBUTE;
	skip_class(reader, SPACE);
	bool is_whole = take_value(reader, &attribute->value);
	return is_whole ? STEP_ATTRIBUTE : STEP_CUT;
}

static enum step skip_attributes(struct pv_reader *reader)
{
	struct pv_attribute skipped;
	enum step step;
	if (accept(reader, '>')) /* most tags have none */
		return STEP_END;
	do
		step = take_attribute(reader, &skipped);
	while (step == STEP_ATTRIBUTE);
	return step;
}

static bool is_attribute(
    const struct pv_attribute *attribute, struct pv_str name)
{
	return attribute->name.len == name.len &&
	       pv_str_equal_nocase(attribute->name, name);
}

static inline bool may_have_address(struct pv_str style)
{
	return pv_str_find(style, '(') != PV_NOT_FOUND ||
	       pv_str_find(style, '&') != PV_NOT_FOUND;
}

static bool is_telling_in_drawing(const struct pv_attribute *attribute)
{
	return pv_xlink_is_declared(attribute) ||
	       (may_have_address(attribute->value) &&
		   pv_attribute_find_in_drawing(attribute->name) !=
		       PV_ATTRIBUTES);
}

/* Whether it may name anything, wherever it stands: nothing does in a style
 * without parentheses. */
static inline bool is_telling(const struct pv_attribute *attribute)
{
	if (is_attribute(attribute, PV_STR("style")))
		return may_have_address(attribute->value);
	return is_attribute(attribute, PV_STR("background"));
}

/* The same as skipping them, and whether one of them tells anything. */
static enum step look_through(struct pv_reader *reader, bool *is_telling_any)
{
	struct pv_attribute attribute;
	enum step step;
	*is_telling_any = false;
	if (accept(reader, '>'))
		return STEP_END;
	while ((step = take_attribute(reader, &attribute)) == STEP_ATTRIBUTE)
		*is_telling_any = *is_telling_any || is_telling(&attribute);
	return step;
}

static enum step look_through_drawing(
    struct pv_reader *reader, bool *is_telling_any)
{
	struct pv_attribute attribute;
	enum step step;
	*is_telling_any = false;
	while ((step = take_attribute(reader, &attribute)) == STEP_ATTRIBUTE)
		*is_telling_any = *is_telling_any || is_telling(&attribute) ||
				  is_telling_in_drawing(&attribute);
	return step;
}

/* A comment of the kind that ends at the first ">". */
static void skip_bogus_comment(struct pv_reader *reader)
{
	pv_raw_text_skip_to(reader, '>');
	pv_reader_next(reader);
}

/* https://html.spec.whatwg.org/#markup-declaration-open-state. A DOCTYPE ends
 * at the first ">", whatever quotes it stands in. */
static void skip_declaration(struct pv_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	if (pv_reader_accept_str(reader, PV_STR("--"))) {
		pv_raw_text_skip_comment(reader);
	} else if ((tokenizer->is_xml ||
		       pv_foreign_has_cdata(&tokenizer->foreign)) &&
		   pv_reader_accept_str(reader, PV_STR("[CDATA["))) {
		pv_raw_text_skip_cdata(reader);
	} else {
		skip_bogus_comment(reader);
	}
}

/* What is still open within it ends with it. */
static void close_template(struct pv_tokenizer *tokenizer)
{
	tokenizer->templates--;
	if (!tokenizer->templates &&
	    tokenizer->foreign.depth > tokenizer->depth)
		tokenizer->foreign.depth = tokenizer->depth;
}

/* From behind its "</". */
static void skip_end_tag(struct pv_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	if (!pv_is_alpha(pv_reader_peek(reader))) {
		skip_bogus_comment(reader);
		return;
	}
	struct pv_str name = take_until(reader, TAG_NAME_END);
	if (tokenizer->foreign.depth && !tokenizer->is_text)
		pv_foreign_close(&tokenizer->foreign, name);
	tokenizer->is_text = false;
	if (tokenizer->templates &&
	    pv_str_equal_nocase(name, PV_STR("template")))
		close_template(tokenizer);
	skip_attributes(reader);
}

/* More are not looked for: each may be as long as the document. */
#define INSTRUCTIONS_MAX 16

/* What names the style of a document in XML, from behind its "<?", if it reads
 * as a tag does (https://www.w3.org/TR/xml-stylesheet/). */
static bool enter_instruction(struct pv_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	struct pv_reader ahead = *reader;
	struct pv_str name = take_until(&ahead, TAG_NAME_END);
	if (!tokenizer->is_xml || tokenizer->templates ||
	    !pv_str_equal(name, PV_STR("xml-stylesheet")) ||
	    tokenizer->instructions == INSTRUCTIONS_MAX)
		return false;
	tokenizer->instructions++;
	struct pv_str rest = {ahead.at, (size_t)(ahead.end - ahead.at)};
	const char *end = memmem(rest.ptr, rest.len, "?>", 2);
	struct pv_reader inside = ahead;
	if (!end)
		return false;
	inside.end = end + 2;
	if (skip_attributes(&inside) != STEP_END || inside.at != inside.end)
		return false;
	tokenizer->name = name;
	tokenizer->element = PV_ELEMENT_XML_STYLESHEET;
	tokenizer->is_open = true;
	*reader = ahead;
	return true;
}

/* What is neither text nor a start tag, from behind its "<"; true if it is to
 * be given like one. */
static bool enter_other(struct pv_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	if (accept(reader, '/')) {
		skip_end_tag(tokenizer);
	} else if (accept(reader, '!')) {
		skip_declaration(tokenizer);
	} else if (accept(reader, '?')) {
		if (enter_instruction(tokenizer))
			return true;
		skip_bogus_comment(reader);
	}
	return false;
}

/* The text that comes next, as markup or in a CDATA section. */
static struct pv_str text_ahead(struct pv_reader reader, bool *has_references)
{
	struct pv_reader ahead = reader;
	skip_class(&ahead, SPACE);
	*has_references = !pv_reader_accept_str(&ahead, PV_STR("<![CDATA["));
	if (*has_references)
		return pv_reader_take_until(&reader, '<');
	const char *start = ahead.at;
	pv_raw_text_skip_cdata(&ahead);
	return (struct pv_str){start, (size_t)(ahead.at - start)};
}

/* Takes text that is no markup. */
static struct pv_str take_content(struct pv_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	const char *start = reader->at;
	enum pv_content content = pv_element_content(tokenizer->element);
	tokenizer->is_text = content != PV_CONTENT_MARKUP;
	switch (content) {
	case PV_CONTENT_MARKUP:
		break;
	case PV_CONTENT_TEXT:
		pv_raw_text_skip(reader, tokenizer->name);
		break;
	case PV_CONTENT_SCRIPT:
		pv_raw_text_skip_script(reader);
		break;
	case PV_CONTENT_REST:
		reader->at = reader->end;
		break;
	}
	return (struct pv_str){start, (size_t)(reader->at - start)};
}

static bool is_root(enum pv_element element)
{
	return element == PV_ELEMENT_SVG || element == PV_ELEMENT_MATH;
}

/* A tag has ended: what follows it may be no markup, or not HTML. */
static void leave_tag(struct pv_tokenizer *tokenizer, enum step end)
{
	struct pv_foreign *foreign = &tokenizer->foreign;
	bool is_self_closing = end == STEP_SELF_CLOSING;
	tokenizer->is_open = false;
	tokenizer->is_cut = end == STEP_CUT;
	tokenizer->is_text = false;
	tokenizer->content = (struct pv_str){tokenizer->reader.at, 0};
	if (!tokenizer->is_xml || !is_self_closing)
		tokenizer->content = take_content(tokenizer);
	tokenizer->has_references = false;
	if (tokenizer->element == PV_ELEMENT_DRAWING_STYLE && !is_self_closing)
		tokenizer->content =
		    text_ahead(tokenizer->reader, &tokenizer->has_references);
	if (foreign->depth || is_root(tokenizer->element))
		pv_foreign_open(foreign, tokenizer->name, is_self_closing);
}

/* A template with this attribute is shown at once, in a tree of its own. */
static bool is_shadow(const struct pv_attribute *attribute)
{
	return is_attribute(attribute, PV_STR("shadowrootmode")) &&
	       (pv_str_equal_nocase(attribute->value, PV_STR("open")) ||
		   pv_str_equal_nocase(attribute->value, PV_STR("closed")));
}

static void enter_template(struct pv_tokenizer *tokenizer)
{
	struct pv_attribute attribute;
	bool is_shown = false;
	while (take_attribute(&tokenizer->reader, &attribute) == STEP_ATTRIBUTE)
		is_shown = is_shown || is_shadow(&attribute);
	if (!tokenizer->templates) {
		if (is_shown)
			return;
		tokenizer->depth = tokenizer->foreign.depth;
	}
	tokenizer->templates++;
}

/* A plain element: whether it is to be given after all. */
static inline bool enter_plain(struct pv_tokenizer *tokenizer)
{
	struct pv_reader start = tokenizer->reader;
	bool is_telling_any;
	enum step end =
	    pv_tokenizer_is_in_drawing(tokenizer)
		? look_through_drawing(&tokenizer->reader, &is_telling_any)
		: look_through(&tokenizer->reader, &is_telling_any);
	if (is_telling_any && end != STEP_CUT) {
		tokenizer->reader = start;
		tokenizer->is_open = true;
		return true;
	}
	if (tokenizer->foreign.depth || is_root(tokenizer->element))
		leave_tag(tokenizer, end);
	return false;
}

static enum pv_element find_element(
    const struct pv_foreign *foreign, struct pv_str name)
{
	if (!foreign->depth || !pv_foreign_is_inside(foreign))
		return pv_element_find(name);
	return pv_foreign_is_drawing(foreign) ? pv_element_find_in_drawing(name)
					      : PV_ELEMENT_OTHER;
}

/* A start tag within what is foreign, from behind its name. */
static void meet(struct pv_tokenizer *tokenizer)
{
	struct pv_reader ahead = tokenizer->reader;
	struct pv_attribute attribute;
	struct pv_str name = tokenizer->name;
	bool is_answered = false;
	if (pv_foreign_is_open_question(name)) {
		while (take_attribute(&ahead, &attribute) == STEP_ATTRIBUTE)
			is_answered =
			    is_answered || pv_foreign_is_answer(name,
					       attribute.name, attribute.value);
	}
	pv_foreign_meet(&tokenizer->foreign, name, is_answered);
}

/* A start tag: whether it is to be given. */
static inline bool enter_tag(struct pv_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	struct pv_foreign *foreign = &tokenizer->foreign;
	tokenizer->name = take_until(reader, TAG_NAME_END);
	if (foreign->depth)
		meet(tokenizer);
	tokenizer->element = find_element(foreign, tokenizer->name);
	if (tokenizer->element == PV_ELEMENT_TEMPLATE) {
		enter_template(tokenizer);
		return false;
	}
	if (tokenizer->templates) {
		leave_tag(tokenizer, skip_attributes(reader));
		return false;
	}
	if (pv_element_is_plain(tokenizer->element))
		return enter_plain(tokenizer);
	tokenizer->is_open = true;
	return true;
}

bool pv_tokenizer_is_in_drawing(const struct pv_tokenizer *tokenizer)
{
	return tokenizer->element == PV_ELEMENT_SVG ||
	       (tokenizer->foreign.depth &&
		   pv_foreign_is_drawing(&tokenizer->foreign));
}

void pv_tokenizer_init(struct pv_tokenizer *tokenizer, struct pv_str page)
{
	*tokenizer = (struct pv_tokenizer){.reader = pv_reader_of(page)};
}

enum pv_element pv_tokenizer_next(struct pv_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	if (tokenizer->is_open)
		leave_tag(tokenizer, skip_attributes(reader));
	while (pv_raw_text_skip_to(reader, '<')) {
		pv_reader_next(reader);
		if (pv_is_alpha(pv_reader_peek(reader))) {
			if (enter_tag(tokenizer))
				return tokenizer->element;
		} else if (enter_other(tokenizer)) {
			return tokenizer->element;
		}
	}
	return PV_ELEMENT_NONE;
}

bool pv_tokenizer_attribute(
    struct pv_tokenizer *tokenizer, struct pv_attribute *attribute)
{
	if (!tokenizer->is_open)
		return false;
	enum step step = take_attribute(&tokenizer->reader, attribute);
	if (step != STEP_ATTRIBUTE)
		leave_tag(tokenizer, step);
	return step == STEP_ATTRIBUTE;
}
