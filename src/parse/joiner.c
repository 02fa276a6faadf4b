#include "parse/joiner.h"

#include "parse/css_escape.h"
#include "parse/value.h"
#include "url/reference.h"

/* References and white space make a value longer than the address that it
 * leads to, but not without end. */
#define VALUE_TIMES 16

void pv_joiner_init(struct pv_joiner *joiner, size_t ceiling)
{
	*joiner = (struct pv_joiner){.value_max = ceiling * VALUE_TIMES};
	pv_url_init(&joiner->base, ceiling);
	pv_buf_init(&joiner->scratch, joiner->value_max);
	pv_buf_init(&joiner->inlaid, joiner->value_max);
	pv_buf_init(&joiner->unescaped, joiner->value_max);
	pv_encoder_init(&joiner->encoder, PV_STR(""));
	pv_decoder_init(&joiner->decoder, NULL);
}

void pv_joiner_finish(struct pv_joiner *joiner)
{
	pv_url_finish(&joiner->base);
	pv_buf_finish(&joiner->scratch);
	pv_buf_finish(&joiner->inlaid);
	pv_buf_finish(&joiner->unescaped);
	pv_encoder_finish(&joiner->encoder);
	pv_decoder_finish(&joiner->decoder);
}

/* A value in UTF-8 that has no references. */
static struct pv_str decode(struct pv_joiner *joiner, struct pv_str value)
{
	if (!pv_decoder_changes(&joiner->decoder, value))
		return value;
	pv_decoder_append(&joiner->decoder, &joiner->scratch, value);
	return pv_buf_str(&joiner->scratch);
}

static struct pv_str unescape(struct pv_joiner *joiner, struct pv_str text)
{
	if (pv_str_find(text, '\\') == PV_NOT_FOUND)
		return text;
	pv_css_unescape(text, &joiner->unescaped);
	return pv_buf_str(&joiner->unescaped);
}

/* A value in UTF-8 whose references were read, to be read as what it holds. */
static struct pv_str read_inlaid(struct pv_joiner *joiner, struct pv_str value)
{
	struct pv_decoder decoder;
	pv_decoder_init(&decoder, NULL);
	return pv_value_read(value, &decoder, &joiner->inlaid);
}

/* A value in UTF-8, and whether it is whole: what nobody could ask for is not
 * read to its end, but far enough to see whether it is for us. */
static bool read_value(struct pv_joiner *joiner,
    const struct pv_page_link *link, struct pv_str *text)
{
	struct pv_str value = link->value;
	bool is_long = value.len > joiner->value_max;
	if (is_long)
		value = pv_str_head(value, joiner->value_max);
	pv_buf_clear(&joiner->scratch);
	pv_buf_clear(&joiner->inlaid);
	pv_buf_clear(&joiner->unescaped);
	*text = link->form == PV_FORM_SHEET && !link->is_inlaid
		    ? decode(joiner, value)
		    : pv_value_read(value, &joiner->decoder, &joiner->scratch);
	if (link->is_inlaid && link->form != PV_FORM_SHEET)
		*text = read_inlaid(joiner, *text);
	if (link->form != PV_FORM_ATTRIBUTE)
		*text = unescape(joiner, *text);
	return !is_long && !joiner->scratch.is_full &&
	       !joiner->inlaid.is_full && !joiner->unescaped.is_full;
}

static bool has_scheme(struct pv_str text, struct pv_str scheme)
{
	return text.len >= scheme.len &&
	       pv_str_equal_nocase(pv_str_head(text, scheme.len), scheme);
}

/* https://html.spec.whatwg.org/#set-the-frozen-base-url: such a base is none,
 * where any other foreign one makes what is relative to it foreign, too. */
static bool is_no_base(struct pv_str value)
{
	while (value.len && (unsigned char)value.ptr[0] <= ' ')
		value = pv_str_from(value, 1);
	return has_scheme(value, PV_STR("data:")) ||
	       has_scheme(value, PV_STR("javascript:"));
}

static void turn_base(struct pv_joiner *joiner, const struct pv_links *links,
    const struct pv_url *page)
{
	const struct pv_page_link link = {.value = links->base};
	struct pv_str value = PV_STR("");
	enum pv_url_result result = PV_URL_INVALID;
	if (links->base.ptr && read_value(joiner, &link, &value))
		result =
		    pv_url_join(&joiner->base, page, value, &joiner->encoder);
	if (result == PV_URL_OK ||
	    (result == PV_URL_FOREIGN_SCHEME && !is_no_base(value)))
		return;
	pv_url_join(&joiner->base, page, PV_STR(""), NULL);
}

void pv_joiner_turn(struct pv_joiner *joiner, const struct pv_links *links,
    const struct pv_url *page)
{
	const struct pv_encoding *encoding = links->charset.encoding;
	struct pv_str label = encoding ? pv_str_of(encoding->name) : PV_STR("");
	if (links->is_converted)
		encoding = pv_encoding_find(PV_STR("utf-8"));
	pv_encoder_finish(&joiner->encoder);
	pv_encoder_init(&joiner->encoder, label);
	pv_decoder_finish(&joiner->decoder);
	pv_decoder_init(&joiner->decoder, encoding);
	turn_base(joiner, links, page);
}

bool pv_joiner_read(struct pv_joiner *joiner, const struct pv_page_link *link,
    struct pv_str *text)
{
	return read_value(joiner, link, text);
}

/* A page within a page is in UTF-8, whatever that is in. */
enum pv_url_result pv_joiner_join(struct pv_joiner *joiner, struct pv_url *url,
    const struct pv_page_link *link)
{
	struct pv_str text;
	bool is_whole = read_value(joiner, link, &text);
	enum pv_url_result result = pv_url_join(url, &joiner->base, text,
	    link->is_inlaid ? NULL : &joiner->encoder);
	if (is_whole || result == PV_URL_FOREIGN_SCHEME)
		return result;
	pv_url_parse(url, PV_STR("")); /* empties it */
	return PV_URL_TOO_LONG;
}
