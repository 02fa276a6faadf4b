#include "parse/tokenizer.h"

#include "base/ascii.h"
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
	} else if (pv_foreign_is_inside(&tokenizer->foreign) &&
		   pv_reader_accept_str(reader, PV_STR("[CDATA["))) {
		pv_raw_text_skip_cdata(reader);
	} else {
		skip_bogus_comment(reader);
	}
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
	if (tokenizer->foreign.depth)
		pv_foreign_close(&tokenizer->foreign, name);
	skip_attributes(reader);
}

/* What is neither text nor a start tag, from behind its "<". */
static void skip_other(struct pv_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	if (accept(reader, '/'))
		skip_end_tag(tokenizer);
	else if (accept(reader, '!'))
		skip_declaration(tokenizer);
	else if (accept(reader, '?'))
		skip_bogus_comment(reader);
}

/* A tag of ours has ended: what follows it may be no markup. */
static void leave_tag(struct pv_tokenizer *tokenizer, enum step end)
{
	struct pv_reader *reader = &tokenizer->reader;
	tokenizer->is_open = false;
	tokenizer->is_cut = end == STEP_CUT;
	switch (pv_element_content(tokenizer->element)) {
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
}

static bool is_root(enum pv_element element)
{
	return element == PV_ELEMENT_SVG || element == PV_ELEMENT_MATH;
}

/* Of drawings only the links are given, as those of HTML; formulas have
 * none. */
static bool is_ours(const struct pv_foreign *foreign, enum pv_element element)
{
	if (foreign->depth && pv_foreign_is_inside(foreign))
		return element == PV_ELEMENT_A &&
		       pv_foreign_is_drawing(foreign);
	return element != PV_ELEMENT_NONE && !is_root(element);
}

/* A start tag: whether it is to be given. */
static inline bool enter_tag(struct pv_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	struct pv_foreign *foreign = &tokenizer->foreign;
	struct pv_str name = take_until(reader, TAG_NAME_END);
	enum pv_element element = pv_element_find(name);
	if (foreign->depth)
		pv_foreign_meet(foreign, name);
	if (is_ours(foreign, element)) {
		tokenizer->name = name;
		tokenizer->element = element;
		tokenizer->is_open = true;
		return true;
	}
	enum step end = skip_attributes(reader);
	if (foreign->depth || is_root(element))
		pv_foreign_open(foreign, name, end == STEP_SELF_CLOSING);
	return false;
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
		if (!pv_is_alpha(pv_reader_peek(reader)))
			skip_other(tokenizer);
		else if (enter_tag(tokenizer))
			return tokenizer->element;
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
