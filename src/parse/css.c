#include "parse/css.h"

#include "parse/css_escape.h"

void pv_css_init(
    struct pv_css *css, struct pv_str text, const struct pv_encoding *encoding)
{
	*css = (struct pv_css){.place = PV_CSS_IN_VALUE};
	pv_css_tokenizer_init(&css->tokenizer, text, encoding);
}

static bool is_image_set(struct pv_str name)
{
	return pv_css_name_is(name, PV_STR("image-set")) ||
	       pv_css_name_is(name, PV_STR("-webkit-image-set"));
}

static bool is_address(struct pv_str name)
{
	return pv_css_name_is(name, PV_STR("url")) ||
	       pv_css_name_is(name, PV_STR("src"));
}

static void open_function(struct pv_css *css, struct pv_str name)
{
	css->is_address_next = is_address(name);
	if (css->set_depth || is_image_set(name))
		css->set_depth++;
}

/* Whether an address may lead to another file. */
static bool leads_anywhere(struct pv_str address)
{
	struct pv_reader reader = pv_reader_of(address);
	while (!pv_reader_is_end(&reader)) {
		int32_t character = pv_css_take(&reader);
		if (!pv_css_is_space(character))
			return character != '#';
	}
	return false;
}

/* Goes on by a token; whether it is an address. */
static bool follow(struct pv_css *css, const struct pv_css_token *token)
{
	enum pv_css_place place = css->place;
	bool is_expected = css->is_address_next;
	css->is_address_next = false;
	if (place == PV_CSS_IN_IMPORT)
		css->place = PV_CSS_IN_RULE;
	switch (token->kind) {
	case PV_CSS_STRING:
		return place == PV_CSS_IN_IMPORT ||
		       (place == PV_CSS_IN_VALUE &&
			   (is_expected || css->set_depth == 1));
	case PV_CSS_ADDRESS:
		return place != PV_CSS_IN_RULE;
	case PV_CSS_FUNCTION:
		open_function(css, token->text);
		if (css->is_address_next)
			css->place = place;
		return false;
	case PV_CSS_OPEN:
		css->set_depth += css->set_depth > 0;
		return false;
	case PV_CSS_CLOSE:
		css->set_depth -= css->set_depth > 0;
		return false;
	case PV_CSS_AT:
		css->place = pv_css_name_is(token->text, PV_STR("import"))
				 ? PV_CSS_IN_IMPORT
				 : PV_CSS_IN_RULE;
		css->set_depth = 0;
		return false;
	case PV_CSS_BREAK:
		css->place = PV_CSS_IN_VALUE;
		css->set_depth = 0;
		return false;
	default:
		return false;
	}
}

bool pv_css_next(struct pv_css *css, struct pv_str *address)
{
	struct pv_css_token token;
	do {
		token = pv_css_tokenizer_next(&css->tokenizer);
		if (token.kind == PV_CSS_END)
			return false;
	} while (!follow(css, &token) || !leads_anywhere(token.text));
	*address = token.text;
	return true;
}

void pv_style_init(struct pv_style *style, struct pv_str value,
    const struct pv_encoding *encoding, struct pv_buf *scratch)
{
	pv_plain_value_init(&style->value, value, scratch);
	pv_css_init(&style->css, style->value.text, encoding);
}

bool pv_style_next(struct pv_style *style, struct pv_str *address)
{
	struct pv_str found;
	if (!pv_css_next(&style->css, &found))
		return false;
	*address = pv_plain_value_place(&style->value, found);
	return true;
}
