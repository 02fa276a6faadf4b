#include "http/entity_tag.h"

/* etagc: visible bytes but the quote, and those beyond ASCII. */
static bool is_of_tag(char byte)
{
	unsigned char code = (unsigned char)byte;
	return code > 0x20 && code != '"' && code != 0x7f;
}

bool pv_entity_tag_is_right(struct pv_str text)
{
	if (pv_str_starts(text, PV_STR("W/")))
		text = pv_str_from(text, 2);
	if (text.len < 2 || text.ptr[0] != '"' || text.ptr[text.len - 1] != '"')
		return false;
	for (size_t i = 1; i < text.len - 1; i++)
		if (!is_of_tag(text.ptr[i]))
			return false;
	return true;
}

bool pv_entity_tag_is_strong(struct pv_str text)
{
	return pv_entity_tag_is_right(text) &&
	       !pv_str_starts(text, PV_STR("W/"));
}
