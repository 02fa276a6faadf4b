#include "reading/page_text.h"

#include "base/utf8.h"
#include "parse/decoder.h"
#include "policy/policy.h"

/* Text in another encoding is at most so many times as long in UTF-8. */
#define UTF8_TIMES 4

#define REPLACEMENT PV_STR("\xef\xbf\xbd")

void pv_page_text_init(
    struct pv_page_text *text, const struct pv_policy *policy)
{
	*text = (struct pv_page_text){
	    .bytes_max = (size_t)policy->output.fields.max_page};
	pv_buf_init(&text->decoded, text->bytes_max * UTF8_TIMES);
}

void pv_page_text_finish(struct pv_page_text *text)
{
	pv_buf_finish(&text->decoded);
}

/* What half a character at the end has become. */
static struct pv_str without_half(struct pv_str text)
{
	return pv_str_ends(text, REPLACEMENT)
		   ? pv_str_head(text, text.len - REPLACEMENT.len)
		   : text;
}

static struct pv_str decode(struct pv_page_text *text,
    const struct pv_encoding *encoding, struct pv_str page)
{
	struct pv_decoder decoder;
	pv_buf_clear(&text->decoded);
	pv_decoder_init(&decoder, encoding);
	if (pv_decoder_changes(&decoder, page)) {
		pv_decoder_append(&decoder, &text->decoded, page);
		page = pv_buf_str(&text->decoded);
		page = text->is_cut ? without_half(page) : page;
	}
	pv_decoder_finish(&decoder);
	return page;
}

static bool is_utf8(const struct pv_encoding *encoding)
{
	return encoding && strcmp(encoding->name, "utf-8") == 0;
}

void pv_page_text_read(struct pv_page_text *text,
    const struct pv_encoding *encoding, struct pv_str page)
{
	text->is_cut = page.len > text->bytes_max;
	if (text->is_cut)
		page = is_utf8(encoding) ? pv_utf8_head(page, text->bytes_max)
					 : pv_str_head(page, text->bytes_max);
	text->text = decode(text, encoding, page);
}
