#include "record/terms.h"

#include "base/visible.h"

void pv_terms_init(struct pv_terms *terms)
{
	terms->count = 0;
	pv_buf_init(&terms->text, PV_TERM_BYTES);
}

void pv_terms_finish(struct pv_terms *terms)
{
	terms->count = 0;
	pv_buf_finish(&terms->text);
}

void pv_terms_clear(struct pv_terms *terms)
{
	terms->count = 0;
	pv_buf_clear(&terms->text);
}

void pv_terms_add(struct pv_terms *terms, enum pv_term term, struct pv_str text)
{
	size_t start = terms->text.len;
	if (!text.len || terms->count == PV_TERM_COUNT)
		return;
	terms->text.ceiling = start + PV_TERM_BYTES;
	pv_visible_append(&terms->text, text);
	terms->items[terms->count].term = term;
	terms->items[terms->count].start = start;
	terms->items[terms->count].len = terms->text.len - start;
	terms->count++;
}

enum pv_term pv_terms_at(
    const struct pv_terms *terms, size_t place, struct pv_str *text)
{
	*text = (struct pv_str){terms->text.ptr + terms->items[place].start,
	    terms->items[place].len};
	return terms->items[place].term;
}

const char *pv_term_word(enum pv_term term)
{
	static const char *const words[PV_TERM_COUNT] = {
	    [PV_TERM_ROBOTS_TAG] = "robots_tag",
	    [PV_TERM_CONTENT_USAGE] = "content_usage",
	    [PV_TERM_CONTENT_SIGNAL] = "content_signal",
	    [PV_TERM_ROBOTS_CONTENT_USAGE] = "robots_content_usage",
	    [PV_TERM_ROBOTS_CONTENT_SIGNAL] = "robots_content_signal",
	    [PV_TERM_TDM_RESERVATION] = "tdm_reservation",
	    [PV_TERM_TDM_POLICY] = "tdm_policy",
	};
	return words[term];
}
